/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of probes: a row each. A provider turns the word before a block into places, knows what a program sees there, and
 * attaches it. */
#ifndef SCRIPT_PROVIDER_H
#define SCRIPT_PROVIDER_H
#include "script/code/lower.h"
#include "script/script.h"

struct probe_list;
struct provider {
	const char *name, *alias; /* "tracepoint", "t"; alias: several with blanks between; NULL: none */
	bool exact; /* its word has nothing behind the name: BEGIN */
	bool spare; /* it runs although exit() was called: END */
	bool own; /* it is no event of the machine's, so it is never left out (--sample): BEGIN, END, interval */
	unsigned prog_type; /* enum bpf_prog_type; 0: the provider chooses with the unit */
	/* Adds the points that `rest`, which is what stands behind the name's colon, means. None: no error by itself, the caller
	 * tells, unless it is 1: all is told. -errno, pending error. */
	int (*expand)(struct run_script *s, const struct attach *a, const char *rest);
	/* May one program serve both? NULL: never. */
	bool (*together)(const struct run_script *s, const struct probe *p, const struct point *a, const struct point *b);
	/* Before the block's own code: what decides whether it is meant at all. NULL: it always is. */
	void (*enter)(struct lower *l);
	/* `args`' member into a register. NULL: there is no `args`. */
	int (*field)(struct lower *l, const struct type_field *f);
	/* arg0 and so on; NULL: there are none. */
	int (*arg)(struct lower *l, unsigned n);
	/* What argN of this point is; NULL: always an uint64. &type_none: a pending error says why there is none. */
	struct script_type *(*arg_type)(const struct point *p, unsigned n);
	int (*retval)(struct lower *l); /* NULL: there is none */
	bool registers; /* its programs are called with registers: reg(), sarg0 */
	enum script_space space; /* of the memory that pointers there lead to */
	void (*plan)(struct run_script *s, struct script_unit *u); /* the unit has all its points. NULL: nothing to do */
	int (*attach)(struct run_script *s, struct script_unit *u); /* loaded. -errno, pending error */
	int (*list)(struct probe_list *l); /* all there are: script/list.h. NULL: nothing to list. -errno, pending error */
};

extern const struct provider provider_begin, provider_end, provider_tracepoint, provider_syscalls, provider_rawtracepoint,
	provider_interval, provider_profile, provider_software, provider_hardware, provider_uprobe, provider_uretprobe, provider_usdt,
	provider_kprobe, provider_kretprobe, provider_fentry, provider_fexit, provider_watchpoint;

const struct provider *provider_next(const struct provider *p); /* NULL: the first; and NULL behind the last */
bool provider_is_called(const struct provider *p, const char *kind);
/* Every word of every block to points, and those to units. -errno, pending error. */
int provider_expand(struct run_script *s);
int provider_expand_probe(struct run_script *s, struct probe *p); /* the same of one block */
/* For providers: a new point; name is copied. */
struct point *provider_point(struct run_script *s, const struct provider *p, const struct attach *a, const char *name);
bool probe_cuts_stack(const struct probe *p); /* is there a kstack(5) in the block? */
/* The block that the word stands before. */
struct probe *probe_of(const struct run_script *s, const struct attach *a);
bool probe_follows(const struct probe *p, const char *word); /* is a built-in of that name a pointer that is followed: retval->a, *retval? */
bool probe_names_types(const struct probe *p); /* a struct or another name that is no number: in a cast, in sizeof */
bool probe_uses(const struct probe *p, const char *word); /* is a built-in of that name in the block? */
#endif
