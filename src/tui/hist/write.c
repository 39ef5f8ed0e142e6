// SPDX-License-Identifier: GPL-2.0-or-later
/* P: what the view shows, as a file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/out.h"
#include "tui/hist/inner.h"

enum { MOST_FILES = 10000 };

static int free_name(char *name, size_t size)
{
	for (int i = 0; i < MOST_FILES; i++) {
		snprintf(name, size, "perf.hist.%d", i);
		if (faccessat(AT_FDCWD, name, F_OK, AT_SYMLINK_NOFOLLOW))
			return 0;
	}
	return error_set(EEXIST, "there are %d files perf.hist.N already", MOST_FILES);
}

static void write_rows(struct hist_view *v, struct out *out)
{
	struct tui_line l = { .text = STR_INIT };
	for (size_t i = 0; i < v->row.n; i++) {
		tui_line_clear(&l);
		hist_rows_line(v, i, &l);
		while (l.text.len && l.text.buf[l.text.len - 1] == ' ')
			l.text.len--;
		out_write(out, l.text.buf, l.text.len);
		out_puts(out, "\n");
	}
	tui_line_release(&l);
}

enum tui_did hist_write(struct tui *t, struct hist_view *v)
{
	char name[32];
	struct out out;
	int err = free_name(name, sizeof(name));
	if (!err)
		err = out_open(&out, name, false);
	if (!err) {
		write_rows(v, &out);
		err = out_close(&out);
	}
	tui_say_written(t, err, v->row.n, name);
	return TUI_DONE;
}
