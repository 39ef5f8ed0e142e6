// SPDX-License-Identifier: GPL-2.0-or-later
/* ftrace report: what a file says about itself. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "cmd/ftrace/report.h"
#include "base/map.h"

static void add_safe_lines(struct out *out, const char *text)
{
	struct str line = STR_INIT;
	for (const char *z = text; *z;) {
		size_t n = strcspn(z, "\n\t"); /* formats have tabs */
		str_add_safe(&line, z, n);
		str_addc(&line, z[n] == '\t' ? '\t' : '\n');
		out_str(out, &line);
		z += n + !!z[n];
	}
	str_release(&line);
}

static void stat(const struct report_input *in, struct out *out)
{
	const struct tracedat_info *info = tracedat_info(in->t);
	const struct tracedat_buffer *b;
	out_puts(out, "\nKernel buffer statistics:\n"
		      "  Note: \"entries\" are the entries left in the kernel ring buffer and are not\n"
		      "        recorded in the trace data. They should all be zero.\n\n");
	for (size_t i = 0; i < info->cpustats->n; i++) {
		add_safe_lines(out, info->cpustats->at[i]);
		out_puts(out, "\n");
	}
	if (!tracedat_buffers(in->t, &b) || b->text)
		return;
	out_puts(out, "\n");
	uint64_t page = (uint64_t)tracedat_info(in->t)->page_size, at = page;
	bool packed = info->packing && strcmp(info->packing, "none");
	for (size_t k = 0; k < b->n_cpu; k++) { /* of packed ones: where they are when they are unpacked one behind the other */
		uint64_t size = tracedat_unpacked(in->t, 0, k);
		out_printf(out, "CPU%d data recorded at offset=0x%llx\n    %llu bytes in size\n", b->cpu[k].cpu,
			   (unsigned long long)(packed ? at : b->cpu[k].offset), (unsigned long long)size);
		at += (size + page - 1) / page * page;
	}
}

static void head_facts(const struct ftrace_report *o, const struct report_input *in, struct out *out)
{
	const struct tracedat_info *info = tracedat_info(in->t);
	out_printf(out, "cpus=%d\n", info->cpus);
	if (o->facts.stat) {
		stat(in, out);
		return;
	}
	if (o->facts.uname)
		add_safe_lines(out, info->uname ? info->uname : "uname was not recorded");
	if (o->facts.uname || o->facts.version)
		add_safe_lines(out, info->traced_by ? info->traced_by : "what wrote it is not recorded");
}

/* Lines with an address each, by which trace-cmd sorts them, the last of one address first. */
struct fact_line { uint64_t addr; size_t at; const char *text; };
typedef VEC(struct fact_line) fact_lines;

static int by_addr(const void *a, const void *b)
{
	const struct fact_line *x = a, *y = b;
	return x->addr != y->addr ? x->addr < y->addr ? -1 : 1 : x->at > y->at ? -1 : x->at < y->at;
}

static void sorted_lines(fact_lines *l, const char *text)
{
	for (const char *z = text; *z; z += strcspn(z, "\n"), z += *z == '\n')
		*vec_push(l) = (struct fact_line){ strtoull(z, NULL, 16), l->n, z };
	if (l->n)
		qsort(l->at, l->n, sizeof(*l->at), by_addr);
}

static void add_function(struct str *line, const char *z)
{
	size_t len = strcspn(z, "\n"), addr = strcspn(z, " \n");
	if (addr + 3 >= len || z[addr + 1] == 'A' || z[addr + 1] == 'a') /* numbers, not addresses */
		return;
	str_add_safe(line, z, addr);
	str_addc(line, ' ');
	size_t name = strcspn(z + addr + 3, "\t\n");
	str_add_safe(line, z + addr + 3, name);
	const char *module = z[addr + 3 + name] == '\t' ? z + addr + 4 + name : NULL;
	if (module) {
		str_addc(line, ' ');
		str_add_safe(line, module, strcspn(module, "\n"));
	}
	str_addc(line, '\n');
}

/* `0xffff... : "text"`. */
static void add_printk(struct str *line, const char *z)
{
	size_t n = strcspn(z, "\n");
	const char *colon = memchr(z, ':', n), *text = colon ? colon + 1 + strspn(colon + 1, " \"") : z;
	if (!colon || text > z + n)
		return;
	size_t len = z + n - text;
	str_addf(line, "%llx ", strtoull(z, NULL, 16));
	str_add_safe(line, text, len && text[len - 1] == '"' ? len - 1 : len);
	str_addc(line, '\n');
}

static void by_address(const char *text, void (*add)(struct str *line, const char *z), struct out *out)
{
	fact_lines l = { 0 };
	struct str line = STR_INIT;
	sorted_lines(&l, text);
	vec_each(&l, f) {
		add(&line, f->text);
		out_str(out, &line);
	}
	vec_release(&l);
	str_release(&line);
}

