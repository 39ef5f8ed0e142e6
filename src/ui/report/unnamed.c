// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report/unnamed.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "symbol/file/debugfile.h"

enum { ROWS = 5 };

struct unnamed_file {
	const struct dso *dso; /* NULL: no file is mapped there */
	uint64_t samples;
};
typedef VEC(struct unnamed_file) unnamed_files;

static int by_samples(const void *a, const void *b)
{
	const struct unnamed_file *x = a, *y = b;
	return x->samples > y->samples ? -1 : x->samples < y->samples;
}

static uint64_t collect(const struct profile *pr, unnamed_files *out, uint64_t *all)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < pr->leaf.n; i++) {
		const struct place *p = place_at(&pr->places, i);
		*all += pr->leaf.at[i];
		if (!pr->leaf.at[i] || p->sym)
			continue;
		size_t k = 0;
		while (k < out->n && out->at[k].dso != p->dso)
			k++;
		if (k == out->n)
			*vec_push(out) = (struct unnamed_file){ .dso = p->dso };
		out->at[k].samples += pr->leaf.at[i];
		sum += pr->leaf.at[i];
	}
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_samples);
	return sum;
}

static void why_file(const struct dso *d, struct str *s, bool *packaged)
{
	char *package = access(d->path, F_OK) ? NULL : debugfile_package(d->path);
	if (d->other.n)
		str_add(s, "another file is there now than was recorded; `sonde archive` keeps the files with the recording");
	else if (access(d->path, F_OK))
		str_add(s, "the file is not here; `sonde archive` on the machine of the recording packs it");
	else if (!d->why_no_symbols)
		str_add(s, "in no function that its table of symbols has");
	else if (package)
		str_addf(s, "stripped; apt install %s", package);
	else
		str_add(s, "stripped, and its debug file is not found; build with -g, or put that file below /usr/lib/debug/.build-id");
	*packaged |= package && !d->other.n && d->why_no_symbols;
	free(package);
}

static void why(const struct dso *d, struct str *s, bool *packaged)
{
	const char *told = d ? d->why_no_symbols : NULL;
	if (!d)
		str_add(s, "no file was mapped there");
	else if (d->jit && told && strstr(told, "not its user's file"))
		str_add(s, "made by a JIT, and its map is another user's; -f believes it");
	else if (d->jit)
		str_add(s, "made by a JIT that left no map; java: jcmd PID Compiler.perfmap while it runs, node --perf-basic-prof, python3 -X perf");
	else if (d->kernel || d->path[0] == '[')
		str_add(s, told ? told + (str_starts(told, "no symbols: ") ? 12 : 0) : "in no function that the kernel names");
	else
		why_file(d, s, packaged);
}

static void say(struct out *page, const char *text)
{
	struct str s = STR_INIT;
	if (page->tty) {
		str_add_safez(&s, text);
		out_printf(page, "# %s\n", s.buf);
	} else {
		warn("%s", text);
	}
	str_release(&s);
}

static void say_rows(struct out *page, const unnamed_files *f, uint64_t all, bool *packaged, bool *kernel)
{
	struct str s = STR_INIT;
	for (size_t i = 0; i < f->n && i < ROWS; i++) {
		const struct dso *d = f->at[i].dso;
		str_clear(&s);
		str_addf(&s, "%6.2f%%  %s: ", 100.0 * (double)f->at[i].samples / (double)all, d ? d->path : "[unknown]");
		why(d, &s, packaged);
		say(page, s.buf);
		*kernel |= d && d->kernel;
	}
	if (f->n > ROWS) {
		str_clear(&s);
		str_addf(&s, "         and %zu more files: -v tells of each", f->n - ROWS);
		say(page, s.buf);
	}
	str_release(&s);
}

/* Packages of debug files are in an archive of their own, which apt asks only when it is told to. */
static void say_archive(struct out *page)
{
	struct debugfile_source d = debugfile_source();
	struct str s = STR_INIT;
	if (d.archive && !d.listed) {
		str_addf(&s, "apt finds -dbgsym packages with this line in /etc/apt/sources.list: %s", d.archive);
		say(page, s.buf);
	}
	const char *urls = getenv("DEBUGINFOD_URLS");
	if (d.server && (!urls || !*urls)) {
		str_clear(&s);
		str_addf(&s, "or, without installing anything: export DEBUGINFOD_URLS=%s", d.server);
		say(page, s.buf);
	}
	str_release(&s);
	free(d.archive);
}

bool unnamed_say(const struct profile *pr, struct out *page)
{
	unnamed_files f = { 0 };
	uint64_t all = 0, sum = collect(pr, &f, &all);
	bool packaged = false, kernel = false;
	if (sum && (sum * 100 >= all || verbosity > 0)) {
		char *head = xasprintf("%.2f%% of %llu samples have no name:", 100.0 * (double)sum / (double)all, (unsigned long long)all);
		say(page, head);
		free(head);
		say_rows(page, &f, all, &packaged, &kernel);
		if (packaged)
			say_archive(page);
		if (page->tty)
			out_puts(page, "#\n");
	}
	vec_release(&f);
	return kernel;
}
