// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/file/idcache.h"
#include "symbol/image.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/plain.h"
#include "kernel/root.h"
#include "symbol/file/archive.h"
#include "symbol/unwind/cfi.h"
#include "symbol/file/debugfile.h"
#include "symbol/jitdump.h"
#include "symbol/kernel.h"
#include "symbol/dwarf/lines.h"

static const char *short_name(enum image_kind kind, const char *path)
{
	const char *slash = strrchr(path, '/');
	return kind != IMAGE_NAMED && path[0] == '/' && slash[1] ? slash + 1 : path;
}

struct image *image_new(struct symbols *owner, enum image_kind kind, const char *path, const struct build_id *id, int pid)
{
	struct image *im = xcalloc(1, sizeof(*im));
	im->owner = owner;
	im->kind = kind;
	im->pid = pid;
	im->now = UINT64_MAX;
	im->dso.jit = kind == IMAGE_JIT;
	im->vdso.fd = im->code.fd = -1;
	im->dso.path = xstrdup(path);
	im->dso.name = kind == IMAGE_JIT ? xasprintf("[JIT] tid %d", pid) : short_name(kind, im->dso.path); /* both as perf */
	im->dso.kernel = kind == IMAGE_KERNEL || kind == IMAGE_MODULE || kind == IMAGE_NAMED;
	if (id)
		im->dso.build_id = *id;
	im->tab.no_demangle = symbols_options_of(owner)->no_demangle || im->dso.kernel;
	return im;
}

void image_free(struct image *im)
{
	if (!im)
		return;
	symtab_release(&im->tab);
	cfi_free(im->cfi);
	lines_free(im->lines);
	elf_close(&im->vdso);
	elf_close(&im->code);
	if (im->kind == IMAGE_JIT)
		free((char *)im->dso.name);
	free((char *)im->dso.path);
	free(im->seg);
	free(im->jitdump);
	free(im->runtime_path);
	free(im->symbol_path);
	free(im->why);
	free(im);
}

static void keep_segments(struct image *im, const struct elf_file *e)
{
	im->seg = xcalloc(e->n_seg + 1, sizeof(*im->seg));
	for (size_t i = 0; i < e->n_seg; i++)
		if (e->seg[i].type == PT_LOAD)
			im->seg[im->n_seg++] = e->seg[i];
}

/* "build-id 2584...; looked in a, b", or why the file itself could not be had. */
void image_explain(struct image *im, const struct str *looked)
{
	struct str s = STR_INIT;
	char hex[41];
	build_id_hex(&im->dso.build_id, hex);
	str_add(&s, im->tab.sym.n ? "only exported symbols: " : "no symbols: ");
	if (im->dso.build_id.n)
		str_addf(&s, "build-id %s; ", hex);
	else
		str_add(&s, "build-id unknown; ");
	if (!looked->len)
		str_add(&s, "no place to look in");
	else
		str_add(&s, "looked in ");
	for (const char *at = looked->buf; *at;) {
		size_t n = strcspn(at, "\n");
		str_addf(&s, "%s%.*s", at == looked->buf ? "" : ", ", (int)n, at);
		at += n + (at[n] == '\n');
	}
	char *package = verbosity && im->kind == IMAGE_FILE ? debugfile_package(im->dso.path) : NULL;
	if (package)
		str_addf(&s, "; the Debian package %s would have them", package);
	free(package);
	im->why = str_detach(&s);
	im->dso.why_no_symbols = im->why;
}

static struct debugfile_query query(const struct image *im, char want)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	return (struct debugfile_query){ .binary = im->dso.path, .id = &im->dso.build_id, .want = want,
		.symfs = o->symfs, .archive = o->archive, .pid = im->pid, .offline = o->offline };
}

/* .symtab of the file or its debug file; else what the running file exports (.dynsym), helped by
 * its .gnu_debugdata. */
