// SPDX-License-Identifier: GPL-2.0-or-later
/* C's types: BTF as a hostile file has it, declarations of a script, and how they are laid out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/str.h"
#include "script/check_type.h"
#include "script/ctype/ctype.h"
#include "script/front/parse.h"
#include "script/run.h"
#include "script/script.h"
#include "script/show/ctype.h"
#include "symbol/btftypes.h"

/* ---- a file of types ---- */

struct blob { struct str types, strings; };

static uint32_t name(struct blob *b, const char *text)
{
	uint32_t at = (uint32_t)b->strings.len;
	if (!*text)
		return 0;
	str_addn(&b->strings, text, strlen(text) + 1);
	return at;
}

static void begin(struct blob *b)
{
	str_init(&b->types);
	str_init(&b->strings);
	str_addn(&b->strings, "", 1);
}

static void type(struct blob *b, const char *text, unsigned kind, unsigned n, bool flag, uint32_t size_or_type)
{
	struct btf_type t = { name(b, text), (uint32_t)flag << 31 | kind << 24 | n, { size_or_type } };
	str_addn(&b->types, (const char *)&t, sizeof(t));
}

static void words(struct blob *b, unsigned n, ...)
{
	va_list ap;
	va_start(ap, n);
	while (n--) {
		uint32_t w = va_arg(ap, uint32_t);
		str_addn(&b->types, (const char *)&w, sizeof(w));
	}
	va_end(ap);
}

static void member(struct blob *b, const char *text, uint32_t of, uint32_t bit)
{
	words(b, 3, name(b, text), of, bit);
}

static void whole(struct blob *b, struct str *out)
{
	struct btf_header h = { .magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(h), .type_len = (uint32_t)b->types.len,
		.str_off = (uint32_t)b->types.len, .str_len = (uint32_t)b->strings.len };
	str_init(out);
	str_addn(out, (const char *)&h, sizeof(h));
	str_addn(out, b->types.buf, b->types.len);
	str_addn(out, b->strings.buf, b->strings.len);
	str_release(&b->types);
	str_release(&b->strings);
}

/* 1 int, 2 struct a { int x; int f:3 signed; struct { int y; }; struct a *self; }, 3 unnamed, 4 a *, 5 loop of typedefs, 6 pointer to
 * itself, 7 array of itself, 8 a struct that holds itself twice over without a name, 9 enum */
static void sample(struct blob *b)
{
	begin(b);
	type(b, "int", BTF_KIND_INT, 0, false, 4);
	words(b, 1, BTF_INT_SIGNED << 24 | 32u);
	type(b, "a", BTF_KIND_STRUCT, 4, true, 24);
	member(b, "x", 1, 0);
	member(b, "f", 1, 3u << 24 | 34);
	member(b, "", 3, 64);
	member(b, "self", 4, 128);
	type(b, "", BTF_KIND_STRUCT, 1, false, 4);
	member(b, "y", 1, 0);
	type(b, "", BTF_KIND_PTR, 0, false, 2);
	type(b, "round", BTF_KIND_TYPEDEF, 0, false, 5);
	type(b, "", BTF_KIND_PTR, 0, false, 6);
	type(b, "", BTF_KIND_ARRAY, 0, false, 0);
	words(b, 3, 7u, 1u, 1000000u);
	type(b, "twice", BTF_KIND_STRUCT, 4, false, 8);
	member(b, "", 8, 0);
	member(b, "", 8, 0);
	member(b, "me", 8, 0);
	member(b, "ptr", 6, 0);
	type(b, "e", BTF_KIND_ENUM, 2, true, 4);
	words(b, 2, name(b, "MINUS"), (uint32_t)-2);
	words(b, 2, name(b, "TWO"), 2u);
}

static void reads(void **state)
{
	struct blob b;
	struct str file;
	int64_t v = 0;
	(void)state;
	sample(&b);
	whole(&b, &file);
	struct btf_file *f = btf_file_of(file.buf, file.len, NULL);
	assert_non_null(f);
	assert_int_equal(btf_file_count(f), 10);
	assert_int_equal(btf_file_find(f, "a", 1u << BTF_KIND_STRUCT, 1), 2);
	assert_int_equal(btf_file_find(f, "a", 1u << BTF_KIND_UNION, 1), 0);
	assert_int_equal(btf_file_find(f, "", 1u << BTF_KIND_STRUCT, 1), 0);
	assert_int_equal(btf_file_strip(f, 5, true), 0); /* it goes round */
	assert_int_equal(btf_file_find_constant(f, "MINUS", &v), 9);
	assert_int_equal(v, -2);
	assert_null(btf_file_type(f, 0));
	assert_null(btf_file_type(f, 10));
	assert_string_equal(btf_file_name(f, 4000000000u), "");
	btf_file_close(f);
	/* cut short anywhere, and with any byte changed, it is another file or none, and never a crash */
	for (size_t n = 0; n < file.len; n++)
		btf_file_close(btf_file_of(file.buf, n, NULL));
	for (size_t i = 0; i < file.len; i++)
		for (int k = 0; k < 3; k++) {
			char was = file.buf[i];
			file.buf[i] = (char)(k == 0 ? was ^ 1 : k == 1 ? 0xff : 0x7f);
			struct btf_file *g = btf_file_of(file.buf, file.len, NULL);
			for (uint32_t id = 0; g && id < btf_file_count(g) + 2; id++) {
				const struct btf_type *t = btf_file_type(g, btf_file_strip(g, id, true));
				if (t)
					btf_file_name(g, t->name_off);
			}
			btf_file_close(g);
			file.buf[i] = was;
		}
	str_release(&file);
}

