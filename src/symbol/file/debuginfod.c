// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/file/debuginfod.h"
#include <stdlib.h>
#include <unistd.h>
#include "base/str.h"

static bool unasked;

#ifndef SONDE_STATIC
#include <dlfcn.h>
#define WHY "libdebuginfod.so.1 is not there"
#define REMEDY "apt install libdebuginfod1"

struct client;
struct api {
	void *lib;
	struct client *(*begin)(void);
	void (*end)(struct client *);
	int (*debuginfo)(struct client *, const unsigned char *, int, char **);
	int (*executable)(struct client *, const unsigned char *, int, char **);
};

static bool api_open(struct api *a)
{
	a->lib = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (!a->lib)
		return false;
	*(void **)&a->begin = dlsym(a->lib, "debuginfod_begin");
	*(void **)&a->end = dlsym(a->lib, "debuginfod_end");
	*(void **)&a->debuginfo = dlsym(a->lib, "debuginfod_find_debuginfo");
	*(void **)&a->executable = dlsym(a->lib, "debuginfod_find_executable");
	return a->begin && a->end && a->debuginfo && a->executable;
}

char *debuginfod_fetch(const struct build_id *id, bool executable)
{
	struct api a = { 0 };
	char *path = NULL;
	if (api_open(&a)) {
		struct client *c = a.begin();
		if (c) {
			int fd = (executable ? a.executable : a.debuginfo)(c, id->id, id->n, &path);
			if (fd >= 0)
				close(fd);
			else
				path = NULL;
			a.end(c);
		}
	} else
		unasked = true;
	if (a.lib)
		dlclose(a.lib);
	return path;
}
#else
#include <sys/stat.h>
#include "symbol/file/debugfile.h"
#define WHY "this static sonde loads no library that could"
#define REMEDY "debuginfod-find debuginfo BUILD-ID fetches a file to where sonde finds it; sonde buildid-list tells the ids"

/* Where the library keeps what it fetched; an empty file there says that no server has it. */
static char *cached(const char *hex, const char *what)
{
	const char *own = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (own && *own)
		return xasprintf("%s/%s/%s", own, hex, what);
	if (xdg && *xdg)
		return xasprintf("%s/debuginfod_client/%s/%s", xdg, hex, what);
	return home && *home ? xasprintf("%s/.cache/debuginfod_client/%s/%s", home, hex, what) : NULL;
}

char *debuginfod_fetch(const struct build_id *id, bool executable)
{
	struct stat st;
	char hex[41];
	build_id_hex(id, hex);
	char *path = cached(hex, executable ? "executable" : "debuginfo");
	if (path && !stat(path, &st) && S_ISREG(st.st_mode) && st.st_size)
		return path;
	free(path);
	unasked = true;
	return NULL;
}
#endif

bool debuginfod_loads(void)
{
#ifdef SONDE_STATIC
	return false;
#else
	return true;
#endif
}

const char *debuginfod_unasked(const char **remedy)
{
	*remedy = unasked ? REMEDY : NULL;
	return unasked ? WHY : NULL;
}
