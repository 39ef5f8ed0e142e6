/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where results go: standard output, a file (-o), a pager. Buffered in large blocks; the first
 * write error is kept and told once, so a full disk or a closed pipe is never silent. */
#ifndef BASE_OUT_H
#define BASE_OUT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"

struct out {
	int fd;
	int err; /* first write error, -errno; -EPIPE is a quiet end */
	bool owned, tty, colour;
	bool spare; /* the caller's: a file that leaves others room on the disk (file_room) ... */
	bool full; /* ... and had to end for that, behind a whole block; out_close() has no word about it */
	bool whole; /* the caller's: a file that cannot be written whole is left as it was before */
	int64_t before; /* its size then; -1: not a file */
	int pager_pid; /* 0: none */
	char *name; /* for messages */
	struct str buf;
};
/* Adds the hint that belongs to a failed write (err an errno) to the pending error; returns its code. */
int out_explain(int err);
/* path NULL or "-": stdout. append as in -o/--append. -errno with a pending error. */
int out_open(struct out *o, const char *path, bool append);
/* Into a shell command's standard input; out_close waits for it. -errno with a pending error. */
int out_command(struct out *o, const char *command);
void out_fd(struct out *o, int fd, const char *name);
/* When stdout is a terminal, start $SONDE_PAGER/$PAGER (less -RFX) behind it. */
void out_pager(struct out *o);
void out_pager_off(void); /* never, from now on */
/* All that goes to standard output and error, if that is a terminal; at the end wait for it. */
void out_pager_all(void);
void out_pager_end(void);
void out_write(struct out *o, const void *p, size_t n);
void out_puts(struct out *o, const char *z);
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_str(struct out *o, struct str *s); /* writes and clears it */
int out_flush(struct out *o);
/* Is it a pipe whose reader has gone, or a closed terminal? Found without a write; out_close() is quiet about it, as about -EPIPE. */
bool out_unread(struct out *o);
bool fd_unread(int fd);
/* Flushes, closes, waits for the pager; the first error as pending error (none for EPIPE). */
int out_close(struct out *o);
unsigned out_width(const struct out *o); /* the columns of the terminal ($COLUMNS comes first); 0: it is none, or does not tell */
unsigned out_height(const struct out *o); /* and its lines ($LINES) */
/* Colours are empty strings unless o->colour (terminal, NO_COLOR unset, or --color). */
enum out_colour { OUT_PLAIN, OUT_BOLD, OUT_RED, OUT_GREEN, OUT_YELLOW, OUT_BLUE, OUT_CYAN, OUT_GREY };
const char *out_colour(const struct out *o, enum out_colour c);
#endif
