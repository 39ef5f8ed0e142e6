/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values as text, as bpftrace writes them. */
#ifndef SCRIPT_SHOW_VALUE_H
#define SCRIPT_SHOW_VALUE_H
#include <time.h>
#include "base/str.h"
#include "script/run.h"

/* A value kept as its type says; indent: of a stack's lines, which show_value makes as bpftrace does outside of keys. json: strings in quotes, tuples in square brackets. */
enum { KEY_INDENT = 4 }; /* of what is a key */
void show_value_in(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value, bool json, unsigned indent);
void show_value(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value, bool json);
/* The only field of a record's payload: strings are behind it there. */
void show_payload(struct str *out, const struct namer *nm, const struct script_type *payload, const uint8_t *p, size_t n, bool json);
/* A field's text in a record: its bytes, without the NUL. Never beyond the n bytes at p. */
const char *payload_text(const uint8_t *p, size_t n, uint64_t word, size_t *len);
/* A string that came from outside. */
void show_string(struct str *out, const struct namer *nm, const char *p, size_t n, bool json);
/* The same of a value: one that is as long as strings can be has the script's mark for that behind it. */
void show_cut_string(struct str *out, const struct namer *nm, const struct script_type *t, const char *p, size_t n, bool json);
/* strftime, and %f for microseconds. */
void show_clock(struct str *out, const char *format, struct timespec t);
#endif
