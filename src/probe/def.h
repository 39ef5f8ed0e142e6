/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A probe as the kernel takes it: one line of kprobe_events or uprobe_events. */
#ifndef PROBE_DEF_H
#define PROBE_DEF_H
#include <stdbool.h>
#include <stdint.h>
#include "base/str.h"
#include "base/vec.h"

struct probe_defarg {
	char *name; /* NULL: the kernel numbers it */
	char *value; /* "%di", "+8(%si)", "$retval", "\\5" */
	char *type; /* NULL: the kernel's default */
};

struct probe_def {
	bool user, ret;
	char *group, *event;
	char *target; /* user: the file's path; kernel: a module's name or NULL */
	char *symbol; /* kernel: what the offset counts from; NULL: offset is an address */
	uint64_t offset; /* user: in the file */
	uint64_t ref_ctr; /* user: file offset of a marker's semaphore, 0 none */
	VEC(struct probe_defarg) args;
	/* not written to the kernel */
	uint64_t dev, ino; /* user: the file that was read; ino 0: not known */
	int64_t mtime;
	uint64_t addr; /* in the file's own address space */
	char *func; /* name for the event if none was given */
	int spec; /* which definition of the command line it came from */
};
typedef VEC(struct probe_def) probe_defs;

/* Place and arguments alone; the suffix goes behind the place. */
void probe_def_body(const struct probe_def *d, const char *suffix, struct str *out);
void probe_def_line(const struct probe_def *d, struct str *out);
/* Reads a line as kprobe_events/uprobe_events show them. user: which file. -EINVAL if not one. */
int probe_def_parse(struct probe_def *d, const char *line, size_t n, bool user);
struct probe_defarg *probe_def_arg(struct probe_def *d, const char *name, const char *value, const char *type);
void probe_def_release(struct probe_def *d);
void probe_defs_release(probe_defs *l);
#endif
