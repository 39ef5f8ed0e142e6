// SPDX-License-Identifier: GPL-2.0-or-later
/* The tracing data: tracefs' format files as trace-cmd packs them, so that tracepoints of one
 * machine can be decoded on another. Handed to libtraceevent. */
#include <errno.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>
#include "perfdata/internal.h"

enum { FORMAT_MAX = 1 << 20 };

struct part { struct perfdata *p; const uint8_t *at, *end; uint64_t offset; bool bad, swap; };

static const uint8_t *take(struct part *t, uint64_t n)
{
	const uint8_t *at = t->at;
	if (t->bad || n > (uint64_t)(t->end - t->at)) {
		t->bad = true;
		return NULL;
	}
	t->at += n;
	return at;
}

static uint64_t number(struct part *t, size_t size)
{
	const uint8_t *at = take(t, size);
	return !at ? 0 : size == 8 ? get64(at, t->swap) : get32(at, t->swap);
}

/* A copy, since the file may change; owned. */
static char *text(struct part *t)
{
	const uint8_t *nul = t->bad ? NULL : memchr(t->at, 0, t->end - t->at), *at = nul ? take(t, nul - t->at + 1) : NULL;
	if (at)
		return xstrndup((const char *)at, nul - at);
	t->bad = true;
	return xstrdup("");
}

static void expect(struct part *t, const char *word)
{
	const uint8_t *at = take(t, strlen(word) + 1);
	if (at && memcmp(at, word, strlen(word) + 1))
		t->bad = true;
}

/* A blob with its size in front, as a NUL-terminated copy (libtraceevent reads on without one). */
static char *blob(struct part *t, size_t size_bytes, size_t *n)
{
	*n = number(t, size_bytes);
	const uint8_t *at = take(t, *n);
	return at ? xstrndup((const char *)at, *n) : NULL;
}

static void header_files(struct part *t)
{
	size_t n;
	expect(t, "header_page");
	char *page = blob(t, 8, &n);
	if (page)
		tep_parse_header_page(t->p->tep, page, strlen(page), tep_get_long_size(t->p->tep));
	free(page);
	expect(t, "header_event");
	take(t, number(t, 8));
}

/* Skips a literal in quotes; NULL when it does not end. */
static const char *skip_quoted(const char *c)
{
	for (char q = *c++; *c != q; c++) {
		if (!*c || (*c == '\\' && !*++c))
			return NULL;
	}
	return c;
}

/* A width of many digits, or one out of the event, would be printed as so many spaces. */
static bool sound_widths(const char *c, const char *end)
{
	for (; c < end; c++) {
		int digits = 0;
		bool width = false, star = false, dot = false;
		if (*c != '%')
			continue;
		for (c++; c < end && strchr("#-+ .*0123456789", *c); c++) {
			digits = *c >= '0' && *c <= '9' ? digits + 1 : 0;
			dot |= *c == '.';
			star |= *c == '*';
			width |= *c == '*' && !dot;
			if (digits > 4)
				return false;
		}
		while (c < end && strchr("hlLzZ", *c))
			c++;
		if (c == end || (strchr("diouxXc", *c) ? star : *c == 's' && width)) /* the next literal would go on with it */
			return false;
	}
	return true;
}

static const char *skip_spaces(const char *c)
{
	return c + strspn(c, " ");
}

/* Behind a number that is not 0; NULL for anything else. */
static const char *skip_positive(const char *c)
{
	size_t n = strspn(c, "0123456789");
	return *c < '1' || *c > '9' || n > 9 ? NULL : skip_spaces(c + n + strspn(c + n, "UuLl"));
}

/* libtraceevent divides by what is there, be it 0: a divisor must be a constant, as in NSEC / 1000L,
 * ns / (1000 * 1000) and len / sizeof(u64) (which it does not understand and leaves alone). */
static bool sound_divisor(const char *c)
{
	c = skip_spaces(c);
	if (str_starts(c, "sizeof("))
		return true;
	if (*c != '(')
		return skip_positive(c);
	c = skip_positive(skip_spaces(c + 1));
	if (c && *c == '*')
		c = skip_positive(skip_spaces(c + 1));
	return c && *c == ')';
}

