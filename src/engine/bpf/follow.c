// SPDX-License-Identifier: GPL-2.0-or-later
#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/error.h"
#include "base/file.h"
#include "engine/bpf/inner.h"
#include "engine/readers.h"
#include "engine/targets.h"
#include "kernel/clock.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

static struct slot *claim(struct engine *g, int tid, int pid, uint8_t flags)
{
	struct slot *s = &g->slots[tid & (g->n_slots - 1)];
	if (s->tid && (int)s->tid != tid)
		return NULL;
	s->ts = 0;
	s->pid = pid;
	s->flags = flags;
	__atomic_store_n(&s->tid, tid, __ATOMIC_RELEASE);
	return s;
}

void bpf_follow_thread(struct engine *g, int tid, int pid, uint8_t flags)
{
	if (!claim(g, tid, pid, flags)) {
		struct slot s = { .tid = tid, .pid = pid, .flags = flags };
		uint32_t key = tid;
		uint64_t rights = lent_raise();
		bpf_map_update_elem(g->programs.more, &key, &s, BPF_ANY);
		lent_lower(rights);
		*g->programs.have_more = 1;
	}
	bpf_thread_of(g, tid, pid);
}

/* Every thread of a process; again until no new one shows up (those they start are followed). */
static int target_process(struct engine *g, int pid, uint8_t flags)
{
	for (int round = 0, fresh = 1; fresh && round < 8; round++) {
		DIR *d = opendir(root_path(ROOT_PROC, "%d/task", pid));
		if (!d && round)
			break;
		if (!d) {
			error_set(ESRCH, "there is no process %d", pid);
			return error_hint("it may have ended; pgrep -a NAME finds a process by its name");
		}
		fresh = 0;
		for (struct dirent *ent; (ent = readdir(d));) {
			int tid = atoi(ent->d_name);
			if (tid > 0 && !u64map_get(&g->threads, tid)) {
				bpf_follow_thread(g, tid, pid, flags);
				fresh = 1;
			}
		}
		closedir(d);
	}
	return 0;
}

int bpf_follow_targets(struct engine *g, const struct engine_options *o)
{
	int err = 0;
	const struct workload *command = engine_command(o);
	if (command && command->pid > 0)
		bpf_follow_thread(g, command->pid, command->pid, SLOT_TRACED | SLOT_NEWBORN | SLOT_UNTIL_EXEC);
	for (size_t i = 0; !err && i < o->pids.n; i++)
		err = target_process(g, o->pids.at[i], SLOT_TRACED);
	for (size_t i = 0; !err && i < o->tids.n; i++) {
		if (!file_exists(root_path(ROOT_PROC, "%d", o->tids.at[i])))
			return error_set(ESRCH, "there is no thread %d", o->tids.at[i]);
		bpf_follow_thread(g, o->tids.at[i], o->tids.at[i], SLOT_TRACED);
	}
	return err;
}

/* With the whole machine traced: who reads our lines is not held back; who shows them is not traced at all. */
void bpf_follow_spare_readers(struct engine *g, const struct engine_options *o)
{
	intlist pids = { 0 };
	bool terminal;
	if (!o->all)
		return;
	readers_of(o->out_fd, &pids, &terminal);
	for (size_t i = 0; i < pids.n; i++)
		if (target_process(g, pids.at[i], terminal ? 0 : SLOT_TRACED | SLOT_NOWAIT))
			error_clear(); /* gone already */
	vec_release(&pids);
}

/* The program may have noted the late ones as nobody's. */
static void forget_owners(struct engine *g)
{
	size_t len = OWNERS * sizeof(uint64_t);
	void *p = bpf_memory(g->programs.owners, len, PROT_READ | PROT_WRITE);
	if (p) {
		memset(p, 0, len);
		munmap(p, len);
	}
}

void bpf_follow_late(struct engine *g, const struct engine_options *o)
{
	size_t before = g->threads.n;
	for (size_t i = 0; i < o->pids.n; i++)
		if (target_process(g, o->pids.at[i], SLOT_TRACED))
			error_clear(); /* gone already, as bpf_follow_judge finds */
	if (g->threads.n != before)
		forget_owners(g);
}

/* The command is among them: while it waits for its go it is the caller's, who may have made it exec a program of root's. */
int bpf_follow_judge(struct engine *g)
{
	uint64_t tid;
	size_t cursor = 0;
	void *t;
	int err = 0;
	while (!err && lent() && u64map_next(&g->threads, &cursor, &tid, &t))
		err = trace_target_seen((int)tid);
	return err;
}

/* Does one of the targets run a 32-bit program already? */
bool bpf_follow_has_compat(struct engine *g, const struct engine_options *o)
{
	uint64_t tid;
	size_t cursor = 0;
	void *t;
	bool found = false;
	while (!found && u64map_next(&g->threads, &cursor, &tid, &t))
		found = program_abi((int)tid) == ABI_32;
	DIR *d = o->all ? opendir(root_path(ROOT_PROC, ".")) : NULL;
	for (struct dirent *ent; !found && d && (ent = readdir(d));)
		found = atoi(ent->d_name) > 0 && program_abi(atoi(ent->d_name)) == ABI_32;
	if (d)
		closedir(d);
	return found;
}

void bpf_follow_midway(struct engine *g, const struct engine_options *o)
{
	uint64_t tid;
	size_t cursor = 0;
	void *t;
	g->limits = (struct copier_limits){ o->path_limit, o->string_limit, o->environ };
	g->opened = clock_ns();
	g->calls = o->calls;
	g->told_midway = !g->announce || o->all || o->no_calls || o->summary_only;
	if (o->all || o->no_calls || o->summary_only)
		return;
	while (u64map_next(&g->threads, &cursor, &tid, &t))
		if (!o->workload || (int)tid != o->workload->pid)
			bpf_midway_note(g, t, &g->limits);
}

static bool lives(uint32_t tid)
{
	return file_exists(root_path(ROOT_PROC, "%u", tid));
}

static bool is_traced(const struct slot *s)
{
	return s->tid && s->flags & SLOT_TRACED && lives(s->tid);
}

/* Whoever has a slot, unless it died before its end was watched; mostly the one that was found last time. The numbers in
 * `more` are few or none. */
bool bpf_follow_busy(struct engine *g)
{
	uint32_t tid;
	if (is_traced(&g->slots[g->found_alive]))
		return true;
	for (uint32_t i = 0; i < g->n_slots; i++) {
		if (!is_traced(&g->slots[i]))
			continue;
		g->found_alive = i;
		return true;
	}
	uint64_t rights = lent_raise();
	bool more = false;
	for (uint32_t *before = NULL; *g->programs.have_more && !more && !bpf_map_get_next_key(g->programs.more, before, &tid); before = &tid)
		more = lives(tid);
	lent_lower(rights);
	return more;
}
