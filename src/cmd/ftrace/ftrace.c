// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace: the kernel's own tracers. The first word is a verb (cmd/ftrace/verbs.def); without one it is `trace`. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "cmd/ftrace/verbs.h"
#include "kernel/workload.h"

static const struct { const char *name; int (*run)(int argc, char **argv); } verbs[] = {
#define VERB(name, function, help) { name, function },
#include "cmd/ftrace/verbs.def"
#undef VERB
};

/* Neither an option nor a program that could be traced, but nearly a verb. */
static bool is_mistyped(const char *word)
{
	struct nearest n;
	char *program = *word == '-' ? NULL : workload_find(word);
	bool taken = *word == '-' || program;
	free(program);
	if (taken)
		return false;
	nearest_init(&n, word);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		nearest_offer(&n, verbs[i].name);
	error_set(EINVAL, "ftrace: '%s' is neither a verb nor a program", word);
	if (!nearest_hint(&n))
		error_clear();
	return error_pending();
}

int cmd_ftrace(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	return argc > 1 && is_mistyped(argv[1]) ? error_print() : ftrace_cmd_trace(argc, argv);
}
