// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/kernel/kfuncs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/words.h"
#include "kernel/root.h"
#include "kernel/tracefs.h"

enum { TEXT_MOST = 256 << 20 };

/* Read once: they do not change while a script is compiled. */
static struct {
	VEC(struct kfunc) funcs;
	struct str text; /* names point into it */
	struct str traceable; /* the kernel's list of functions that can be traced, a line each */
	bool read, asked; /* asked: for that list */
} all;

/* "ffffffff81000000 T _text", "ffffffffc0001000 t ovs_init\t[openvswitch]". Most lines are of data: their letter is looked at first. */
static void add_line(char *line)
{
	char *space = strchr(line, ' '), *module;
	if (!space || !space[1] || space[2] != ' ' || !strchr("tTwW", space[1]))
		return;
	module = strchr(space + 3, '\t');
	if (module) {
		*module++ = 0;
		size_t n = strlen(module);
		if (n < 3 || *module != '[' || module[n - 1] != ']')
			return;
		module[n - 1] = 0;
		module++;
		if (!strcmp(module, "bpf") || !strcmp(module, "__builtin__kprobes") || !strcmp(module, "__builtin__ftrace"))
			return;
	}
	char *end;
	uint64_t addr = strtoull(line, &end, 16);
	if (end == space)
		*vec_push(&all.funcs) = (struct kfunc){ .name = space + 3, .module = module, .addr = addr, .traceable = true };
}

static char *cut_line(char *line)
{
	char *nl = strchr(line, '\n');
	if (nl)
		*nl++ = 0;
	return nl ? nl : line + strlen(line);
}

static bool fits(const char *pattern, bool glob, const char *name)
{
	return glob ? glob_match(pattern, name) : !strcmp(pattern, name);
}

static bool list_read(void)
{
	if (!all.asked && (tracefs_ready() || file_read(tracefs_path("available_filter_functions"), &all.traceable, TEXT_MOST)))
		error_clear();
	all.asked = true;
	return all.traceable.len > 0;
}

/* Names that are in the list less often than there are functions of that name are left out: it does not say which is meant. Of
 * those that fit, that is: in all of them it would take longer than all else. */
static void mark_traceable(const char *pattern, bool glob)
{
	struct strmap listed = { 0 };
	char name[512];
	if (!list_read())
		return;
	for (const char *line = all.traceable.buf; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t n = strcspn(line, " \t\n");
		if (!n || n >= sizeof(name) || (!glob && strncmp(pattern, line, n)))
			continue;
		memcpy(name, line, n);
		name[n] = 0;
		if (fits(pattern, glob, name))
			strmap_set(&listed, name, (char *)strmap_get(&listed, name) + 1);
	}
	vec_each(&all.funcs, f)
		if (fits(pattern, glob, f->name))
			strmap_set(&listed, f->name, (char *)strmap_get(&listed, f->name) - 1);
	vec_each(&all.funcs, f)
		if (fits(pattern, glob, f->name))
			f->traceable = !strmap_get(&listed, f->name);
	strmap_release(&listed);
}

static int read_all(void)
{
	if (all.read)
		return 0;
	int err = file_read(root_path(ROOT_PROC, "kallsyms"), &all.text, TEXT_MOST);
	if (err)
		return error_sys(-err, "cannot read /proc/kallsyms, which names the kernel's functions");
	for (char *line = all.text.buf, *next; *line; line = next) {
		next = cut_line(line);
		add_line(line);
	}
	all.read = true;
	return 0;
}

bool kfuncs_listed(void)
{
	return !read_all() && list_read();
}

int kfuncs_each(const char *module, const char *name, kfunc_taker *fn, void *ctx)
{
	int err = read_all();
	bool glob = glob_has(name);
	if (!err)
		mark_traceable(name, glob);
	for (size_t i = 0; !err && i < all.funcs.n; i++) {
		const struct kfunc *f = &all.funcs.at[i];
		if (!fits(name, glob, f->name) ||
		    (module && !glob_match(module, f->module ? f->module : "vmlinux")))
			continue;
		if (!fn(f, ctx))
			break;
	}
	return err;
}

void kfuncs_near(const char *name)
{
	struct nearest near;
	nearest_init(&near, name);
	for (size_t i = 0; i < all.funcs.n; i++)
		nearest_offer(&near, all.funcs.at[i].name);
	if (!nearest_hint(&near))
		error_hint("sonde run -l 'kprobe:*%s*' looks for a part of a name", name);
}

void kfuncs_forget(void)
{
	vec_release(&all.funcs);
	str_release(&all.text);
	str_release(&all.traceable);
	all.read = all.asked = false;
}
