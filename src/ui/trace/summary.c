// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace/summary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/callsum.h"
#include "syscall/decode.h"

struct sum_group { uint64_t id; uint64_t total, count; size_t first, n; };

static void cgroup_name(const struct trace_summary_options *o, uint64_t id, struct str *out)
{
	struct str path = STR_INIT;
	if (o->cgroup && o->cgroup(id, &path))
		str_add_safez(out, path.len ? path.buf : "/");
	else
		str_addf(out, id == 1 ? "/" : id ? "cgroup %llu" : "cgroup unknown", (unsigned long long)id);
	str_release(&path);
}

static const char *call_name(const struct engine_sum *r, char *buf, size_t n)
{
	const struct syscall_row *row = syscall_find(r->abi == ABI_32 ? ABI_32 : ABI_NATIVE, r->nr);
	snprintf(buf, n, "%s%s", row ? syscall_name(row) : "?", r->abi == ABI_32 ? " [32]" : "");
	if (!row)
		snprintf(buf, n, "syscall_%d%s", r->nr, r->abi == ABI_32 ? " [32]" : "");
	return buf;
}


/* Rows of one group together, the groups by their total time, rows in the order that was asked for. */
static int by_group(const void *a, const void *b, void *order)
{
	const struct engine_sum *x = a, *y = b;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return table_compare(x, y, *(const enum table_column *)order);
}

static int by_total(const void *a, const void *b)
{
	const struct sum_group *x = a, *y = b;
	return x->total != y->total ? (x->total < y->total ? 1 : -1) : 0;
}

/* A line for half an octave: what is finer than that is for percentiles and programs. */
static void print_histogram(const struct engine_sum *r, unsigned width, struct out *out)
{
	enum { LINE = SUMMARY_STEPS / 2, LINES = SUMMARY_BUCKETS / LINE, BAR = 40, BEFORE = 38 };
	int bars = !width || width >= BEFORE + BAR ? BAR : width > BEFORE ? (int)width - BEFORE : 1;
	uint64_t n[LINES] = { 0 }, most = 1;
	for (unsigned i = 0; i < SUMMARY_BUCKETS; i++)
		n[i / LINE] += summary_count(r, i);
	for (unsigned i = 0; i < LINES; i++)
		most = n[i] > most ? n[i] : most;
	for (unsigned i = 0; i < LINES; i++) {
		char bar[BAR + 1];
		if (!n[i])
			continue;
		unsigned len = n[i] * bars / most;
		memset(bar, '#', len);
		bar[len] = 0;
		out_printf(out, "      %12.3f us ... %9llu |%-*s|\n", summary_bucket_floor(i * LINE) / 1e3, (unsigned long long)n[i], bars, bar);
	}
}

/* ---- the table ---- */

enum time_column { TIME_TOTAL, TIME_MIN, TIME_AVG, TIME_P50, TIME_P99, TIME_MAX, TIMES };
static const char *const time_names[TIMES] = { "total", "min", "avg", "p50", "p99", "max" };
struct sum_layout { int name, calls, errors, time[TIMES]; }; /* widths; a time's 0: left out */

/* In us, with the digits that are known; the point stays where those of other columns are. */
static int percentile(const struct engine_sum *r, unsigned percent, char *text, size_t size)
{
	struct callsum_estimate e = callsum_percentile(r, percent);
	int decimals = 3;
	for (uint64_t unit = e.unit; unit > 1 && decimals; unit /= 10)
		decimals--;
	return snprintf(text, size, "%.*f%*s", decimals, e.ns / 1e3, decimals ? 3 - decimals : 4, "");
}

static int time_text(const struct engine_sum *r, enum time_column column, char *text, size_t size)
{
	switch (column) {
	case TIME_TOTAL: return snprintf(text, size, "%.3f", r->total / 1e6);
	case TIME_MIN: return snprintf(text, size, "%.3f", r->min / 1e3);
	case TIME_AVG: return snprintf(text, size, "%.3f", r->total / 1e3 / r->count);
	case TIME_P50: return percentile(r, 50, text, size);
	case TIME_P99: return percentile(r, 99, text, size);
	default: return snprintf(text, size, "%.3f", r->max / 1e3);
	}
}

static int at_least(int width, int text)
{
	return text > width ? text : width;
}

static int line_width(const struct sum_layout *l)
{
	int n = 3 + l->name + 1 + l->calls + 2 + l->errors;
	for (int i = 0; i < TIMES; i++)
		n += l->time[i] ? 1 + l->time[i] : 0;
	return n;
}

/* Each column as wide as what is in it. */
static struct sum_layout layout_close(const struct engine_sum *r, size_t n)
{
	struct sum_layout l = { 7, 5, 6, { 6, 6, 6, 6, 6, 6 } };
	char text[64];
	for (size_t i = 0; i < n; i++) {
		l.name = at_least(l.name, strlen(call_name(&r[i], text, sizeof(text))));
		l.calls = at_least(l.calls, snprintf(text, sizeof(text), "%llu", (unsigned long long)r[i].count));
		l.errors = at_least(l.errors, snprintf(text, sizeof(text), "%llu", (unsigned long long)r[i].errors));
		for (int k = 0; k < TIMES; k++)
			l.time[k] = at_least(l.time[k], time_text(&r[i], k, text, sizeof(text)));
	}
	return l;
}

