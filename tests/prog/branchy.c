// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions for made-up branches to go between, and variables for made-up accesses (tests/interop/branches.py, synth.py). */
int n;
int table[40] = { 1 };
long total[8];
__attribute__((noinline)) int one(int x)
{
	return x * 3 + n;
}
__attribute__((noinline)) int two(int x)
{
	return one(x) + n * 7;
}
__attribute__((noinline)) int three(int x)
{
	return two(x) + one(n);
}
int main(void)
{
	return three(n) & 1;
}
