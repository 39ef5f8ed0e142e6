/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the definition of a probe tells us of its arguments, and the kernel's format of the event does not.
 *
 * The kernel fetches "b4@2/32" without a sign, whatever the source says of it. sonde writes the width of what has a sign
 * in hexadecimal (fetch_bits_type), which means the same to the kernel.
 *
 * It knows neither text that no NUL ends nor arrays of which another value says how long they are: Go's strings and slices,
 * Rust's &str. These are fetched as arrays of a fixed size, with the length behind them in a type of its own:
 *     NAME=...:u8[64] NAME_more=...:u64[24] NAME_len=...:b0x40@0/64      text
 *     NAME=...:s32[16] NAME_len=...:b0x40@0/64                            numbers
 *
 * All that is put into the event's format before anybody reads it. A signed field of 4 bits has the type s4 and is printed by
 * %d; text is "char NAME[NAME_len]", over both arrays, printed by %.*s; numbers are "s32 NAME[NAME_len]" and printed as before:
 * who prints must see to it. A recording has the changed format, which perf can read as well. */
#ifndef KERNEL_ARGFORMAT_H
#define KERNEL_ARGFORMAT_H
#include "base/str.h"

enum { ARG_TEXT = 64, ARG_MORE = 24 * 8 }; /* bytes of text, in its two arrays */

/* definition: a line of kprobe_events or uprobe_events, n bytes. */
void argformat_apply(struct str *format, const char *definition, size_t n);
/* Looks the definition of GROUP/EVENT up first, where the format looks like a probe's. */
void argformat_find(struct str *format, const char *group, const char *event);
#endif
