// SPDX-License-Identifier: GPL-2.0-or-later
/* kaddr("name"), override(n): what the kernel's own code is asked for. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/root.h"
#include "script/builtin/builtin.h"
#include "script/provider/provider.h"

enum { INJECTION_LIST_MOST = 1 << 20 };

/* ---- kaddr ---- */

int builtin_kaddr(const char *name, uint64_t *address)
{
	FILE *f = fopen(root_path(ROOT_PROC, "kallsyms"), "re");
	char *line = NULL, type[4], word[512];
	size_t cap = 0;
	int err = f ? -ENOENT : -errno;
	unsigned long long v;
	while (err == -ENOENT && getline(&line, &cap, f) > 0)
		if (sscanf(line, "%llx %3s %511s", &v, type, word) == 3 && !strcmp(word, name)) {
			*address = v;
			err = v ? 0 : -EPERM;
		}
	free(line);
	if (f)
		fclose(f);
	return err;
}

static struct script_type *check_kaddr(struct checker *c, struct script_node *n)
{
	if (n->args->kind != NODE_STRING)
		return check_fail(c, n->args->at, "kaddr() takes the name of a kernel symbol, a string");
	int err = n->value || !c->strict ? 0 : builtin_kaddr(n->args->name, &n->value);
	if (err == -ENOENT)
		return check_fail(c, n->args->at, "there is no kernel symbol '%s'", n->args->name);
	if (err)
		return check_fail(c, n->args->at, "the kernel hides its addresses from this user");
	return &type_u64;
}

static int lower_kaddr(struct lower *l, struct script_node *n)
{
	return low_const(l, (int64_t)n->value);
}

/* ---- override ---- */

/* Is the function on the kernel's list of those that may be overridden? True where nobody can tell. */
static bool may_override(const char *function)
{
	struct str list = STR_INIT;
	size_t len = strcspn(function, "+");
	bool found = file_read(root_path(ROOT_SYS, "kernel/debug/error_injection/list"), &list, INJECTION_LIST_MOST) != 0;
	for (const char *p = list.buf; !found && p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
		found = !strncmp(p, function, len) && (p[len] == '\t' || p[len] == ' ');
	str_release(&list);
	return found;
}

static struct script_type *check_override(struct checker *c, struct script_node *n)
{
	const char *name = strrchr(c->point->name, ':');
	if (!check_unsafe(c, n) || !check_number(c, n->args, "what the function is to return"))
		return &type_none;
	if (strcmp(c->point->provider->name, "kprobe"))
		return check_fail(c, n->at, "override() is for kprobes: the function is not called, and returns what it is given");
	if (c->strict && libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_override_return, NULL) == 0) {
		check_fail(c, n->at, "this kernel cannot override what a function returns");
		error_hint("it takes a kernel that is built with CONFIG_BPF_KPROBE_OVERRIDE");
		return &type_none;
	}
	if (c->strict && name && !may_override(name + 1)) {
		check_fail(c, n->at, "%s may not be overridden", name + 1);
		error_hint("the kernel allows it for functions that are marked ALLOW_ERROR_INJECTION: /sys/kernel/debug/error_injection/list");
		return &type_none;
	}
	return &type_none;
}

static int lower_override(struct lower *l, struct script_node *n)
{
	LOW_CALL(l, BPF_FUNC_override_return, arg_reg(l->context), arg_reg(lower_word(l, n->args)));
	return IR_NO;
}

const struct builtin builtins_kernel[] = {
	{ "kaddr", true, 1, 1, .check = check_kaddr, .lower = lower_kaddr },
	{ "override", true, 1, 1, .check = check_override, .lower = lower_override },
	{ 0 },
};
