// SPDX-License-Identifier: GPL-2.0-or-later
#include "sonde.h"
#include "cmd/commands.h"
#include "cmd/config_keys.h"
#include "cmd/global.h"
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/error.h"
#include "base/out.h"
#include "base/signals.h"
#include "base/str.h"
#include "base/words.h"
#include "kernel/rights/lent.h"

/* A new sub-command is one file in src/cmd and one row in commands.def. */
static const struct command commands[] = {
#define COMMAND(name, function, help) { name, function, help },
#include "cmd/commands.def"
#undef COMMAND
	{ 0 },
};
enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) - 1 };

static const struct command *command_find(const char *name)
{
	for (int i = 0; i < N_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static void usage(FILE *f)
{
	fputs("usage: sonde COMMAND [OPTIONS] [-- PROGRAM [ARGS]]\n\n", f);
	for (int i = 0; i < N_COMMANDS; i++)
		fprintf(f, "  %-14s %s\n", commands[i].name, commands[i].help);
	fputs("\nsonde help COMMAND tells more; sonde doctor tells what this machine can do.\n", f);
}

/* What perf has and sonde has not: the file that both read leads there. */
static bool hint_perf(const char *name)
{
	static const char *const readers[] = { "annotate", "data", "diff", "inject", "kmem", "timechart" };
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++) {
		if (!strcmp(name, readers[i])) {
			error_hint("perf %s reads the perf.data that sonde record writes", name);
			return true;
		}
	}
	return false;
}

static int unknown(const char *name)
{
	struct nearest n;
	error_set(22, "'%s' is not a sonde command", name);
	nearest_init(&n, name);
	for (int i = 0; i < N_COMMANDS; i++)
		nearest_offer(&n, commands[i].name);
	if (!hint_perf(name) && !nearest_hint(&n))
		error_hint("sonde help lists the commands");
	error_print();
	return EXIT_USAGE;
}

static int help(int argc, char **argv)
{
	if (argc < 2) {
		usage(stdout);
		return 0;
	}
	const struct command *c = command_find(argv[1]);
	if (!c)
		return unknown(argv[1]);
	char *words[] = { argv[1], (char *)"--help", NULL };
	return c->run(2, words);
}

/* Recordings and debug information are mapped: whoever cuts such a file while it is read stops us here. */
static void on_bus(int sig, siginfo_t *i, void *context)
{
	static const char text[] = "sonde: a file became shorter while it was read\n"
				   "hint: it is being written anew: wait until that has ended, or read a copy\n";
	(void)context;
	if (i->si_code == BUS_ADRERR && write(2, text, sizeof(text) - 1) >= 0)
		_exit(EXIT_SONDE);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Commands that open events or load programs; doctor and run say what would be if they did. */
static bool takes_lent_rights(const struct command *c)
{
	static int (*const these[])(int, char **) = { cmd_trace, cmd_stat, cmd_record, cmd_list, cmd_doctor, cmd_run };
	for (size_t i = 0; i < sizeof(these) / sizeof(*these); i++)
		if (c->run == these[i])
			return true;
	return false;
}

/* What the configuration says goes before what was typed. */
static int run_command(const struct command *c, int argc, char **argv)
{
	if (!takes_lent_rights(c))
		lent_give_up();
	config_apply(c->name);
	char **all = config_arguments(c->name, &argc, argv);
	int code = c->run(argc, all);
	free(all);
	return code;
}

static int list_commands(void)
{
	for (int i = 0; i < N_COMMANDS; i++)
		printf("%s ", commands[i].name);
	putchar('\n');
	return 0;
}

static int version(bool all)
{
	char *words[] = { (char *)"version", all ? (char *)"--build-options" : NULL, NULL };
	return cmd_version(all ? 2 : 1, words);
}

/* The options before the command, then the command. */
static int run_words(int argc, char **argv)
{
	struct global_options g = { 0 };
	argc = global_parse(&g, argc, argv);
	if (argc < 0) {
		error_print();
		return EXIT_USAGE;
	}
	if (global_apply(&g))
		return error_print();
	if (g.version || g.v)
		return version(g.v > 1);
	if (g.list_commands)
		return list_commands();
	if (g.list_options)
		return global_list();
	if (g.help)
		return 0;
	if (!argc) {
		usage(stdout);
		return 0;
	}
	if (!strcmp(argv[0], "help"))
		return help(argc, argv);
	const struct command *c = command_find(argv[0]);
	if (!c)
		return unknown(argv[0]);
	return run_command(c, argc, argv);
}

static int run(int argc, char **argv)
{
	struct sigaction bus = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };
	const char *self = strrchr(argv[0] ? argv[0] : "sonde", '/');
	self = self ? self + 1 : argv[0] ? argv[0] : "sonde";
	sigaction(SIGBUS, &bus, NULL);
	signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is told like a full disk */
	if (!strcmp(self, "stap") || !strcmp(self, "staprun") || !strcmp(self, "bpftrace"))
		return run_command(command_find("run"), argc, argv);
	if (strcmp(self, "sonde") && command_find(self)) /* called as `trace` */
		return run_command(command_find(self), argc, argv);
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return help(argc - 1, argv + 1);
	return argc < 2 ? (usage(stdout), 0) : run_words(argc, argv);
}

enum { STACK = 512 << 10 }; /* more than sonde uses */

static __attribute__((noinline)) void touch_stack(void)
{
	volatile char page[STACK];
	for (size_t i = sizeof(page); i; i -= 4096)
		page[i - 1] = 0;
}

/* Under a limit on address space the stack is grown while there is room: later its growth would be refused by a signal. */
static void grow_stack(void)
{
	struct rlimit space, stack;
	if (getrlimit(RLIMIT_AS, &space) || space.rlim_cur == RLIM_INFINITY || getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur < 2 * STACK)
		return;
	void *room = mmap(NULL, 2 * STACK, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		out_of_memory();
	munmap(room, 2 * STACK);
	touch_stack();
}

int main(int argc, char **argv)
{
	grow_stack();
	int code = lent_begin() ? error_print() : run(argc, argv);
	/* help and the version go through stdio; a reader that has seen enough is no failure */
	if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE && !code) {
		error_sys(errno, "cannot write to standard output");
		error_hint("it is full, or was closed by whoever started sonde");
		code = error_print();
	}
	out_pager_end();
	/* Ctrl-C ended the command: a shell ends its loop only if what it had started died of it, too */
	if (code == 128 + SIGINT && signals_which() == SIGINT)
		signals_die(SIGINT);
	return code;
}
