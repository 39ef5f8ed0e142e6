// SPDX-License-Identifier: GPL-2.0-or-later
/* The tracing data: tracefs' format files as trace-cmd packs them, so that tracepoints of one
 * machine can be decoded on another. Handed to libtraceevent. */
#include <errno.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>
#include "perfdata/internal.h"
#include "tracedat/sound.h"

struct tracing_part { struct perfdata *p; const uint8_t *at, *end; uint64_t offset; bool bad, swap; };

static const uint8_t *take(struct tracing_part *t, uint64_t n)
{
	const uint8_t *at = t->at;
	if (t->bad || n > (uint64_t)(t->end - t->at)) {
		t->bad = true;
		return NULL;
	}
	t->at += n;
	return at;
}

static uint64_t number(struct tracing_part *t, size_t size)
{
	const uint8_t *at = take(t, size);
	return !at ? 0 : size == 8 ? get64(at, t->swap) : get32(at, t->swap);
}

/* A copy, since the file may change; owned. */
static char *text(struct tracing_part *t)
{
	const uint8_t *nul = t->bad ? NULL : memchr(t->at, 0, t->end - t->at), *at = nul ? take(t, nul - t->at + 1) : NULL;
	if (at)
		return xstrndup((const char *)at, nul - at);
	t->bad = true;
	return xstrdup("");
}

static void expect(struct tracing_part *t, const char *word)
{
	const uint8_t *at = take(t, strlen(word) + 1);
	if (at && memcmp(at, word, strlen(word) + 1))
		t->bad = true;
}

/* A blob with its size in front, as a NUL-terminated copy (libtraceevent reads on without one). */
static char *blob(struct tracing_part *t, size_t size_bytes, size_t *n)
{
	*n = number(t, size_bytes);
	const uint8_t *at = take(t, *n);
	return at ? xstrndup((const char *)at, *n) : NULL;
}

static void header_files(struct tracing_part *t)
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

static void one_format(struct tracing_part *t, const char *system)
{
	size_t n;
	char *f = blob(t, 8, &n);
	if (f && n < FORMAT_MAX && format_sound(f))
		tep_parse_event(t->p->tep, f, strlen(f), system);
	free(f);
}

static void formats(struct tracing_part *t)
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

static void tail(struct tracing_part *t)
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
	struct tracing_part t = { p, data, data + n, offset, false, false };
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
