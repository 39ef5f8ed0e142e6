// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/file/archive.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "kernel/plain.h"
#include "symbol/file/debugfile.h"
#include "symbol/inner.h"
#include "symbol/file/tar.h"

static const char first_name[] = "sonde-archive", first_text[] = "sonde archive 1\n";

char *archive_file(const char *folder, const char *path)
{
	return xasprintf("%s%sfiles/%016llx", folder, *folder ? "/" : "", (unsigned long long)hash_bytes(path, strlen(path), 0));
}

/* Folders to remove should the command end without archive_close. */
static char *at_exit[8];

static void remove_at_exit(void)
{
	for (size_t i = 0; i < sizeof(at_exit) / sizeof(*at_exit); i++)
		if (at_exit[i])
			dir_remove(at_exit[i]);
}

static void remember(const char *folder)
{
	static bool registered;
	if (!registered)
		registered = !atexit(remove_at_exit);
	for (size_t i = 0; i < sizeof(at_exit) / sizeof(*at_exit); i++) {
		if (!at_exit[i]) {
			at_exit[i] = xstrdup(folder);
			return;
		}
	}
}

static void forget(const char *folder)
{
	for (size_t i = 0; i < sizeof(at_exit) / sizeof(*at_exit); i++) {
		if (at_exit[i] && !strcmp(at_exit[i], folder)) {
			free(at_exit[i]);
			at_exit[i] = NULL;
		}
	}
}

/* "sonde-archive.PID.XXXXXX" of a process that is gone (it was killed): removed by the next one. */
static void remove_left_over(const char *tmp)
{
	DIR *dir = opendir(tmp);
	struct dirent *e;
	int pid;
	while (dir && (e = readdir(dir))) {
		struct stat st;
		if (sscanf(e->d_name, "sonde-archive.%d.", &pid) != 1 || !kill(pid, 0) || errno != ESRCH)
			continue;
		char *path = xasprintf("%s/%s", tmp, e->d_name);
		if (!lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid())
			dir_remove(path);
		free(path);
	}
	if (dir)
		closedir(dir);
}

static bool has_zstd_magic(const char *path, uid_t *owner)
{
	uint8_t magic[4] = { 0 };
	struct stat st = { 0 };
	int fd = stat(path, &st) || !S_ISREG(st.st_mode) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	bool yes = fd >= 0 && read(fd, magic, 4) == 4 && !memcmp(magic, "\x28\xb5\x2f\xfd", 4);
	if (fd >= 0)
		close(fd);
	*owner = st.st_uid;
	return yes;
}

int archive_open(struct archive *a, const char *path, bool force)
{
	uid_t owner;
	const char *tmp = getenv("TMPDIR");
	*a = (struct archive){ 0 };
	if (!path || !has_zstd_magic(path, &owner))
		return -ENOEXEC;
	int err = force ? 0 : file_check_owner(path, owner, "use -f to read it nevertheless");
	if (err)
		return err;
	if (!tmp || tmp[0] != '/')
		tmp = "/tmp";
	remove_left_over(tmp);
	a->folder = xasprintf("%s/sonde-archive.%d.XXXXXX", tmp, (int)getpid());
	if (!mkdtemp(a->folder)) {
		err = error_sys(errno, "cannot make a folder in %s to unpack %s", tmp, path);
		error_hint("set TMPDIR to a folder with room for it");
		free(a->folder);
		a->folder = NULL;
		return err;
	}
	remember(a->folder);
	a->data = xasprintf("%s/perf.data", a->folder);
	err = tar_unpack(path, a->folder, first_name);
	if (!err && !file_exists(a->data))
		err = error_set(EBADMSG, "%s holds no recording", path);
	if (err)
		archive_close(a);
	return err;
}

void archive_close(struct archive *a)
{
	if (a->folder) {
		dir_remove(a->folder);
		forget(a->folder);
	}
	free(a->folder);
	free(a->data);
	*a = (struct archive){ 0 };
}

