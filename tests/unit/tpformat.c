// SPDX-License-Identifier: GPL-2.0-or-later
/* A print fmt is printed as the kernel prints it: fields have their sign, operators C's types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <traceevent/event-parse.h>
#include "kernel/argformat.h"
#include "session/tpformat.h"

/* The record, and beside it what C itself makes of the same expressions. */
static const struct __attribute__((packed)) {
	uint16_t type; uint8_t flags, preempt; int32_t pid;
	int8_t sc; uint8_t uc; int16_t sh; uint16_t us; int32_t in; uint32_t un; int64_t lo; uint64_t ul;
	int8_t scs[3]; int16_t shs[2];
} rec = { 1, 0, 0, 7, -6, 250, -500, 65036, -70000, 4294897296u, -5000000000, 5000000000u, { -1, 2, -128 }, { -2, 300 } };

#define FIELD(type, name, array, is_signed) \
	"\tfield:" type " " #name array ";\toffset:%zu;\tsize:%zu;\tsigned:" #is_signed ";\n"
#define AT(name) offsetof(__typeof__(rec), name), sizeof(rec.name)

static void expect(const char *print, const char *want)
{
	struct tep_handle *tep = tep_alloc();
	struct str text = STR_INIT, out = STR_INIT;
	str_addf(&text, "name: ev\nID: 1\nformat:\n"
		 FIELD("unsigned short", common_type, "", 0) FIELD("unsigned char", common_flags, "", 0)
		 FIELD("unsigned char", common_preempt_count, "", 0) FIELD("int", common_pid, "", 1) "\n"
		 FIELD("s8", sc, "", 1) FIELD("u8", uc, "", 0) FIELD("short", sh, "", 1) FIELD("unsigned short", us, "", 0)
		 FIELD("int", in, "", 1) FIELD("unsigned int", un, "", 0) FIELD("s64", lo, "", 1) FIELD("u64", ul, "", 0)
		 FIELD("s8", scs, "[]", 1) FIELD("s16", shs, "[]", 1) "\nprint fmt: %s\n",
		 AT(type), AT(flags), AT(preempt), AT(pid), AT(sc), AT(uc), AT(sh), AT(us), AT(in), AT(un), AT(lo), AT(ul), AT(scs), AT(shs),
		 print);
	tep_set_long_size(tep, 8);
	assert_int_equal(tep_parse_event(tep, text.buf, text.len, "sys"), 0);
	struct tep_event *event = tep_find_event_by_name(tep, "sys", "ev");
	struct tp_format *f = tp_format_new(tep, event, NULL);
	for (int i = 0; i < 20; i++) { /* the first ones are compared with libtraceevent */
		str_clear(&out);
		tp_format_print(f, &out, &rec, sizeof(rec), 0);
		assert_string_equal(out.buf, want);
	}
	tp_format_free(f);
	tep_free(tep);
	str_release(&text);
	str_release(&out);
}

#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wformat"
#define SAME(conversion, ...) do {                                                                         \
		char want_[64], print_[160];                                                               \
		snprintf(want_, sizeof(want_), conversion, __VA_ARGS__);                                   \
		snprintf(print_, sizeof(print_), "\"%s\", %s", conversion, #__VA_ARGS__);                  \
		expect(with_rec(print_), want_);                                                           \
	} while (0)

