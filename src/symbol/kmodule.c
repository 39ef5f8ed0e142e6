// SPDX-License-Identifier: GPL-2.0-or-later
/* Modules of a kernel that is not the running one, or of another boot: kallsyms does not have them where
 * they were, but the recording says where each was loaded, and its file says what lies how far behind. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "symbol/file/idcache.h"
#include "symbol/file/debugfile.h"
#include "symbol/kernel.h"
#include "symbol/file/module.h"

static bool try_file(struct image *im, char *path, struct str *looked)
{
	struct elf_file e = { .fd = -1 };
	struct build_id id = { .n = 0 };
	if (!path)
		return false;
	str_addf(looked, "%s\n", path);
	int fd = module_open(path);
	bool good = fd >= 0 && !elf_open_fd(&e, fd) && e.type == ET_REL;
	if (good && im->dso.build_id.n)
		good = !elf_build_id(&e, &id) && build_id_same(&id, &im->dso.build_id);
	if (good) {
		elf_lay_out_module(&e);
		good = symtab_load_elf(&im->tab, &e, NULL) > 0;
	}
	elf_close(&e);
	if (good)
		im->symbol_path = path;
	else
		free(path);
	return good;
}

static bool try_build_id(struct image *im, const char *folder, const char *end, struct str *looked)
{
	char hex[41];
	if (!folder || im->dso.build_id.n < 2)
		return false;
	build_id_hex(&im->dso.build_id, hex);
	return try_file(im, xasprintf("%s/.build-id/%.2s/%s%s", folder, hex, hex + 2, end), looked);
}

/* The path of the recording, then where that release has it, then its debug file. */
static bool try_paths(struct image *im, const char *release, struct str *looked)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	const char *fs = o->symfs ?: "";
	if (o->offline && !im->dso.build_id.n && !o->symfs)
		return false;
	if (im->runtime_path && try_file(im, xasprintf("%s%s", fs, im->runtime_path), looked))
		return true;
	char *name = xstrndup(im->dso.path + 1, strcspn(im->dso.path + 1, "]"));
	bool found = try_file(im, module_find(name, o->symfs, release), looked);
	free(name);
	return found || (im->runtime_path && try_file(im, xasprintf("%s/usr/lib/debug%s", fs, im->runtime_path), looked));
}

void kmodule_load(struct image *im)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	struct str looked = STR_INIT;
	const char *fs = o->symfs ?: "";
	char *cache = idcache_root(), *debug = xasprintf("%s/usr/lib/debug", fs);
	bool found = try_build_id(im, o->archive, "/elf", &looked) || try_paths(im, symbols_kernel_release(im->owner), &looked) ||
		     try_build_id(im, cache, "/elf", &looked) || try_build_id(im, debug, ".debug", &looked);
	if (!found)
		image_explain(im, &looked);
	free(cache);
	free(debug);
	str_release(&looked);
}
