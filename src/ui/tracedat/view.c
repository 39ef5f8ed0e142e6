// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/tracedat/view.h"
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "ui/tracedat/inner.h"

enum { IDS = 65536, NAME_WIDTH = 20 };

static bool matches(const wordlist *patterns, const char *system, const char *name)
{
	regex_t re;
	bool hit = false;
	for (size_t i = 0; patterns && i < patterns->n && !hit; i++) {
		if (regcomp(&re, patterns->at[i], REG_ICASE | REG_NOSUB))
			continue;
		hit = !regexec(&re, name, 0, NULL, 0) || !regexec(&re, system, 0, NULL, 0);
		regfree(&re);
	}
	return hit;
}

static int check_patterns(const wordlist *patterns)
{
	regex_t re;
	for (size_t i = 0; patterns && i < patterns->n; i++) {
		if (regcomp(&re, patterns->at[i], REG_ICASE | REG_NOSUB))
			return error_set(EINVAL, "'%s' is no regular expression", patterns->at[i]);
		regfree(&re);
	}
	return 0;
}

static const char *name_of(void *t, uint64_t addr, uint64_t *start)
{
	return tracedat_function(t, addr, start);
}

static struct view_row *row_new(struct tracedat_view *v, int type)
{
	struct view_row *row = xcalloc(1, sizeof(*row));
	struct tep_event *e = tracedat_event(v->t, type);
	struct str head = STR_INIT;
	const char *name = "(NULL)", *system = "";
	if (e) {
		row->format = tp_format_new(tracedat_tep(v->t), e, NULL);
		tp_format_namer(row->format, name_of, v->t);
		name = tp_format_name(row->format);
		system = tp_format_system(row->format);
	}
	str_addc(&head, ' ');
	str_add_safez(&head, name);
	str_add(&head, ": ");
	str_pad(&head, NAME_WIDTH + 3, ' ');
	row->head = str_detach(&head);
	row->raw = v->o.raw || matches(v->raw_events, system, name);
	if (e && !row->raw && !v->o.plain && !matches(v->plain_events, system, name))
		view_texts_find(row, system, name);
	return row;
}

int tracedat_view_new(struct tracedat_view **out, struct tracedat *t, const struct tracedat_view_options *o, const wordlist *raw_events,
		      const wordlist *plain_events)
{
	const struct tracedat_format *f;
	if (check_patterns(raw_events) || check_patterns(plain_events))
		return error_code();
	struct tracedat_view *v = xcalloc(1, sizeof(*v));
	v->t = t;
	v->o = *o;
	v->raw_events = raw_events;
	v->plain_events = plain_events;
	v->row = xcalloc(IDS, sizeof(struct view_row *));
	v->graph_exit = -1;
	for (size_t i = 0; (f = tracedat_format_at(t, i)); i++)
		if (!strcmp(f->system, "ftrace") && !strcmp(f->name, "funcgraph_exit"))
			v->graph_exit = f->id;
	*out = v;
	return 0;
}

void tracedat_view_free(struct tracedat_view *v)
{
	if (!v)
		return;
	for (int i = 0; i < IDS; i++) {
		if (!v->row[i])
			continue;
		tp_format_free(v->row[i]->format);
		free(v->row[i]->head);
		free(v->row[i]);
	}
	vec_each(&v->stack, s)
		wordlist_release(&s->names);
	vec_release(&v->stack);
	u64map_release(&v->wake.at);
	free(v->row);
	free(v);
}

/* ---- the head of a line ---- */

static void add_right(struct str *out, const char *z, size_t width)
{
	size_t n = strlen(z);
	for (size_t i = n; i < width; i++)
		str_addc(out, ' ');
	str_add_safe(out, z, n);
}

static void add_number(struct str *out, uint64_t v, size_t width, char fill)
{
	char digits[24];
	size_t n = sizeof(digits);
	do
		digits[--n] = (char)('0' + v % 10);
	while (v /= 10);
	for (size_t i = sizeof(digits) - n; i < width; i++)
		str_addc(out, fill);
	str_addn(out, digits + n, sizeof(digits) - n);
}

void tracedat_view_time(const struct tracedat_view *v, struct str *out, uint64_t time)
{
	if (!tracedat_in_ns(v->t)) {
		add_number(out, time, 12, ' ');
		return;
	}
	uint64_t unit = v->o.full ? 1000000000 : 1000000;
	if (!v->o.full)
		time = (time + 500) / 1000;
	str_addc(out, ' ');
	add_number(out, time / unit, 5, ' ');
	str_addc(out, '.');
	add_number(out, time % unit, v->o.full ? 9 : 6, '0');
}

