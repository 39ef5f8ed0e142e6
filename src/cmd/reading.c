// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/reading.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "symbol/file/archive.h"
#include "symbol/file/debugfile.h"
#include "symbol/file/debuginfod.h"

int reading_on_inline(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)arg;
	*(enum inlines *)value = unset ? INLINES_NONE : INLINES_ALL;
	return 0;
}

int reading_on_comms(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return filter_comms(value, arg);
}

int reading_on_pids(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return filter_pids(value, arg);
}

int reading_on_tids(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return filter_tids(value, arg);
}

int reading_on_cpus(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return filter_cpus(value, arg);
}

int reading_on_words(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	wordlist_split(value, arg, ',');
	return 0;
}

void reading_init(struct reading *r)
{
	r->max_stack = 127;
	r->demangle = true;
	r->inlines = INLINES_UNWOUND;
}

static void reading_release(struct reading *r)
{
	if (!r->borrowed) {
		filter_release(&r->filter);
		wordlist_release(&r->symbols);
		wordlist_release(&r->event_names);
	}
	free(r->own_kallsyms);
}

/* record --kcore puts the names of the kernel's functions beside the recording. NULL: they are not there. */
static char *names_in_folder(const struct reading *r)
{
	struct str s = STR_INIT;
	struct stat st;
	str_addf(&s, "%s/kcore_dir/kallsyms", r->input);
	if (!lstat(s.buf, &st) && S_ISREG(st.st_mode) && (r->force || !st.st_uid || st.st_uid == geteuid()))
		return str_detach(&s);
	str_release(&s);
	return NULL;
}

static const char *default_input(void)
{
	struct stat st;
	return !fstat(0, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

int reading_run(struct reading *r, int (*run)(struct perfdata *p, void *ctx), void *ctx)
{
	struct archive packed;
	int err = archive_open(&packed, r->input, r->force);
	if (!err) {
		r->input = packed.data;
		r->archive = packed.folder;
	} else if (err == -ENOEXEC) {
		err = 0;
	}
	if (!r->input)
		r->input = default_input();
	struct perfdata *p = err ? NULL : perfdata_open(r->input, r->force);
	if (p && !r->kallsyms && !r->vmlinux)
		r->kallsyms = r->own_kallsyms = names_in_folder(r);
	int code = p ? run(p, ctx) : error_print();
	perfdata_close(p);
	archive_close(&packed);
	reading_release(r);
	return code;
}

int reading_output(const struct reading *r, struct perfdata *p, struct out *out)
{
	struct str s = STR_INIT;
	int err = out_open(out, r->output, false);
	if (!err && (r->header || r->header_only)) {
		perfdata_print_header(p, &s, r->info);
		out_str(out, &s);
		str_release(&s);
	}
	return err;
}

static bool all_have(const struct perfdata *p, uint64_t sample_type)
{
	for (size_t i = 0; i < perfdata_n_events(p); i++)
		if (!(perfdata_event_at(p, i)->attr.sample_type & sample_type))
			return false;
	return true;
}

int reading_events(struct sample_filter *f, const wordlist *names, const struct perfdata *p)
{
	if (names->n && perfdata_is_pipe(p)) {
		error_set(EINVAL, "--event: a recording that comes through a pipe does not tell its events in time");
		return error_hint("record to a file, and read that");
	}
	for (size_t k = 0; k < names->n; k++) {
		size_t before = f->wanted.n;
		for (size_t i = 0; i < perfdata_n_events(p); i++)
			if (recorded_is_event(p, i, names->at[k]))
				*vec_push(&f->wanted) = (int)i;
		if (f->wanted.n == before) {
			error_set(EINVAL, "--event: the recording has no event '%s'", names->at[k]);
			return error_hint("sonde evlist shows those that it has");
		}
	}
	return 0;
}

int reading_filters(struct reading *r, const struct perfdata *p)
{
	if (r->filter.cpus.n && !all_have(p, PERF_SAMPLE_CPU)) {
		error_set(ENODATA, "the samples do not tell their CPU, so -C cannot choose among them");
		return error_hint("record with -a, -C or --sample-cpu");
	}
	int err = r->time ? filter_times_of(&r->filter, r->time, p, r->input, r->relative) : 0;
	if (!err && (r->events.on || r->events.off))
		err = filter_switch(&r->events, p);
	r->filter.events = &r->events;
	if (!err)
		err = reading_events(&r->filter, &r->event_names, p);
	r->usage = err == -EINVAL;
	return err;
}

struct symbols *reading_symbols(const struct reading *r)
{
	struct symbols_options o = { .symfs = r->symfs, .vmlinux = r->vmlinux, .kallsyms = r->kallsyms, .archive = r->archive,
				     .offline = r->archive, .no_demangle = !r->demangle, .no_vmlinux = r->ignore_vmlinux, .force = r->force };
	return symbols_new(&o);
}
