/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of top share. */
#ifndef JOB_TOP_INNER_H
#define JOB_TOP_INNER_H
#include <pthread.h>
#include "job/life.h"
#include "job/top/top.h"
#include "tui/hist/browse.h"
#include "tui/term/keys.h"

struct top_sample;
/* The last samples, as they came: for `a`. */
struct top_samples {
	struct top_sample *at;
	uint64_t n, taken; /* how many there were; of which so many were looked at */
	uint32_t refresh; /* up to which what was taken has faded */
};

enum { TOP_FADE_NUM = 7, TOP_FADE_DEN = 8 }; /* what is left of a sample at the next refresh */

struct top {
	struct top_options *o;
	struct life life;
	/* the recorder */
	int pid, tell; /* tell: --control's pipe */
	int said; /* what it has to say while the screen is ours; -1: it says so itself */
	/* what is read from it */
	struct perfdata *data;
	struct symbols *syms;
	struct report report;
	struct profile *pr;
	struct hist_browse browse;
	struct top_samples kept;
	/* the thread that reads; the lock is for all that profile_feed() may change */
	pthread_t thread;
	bool reading, over; /* over: there is no more to read */
	pthread_mutex_t lock;
	int over_fd; /* becomes readable then */
	int err; /* what reading ended with */
	char *why; /* and its sentence */
	/* of tables */
	int only_event; /* -1: all */
	char *shown; /* the instructions of that function; NULL: lines */
	double least_percent; /* of an instruction */
	/* of the time since the last refresh */
	uint64_t kernel, user, samples; /* samples by where they fell */
	uint64_t since, cost; /* when it began; CPU time of sonde by then, ns */
	double rate, share, kernel_share; /* samples a second; CPU time a time; of the samples */
};
/* recorder.c */
int top_recorder_start(struct top *t); /* and opens its pipe: -errno; a positive code: it has failed, and told why */
void top_recorder_stop(struct top *t); /* tells it to end */
int top_recorder_end(struct top *t); /* its exit code */
void top_recorder_turn(struct top *t, bool on);
uint64_t top_cost(const struct top *t); /* CPU time of all of sonde, ns */
/* feed.c */
int top_feed_start(struct top *t);
void top_feed_end(struct top *t);
/* Lines are made of what has come; the lock is held. */
void top_refresh(struct top *t);
/* annotate.c */
void top_samples_add(struct top *t, const struct perfdata_record *r);
void top_samples_release(struct top *t);
void top_instructions(struct top *t, int lines, struct out *out); /* of t->shown, as text */
enum tui_did top_annotate(struct tui *tui, struct hist_browse *b, size_t event, const struct place *p);
/* prompt.c */
bool top_prompt_key(struct top *t, struct keys *k); /* there is one: false, it was q */
/* table.c */
int top_tables(struct top *t); /* --stdio, until the end */
#endif
