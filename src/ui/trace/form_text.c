// SPDX-License-Identifier: GPL-2.0-or-later
/* What perf's and strace's lines have in common. */
#include <string.h>
#include <time.h>
#include "ui/trace/dump.h"
#include "ui/trace/form.h"

/* ---- times ---- */

/* Thousands of calls may fall into one millisecond: `before` has its text. */
void text_ms(struct str *s, uint64_t ns, unsigned width, struct ms_text *before)
{
	uint64_t us = ns / 1000, ms = us / 1000;
	unsigned rest = us - ms * 1000;
	if (ms != before->ms || width != before->width || !before->len) {
		char b[24];
		unsigned i = sizeof(b);
		before->ms = ms;
		do
			b[--i] = '0' + ms % 10;
		while (ms /= 10);
		while (sizeof(b) - i + 4 < width && i)
			b[--i] = ' ';
		before->width = width;
		before->len = sizeof(b) - i;
		memcpy(before->text, b + i, before->len);
	}
	char decimals[4] = { '.', '0' + rest / 100, '0' + rest / 10 % 10, '0' + rest % 10 };
	str_addn(s, before->text, before->len);
	str_addn(s, decimals, 4);
}

void text_fraction(struct str *s, uint64_t ns, unsigned digits)
{
	static const unsigned scale[] = { 1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1 };
	if (digits)
		str_addf(s, ".%0*u", digits, (unsigned)(ns % 1000000000 / scale[digits]));
}

void text_seconds(struct str *s, uint64_t ns, unsigned digits)
{
	str_add_u64(s, ns / 1000000000);
	text_fraction(s, ns, digits);
}

void text_wall(struct trace_view *v, struct str *s, uint64_t when)
{
	uint64_t ns = when + v->o.wall;
	time_t seconds = ns / 1000000000;
	struct tm tm;
	if (v->o.clock == CLOCK_SECONDS) {
		text_seconds(s, ns, v->o.digits.clock);
	} else if (localtime_r(&seconds, &tm)) {
		str_addf(s, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
		text_fraction(s, ns, v->o.digits.clock);
	}
}

uint64_t text_since_last(struct trace_view *v, uint64_t when)
{
	uint64_t since = v->last && when > v->last ? when - v->last : 0;
	v->last = when;
	return since;
}

/* ---- calls ---- */

/* When, who and where, as perf trace --print-sample. */
void text_sample(struct trace_view *v, const struct sysevent *e, const char *name, struct str *s)
{
	size_t n = strlen(name);
	str_pad(s, s->len + (n < 22 ? 22 - n : 0), ' ');
	str_add_safez(s, name);
	str_addc(s, ' ');
	text_ms(s, e->time, 1, &v->when);
	str_addc(s, ' ');
	str_add_safe(s, e->comm, strnlen(e->comm, 15));
	str_addf(s, " %d/%d [%d]\n", e->pid, e->tid, e->cpu);
}

void text_result(struct trace_view *v, const struct sysevent *e, struct str *s, size_t start)
{
	str_pad(s, start + v->o.column - 1, ' ');
	str_addn(s, " = ", 3);
	view_takes_effect(v, e); /* the result names the descriptor that the call made */
	if (e->no_return)
		str_addc(s, '?');
	else
		decode_result(v->decoder, e, s);
}

void text_below(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	if (v->o.dump.reads || v->o.dump.writes)
		trace_dump(v->o.dump.reads, v->o.dump.writes, e, s);
	if (v->o.stack)
		v->o.stack(v->o.stack_ctx, e, s, NULL);
}

void text_under_way(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	v->form->head(v, e, e->enter_time, UINT64_MAX, s);
	decode_call(v->decoder, e, s);
	if (s->len && s->buf[s->len - 1] == ')')
		s->buf[--s->len] = 0;
}

/* ---- all else ---- */

void text_other(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	v->form->head(v, e, e->time, UINT64_MAX, s);
	if (e->type == SYS_LOST && e->enter_time)
		str_addf(s, "!!! not traced for %.3f s: sonde was stopped !!!", (e->time - e->enter_time) / 1e9);
	else if (e->type == SYS_LOST && e->cpu < 0)
		str_addf(s, "!!! %llu events lost !!!", (unsigned long long)e->lost);
	else if (e->type == SYS_LOST)
		str_addf(s, "!!! %llu events lost on CPU %d !!!", (unsigned long long)e->lost, e->cpu);
	else
		decode_other(v->decoder, e, s);
	str_addc(s, '\n');
	if (e->stops) {
		v->form->head(v, e, e->time, UINT64_MAX, s);
		str_addf(s, "--- stopped by %s ---\n", signal_name(e->sig));
	}
}

void text_event(struct trace_view *v, const struct sysevent *e, struct str *s)
{
	if (v->o.samples)
		text_sample(v, e, v->o.event_name ? v->o.event_name(v->o.fields_ctx, e) : "?", s);
	v->form->head(v, e, e->time, UINT64_MAX, s);
	if (v->o.fields)
		v->o.fields(v->o.fields_ctx, e, s, NULL);
	str_addc(s, '\n');
	if (v->o.stack)
		v->o.stack(v->o.stack_ctx, e, s, NULL);
}
