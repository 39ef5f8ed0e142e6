/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sonde run -l: the probes that a word means, as bpftrace lists them. */
#ifndef SCRIPT_LIST_H
#define SCRIPT_LIST_H
#include "base/out.h"
#include "script/script.h"

/* What providers list into. */
struct probe_list {
	struct run_script *s;
	struct out *out;
	const char *pattern; /* "kprobe:vfs_*"; "*": all */
	bool details; /* arguments too */
	size_t shown;
};
/* pattern NULL: all that can be listed without a file's name. "struct NAME": its members. -errno, pending error. */
int probe_list_all(struct run_script *s, const char *pattern, bool details, struct out *out);

/* For providers: a probe, when it fits the pattern; true: it was shown, and its arguments may follow. */
bool list_probe(struct probe_list *l, const char *name);
void list_arg(struct probe_list *l, const char *text); /* "int fd" */
struct type_field;
void list_field(struct probe_list *l, const struct type_field *f);
/* Is this kind asked for by name? Only then files are looked into. */
const char *list_rest(const struct probe_list *l, const struct provider *p); /* what stands behind its colon; NULL: it is not */
#endif
