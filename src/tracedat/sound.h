/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a file's text the format of a tracepoint as kernels write them, to the letter? Only such a one is given to
 * libtraceevent, which trusts what it parses. */
#ifndef TRACEDAT_SOUND_H
#define TRACEDAT_SOUND_H
#include <stdbool.h>
enum { FORMAT_MAX = 1 << 20 }; /* bytes of one format */
bool format_sound(const char *format);
#endif
