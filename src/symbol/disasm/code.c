// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/disasm/code.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "kernel/plain.h"
#include "kernel/root.h"
#include "symbol/file/debugfile.h"
#include "symbol/file/module.h"
#include "symbol/inner.h"
#include "symbol/jitdump.h"
#include "symbol/kernel.h"

static struct image *image(const struct frame *f)
{
	return (struct image *)f->dso; /* dso is an image's first member */
}

static int refuse(const struct frame *f, const char *why)
{
	error_set(ENOENT, "the code of %s in %s cannot be had: %s", f->sym ? f->sym : "that place", f->dso->name, why);
	return -ENOENT;
}

static void set_section(const struct elf_file *e, uint64_t addr, struct code *out)
{
	for (size_t i = 0; i < e->n_sec; i++)
		if (e->sec[i].flags & SHF_EXECINSTR && addr >= e->sec[i].addr && addr - e->sec[i].addr < e->sec[i].size)
			snprintf(out->section, sizeof(out->section), "%s", e->sec[i].name);
}

/* ---- a file that was mapped ---- */

static int from_file(struct image *im, const struct frame *f, struct code *out)
{
	if (!im->code_tried && image_open_runtime(im, &im->code))
		im->code = (struct elf_file){ .fd = -1 };
	im->code_tried = true;
	if (im->code.fd < 0 && !im->code.mem) {
		refuse(f, im->kind == IMAGE_VDSO ? "it is of another kernel" : "the file that was mapped is not here");
		return im->dso.path && *im->dso.path == '/' ? error_hint("bring %s here (--symfs DIR), or record an archive: sonde archive", im->dso.path) : -ENOENT;
	}
	if (elf_loaded(&im->code, out->addr, out->bytes, out->n))
		return refuse(f, "the file ends before it");
	out->is32 = !im->code.is64;
	set_section(&im->code, out->addr, out);
	out->file = im->runtime_path && im->kind == IMAGE_FILE ? xstrdup(im->runtime_path) : NULL;
	return 0;
}

/* ---- the kernel ---- */

/* Where vmlinux has what the table of symbols has at addr: both begin with _text. */
static uint64_t vmlinux_address(const struct image *im, const struct elf_file *e, uint64_t addr)
{
	const struct elf_section *text = elf_find(e, ".text");
	return text && im->tab.text ? addr - im->tab.text + text->addr : addr;
}

static int from_vmlinux(struct image *im, struct code *out)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	struct debugfile d;
	struct elf_file e;
	int err = debugfile_vmlinux(&d, &(struct kernel_query){ .id = &im->dso.build_id, .release = symbols_kernel_release(im->owner),
		.vmlinux = o->vmlinux, .want = 's', .symfs = o->symfs, .archive = o->archive });
	if (!err && !(err = elf_open(&e, d.path))) {
		err = elf_loaded(&e, vmlinux_address(im, &e, out->addr), out->bytes, out->n);
		if (!err && vmlinux_address(im, &e, out->addr) == out->addr)
			out->file = xstrdup(d.path);
		elf_close(&e);
	}
	debugfile_release(&d);
	return err;
}

static int from_core(int fd, uint64_t ip, struct code *out)
{
	struct elf_file e;
	int err = fd < 0 ? fd : elf_open_fd(&e, fd);
	if (err)
		return err;
	err = elf_loaded(&e, ip, out->bytes, out->n);
	elf_close(&e);
	return err;
}

/* The running kernel's memory, if this user may read it. No user named that path. */
static int from_memory(uint64_t ip, struct code *out)
{
	int fd = open(root_path(ROOT_PROC, "kcore"), O_RDONLY | O_CLOEXEC);
	return from_core(fd < 0 ? -errno : fd, ip, out);
}

/* record --kcore left a copy beside the names that are used now. */
static int from_copy(const struct symbols_options *o, uint64_t ip, struct code *out)
{
	const char *slash = o->kallsyms ? strrchr(o->kallsyms, '/') : NULL;
	if (!slash)
		return -ENOENT;
	char *path = xasprintf("%.*s/kcore", (int)(slash - o->kallsyms), o->kallsyms);
	int err = from_core(plain_open(path, 0), ip, out);
	free(path);
	return err;
}

static bool is_running(const struct image *im)
{
	struct build_id id;
	return !symbols_options_of(im->owner)->offline && (!im->dso.build_id.n || (!build_id_of_kernel(&id) && build_id_same(&id, &im->dso.build_id)));
}