void archive_build_ids(const char *folder, struct symbols *s)
{
	char *path = xasprintf("%s/build-ids", folder);
	struct str text = STR_INIT;
	int err = plain_read(path, &text, 16 << 20);
	for (char *line = text.buf; !err && *line;) {
		char *nl = strchrnul(line, '\n'), *next = *nl ? nl + 1 : nl, *space = memchr(line, ' ', nl - line);
		struct build_id id;
		*nl = 0;
		if (space) {
			*space = 0;
			if (!build_id_parse(line, &id))
				symbols_build_id(s, space + 1, &id, false);
		}
		line = next;
	}
	str_release(&text);
	free(path);
}

struct packing {
	struct tar_writer *tar;
	struct strmap done; /* names already in the archive */
	struct str ids; /* "BUILDID path" lines: recordings do not name the build-id of every file */
	unsigned files, left_out; /* left_out: beyond what a reader takes */
};

enum { OTHERS = 3 }; /* the first, the recording and the list of build-ids */

static bool has_room(struct packing *p)
{
	bool room = p->files < TAR_FILES_MAX - OTHERS;
	p->left_out += !room;
	return room;
}

/* What cannot be read is told and left out: the archive is still worth having. */
static int pack(struct packing *p, char *name, const char *path)
{
	int err = 0;
	if (path && !strmap_has(&p->done, name)) {
		strmap_set(&p->done, name, NULL);
		if (access(path, R_OK)) {
			warn("cannot read %s: left out of the archive", path);
		} else if (has_room(p)) {
			err = tar_add_file(p->tar, name, path);
			p->files += !err;
		}
	}
	free(name);
	return err;
}

static char *id_name(const struct build_id *id, const char *what)
{
	char hex[41];
	build_id_hex(id, hex);
	return xasprintf(".build-id/%.2s/%s/%s", hex, hex + 2, what);
}

static bool differs(const char *a, const char *b)
{
	return a && (!b || strcmp(a, b));
}

/* The file that dwz moved DWARF to which several debug files share: its build-id is in the link, its
 * place is known by that or relative to the debug file. Owned; NULL: there is none. */
static char *alternate(const char *debug, struct build_id *id)
{
	struct elf_file e;
	struct build_id own;
	size_t n, name;
	char hex[41], *real = realpath(debug, NULL), *link = NULL, *found = NULL;
	if (real && !elf_open(&e, real)) {
		link = elf_contents(&e, elf_find(&e, ".gnu_debugaltlink"), &n);
		elf_close(&e);
	}
	if (link && (name = strlen(link) + 1) < n && n - name >= 2 && n - name <= sizeof(id->id)) {
		*id = (struct build_id){ .n = n - name };
		memcpy(id->id, link + name, n - name);
		build_id_hex(id, hex);
		char *place[2] = { xasprintf("/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2), link[0] == '/' ? xstrdup(link) :
			xasprintf("%.*s/%s", (int)(strrchr(real, '/') - real), real, link) };
		for (int i = 0; i < 2; i++) {
			if (!found && !build_id_of_file(place[i], &own) && build_id_same(&own, id))
				found = place[i];
			else
				free(place[i]);
		}
	}
	free(link);
	free(real);
	return found;
}

static int pack_alternate(struct packing *p, const char *debug)
{
	struct build_id id;
	char *path = debug ? alternate(debug, &id) : NULL;
	int err = path ? pack(p, id_name(&id, "debug"), path) : 0;
	free(path);
	return err;
}

/* The binary, the file with its symbols and the file with its DWARF, each once. */
static int pack_binary(struct packing *p, struct image *im)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	const struct build_id *id = &im->dso.build_id;
	struct debugfile d;
	struct debugfile_query q = { .binary = im->dso.path, .id = id, .want = 'd', .symfs = o->symfs, .pid = im->pid };
	if (id->n < 2)
		return pack(p, archive_file("", im->dso.path), im->runtime_path);
	char hex[41];
	build_id_hex(id, hex);
	str_addf(&p->ids, "%s %s\n", hex, im->dso.path);
	int err = pack(p, id_name(id, "elf"), im->runtime_path);
	int found = debugfile_search(&d, &q);
	const char *debug = !found ? d.path : im->symbol_path;
	if (!err && differs(debug, im->runtime_path))
		err = pack(p, id_name(id, "debug"), debug);
	if (!err)
		err = pack_alternate(p, debug ? debug : im->runtime_path);
	debugfile_release(&d);
	return err;
}

