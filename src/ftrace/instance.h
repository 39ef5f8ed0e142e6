/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where ftrace works: an instance of sonde's own, one with a name that stays, or the kernel's top one.
 *
 * All that is set through here is undone at the end (ftrace/undo.h): an own instance goes as a whole, and in the top one each
 * knob gets what it had before. The top one is borrowed only for tracers that this kernel has nowhere else, by one sonde at
 * a time, and only while nobody else traces there. */
#ifndef FTRACE_INSTANCE_H
#define FTRACE_INSTANCE_H
#include <stdbool.h>
#include "base/str.h"
#include "base/words.h"

#define FTRACE_SESSION "sonde" /* the instance of `ftrace start` and its kin, unless -B says another */

struct ftrace_instance {
	char *name; /* owned; NULL: the top */
	char *dir; /* owned; its absolute path, without a slash at the end */
	bool borrowed; /* the top: what is set is put back */
};

/* An own one, sonde-PID (or sonde-PID-N), gone with us; not tracing yet. -errno with a pending error. */
int ftrace_instance_own(struct ftrace_instance *i);
/* The top, borrowed. -EBUSY when somebody uses it. force: although its buffer holds something. */
int ftrace_instance_borrow(struct ftrace_instance *i, bool force);
/* One that exists (name NULL: the top), as it is: what is set stays. -ENOENT with a hint. */
int ftrace_instance_find(struct ftrace_instance *i, const char *name);
/* That one, made when it is not there, in which case it is gone if we end before undo_keep(). made may be NULL. */
int ftrace_instance_make(struct ftrace_instance *i, const char *name, bool *made);
/* When an instance has been set up: what that did to the buffer of the top one, which nobody had used, is mended. */
void ftrace_top_keeps_size(void);
/* Stops it and takes it away now. -EBUSY when somebody reads it. */
int ftrace_instance_remove(struct ftrace_instance *i);
void ftrace_instance_release(struct ftrace_instance *i); /* the memory alone */
/* The names of all, sorted. */
int ftrace_instances_list(wordlist *out);

const char *ftrace_path(const struct ftrace_instance *i, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends the file without a newline at its end. -errno, no pending error. */
int ftrace_get(const struct ftrace_instance *i, const char *file, struct str *out);
/* The file gets that text instead of what it has; one that the kernel or a policy refuses is told with a remedy. */
int ftrace_set(const struct ftrace_instance *i, const char *file, const char *text);
int ftrace_setf(const struct ftrace_instance *i, const char *file, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same beside what it has. */
int ftrace_add(const struct ftrace_instance *i, const char *file, const char *text);
/* Is the word one of those in the file (available_tracers)? */
bool ftrace_lists(const struct ftrace_instance *i, const char *file, const char *word);
/* The sentence about a file that could not be written or opened; what may be NULL. Returns err. */
int ftrace_explain(int err, const struct ftrace_instance *i, const char *file, const char *what);
/* An option of trace_options: name, or noname to turn it off. -errno with a pending error when there is none of that name. */
int ftrace_option(const struct ftrace_instance *i, const char *name);
/* The options of the tracer that is set there, which outlive an instance, as they are after boot. */
void ftrace_tracer_defaults(const struct ftrace_instance *i);
#endif
