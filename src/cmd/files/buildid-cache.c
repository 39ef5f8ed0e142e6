// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde buildid-cache: perf's ~/.debug, looked after. */
#include <errno.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/options.h"
#include "base/out.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "cmd/reading_perf.h"
#include "perfdata/reader.h"
#include "symbol/file/debugfile.h"
#include "symbol/file/idcache.h"

static const char *const usage[] = {
	"sonde buildid-cache [-a FILE,...] [-u FILE,...] [-r FILE,...] [-p FILE,...] [-P] [-l] [-M RECORDING]", NULL };

struct cache_options {
	const char *adds, *removes, *purges, *updates, *recording;
	bool show, purge_all, force;
};
#define OPTIONS struct cache_options

static const struct option_row rows[] = {
	OPT_STRING('a', "add", "FILE,...", adds, "copy these binaries into the cache"),
	OPT_STRING('u', "update", "FILE,...", updates, "copy them again"),
	OPT_STRING('r', "remove", "FILE,...", removes, "remove these, as they are now"),
	OPT_STRING('p', "purge", "FILE,...", purges, "remove these and all their older versions"),
	OPT_FLAG('P', "purge-all", purge_all, "empty the cache"),
	OPT_STRING('M', "missing", "FILE", recording, "show which build-ids of a recording are not cached"),
	OPT_FLAG('l', "list", show, "show what is cached"),
	OPT_FLAG('f', "force", force, "read a recording that another user owns"),
	OPT_VERBOSE("say what is done"),
	CACHE_PERF_ROWS,
	OPT_END(),
};

static int add(const char *path)
{
	return idcache_add(path, false);
}

static int update(const char *path)
{
	return idcache_add(path, true);
}

/* Each file of a comma list; one that fails is told and the others are still done. */
static int each(const char *list, int (*act)(const char *), const char *done)
{
	wordlist files = { 0 };
	int code = 0;
	if (!list)
		return 0;
	wordlist_split(&files, list, ',');
	vec_each(&files, f) {
		if (act(*f))
			code = error_print();
		else
			note(1, "%s %s", done, *f);
	}
	wordlist_release(&files);
	return code;
}

static int list(struct out *o)
{
	struct str s = STR_INIT;
	int err = idcache_list(&s);
	out_str(o, &s);
	str_release(&s);
	return err ? error_print() : 0;
}

/* Which build-ids of a recording are not cached. */
static int missing(struct out *o, const char *recording, bool force)
{
	const struct perfdata_build_id *ids;
	struct perfdata *p = perfdata_open(recording, force);
	struct str s = STR_INIT;
	char hex[41];
	if (!p)
		return error_print();
	size_t n = perfdata_build_ids(p, &ids);
	for (size_t i = 0; i < n; i++) {
		if (idcache_has(&ids[i].id))
			continue;
		build_id_hex(&ids[i].id, hex);
		str_addf(&s, "%s ", hex);
		str_add_safez(&s, ids[i].path);
		str_addc(&s, '\n');
	}
	out_str(o, &s);
	str_release(&s);
	perfdata_close(p);
	return 0;
}

static int run(const struct cache_options *o, struct out *out)
{
	int code = each(o->adds, add, "added") | each(o->updates, update, "updated") | each(o->removes, idcache_remove, "removed") |
		   each(o->purges, idcache_purge, "purged");
	if (o->purge_all && idcache_purge(NULL))
		code = error_print();
	if (o->show)
		code |= list(out);
	if (o->recording)
		code |= missing(out, o->recording, o->force);
	return code;
}

int cmd_buildid_cache(int argc, char **argv)
{
	struct cache_options o = { 0 };
	struct out out;
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n || !(o.adds || o.updates || o.removes || o.purges || o.purge_all || o.recording || o.show))
		return options_exit(error_set(EINVAL, n ? "'%s': name files with -a, -u, -r or -p" : "nothing to do%s", n ? argv[0] : ""), usage);
	if (out_open(&out, NULL, false))
		return error_print();
	int code = run(&o, &out);
	return out_close(&out) ? error_print() : code;
}
