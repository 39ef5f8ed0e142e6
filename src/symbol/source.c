// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames widened by what DWARF knows: source lines and inlined callers. */
#include <string.h>
#include <unistd.h>
#include "symbol/file/debugfile.h"
#include "symbol/inner.h"
#include "symbol/dwarf/lines.h"

static struct lines *image_lines(struct image *im)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	struct debugfile d;
	if (im->lines_tried)
		return im->lines;
	im->lines_tried = true;
	struct debugfile_query q = { .binary = im->dso.path, .id = &im->dso.build_id, .want = 'd',
		.symfs = o->symfs, .archive = o->archive, .pid = im->pid, .offline = o->offline };
	int err = -1;
	if (im->kind == IMAGE_FILE)
		err = debugfile_search(&d, &q);
	else if (im->kind == IMAGE_KERNEL)
		err = debugfile_vmlinux(&d, &(struct kernel_query){ .id = &im->dso.build_id, .release = symbols_kernel_release(im->owner),
			.vmlinux = o->vmlinux, .want = 'd', .symfs = o->symfs, .archive = o->archive });
	else
		return NULL;
	if (!err)
		im->lines = lines_open(d.path, o->archive, im->tab.no_demangle);
	debugfile_release(&d);
	return im->lines;
}

static const struct line_answer *ask(const struct frame *f)
{
	struct lines *l = f->dso ? image_lines((struct image *)f->dso) : NULL; /* dso is an image's first member */
	return l ? lines_at(l, f->addr) : NULL;
}

/* The function that has the code is called what its symbol is called, as in a frame without inlined ones; only those that
 * were inlined into it have their names from DWARF. (perf takes every name that differs from the symbol's for an inlined
 * function: clones, local names, and what has an alias.) */
int symbols_inline(struct symbols *s, const struct frame *f, struct frame *out, int max)
{
	(void)s;
	const struct line_answer *a = f->sym ? ask(f) : NULL;
	int n = a && a->n < max ? a->n : max;
	if (!a || n < 2)
		return 0;
	for (int i = 0; i < n; i++) {
		int at = i < n - 1 ? i : a->n - 1;
		out[i] = *f;
		out[i].file = a->frame[at].file;
		out[i].line = a->frame[at].line;
		if (i == n - 1)
			break;
		out[i].sym = a->frame[at].name;
		out[i].inlined = true;
	}
	return n;
}

const char *symbols_file(const struct frame *f)
{
	struct image *im = (struct image *)f->dso;
	return im && f->sym && !f->inlined ? symtab_file(&im->tab, f->sym_addr) : NULL;
}

bool symbols_source(struct symbols *s, struct frame *f)
{
	(void)s;
	const struct line_answer *a = ask(f);
	if (!a || !a->n || !a->frame[0].file)
		return false;
	f->file = a->frame[0].file;
	f->line = a->frame[0].line;
	return true;
}

size_t symbols_code(struct symbols *s, const struct frame *f, void *out, size_t max)
{
	(void)s;
	struct image *im = (struct image *)f->dso; /* dso is an image's first member */
	if (!im || (im->kind != IMAGE_FILE && im->kind != IMAGE_VDSO))
		return 0;
	if (!im->code_tried && image_open_runtime(im, &im->code))
		im->code = (struct elf_file){ .fd = -1 };
	im->code_tried = true;
	if (im->code.fd >= 0) {
		ssize_t n = pread(im->code.fd, out, max, f->offset);
		return n > 0 ? n : 0;
	}
	if (!im->code.mem || f->offset >= im->code.size)
		return 0;
	size_t n = im->code.size - f->offset < max ? im->code.size - f->offset : max;
	memcpy(out, im->code.mem + f->offset, n);
	return n;
}
