// SPDX-License-Identifier: GPL-2.0-or-later
/* Static markers (USDT): notes of type 3 by "stapsdt" in a program's .note.stapsdt section. Behind three
 * addresses (location, base, semaphore) stand provider, name and arguments, each ended by a NUL. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "kernel/plain.h"
#include "spec/catalogue.h"
#include "kernel/root.h"

#if defined(__aarch64__)
#define ELF_ARCH "aarch64"
#else
#define ELF_ARCH "x86_64"
#endif

enum { SDT_TYPE = 3, SDT_MAX = 100000, MAPS_MAX = 16 << 20 };

/* The next string inside [*p, end); NULL when it does not end in there. */
static const char *take(const char **p, const char *end)
{
	const char *s = *p, *nul = s < end ? memchr(s, 0, end - s) : NULL;
	if (!nul)
		return NULL;
	*p = nul + 1;
	return s;
}

static void add_marker(catalogue *c, struct strmap *seen, const char *path, const char *desc, size_t n, size_t word)
{
	const char *p = desc + 3 * word, *end = desc + n;
	if (n < 3 * word)
		return;
	const char *provider = take(&p, end), *name = provider ? take(&p, end) : NULL, *args = name ? take(&p, end) : NULL;
	if (!name || !*provider || !*name || c->n > SDT_MAX)
		return;
	char *full = xasprintf("sdt_%s:%s", provider, name), *key = xasprintf("%s %s", full, path);
	if (strmap_has(seen, key)) {
		free(full);
	} else {
		struct catalogue_row *r = vec_push(c);
		strmap_set(seen, key, NULL);
		r->kind = CATALOGUE_SDT;
		r->name = full;
		r->help = args && *args ? xasprintf("%s %s", path, args) : xstrdup(path);
	}
	free(key);
}

static void read_notes(catalogue *c, struct strmap *seen, const char *path, Elf *elf, Elf_Data *d)
{
	size_t at = 0, name, desc, word = gelf_getclass(elf) == ELFCLASS32 ? 4 : 8;
	GElf_Nhdr h;
	while (at < d->d_size && (at = gelf_getnote(d, at, &h, &name, &desc)) > 0)
		if (h.n_type == SDT_TYPE && h.n_namesz == 8 && !memcmp((char *)d->d_buf + name, "stapsdt", 8))
			add_marker(c, seen, path, (char *)d->d_buf + desc, h.n_descsz, word);
}

static int read_file(catalogue *c, struct strmap *seen, const char *path)
{
	int fd = plain_open(path, 0);
	if (fd < 0)
		return fd;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	size_t strings;
	if (elf && !elf_getshdrstrndx(elf, &strings))
		for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
			GElf_Shdr h;
			const char *name = gelf_getshdr(s, &h) ? elf_strptr(elf, strings, h.sh_name) : NULL;
			Elf_Data *d = name && !strcmp(name, ".note.stapsdt") ? elf_getdata(s, NULL) : NULL;
			if (d && d->d_buf)
				read_notes(c, seen, path, elf, d);
		}
	int err = elf ? 0 : -ENOEXEC;
	elf_end(elf);
	close(fd);
	return err;
}

/* The files a process has mapped as code. */
static void mapped_files(struct strmap *files, int pid)
{
	struct str s = STR_INIT;
	char *save = NULL;
	if (!file_read(root_path(ROOT_PROC, "%d/maps", pid), &s, MAPS_MAX) && s.len)
		for (char *line = strtok_r(s.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			char *path = strchr(line, '/');
			if (path && strstr(line, " r-xp ") && !strstr(path, " (deleted)"))
				strmap_set(files, path, NULL);
		}
	str_release(&s);
}

static void files_of_running(struct strmap *files)
{
	DIR *d = opendir(root_path(ROOT_PROC, "%s", ""));
	for (struct dirent *e; d && (e = readdir(d));)
		if (atoi(e->d_name) > 0)
			mapped_files(files, atoi(e->d_name));
	if (d)
		closedir(d);
}

/* Plain files of a folder; links would only name the same file again. */
static void files_of_folder(struct strmap *files, const char *folder)
{
	DIR *d = opendir(folder);
	for (struct dirent *e; d && (e = readdir(d));) {
		char *path = xasprintf("%s/%s", folder, e->d_name);
		if (e->d_type == DT_REG)
			strmap_set(files, path, NULL);
		free(path);
	}
	if (d)
		closedir(d);
}

/* Every program that runs, and where programs and libraries are installed. */
static void read_machine(catalogue *c, struct strmap *seen)
{
	static const char *const folders[] = { "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/lib", "/usr/lib64",
		"/usr/lib/" ELF_ARCH "-linux-gnu" };
	struct strmap files = { 0 };
	size_t cursor = 0;
	const char *file;
	void *val;
	files_of_running(&files);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		files_of_folder(&files, folders[i]);
	while (strmap_next(&files, &cursor, &file, &val))
		(void)read_file(c, seen, file);
	strmap_release(&files);
}

static int by_name(const void *a, const void *b)
{
	const struct catalogue_row *x = a, *y = b;
	int d = strcmp(x->name, y->name);
	return d ? d : strcmp(x->help, y->help);
}

int catalogue_sdt(catalogue *c, const char *path)
{
	struct strmap seen = { 0 };
	size_t before = c->n;
	int err = 0;
	if (!path)
		read_machine(c, &seen);
	else if ((err = read_file(c, &seen, path)))
		error_sys(err, "cannot read the markers of %s", path);
	if (c->n > before)
		qsort(c->at + before, c->n - before, sizeof(c->at[0]), by_name);
	strmap_release(&seen);
	return err;
}
