/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UI_FIELDJSON_H
#define UI_FIELDJSON_H
#include "base/json.h"
#include "session/tpformat.h"

/* "fields": {...} of a tracepoint's record: numbers with their sign, text, and arrays of numbers. */
void json_tp_fields(struct json *j, const struct tp_format *f, const void *raw, uint32_t size);
#endif
