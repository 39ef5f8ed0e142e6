/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording in the format of another tool. A format is one file and one row of export_formats[] (formats.c).
 *
 * Samples come one by one in order of time, as `report` would count them: with the same filters, the same periods, and
 * stacks as numbers (analysis/stacks.h) of places that know their address, file and line (analysis/places.h,
 * "locations"). A format writes as it goes where it can, and else keeps what it must. */
#ifndef UI_EXPORT_EXPORT_H
#define UI_EXPORT_EXPORT_H
#include "analysis/profile.h"
#include "ui/export/sink.h"

struct exporter;
struct export_sample {
	const struct perfdata_record *r;
	const struct thread *t;
	uint32_t stack; /* never 0 */
};
struct export_format {
	const char *name, *what; /* what: for the list of formats */
	const char *suffix; /* of a file of it, "pb.gz" */
	bool binary; /* nothing for a terminal */
	bool gzip;
	bool folder; /* the output is a folder */
	bool pushed; /* it is what --push sends */
	bool one_event; /* holds the weights of one event only */
	size_t state; /* bytes of its own, zeroed: x->state */
	/* Each 0, or -errno with a pending error or one that x->out has; NULL: nothing to do. end() comes in any case and
	 * frees; write says whether there is still somebody to write for. */
	int (*begin)(struct exporter *x);
	int (*sample)(struct exporter *x, const struct export_sample *s);
	int (*record)(struct exporter *x, const struct perfdata_record *r);
	int (*end)(struct exporter *x, bool write);
};
/* name's row; NULL: none, and a pending error. */
const struct export_format *export_format_find(const char *name);
const struct export_format *export_format_at(size_t i); /* NULL: no more */

struct export_options {
	const char *input, *output; /* paths, for messages and folders */
	const struct sample_filter *filter;
	const wordlist *symbols, *events; /* only these; NULL: all */
	int max_stack;
	enum inlines inlines;
	bool wall_clock; /* times of day instead of the recording's clock, where both are known */
};
struct exporter {
	const struct export_format *format;
	const struct export_options *o;
	struct perfdata *data;
	struct profile *profile;
	struct export_sink sink;
	void *state; /* the format's own */
	struct str text; /* for whoever writes just now; empty between the calls */
	VEC(struct export_event) event; /* see export_event_of() */
	uint64_t samples, lost, left_out; /* left_out: those of other events, where one_event */
	uint64_t first, last; /* times of the samples; first is UINT64_MAX when there is none */
	int single; /* one_event: which; -1: none yet */
	bool begun, gzip; /* gzip: pack in any case */
	int error; /* of record(), which the reading does not ask for */
};
/* Writes all of it. out: NULL for a folder; memory: instead of it. */
int export_run(struct exporter *x, struct symbols *syms, struct out *out, struct str *memory);
/* What export_run() has to tell when all is written: which weight, what was left out, what was lost. */
void export_say(const struct exporter *x);
void export_release(struct exporter *x);

/* An event as weights have it. */
struct export_event {
	const char *name; /* safe to show */
	const char *unit; /* of its periods: "nanoseconds", "bytes", "count" */
	enum { WANT_UNKNOWN, WANT_YES, WANT_NO } wanted;
	uint64_t samples, weight;
};
struct export_event *export_event_of(struct exporter *x, int event);
bool export_clock_unit(const struct export_event *e); /* is a weight of it a time? */
/* The name of a frame: of its function, else "[file]", else "[unknown]". Appended as it is: escape it where it goes. */
const char *export_frame_name(const struct place *at, struct str *room);
/* ns since 1970 of a time in the recording; 0: the recording does not tell. */
uint64_t export_wall(const struct exporter *x, uint64_t time);
/* "comm" of the process that a thread belongs to. */
const char *export_command(struct exporter *x, const struct thread *t);
#endif
