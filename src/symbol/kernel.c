// SPDX-License-Identifier: GPL-2.0-or-later
/* One table holds the kernel, its modules and BPF programs, as kallsyms does. A recording made in
 * another boot has its kernel text elsewhere: the difference is found from the address of _text that
 * every recording carries. */
#include "symbol/kernel.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/root.h"
#include "symbol/file/debugfile.h"

enum { KALLSYMS_MAX = 256 << 20 };

static int load_text(struct image *im, const char *path, struct str *looked)
{
	struct str s = STR_INIT;
	int err;
	str_addf(looked, "%s\n", path);
	str_grow(&s, 8 << 20); /* kallsyms has no size to ask for */
	err = file_read(path, &s, KALLSYMS_MAX);
	if (err) {
		str_release(&s);
		return err;
	}
	size_t n = s.len;
	err = symtab_load_kallsyms(&im->tab, str_detach(&s), n);
	if (!err)
		im->symbol_path = xstrdup(path);
	return err;
}

static int load_running(struct image *im, struct str *looked)
{
	if (!kallsyms_cache_load(&im->tab)) {
		im->partial = true;
		im->symbol_path = xstrdup(root_path(ROOT_PROC, "kallsyms"));
		return 0;
	}
	int err = load_text(im, root_path(ROOT_PROC, "kallsyms"), looked);
	if (!err)
		kallsyms_cache_save(&im->tab);
	return err;
}

/* What was resolved keeps its names: the old text stays in the table's hands. */
void kernel_cover(struct image *im, uint64_t addr)
{
	struct str looked = STR_INIT;
	struct symtab *t = &im->tab;
	if (!im->partial || (addr >= t->text && addr < vec_last(&t->sym)->start))
		return;
	im->partial = false;
	t->sym.n = t->module.n = 0;
	free(im->symbol_path);
	im->symbol_path = NULL;
	load_text(im, root_path(ROOT_PROC, "kallsyms"), &looked);
	str_release(&looked);
}

static int load_vmlinux(struct image *im, const char *path)
{
	struct elf_file e;
	int err = elf_open(&e, path);
	if (err)
		return err;
	if (symtab_load_elf(&im->tab, &e, NULL))
		im->symbol_path = xstrdup(path);
	elf_close(&e);
	return im->tab.sym.n ? 0 : -ENODATA;
}

static int load_cached(struct image *im, const char *folder, const char *below, struct str *looked)
{
	char hex[41];
	if (!folder || im->dso.build_id.n < 2)
		return -ENOENT;
	build_id_hex(&im->dso.build_id, hex);
	char *path = xasprintf("%s%s/%.2s/%s/kallsyms", folder, below, hex, hex + 2);
	int err = load_text(im, path, looked);
	free(path);
	return err;
}

static bool is_running_kernel(const struct image *im)
{
	struct build_id own = { .n = 0 };
	if (!im->dso.build_id.n)
		return !symbols_options_of(im->owner)->offline;
	return !build_id_of_kernel(&own) && build_id_same(&own, &im->dso.build_id);
}

/* Names of another build would be wrong without a sign of it. */
static bool is_other_build(const struct image *im, const char *vmlinux)
{
	struct build_id id = { .n = 0 };
	if (!im->dso.build_id.n || build_id_of_file(vmlinux, &id) || build_id_same(&id, &im->dso.build_id))
		return false;
	warn("%s is not the kernel that was recorded (its build-id differs): not used", vmlinux);
	return true;
}

