// SPDX-License-Identifier: GPL-2.0-or-later
/* Three functions that share the time: a walk over a list, a hash over a table, a sum of floating point. ROUNDS. */
#include <stdio.h>
#include <stdlib.h>

struct node { int key, pad; long val; struct node *next; };
static struct node nodes[1024];
long table[4096];
double weights[256];

__attribute__((noinline)) long walk(struct node *n, int times)
{
	long sum = 0;
	while (times--)
		for (struct node *p = n; p; p = p->next) {
			if (p->key & 1)
				sum += p->val;
			else
				sum ^= p->val;
		}
	return sum;
}

static inline long mix(long a)
{
	a *= 0x9E3779B97F4A7C15;
	a ^= a >> 31;
	return a;
}

__attribute__((noinline)) long hash(long s, int n)
{
	for (int i = 0; i < n; i++) {
		s = mix(s + table[s & 4095]);
		if (s % 7 == 3)
			table[i & 4095] += s;
	}
	return s;
}

__attribute__((noinline)) double weigh(int n)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += weights[i & 255] * i;
	return sum;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 50;
	long s = 0;
	double d = 0;
	for (int i = 0; i < 1024; i++)
		nodes[i] = (struct node){ i, 0, i * 3L, i < 1023 ? &nodes[i + 1] : 0 };
	for (int i = 0; i < n; i++) {
		s += walk(nodes, 50) + hash(s, 30000);
		d += weigh(20000);
	}
	printf("%ld %g\n", s, d);
	return 0;
}
