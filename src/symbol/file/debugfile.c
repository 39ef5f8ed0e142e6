// SPDX-License-Identifier: GPL-2.0-or-later
/* A candidate counts when it opens as ELF, has the wanted part, and its build-id is the one asked for
 * (a file without any build-id is believed only where none is known). */
#include "symbol/file/debugfile.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/file.h"
#include "base/vec.h"
#include "kernel/root.h"
#include "symbol/file/archive.h"
#include "symbol/file/debuginfod.h"
#include "symbol/file/idcache.h"
#include "symbol/file/elffile.h"

static bool has_wanted(const struct elf_file *e, char want)
{
	if (want == 's')
		return elf_has_symtab(e) || elf_find(e, ".gnu_debugdata");
	if (want == 'd')
		return elf_has_dwarf(e);
	/* The mapped file: its text is there, which a debug file has as NOBITS. */
	const struct elf_section *text = elf_find(e, ".text");
	return e->n_sec < 2 || (text && text->type != SHT_NOBITS);
}

static bool try_file(struct debugfile *d, const struct debugfile_query *q, char *path)
{
	struct elf_file e;
	struct build_id id = { .n = 0 };
	str_add(&d->looked, path);
	if (elf_open(&e, path)) {
		str_addc(&d->looked, '\n');
		free(path);
		return false;
	}
	bool good = has_wanted(&e, q->want);
	if (q->id && q->id->n && (elf_build_id(&e, &id) || !build_id_same(&id, q->id))) {
		char hex[41];
		build_id_hex(&id, hex);
		str_addf(&d->looked, id.n ? " (build-id %s)" : " (without build-id)", hex);
		if (id.n && q->binary && str_ends(path, q->binary) && !d->other.n)
			d->other = id;
		good = false;
	}
	str_addc(&d->looked, '\n');
	elf_close(&e);
	if (!good) {
		free(path);
		return false;
	}
	d->path = path;
	return true;
}

/* "ab/cdef..." below a folder of build-ids. */
static char *id_path(const char *prefix, const char *folder, const struct build_id *id, const char *end)
{
	char hex[41];
	build_id_hex(id, hex);
	return xasprintf("%s%s/%.2s/%s%s", prefix, folder, hex, hex + 2, end);
}

static bool try_build_id(struct debugfile *d, const struct debugfile_query *q)
{
	const char *fs = q->symfs ?: "";
	if (!q->id || q->id->n < 2)
		return false;
	if (q->archive &&
	    (try_file(d, q, id_path(q->archive, "/.build-id", q->id, "/elf")) ||
	     try_file(d, q, id_path(q->archive, "/.build-id", q->id, "/debug"))))
		return true;
	char *cache = idcache_root();
	bool found = cache && (try_file(d, q, id_path(cache, "/.build-id", q->id, "/elf")) ||
			       try_file(d, q, id_path(cache, "/.build-id", q->id, "/debug")));
	free(cache);
	if (found)
		return true;
	return q->want != 'x' && try_file(d, q, id_path(fs, "/usr/lib/debug/.build-id", q->id, ".debug"));
}

static bool try_mapped(struct debugfile *d, const struct debugfile_query *q)
{
	if (q->archive && q->binary && try_file(d, q, archive_file(q->archive, q->binary)))
		return true;
	if (!q->binary || q->binary[0] != '/' || (q->offline && !(q->id && q->id->n) && !q->symfs))
		return false;
	if (try_file(d, q, xasprintf("%s%s", q->symfs ?: "", q->binary)))
		return true;
	if (q->pid <= 0 || q->symfs || q->offline)
		return false;
	return try_file(d, q, xstrdup(root_path(ROOT_PROC, "%d/root%s", q->pid, q->binary)));
}

/* The name in .gnu_debuglink; NULL when there is none or it tries to leave its folder. */
static char *debuglink(const char *path)
{
	struct elf_file e;
	char *name = NULL;
	size_t n;
	if (elf_open(&e, path))
		return NULL;
	char *p = elf_contents(&e, elf_find(&e, ".gnu_debuglink"), &n);
	if (p && n > 4 && *p && !strchr(p, '/') && strlen(p) < 256)
		name = xstrdup(p);
	free(p);
	elf_close(&e);
	return name;
}

static bool try_debuglink(struct debugfile *d, const struct debugfile_query *q)
{
	if (!q->binary || q->binary[0] != '/' || q->want == 'x' || q->offline)
		return false;
	const char *fs = q->symfs ?: "";
	char *full = xasprintf("%s%s", fs, q->binary), *link = debuglink(full);
	int dir = strrchr(q->binary, '/') - q->binary;
	bool found = link &&
		((strcmp(strrchr(q->binary, '/') + 1, link) && try_file(d, q, xasprintf("%s%.*s/%s", fs, dir, q->binary, link))) ||
		 try_file(d, q, xasprintf("%s%.*s/.debug/%s", fs, dir, q->binary, link)) ||
		 try_file(d, q, xasprintf("%s/usr/lib/debug%.*s/%s", fs, dir, q->binary, link)));
	found = found || try_file(d, q, xasprintf("%s/usr/lib/debug%s.debug", fs, q->binary)) ||
		try_file(d, q, xasprintf("%s/usr/lib/debug%s", fs, q->binary));
	free(link);
	free(full);
	return found;
}

