// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames widened by what DWARF knows: source lines and inlined callers. */
#include <string.h>
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

/* As perf does it: every name comes from DWARF, and one that is not the symbol's own is an inlined
 * function. (Where the compiler renamed the function itself, foo.part.0, perf calls foo inlined too.) */
int symbols_inline(struct symbols *s, const struct frame *f, struct frame *out, int max)
{
	(void)s;
	const struct line_answer *a = f->sym ? ask(f) : NULL;
	int n = a && a->n < max ? a->n : max, different = 0;
	if (!a || max < 1)
		return 0;
	for (int i = 0; i < n; i++) {
		const char *name = a->frame[i].name;
		out[i] = *f;
		out[i].file = a->frame[i].file;
		out[i].line = a->frame[i].line;
		if (!name || !strcmp(name, f->sym))
			continue;
		out[i].sym = name;
		out[i].inlined = true;
		different++;
	}
	return different || n > 1 ? n : 0;
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
