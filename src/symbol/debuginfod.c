// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/debuginfod.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

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
	}
	if (a.lib)
		dlclose(a.lib);
	return path;
}
