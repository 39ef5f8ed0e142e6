/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes values in Python's marshal format, which python3 reads back in C. */
#ifndef UI_SCRIPT_MARSHAL_H
#define UI_SCRIPT_MARSHAL_H
#include "base/str.h"

void marshal_u64(struct str *s, uint64_t v);
void marshal_s64(struct str *s, int64_t v);
/* Text; bytes that are not UTF-8 become what Python's surrogateescape makes of them. */
void marshal_text(struct str *s, const char *p, size_t n);
void marshal_textz(struct str *s, const char *z); /* NULL is None */
void marshal_bytes(struct str *s, const void *p, size_t n);
void marshal_none(struct str *s);
void marshal_bool(struct str *s, bool v);
void marshal_tuple(struct str *s, uint32_t n); /* n values follow */
/* A list whose length is not known yet: n is put in by marshal_list_end(). */
size_t marshal_list(struct str *s);
void marshal_list_end(struct str *s, size_t at, uint32_t n);
void marshal_dict(struct str *s); /* key and value in turns, then marshal_dict_end() */
void marshal_dict_end(struct str *s);
#endif
