// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/export/write.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "base/json.h"
#include "ui/missing.h"

struct running { struct export_job *job; const char *const *usage; };

void export_job_init(struct export_job *j)
{
	reading_init(&j->in);
	j->in.inlines = INLINES_ALL;
	j->push = (struct push){ .retries = PUSH_RETRIES, .max = PUSH_MAX, .sample_types = STR_INIT };
}

static bool to_stdout(const struct export_job *j)
{
	return !j->in.output || !strcmp(j->in.output, "-");
}

static int check_output(const struct export_job *j)
{
	if (j->push.url && (j->in.output || !j->format->pushed)) {
		error_set(EINVAL, j->in.output ? "--push sends the profile: -o has no file to go to" : "--push sends otlp or pprof, not %s",
			  j->format->name);
		return error_hint("two commands do both: export -o FILE, and export --push URL");
	}
	if (j->push.url)
		return 0;
	if (j->format->folder && to_stdout(j)) {
		error_set(EINVAL, "%s is a folder: it needs -o DIR", j->format->name);
		return error_hint("sonde export --to %s -o DIR", j->format->name);
	}
	if (j->format->binary && to_stdout(j) && isatty(STDOUT_FILENO)) {
		error_set(EINVAL, "%s is not for a terminal", j->format->name);
		return error_hint("-o FILE.%s writes it to a file", j->format->suffix);
	}
	return 0;
}

/* The events that are asked for by name, as far as the head of the recording tells. */
static int check_events(const struct export_job *j, const struct perfdata *p)
{

	for (size_t k = 0; k < j->events.n && !perfdata_is_pipe(p); k++) {
		bool found = false;
		for (size_t i = 0; i < perfdata_n_events(p); i++)
			found |= recorded_is_event(p, i, j->events.at[k]);
		if (!found) {
			error_set(EINVAL, "--event: the recording has no event '%s'", j->events.at[k]);
			return error_hint("sonde evlist shows those that it has");
		}
	}
	return 0;
}

/* What Pyroscope is told of each event's two values. */
static void describe_values(const struct exporter *x, struct str *out)
{
	struct json j;
	size_t several = 0;
	for (size_t i = 0; i < x->event.n; i++)
		several += x->event.at[i].samples != 0;
	json_init(&j, out);
	json_open(&j, '{');
	for (size_t i = 0; i < x->event.n; i++) {
		const struct export_event *e = &x->event.at[i];
		char *samples = several > 1 ? xasprintf("%s_samples", e->name) : xstrdup("samples");
		const char *const value[][2] = { { samples, "samples" }, { e->name, export_clock_unit(e) ? "nanoseconds" : "samples" } };
		for (int k = 0; e->samples && k < 2; k++) {
			json_key(&j, value[k][0]);
			json_open(&j, '{');
			json_kstr(&j, "display-name", value[k][0]);
			json_kstr(&j, "units", value[k][1]);
			json_kstr(&j, "aggregation", "sum");
			json_close(&j, '}');
		}
		free(samples);
	}
	json_close(&j, '}');
}

static int send_it(struct export_job *j, const struct exporter *x, const struct str *body)
{
	const struct perfdata_info *info = perfdata_info(x->data);
	uint64_t wall = export_wall(x, x->first), length = x->last - x->first, second = 1000000000;
	if (!x->samples)
		return error_set(ENODATA, "there is nothing to send: no sample was chosen");
	j->push.from = wall ? wall / second : info->captured_at - length / second;
	j->push.until = j->push.from + (length + second - 1) / second;
	j->push.host = info->hostname;
	describe_values(x, &j->push.sample_types);
	int err = push_send(&j->push, body);
	if (!err && !j->in.quiet)
		note(0, "sent %.1f kB, %llu samples, to %s", body->len / 1e3, (unsigned long long)x->samples, j->push.url);
	return err;
}

static int write_all(struct export_job *j, struct perfdata *p, struct symbols *syms)
{
	struct export_options o = { .input = j->in.input, .output = j->in.output, .filter = &j->in.filter, .symbols = &j->in.symbols,
		.events = &j->events, .max_stack = j->in.max_stack, .inlines = j->in.inlines, .wall_clock = j->wall_clock };
	struct exporter x = { .format = j->format, .o = &o, .data = p, .gzip = j->push.url };
	struct str body = STR_INIT;
	struct out out = { 0 };
	bool file = !j->format->folder && !j->push.url;
	int err = file ? out_open(&out, j->in.output, false) : 0;
	if (err)
		return err;
	err = export_run(&x, syms, file ? &out : NULL, &body);
	if (!j->in.quiet) {
		export_say(&x);
		symbols_say_missing(syms, false);
	}
	if (!err && j->push.url)
		err = send_it(j, &x, &body);
	int closed = file ? out_close(&out) : 0;
	export_release(&x);
	str_release(&body);
	return err == -EPIPE ? closed : err ? err : closed;
}

static int open_and_run(struct perfdata *p, void *ctx)
{
	struct running *r = ctx;
	int err = check_events(r->job, p) ?: reading_filters(&r->job->in, p);
	if (err)
		return options_exit(err, r->usage);
	struct symbols *syms = reading_symbols(&r->job->in);
	err = write_all(r->job, p, syms);
	symbols_free(syms);
	return err ? error_print() : 0;
}

int export_job_run(struct export_job *j, const char *const *usage)
{
	struct running r = { j, usage };
	int err = check_output(j);
	int code = err ? options_exit(err, usage) : reading_run(&j->in, open_and_run, &r);
	wordlist_release(&j->events);
	push_release(&j->push);
	return code;
}
