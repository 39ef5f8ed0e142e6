// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracepoints by name and glob, their fields, and what a filter on them may say. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "spec/parse.h"
#include "kernel/tracefs.h"

static int add_one(struct spec_parser *ps, const char *system, const char *name, int64_t id)
{
	struct event *e = parse_new(ps, EVENT_TRACEPOINT, PERF_TYPE_TRACEPOINT, (uint64_t)id);
	if (!e)
		return error_code();
	e->system = xstrdup(system);
	e->tracepoint = xstrdup(name);
	e->name = xasprintf("%s:%s", system, name);
	return 0;
}

/* Some entries of a glob cannot be perf events (ftrace:function has an id but is no tracepoint):
 * a glob leaves them out, as it leaves out what has no id. */
static int add_glob(struct spec_parser *ps, const char *system, const char *name, size_t at)
{
	size_t before = ps->l->n;
	int err = 0;
	vec_each(tracefs_all(), w) {
		char *colon = strchr(*w, ':');
		if (!colon)
			continue;
		char *sys = xstrndup(*w, colon - *w);
		if (glob_match(system, sys) && glob_match(name, colon + 1) && strcmp(sys, "ftrace")) {
			int64_t id = tracefs_event_id(sys, colon + 1);
			err = id < 0 ? 0 : add_one(ps, sys, colon + 1, id);
		}
		free(sys);
		if (err)
			return err;
	}
	return ps->l->n > before ? 0 : unknown_tracepoint(ps, system, name, at);
}

/* A probe on a line is named FUNC_L3. FUNC alone, as it used to be called, still means it if there is no other. Owned. */
static char *only_line_probe(const char *system, const char *name)
{
	wordlist all = { 0 };
	size_t n = strlen(name);
	char *found = NULL;
	int hits = 0;
	if (tracefs_ready() < 0 || tracefs_events_list(system, &all))
		error_clear();
	vec_each(&all, w) {
		const char *line = *w + n + 2;
		if (strncmp(*w, name, n) || strncmp(*w + n, "_L", 2) || !*line || line[strspn(line, "0123456789")])
			continue;
		free(found);
		found = xstrdup(*w);
		hits++;
	}
	wordlist_release(&all);
	if (hits == 1)
		return found;
	free(found);
	return NULL;
}

int parse_tracepoints(struct spec_parser *ps, const char *system, const char *name, size_t at)
{
	if (glob_has(system) || glob_has(name))
		return add_glob(ps, system, name, at);
	int64_t id = tracefs_ready() < 0 ? -EACCES : tracefs_event_id(system, name);
	if (id >= 0)
		return add_one(ps, system, name, id);
	char *line = id == -ENOENT ? only_line_probe(system, name) : NULL;
	id = line ? tracefs_event_id(system, line) : id;
	if (line && id >= 0) {
		int err = add_one(ps, system, line, id);
		free(line);
		return err;
	}
	free(line);
	if (id == -EACCES && tracefs_ready() == 0) {
		error_sys(EACCES, "cannot read %s", tracefs_path("events/%s/%s/id", system, name));
		error_hint("run as root, or let your group read it: %s", tracefs_open_up());
		return caret(ps, at, strlen(system) + 1 + strlen(name));
	}
	return unknown_tracepoint(ps, system, name, at);
}

/* "\tfield:unsigned int args[6];\toffset:16;\tsize:48;\tsigned:0;" */
static bool field_parse(const char *line, size_t n, struct tracepoint_field *f)
{
	const char *at = memmem(line, n, "field:", 6), *end = at ? memchr(at, ';', line + n - at) : NULL;
	if (!end)
		return false;
	at += 6;
	const char *off = memmem(end, line + n - end, "offset:", 7), *size = memmem(end, line + n - end, "size:", 5),
		   *sign = memmem(end, line + n - end, "signed:", 7);
	f->offset = off ? strtoul(off + 7, NULL, 10) : 0;
	f->size = size ? strtoul(size + 5, NULL, 10) : 0;
	f->is_signed = sign && sign[7] == '1';
	const char *stop = memchr(at, '[', end - at);
	/* "__data_loc char[] name": the bracket belongs to the type */
	if (stop && memchr(stop, ' ', end - stop))
		stop = NULL;
	stop = stop ? stop : end;
	const char *name = stop;
	while (name > at && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	f->decl = xstrndup(at, end - at);
	f->name = xstrndup(name, stop - name);
	return true;
}

int tracepoint_fields(const char *system, const char *name, tp_fields *out)
{
	struct str s = STR_INIT;
	int err = tracefs_event_format(system, name, &s);
	for (const char *line = s.buf; !err && *line;) {
		size_t n = strcspn(line, "\n");
		struct tracepoint_field f = { 0 };
		if (field_parse(line, n, &f)) {
			if (str_starts(f.name, "common_")) {
				free(f.decl);
				free(f.name);
			} else {
				*vec_push(out) = f;
			}
		}
		line += n + (line[n] == '\n');
	}
	str_release(&s);
	return err;
}

void tp_fields_release(tp_fields *f)
{
	vec_each(f, it) {
		free(it->decl);
		free(it->name);
	}
	vec_release(f);
}

static bool known_word(const tp_fields *fields, const char *w)
{
	static const char *const common[] = { "common_type", "common_flags", "common_preempt_count", "common_pid",
		"comm", "COMM", "cpu", "CPU", "stacktrace", "CPUS" };
	vec_each(fields, f)
		if (!strcmp(f->name, w))
			return true;
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (!strcmp(common[i], w))
			return true;
	return false;
}

/* The first word of the filter that is to be a field and is none; NULL when all are. Words behind an
 * operator are values. Owned. */
static char *bad_field(const char *p, const tp_fields *fields)
{
	bool value = false;
	while (*p) {
		if (*p == '"' || *p == '\'') {
			const char *end = strchr(p + 1, *p);
			p = end ? end + 1 : p + strlen(p);
		} else if (isalpha((unsigned char)*p) || *p == '_') {
			size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
			char *w = xstrndup(p, n);
			if (!value && !known_word(fields, w))
				return w;
			free(w);
			p += n;
		} else if (strchr("=<>~", *p) || (*p == '&' && p[1] != '&') || (*p == '!' && p[1] == '=')) {
			value = true;
			p++;
			if (*p == '=')
				p++;
		} else {
			if (strchr("&|()", *p))
				value = false;
			p += p[0] && (p[0] == '&' || p[0] == '|') && p[1] == p[0] ? 2 : isdigit((unsigned char)*p) ?
				strspn(p, "0123456789abcdefxABCDEFX") : 1;
		}
	}
	return NULL;
}

int event_filter_explain(int err, const struct event *e)
{
	tp_fields fields = { 0 };
	struct str names = STR_INIT;
	error_set(err, "the kernel refuses the filter '%s' on %s", e->filter ? e->filter : "", e->name);
	if (!e->system || tracepoint_fields(e->system, e->tracepoint, &fields)) {
		error_hint("a filter needs a tracepoint");
		return -abs(err);
	}
	vec_each(&fields, f)
		str_addf(&names, "%s%s", names.len ? ", " : "", f->name);
	char *bad = bad_field(e->filter ? e->filter : "", &fields);
	if (bad) {
		struct nearest n;
		nearest_init(&n, bad);
		vec_each(&fields, f)
			nearest_offer(&n, f->name);
		error_hint("'%s' is not a field of %s", bad, e->name);
		nearest_hint(&n);
	}
	error_hint("its fields are: %s", names.buf);
	free(bad);
	str_release(&names);
	tp_fields_release(&fields);
	return -abs(err);
}
