/* SPDX-License-Identifier: GPL-2.0-or-later; probed by tests/host/probe-source.sh and others: it prints what a probe must see. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inner { char name[16]; unsigned low : 3, high : 5; int z; };
struct outer {
	int n;
	struct inner *list;
	struct inner field[4];
	const char *label;
	struct outer *next;
	union { short half; long whole; };
	int grid[3][5];
};
int global_count = 7;
static struct outer kept;

static inline __attribute__((always_inline)) int tripled(int q)
{
	int w = q * 3;
	if (w > 5)
		printf("tripled %d\n", w);
	return w;
}

__attribute__((noinline)) int work(struct outer *local, int k, const char *text)
{
	int sum = 0;

	for (int i = 0; i < k; i++) {
		sum += local->field[i & 3].z;
		if (sum & 1)
			puts(text);
	}
	sum += tripled(k);
	return sum + global_count + kept.n;
}

int main(int argc, char **argv)
{
	struct outer s = { .n = 3, .label = "hello", .whole = 0x12345 };
	strcpy(s.field[2].name, "two");
	s.field[2].low = 5;
	s.field[2].high = 21;
	s.field[1].z = -9;
	s.list = s.field;
	s.next = &s;
	s.grid[1][3] = 1303;
	kept = s;
	printf("result %d\n", work(&s, 3 + argc, argv[0]));
	return 0;
}
