/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of `sonde sched`. Each is given its words as cmd_... are. */
#ifndef CMD_SCHED_SCHED_H
#define CMD_SCHED_SCHED_H
#include "analysis/sched/event.h"
#include "analysis/sched/perf.h"
#include "base/options.h"

/* What may stand in front of the command's name as well as behind it. */
struct sched_common { const char *input; bool force, dump; };
#define SCHED_COMMON_ROWS(c) \
	OPT_STRING('i', "input", "FILE", c.input, "the recording (perf.data; - is standard input)"), \
	OPT_FLAG('f', "force", c.force, "read a recording that belongs to another user"), \
	OPT_FLAG('D', "dump-raw-trace", c.dump, "dump its records: bytes and meaning"), \
	OPT_VERBOSE("say more")

typedef int sched_command(const struct sched_common *c, int argc, char **argv);
sched_command sched_cmd_latency, sched_cmd_timehist, sched_cmd_map;

/* -D: what sonde script -D prints; the exit code. */
int sched_dump(const struct sched_common *c);
/* Calls take with every event of p. -errno and a pending error; what take returns, when that is negative. */
typedef int sched_take(void *ctx, const struct sched_event *e);
int sched_each(struct perfdata *p, sched_take *take, void *ctx);
#endif
