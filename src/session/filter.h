/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which samples a reader wants: by thread, CPU, time and event, as -c, --pid, --tid, -C, --time and --event say it. */
#ifndef SESSION_FILTER_H
#define SESSION_FILTER_H
#include "base/words.h"
#include "session/session.h"

struct time_range { uint64_t from, to; };
struct sample_filter {
	wordlist comms;
	intlist pids, tids, cpus;
	VEC(struct time_range) times;
	intlist wanted; /* numbers of events; none: of all */
	struct event_switch *events; /* --switch-on, --switch-off; NULL: none */
};
/* Samples count from the first one of an event on, and up to one of another; both are shown when asked for. */
struct event_switch { const char *on, *off; bool show, waits; int on_event, off_event; };
/* Each takes an option's text; -EINVAL with a pending error. */
int filter_comms(struct sample_filter *f, const char *text);
int filter_pids(struct sample_filter *f, const char *text);
int filter_tids(struct sample_filter *f, const char *text);
int filter_cpus(struct sample_filter *f, const char *text);
/* "1.5,2.25" "1.5," ",2.25", several with blanks between; "10%/2", "0%-10%,30%-40%" of the
 * recording, which is read through first when it does not tell its span. */
int filter_times_of(struct sample_filter *f, const char *text, const struct perfdata *p, const char *path, bool relative);
void filter_release(struct sample_filter *f);

/* Finds the events in the recording. */
int filter_switch(struct event_switch *s, const struct perfdata *p);
bool filter_event(const struct sample_filter *f, int event); /* to be asked once for each sample, in order */
bool filter_thread(const struct sample_filter *f, const struct thread *t);
bool filter_cpu(const struct sample_filter *f, int cpu);
bool filter_time(const struct sample_filter *f, uint64_t time);
#endif
