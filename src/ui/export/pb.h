/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes protobuf's wire format into a str: a field is its number and type, then a varint, eight bytes, or a length and
 * bytes. Fields of value 0 are left out where that is what proto3 takes for granted (pb_num); pb_u64 writes them. */
#ifndef UI_EXPORT_PB_H
#define UI_EXPORT_PB_H
#include "base/str.h"

void pb_varint(struct str *s, uint64_t v); /* bare */
void pb_u64(struct str *s, unsigned field, uint64_t v);
static inline void pb_num(struct str *s, unsigned field, uint64_t v)
{
	if (v)
		pb_u64(s, field, v);
}
void pb_fixed64(struct str *s, unsigned field, uint64_t v);
void pb_bytes(struct str *s, unsigned field, const void *p, size_t n);
/* A string that is safe to show, which is UTF-8 as well; NULL is "". */
void pb_text(struct str *s, unsigned field, const char *z);
/* A message in it: all that is written between the two. */
size_t pb_open(struct str *s, unsigned field);
void pb_close(struct str *s, size_t opened);
#endif
