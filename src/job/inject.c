// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader hands out the records in the order of time; each is written as it is, and what is new stands before the record
 * that needs it. So a pipe goes through without being kept. */
#include "job/inject.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "base/words.h"
#include "job/inject_jit.h"
#include "job/inject_maps.h"
#include "job/inject_sched.h"
#include "perfdata/body.h"
#include "perfdata/format.h"
#include "perfdata/writer.h"
#include "session/callchain.h"
#include "session/session.h"
#include "symbol/file/debugfile.h"

enum { KNOWN_MAX = 64 << 20 };

struct injector {
	const struct inject_options *o;
	struct perfdata *p;
	struct perfdata_writer *w;
	struct symbols *syms;
	struct session *session;
	struct inject_sched *sched;
	struct inject_jit *jit;
	struct inject_maps *maps;
	bool to_pipe, local; /* local: recorded on this machine, whose files are the ones that were mapped */
	struct strmap told; /* paths whose build-id is in the output, or is not to be had */
	struct strmap known; /* path to struct build_id */
	struct strmap read; /* the same, of what was looked for in files; n 0: there is none */
	uint64_t missing;
	size_t ids; /* of the recording's build-ids, told so far */
};

/* ---- build-ids ---- */

static int add_known(struct injector *in, char *line)
{
	char *path = line + strcspn(line, " \t");
	struct build_id *id = xcalloc(1, sizeof(*id));
	bool parted = *path;
	if (parted)
		*path++ = 0;
	path += strspn(path, " \t");
	if (!parted || !*path || build_id_parse(line, id)) {
		free(id);
		error_set(EINVAL, "--known-build-ids: '%s' is not a build-id and a path", line);
		return error_hint("pairs as sonde buildid-list prints them: --known-build-ids 'ID /usr/bin/x,ID /usr/bin/y', or file://NAME");
	}
	free(strmap_get(&in->known, path));
	strmap_set(&in->known, path, id);
	return 0;
}

static int read_known(struct injector *in, const char *text)
{
	struct str s = STR_INIT;
	wordlist lines = { 0 };
	bool file = str_starts(text, "file://");
	int err = 0;
	if (file && (err = file_read(text + 7, &s, KNOWN_MAX)))
		error_sys(err, "cannot read the build-ids in %s", text + 7);
	if (!err)
		wordlist_split(&lines, file ? s.buf : text, file ? '\n' : ',');
	for (size_t i = 0; i < lines.n && !err; i++)
		if (lines.at[i][strspn(lines.at[i], " \t")])
			err = add_known(in, lines.at[i] + strspn(lines.at[i], " \t"));
	wordlist_release(&lines);
	str_release(&s);
	return err;
}

/* What the file has, when it is the one that was mapped. */
static bool read_id(const struct injector *in, const char *path, bool kernel, struct build_id *id)
{
	if (!in->local)
		return false;
	if (kernel && str_starts(path, "[kernel.kallsyms]"))
		return !build_id_of_kernel(id);
	if (kernel && path[0] == '[') {
		char *name = xstrndup(path + 1, strcspn(path + 1, "]"));
		bool has = !build_id_of_module(name, id);
		free(name);
		return has;
	}
	return path[0] == '/' && !str_starts(path, "//") && !build_id_of_file(path, id) && id->n;
}

/* The one that is known for it, that the record has, or that the file has. */
static bool find_id(struct injector *in, const char *name, const struct build_id *given, bool kernel, struct build_id *id)
{
	const struct build_id *known = strmap_get(&in->known, name);
	struct build_id *read = strmap_get(&in->read, name);
	if (!known && given && given->n)
		known = given;
	if (!known && !read) {
		read = xcalloc(1, sizeof(*read));
		strmap_set(&in->read, name, read);
		if (!read_id(in, name, kernel, read)) {
			error_clear();
			read->n = 0;
			in->missing += name[0] == '/' && !str_starts(name, "//");
		}
	}
	*id = known ? *known : *read;
	return id->n;
}

