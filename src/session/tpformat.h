/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tracepoint records by their print fmt, fast.
 *
 * libtraceevent parses a format once; its printer then walks strings for every record. Here the parsed
 * tree is compiled into a plan: literal pieces and conversions whose arguments are small expressions
 * over offsets. What the plan cannot say (functions, pointers to names, bit masks) is left to
 * libtraceevent for the whole event. The first records of each event are printed both ways and a
 * difference moves the event to libtraceevent, so a plan can be fast but never wrong on its own. */
#ifndef SESSION_TPFORMAT_H
#define SESSION_TPFORMAT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

struct tep_event;
struct tep_handle;
struct symbols;

enum tp_kind { TP_NUMBER, TP_STRING, TP_ARRAY };
struct tp_field {
	const char *name;
	enum tp_kind kind;
	uint32_t off, size, elem; /* elem: size of an array's element */
	uint32_t bits; /* of a signed number: the lowest ones, which it is */
	bool is_signed, dynamic, relative, common;
	bool pointer, is_long; /* for tp_format_raw */
	uint32_t len_off; /* of text[text_len] (kernel/argformat.h): where the length is, of 8 bytes; 0: nowhere */
	bool of_bytes; /* a string for perf, but of u8 or s8: numbers rather than text */
};

struct tp_format;
/* syms names kernel addresses (%pS); NULL: they stay numbers. */
struct tp_format *tp_format_new(struct tep_handle *tep, struct tep_event *event, struct symbols *syms);
void tp_format_free(struct tp_format *f);
/* Kernel addresses are named by that from now on, not by syms: the function, and where it starts; NULL: none. */
void tp_format_namer(struct tp_format *f, const char *(*name)(void *ctx, uint64_t addr, uint64_t *start), void *ctx);
/* Appends the text of one record; raw is never read beyond size. */
void tp_format_print(struct tp_format *f, struct str *out, const void *raw, uint32_t size, int cpu);
/* The fields as they are, " name=value" each, as libtraceevent writes them. */
void tp_format_raw(const struct tp_format *f, struct str *out, const void *raw, uint32_t size);
/* The same as trace-cmd report -R has it, by libtraceevent: a number that the print format has for itself as it stands there, "%03d". */
void tp_format_raw_as_printed(struct tp_format *f, struct str *out, const void *raw, uint32_t size);
/* One of them: the value alone. */
void tp_field_raw(const struct tp_field *fd, struct str *out, const void *raw, uint32_t size);
const char *tp_format_system(const struct tp_format *f);
const char *tp_format_name(const struct tp_format *f);

/* The record's fields, common ones first. */
const struct tp_field *tp_format_fields(const struct tp_format *f, size_t *n);
const struct tp_field *tp_format_field(const struct tp_format *f, const char *name); /* NULL */
uint64_t tp_field_number(const struct tp_field *fd, const void *raw, uint32_t size);
/* The bytes of a string or array; a string's length stops at its NUL, unless a length is told. */
const void *tp_field_bytes(const struct tp_field *fd, const void *raw, uint32_t size, size_t *n);
#endif