static void add_who(struct str *out, const struct tracedat_view *v, const struct tracedat_record *r)
{
	const char *comm = tracedat_comm(v->t, r->pid);
	size_t from = out->len;
	if (v->o.latency) {
		char first[9] = "";
		strncat(first, comm, 8);
		add_right(out, first, 8);
	} else {
		add_right(out, comm, 16);
	}
	str_addc(out, '-');
	from = out->len;
	str_add_s64(out, r->pid);
	str_pad(out, from + 5, ' ');
	str_addc(out, ' ');
	if (v->o.latency) {
		add_number(out, (uint64_t)r->cpu, 3, ' ');
		return;
	}
	str_addc(out, '[');
	add_number(out, (uint64_t)r->cpu, 3, '0');
	str_addc(out, ']');
}

static void add_depth(struct str *out, unsigned n)
{
	str_addc(out, n ? "0123456789abcdef"[n & 15] : '.');
}

static void add_latency(struct str *out, const struct tracedat_view *v, const struct tracedat_record *r)
{
	enum { IRQS_OFF = 1, IRQS_NOSUPPORT = 2, NEED_RESCHED = 4, HARDIRQ = 8, SOFTIRQ = 16 };
	if (v->o.raw) {
		str_addf(out, "-0x%x", r->flags);
		return;
	}
	bool hard = r->flags & HARDIRQ, soft = r->flags & SOFTIRQ;
	str_addc(out, r->flags & IRQS_OFF ? 'd' : r->flags & IRQS_NOSUPPORT ? 'X' : '.');
	str_addc(out, r->flags & NEED_RESCHED ? 'N' : '.');
	str_addc(out, hard && soft ? 'H' : hard ? 'h' : soft ? 's' : '.');
	add_depth(out, r->preempt & 15);
	add_depth(out, r->preempt >> 4);
}

/* Where the clock's ticks are shown in microseconds, so is the difference. */
static void add_difference(struct str *out, struct tracedat_view *v, uint64_t time)
{
	uint64_t t = tracedat_in_ns(v->t) && !v->o.full ? (time + 500) / 1000 : time;
	size_t from = out->len + 1;
	str_addc(out, ' ');
	if (v->any && v->last)
		str_addf(out, "(+%lld)", (long long)(t - v->last));
	str_pad(out, from + 8, ' ');
	v->last = t;
	v->any = true;
}

static void add_lost(struct str *out, const struct tracedat_record *r)
{
	if (r->lost > 0)
		str_addf(out, "CPU:%d [%lld EVENTS DROPPED]\n", r->cpu, (long long)r->lost);
	else
		str_addf(out, "CPU:%d [EVENTS DROPPED]\n", r->cpu);
}

static void add_name(struct str *out, const struct tracedat_view *v, const char *name)
{
	if (!v->o.name_width)
		return;
	add_right(out, name, v->o.name_width);
	str_add(out, *name ? ": " : "  ");
}

/* Some print formats end a line, which is escaped by then. */
static void trim_end(struct str *out)
{
	size_t n = out->len >= 2 && !memcmp(out->buf + out->len - 2, "\\n", 2) ? 2 : out->len && out->buf[out->len - 1] == '\n';
	out->len -= n;
	out->buf[out->len] = 0;
}

int tracedat_view_record(struct tracedat_view *v, struct str *out, const struct tracedat_record *r, const char *name)
{
	struct view_row *row = r->type >= 0 ? v->row[r->type] : NULL;
	if (!row && r->type >= 0)
		row = v->row[r->type] = row_new(v, r->type);
	v->err = 0;
	add_name(out, v, name);
	if (r->lost)
		add_lost(out, r);
	add_who(out, v, r);
	if (v->o.latency)
		add_latency(out, v, r);
	tracedat_view_time(v, out, r->time);
	str_addc(out, ':');
	if (v->o.diff)
		add_difference(out, v, r->time);
	str_add(out, row ? row->head : " (NULL):               ");
	if (row && row->format && row->raw)
		tp_format_raw_as_printed(row->format, out, r->data, r->size);
	else if (row && row->format && (!row->text || row->text(v, row, out, r)))
		tp_format_print(row->format, out, r->data, r->size, r->cpu);
	else if (!row || !row->format)
		str_addf(out, "[UNKNOWN TYPE %d]", r->type);
	trim_end(out);
	if (v->o.wakeup && row)
		view_wakeup(v, row, out, r);
	str_addc(out, '\n');
	return v->err;
}
