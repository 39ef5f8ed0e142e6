// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/config.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"

enum { CONFIG_MAX = 1 << 20 };

/* Owned; NULL: there is none (no HOME). */
static char *config_path(enum config_file f)
{
	const char *alone = getenv("PERF_CONFIG"), *home = getenv("HOME");
	if (f == CONFIG_SYSTEM)
		return alone ? NULL : xstrdup("/etc/perfconfig");
	if (alone)
		return xstrdup(alone);
	return home && *home ? xasprintf("%s/.perfconfig", home) : NULL;
}

/* Where a link of one's own (or root's) leads, as who keeps such files elsewhere has it; who owns the file itself is asked when it is
 * opened. Owned; the path itself where it is no such link. */
static char *follow_link(const char *path)
{
	struct stat st;
	bool link = !lstat(path, &st) && S_ISLNK(st.st_mode) && (!st.st_uid || st.st_uid == geteuid());
	char *real = link ? realpath(path, NULL) : NULL;
	return real ? real : xstrdup(path);
}

static bool is_dangling(const char *path)
{
	struct stat st;
	return !lstat(path, &st) && S_ISLNK(st.st_mode) && stat(path, &st);
}

/* ---- lines ---- */

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r");
}

/* "[report]", "[pager "x"]": the section, owned; NULL: it is no heading, or none that ends. */
static char *section_of(const char *line)
{
	const char *p = skip_blanks(line), *end = *p == '[' ? strchr(p, ']') : NULL;
	struct str s = STR_INIT;
	if (!end)
		return NULL;
	for (p++; p < end; p++)
		if (*p == ' ' && strchr(p, '"')) {
			str_addc(&s, '.');
			p += strspn(p, " ") - 1;
		} else if (*p != '"') {
			str_addc(&s, (char)tolower((unsigned char)*p));
		}
	return str_detach(&s);
}

/* "name = value": the name's length, 0: there is none; value: behind the sign, NULL: there is no sign. */
static size_t name_of(const char *line, const char **name, const char **value)
{
	*name = skip_blanks(line);
	size_t n = 0;
	while (isalnum((unsigned char)(*name)[n]) || ((*name)[n] && strchr("-_.", (*name)[n])))
		n++;
	const char *p = skip_blanks(*name + n);
	*value = *p == '=' ? skip_blanks(p + 1) : NULL;
	return n && (*p == '=' || !*p || *p == '#' || *p == ';') ? n : 0;
}

/* Quotes, backslashes and comments taken out, blanks at the end too. */
static char *value_of(const char *p)
{
	struct str s = STR_INIT;
	bool quoted = false;
	size_t keep = 0;
	for (; *p && (quoted || (*p != '#' && *p != ';')); p++) {
		if (*p == '"') {
			quoted = !quoted;
			continue;
		}
		if (*p == '\\' && p[1])
			p++, str_addc(&s, *p == 'n' ? '\n' : *p == 't' ? '\t' : *p);
		else
			str_addc(&s, *p);
		if (quoted || !isspace((unsigned char)*p))
			keep = s.len;
	}
	char *v = str_detach(&s);
	v[keep] = 0;
	return v;
}

static bool is_comment(const char *line)
{
	const char *p = skip_blanks(line);
	return !*p || *p == '#' || *p == ';';
}

/* ---- reading ---- */

static int read_text(const char *path, struct str *s)
{
	char *real = follow_link(path);
	int err = is_dangling(path) ? 0 : file_read_foreign(real, OWNER_NONE, s, CONFIG_MAX);
	free(real);
	if (!err || err == -ENOENT || err == -ENOTDIR)
		return 0;
	if (err == -EPERM) {
		error_set(EPERM, "%s belongs neither to you nor to root", path);
		return error_hint("it could make sonde do things that you did not ask for: chown it, or set PERF_CONFIG to another file");
	}
	return error_sys(-err, "cannot read %s", path);
}

static int parse(config_items *l, const char *path, char *text)
{
	char *section = NULL;
	int number = 0, err = 0;
	for (char *line = strsep(&text, "\n"); line && !err; line = strsep(&text, "\n")) {
		const char *name, *value;
		number++;
		if (is_comment(line))
			continue;
		char *new = section_of(line);
		size_t n = new ? 0 : name_of(line, &name, &value);
		if (new) {
			free(section);
			section = new;
		} else if (n && section) {
			struct config_item *i = vec_push(l);
			i->key = xasprintf("%s.%.*s", section, (int)n, name);
			i->value = value ? value_of(value) : xstrdup("true");
		} else {
			err = error_set(EINVAL, "line %d of %s is neither [SECTION] nor NAME = VALUE", number, path);
			error_hint("correct it, or set PERF_CONFIG to another file");
		}
	}
	free(section);
	return err;
}

int config_read(config_items *l, enum config_file f)
{
	char *path = config_path(f);
	struct str s = STR_INIT;
	int err = path ? read_text(path, &s) : 0;
	if (!err && s.len)
		err = parse(l, path, s.buf);
	str_release(&s);
	free(path);
	return err;
}

