// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes 123 times to address 0x10000000 and reads it 45 times. */
#include <sys/mman.h>

int main(void)
{
	volatile int *p = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	int sum = 0;
	if (p == MAP_FAILED)
		return 1;
	for (int i = 0; i < 123; i++)
		*p = i;
	for (int i = 0; i < 45; i++)
		sum += *p;
	return sum != 45 * 122;
}