/* libtraceevent trusts its input: what it is given must look like a kernel's format file. Printable,
 * brackets and quotes in pairs and not deep, no width that fills the memory, no division by 0. */
static bool looks_sound(const char *f)
{
	char open[64];
	int depth = 0;
	if (!str_starts(f, "name: ") || !strstr(f, "\nID: ") || !strstr(f, "\nformat:\n") || !strstr(f, "\nprint fmt: \""))
		return false;
	for (const char *c = strstr(f, "\nprint fmt: ") + 12; *c; c++) {
		if (*c == '"' || *c == '\'') {
			const char *end = skip_quoted(c);
			if (!end || !sound_widths(c + 1, end))
				return false;
			c = end;
		} else if ((*c == '/' || *c == '%') && !sound_divisor(c + 1)) {
			return false;
		} else if (strchr("([{", *c)) {
			if (depth == (int)sizeof(open))
				return false;
			open[depth++] = *c == '(' ? ')' : *c == '[' ? ']' : '}';
		} else if (strchr(")]}", *c) && (!depth || open[--depth] != *c)) {
			return false;
		} else if ((unsigned char)*c >= 127 || (*c < 32 && !strchr("\n\t", *c)) || strchr("$`@#\\", *c)) { /* not C */
			return false;
		}
	}
	return !depth;
}

static void one_format(struct part *t, const char *system)
{
	size_t n;
	char *f = blob(t, 8, &n);
	if (f && n < FORMAT_MAX && looks_sound(f))
		tep_parse_event(t->p->tep, f, strlen(f), system);
	free(f);
}

static void formats(struct part *t)
{
	uint32_t n = number(t, 4);
	for (uint32_t i = 0; i < n && !t->bad; i++)
		one_format(t, "ftrace");
	uint32_t systems = number(t, 4);
	for (uint32_t i = 0; i < systems && !t->bad; i++) {
		char *system = text(t);
		n = number(t, 4);
		for (uint32_t k = 0; k < n && !t->bad; k++)
			one_format(t, system);
		free(system);
	}
}

/* Lines of `0xffff... : "format"`. */
static void printk_formats(struct perfdata *p, char *all)
{
	char *save = NULL;
	for (char *line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':');
		if (!colon)
			continue;
		unsigned long long addr = strtoull(line, NULL, 16);
		char *fmt = colon + 1;
		while (*fmt == ' ')
			fmt++;
		if (strlen(fmt) > 3) /* libtraceevent looks for \n" at the end without looking how long it is */
			tep_register_print_string(p->tep, fmt, addr);
	}
}

static void tail(struct part *t)
{
	size_t n;
	take(t, number(t, 4)); /* kallsyms: the symbols come from elsewhere */
	char *f = blob(t, 4, &n);
	if (f)
		printk_formats(t->p, f);
	free(f);
}

static void quiet_tep(void)
{
	tep_set_loglevel(TEP_LOG_NONE);
}

int perfdata_tracing(struct perfdata *p, const uint8_t *data, size_t n, uint64_t offset)
{
	static const uint8_t magic[10] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct part t = { p, data, data + n, offset, false, false };
	const uint8_t *m = take(&t, sizeof(magic));
	if (!m || memcmp(m, magic, sizeof(magic)))
		return perfdata_damaged(p, offset, "the tracepoint formats do not start as they should");
	quiet_tep();
	p->tep = tep_alloc();
	if (!p->tep)
		return error_set(ENOMEM, "no memory for the tracepoint formats of %s", p->path);
	free(text(&t)); /* version */
	const uint8_t *flags = take(&t, 2);
	if (flags) {
		const uint16_t one = 1;
		bool big = flags[0], local_big = !*(const uint8_t *)&one;
		t.swap = big != local_big;
		tep_set_file_bigendian(p->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
		tep_set_local_bigendian(p->tep, local_big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
		tep_set_long_size(p->tep, flags[1]);
	}
	tep_set_page_size(p->tep, number(&t, 4));
	header_files(&t);
	formats(&t);
	if (t.bad)
		return perfdata_damaged(p, offset + (t.at - data), "the tracepoint formats are cut off");
	tail(&t);
	return 0;
}