/* Columns hold a poll of a minute and a name of any length. On a terminal that is narrower (width; 0: no limit) they move
 * together, and where that is not enough some times are left out. */
static struct sum_layout layout_of(const struct engine_sum *r, size_t n, unsigned width)
{
	static const enum time_column spare[] = { TIME_MIN, TIME_P50, TIME_AVG, TIME_P99, TIME_MAX };
	struct sum_layout l = layout_close(r, n), wide = { at_least(15, l.name), at_least(8, l.calls), at_least(6, l.errors), { 0 } };
	int time = at_least(9, l.time[TIME_TOTAL]);
	time = at_least(time, l.time[TIME_MAX]);
	for (int i = 0; i < TIMES; i++)
		wide.time[i] = time;
	if (!width || line_width(&wide) <= (int)width)
		return wide;
	for (size_t i = 0; i < sizeof(spare) / sizeof(*spare) && line_width(&l) > (int)width; i++)
		l.time[spare[i]] = 0;
	return l;
}

static void print_head(const struct sum_layout *l, struct out *out)
{
	struct str s = STR_INIT;
	str_addf(&s, "   %-*s %*s  %*s", l->name, "syscall", l->calls, "calls", l->errors, "errors");
	for (int i = 0; i < TIMES; i++)
		if (l->time[i])
			str_addf(&s, " %*s", l->time[i], time_names[i]);
	str_addf(&s, "\n   %*s %*s  %*s", l->name, "", l->calls, "", l->errors, "");
	for (int i = 0; i < TIMES; i++)
		if (l->time[i])
			str_addf(&s, " %*s", l->time[i], i ? "(usec)" : "(msec)");
	str_add(&s, "\n   ");
	str_pad(&s, s.len + l->name, '-');
	str_addc(&s, ' ');
	str_pad(&s, s.len + l->calls, '-');
	str_add(&s, "  ");
	str_pad(&s, s.len + l->errors, '-');
	for (int i = 0; i < TIMES; i++) {
		if (!l->time[i])
			continue;
		str_addc(&s, ' ');
		str_pad(&s, s.len + l->time[i], '-');
	}
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
}

/* As perf trace has them: a line each. */
static void print_errnos(const struct engine_sum *r, struct out *out)
{
	for (int i = 0; r->errnos && i < ERRNOS; i++) {
		const char *name = errno_name(i);
		if (r->errnos[i] && name)
			out_printf(out, "\t\t\t\t%s: %u\n", name, r->errnos[i]);
		else if (r->errnos[i])
			out_printf(out, "\t\t\t\terror %d: %u\n", i, r->errnos[i]);
	}
}

static void print_rows(const struct trace_summary_options *o, const struct engine_sum *r, size_t n, struct out *out)
{
	struct sum_layout l = layout_of(r, n, o->width);
	char text[64];
	print_head(&l, out);
	for (size_t i = 0; i < n; i++, r++) {
		out_printf(out, "   %-*s %*llu  %*llu", l.name, call_name(r, text, sizeof(text)), l.calls, (unsigned long long)r->count,
			   l.errors, (unsigned long long)r->errors);
		for (int k = 0; k < TIMES; k++) {
			time_text(r, k, text, sizeof(text));
			if (l.time[k])
				out_printf(out, " %*s", l.time[k], text);
		}
		out_puts(out, "\n");
		print_errnos(r, out);
		if (o->histogram)
			print_histogram(r, o->width, out);
	}
	out_puts(out, "\n");
}

static void json_errnos(struct json *j, const struct engine_sum *r)
{
	char number[16];
	json_key(j, "errnos");
	json_open(j, '{');
	for (int i = 0; i < ERRNOS; i++) {
		snprintf(number, sizeof(number), "%d", i);
		if (r->errnos[i])
			json_ku64(j, errno_name(i) ? errno_name(i) : number, r->errnos[i]);
	}
	json_close(j, '}');
}

static void json_who(struct json *j, const struct trace_summary_options *o, const struct engine_sum *r)
{
	struct str name = STR_INIT;
	if (o->mode == SUMMARY_THREAD) {
		json_ks64(j, "pid", r->pid);
		json_ks64(j, "tid", r->tid);
		json_key(j, "comm");
		json_str(j, r->comm, strnlen(r->comm, 16));
	} else if (o->mode == SUMMARY_COMM) {
		json_key(j, "comm");
		json_str(j, r->comm, strnlen(r->comm, 16));
	} else if (o->mode == SUMMARY_CGROUP) {
		cgroup_name(o, r->id, &name);
		json_kstr(j, "cgroup", name.buf);
	}
	str_release(&name);
}