static void load_file(struct image *im)
{
	struct debugfile d, x;
	struct elf_file run = { .fd = -1 }, syms = { .fd = -1 };
	struct debugfile_query qx = query(im, 'x'), qs = query(im, 's');
	bool have_run = !debugfile_search(&x, &qx) && !elf_open(&run, x.path);
	bool have_syms = false, complete = true;
	if (have_run) {
		im->runtime_path = xstrdup(x.path);
		keep_segments(im, &run);
		if (!im->dso.build_id.n)
			elf_build_id(&run, &im->dso.build_id);
	}
	if (have_run && elf_has_symtab(&run)) {
		symtab_load_elf(&im->tab, &run, &run);
		im->symbol_path = xstrdup(x.path);
		d = (struct debugfile){ .looked = STR_INIT };
	} else {
		complete = have_syms = !debugfile_search(&d, &qs) && !elf_open(&syms, d.path);
		struct elf_file inner = { .fd = -1 };
		bool mini = have_syms && !elf_has_symtab(&syms) && !elf_open_debugdata(&syms, &inner);
		if (have_syms && !have_run) {
			keep_segments(im, &syms);
			im->seg_guess = !mini;
		}
		if (have_syms)
			im->symbol_path = xstrdup(d.path);
		if (have_syms || have_run)
			symtab_load_elf(&im->tab, mini ? &inner : have_syms ? &syms : &run, have_run ? &run : NULL);
		elf_close(&inner);
		if (have_run && !have_syms)
			complete = symtab_load_go(&im->tab, &run);
	}
	if (!have_run && !have_syms)
		im->dso.other = x.other;
	if (!complete)
		image_explain(im, x.looked.len > d.looked.len ? &x.looked : &d.looked);
	elf_close(&run);
	elf_close(&syms);
	debugfile_release(&d);
	debugfile_release(&x);
}

/* The vdso of this machine's kernel stands for the recorded one unless build-ids say otherwise. */
static void *own_vdso(size_t *n)
{
	const uint8_t *base = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	*n = 8192;
	if (!base)
		return NULL;
	uint8_t *copy = xmalloc(*n);
	memcpy(copy, base, *n);
	return copy;
}

static void *archived_vdso(const struct symbols_options *o, const char *name, size_t *n)
{
	struct str s = STR_INIT;
	char *path = archive_file(o->archive, name);
	int err = plain_read(path, &s, 1 << 20);
	free(path);
	*n = s.len;
	if (err)
		str_release(&s);
	return err ? NULL : str_detach(&s);
}

/* perf keeps the vdso of each recording's kernel in its cache. */
static void *cached_vdso(const struct build_id *id, size_t *n)
{
	struct str s = STR_INIT;
	char hex[41], *root = id->n < 2 ? NULL : idcache_root();
	if (!root)
		return NULL;
	build_id_hex(id, hex);
	char *path = xasprintf("%s/.build-id/%.2s/%s/vdso", root, hex, hex + 2);
	free(root);
	int err = plain_read(path, &s, 1 << 20);
	free(path);
	*n = s.len;
	if (err)
		str_release(&s);
	return err ? NULL : str_detach(&s);
}

static void load_vdso(struct image *im)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	struct build_id own = { .n = 0 };
	size_t n;
	void *copy = o->archive ? archived_vdso(o, im->dso.path, &n) : NULL;
	if (!copy)
		copy = cached_vdso(&im->dso.build_id, &n);
	if (!copy && !o->offline)
		copy = own_vdso(&n);
	if (copy && !elf_open_memory(&im->vdso, copy, n) && im->dso.build_id.n &&
	    !elf_build_id(&im->vdso, &own) && !build_id_same(&own, &im->dso.build_id))
		elf_close(&im->vdso);
	if (im->vdso.mem) {
		keep_segments(im, &im->vdso);
		symtab_load_elf(&im->tab, &im->vdso, &im->vdso);
	}
	if (!im->tab.sym.n) {
		im->why = xstrdup("no symbols: the vdso of the recording's kernel is not at hand");
		im->dso.why_no_symbols = im->why;
	}
}

int64_t image_owner(const struct image *im)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	struct stat st;
	if (o->force)
		return OWNER_ANY;
	return im->pid > 0 && !o->offline && !stat(root_path(ROOT_PROC, "%d", im->pid), &st) ? (int64_t)st.st_uid : OWNER_NONE;
}

