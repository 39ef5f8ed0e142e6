// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/user/binary.h"
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/plain.h"
#include "kernel/root.h"
#include "script/saved/saved.h"
#include "symbol/file/debugfile.h"
#include "symbol/file/elffile.h"
#include "symbol/file/library.h"

enum { MAPS_MOST = 64 << 20 };

char *word_unquoted(const char *word)
{
	struct str s = STR_INIT;
	for (; *word; word++)
		if (*word != '"')
			str_addc(&s, *word);
	return str_detach(&s);
}

char *binary_split(const char *word, const char **rest)
{
	bool quoted = false;
	const char *p = word;
	for (; *p && (quoted || *p != ':'); p++)
		quoted ^= *p == '"';
	if (!*p)
		return NULL;
	char *raw = xstrndup(word, (size_t)(p - word)), *file = word_unquoted(raw);
	free(raw);
	*rest = p + 1;
	return file;
}

/* ---- names to paths ---- */

static int whose(const struct run_script *s)
{
	return s->pid ? s->pid : 0;
}

/* Files that the process of -p has mapped, each once. */
static void mapped(int pid, wordlist *out)
{
	struct str text = STR_INIT;
	if (pid && !file_read(root_path(ROOT_PROC, "%d/maps", pid), &text, MAPS_MOST)) {
		char *save = NULL;
		for (char *line = strtok_r(text.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			char *path = strchr(line, '/');
			if (path && !str_ends(path, " (deleted)") && (!out->n || strcmp(out->at[out->n - 1], path)) && !wordlist_has(out, path))
				wordlist_add(out, path);
		}
	}
	str_release(&text);
}

static char *in_process(const struct run_script *s, const char *word)
{
	wordlist all = { 0 };
	char *found = NULL;
	mapped(whose(s), &all);
	for (size_t i = 0; i < all.n && !found; i++) {
		const char *base = strrchr(all.at[i], '/') + 1;
		if (!strcmp(base, word) || library_is_called(base, word))
			found = xstrdup(all.at[i]);
	}
	wordlist_release(&all);
	return found;
}

static char *in_path(const char *word)
{
	wordlist dirs = { 0 };
	char *found = NULL;
	wordlist_split(&dirs, getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin", ':');
	for (size_t i = 0; i < dirs.n && !found; i++) {
		struct stat st;
		char *full = xasprintf("%s/%s", dirs.at[i], word);
		if (!access(full, X_OK) && !stat(full, &st) && S_ISREG(st.st_mode))
			found = xstrdup(full);
		free(full);
	}
	wordlist_release(&dirs);
	return found;
}

static void matching(const struct run_script *s, const char *word, wordlist *out)
{
	glob_t g = { 0 };
	wordlist all = { 0 };
	mapped(whose(s), &all);
	for (size_t i = 0; i < all.n; i++)
		if (glob_match(word, all.at[i]) || (!strchr(word, '/') && glob_match(word, strrchr(all.at[i], '/') + 1)))
			wordlist_add(out, all.at[i]);
	if (!all.n && strchr(word, '/') && !glob(word, GLOB_NOSORT, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc; i++)
			wordlist_add(out, g.gl_pathv[i]);
	globfree(&g);
	wordlist_release(&all);
}

/* May the process see other files than we do? */
static bool other_root(int pid)
{
	struct stat a, b;
	return pid && (stat(root_path(ROOT_PROC, "%d/root", pid), &a) || stat("/", &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino);
}

int binary_paths(struct run_script *s, const struct attach *a, const char *word, wordlist *paths)
{
	if (glob_has(word)) {
		matching(s, word, paths);
		return 0;
	}
	if (strchr(word, '/')) {
		if (!other_root(whose(s)) && !file_exists(word)) {
			source_error(s->source, a->at, "there is no file '%s'", word);
			return error_hint("a program or library by its path, or by its name: uprobe:bash:readline, uprobe:libc:malloc");
		}
		wordlist_add(paths, word);
		return 0;
	}
	char *found = in_process(s, word);
	if (!found)
		found = in_path(word);
	if (!found)
		found = library_find(word);
	if (!found && file_exists(word))
		found = xasprintf("./%s", word);
	if (!found) {
		source_error(s->source, a->at, "there is no program '%s' in $PATH, and no library of that name", word);
		return error_hint("name its file, as in uprobe:/usr/bin/bash:readline; ldconfig -p lists libraries");
	}
	wordlist_add(paths, found);
	free(found);
	return 0;
}

/* ---- files ---- */

static struct binary *opened(const struct run_script *s, const char *name)
{
	for (struct binary *b = s->binaries; b; b = b->next)
		if (!strcmp(b->name, name))
			return b;
	return NULL;
}

/* The name is copied; NULL: pending error. */
static struct binary *open_as(struct run_script *s, const char *name, struct probe_target_options *o)
{
	struct binary *b = xcalloc(1, sizeof(*b));
	b->name = arena_text(&s->source->memory, name, strlen(name));
	if (probe_target_open(&b->target, o)) {
		free(b);
		return NULL;
	}
	if (b->target.user && saved_check(s->saved, b->target.path)) {
		probe_target_release(&b->target);
		free(b);
		return NULL;
	}
	b->next = s->binaries;
	s->binaries = b;
	return b;
}

struct binary *binary_open(struct run_script *s, const char *path)
{
	struct probe_target_options o = { .exec = path, .ns_pid = other_root(whose(s)) ? whose(s) : 0 };
	struct binary *b = opened(s, path);
	return b ? b : open_as(s, path, &o);
}

struct binary *binary_kernel(struct run_script *s, const char *module)
{
	struct probe_target_options o = { .module = module };
	char *name = xasprintf("[%s]", module ? module : "kernel");
	struct binary *b = opened(s, name);
	if (!b)
		b = open_as(s, name, &o);
	free(name);
	return b;
}

static void add_image(struct binary *b, Elf *elf, void *memory, int fd)
{
	if (elf)
		elfsyms_add_elf(&b->target.syms, elf);
	*vec_push(&b->images) = (struct binary_image){ elf, memory, fd };
}

/* .gnu_debugdata: a small ELF file, compressed, with the names that were stripped off. */
static void add_packed(struct binary *b, const char *path)
{
	struct elf_file e, inner = { .fd = -1 };
	if (!elf_open(&e, path) && !elf_open_debugdata(&e, &inner)) {
		add_image(b, elf_memory((char *)inner.mem, inner.size), inner.mem, -1);
		inner.mem = NULL;
	}
	elf_close(&e);
	elf_close(&inner);
}

void binary_more_symbols(struct binary *b)
{
	struct debugfile d = { .looked = STR_INIT };
	struct build_id id = { .n = 0 };
	const char *path = b->target.path;
	if (b->have_more || probe_target_symbols(&b->target))
		return;
	b->have_more = true;
	(void)build_id_of_file(path, &id);
	if (!debugfile_find(&d, path, &id, 's', NULL)) {
		int fd = strcmp(d.path, path) ? plain_open(d.path, 0) : -1;
		if (fd >= 0) {
			add_image(b, elf_begin(fd, ELF_C_READ_MMAP, NULL), NULL, fd);
			add_packed(b, d.path);
		}
	}
	error_clear();
	debugfile_release(&d);
	add_packed(b, path);
}

const usdt_markers *binary_markers(struct binary *b)
{
	if (!b->have_markers)
		(void)usdt_read(&b->target, &b->markers);
	b->have_markers = true;
	return &b->markers;
}

void binaries_release(struct run_script *s)
{
	while (s->binaries) {
		struct binary *b = s->binaries;
		s->binaries = b->next;
		usdt_release(&b->markers);
		probe_target_release(&b->target);
		vec_each(&b->images, i) {
			if (i->elf)
				elf_end(i->elf);
			free(i->memory);
			if (i->fd >= 0)
				close(i->fd);
		}
		vec_release(&b->images);
		free(b);
	}
}
