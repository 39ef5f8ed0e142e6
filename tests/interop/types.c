// SPDX-License-Identifier: GPL-2.0-or-later
/* Loops over memory of known types, for interop/report-types.sh: each function touches one kind of place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { int x, y; long sum; double weight; };
struct node { struct node *next; struct point at; char name[16]; unsigned long hits; };
struct box { struct node *first; union { long number; double real; } u; };
typedef struct { int a; long b; } config_t;
static struct node *list;
long table[4096];
struct point points[256];
static config_t config;
struct box boxes[4];
struct box *box = boxes;
#define ALONE __attribute__((noinline))

ALONE long walk(struct node *n)
{
	long s = 0;
	for (; n; n = n->next) {
		s += n->at.x + n->hits;
		n->at.sum += s;
	}
	return s;
}
ALONE long tables(int rounds)
{
	long s = 0;
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < 4096; i++)
			s += table[i] ^= s;
	return s;
}
ALONE long local(int rounds)
{
	volatile long counter = 0;
	struct point p[8];
	memset(p, 0, sizeof(p));
	for (int i = 0; i < rounds; i++) {
		counter += i;
		p[i & 7].sum += counter;
	}
	return p[3].sum + counter;
}
ALONE void globals(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		((volatile struct point *)points)[i & 255].y++;
		*(volatile long *)&config.b += i;
	}
}
ALONE struct node *which(struct box *b)
{
	__asm__ volatile("");
	return b->first;
}
ALONE long chains(int rounds)
{
	static volatile long calls;
	long s = 0;
	for (int i = 0; i < rounds; i++) {
		((volatile struct box *)box)->u.number += i;
		s += ((volatile struct node *)((volatile struct box *)box)->first)->at.y;
		s += ((volatile struct node *)which(box))->hits;
		calls++;
	}
	return s + calls;
}
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;
	for (int i = 0; i < 1000; i++) {
		struct node *n = calloc(1, sizeof(*n));
		n->next = list;
		list = n;
	}
	box->first = list;
	long s = 0;
	for (int i = 0; i < rounds; i++) {
		for (int k = 0; k < 300; k++)
			s += walk(list);
		s += tables(100) + local(300000) + chains(300000);
		globals(300000);
	}
	printf("%ld\n", s);
	return 0;
}
