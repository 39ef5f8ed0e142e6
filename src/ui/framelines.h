/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a frame, kept for each address of a process: a profile shows the same frames over and over. */
#ifndef UI_FRAMELINES_H
#define UI_FRAMELINES_H
#include "session/callchain.h"
#include "perfdata/reader.h"
#include "symbol/symbols.h"

enum { LINE_IP = 1, LINE_SYM = 2, LINE_DSO = 4, LINE_OFF = 8, LINE_SRC = 16, LINE_CHAIN = 32, LINE_DSOFF = 64 };
struct frame_lines;
struct frame_lines *frame_lines_new(struct symbols *syms, enum inlines inlines, bool full_path);
void frame_lines_free(struct frame_lines *l);
/* Forgets what a record may have changed. */
void frame_lines_forget(struct frame_lines *l, int pid); /* its addresses may mean something else now */
void frame_lines_seen(struct frame_lines *l, const struct perfdata_record *r);
/* Appends the line (with LINE_CHAIN: its lines, inlined functions included). */
void frame_lines_add(struct frame_lines *l, struct str *out, int pid, const struct chain_ip *c, unsigned what);
#endif
