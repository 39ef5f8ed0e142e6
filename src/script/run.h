/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader's side: takes the records that programs have made, in their order, and has each shown by the built-in that
 * it is of. */
#ifndef SCRIPT_RUN_H
#define SCRIPT_RUN_H
#include "base/out.h"
#include "script/load.h"
#include "script/show/stack.h"

/* What turns numbers into names. */
struct namer { const struct run_script *s; bool terminal; /* what came from outside is escaped */ struct stack_names *stacks; };

struct ring_buffer;
struct runner {
	struct run_script *s;
	struct script_load load;
	struct out *out;
	bool json;
	struct namer namer;
	struct stack_names stacks;
	struct ring_buffer *ring; /* NULL: the script prints nothing */
	uint64_t records, told_lost, told_missed;
	uint64_t drain_until; /* ns: records that come as fast as they are shown do not keep us from the end; 0: all there are */
	bool detached; /* no more come */
	bool unbuffered; /* every record is written at once */
	bool refresh; /* what an interval prints stands where the last was */
	const struct site *refreshed; uint64_t refreshed_at; /* the last record of an interval */
	unsigned idle; /* rounds without a record */
	int err;
};
/* Loads; nothing runs yet. -errno, pending error. */
int run_open(struct runner *r, struct run_script *s, struct out *out, bool json, unsigned ring_bytes);
int run_begin(struct runner *r); /* attaches, runs BEGIN */
int run_drain(struct runner *r); /* shows what there is, for a moment at most before run_end(): how many, or -errno and a pending error */
bool run_over(const struct runner *r); /* exit() was called, and all before it is shown */
int run_fd(const struct runner *r); /* for poll: readable when a record comes and run_wait() was long */
/* How long to sleep before the next drain, ms; -1: until run_fd() is readable. */
int run_wait(struct runner *r);
int run_stop(struct runner *r); /* detaches, shows what came before; for scripts that have their own end */
void run_tell(const struct runner *r); /* what is missing, at the end */
int run_end(struct runner *r); /* detaches, runs END, shows the rest and all maps, tells what was lost */
int run_code(const struct runner *r); /* what exit() was given */
void run_close(struct runner *r);

/* For built-ins: a piece of output, cleared then. type is what JSON calls it. */
void run_text(struct runner *r, const char *type, struct str *text);
void run_value(struct runner *r, struct str *value); /* written for the form that is wanted */
#endif
