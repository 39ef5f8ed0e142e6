// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/idlist.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "attach/synth.h"
#include "perfdata/body.h"
#include "perfdata/reader.h"
#include "session/session.h"
#include "symbol/file/debugfile.h"

static void print_id(struct out *o, const struct build_id *id, const char *path)
{
	struct str s = STR_INIT;
	char hex[41];
	if (id->n)
		build_id_hex(id, hex);
	else
		hex[0] = 0; /* not in the recording */
	str_addf(&s, "%-40s ", hex);
	str_add_safez(&s, path);
	str_addc(&s, '\n');
	out_str(o, &s);
	str_release(&s);
}

static void print_bare(struct out *o, const struct build_id *id)
{
	char hex[41];
	build_id_hex(id, hex);
	out_printf(o, "%s\n", hex);
}

int idlist_kernel(struct out *o)
{
	struct build_id id = { .n = 0 };
	int err = build_id_of_kernel(&id);
	if (err) {
		error_sys(err, "cannot read the build-id of the running kernel");
		return error_hint("/sys/kernel/notes tells it, where the kernel was linked with one");
	}
	print_bare(o, &id);
	return 0;
}

/* ---- -m: the kernel's text and its modules, with where they are ---- */

struct kernel_map { uint64_t start, end; char *path; struct build_id id; };
struct kernel_maps { VEC(struct kernel_map) all; };

static int keep_map(void *ctx, const struct perf_event_header *h)
{
	struct kernel_maps *maps = ctx;
	struct body b = { (const uint8_t *)(h + 1), h->size - sizeof(*h) };
	if (h->type != PERF_RECORD_MMAP || b.n < 40)
		return 0;
	const char *path = (const char *)b.at + 32;
	bool text = str_starts(path, "[kernel.kallsyms]");
	*vec_push(&maps->all) = (struct kernel_map){ u64_at(&b, 8), u64_at(&b, 8) + u64_at(&b, 16),
						     xstrdup(text ? "[kernel.kallsyms]" : path), { .n = 0 } };
	return 0;
}

static void keep_id(void *ctx, const char *path, const struct build_id *id, bool kernel)
{
	struct kernel_maps *maps = ctx;
	(void)kernel;
	vec_each(&maps->all, m)
		if (!strcmp(m->path, path))
			m->id = *id;
}

static int by_address(const void *a, const void *b)
{
	const struct kernel_map *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

int idlist_kernel_maps(struct out *o)
{
	struct kernel_maps maps = { 0 };
	struct synth s = { .put = keep_map, .build_id = keep_id, .ctx = &maps };
	const char *why = synth_kernel_hidden();
	int err = synth_kernel(&s);
	if (!err && why) {
		err = error_set(EPERM, "the kernel's addresses are hidden");
		error_hint("%s", why);
	}
	if (maps.all.n)
		qsort(maps.all.at, maps.all.n, sizeof(maps.all.at[0]), by_address);
	vec_each(&maps.all, m) {
		struct str line = STR_INIT;
		char hex[41] = "";
		if (m->id.n)
			build_id_hex(&m->id, hex);
		str_addf(&line, "%-40s %16llx %16llx ", hex, (unsigned long long)m->start, (unsigned long long)m->end);
		str_add_safez(&line, m->path);
		str_addc(&line, '\n');
		if (!err)
			out_str(o, &line);
		str_release(&line);
		free(m->path);
	}
	vec_release(&maps.all);
	synth_release(&s);
	return err;
}

/* ---- a recording, or a binary ---- */

/* Of a binary it is its own; false when it is none. */
static bool of_binary(struct out *o, const char *path)
{
	struct build_id id = { .n = 0 };
	if (!path || build_id_of_file(path, &id) || !id.n) {
		error_clear();
		return false;
	}
	print_bare(o, &id);
	return true;
}

/* BPF programs are parts of the kernel without a file: each by its own name, or all of them by one. */
static bool is_program(const struct dso *d)
{
	return d->kernel && (d->path[0] != '[' || !strcmp(d->path, "[bpf]"));
}

/* Files with a build-id, or those without (the vdso). */
static void print_hits(struct symbols *syms, struct out *o, bool with)
{
	size_t cursor = 0;
	for (const struct dso *d; (d = symbols_next(syms, &cursor));)
		if (d->hit && !!d->build_id.n == with && (with || !is_program(d)))
			print_id(o, &d->build_id, d->path);
}

/* The build-id of every file in which a sample fell, and of those in the chains. */
static int by_samples(struct perfdata *p, struct out *o)
{
	static const struct symbols_options plain;
	struct symbols *syms = symbols_new(&plain);
	int err = session_resolve_all(p, syms, false);
	if (!err) {
		print_hits(syms, o, true);
		print_hits(syms, o, false);
	}
	symbols_free(syms);
	return err;
}

int idlist_file(struct out *o, const char *input, bool hits, bool force)
{
	const struct perfdata_build_id *b;
	if (of_binary(o, input))
		return 0;
	struct perfdata *p = perfdata_open(input, force);
	if (!p)
		return error_code();
	size_t n = perfdata_build_ids(p, &b);
	int err = 0;
	if (n && !hits)
		for (size_t i = 0; i < n; i++)
			print_id(o, &b[i].id, b[i].path);
	else
		err = by_samples(p, o);
	perfdata_close(p);
	return err;
}
