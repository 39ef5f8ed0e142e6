// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats and their values; and those functions that do something else with the text than print it: cat, system, errorf,
 * warnf, assert. */
#include "script/builtin/said.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/signals.h"
#include "kernel/plain.h"
#include "script/show/format.h"

enum { VALUES_MOST = 16, CAT_MOST = 10240, OUTPUT_MOST = 1 << 20 };

struct script_type *check_payload(struct checker *c, struct script_node *first)
{
	struct script_type *types[VALUES_MOST];
	unsigned k = 0;
	for (struct script_node *i = first; i; i = i->next, k++) {
		if (k == VALUES_MOST) {
			check_fail(c, i->at, "more than %d values at once cannot be printed", VALUES_MOST);
			return NULL;
		}
		types[k] = check_expr(c, i);
		if (types[k]->kind == TYPE_NONE || types[k]->kind == TYPE_AGGREGATE || !check_kept(c, i)) {
			check_fail(c, i->at, "this has no value that could be printed");
			return NULL;
		}
	}
	return type_tuple(&c->s->source->memory, types, k);
}

struct script_type *check_format(struct checker *c, struct script_node *n, struct script_node *format)
{
	const char *why = NULL;
	unsigned at = 0;
	if (format->kind != NODE_STRING)
		return check_fail(c, format->at, "the %s argument of %s() is the format, a string", format == n->args ? "first" : "second", n->name);
	for (struct script_node *i = format->next; i; i = i->next)
		if (plan_is_fraction(format->name, format->len, at++) && !fraction_make(c, i))
			return &type_none;
	struct script_type *t = check_payload(c, format->next);
	if (!t)
		return &type_none;
	struct site *s = check_site(c, n, t);
	s->plan = plan_make(&c->s->source->memory, format->name, format->len, t, &why, &at);
	if (s->plan)
		return &type_none;
	for (struct script_node *i = format; i; i = i->next)
		if (!at--)
			return check_fail(c, i->at, "%s", why);
	return check_fail(c, n->at, "%s", why);
}

int lower_said(struct lower *l, struct script_node *n)
{
	lower_record(l, n->site, n->args->next);
	return IR_NO;
}

void said_text(struct runner *r, const struct site *s, const uint8_t *payload, size_t n, struct str *out)
{
	plan_print(s->plan, &r->namer, out, payload, n);
}

static struct script_type *check_said(struct checker *c, struct script_node *n)
{
	return check_format(c, n, n->args);
}

/* ---- cat ---- */

static int show_cat(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	struct str path = STR_INIT, text = STR_INIT;
	said_text(r, s, payload, n, &path);
	int err = plain_or_kernels_read(path.buf, &text, r->s->max_cat ? r->s->max_cat : CAT_MOST); /* a traced program may have made up the name */
	if (err && err != -EFBIG) {
		out_flush(r->out);
		warn("cat: cannot read %s: %s", path.buf, err == -EINVAL ? "it is no plain file" : strerror(-err));
	}
	if (r->out->tty) {
		struct str safe = STR_INIT;
		for (const char *p = text.buf, *end; p < text.buf + text.len; p = end) { /* its lines stay lines */
			end = memchr(p, '\n', (size_t)(text.buf + text.len - p));
			str_add_safe(&safe, p, (size_t)((end ? end : text.buf + text.len) - p));
			str_add(&safe, end ? "\n" : "");
			end = end ? end + 1 : text.buf + text.len;
		}
		str_release(&text);
		text = safe;
	}
	run_text(r, "cat", &text);
	str_release(&text);
	str_release(&path);
	return 0;
}

/* ---- system ---- */

static struct script_type *check_system(struct checker *c, struct script_node *n)
{
	return check_unsafe(c, n) ? check_said(c, n) : &type_none;
}

/* By the shell; what it prints can be read from *fd. -1: errno. */
static pid_t start_shell(const char *command, int *fd)
{
	int end[2];
	if (pipe2(end, O_CLOEXEC))
		return -1;
	pid_t pid = fork();
	if (!pid) {
		signals_restore();
		if (dup2(end[1], STDOUT_FILENO) >= 0)
			execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	int err = errno;
	close(end[1]);
	*fd = end[0];
	if (pid < 0)
		close(end[0]);
	errno = err;
	return pid;
}

/* Up to its end; false: it is not waited for, since we were told twice to end. */
static bool read_shell(int fd, struct str *text)
{
	char piece[4096];
	for (ssize_t got = 1; got > 0;) {
		struct pollfd p[] = { { .fd = fd, .events = POLLIN }, { .fd = signals_fd(), .events = POLLIN } };
		(void)poll(p, 2, -1);
		signals_drain();
		if (signals_again())
			return false;
		if (!p[0].revents)
			continue;
		got = read(fd, piece, sizeof(piece));
		if (got > 0 && text->len < OUTPUT_MOST)
			str_addn(text, piece, (size_t)got);
	}
	return true;
}

/* What it prints is part of our own output, in its place. */
static int show_system(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	struct str command = STR_INIT, text = STR_INIT;
	int fd;
	said_text(r, s, payload, n, &command);
	out_flush(r->out);
	pid_t pid = start_shell(command.buf, &fd);
	if (pid < 0) {
		warn("system: cannot run %s: %s", command.buf, strerror(errno));
	} else {
		bool whole = read_shell(fd, &text);
		close(fd);
		if (!whole)
			kill(pid, SIGTERM);
		while (waitpid(pid, NULL, whole ? 0 : WNOHANG) < 0 && errno == EINTR)
			;
	}
	run_text(r, "syscall", &text);
	str_release(&text);
	str_release(&command);
	return 0;
}

/* ---- errorf, warnf, assert ---- */

static int show_warning(struct runner *r, const struct site *s, const uint8_t *payload, size_t n)
{
	struct str text = STR_INIT;
	said_text(r, s, payload, n, &text);
	out_flush(r->out);
	source_warn(r->s->source, s->call->at, "%s", text.buf);
	str_release(&text);
	return 0;
}

static struct script_type *check_assert(struct checker *c, struct script_node *n)
{
	return check_number(c, n->args, "a condition") ? check_format(c, n, n->args->next) : &type_none;
}

static int lower_assert(struct lower *l, struct script_node *n)
{
	int fine = ir_label(l->ir), no = ir_label(l->ir);
	lower_condition(l, n->args, no);
	low_jump(l, fine);
	low_label(l, no);
	lower_record(l, n->site, n->args->next->next);
	lower_exit_with(l, low_const(l, 1));
	low_label(l, fine);
	return IR_NO;
}

const struct builtin builtins_said[] = {
	{ "cat", true, 1, 0, .check = check_said, .lower = lower_said, .show = show_cat },
	{ "system", true, 1, 0, .check = check_system, .lower = lower_said, .show = show_system },
	{ "errorf", true, 1, 0, .check = check_said, .lower = lower_said, .show = show_warning },
	{ "warnf", true, 1, 0, .check = check_said, .lower = lower_said, .show = show_warning },
	{ "assert", true, 2, 0, .maybe = true, .check = check_assert, .lower = lower_assert, .show = show_warning },
	{ 0 },
};
