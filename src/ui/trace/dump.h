/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -e read=SET, -e write=SET: all the data of a call in hex and text, under its line. */
#ifndef UI_TRACE_DUMP_H
#define UI_TRACE_DUMP_H
#include "base/str.h"
#include "syscall/fdset.h"
#include "syscall/sysevent.h"

/* reads, writes: of which descriptors; NULL: of none. */
void trace_dump(const struct fdset *reads, const struct fdset *writes, const struct sysevent *e, struct str *out);
#endif
