// SPDX-License-Identifier: GPL-2.0-or-later
/* What a trace.dat says about its records: formats, names of threads, functions and trace_printk() texts. Most of it is never
 * needed: a format is parsed when the first record of it is, kallsyms when the first address is. */
#include <errno.h>
#include <stdlib.h>
#include <traceevent/event-parse.h>
#include "tracedat/inner.h"
#include "tracedat/sound.h"

enum { FORMATS_MAX = 1 << 20 };

static const char *keep(struct tracedat *t, char *z)
{
	*vec_push(&t->owned) = z;
	return z;
}

static int cut_off(const struct tracedat *t, const struct dat_taker *k, const char *what)
{
	return tracedat_damaged(t, taker_offset(k), what);
}

static void expect(struct dat_taker *k, const char *word)
{
	size_t n = strlen(word) + 1;
	const uint8_t *at = take_bytes(k, n);
	if (at && memcmp(at, word, n))
		k->bad = true;
}

int meta_headers(struct tracedat *t, struct dat_taker *k)
{
	size_t n;
	expect(k, "header_page");
	char *page = take_block(k, 8, &n);
	expect(k, "header_event");
	char *event = take_block(k, 8, &n);
	if (page)
		t->info.header_page = keep(t, page);
	if (event)
		t->info.header_event = keep(t, event);
	if (k->bad)
		return cut_off(t, k, "header_page and header_event are not there");
	if (!ring_shape_parse(&t->shape, page) && *page)
		return cut_off(t, k, "header_page is not as a kernel has it");
	return 0;
}

/* "name: sched_switch\nID: 316\n" */
static void name_format(struct tracedat_format *f)
{
	const char *z = f->text, *end = strchr(z, '\n');
	f->id = -1;
	if (!str_starts(z, "name: ") || !end || !str_starts(end, "\nID: ")) {
		f->name = xstrdup("");
		return;
	}
	f->name = xstrndup(z + 6, end - z - 6);
	long id = strtol(end + 5, NULL, 10);
	f->id = id >= 0 && id < 65536 ? (int)id : -1;
}

static void one_format(struct tracedat *t, struct dat_taker *k, const char *system)
{
	size_t n;
	char *text = take_block(k, 8, &n);
	if (!text || t->format.n >= FORMATS_MAX) {
		k->bad = true;
		free(text);
		return;
	}
	struct tracedat_format *f = vec_push(&t->format);
	*f = (struct tracedat_format){ .system = system, .text = keep(t, text) };
	name_format(f);
	keep(t, f->name);
	if (f->id >= 0)
		t->by_id[f->id] = t->format.n;
}

int meta_ftrace_formats(struct tracedat *t, struct dat_taker *k)
{
	uint32_t n = take_number(k, 4);
	for (uint32_t i = 0; i < n && !k->bad; i++)
		one_format(t, k, "ftrace");
	return k->bad ? cut_off(t, k, "the formats of ftrace's own events are cut off") : 0;
}

int meta_formats(struct tracedat *t, struct dat_taker *k)
{
	uint32_t systems = take_number(k, 4);
	for (uint32_t i = 0; i < systems && !k->bad; i++) {
		char *system = take_text(k);
		uint32_t n = take_number(k, 4);
		if (system)
			keep(t, system);
		for (uint32_t e = 0; e < n && !k->bad; e++)
			one_format(t, k, system);
	}
	return k->bad ? cut_off(t, k, "the formats of the events are cut off") : 0;
}

/* Lines of `0xffff... : "format"`. */
static void register_printk(struct tracedat *t)
{
	char *copy = xstrdup(t->printk), *save = NULL;
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':');
		if (!colon)
			continue;
		char *fmt = colon + 1 + strspn(colon + 1, " ");
		if (strlen(fmt) > 3) /* libtraceevent looks for \n" at the end without looking how long it is */
			tep_register_print_string(t->tep, fmt, strtoull(line, NULL, 16));
	}
	free(copy);
}

int meta_printk(struct tracedat *t, struct dat_taker *k)
{
	size_t n;
	char *text = take_block(k, 4, &n);
	if (!text)
		return cut_off(t, k, "the texts of trace_printk() are cut off");
	free(t->printk);
	t->printk = text;
	return 0;
}

/* "1234 bash" */
int meta_cmdlines(struct tracedat *t, struct dat_taker *k)
{
	size_t n;
	char *text = take_block(k, 8, &n);
	if (!text)
		return cut_off(t, k, "the names of threads are cut off");
	free(t->cmdlines);
	t->cmdlines = xstrdup(text);
	keep(t, text);
	char *save = NULL;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *end;
		long pid = strtol(line, &end, 10);
		if (*end != ' ' || pid < 0 || pid > INT32_MAX)
			continue;
		*vec_push(&t->comms) = (struct comm_row){ (int)pid, end + 1 };
		u64map_set(&t->comm_of, (uint64_t)pid, end + 1);
	}
	return 0;
}

