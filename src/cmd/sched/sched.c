// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "cmd/sched/sched.h"
#include "kernel/tracefs.h"

struct sched_options { struct sched_common c; };
#define OPTIONS struct sched_options

static const char *const usage[] = {
	"sonde sched record [OPTIONS OF record] [COMMAND]",
	"sonde sched latency [-i FILE] [-p] [-s KEYS]",
	"sonde sched latency [-p] [-s KEYS] -- COMMAND",
	"sonde sched timehist [-i FILE] [-s] [-w] [-M] ...",
	"sonde sched map [-i FILE] [--compact] ...",
	"sonde sched script [OPTIONS OF script]",
	NULL,
};

static const struct option_row rows[] = { SCHED_COMMON_ROWS(c), OPT_END() };

static int replay(const struct sched_common *c, int argc, char **argv)
{
	(void)c, (void)argc, (void)argv;
	error_set(ENOTSUP, "sched replay is not there: threads that only burn and sleep the recorded times tell nothing of the program");
	error_hint("sonde sched timehist shows each run and wait; perf sched replay reads the same file");
	return error_print();
}

int sched_each(struct perfdata *p, sched_take *take, void *ctx)
{
	struct sched_perf *s = sched_perf_new(p);
	struct perfdata_record r;
	struct sched_event e;
	int err;
	while ((err = perfdata_next(p, &r)) > 0) {
		sched_perf_event(s, &r, &e);
		err = take(ctx, &e);
		if (err)
			break;
	}
	sched_perf_free(s);
	return err < 0 ? err : 0;
}

static int call(int (*command)(int, char **), const char *const *first, int argc, char **argv)
{
	VEC(char *) words = { 0 };
	for (; *first; first++)
		*vec_push(&words) = (char *)*first;
	for (int i = 1; i < argc; i++)
		*vec_push(&words) = argv[i];
	*vec_push(&words) = NULL;
	int code = command((int)words.n - 1, words.at);
	vec_release(&words);
	return code;
}

int sched_dump(const struct sched_common *c)
{
	char *none[] = { NULL };
	return call(cmd_script, (const char *[]){ "script", "-D", "-i", c->input ?: "perf.data", c->force ? "-f" : NULL, NULL }, 0, none);
}

static int cmd_sched_script(const struct sched_common *c, int argc, char **argv)
{
	const char *first[] = { "script", c->input ? "-i" : NULL, c->input, c->force ? "-f" : NULL, NULL };
	return call(cmd_script, first, argc, argv);
}

/* What perf sched record asks for. The events of sched_stat need CONFIG_SCHEDSTATS, sched_waking Linux 4.3. */
static int cmd_sched_record(const struct sched_common *c, int argc, char **argv)
{
	static const char *const events[] = { "sched_switch", "sched_stat_wait", "sched_stat_sleep", "sched_stat_iowait",
					      "sched_stat_runtime", "sched_process_fork", "sched_wakeup_new", "sched_migrate_task" };
	VEC(char *) first = { 0 };
	static const char *const how[] = { "record", "-a", "-R", "-c", "1" };
	(void)c;
	if (tracefs_ready())
		return error_print();
	for (size_t i = 0; i < 5; i++)
		*vec_push(&first) = xstrdup(how[i]);
	for (size_t i = 0; i <= 8; i++) {
		const char *name = i < 8 ? events[i] : tracefs_event_id("sched", "sched_waking") >= 0 ? "sched_waking" : "sched_wakeup";
		if (i && i < 8 && tracefs_event_id("sched", name) < 0)
			continue;
		*vec_push(&first) = xstrdup("-e");
		*vec_push(&first) = xasprintf("sched:%s", name);
	}
	*vec_push(&first) = NULL;
	int code = call(cmd_record, (const char *const *)first.at, argc, argv);
	vec_each(&first, w)
		free(*w);
	vec_release(&first);
	return code;
}

static const struct sched_row { const char *name; sched_command *run; } commands[] = {
	{ "record", cmd_sched_record }, { "latency", sched_cmd_latency }, { "timehist", sched_cmd_timehist },
	{ "map", sched_cmd_map }, { "script", cmd_sched_script }, { "replay", replay },
};


static int unknown(const char *name)
{
	struct nearest near;
	error_set(EINVAL, "sched: '%s' is none of its commands", name);
	nearest_init(&near, name);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		nearest_offer(&near, commands[i].name);
	if (!nearest_hint(&near))
		error_hint("record, latency, timehist, map, script");
	return -EINVAL;
}

int cmd_sched(int argc, char **argv)
{
	struct sched_options o = { 0 };
	int n = options_parse(&o, argc, argv, rows, usage, OPTIONS_STOP_AT_ARG);
	if (n == 0) {
		error_set(EINVAL, "sched: what of it?");
		n = error_hint("record, latency, timehist, map, script");
	}
	if (n < 0)
		return options_exit(n, usage);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[0], commands[i].name))
			return commands[i].run(&o.c, n, argv);
	return options_exit(unknown(argv[0]), usage);
}