static bool id_of_map(void *injector, const char *path, const struct build_id *given, struct build_id *id)
{
	bool has = find_id(injector, path, given, false, id);
	if (has)
		note(1, "%s has a build-id", path);
	return has;
}

/* Once for each path: into the header, or right here. */
static int tell(struct injector *in, const char *path, const struct build_id *given, bool kernel)
{
	const char *name = kernel && str_starts(path, "[kernel.kallsyms]") ? "[kernel.kallsyms]" : path;
	struct build_id id = { .n = 0 };
	if (strmap_has(&in->told, name))
		return 0;
	strmap_set(&in->told, name, NULL);
	if (!find_id(in, name, given, kernel, &id))
		return 0;
	note(1, "%s has a build-id", name);
	if (in->to_pipe)
		return perfdata_put_build_id(in->w, name, &id, kernel);
	perfdata_saw_build_id(in->w, name, &id, kernel);
	return 0;
}

static int tell_frame(struct injector *in, int pid, uint64_t ip, int mode)
{
	struct frame f = { 0 };
	symbols_resolve(in->syms, pid, ip, mode, &f);
	return f.dso && !f.dso->jit ? tell(in, f.dso->path, &f.dso->build_id, f.dso->kernel) : 0;
}

static int tell_hits(struct injector *in, const struct perfdata_record *r)
{
	struct chain_ip chain[CALLCHAIN_MAX];
	int err = tell_frame(in, r->pid, r->ip, sample_mode(r->misc)), n = callchain_walked(r, chain);
	for (int i = 0; i < n && !err; i++)
		err = tell_frame(in, r->pid, chain[i].ip, chain[i].mode);
	return err;
}

static int put_map_of(struct injector *in, const struct perfdata_record *r, uint64_t ip, int mode)
{
	int err = mode == SYM_USER ? inject_maps_hit(in->maps, in->w, r, ip) : 0;
	return err ? err : tell_frame(in, r->pid, ip, mode);
}

/* -B: the maps in which the sample lies, its callers, and what it accessed; their build-ids stand in the header as well, where
 * the kernel's have their only place. */
static int put_maps(struct injector *in, const struct perfdata_record *r)
{
	struct chain_ip chain[CALLCHAIN_MAX];
	bool truncated;
	int err = r->addr ? inject_maps_hit(in->maps, in->w, r, r->addr) : 0;
	int n = callchain_ips(in->syms, r, (struct chain_limit){ .max = CALLCHAIN_MAX / 2 }, chain, &truncated);
	if (!err)
		err = put_map_of(in, r, r->ip, sample_mode(r->misc));
	for (int i = 0; i < n && !err; i++)
		err = put_map_of(in, r, chain[i].ip, chain[i].mode);
	return err;
}

