// SPDX-License-Identifier: GPL-2.0-or-later
/* Which Debian package holds a file, from dpkg's own lists (no dpkg is run). */
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