static int from_kernel(struct image *im, const struct frame *f, struct code *out)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	uint64_t ip = out->addr + (f->ip - f->addr);
	if (!from_copy(o, ip, out) || (!o->no_vmlinux && !from_vmlinux(im, out)) ||
	    (is_running(im) && !from_memory(ip, out)))
		return 0;
	refuse(f, "there is neither vmlinux nor, for this user, /proc/kcore of that kernel");
	return error_hint("-k FILE names a vmlinux; sonde record --kcore keeps the kernel's code with the recording");
}

/* The file of a module, when its own table named the function; else the kernel's memory. */
static int from_module(struct image *im, const struct frame *f, struct code *out)
{
	struct elf_file e = { .fd = -1 };
	int fd = im->symbol_path && f->addr != f->ip ? module_open(im->symbol_path) : -1;
	int err = fd < 0 || elf_open_fd(&e, fd) ? -ENOENT : 0;
	if (!err) {
		elf_lay_out_module(&e);
		err = elf_loaded(&e, out->addr, out->bytes, out->n);
		elf_close(&e);
		if (!err)
			return 0;
	}
	uint64_t ip = out->addr + (f->ip - f->addr);
	if (!from_copy(symbols_options_of(im->owner), ip, out) || (is_running(im) && !from_memory(ip, out)))
		return 0;
	refuse(f, "there is neither its file nor, for this user, /proc/kcore");
	return error_hint("sonde record --kcore keeps the kernel's code with the recording");
}

/* ---- what a JIT made ---- */

static bool take_record(const struct jit_record *r, uint64_t addr, struct code *out)
{
	if (r->kind != JIT_LOAD || !r->code || addr < r->addr || addr - r->addr >= r->size || out->n > r->size - (addr - r->addr))
		return false;
	memcpy(out->bytes, r->code + (addr - r->addr), out->n);
	return true;
}

static int from_jit(struct image *im, const struct frame *f, struct code *out)
{
	struct jitdump dump;
	struct jit_record r;
	bool found = false;
	int err = im->jitdump ? jitdump_open(&dump, im->jitdump, image_owner(im)) : -ENOENT;
	while (!err && jitdump_next(&dump, &r))
		if (!found || r.time <= im->now) /* later code took the place of earlier */
			found |= take_record(&r, out->addr, out);
	if (!err)
		jitdump_close(&dump);
	if (found)
		return 0;
	refuse(f, im->jitdump ? "the JIT's dump does not hold it" : "the JIT told its names only (perf-PID.map)");
	return error_hint("have the JIT write a jitdump: java with libperf-jvmti.so, node --perf-prof");
}

/* ---- all ---- */

static int fill(struct image *im, const struct frame *f, struct code *out)
{
	switch (im->kind) {
	case IMAGE_FILE:
	case IMAGE_VDSO:
		return from_file(im, f, out);
	case IMAGE_KERNEL:
		return from_kernel(im, f, out);
	case IMAGE_MODULE:
		return from_module(im, f, out);
	case IMAGE_JIT:
		return from_jit(im, f, out);
	default:
		return refuse(f, "it was in memory alone");
	}
}

int code_of(struct symbols *s, const struct frame *f, uint64_t start, uint64_t size, struct code *out)
{
	(void)s;
	*out = (struct code){ .addr = start, .n = size, .section = ".text" };
	if (!f->dso)
		return error_set(ENOENT, "there is no file at 0x%" PRIx64, f->ip);
	if (!size || size > CODE_MAX)
		return error_set(EFBIG, "%s of %s is said to be %" PRIu64 " bytes long", f->sym ? f->sym : "code", f->dso->name, size);
	out->bytes = xmalloc(size);
	int err = fill(image(f), f, out);
	if (err)
		code_release(out);
	return err;
}

void code_release(struct code *c)
{
	free(c->bytes);
	free(c->file);
	*c = (struct code){ 0 };
}

bool code_name(struct symbols *s, const struct frame *f, uint64_t addr, struct str *out)
{
	struct image *im = f->dso ? image(f) : NULL;
	struct frame there;
	if (!im)
		return false;
	if (im->kind == IMAGE_KERNEL || im->kind == IMAGE_MODULE) {
		symbols_resolve(s, -1, addr + (f->ip - f->addr), SYM_KERNEL, &there);
		if (!there.sym)
			return false;
		str_add_safez(out, there.sym);
	} else {
		struct sym *sym = symtab_find(&im->tab, addr);
		if (!sym)
			return false;
		symtab_full_name(&im->tab, sym, out);
		there = (struct frame){ .sym_addr = sym->start, .addr = addr };
	}
	if (there.addr != there.sym_addr)
		str_addf(out, "+0x%" PRIx64, there.addr - there.sym_addr);
	return true;
}

bool code_bounds(struct symbols *s, const struct frame *f, uint64_t addr, uint64_t *start, uint64_t *size)
{
	(void)s;
	return f->dso && unwind_bounds(image(f), addr, start, size);
}