/* Systems first: "fib:" before "fib6:". */
static int by_name(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	while (*x && *x == *y) {
		x++;
		y++;
	}
	return (*x == ':' ? 1 : (unsigned char)*x) - (*y == ':' ? 1 : (unsigned char)*y);
}

static void names(const struct tracedat *t, struct out *out)
{
	const struct tracedat_format *f;
	wordlist all = { 0 };
	for (size_t i = 0; (f = tracedat_format_at(t, i)); i++) {
		char *z = xasprintf("%s:%s", f->system, f->name);
		wordlist_add(&all, z);
		free(z);
	}
	if (all.n)
		qsort(all.at, all.n, sizeof(*all.at), by_name);
	for (size_t i = 0; i < all.n; i++)
		add_safe_lines(out, all.at[i]);
	wordlist_release(&all);
}

static void formats(const struct tracedat *t, struct out *out)
{
	const struct tracedat_format *f;
	for (size_t i = 0; (f = tracedat_format_at(t, i)); i++) {
		struct str head = STR_INIT;
		str_add(&head, "system: ");
		str_add_safez(&head, f->system);
		str_addc(&head, '\n');
		out_str(out, &head);
		add_safe_lines(out, f->text);
		out_puts(out, "\n");
		str_release(&head);
	}
}

static int check(struct tracedat *t)
{
	const struct tracedat_format *f;
	size_t bad = 0;
	for (size_t i = 0; (f = tracedat_format_at(t, i)); i++)
		if (f->id < 0 || !tracedat_event(t, f->id)) {
			bad++;
			warn("the format of %s:%s is not a kernel's", f->system, f->name);
		}
	return bad ? error_set(EINVAL, "%zu of the formats are not understood", bad) : 0;
}

/* The first or the last time of each CPU of a buffer, or only which have any. */
static int spans(const struct ftrace_report *o, struct report_input *in, struct out *out)
{
	struct cpu_span { bool any; uint64_t first, last; } *span = xcalloc(REPORT_CPUS, sizeof(*span));
	struct tracedat_record r;
	struct str line = STR_INIT;
	int got;
	out_printf(out, "List of CPUs in %s with data:\n", in->path);
	while ((got = tracedat_next(in->t, &r)) > 0) {
		if (r.cpu >= REPORT_CPUS || r.buffer)
			continue;
		if (!span[r.cpu].any)
			span[r.cpu].first = r.time;
		span[r.cpu].any = true;
		span[r.cpu].last = r.time;
	}
	for (int i = 0; i < REPORT_CPUS && !got; i++) {
		if (!span[i].any)
			continue;
		str_addf(&line, "  %d", i);
		if (o->facts.first || o->facts.last) {
			str_addf(&line, "\t%s event:", o->facts.first ? "First" : "Last");
			size_t at = line.len;
			tracedat_view_time(in->view, &line, o->facts.first ? span[i].first : span[i].last);
			if (tracedat_in_ns(in->t)) { /* no column to keep */
				memmove(line.buf + at, line.buf + at + 1, line.len - at);
				line.len--;
			}
		}
		str_addc(&line, '\n');
	}
	out_str(out, &line);
	str_release(&line);
	free(span);
	return got;
}

static int one(struct ftrace_report *o, struct report_input *in, struct out *out)
{
	const uint16_t probe = 1;
	size_t n;
	bool big = tracedat_info(in->t)->big_endian, host_big = !*(const uint8_t *)&probe;
	if (o->facts.endian)
		out_printf(out, "file is %s endian and host is %s endian\n", big ? "big" : "little", host_big ? "big" : "little");
	if (o->facts.functions)
		by_address(tracedat_kallsyms(in->t, &n), add_function, out);
	if (o->facts.printk)
		by_address(tracedat_printk(in->t), add_printk, out);
	if (o->facts.names)
		names(in->t, out);
	if (o->facts.formats)
		formats(in->t, out);
	if (o->facts.stat || o->facts.uname || o->facts.version)
		head_facts(o, in, out);
	if (o->facts.check)
		return check(in->t);
	return o->facts.cpus || o->facts.first || o->facts.last ? spans(o, in, out) : 0;
}

int report_facts(struct ftrace_report *o, struct out *out, bool *done)
{
	bool any = o->facts.stat || o->facts.uname || o->facts.version || o->facts.endian || o->facts.functions || o->facts.printk ||
		   o->facts.names || o->facts.formats || o->facts.check || o->facts.cpus || o->facts.first || o->facts.last;
	int err = 0;
	*done = any || (o->facts.filters && o->filters.n);
	if (o->facts.filters)
		vec_each(&o->filters, f)
			out_printf(out, "%s%s\n", f->not ? "not " : "", f->text);
	vec_each(&o->inputs, in)
		if (any && !err)
			err = one(o, in, out);
	return err;
}
