// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/str.h"

int verbosity;

static _Thread_local struct {
	int code;
	struct str message, hints, detail;
} pending;

static void fresh(int err)
{
	error_clear();
	err = err < 0 ? -err : err;
	pending.code = -(err ? err : EINVAL);
}

int error_set(int err, const char *fmt, ...)
{
	struct str s = STR_INIT; /* the arguments may point into the pending error itself */
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	fresh(err);
	str_release(&pending.message);
	pending.message = s;
	return pending.code;
}

int error_sys(int err, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	fresh(err);
	str_addf(&s, ": %s", strerror(-pending.code));
	str_release(&pending.message);
	pending.message = s;
	return pending.code;
}

int error_hint(const char *fmt, ...)
{
	va_list ap;
	if (pending.hints.len)
		str_addc(&pending.hints, '\n');
	va_start(ap, fmt);
	str_vaddf(&pending.hints, fmt, ap);
	va_end(ap);
	return pending.code;
}

int error_context(const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	str_add(&s, ": ");
	str_addn(&s, pending.message.buf, pending.message.len);
	str_release(&pending.message);
	pending.message = s;
	return pending.code;
}

int error_detail(const char *text)
{
	str_clear(&pending.detail);
	str_add(&pending.detail, text);
	return pending.code;
}

int error_caret(const char *text, size_t at, size_t len)
{
	enum { WINDOW = 60 }; /* characters shown before and after the place */
	size_t n = strlen(text), from = 0;
	struct str s = STR_INIT;
	if (at > n)
		at = n;
	if (len > WINDOW)
		len = WINDOW;
	if (at > WINDOW)
		from = at - WINDOW;
	size_t to = at + len + WINDOW < n ? at + len + WINDOW : n;
	str_add(&s, from ? "  ..." : "  ");
	/* one column per byte, so that the caret stands right whatever the bytes are */
	for (size_t i = from; i < to; i++) {
		unsigned char c = text[i];
		str_addc(&s, c < 0x20 || c >= 0x7f ? '?' : c);
	}
	if (to < n)
		str_add(&s, "...");
	str_addc(&s, '\n');
	size_t column = (from ? 5 : 2) + at - from, line = s.len;
	str_pad(&s, line + column, ' ');
	str_addc(&s, '^');
	for (size_t i = 1; i < len && at + i < to; i++)
		str_addc(&s, '~');
	error_detail(s.buf);
	str_release(&s);
	return error_code();
}

bool error_pending(void)
{
	return pending.code != 0;
}

const char *error_message(void)
{
	return pending.message.len ? pending.message.buf : "";
}

const char *error_hints(void)
{
	return pending.hints.len ? pending.hints.buf : "";
}

int error_code(void)
{
	return pending.code;
}

void error_clear(void)
{
	pending.code = 0;
	str_release(&pending.message);
	str_release(&pending.hints);
	str_release(&pending.detail);
}

/* Each line of text, made safe, behind prefix. */
static void add_lines(struct str *s, const char *prefix, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		str_add(s, prefix);
		str_add_safe(s, text, n);
		str_addc(s, '\n');
		text += n + (text[n] == '\n');
	}
}

static void put(int fd, struct str *s)
{
	fflush(stdout);
	for (size_t done = 0; done < s->len;) {
		ssize_t n = write(fd, s->buf + done, s->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += n;
	}
	str_release(s);
}

int error_print(void)
{
	struct str s = STR_INIT;
	if (!pending.code)
		return EXIT_SONDE;
	str_add(&s, "sonde: ");
	str_add_safe(&s, pending.message.buf, pending.message.len);
	str_addc(&s, '\n');
	if (pending.detail.len)
		add_lines(&s, "", pending.detail.buf);
	add_lines(&s, "hint: ", error_hints());
	put(2, &s);
	error_clear();
	return EXIT_SONDE;
}

static void say(int fd, const char *prefix, const char *fmt, va_list ap)
{
	struct str text = STR_INIT, s = STR_INIT;
	str_vaddf(&text, fmt, ap);
	add_lines(&s, prefix, text.len ? text.buf : "\n");
	str_release(&text);
	put(fd, &s);
}

void warn(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(2, "sonde: ", fmt, ap);
	va_end(ap);
}

void hint(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(2, "hint: ", fmt, ap);
	va_end(ap);
}

static int note_fd = 2;

void note_to(int fd)
{
	note_fd = fd;
}

void note(int level, const char *fmt, ...)
{
	va_list ap;
	if (verbosity < level)
		return;
	va_start(ap, fmt);
	say(note_fd, "", fmt, ap);
	va_end(ap);
}
