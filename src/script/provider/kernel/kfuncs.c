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
	bool read, listed;
} all;

/* "ffffffff81000000 T _text", "ffffffffc0001000 t ovs_init\t[openvswitch]" */
static void add_line(char *line)
{
	char *end, *module = strchr(line, '\t');
	uint64_t addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !strchr("tTwW", end[1]))
		return;
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
	*vec_push(&all.funcs) = (struct kfunc){ .name = end + 3, .module = module, .addr = addr, .traceable = true };
}

/* Names that are in the list less often than there are functions of that name are left out: it does not say which is meant. */
static void mark_traceable(void)
{
	struct str text = STR_INIT;
	struct strmap listed = { 0 };
	char *save = NULL;
	if (!tracefs_ready() && !file_read(tracefs_path("available_filter_functions"), &text, TEXT_MOST) && text.len) {
		all.listed = true;
		for (char *line = strtok_r(text.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			line[strcspn(line, " ")] = 0;
			strmap_set(&listed, line, (char *)strmap_get(&listed, line) + 1);
		}
		vec_each(&all.funcs, f)
			strmap_set(&listed, f->name, (char *)strmap_get(&listed, f->name) - 1);
		vec_each(&all.funcs, f)
			f->traceable = strmap_has(&listed, f->name) && !strmap_get(&listed, f->name);
	}
	error_clear();
	strmap_release(&listed);
	str_release(&text);
}

static int read_all(void)
{
	if (all.read)
		return 0;
	int err = file_read(root_path(ROOT_PROC, "kallsyms"), &all.text, TEXT_MOST);
	if (err)
		return error_sys(-err, "cannot read /proc/kallsyms, which names the kernel's functions");
	char *save = NULL;
	for (char *line = strtok_r(all.text.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		add_line(line);
	mark_traceable();
	all.read = true;
	return 0;
}

bool kfuncs_listed(void)
{
	return !read_all() && all.listed;
}

int kfuncs_each(const char *module, const char *name, kfunc_taker *fn, void *ctx)
{
	int err = read_all();
	bool glob = glob_has(name);
	for (size_t i = 0; !err && i < all.funcs.n; i++) {
		const struct kfunc *f = &all.funcs.at[i];
		if (!(glob ? glob_match(name, f->name) : !strcmp(name, f->name)) ||
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
	all.read = all.listed = false;
}