/* ---- a machine that has it ---- */

static char top[] = "/tmp/sonde-unit-XXXXXX";

static void put_btf(const struct str *file)
{
	char *path = xasprintf("%s/sys/kernel/btf/vmlinux", top);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(file->buf, 1, file->len, f), file->len);
	fclose(f);
	free(path);
}

static int make_root(void **state)
{
	static const char *const folders[] = { "/sys", "/sys/kernel", "/sys/kernel/btf" };
	(void)state;
	if (!mkdtemp(top))
		return -1;
	for (size_t i = 0; i < 3; i++) {
		char *path = xasprintf("%s%s", top, folders[i]);
		mkdir(path, 0755);
		free(path);
	}
	return setenv("SONDE_KERNEL_ROOT", top, 1);
}

static int drop_root(void **state)
{
	char *cmd = xasprintf("rm -rf %s", top);
	(void)state;
	int err = system(cmd);
	free(cmd);
	return err;
}

static void shown(struct script_type *t, const void *bytes, const char *want)
{
	struct namer nm = { 0 };
	struct str out = STR_INIT;
	show_ctype(&out, &nm, t, bytes, t->size, SHOW_TEXT);
	if (want)
		assert_string_equal(out.buf, want);
	assert_true(out.len < 1 << 20);
	str_release(&out);
}

static void trees(void **state)
{
	struct blob b;
	struct str file;
	struct arena m = { 0 };
	int64_t v;
	(void)state;
	sample(&b);
	whole(&b, &file);
	put_btf(&file);
	struct ctypes *c = ctypes_new(&m);
	struct script_type *t = ctype_find(c, NULL, "struct a"), *twice = ctype_find(c, NULL, "struct twice");
	assert_non_null(t);
	assert_true(ctype_members(t));
	assert_int_equal(t->n_fields, 4);
	assert_string_equal(t->fields[2].name, "y"); /* of the unnamed one */
	assert_int_equal(ctype_member(t, "y")->at, 8);
	const struct type_field *f = ctype_member(t, "f"), *self = ctype_member(t, "self");
	assert_int_equal(f->at * 8 + f->bit_at, 34);
	assert_int_equal(f->bits, 3);
	assert_ptr_equal(self->type->to, t);
	assert_null(ctype_member(t, "z"));
	assert_null(ctype_find(c, NULL, "round") == &type_none ? NULL : ctype_find(c, NULL, "round"));
	assert_null(ctype_find(c, NULL, "struct nothing"));
	struct { int x; unsigned bits; int y, pad; uint64_t self; } bytes = { 7, 5u << 2, -1, 0, 16 };
	shown(t, &bytes, "{ .x = 7, .f = -3, .y = -1, .self = 0x10 }");
	/* what holds itself ends somewhere */
	assert_true(ctype_members(twice));
	shown(twice, &bytes, NULL);
	struct script_type *e = ctype_constant(c, NULL, "TWO", &v);
	assert_int_equal(v, 2);
	assert_true(e->is_signed && e->n_constants == 2 && e->whole->size == 8);
	ctypes_free(c);
	arena_release(&m);
	str_release(&file);
}

/* Any byte of it changed: members are read and shown without a crash. */
static void damaged(void **state)
{
	struct blob b;
	struct str file;
	uint8_t bytes[64] = { 1, 2, 3 };
	(void)state;
	sample(&b);
	whole(&b, &file);
	for (size_t i = sizeof(struct btf_header); i < file.len; i += 2) {
		char was = file.buf[i];
		file.buf[i] = (char)(i % 3 ? was + 1 : 0xff);
		put_btf(&file);
		struct arena m = { 0 };
		struct ctypes *c = ctypes_new(&m);
		static const char *const names[] = { "struct a", "round", "enum e", "int", "struct twice" };
		for (size_t k = 0; k < (i % 16 < 2 ? 5 : 4); k++) { /* the last one is long */
			struct script_type *t = ctype_find(c, NULL, names[k]);
			if (t && t->kind == TYPE_STRUCT && ctype_members(t) && t->size && t->size <= sizeof(bytes))
				shown(t, bytes, NULL);
		}
		ctypes_free(c);
		arena_release(&m);
		file.buf[i] = was;
	}
	str_release(&file);
}

/* ---- declarations ---- */

static struct ctypes *declared(struct script_source *s, struct run_script *r, const char *text)
{
	*s = (struct script_source){ .name = "t", .text = text, .len = strlen(text) };
	*r = (struct run_script){ .source = s };
	if (script_compile(r, s, NULL, 0))
		fail_msg("%s: %s", text, error_message());
	return r->types;
}

