// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/reading.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "base/error.h"
#include "symbol/file/archive.h"
#include "symbol/file/debugfile.h"

int reading_inline(const struct option_row *opt, const char *arg, bool unset)
{
	(void)arg;
	*(enum inlines *)opt->value = unset ? INLINES_NONE : INLINES_ALL;
	return 0;
}

int reading_comms(const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return filter_comms(opt->value, arg);
}

int reading_pids(const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return filter_pids(opt->value, arg);
}

int reading_tids(const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return filter_tids(opt->value, arg);
}

int reading_cpus(const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	return filter_cpus(opt->value, arg);
}

int reading_words(const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	wordlist_split(opt->value, arg, ',');
	return 0;
}

void reading_init(struct reading *r)
{
	r->max_stack = 127;
	r->demangle = true;
	r->inlines = INLINES_UNWOUND;
}

void reading_release(struct reading *r)
{
	filter_release(&r->filter);
	wordlist_release(&r->symbols);
}

static const char *default_input(void)
{
	struct stat st;
	return !fstat(0, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

int reading_run(struct reading *r, int (*run)(struct perfdata *p, void *ctx), void *ctx)
{
	struct archive packed;
	int err = archive_open(&packed, r->input);
	if (!err) {
		r->input = packed.data;
		r->archive = packed.folder;
	} else if (err == -ENOEXEC) {
		err = 0;
	}
	if (!r->input)
		r->input = default_input();
	struct perfdata *p = err ? NULL : perfdata_open(r->input, r->force);
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
	if (!err && (r->header || r->header_only || r->info)) {
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

int reading_filters(struct reading *r, const struct perfdata *p)
{
	if (r->filter.cpus.n && !all_have(p, PERF_SAMPLE_CPU)) {
		error_set(ENODATA, "the samples do not tell their CPU, so -C cannot choose among them");
		return error_hint("record with -a, -C or --sample-cpu");
	}
	int err = r->time ? filter_times_of(&r->filter, r->time, p, r->input) : 0;
	if (!err && (r->events.on || r->events.off))
		err = filter_switch(&r->events, p);
	r->filter.events = &r->events;
	r->usage = err == -EINVAL;
	return err;
}

struct symbols *reading_symbols(const struct reading *r)
{
	struct symbols_options o = { .symfs = r->symfs, .vmlinux = r->vmlinux, .kallsyms = r->kallsyms, .archive = r->archive,
				     .offline = r->archive, .no_demangle = !r->demangle, .no_vmlinux = r->ignore_vmlinux, .force = r->force };
	return symbols_new(&o);
}

void reading_say_missing(struct symbols *s)
{
	const struct dso *d;
	size_t cursor = 0;
	char now[41], then[41];
	while ((d = symbols_next(s, &cursor))) {
		if (!d->hit)
			continue;
		if (d->other.n) {
			build_id_hex(&d->other, now);
			build_id_hex(&d->build_id, then);
			warn("%s is another file now (build-id %s) than was recorded (%s): its frames have no names", d->path, now, then);
		}
		bool kernel = d->kernel && !strcmp(d->name, "[kernel.kallsyms]"); /* half of a profile in hex needs a word */
		if ((verbosity > 0 || kernel) && d->why_no_symbols)
			warn("%s: [%s]", d->path, d->why_no_symbols);
	}
}
