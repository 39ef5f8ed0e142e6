// SPDX-License-Identifier: GPL-2.0-or-later
/* Which Debian package holds a file, from dpkg's own lists (no dpkg is run), and where its debug files are to be had. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "symbol/file/debugfile.h"

/* Merged /usr: /lib/x may be listed as /usr/lib/x and the other way round. */
static bool lists(const struct str *s, const char *path)
{
	const char *other = str_starts(path, "/usr/") ? path + 4 : NULL;
	char *longer = other ? NULL : xasprintf("/usr%s", path);
	bool found = false;
	const char *names[2] = { path, other ?: longer };
	for (int i = 0; i < 2 && !found; i++) {
		size_t n = strlen(names[i]);
		for (const char *at = s->buf; (at = strstr(at, names[i])); at++)
			if ((at == s->buf || at[-1] == '\n') && at[n] == '\n') {
				found = true;
				break;
			}
	}
	free(longer);
	return found;
}

/* Nothing of a package is elsewhere; reading hundreds of lists can be saved for somebody's own program. */
static bool may_be_packaged(const char *path)
{
	static const char *const top[] = { "/usr/", "/bin/", "/sbin/", "/lib", "/opt/", "/boot/", "/etc/", "/var/lib/", NULL };
	for (int i = 0; top[i]; i++)
		if (str_starts(path, top[i]))
			return !str_starts(path, "/usr/local/");
	return false;
}

static char *owner(const char *path)
{
	if (!may_be_packaged(path))
		return NULL;
	DIR *dir = opendir("/var/lib/dpkg/info");
	char *package = NULL;
	struct dirent *e;
	struct str s = STR_INIT;
	while (dir && !package && (e = readdir(dir))) {
		if (!str_ends(e->d_name, ".list"))
			continue;
		char *file = xasprintf("/var/lib/dpkg/info/%s", e->d_name);
		str_clear(&s);
		if (!file_read(file, &s, 16 << 20) && lists(&s, path))
			package = xstrndup(e->d_name, strcspn(e->d_name, ":.") < strlen(e->d_name) - 5 && strchr(e->d_name, ':') ?
				strcspn(e->d_name, ":") : strlen(e->d_name) - 5);
		free(file);
	}
	if (dir)
		closedir(dir);
	str_release(&s);
	return package;
}

char *debugfile_package(const char *binary)
{
	char *real = realpath(binary, NULL), *package = owner(real ?: binary), *debug;
	free(real);
	if (!package)
		return NULL;
	debug = xasprintf("%s%s", package, !strcmp(package, "libc6") ? "-dbg" : "-dbgsym");
	free(package);
	return debug;
}

/* "ID=debian" of os-release; quotes taken off. Owned; NULL: no such line. */
static char *release_word(const char *text, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		if (strncmp(at, name, n) || at[n] != '=')
			continue;
		const char *word = at + n + 1 + (at[n + 1] == '"');
		size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-");
		return len ? xstrndup(word, len) : NULL;
	}
	return NULL;
}

static bool apt_lists(const char *part)
{
	DIR *dir = opendir("/var/lib/apt/lists");
	struct dirent *e;
	bool found = false;
	while (dir && !found && (e = readdir(dir)))
		found = strstr(e->d_name, part) && strstr(e->d_name, "_Packages");
	if (dir)
		closedir(dir);
	return found;
}

struct debugfile_source debugfile_source(void)
{
	struct debugfile_source d = { 0 };
	struct str s = STR_INIT;
	if (file_read("/etc/os-release", &s, 1 << 16))
		str_clear(&s);
	char *id = release_word(s.buf, "ID"), *codename = release_word(s.buf, "VERSION_CODENAME");
	if (id && codename && !strcmp(id, "debian")) {
		d.archive = xasprintf("deb http://deb.debian.org/debian-debug %s-debug main", codename);
		d.listed = apt_lists("-debug_main");
		d.server = "https://debuginfod.debian.net";
	} else if (id && codename && !strcmp(id, "ubuntu")) {
		d.archive = xasprintf("deb http://ddebs.ubuntu.com %s main restricted universe multiverse", codename);
		d.listed = apt_lists("ddebs");
		d.server = "https://debuginfod.ubuntu.com";
	}
	free(id);
	free(codename);
	str_release(&s);
	return d;
}
