// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/paths.h"
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/words.h"
#include "syscall/decode.h"

struct trace_paths {
	wordlist names; /* each as given, whole, and without links */
};

/* ---- names ---- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Without "//", "/./" and "/../", as far as no link is in the way. */
static char *tidy(const char *path)
{
	struct str s = STR_INIT;
	for (const char *p = path; *p;) {
		p += strspn(p, "/");
		size_t n = strcspn(p, "/");
		bool up = n == 2 && p[0] == '.' && p[1] == '.';
		if (up && s.len)
			s.len = strrchr(s.buf, '/') - s.buf;
		else if (n && !up && !(n == 1 && *p == '.'))
			str_addf(&s, "/%.*s", (int)n, p);
		if (s.buf && s.len < s.cap)
			s.buf[s.len] = 0;
		p += n;
	}
	if (!s.len)
		str_addc(&s, '/');
	return str_detach(&s);
}

/* The name itself stays, links on the way to it are followed. here: the path is one of our own root. */
static char *without_links(const char *path, bool here)
{
	char real[PATH_MAX], *name = tidy(path), *whole = NULL;
	const char *end = path + strlen(path);
	while (end > path + 1 && end[-1] == '/')
		end--;
	char *dir = xstrndup(path, end - path), *base = strrchr(dir, '/');
	bool plain = base && base[1] && strcmp(base + 1, ".") && strcmp(base + 1, "..");
	if (here && plain) {
		*base = 0;
		if (realpath(*dir ? dir : "/", real))
			whole = xasprintf("%s/%s", strcmp(real, "/") ? real : "", base + 1);
	} else if (here && realpath(path, real)) {
		whole = xstrdup(real);
	}
	free(dir);
	if (!whole)
		return name;
	free(name);
	return whole;
}

static void add(struct trace_paths *p, const char *name)
{
	for (size_t i = 0; i < p->names.n; i++)
		if (!strcmp(p->names.at[i], name))
			return;
	wordlist_add(&p->names, name);
}

void trace_paths_add(struct trace_paths **p, const char *path)
{
	char cwd[PATH_MAX], real[PATH_MAX];
	if (!*p)
		*p = xcalloc(1, sizeof(**p));
	add(*p, path);
	char *whole = *path == '/' || !getcwd(cwd, sizeof(cwd)) ? xstrdup(path) : xasprintf("%s/%s", cwd, path);
	char *name = without_links(whole, true);
	add(*p, name);
	if (realpath(path, real))
		add(*p, real);
	free(name);
	free(whole);
}

void trace_paths_free(struct trace_paths *p)
{
	if (p)
		wordlist_release(&p->names);
	free(p);
}

static bool has(const struct trace_paths *p, const char *name)
{
	for (size_t i = 0; i < p->names.n; i++)
		if (!strcmp(p->names.at[i], name))
			return true;
	return false;
}

/* May it be one of them? Names that end in no file's own are looked at closely. */
static bool may_be(const struct trace_paths *p, const char *path)
{
	const char *base = base_of(path);
	if (!*base || !strcmp(base, ".") || !strcmp(base, ".."))
		return true;
	for (size_t i = 0; i < p->names.n; i++)
		if (!strcmp(base_of(p->names.at[i]), base))
			return true;
	return false;
}

/* ---- calls ---- */

static bool path_holds(const struct trace_paths *p, const struct sysevent *e, int arg, int dir, struct fd_state *fds)
{
	const char *text = fd_state_path(fds, e, AT_FDCWD, e->args[arg], false);
	if (!text || !*text || !may_be(p, text))
		return false;
	const char *path = fd_state_path(fds, e, dir < 0 ? AT_FDCWD : (int)e->args[dir], e->args[arg], true);
	if (*path != '/')
		return has(p, path); /* nobody knows the directory */
	char *whole = xstrdup(path), *name = without_links(whole, fd_state_same_root(fds, e->pid));
	bool holds = has(p, name);
	free(name);
	free(whole);
	return holds;
}

static bool fd_holds(const struct trace_paths *p, const struct sysevent *e, int fd, struct fd_state *fds)
{
	const char *name = fd >= 0 ? fd_state_name(fds, e->pid, fd) : NULL;
	if (!name || *name != '/' || has(p, name))
		return name && *name == '/';
	if (!may_be(p, name))
		return false;
	char *whole = xstrdup(name), *tidied = without_links(whole, fd_state_same_root(fds, e->pid));
	bool holds = has(p, tidied);
	free(tidied);
	free(whole);
	return holds;
}

/* poll's and select's. */
static bool set_holds(const struct trace_paths *p, const struct sysevent *e, int arg, bool bits, struct fd_state *fds)
{
	for (unsigned i = 0; i < e->n_copied; i++) {
		const struct copied *c = &e->copied[i];
		if (c->arg != arg || c->at_exit || c->faulted || c->part)
			continue;
		for (uint32_t at = 0; bits && at < c->len * 8; at++)
			if (c->data[at / 8] >> at % 8 & 1 && fd_holds(p, e, at, fds))
				return true;
		for (uint32_t at = 0; !bits && at + 8 <= c->len; at += 8) {
			int fd;
			memcpy(&fd, c->data + at, 4);
			if (fd_holds(p, e, fd, fds))
				return true;
		}
	}
	return false;
}

bool trace_paths_hold(const struct trace_paths *p, const struct sysevent *e, struct fd_state *fds)
{
	const struct syscall_row *r = syscall_find(e->abi == ABI_32 ? ABI_32 : ABI_NATIVE, e->nr);
	unsigned descriptors = r ? syscall_fds(r) : 0;
	int dir;
	for (int i = 0; r && e->args_known && i < syscall_n_args(r) && i < 6; i++) {
		enum file_arg kind = syscall_file_arg(r, i, &dir);
		if ((descriptors >> i & 1 && fd_holds(p, e, (int)e->args[i], fds)) ||
		    (kind == FILE_PATH && path_holds(p, e, i, dir, fds)) ||
		    ((kind == FILE_POLL || kind == FILE_BITS) && set_holds(p, e, i, kind == FILE_BITS, fds)))
			return true;
	}
	return false;
}