/* What --sched and --pf tell of those whose calls follow. */
static void json_group(const struct trace_summary_options *o, const struct sum_group *g, const struct engine_sum *r, struct out *out)
{
	const struct callsum_group *more = o->more ? callsum_group(o->more, g->id) : NULL;
	struct str s = STR_INIT;
	struct json j;
	if (!more)
		return;
	json_init(&j, &s);
	json_open(&j, '{');
	json_ku64(&j, "schema", JSON_SCHEMA);
	json_kstr(&j, "type", "group");
	json_who(&j, o, r);
	json_ku64(&j, "calls", g->count);
	json_ku64(&j, "runtime", more->runtime);
	json_ku64(&j, "minor_faults", more->minor_faults);
	json_ku64(&j, "major_faults", more->major_faults);
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
}

static void print_json(const struct trace_summary_options *o, const struct engine_sum *r, struct out *out)
{
	struct str s = STR_INIT;
	struct json j;
	char buf[64];
	json_init(&j, &s);
	json_open(&j, '{');
	json_ku64(&j, "schema", JSON_SCHEMA);
	json_kstr(&j, "type", "summary");
	json_who(&j, o, r);
	json_kstr(&j, "syscall", call_name(r, buf, sizeof(buf)));
	json_ku64(&j, "calls", r->count);
	json_ku64(&j, "errors", r->errors);
	json_ku64(&j, "total", r->total);
	json_ku64(&j, "min", r->min);
	json_ku64(&j, "max", r->max);
	json_ku64(&j, "p50", callsum_percentile(r, 50).ns);
	json_ku64(&j, "p99", callsum_percentile(r, 99).ns);
	if (r->errnos)
		json_errnos(&j, r);
	json_key(&j, "histogram");
	json_open(&j, '[');
	for (unsigned i = 0; i < SUMMARY_BUCKETS; i++) {
		if (!summary_count(r, i))
			continue;
		json_open(&j, '{');
		json_ku64(&j, "from", summary_bucket_floor(i));
		json_ku64(&j, "to", i + 1 < SUMMARY_BUCKETS ? summary_bucket_floor(i + 1) : UINT64_MAX);
		json_ku64(&j, "count", summary_count(r, i));
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
}

static void print_group(const struct trace_summary_options *o, const struct sum_group *g, const struct engine_sum *rows,
			uint64_t all, struct out *out)
{
	struct str s = STR_INIT;
	const struct engine_sum *r = &rows[g->first];
	if (o->mode == SUMMARY_THREAD) {
		str_addc(&s, ' ');
		str_add_safe(&s, r->comm, strnlen(r->comm, 16));
		str_addf(&s, " (%d)", r->tid);
	} else if (o->mode == SUMMARY_COMM) {
		str_addc(&s, ' ');
		str_add_safe(&s, r->comm, strnlen(r->comm, 16));
	} else if (o->mode == SUMMARY_CGROUP) {
		str_addc(&s, ' ');
		cgroup_name(o, g->id, &s);
	} else {
		str_add(&s, " total");
	}
	str_addf(&s, ", %llu calls, %.1f%%", (unsigned long long)g->count, all ? 100.0 * g->count / all : 0);
	const struct callsum_group *more = o->more ? callsum_group(o->more, g->id) : NULL;
	if (more && more->major_faults)
		str_addf(&s, ", %llu majfaults", (unsigned long long)more->major_faults);
	if (more && more->minor_faults)
		str_addf(&s, ", %llu minfaults", (unsigned long long)more->minor_faults);
	if (more && more->runtime)
		str_addf(&s, ", %.3f msec", more->runtime / 1e6);
	str_add(&s, "\n\n");
	out_str(out, &s);
	str_release(&s);
	print_rows(o, r, g->n, out);
}

void trace_summary_print(const struct trace_summary_options *o, const struct engine_sum *rows, size_t n, struct out *out)
{
	if (!n)
		return;
	struct engine_sum *copy = xmalloc(n * sizeof(*copy));
	struct sum_group *groups = xcalloc(n, sizeof(*groups));
	size_t n_groups = 0;
	uint64_t all = 0;
	memcpy(copy, rows, n * sizeof(*copy));
	enum table_column order = o->order;
	qsort_r(copy, n, sizeof(*copy), by_group, &order);
	for (size_t i = 0; i < n; i++) {
		if (!i || copy[i].id != copy[i - 1].id)
			groups[n_groups++] = (struct sum_group){ .id = copy[i].id, .first = i };
		struct sum_group *g = &groups[n_groups - 1];
		g->n++;
		g->total += copy[i].total;
		g->count += copy[i].count;
		all += copy[i].count;
	}
	qsort(groups, n_groups, sizeof(*groups), by_total);
	if (o->strace)
		table_print(&o->columns, copy, n, out);
	else if (!o->json)
		out_puts(out, "\n Summary of events:\n\n");
	for (size_t i = 0; i < n_groups && !o->strace; i++) {
		if (!o->json)
			print_group(o, &groups[i], copy, all, out);
		else
			json_group(o, &groups[i], &copy[groups[i].first], out);
		for (size_t k = 0; o->json && k < groups[i].n; k++)
			print_json(o, &copy[groups[i].first + k], out);
	}
	free(groups);
	free(copy);
}
