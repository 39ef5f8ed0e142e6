// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures by value, bit fields, parameters behind floating point: each line says what a probe on that function is to fetch,
 * as FUNCTION EXPRESSION[:TYPE]=VALUE..., worked out by the compiler. */
#include <stdint.h>
#include <stdio.h>
#define N __attribute__((noinline))
#define BARRIER __asm__ volatile("" ::: "memory")
#define SAY(text, value) printf(" " text "=%lld", (long long)(value))

struct pair { short a, b; int c; };
struct four { signed char a, b, c, d; };
struct deep { int n; signed char t; struct { short in; unsigned char out; } sub; };
struct bits { int f : 3; int g : 6; unsigned u : 7; short h; int i; };
struct field { int x : 5; unsigned y : 7; int z : 4; unsigned w : 16; int v : 16; int tail : 9; long long far : 40; _Bool on : 1; };
struct array { short s[3]; signed char c[6]; };
struct two { long a, b; };
struct big { long a, b, c; };
struct float_int { double d; int i; };
struct int_float { int i; double d; };
union either { int i; float f; };
enum sign { MINUS = -2, PLUS = 2 };

N int small(struct pair p, struct four q, struct bits t, enum sign e)
{
	BARRIER;
	return p.a + p.b + p.c + q.a + q.b + q.c + q.d + t.f + t.g + t.u + t.h + t.i + e;
}
N int wide(struct deep m, struct two l, double x, struct float_int o, int last)
{
	BARRIER;
	return m.n + m.t + m.sub.in + m.sub.out + l.a + l.b + o.i + last + x;
}
N int arrays(struct array r, struct array s)
{
	BARRIER;
	return r.s[0] + r.s[1] + r.s[2] + r.c[0] + r.c[5] + s.s[1] + s.c[2];
}
N int behind(int a, double x, struct int_float p, int b, float y, union either u, signed char c)
{
	BARRIER;
	return a + x + p.i + p.d + b + y + u.i + c;
}
N struct big stack(int a, struct big b, struct two l, struct two m, short c)
{
	BARRIER;
	b.a += a + b.b + b.c + c + l.a + l.b + m.a + m.b;
	return b;
}
N int fields(struct field *f, const struct bits *t)
{
	BARRIER;
	return f->x + f->y + f->z + f->w + f->v + f->tail + f->far + f->on + t->f + t->g + t->u;
}

int main(int argc, char **argv)
{
	int k = argc, sum = 0;
	struct pair p = { -1 * k, -300, -70000 };
	struct four q = { -1, 2, -3 * k, -128 };
	struct bits t = { -4, 31, 77, -32000, -7 };
	struct deep m = { -9, -2, { -555, 200 } };
	struct two l = { -100, -5000000000 }, l2 = { 7, -8 };
	struct float_int o = { 2.5, -11 };
	struct int_float i = { -12, 3.5 };
	struct array r = { { 1, -2, -30000 }, { -1, 2, -3, 4, 5, -128 } };
	struct big b = { -1, -2, -3 };
	union either u = { .i = -15 };
	struct field f = { -16, 100, -3 * k, 65535, -32768, -256, -500000000000, 1 };
	(void)argv;
	printf("small");
	SAY("p.a", p.a); SAY("p.b", p.b); SAY("p.c", p.c); SAY("q.a", q.a); SAY("q.b", q.b); SAY("q.c", q.c); SAY("q.d", q.d);
	SAY("t.f", t.f); SAY("t.g", t.g); SAY("t.u", t.u); SAY("t.h", t.h); SAY("t.i", t.i); SAY("e", MINUS);
	printf("\nsmall");
	SAY("p.b:s16", (int16_t)p.b); SAY("p.b:s8", (int8_t)p.b); SAY("p.b:u16", (uint16_t)p.b); SAY("p.b:u8", (uint8_t)p.b); SAY("p.c:s32", (int32_t)p.c);
	SAY("p.c:x32", (uint32_t)p.c); SAY("p.b:s", p.b); SAY("q.c:s8", (int8_t)q.c); SAY("q.c:u", (uint8_t)q.c); SAY("t.g:s8", (int8_t)t.g);
	SAY("t.f:s32", (int32_t)t.f); SAY("t.f:s", t.f); SAY("t.u:u32", (uint32_t)t.u); SAY("t.u:s8", (int8_t)t.u); SAY("t.u:s", t.u - 128);
	printf("\nwide");
	SAY("m.n", m.n); SAY("m.t", m.t); SAY("m.sub.in", m.sub.in); SAY("m.sub.out", m.sub.out); SAY("l.a", l.a); SAY("l.b", l.b); SAY("o.i", o.i);
	SAY("last", -77); SAY("m.sub.in:s16", m.sub.in); SAY("m.sub.out:s8", (int8_t)m.sub.out);
	printf("\narrays");
	SAY("r.s[0]", r.s[0]); SAY("r.s[1]", r.s[1]); SAY("r.s[2]", r.s[2]); SAY("r.c[0]", r.c[0]); SAY("r.c[5]", r.c[5]);
	SAY("s.s[1]", r.s[1]); SAY("s.c[2]", r.c[2]); SAY("r.s[2]:s16", r.s[2]); SAY("r.c[5]:u8", (uint8_t)r.c[5]);
	printf("\nbehind");
	SAY("a", -1); SAY("p.i", i.i); SAY("b", -2); SAY("u.i", u.i); SAY("c", -3);
	printf("\nstack");
	SAY("a", -4); SAY("b.a", b.a); SAY("b.c", b.c); SAY("l.a", l.a); SAY("l.b", l.b); SAY("m.a", l2.a); SAY("m.b", l2.b); SAY("c", -5);
	printf("\nfields");
	SAY("f->x", f.x); SAY("f->y", f.y); SAY("f->z", f.z); SAY("f->w", f.w); SAY("f->v", f.v); SAY("f->tail", f.tail); SAY("f->far", f.far); SAY("f->on", f.on);
	SAY("t->f", t.f); SAY("t->g", t.g); SAY("t->u", t.u);
	printf("\nfields");
	SAY("f->x:s32", (int32_t)f.x); SAY("f->x:s8", (int8_t)f.x); SAY("f->y:u8", (uint8_t)f.y); SAY("f->y:s32", (int32_t)f.y); SAY("f->z:s16", (int16_t)f.z);
	SAY("f->w:u16", (uint16_t)f.w); SAY("f->w:s32", (int32_t)f.w); SAY("f->w:x8", (uint8_t)f.w); SAY("f->v:s16", (int16_t)f.v); SAY("f->v:u16", (uint16_t)f.v);
	SAY("f->tail:s64", (int64_t)f.tail); SAY("f->far:s32", (int32_t)f.far); SAY("f->far:s64", (int64_t)f.far); SAY("f->y:u", f.y); SAY("f->z:s", f.z);
	printf("\n");
	sum = small(p, q, t, MINUS) + wide(m, l, 1.5, o, -77) + arrays(r, r) + behind(-1, .5, i, -2, 1, u, -3) + stack(-4, b, l, l2, -5).a + fields(&f, &t);
	return sum == 1;
}