static int tell_map(struct injector *in, const struct perfdata_record *r)
{
	struct body b = body_of(r);
	bool two = r->header->type == PERF_RECORD_MMAP2;
	size_t at = two ? 64 : 32;
	struct build_id id = { .n = 0 };
	if (b.n <= at || !memchr(b.at + at, 0, b.n - at))
		return 0;
	if (two && r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && b.at[32] <= sizeof(id.id)) {
		id.n = b.at[32];
		memcpy(id.id, b.at + 36, id.n);
	}
	const char *path = (const char *)b.at + at;
	bool kernel = (r->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	if (path[0] != '/' && !kernel)
		return 0;
	return str_starts(path, "//") ? 0 : tell(in, path, &id, kernel);
}

/* Those that the recording has are not lost; more of them come between the records of a pipe. */
static int keep_header_ids(struct injector *in)
{
	const struct perfdata_build_id *all;
	size_t n = perfdata_build_ids(in->p, &all);
	int err = 0;
	for (; in->ids < n && !err; in->ids++) {
		const struct perfdata_build_id *b = &all[in->ids];
		err = tell(in, b->path, &b->id, (b->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL);
	}
	return err;
}

/* ---- records ---- */

static bool describes(uint32_t type)
{
	return type == RECORD_HEADER_ATTR || type == RECORD_HEADER_EVENT_TYPE || type == RECORD_HEADER_TRACING_DATA ||
	       type == RECORD_HEADER_FEATURE;
}

static int refuse_aux(void)
{
	error_set(ENOTSUP, "the recording has AUX area data (Intel PT, ARM SPE), which sonde does not read");
	return error_hint("perf inject --itrace decodes it; its output is a recording that sonde reads");
}

static int put(struct injector *in, const struct perfdata_record *r)
{
	const struct perf_event_header *h = r->header;
	int err = 0;
	if (describes(h->type)) /* has been taken over */
		return 0;
	if (h->type == RECORD_AUXTRACE || h->type == RECORD_AUXTRACE_INFO)
		return refuse_aux();
	if (h->type == RECORD_FINISHED_ROUND)
		return perfdata_put_round(in->w);
	if (in->jit && (err = inject_jit(in->jit, in->w, r, in->to_pipe)))
		return err < 0 ? err : 0;
	session_feed(in->session, r);
	if (h->type == RECORD_HEADER_BUILD_ID)
		return 0; /* the reader has it; see copy */
	if (in->o->all && (h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2))
		err = tell_map(in, r);
	else if (in->o->hits && h->type == PERF_RECORD_SAMPLE)
		err = tell_hits(in, r);
	if (!err && in->o->used_maps && h->type == PERF_RECORD_SAMPLE)
		err = put_maps(in, r);
	if (!err && in->maps && (err = inject_maps(in->maps, in->w, r)))
		return err < 0 ? err : 0;
	if (!err && in->sched && h->type == PERF_RECORD_SAMPLE) {
		err = inject_sched(in->sched, in->w, r);
		if (err)
			return err < 0 ? err : 0;
	}
	return err ? err : perfdata_put_record(in->w, h);
}

static void add_events(struct injector *in)
{
	for (size_t i = 0; i < perfdata_n_events(in->p); i++) {
		const struct perfdata_event *e = perfdata_event_at(in->p, i);
		struct perf_event_attr a = e->attr;
		a.size = sizeof(a);
		struct perfdata_new_event n = { .attr = &a, .name = e->name, .unit = e->unit, .ids = e->ids, .n_ids = e->n_ids,
						.group_leader = e->group_leader, .group_members = e->group_members };
		perfdata_add_event(in->w, &n);
	}
}

/* EVENT_UPDATE: unit or scale. */
static int put_update(struct injector *in, const struct perfdata_event *e, uint64_t kind, const void *what, size_t n)
{
	struct { struct perf_event_header h; uint64_t kind, id; } r = { { RECORD_EVENT_UPDATE, 0, (uint16_t)(sizeof(r) + (n + 7) / 8 * 8) },
									kind, e->n_ids ? e->ids[0] : 0 };
	struct str s = STR_INIT;
	str_addn(&s, &r, sizeof(r));
	str_addn(&s, what, n);
	while (s.len < r.h.size)
		str_addc(&s, 0);
	int err = perfdata_put_record(in->w, (const struct perf_event_header *)s.buf);
	str_release(&s);
	return err;
}

/* Those that were read ahead, at the head of a pipe; the others come as records. */
static int put_units(struct injector *in)
{
	int err = 0;
	for (size_t i = 0; i < perfdata_n_events(in->p) && !err; i++) {
		const struct perfdata_event *e = perfdata_event_at(in->p, i);
		if (e->unit)
			err = put_update(in, e, UPDATE_UNIT, e->unit, strnlen(e->unit, 4096) + 1);
		if (!err && (e->scale < 0 || e->scale > 0))
			err = put_update(in, e, UPDATE_SCALE, &e->scale, sizeof(e->scale));
	}
	return err;
}

static int begin(struct injector *in)
{
	const struct perfdata_info *info = perfdata_info(in->p);
	char host[256] = "";
	struct symbols_options so = in->o->symbols;
	struct perfdata_writer_options wo = { .path = in->o->output, .source = in->p };
	gethostname(host, sizeof(host) - 1);
	in->local = !in->o->symbols.offline && (!info->hostname || !strcmp(info->hostname, host));
	if (info->other_endian)
		return error_set(ENOTSUP, "the recording has the other byte order: it can be read, but not be written anew");
	in->w = perfdata_create(&wo);
	if (!in->w)
		return error_code();
	add_events(in);
	int err = perfdata_begin(in->w);
	if (!err)
		err = put_units(in);
	so.offline = !in->local;
	in->syms = symbols_new(&so);
	in->session = session_new(in->syms);
	session_header(in->session, in->p);
	return err ? err : keep_header_ids(in);
}

static int copy(struct injector *in)
{
	struct perfdata_record r;
	int err = begin(in), next = 0;
	while (!err && (next = perfdata_next(in->p, &r)) > 0) {
		err = keep_header_ids(in);
		if (!err)
			err = put(in, &r);
	}
	if (!err && next < 0) { /* what came before is whole */
		perfdata_finish(in->w);
		return next;
	}
	return err ? err : perfdata_finish(in->w);
}

static void release(struct injector *in)
{
	size_t cursor = 0;
	const char *key;
	void *id;
	session_free(in->session);
	symbols_free(in->syms);
	inject_sched_free(in->sched);
	inject_jit_free(in->jit);
	inject_maps_free(in->maps);
	perfdata_writer_free(in->w);
	perfdata_close(in->p);
	while (strmap_next(&in->known, &cursor, &key, &id))
		free(id);
	for (cursor = 0; strmap_next(&in->read, &cursor, &key, &id);)
		free(id);
	strmap_release(&in->read);
	strmap_release(&in->known);
	strmap_release(&in->told);
}

/* The output would replace what is being read. */
static int check_files(const struct inject_options *o)
{
	struct stat a, b;
	if (!strcmp(o->input, "-") || !strcmp(o->output, "-") || stat(o->input, &a) || stat(o->output, &b) ||
	    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return 0;
	error_set(EINVAL, "%s would be read and written at the same time", o->input);
	return error_hint("another name for the output: -o NAME");
}

int inject_run(const struct inject_options *o)
{
	struct injector in = { .o = o, .to_pipe = !strcmp(o->output, "-") };
	int err = check_files(o);
	if (!err && o->known)
		err = read_known(&in, o->known);
	if (!err) {
		in.p = perfdata_open(o->input, o->force);
		err = in.p ? 0 : error_code();
	}
	if (!err && perfdata_names_functions(in.p)) {
		error_set(EINVAL, "%s is a trace.dat, which inject does not rewrite", o->input);
		err = error_hint("sonde ftrace split writes parts of one");
	}
	if (!err && o->sched_stat) {
		in.sched = inject_sched_new(in.p);
		err = in.sched ? 0 : error_code();
	}
	if (!err && o->jit) {
		in.jit = inject_jit_new(in.p, o->force);
		err = in.jit ? 0 : error_code();
	}
	if (o->used_maps || o->all_maps)
		in.maps = inject_maps_new(o->used_maps, id_of_map, &in);
	if (!err) {
		perfdata_keep_groups(in.p);
		err = copy(&in);
	}
	if (err == -EPIPE && in.to_pipe) { /* the reader has seen enough */
		error_clear();
		err = 0;
	}
	if (in.missing && !in.local)
		warn("%llu files have no build-id: the recording is another machine's, whose files are not here", (unsigned long long)in.missing);
	release(&in);
	return err;
}