/* A System.map has no build-id: the release has to do. Packages may leave one line in its place. */
static int load_system_map(struct image *im, struct str *looked)
{
	static const char *const place[] = { "/boot/System.map-%s", "/usr/lib/debug/boot/System.map-%s", "/lib/modules/%s/System.map" };
	const char *release = symbols_kernel_release(im->owner), *fs = symbols_options_of(im->owner)->symfs ?: "";
	for (size_t i = 0; release && i < sizeof(place) / sizeof(*place); i++) {
		const char *gap = strstr(place[i], "%s");
		char *path = xasprintf("%s%.*s%s%s", fs, (int)(gap - place[i]), place[i], release, gap + 2);
		int err = load_text(im, path, looked);
		free(path);
		if (!err && im->tab.text)
			return 0;
		if (!err) {
			im->tab.sym.n = 0;
			free(im->symbol_path);
			im->symbol_path = NULL;
		}
	}
	return -ENOENT;
}

static int find_vmlinux(struct image *im, struct str *looked)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	struct debugfile d;
	int err = debugfile_vmlinux(&d, &(struct kernel_query){ .id = &im->dso.build_id, .want = 's',
		.release = symbols_kernel_release(im->owner), .symfs = o->symfs, .archive = o->archive });
	str_add(looked, d.looked.buf);
	err = err ? -ENOENT : load_vmlinux(im, d.path);
	debugfile_release(&d);
	return err;
}

static int find_table(struct image *im, struct str *looked)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	if (o->kallsyms)
		return load_text(im, o->kallsyms, looked);
	if (o->vmlinux && (o->force || !is_other_build(im, o->vmlinux)))
		return load_vmlinux(im, o->vmlinux);
	if (!load_cached(im, o->archive, "/.build-id", looked))
		return 0;
	int err = is_running_kernel(im) ? load_running(im, looked) : -ENOENT;
	if (!err)
		return 0;
	if (!o->no_vmlinux && !find_vmlinux(im, looked))
		return 0; /* else the reason stays that of the running kernel's list */
	if (err && !load_cached(im, getenv("HOME"), "/.debug/.build-id", looked))
		err = 0;
	return err && !load_system_map(im, looked) ? 0 : err;
}

/* The kernel's rule: 2 hides them from all; 1 from those without CAP_SYSLOG; 0 too, unless they may profile the kernel. */
static void explain_hidden(struct str *s)
{
	int64_t restricted = 0, paranoid = 0;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/kptr_restrict"), &restricted);
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/perf_event_paranoid"), &paranoid);
	str_addf(s, "no symbols: kernel addresses are hidden (kernel.kptr_restrict is %d, kernel.perf_event_paranoid %d); ", (int)restricted, (int)paranoid);
	if (restricted > 1)
		str_add(s, "sudo sysctl kernel.kptr_restrict=1, then read the recording as root");
	else
		str_addf(s, "read the recording as root, or: sudo sysctl%s kernel.perf_event_paranoid=1", restricted ? " kernel.kptr_restrict=0" : "");
}

static void explain(struct image *im, int err, const struct str *looked)
{
	struct str s = STR_INIT;
	const char *given = symbols_options_of(im->owner)->kallsyms;
	if (given) /* nothing else was looked at */
		str_addf(&s, "no symbols: --kallsyms %s %s%s", given, err == -ENODATA ? "has no addresses in it" : "cannot be read: ", err == -ENODATA ? "" : strerror(-err));
	else if (err == -ENODATA)
		explain_hidden(&s);
	else
		str_add(&s, "no symbols: not this machine's kernel; looked in ");
	for (const char *at = looked->buf; !given && err != -ENODATA && *at;) {
		size_t n = strcspn(at, "\n");
		str_addf(&s, "%s%.*s", at == looked->buf ? "" : ", ", (int)n, at);
		at += n + (at[n] == '\n');
	}
	im->why = str_detach(&s);
	im->dso.why_no_symbols = im->why;
}

void kernel_load(struct image *im)
{
	struct str looked = STR_INIT;
	int err = find_table(im, &looked);
	if (err) {
		explain(im, err, &looked);
	} else if (symbols_kernel_text(im->owner)) {
		if (im->tab.text)
			im->reloc = symbols_kernel_text(im->owner) - im->tab.text;
	}
	str_release(&looked);
}
