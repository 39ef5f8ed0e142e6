/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ten calls by the 32-bit gate of a 64-bit program: getpid has number 20 there. */
int main(void)
{
	for (int i = 0; i < 10; i++) {
		long r;
		__asm__ volatile("int $0x80" : "=a"(r) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
	}
	return 0;
}
