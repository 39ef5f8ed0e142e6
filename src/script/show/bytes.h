/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers: eight bytes with their length, then the bytes. */
#ifndef SCRIPT_SHOW_BYTES_H
#define SCRIPT_SHOW_BYTES_H
#include "base/str.h"
#include "script/type.h"

extern const struct shown shown_bytes;
enum bytes_form { BYTES_PLAIN, BYTES_HEX, BYTES_SPACED }; /* %r: abc\x00; %rx: \x61\x62; %rh: 61 62 */
void show_bytes(struct str *out, const struct script_type *t, const uint8_t *value, enum bytes_form form);
#endif
