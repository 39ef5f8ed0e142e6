// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/file/idcache.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/words.h"
#include "kernel/plain.h"
#include "symbol/file/debugfile.h"

static const char *root_given;

void idcache_set_root(const char *path)
{
	if (!root_given)
		root_given = path;
}

char *idcache_root(void)
{
	const char *home = getenv("HOME");
	if (root_given)
		return xstrdup(root_given);
	return home && *home ? xasprintf("%s/.debug", home) : NULL;
}

/* The same; NULL with a pending error. */
static char *cache_root(void)
{
	char *root = idcache_root();
	if (root)
		return root;
	error_set(ENOENT, "no place for the cache of binaries");
	error_hint("set HOME: the cache is $HOME/.debug; or name it: sonde --buildid-dir DIR");
	return NULL;
}

static void explain(int err)
{
	if (err == -ENOSPC || err == -EDQUOT)
		error_hint("the disk is full; the cache is $HOME/.debug: sonde --buildid-dir DIR puts it elsewhere");
	else if (err == -EACCES || err == -EPERM || err == -EROFS)
		error_hint("the cache is $HOME/.debug: sonde --buildid-dir DIR names a folder of your own");
}

static int copy_contents(int from, int to)
{
	for (;;) {
		ssize_t n = sendfile(to, from, NULL, 1 << 24);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
	}
}

/* Under a name of its own first, so that a reader never sees half a file. */
static int copy_file(const char *from, const char *folder, const char *name)
{
	char *temp = xasprintf("%s/.%s.%d", folder, name, (int)getpid()), *to = xasprintf("%s/%s", folder, name);
	unlink(temp); /* of a killed process that had our number */
	int in = plain_open(from, 0), out = in < 0 ? -1 : open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int err = in < 0 ? in : out < 0 ? -errno : copy_contents(in, out);
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) && !err)
		err = -errno;
	if (!err && rename(temp, to))
		err = -errno;
	if (err) {
		unlink(temp);
		error_sys(-err, "cannot copy %s to %s", from, to);
		explain(err);
	}
	free(temp);
	free(to);
	return err;
}

static int link_id(const char *root, const char *path, const char *hex)
{
	char *folder = xasprintf("%s/.build-id/%.2s", root, hex), *link = xasprintf("%s/%s", folder, hex + 2);
	char *target = xasprintf("../..%s/%s", path, hex);
	int err = dir_make(folder);
	unlink(link);
	if (!err && symlink(target, link))
		err = -errno;
	if (err) {
		error_sys(-err, "cannot make %s", link);
		explain(err);
	}
	free(folder);
	free(link);
	free(target);
	return err;
}

static int add_debug_file(const char *real, const struct build_id *id, const char *folder)
{
	struct debugfile d;
	int err = 0;
	struct debugfile_query q = { .binary = real, .id = id, .want = 'd' };
	if (!debugfile_search(&d, &q) && strcmp(d.path, real) && !str_starts(d.path, folder))
		err = copy_file(d.path, folder, "debug");
	debugfile_release(&d);
	return err;
}

static int known_id(const char *path, char **real, struct build_id *id)
{
	*real = realpath(path, NULL);
	int err = *real ? build_id_of_file(*real, id) : -errno;
	if (!err)
		return 0;
	free(*real);
	*real = NULL;
	if (err == -ENOENT && file_exists(path))
		return error_set(ENOENT, "%s has no build-id", path);
	return error_sys(-err, "cannot read %s", path);
}

int idcache_add(const char *path, bool again)
{
	struct build_id id;
	char *root = cache_root(), *real = NULL, hex[41];
	int err = root ? known_id(path, &real, &id) : error_code();
	if (err) {
		free(root);
		return err;
	}
	build_id_hex(&id, hex);
	char *folder = xasprintf("%s%s/%s", root, real, hex);
	if (again || !idcache_has(&id)) {
		bool trusted = !(err = path_trusted(folder));
		err = err ?: dir_make(folder);
		if (err && trusted) {
			error_sys(-err, "cannot make %s", folder);
			explain(err);
		}
		err = err ?: copy_file(real, folder, "elf") ?: add_debug_file(real, &id, folder) ?: link_id(root, real, hex);
	}
	free(folder);
	free(real);
	free(root);
	return err;
}