static void done(struct script_source *s, struct run_script *r)
{
	script_forget(r);
	arena_release(&s->memory);
}

/* As this machine's compiler does it. */
struct inner { char c; short s; };
struct odd { char c; int i; char d; long l; char e[3]; struct inner in; unsigned f : 3, g : 30, : 0, h : 5; union { char u; int v; }; void (*fn)(int); short m[2][3]; };
struct packed { char c; int i; } __attribute__((packed));

static void layout(void **state)
{
	struct script_source s;
	struct run_script r;
	(void)state;
	struct ctypes *c = declared(&s, &r, "struct inner { char c; short s; }; struct odd { char c; int i; char d; long l; char e[3]; struct inner in; unsigned f : 3, g : 30, : 0, "
		"h : 5; union { char u; int v; }; void (*fn)(int); short m[2][3]; }; struct packed { char c; int i; } __attribute__((packed)); typedef unsigned short us, *pus; BEGIN { }");
	struct script_type *t = ctype_find(c, NULL, "struct odd");
	assert_int_equal(t->size, sizeof(struct odd));
	assert_int_equal(ctype_member(t, "l")->at, offsetof(struct odd, l));
	assert_int_equal(ctype_member(t, "in")->at, offsetof(struct odd, in));
	assert_int_equal(ctype_member(t, "u")->at, offsetof(struct odd, u));
	assert_int_equal(ctype_member(t, "v")->at, offsetof(struct odd, v));
	assert_int_equal(ctype_member(t, "fn")->at, offsetof(struct odd, fn));
	assert_int_equal(ctype_member(t, "m")->at, offsetof(struct odd, m));
	assert_int_equal(ctype_member(t, "m")->type->count, 2);
	assert_int_equal(ctype_member(t, "m")->type->to->count, 3);
	struct odd o = { .f = 5, .g = 0x12345678, .h = 21, .c = 'x', .e = "ab", .v = 7, .in = { 'i', -9 } };
	o.l = -4;
	shown(t, &o, "{ .c = 120, .i = 0, .d = 0, .l = -4, .e = ab, .in = { .c = 105, .s = -9 }, .f = 5, .g = 305419896, .h = 21, .u = 7, .v = 7, .fn = 0x0, "
		     ".m = [[0,0,0],[0,0,0]] }");
	assert_int_equal(ctype_find(c, NULL, "struct packed")->size, sizeof(struct packed));
	assert_int_equal(ctype_find(c, NULL, "us")->size, 2);
	assert_int_equal(ctype_find(c, NULL, "pus")->kind, TYPE_POINTER);
	done(&s, &r);
}

static void refused(void **state)
{
	static const char *const wrong[] = { "struct a { struct a b; };", "struct a { struct b c; }; struct b { struct a d; };", "struct a { int x[b]; };",
		"struct a { int x[99999999999]; };", "struct a { int x[2147483647][2147483647]; };", "struct a { int x:0; };", "struct a { int x:33; };",
		"struct a { struct b *c:3; };", "struct a { void v; };", "struct a { unknown_t v; };", "struct a {", "struct a { int", "struct { } }", "enum { A = pid };",
		"enum { A = 1 / 0 };", "typedef int;", "typedef struct a;", "struct a { int f(int); };", "struct a { int (*((((b; };", "union u { union u v; };",
		"typedef a b; typedef b a;", "typedef struct { c d; } c;", "struct", "enum", "struct a { int x; } struct", "struct a { int; } }" };
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char *text = xasprintf("%s BEGIN { $x = (struct a *)1; }", wrong[i]);
		struct script_source s = { .name = "t", .text = text, .len = strlen(text) };
		struct run_script r = { 0 };
		if (!script_compile(&r, &s, NULL, 0))
			fail_msg("taken: %s", wrong[i]);
		assert_true(error_pending());
		error_clear();
		script_forget(&r);
		arena_release(&s.memory);
		free(text);
	}
}

/* Deep and many: an answer, and soon. */
static void large(void **state)
{
	(void)state;
	for (int shape = 0; shape < 6; shape++) {
		static const char *const pieces[][3] = { { "struct a { ", "int x;", "};" }, { "typedef int ", "*", "x;" }, { "typedef int ", "(", "x;" },
			{ "struct a { int x", "[2]", "; };" }, { "struct a { struct { ", "struct {", "int x; }; };" }, { "enum { ", "A,", "};" } };
		struct str text = STR_INIT;
		struct run_script r = { 0 };
		str_add(&text, pieces[shape][0]);
		for (int i = 0; i < 20000; i++)
			str_add(&text, pieces[shape][1]);
		str_add(&text, pieces[shape][2]);
		str_add(&text, " BEGIN { }");
		struct script_source s = { .name = "t", .text = text.buf, .len = text.len };
		(void)script_compile(&r, &s, NULL, 0);
		error_clear();
		script_forget(&r);
		arena_release(&s.memory);
		str_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reads), cmocka_unit_test(trees), cmocka_unit_test(damaged), cmocka_unit_test(layout),
		cmocka_unit_test(refused), cmocka_unit_test(large) };
	return cmocka_run_group_tests(tests, make_root, drop_root);
}
