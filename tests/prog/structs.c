// SPDX-License-Identifier: GPL-2.0-or-later
/* A function with parameters of many of C's types. */
enum color { RED, GREEN = 5, BLUE = 200 };
struct inner { short s; char name[8]; };
struct node {
	struct node *next;
	int v;
	unsigned lo : 3, hi : 5;
	int neg : 4;
	struct inner in, *pin;
	enum color col;
	int grid[2][3];
	union { int i; char bytes[4]; };
	const char *text;
	float f;
	double d;
};
typedef struct { int t; } unnamed_t;
struct node global = { .v = 42, .text = "global" };

__attribute__((noipa)) static int work(struct node *n, struct node byval, unnamed_t *an, int k)
{
	return n->v + byval.v + an->t + k;
}

__attribute__((noipa)) static struct node *find(struct node *n)
{
	return n->next;
}

int main(void)
{
	struct inner p = { 9, "pinned" };
	struct node a = { .v = 1 };
	struct node b = { &a, -7, 5, 17, -3, { 3, "inner" }, &p, GREEN, { { 1, 2, 3 }, { 4, 5, 6 } }, { 0x64636261 }, "hello", 0.25f, -1.5e10 };
	unnamed_t an = { 33 };
	volatile char there = *(volatile const char *)b.text; /* what was never read is not in memory yet */
	(void)there;
	return find(&b)->v + work(&b, a, &an, 4) + global.v == 0;
}
