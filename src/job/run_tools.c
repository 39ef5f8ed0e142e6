// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/run_tools.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/words.h"
#include "kernel/root.h"

enum { HEAD = 1 << 20 };
static const char suffix[] = ".bt";

static char *folder(void)
{
	char *self = self_path(), *slash = self ? strrchr(self, '/') : NULL;
	char *dir = slash ? xasprintf("%.*s/../share/sonde/tools", (int)(slash - self), self) : NULL;
	free(self);
	return dir;
}

char *run_tool_path(const char *name)
{
	char *dir = strchr(name, '/') || strchr(name, '.') ? NULL : folder();
	char *path = dir ? xasprintf("%s/%s%s", dir, name, suffix) : NULL;
	if (path && access(path, R_OK)) {
		free(path);
		path = NULL;
	}
	free(dir);
	return path;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names(wordlist *w, const char *dir)
{
	DIR *d = dir ? opendir(dir) : NULL;
	for (struct dirent *e; d && (e = readdir(d));)
		if (str_ends(e->d_name, suffix)) {
			char *name = xstrndup(e->d_name, strlen(e->d_name) - strlen(suffix));
			wordlist_add(w, name);
			free(name);
		}
	if (d)
		closedir(d);
	if (w->n)
		qsort(w->at, w->n, sizeof(w->at[0]), by_text);
}

/* The first comment of a script: its line without the slashes and the tool's name; and what options it takes. */
static void print_tool(const char *dir, const char *name)
{
	struct str text = STR_INIT;
	char *path = xasprintf("%s/%s%s", dir, name, suffix);
	int err = file_read(path, &text, HEAD);
	const char *p = err ? NULL : strstr(text.buf, "//");
	size_t n = 0;
	if (p) {
		p += 2 + strspn(p + 2, " ");
		if (str_starts(p, name) && strchr(": ", p[strlen(name)]))
			p += strlen(name) + (p[strlen(name)] == ':');
		p += strspn(p, " ");
		n = strcspn(p, "\n");
	}
	printf("%-16s %.*s\n", name, (int)n, p ? p : "");
	str_release(&text);
	free(path);
}

int run_tools_list(void)
{
	wordlist w = { 0 };
	char *dir = folder();
	names(&w, dir);
	for (size_t i = 0; i < w.n; i++)
		print_tool(dir, w.at[i]);
	int code = 0;
	if (!w.n) {
		error_set(ENOENT, "there are no tools in %s", dir ? dir : "share/sonde/tools");
		error_hint("make install puts them beside sonde");
		code = error_print();
	}
	wordlist_release(&w);
	free(dir);
	return code;
}

void run_tools_nearest(const char *name)
{
	struct nearest near;
	wordlist w = { 0 };
	char *dir = folder();
	names(&w, dir);
	nearest_init(&near, name);
	for (size_t i = 0; i < w.n; i++)
		nearest_offer(&near, w.at[i]);
	if (!nearest_hint(&near) && !strchr(name, '/'))
		error_hint("sonde run --tools lists the scripts that come with sonde; sonde run -e 'SCRIPT' takes one as it stands");
	wordlist_release(&w);
	free(dir);
}
