// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include "script/builtin/builtin.h"

static const struct builtin *const families[] = { builtins_task, builtins_time, builtins_text, builtins_aggregate, builtins_output,
	builtins_map, builtins_place, builtins_stack, builtins_net, builtins_names, builtins_bytes, builtins_string, builtins_said, builtins_act,
	builtins_pointer, builtins_stap, builtins_kernel, builtins_uaddr };
enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

const struct builtin *builtin_next(const struct builtin *b)
{
	if (!b)
		return families[0];
	if (b[1].name)
		return b + 1;
	for (int i = 0; i + 1 < FAMILIES; i++)
		for (const struct builtin *k = families[i]; k->name; k++)
			if (k == b)
				return families[i + 1];
	return NULL;
}

const struct builtin *builtin_find(const char *name, bool is_call)
{
	for (const struct builtin *b = NULL; (b = builtin_next(b));)
		if (b->is_call == is_call && !strcmp(b->name, name))
			return b;
	return NULL;
}

const char *builtin_later(const char *name)
{
	static const char *const known[] = { "fail", "getopt", "is_err", "path", "percpu_kaddr",
		"skboutput", "socket_cookie", "stack", "tseries", "unwatch", "ctx", "comm" };
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i], name))
			return known[i];
	return NULL;
}