/* A file that the process itself may have written: in its own view of the file system first. */
static int from_process(struct image *im, const char *path, struct str *looked, int (*load)(struct symtab *, const char *, int64_t))
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	char *places[3] = { o->archive ? archive_file(o->archive, path) : NULL,
		im->pid > 0 && !o->offline ? xstrdup(root_path(ROOT_PROC, "%d/root%s", im->pid, path)) : NULL, o->archive ? NULL : xstrdup(path) };
	int err = -ENOENT;
	for (int i = 0; i < 3; i++) {
		if (places[i] && err) {
			err = load(&im->tab, places[i], image_owner(im));
			str_addf(looked, "%s%s\n", places[i], err == -EPERM ? " (not its user's file: -f believes it)" : "");
			if (!err && im->tab.sym.n && !im->symbol_path)
				im->symbol_path = xstrdup(places[i]);
		}
		free(places[i]);
	}
	return err;
}

static int load_perf_map(struct symtab *t, const char *path, int64_t owner)
{
	struct str s = STR_INIT;
	int err = file_read_foreign(path, owner, &s, JIT_FILE_MAX);
	size_t n = s.len;
	if (err)
		str_release(&s);
	else
		symtab_load_perf_map(t, str_detach(&s), n);
	return err;
}

static void load_jit(struct image *im)
{
	struct str looked = STR_INIT;
	if (!im->jitdump || from_process(im, im->jitdump, &looked, symtab_load_jitdump) || !im->tab.sym.n)
		from_process(im, im->dso.path, &looked, load_perf_map);
	if (!im->tab.sym.n)
		image_explain(im, &looked);
	str_release(&looked);
}

void image_load(struct image *im)
{
	if (im->loaded)
		return;
	im->loaded = true;
	switch (im->kind) {
	case IMAGE_FILE: load_file(im); break;
	case IMAGE_KERNEL: kernel_load(im); break;
	case IMAGE_VDSO: load_vdso(im); break;
	case IMAGE_JIT: load_jit(im); break;
	case IMAGE_MODULE: kmodule_load(im); break; /* asked only where the kernel's table has no names */
	case IMAGE_NAMED:
	case IMAGE_NONE: break;
	}
}

uint64_t image_address(const struct image *im, uint64_t ip, uint64_t start, uint64_t pgoff)
{
	uint64_t off = ip - start + pgoff;
	if (im->kind == IMAGE_JIT || im->kind == IMAGE_NONE)
		return ip;
	if (im->kind != IMAGE_FILE && im->kind != IMAGE_VDSO)
		return ip - im->reloc;
	if (im->kind == IMAGE_VDSO)
		off = ip - start;
	for (size_t i = 0; i < im->n_seg; i++) {
		const struct elf_segment *g = &im->seg[i];
		if (im->seg_guess && (g->flags & PF_X)) /* the executable map starts at its segment's page */
			return ip - start + (g->vaddr & ~(uint64_t)4095);
		if (!im->seg_guess && off >= (g->offset & ~(uint64_t)4095) && off < g->offset + g->filesz)
			return off - g->offset + g->vaddr;
	}
	for (size_t i = im->seg_guess ? 0 : im->n_seg; i-- > 0;) { /* .bss goes on where the file's part ends */
		const struct elf_segment *g = &im->seg[i];
		if (g->flags & PF_W && off >= g->offset && off - g->offset < g->memsz)
			return off - g->offset + g->vaddr;
	}
	return off;
}

int image_open_runtime(struct image *im, struct elf_file *e)
{
	*e = (struct elf_file){ .fd = -1 };
	if (im->kind == IMAGE_VDSO && im->vdso.mem) {
		uint8_t *copy = xmalloc(im->vdso.size);
		memcpy(copy, im->vdso.mem, im->vdso.size);
		return elf_open_memory(e, copy, im->vdso.size);
	}
	return im->runtime_path ? elf_open(e, im->runtime_path) : -ENOENT;
}