bool idcache_has(const struct build_id *id)
{
	char hex[41], *root = cache_root();
	if (!root || id->n < 2) {
		error_clear();
		free(root);
		return false;
	}
	build_id_hex(id, hex);
	char *link = xasprintf("%s/.build-id/%.2s/%s", root, hex, hex + 2);
	bool there = file_exists(link);
	free(link);
	free(root);
	return there;
}

/* The link, what it leads to, and the folders that are empty then. */
static int remove_id(const char *root, const char *hex)
{
	char *link = xasprintf("%s/.build-id/%.2s/%s", root, hex, hex + 2), *target = realpath(link, NULL);
	size_t n = strlen(root);
	int err = 0;
	if (unlink(link))
		err = error_sys(errno, "cannot remove build-id %s from the cache", hex);
	if (target && str_starts(target, root) && target[n] == '/') {
		dir_remove(target);
		for (char *slash; (slash = strrchr(target, '/')) && (size_t)(slash - target) > n;) {
			*slash = 0;
			if (rmdir(target))
				break;
		}
	}
	*strrchr(link, '/') = 0;
	rmdir(link); /* only when it is empty */
	free(link);
	free(target);
	return err;
}

int idcache_remove(const char *path)
{
	struct build_id id;
	char *root = cache_root(), *real = NULL, hex[41];
	int err = root ? known_id(path, &real, &id) : error_code();
	if (!err) {
		build_id_hex(&id, hex);
		err = idcache_has(&id) ? remove_id(root, hex) : error_set(ENOENT, "%s (build-id %s) is not in the cache", path, hex);
	}
	free(real);
	free(root);
	return err;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "ab/cdef..." leads to "../../usr/bin/ls/BUILDID": one line "BUILDID /usr/bin/ls". */
static void list_folder(const char *root, const char *two, wordlist *lines)
{
	char *folder = xasprintf("%s/.build-id/%s", root, two);
	DIR *dir = opendir(folder);
	struct dirent *e;
	while (dir && (e = readdir(dir))) {
		char target[4096];
		ssize_t n = e->d_name[0] == '.' ? -1 : readlinkat(dirfd(dir), e->d_name, target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = 0;
		char *last = strrchr(target, '/');
		if (!str_starts(target, "../../") || !last || last < target + 6)
			continue;
		*last = 0;
		char *line = xasprintf("%s%s %s", two, e->d_name, target[6] == '[' ? target + 6 : target + 5);
		wordlist_add(lines, line);
		free(line);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

static int list_lines(const char *root, wordlist *lines)
{
	char *top = xasprintf("%s/.build-id", root);
	DIR *dir = opendir(top);
	struct dirent *e;
	while (dir && (e = readdir(dir)))
		if (strlen(e->d_name) == 2 && e->d_name[0] != '.')
			list_folder(root, e->d_name, lines);
	if (dir)
		closedir(dir);
	free(top);
	if (lines->n)
		qsort(lines->at, lines->n, sizeof(*lines->at), by_text);
	return 0;
}

int idcache_list(struct str *out)
{
	char *root = cache_root();
	wordlist lines = { 0 };
	if (!root)
		return error_code();
	list_lines(root, &lines);
	vec_each(&lines, l) {
		str_add_safez(out, *l);
		str_addc(out, '\n');
	}
	wordlist_release(&lines);
	free(root);
	return 0;
}

int idcache_purge(const char *path)
{
	char *root = cache_root(), *real = path ? realpath(path, NULL) : NULL;
	wordlist lines = { 0 };
	int err = 0, gone = 0;
	if (!root)
		return error_code();
	list_lines(root, &lines);
	vec_each(&lines, l) {
		char *space = strchr(*l, ' ');
		if (path && strcmp(space + 1, real ?: path))
			continue;
		*space = 0;
		int failed = remove_id(root, *l);
		if (failed)
			err = failed;
		gone++;
	}
	if (path && !gone && !err)
		err = error_set(ENOENT, "%s is not in the cache", path);
	wordlist_release(&lines);
	free(real);
	free(root);
	return err;
}
