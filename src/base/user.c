// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/user.h"
#include <errno.h>
#include <grp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"

#ifndef SONDE_STATIC
#include <pwd.h>

static bool keep(const struct passwd *pw, struct account *u)
{
	if (pw)
		*u = (struct account){ pw->pw_uid, pw->pw_gid, xstrdup(pw->pw_name), xstrdup(pw->pw_dir) };
	return pw;
}

static bool user_of_name(const char *name, struct account *u)
{
	return keep(getpwnam(name), u);
}

bool user_of_id(uid_t uid, struct account *u)
{
	return keep(getpwuid(uid), u);
}

int user_take_groups(const struct account *u)
{
	return initgroups(u->name, u->gid) ? -errno : 0;
}

static int hint_missing(void)
{
	return error_hint("-u takes a name or a number from /etc/passwd");
}
#else
#include "base/file.h"
#include "base/vec.h"

enum { MAX_FILE = 64 << 20 };
typedef VEC(gid_t) gid_list;

/* Takes the next line that is an entry apart at its colons, in place; fields that it lacks are empty. False at the end. Comments
 * are no entries, nor are the lines that NIS had its place in (+name, -name). */
static bool next_entry(char **text, const char **field, size_t n)
{
	char *line;
	while ((line = strsep(text, "\n"))) {
		if (!*line || strchr("#+-", *line))
			continue;
		for (size_t i = 0; i < n; i++)
			field[i] = strsep(&line, ":") ?: "";
		return true;
	}
	return false;
}

static bool to_id(const char *digits, uint32_t *id)
{
	uint64_t v;
	bool fits = !parse_u64(digits, &v) && v < UINT32_MAX;
	*id = fits ? v : 0;
	return fits;
}

/* The first entry of that name, or without one of that number. */
static bool find_entry(char *text, const char *name, uid_t uid, struct account *u)
{
	const char *f[6]; /* name, password, uid, gid, comment, home */
	uint32_t id, gid;
	while (next_entry(&text, f, 6)) {
		if (!*f[0] || !to_id(f[2], &id) || !to_id(f[3], &gid) || (name ? strcmp(f[0], name) != 0 : id != uid))
			continue;
		*u = (struct account){ id, gid, xstrdup(f[0]), xstrdup(f[5]) };
		return true;
	}
	return false;
}

static bool is_member(char *members, const char *name)
{
	const char *m;
	while ((m = strsep(&members, ",")))
		if (!strcmp(m, name))
			return true;
	return false;
}

/* The user's own group first, then those of the text that name the user. */
static void add_groups(char *text, const struct account *u, gid_list *g)
{
	const char *f[4]; /* name, password, gid, members */
	uint32_t gid;
	*vec_push(g) = u->gid;
	while (next_entry(&text, f, 4))
		if (to_id(f[2], &gid) && gid != u->gid && is_member((char *)f[3], u->name))
			*vec_push(g) = gid;
}

static bool look_up(const char *name, uid_t uid, struct account *u)
{
	struct str s = STR_INIT;
	bool found = !file_read("/etc/passwd", &s, MAX_FILE) && find_entry(s.buf, name, uid, u);
	str_release(&s);
	return found;
}

static bool user_of_name(const char *name, struct account *u)
{
	return look_up(name, 0, u);
}

bool user_of_id(uid_t uid, struct account *u)
{
	return look_up(NULL, uid, u);
}

int user_take_groups(const struct account *u)
{
	struct str s = STR_INIT;
	gid_list g = { 0 };
	int err = file_read("/etc/group", &s, MAX_FILE);
	if (err == -ENOENT) /* nobody is in a group that is not there */
		err = 0;
	if (!err) {
		add_groups(s.buf, u, &g);
		err = setgroups(g.n, g.at) ? -errno : 0;
	}
	vec_release(&g);
	str_release(&s);
	return err;
}

static int hint_missing(void)
{
	error_hint("-u takes a name or a number from /etc/passwd");
	return error_hint("this static sonde knows no users of LDAP or other name services: the sonde of the package does");
}
#endif

static int missing(const char *text)
{
	error_set(ENOENT, "there is no user '%s'", text);
	return hint_missing();
}

int user_find(const char *text, struct account *u)
{
	uint64_t n;
	bool found = parse_u64(text, &n) ? user_of_name(text, u) : n < UINT32_MAX && user_of_id((uid_t)n, u);
	return found ? 0 : missing(text);
}

int user_id(const char *text, uid_t *uid)
{
	struct account u;
	uint64_t n;
	if (!parse_u64(text, &n)) {
		*uid = (uid_t)n;
		return n < UINT32_MAX ? 0 : missing(text);
	}
	if (!user_of_name(text, &u))
		return missing(text);
	*uid = u.uid;
	user_release(&u);
	return 0;
}

void user_release(struct account *u)
{
	free(u->name);
	free(u->home);
	*u = (struct account){ 0 };
}