void meta_release(struct tracedat *t)
{
	vec_each(&t->owned, p)
		free(*p);
	vec_release(&t->owned);
	vec_release(&t->format);
	vec_release(&t->comms);
	u64map_release(&t->comm_of);
	symtab_release(&t->functions);
	free(t->by_id);
	free(t->printk);
	free(t->cmdlines);
	free(t->kallsyms.text);
	if (t->tep)
		tep_free(t->tep);
}

/* ---- names ---- */

static void read_kallsyms(struct tracedat *t)
{
	struct kept_text *w = &t->kallsyms;
	struct section s;
	struct dat_taker k = { .t = t, .pos = w->at, .end = t->size };
	uint8_t *owned = NULL;
	int err = 0;
	if (w->text)
		return;
	if (w->section && !(err = section_head(t, w->at, PART_KALLSYMS, &s)))
		err = section_open(t, &s, &k, &owned);
	if (!err && w->at)
		w->text = take_block(&k, 4, &w->n);
	if (!w->text)
		w->text = xstrdup("");
	w->n = strlen(w->text);
	take_release(&k);
	free(owned);
	error_clear(); /* addresses stay numbers */
}

const char *tracedat_kallsyms(struct tracedat *t, size_t *n)
{
	read_kallsyms(t);
	*n = t->kallsyms.n;
	return t->kallsyms.text;
}

const char *tracedat_function(struct tracedat *t, uint64_t addr, uint64_t *start)
{
	if (!t->functions_read) {
		t->functions_read = true;
		read_kallsyms(t);
		symtab_load_kallsyms(&t->functions, xstrdup(t->kallsyms.text), t->kallsyms.n);
	}
	struct sym *s = symtab_find(&t->functions, addr);
	if (s && start)
		*start = s->start;
	return s ? s->name : NULL;
}

static char *resolve(void *ctx, unsigned long long *addr, char **module)
{
	uint64_t start;
	const char *name = tracedat_function(ctx, *addr, &start);
	*module = NULL;
	if (name)
		*addr = start;
	return (char *)(uintptr_t)name;
}

struct tep_handle *tracedat_tep(struct tracedat *t)
{
	const uint16_t one = 1;
	bool local_big = !*(const uint8_t *)&one;
	if (t->tep)
		return t->tep;
	tep_set_loglevel(TEP_LOG_NONE);
	t->tep = tep_alloc();
	if (!t->tep)
		out_of_memory();
	tep_set_file_bigendian(t->tep, t->info.big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(t->tep, local_big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, t->shape.commit_size);
	tep_set_page_size(t->tep, t->info.page_size);
	tep_set_function_resolver(t->tep, resolve, t);
	if (t->printk)
		register_printk(t);
	return t->tep;
}

struct tep_event *tracedat_event(struct tracedat *t, int type)
{
	uint32_t i = type >= 0 && type < 65536 ? t->by_id[type] : 0;
	if (!i)
		return NULL;
	struct tracedat_format *f = &t->format.at[i - 1];
	if (f->parsed)
		return f->event;
	f->parsed = true;
	if (strlen(f->text) >= FORMAT_MAX || !format_sound(f->text))
		return NULL;
	tep_parse_event(tracedat_tep(t), f->text, strlen(f->text), f->system);
	f->event = tep_find_event(t->tep, type);
	return f->event;
}

const struct tracedat_format *tracedat_format_at(const struct tracedat *t, size_t i)
{
	return i < t->format.n ? &t->format.at[i] : NULL;
}

const char *tracedat_comm(const struct tracedat *t, int pid)
{
	const char *z = pid > 0 ? u64map_get(&t->comm_of, (uint64_t)pid) : pid ? NULL : "<idle>";
	return z ? z : "<...>";
}

void tracedat_learn_comm(struct tracedat *t, int pid, const char *comm, size_t n)
{
	if (pid > 0 && n && !u64map_get(&t->comm_of, (uint64_t)pid))
		u64map_set(&t->comm_of, (uint64_t)pid, (char *)keep(t, xstrndup(comm, n)));
}

bool tracedat_comm_at(const struct tracedat *t, size_t i, int *pid, const char **comm)
{
	if (i >= t->comms.n)
		return false;
	*pid = t->comms.at[i].pid;
	*comm = t->comms.at[i].comm;
	return true;
}

const char *tracedat_printk(const struct tracedat *t)
{
	return t->printk ? t->printk : "";
}

const char *tracedat_cmdlines(const struct tracedat *t)
{
	return t->cmdlines ? t->cmdlines : "";
}
