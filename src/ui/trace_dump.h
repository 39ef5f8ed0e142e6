/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -e read=SET, -e write=SET: all the data of a call in hex and text, under its line. */
#ifndef UI_TRACE_DUMP_H
#define UI_TRACE_DUMP_H
#include "base/str.h"
#include "job/trace/qualify.h"

void trace_dump(const struct trace_qualify *q, const struct sysevent *e, struct str *out);
#endif
