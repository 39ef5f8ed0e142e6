// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace/summary.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "analysis/callsum.h"
#include "kernel/root.h"
#include "syscall/decode.h"

struct group { uint64_t id; uint64_t total, count; size_t first, n; };

/* The cgroup folder with that inode, below dir; appends its path below the root. */
static bool find_cgroup(struct str *path, size_t root_len, uint64_t id, int depth)
{
	struct stat st;
	if (stat(path->buf, &st) || depth > 16)
		return false;
	if (st.st_ino == id) {
		memmove(path->buf, path->buf + root_len, path->len - root_len + 1);
		path->len -= root_len;
		return true;
	}
	DIR *d = opendir(path->buf);
	bool found = false;
	for (struct dirent *e; d && !found && (e = readdir(d));) {
		size_t len = path->len;
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		str_addf(path, "/%s", e->d_name);
		found = find_cgroup(path, root_len, id, depth + 1);
		if (!found) {
			path->len = len;
			path->buf[len] = 0;
		}
	}
	if (d)
		closedir(d);
	return found;
}

static void cgroup_name(uint64_t id, struct str *out)
{
	struct str path = STR_INIT;
	str_add(&path, root_path(ROOT_SYS, "fs/cgroup"));
	if (find_cgroup(&path, path.len, id, 0))
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
	const struct group *x = a, *y = b;
	return x->total != y->total ? (x->total < y->total ? 1 : -1) : 0;
}

static void print_histogram(const struct engine_sum *r, struct out *out)
{
	uint32_t most = 0;
	for (unsigned i = 0; i < SUMMARY_BUCKETS; i++)
		most = r->hist[i] > most ? r->hist[i] : most;
	for (unsigned i = 0; i < SUMMARY_BUCKETS; i++) {
		char bar[41];
		if (!r->hist[i])
			continue;
		unsigned len = (uint64_t)r->hist[i] * 40 / most;
		memset(bar, '#', len);
		bar[len] = 0;
		out_printf(out, "      %12.3f us ... %9u |%-40s|\n", summary_bucket_floor(i) / 1e3, r->hist[i], bar);
	}
}

struct widths { int name, time; };

/* Columns hold a poll of a minute and a name of any length. */
static struct widths widths_of(const struct engine_sum *r, size_t n)
{
	struct widths w = { 15, 9 };
	char text[64];
	for (size_t i = 0; i < n; i++) {
		int name = strlen(call_name(&r[i], text, sizeof(text)));
		int time = snprintf(text, sizeof(text), "%.3f", r[i].max / 1e3), total = snprintf(text, sizeof(text), "%.3f", r[i].total / 1e6);
		w.name = name > w.name ? name : w.name;
		w.time = time > w.time ? time : w.time;
		w.time = total > w.time ? total : w.time;
	}
	return w;
}

static void print_head(const struct widths *w, struct out *out)
{
	static const char *const names[] = { "total", "min", "avg", "p50", "p99", "max" };
	struct str s = STR_INIT;
	str_addf(&s, "   %-*s    calls  errors", w->name, "syscall");
	for (int i = 0; i < 6; i++)
		str_addf(&s, " %*s", w->time, names[i]);
	str_addf(&s, "\n   %*s                 ", w->name, "");
	for (int i = 0; i < 6; i++)
		str_addf(&s, " %*s", w->time, i ? "(usec)" : "(msec)");
	str_add(&s, "\n   ");
	str_pad(&s, s.len + w->name, '-');
	str_add(&s, " --------  ------");
	for (int i = 0; i < 6; i++) {
		str_addc(&s, ' ');
		str_pad(&s, s.len + w->time, '-');
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
	struct widths w = widths_of(r, n);
	char name[64];
	print_head(&w, out);
	for (size_t i = 0; i < n; i++, r++) {
		out_printf(out, "   %-*s %8llu  %6llu %*.3f %*.3f %*.3f %*.3f %*.3f %*.3f\n", w.name, call_name(r, name, sizeof(name)),
			   (unsigned long long)r->count, (unsigned long long)r->errors, w.time, r->total / 1e6, w.time, r->min / 1e3,
			   w.time, r->total / 1e3 / r->count, w.time, callsum_percentile(r, .5) / 1e3,
			   w.time, callsum_percentile(r, .99) / 1e3, w.time, r->max / 1e3);
		print_errnos(r, out);
		if (o->histogram)
			print_histogram(r, out);
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
	} else if (o->mode == SUMMARY_CGROUP) {
		cgroup_name(r->id, &name);
		json_kstr(j, "cgroup", name.buf);
	}
	str_release(&name);
}

/* What --sched and --pf tell of those whose calls follow. */
static void json_group(const struct trace_summary_options *o, const struct group *g, const struct engine_sum *r, struct out *out)
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
	json_ku64(&j, "p50", callsum_percentile(r, .5));
	json_ku64(&j, "p99", callsum_percentile(r, .99));
	if (r->errnos)
		json_errnos(&j, r);
	json_key(&j, "histogram");
	json_open(&j, '[');
	for (unsigned i = 0; i < SUMMARY_BUCKETS; i++) {
		if (!r->hist[i])
			continue;
		json_open(&j, '{');
		json_ku64(&j, "from", summary_bucket_floor(i));
		json_ku64(&j, "count", r->hist[i]);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(out, &s);
	str_release(&s);
}

static void print_group(const struct trace_summary_options *o, const struct group *g, const struct engine_sum *rows,
			uint64_t all, struct out *out)
{
	struct str s = STR_INIT;
	const struct engine_sum *r = &rows[g->first];
	if (o->mode == SUMMARY_THREAD) {
		str_addc(&s, ' ');
		str_add_safe(&s, r->comm, strnlen(r->comm, 16));
		str_addf(&s, " (%d)", r->tid);
	} else if (o->mode == SUMMARY_CGROUP) {
		str_addc(&s, ' ');
		cgroup_name(g->id, &s);
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
	struct group *groups = xcalloc(n, sizeof(*groups));
	size_t n_groups = 0;
	uint64_t all = 0;
	memcpy(copy, rows, n * sizeof(*copy));
	enum table_column order = o->order;
	qsort_r(copy, n, sizeof(*copy), by_group, &order);
	for (size_t i = 0; i < n; i++) {
		if (!i || copy[i].id != copy[i - 1].id)
			groups[n_groups++] = (struct group){ .id = copy[i].id, .first = i };
		struct group *g = &groups[n_groups - 1];
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