static bool try_debuginfod(struct debugfile *d, const struct debugfile_query *q)
{
	const char *urls = getenv("DEBUGINFOD_URLS"), *why, *remedy;
	if (!urls || !*urls || !q->id || !q->id->n)
		return false;
	char *path = debuginfod_fetch(q->id, q->want == 'x');
	if (path)
		return try_file(d, q, path);
	if ((why = debuginfod_unasked(&remedy)))
		str_addf(&d->looked, "not at debuginfod %s (%s)\n", urls, why);
	else
		str_addf(&d->looked, "debuginfod %s\n", urls);
	return false;
}

static VEC(struct given_file { struct build_id id; char *path; }) given;

void debugfile_give(const struct build_id *id, const char *path)
{
	*vec_push(&given) = (struct given_file){ *id, xstrdup(path) };
}

const char *debugfile_given(const struct build_id *id)
{
	vec_each(&given, g)
		if (build_id_same(&g->id, id))
			return g->path;
	return NULL;
}

static bool try_given(struct debugfile *d, const struct debugfile_query *q)
{
	vec_each(&given, g)
		if (q->id && q->want != 'x' && build_id_same(&g->id, q->id) && try_file(d, q, xstrdup(g->path)))
			return true;
	return false;
}

int debugfile_search(struct debugfile *d, const struct debugfile_query *q)
{
	struct build_id own = { .n = 0 };
	struct debugfile_query with = *q;
	*d = (struct debugfile){ .looked = STR_INIT };
	if ((!q->id || !q->id->n) && q->binary && !q->offline) { /* then the file's own id leads on */
		char *full = xasprintf("%s%s", q->symfs ?: "", q->binary);
		if (!build_id_of_file(full, &own))
			with.id = &own;
		free(full);
	}
	if (try_mapped(d, &with) || try_given(d, &with) || try_build_id(d, &with) || try_debuglink(d, &with) || try_debuginfod(d, &with))
		return 0;
	return -ENOENT;
}

int debugfile_find(struct debugfile *d, const char *binary, const struct build_id *id, char want, const char *symfs)
{
	struct debugfile_query q = { .binary = binary, .id = id, .want = want, .symfs = symfs };
	return debugfile_search(d, &q);
}

int debugfile_vmlinux(struct debugfile *d, const struct kernel_query *k)
{
	struct build_id running = { .n = 0 };
	struct debugfile_query q = { .id = k->id, .want = k->want, .symfs = k->symfs, .archive = k->archive };
	struct utsname u;
	*d = (struct debugfile){ .looked = STR_INIT };
	if (uname(&u))
		return -errno;
	const char *release = k->release ?: u.release;
	if (k->vmlinux) {
		q.id = NULL; /* named by the user: believed */
		return try_file(d, &q, xstrdup(k->vmlinux)) ? 0 : -ENOENT;
	}
	if ((!k->id || !k->id->n) && !strcmp(release, u.release)) {
		if (build_id_of_kernel(&running))
			return -ENOENT;
		q.id = &running;
	}
	static const char *const place[] = { "/boot/vmlinux-%s", "/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux", "/usr/lib/debug/lib/modules/%s/vmlinux", "/usr/lib/debug/boot/vmlinux-%s.debug" };
	for (size_t i = 0; i < sizeof(place) / sizeof(*place); i++) {
		struct str path = STR_INIT;
		const char *gap = strstr(place[i], "%s");
		str_addf(&path, "%s%.*s%s%s", k->symfs ?: "", (int)(gap - place[i]), place[i], release, gap + 2);
		if (try_file(d, &q, str_detach(&path)))
			return 0;
	}
	if (try_build_id(d, &q) || try_debuginfod(d, &q))
		return 0;
	return -ENOENT;
}

int debugfile_kernel(struct debugfile *d, const char *vmlinux, char want)
{
	int err = debugfile_vmlinux(d, &(struct kernel_query){ .vmlinux = vmlinux, .want = want });
	struct utsname u;
	if (err && !uname(&u))
		d->package = xasprintf("linux-image-%s-dbg", u.release);
	return err;
}

void debugfile_release(struct debugfile *d)
{
	free(d->path);
	free(d->package);
	str_release(&d->looked);
	*d = (struct debugfile){ .looked = STR_INIT };
}
