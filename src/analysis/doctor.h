/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine, this kernel and this user can do, for `sonde doctor`: asked, not shown. */
#ifndef ANALYSIS_DOCTOR_H
#define ANALYSIS_DOCTOR_H
#include "base/words.h"
#include "engine/engine.h"
#include "kernel/features/features.h"
#include "kernel/settings.h"
#include "symbol/file/debugfile.h"

/* What can be asked for: a feature (kernel/features), or one of these. */
enum { DOCTOR_NONE = -1, DOCTOR_DEBUGINFO = N_FEATURES, DOCTOR_ENGINE, DOCTOR_ENGINE_ALL };

/* What each command needs for each use of it; all of them must work. */
struct doctor_use {
	const char *command, *what;
	int needs[3]; /* to DOCTOR_NONE */
};
extern const struct doctor_use doctor_uses[]; /* command is NULL behind the last */

struct doctor_who {
	const char *release; /* of the kernel */
	char machine[65];
	long cpus;
	unsigned uid;
	char *user; /* NULL: the number has no name */
	char *capabilities; /* in words; each by itself: */
	wordlist caps;
	bool in_user_namespace;
};
struct doctor {
	struct doctor_who who;
	const struct settings *settings;
	struct debugfile debug; /* the running kernel's */
	bool has_debug;
	const struct engine_ops *engine, *engine_all; /* what trace would take; NULL: none */
};
struct doctor_answer { /* one answer, whoever it came from */
	enum feature_answer is;
	const char *detail, *remedy;
};
void doctor_examine(struct doctor *d);
struct doctor_answer doctor_ask(const struct doctor *d, int need);
struct doctor_answer doctor_ask_use(const struct doctor *d, const struct doctor_use *u);
/* Can engines[i] trace a command? why: the reason if not, then on a line of its own the remedy. */
bool doctor_engine(int i, struct str *why);
void doctor_release(struct doctor *d);
#endif
