// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/bpf/settings.h"
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "engine/bpf/table.h"
#include "attach/pid_space.h"
#include "kernel/bpf_programs.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

enum { RING_KB = 4096, RINGS_KB = 65536, SLOTS_MIN = 32768, SLOTS_MAX = 131072 };

static bool folds(const struct engine_options *o)
{
	return o->summary_only && !o->fold_outside;
}

static uint32_t ring_blocks(const struct engine_options *o, uint32_t n_cpus)
{
	uint32_t kb = o->ring_kb ? o->ring_kb : RING_KB, n = 1;
	if (!o->ring_kb && kb * n_cpus > RINGS_KB)
		kb = RINGS_KB / n_cpus;
	if (folds(o))
		kb = 128;
	while (n * 2 * (BLOCK / 1024) <= kb)
		n *= 2;
	/* a record needs a block that is wholly free, which must not be half of all */
	uint32_t least = folds(o) ? 2 : 4;
	return n < least ? least : n;
}

/* Threads whose numbers are beyond the slots go into a hash. */
static void slot_settings(struct bpf_settings *s)
{
	int64_t max = INT32_MAX;
	uint32_t n = SLOTS_MIN;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/pid_max"), &max);
	while (n < max && n < SLOTS_MAX)
		n *= 2;
	s->slot_mask = n - 1;
	s->use_more = max > n;
}

/* The folder of a cgroup: below one of the usual mounts, or as it is. Only the second version has numbers that a
 * program can ask for. */
static int find_cgroup(const char *name, char **path)
{
	const char *const at[] = { root_path(ROOT_SYS, "fs/cgroup/"), root_path(ROOT_SYS, "fs/cgroup/unified/"), "" };
	struct statfs fs;
	bool there = false;
	for (size_t i = 0; i < 3; i++) {
		*path = xasprintf("%s%s", at[i], i < 2 && name[0] == '/' ? name + 1 : name);
		if (!statfs(*path, &fs)) {
			there = true;
			if (fs.f_type == CGROUP2_SUPER_MAGIC)
				return 0;
		}
		free(*path);
	}
	error_set(ENOENT, there ? "%s is not a cgroup of the second version" : "there is no cgroup %s", name);
	return error_hint("-G takes a path below /sys/fs/cgroup, where cgroup2 is mounted");
}

/* A cgroup's number is its folder's inode; its level the depth below the mount. */
static int cgroup_settings(struct bpf_settings *s, const char *name)
{
	struct stat st, up;
	char *path;
	int err = find_cgroup(name, &path);
	if (err)
		return err;
	s->use_cgroup = 1;
	if (!stat(path, &st))
		s->cgroup_id = st.st_ino;
	for (;;) {
		char *parent = xasprintf("%s/..", path);
		bool top = stat(parent, &up) || up.st_dev != st.st_dev || s->cgroup_level > 64;
		free(path);
		path = parent;
		if (top)
			break;
		s->cgroup_level++;
	}
	free(path);
	return 0;
}

static int space_settings(struct bpf_settings *s)
{
	if (root_is_fake() || !pid_space_own(&s->pid_space) || !s->pid_space)
		return 0;
	if (!pid_space_shown())
		warn("/proc is that of another pid namespace: names of processes and files that were open before may be wrong "
		     "(mount -t proc proc /proc)");
	struct pid_space_layout l;
	int err = pid_space_layout(&l);
	if (err)
		return err;
	s->pid_level = l.level;
	s->pid_numbers = l.numbers;
	s->pid_space_inode = l.inode;
	return 0;
}

static void comm_settings(struct bpf_settings *s, const char *comm)
{
	char name[16] = "";
	strncpy(name, comm, 15);
	s->use_comm = 1;
	memcpy(&s->want_comm, name, 8);
	memcpy(&s->want_comm_rest, name + 8, 8);
}

int bpf_settings_make(struct bpf_settings *s, const struct engine_options *o)
{
	int n = libbpf_num_possible_cpus();
	*s = (struct bpf_settings){
		.self_tgid = getpid(), .whole = o->all, .use_uid = o->has_uid, .want_uid = o->has_uid ? o->uid : 0,
		.use_cpus = o->cpus.n > 0, .follow = !o->no_follow, .n_cpus = n > 0 ? n : 1,
		.limit_string = o->path_limit && o->path_limit < PIECE_MAX ? o->path_limit : PIECE_MAX,
		.limit_data = o->string_limit < PIECE_MAX ? o->string_limit : PIECE_MAX,
		.summary = o->fold_outside ? 0 : o->summary, .summary_only = folds(o),
		.graph_user = o->user_graph == GRAPH_DWARF ? 2 : o->user_graph == GRAPH_FP,
		.graph_kernel = o->kernel_graph, .lines = !folds(o), .announce = !o->quiet_switch,
		.watch_idle = !o->summary_only && !o->no_calls,
		.use_tests = o->n_where > 0, .see_files = o->see_files, .own_only = lent(), .preemptible = bpf_programs_preempted(),
	};
	if (o->comm)
		comm_settings(s, o->comm);
	/* a call's own tracepoints are named in tracefs, which is not for everybody who may use a sonde with capabilities */
	s->rare = o->calls && !o->silent && !o->no_calls && !lent() ? bpf_table_rare(o) : NULL;
	if (s->rare)
		bpf_table_traits(o, &s->call_flags, &s->call_kinds);
	s->n_blocks = ring_blocks(o, s->n_cpus);
	slot_settings(s);
	int err = space_settings(s);
	return err || !o->cgroup ? err : cgroup_settings(s, o->cgroup);
}