void config_release(config_items *l)
{
	vec_each(l, i) {
		free(i->key);
		free(i->value);
	}
	vec_release(l);
}

const char *config_get(const char *key)
{
	static config_items all;
	static bool read;
	const char *found = NULL;
	if (!read) {
		read = true;
		for (int f = 0; f < CONFIG_FILES; f++)
			if (config_read(&all, f)) {
				warn("%s: it is left out", error_message());
				if (*error_hints())
					hint("%s", error_hints());
				error_clear();
			}
	}
	vec_each(&all, i)
		if (!strcasecmp(i->key, key))
			found = i->value; /* the last one wins */
	return found;
}

bool config_bool(const char *value, bool *out)
{
	static const char *const yes[] = { "true", "yes", "on", "1" }, *const no[] = { "false", "no", "off", "0", "" };
	for (int i = 0; i < 4; i++)
		if (!strcasecmp(value, yes[i]))
			return *out = true;
	*out = false;
	for (int i = 0; i < 5; i++)
		if (!strcasecmp(value, no[i]))
			return true;
	return false;
}

/* ---- writing ---- */

static void add_setting(struct str *out, const char *name, const char *value)
{
	bool quote = strpbrk(value, "\"\\#;\n\t") || *value == ' ' || (*value && value[strlen(value) - 1] == ' ');
	str_addf(out, "\t%s = %s", name, quote ? "\"" : "");
	for (const char *p = value; *p; p++)
		if (*p == '\n')
			str_add(out, "\\n");
		else
			str_addf(out, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
	str_addf(out, "%s\n", quote ? "\"" : "");
}

/* The text with the setting in it: in its old place, at the end of its section, or in a section of its own. */
static void edit(struct str *out, char *text, const char *section, const char *name, const char *value)
{
	char *line, *here = NULL;
	bool done = false;
	for (line = strsep(&text, "\n"); line && (*line || text); line = strsep(&text, "\n")) {
		const char *n, *v;
		char *new = is_comment(line) ? NULL : section_of(line);
		if (new) {
			if (!done && here && !strcmp(here, section)) {
				add_setting(out, name, value);
				done = true;
			}
			free(here);
			here = new;
		} else if (here && !strcmp(here, section) && !is_comment(line) && name_of(line, &n, &v) == strlen(name) &&
			   !strncasecmp(n, name, strlen(name))) {
			if (!done)
				add_setting(out, name, value);
			done = true;
			continue;
		}
		str_addf(out, "%s\n", line);
	}
	if (!done && !(here && !strcmp(here, section)))
		str_addf(out, "[%s]\n", section);
	if (!done)
		add_setting(out, name, value);
	free(here);
}

/* As the old one was; a new one of all users is for all of them to read. */
static int set_mode(int fd, const char *path, enum config_file f)
{
	struct stat st;
	bool old = !stat(path, &st);
	if (fchmod(fd, old ? st.st_mode & 0777 : f == CONFIG_SYSTEM ? 0644 : 0600))
		return error_sys(errno, "cannot set the mode of %s", path);
	return 0;
}

/* Beside the file, then in its place. */
static int write_text(const char *path, enum config_file f, const struct str *s)
{
	int err = file_replaceable(path);
	if (err)
		return err;
	char *new = xasprintf("%s.new", path);
	int fd = file_create(new, O_WRONLY, 0600);
	err = fd < 0 ? fd : 0;
	if (fd >= 0) {
		if (write(fd, s->buf, s->len) != (ssize_t)s->len)
			err = error_sys(errno ? errno : ENOSPC, "cannot write %s", new);
		if (!err)
			err = set_mode(fd, path, f);
		close(fd);
		if (!err && rename(new, path))
			err = error_sys(errno, "cannot write %s", path);
		if (err)
			unlink(new);
	}
	free(new);
	return err;
}

static int no_place(enum config_file f)
{
	if (f == CONFIG_SYSTEM) {
		error_set(EINVAL, "--system is of no use: PERF_CONFIG is set, and only that file is read");
		return error_hint("env -u PERF_CONFIG sonde config --system ...; without --system it goes into that file");
	}
	error_set(ENOENT, "there is no place for settings: HOME is not set");
	return error_hint("set HOME, or PERF_CONFIG to a file");
}

int config_write(enum config_file f, const char *key, const char *value)
{
	char *path = config_path(f), *section = xstrdup(key), *dot = strchr(section, '.');
	struct str old = STR_INIT, s = STR_INIT;
	int err = 0;
	if (!path)
		err = no_place(f);
	else if (is_dangling(path))
		err = error_set(ENOENT, "%s is a link that leads nowhere", path), error_hint("make the file that it leads to, or remove it");
	else if (!(err = read_text(path, &old))) {
		*dot = 0; /* the caller has looked */
		edit(&s, old.buf, section, dot + 1, value);
		char *real = follow_link(path);
		err = write_text(real, f, &s);
		free(real);
	}
	str_release(&old);
	str_release(&s);
	free(section);
	free(path);
	return err;
}