static int pack_kernel(struct packing *p, struct image *im)
{
	struct build_id id = im->dso.build_id;
	if (!im->symbol_path || (id.n < 2 && build_id_of_kernel(&id)))
		return 0;
	if (im->tab.module.n || str_ends(im->symbol_path, "kallsyms")) {
		/* /proc has no sizes: read first */
		struct str s = STR_INIT;
		int err = file_read(im->symbol_path, &s, 256 << 20);
		char *name = id_name(&id, "kallsyms");
		if (!err)
			err = tar_add_memory(p->tar, name, s.buf, s.len);
		p->files += !err;
		free(name);
		str_release(&s);
		return err;
	}
	return pack(p, id_name(&id, "elf"), im->symbol_path);
}

/* Its process wrote it, to a place where it can be replaced at any time. */
static int pack_jit(struct packing *p, const struct image *im)
{
	struct str s = STR_INIT;
	bool dump = im->jitdump && str_ends(im->symbol_path, im->jitdump);
	char *name = archive_file("", dump ? im->jitdump : im->dso.path);
	int err = 0;
	if (file_read_foreign(im->symbol_path, image_owner(im), &s, JIT_FILE_MAX)) {
		warn("cannot read %s: left out of the archive", im->symbol_path);
	} else if (has_room(p)) {
		err = tar_add_memory(p->tar, name, s.buf, s.len);
		p->files += !err;
	}
	free(name);
	str_release(&s);
	return err;
}

static int pack_image(struct packing *p, struct image *im)
{
	char *name;
	int err = 0;
	switch (im->kind) {
	case IMAGE_FILE: return im->runtime_path || im->symbol_path ? pack_binary(p, im) : 0;
	case IMAGE_KERNEL: return pack_kernel(p, im);
	case IMAGE_MODULE: return im->symbol_path && im->dso.build_id.n > 1 ? pack(p, id_name(&im->dso.build_id, "elf"), im->symbol_path) : 0;
	case IMAGE_JIT: return im->symbol_path ? pack_jit(p, im) : 0;
	case IMAGE_VDSO:
		if (!im->vdso.mem)
			return 0;
		name = archive_file("", im->dso.path);
		err = tar_add_memory(p->tar, name, im->vdso.mem, im->vdso.size);
		p->files += !err;
		free(name);
		return err;
	default: return 0;
	}
}

int archive_write(const char *path, const char *data, struct symbols *s, struct archive_stats *stats)
{
	struct packing p = { .tar = tar_create(path), .ids = STR_INIT };
	const struct dso *dso;
	size_t cursor = 0;
	if (!p.tar)
		return error_code();
	int err = tar_add_memory(p.tar, first_name, first_text, strlen(first_text)) ?: tar_add_file(p.tar, "perf.data", data);
	while (!err && (dso = symbols_next(s, &cursor)))
		if (dso->hit)
			err = pack_image(&p, (struct image *)dso);
	if (!err)
		err = tar_add_memory(p.tar, "build-ids", p.ids.buf, p.ids.len);
	if (p.left_out)
		warn("%u files were left out: an archive has at most %d", p.left_out, TAR_FILES_MAX);
	str_release(&p.ids);
	stats->files = p.files;
	stats->bytes = tar_bytes(p.tar);
	strmap_release(&p.done);
	return tar_close(p.tar, err, &stats->packed);
}
