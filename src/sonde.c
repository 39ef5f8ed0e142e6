// SPDX-License-Identifier: GPL-2.0-or-later
#include "sonde.h"
#include "cmd/commands.h"
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/words.h"

#ifndef SONDE_VERSION
#define SONDE_VERSION "0.1"
#endif

/* A new sub-command is one file in src/cmd and one row here (and its prototype in commands.h). */
static const struct command commands[] = {
#define COMMAND(name, function, help) { name, function, help },
#include "cmd/commands.def"
#undef COMMAND
	{ 0 },
};
enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) - 1 };

const struct command *command_find(const char *name)
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
	static const char *const readers[] = { "annotate", "data", "diff", "evlist", "inject", "kmem", "lock", "sched", "timechart" };
	if (!strcmp(name, "top")) {
		error_hint("sonde record -F 99 -ag -- sleep 3, then sonde report");
		return true;
	}
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

static int run(int argc, char **argv)
{
	struct sigaction bus = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };
	const char *self = strrchr(argv[0] ? argv[0] : "sonde", '/');
	self = self ? self + 1 : argv[0] ? argv[0] : "sonde";
	sigaction(SIGBUS, &bus, NULL);
	signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is told like a full disk */
	if (strcmp(self, "sonde") && command_find(self)) /* called as `trace` */
		return command_find(self)->run(argc, argv);
	if (argc < 2) {
		usage(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version") || !strcmp(argv[1], "-v")) {
		puts("sonde " SONDE_VERSION);
		return 0;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help(argc - 1, argv + 1);
	const struct command *c = command_find(argv[1]);
	return c ? c->run(argc - 1, argv + 1) : unknown(argv[1]);
}

int main(int argc, char **argv)
{
	int code = run(argc, argv);
	/* help and the version go through stdio; a reader that has seen enough is no failure */
	if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE && !code) {
		error_sys(errno, "cannot write to standard output");
		error_hint("it is full, or was closed by whoever started sonde");
		code = error_print();
	}
	return code;
}