/* "rec.sc" as the kernel writes it. */
static const char *with_rec(const char *print)
{
	static char text[320];
	char *to = text;
	for (const char *s = print; *s && to < text + sizeof(text) - 8;) {
		if (!strncmp(s, "rec.", 4)) {
			to = stpcpy(to, "REC->");
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = 0;
	return text;
}

static void fields(void **state)
{
	(void)state;
	SAME("%d", rec.sc); SAME("%d", rec.sh); SAME("%d", rec.in); SAME("%lld", rec.lo);
	SAME("%d", rec.uc); SAME("%d", rec.us); SAME("%u", rec.un); SAME("%llu", rec.ul);
	SAME("%u", rec.sc); SAME("%x", rec.sh); SAME("%5d|", rec.sc); SAME("%-6d|", rec.sh); SAME("%hhd", rec.uc); SAME("%hd", rec.us);
	SAME("%d %d", rec.scs[0], rec.scs[2]); SAME("%d %d", rec.shs[0], rec.shs[1]);
	expect("\"'%c'\", REC->scs[1] + 63", "'A'");
}

static void types(void **state)
{
	(void)state;
	SAME("%d", rec.sc + 1); SAME("%d", rec.sc * rec.sh); SAME("%d", rec.in / 7); SAME("%d", rec.in % 7); SAME("%d", rec.in >> 2);
	SAME("%d", rec.sc < 0); SAME("%d", rec.sh >= rec.sc); SAME("%d", rec.in < 5); SAME("%d", rec.un < 5); SAME("%d", rec.lo < rec.in);
	SAME("%d", rec.in < rec.un); /* both become unsigned */
	SAME("%d", rec.in == rec.un); SAME("%d", rec.sc == rec.uc); SAME("%d", rec.sc == 250); SAME("%d", rec.lo == -5000000000);
	SAME("%lld", (long long)rec.sc); SAME("%lld", (long long)rec.in); SAME("%llu", (unsigned long long)rec.in);
	SAME("%d", (short)rec.us); SAME("%d", (unsigned char)rec.sc); SAME("%d", (char)rec.uc); SAME("%u", (unsigned int)rec.sh);
	SAME("%d", rec.sc < 0 ? -rec.sc : rec.sc); SAME("%d", ~rec.uc); SAME("%d", !rec.sc); SAME("%lld", rec.lo >> 3);
	SAME("%llu", rec.ul + rec.sc); SAME("%lld", rec.lo / rec.sc); SAME("%d", rec.sc & 0xff); SAME("%x", rec.in & 0xf0f0);
	SAME("%d", rec.sc < 0 || rec.in > 0); SAME("%d", rec.sc < 0 && rec.in < 0); SAME("%d", rec.in < 0xffffffff);
}

static void names(void **state)
{
	(void)state;
	expect("\"%s\", __print_symbolic(REC->sc, { 250, \"no\" }, { -5, \"five\" }, { -6, \"six\" })", "six");
	expect("\"%s\", __print_symbolic(REC->scs[0], { -2, \"two\" }, { -1, \"one\" })", "one");
	expect("\"%s\", REC->sh < 0 ? \"below\" : \"above\"", "below");
	/* what no plan can say is libtraceevent's, and keeps its sign too */
	expect("\"%s %d %d\", __print_hex(REC->scs, 2), REC->sc, REC->sh", "ff 02 -6 -500");
}

/* What a definition says of signs is in the format that we read. */
static void bits(void **state)
{
	(void)state;
	static const char definition[] = "p:g/ev /bin/x:0x10 uc=%di:b0x4@2/32 us=%si:u16 un=+0(%di):b0x1c@0/32 ul=%ax:b33@0/64";
	struct str s = STR_INIT;
	str_add(&s, "name: ev\nID: 1\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		 "\tfield:u8 uc;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:u16 us;\toffset:3;\tsize:2;\tsigned:0;\n"
		 "\tfield:u32 un;\toffset:5;\tsize:4;\tsigned:0;\n\tfield:u64 ul;\toffset:9;\tsize:8;\tsigned:0;\n\n"
		 "print fmt: \"(%lx) uc=%u us=%u un=%u ul=%Lu\", REC->uc, REC->uc, REC->us, REC->un, REC->ul\n");
	argformat_apply(&s, definition, sizeof(definition) - 1);
	assert_non_null(strstr(s.buf, "field:s4 uc;\toffset:2;\tsize:1;\tsigned:1;\n"));
	assert_non_null(strstr(s.buf, "field:u16 us;\toffset:3;\tsize:2;\tsigned:0;\n"));
	assert_non_null(strstr(s.buf, "field:s28 un;"));
	assert_non_null(strstr(s.buf, "field:u64 ul;"));
	assert_non_null(strstr(s.buf, "uc=%d us=%u un=%d ul=%Lu\", REC->uc"));
	struct tep_handle *tep = tep_alloc();
	tep_set_long_size(tep, 8);
	assert_int_equal(tep_parse_event(tep, s.buf, s.len, "sys"), 0);
	struct tp_format *f = tp_format_new(tep, tep_find_event_by_name(tep, "sys", "ev"), NULL);
	const struct __attribute__((packed)) { uint16_t type; uint8_t uc; uint16_t us; uint32_t un; uint64_t ul; } raw = { 1, 13, 13, 0xffffffd, 13 };
	str_clear(&s);
	tp_format_print(f, &s, &raw, sizeof(raw), 0);
	assert_string_equal(s.buf, "(fffffffffffffffd) uc=-3 us=13 un=-3 ul=13");
	assert_int_equal((int64_t)tp_field_number(tp_format_field(f, "un"), &raw, sizeof(raw)), -3);
	tp_format_free(f);
	tep_free(tep);
	str_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(fields), cmocka_unit_test(types), cmocka_unit_test(names), cmocka_unit_test(bits) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
