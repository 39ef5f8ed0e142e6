// SPDX-License-Identifier: GPL-2.0-or-later
/* generated N: what the scripts of tests/interop/generate.py look at. For i from 0 to N - 1: pair_of(i, 3 * i), which gives
 * the sum; `watched` is set to i; the marker generated:turn with i and 7 * i; getppid(); a struct with i in it handed to look_at(). */
#include <sys/sdt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct inner { signed char low; unsigned short high; };
struct outer { int number; char name[12]; struct inner in; unsigned three : 3; int five : 5; long list[3]; const struct outer *self; };

__attribute__((noinline, noclone)) long pair_of(int a, long b)
{
	__asm__ volatile("" ::: "memory");
	return a + b;
}

__attribute__((noinline, noclone)) long look_at(const struct outer *o, const char *text)
{
	__asm__ volatile("" :: "r"(o), "r"(text) : "memory");
	return o->number;
}

volatile long watched = -1; /* not among zeros, which the kernel writes; the program is not moved: its address is what nm says */

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1, sum = 0;
	struct outer o = { 0 };
	o.self = &o;
	for (int i = 0; i < n; i++) {
		sum += pair_of(i, 3l * i);
		DTRACE_PROBE2(generated, turn, i, 7 * i);
		syscall(SYS_getppid);
		watched = i;
		o.number = -i;
		strcpy(o.name, i % 2 ? "odd" : "even");
		o.in = (struct inner){ (signed char)(i - 5), (unsigned short)(1000 * i) };
		o.three = (unsigned)i;
		o.five = 3 - i;
		o.list[i % 3] = 100l * i;
		sum += look_at(&o, o.name);
	}
	return sum == -1;
}
