// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/fds.h"
#include <errno.h>
#include <sys/stat.h>
#include "base/error.h"
#include "engine/bpf/table.h"
#include "kernel/root.h"

bool trace_fds_lone(int tid)
{
	struct stat st;
	return !stat(root_path(ROOT_PROC, "%d/task", tid), &st) && st.st_nlink == 3;
}

/* Does the engine see all calls of each process, as far as they are chosen? */
static bool sees_processes(const struct engine_options *o)
{
	bool whole = !o->cpus.n && !o->comm;
	vec_each(&o->tids, tid)
		whole = whole && trace_fds_lone(*tid);
	return whole;
}

static bool tells_paths(const struct engine_ops *ops)
{
	return ops != &engine_perf;
}

void trace_fds_plan(struct trace_job *j, const struct engine_ops *ops)
{
	struct engine_options *o = &j->engine;
	bool chosen = o->calls || o->n_where;
	o->silent = NULL;
	bool rare = o->calls && !o->input && ops == &engine_bpf && bpf_table_rare(o);
	bool dear = rare || o->summary_only || o->no_calls || !tells_paths(ops);
	j->view.fds = o->input ? FDS_RECORDED : tells_paths(ops) ? FDS_FOLLOWED : FDS_TOLD;
	o->see_files = false;
	if (rare || !sees_processes(o) || (chosen && dear)) {
		/* a recording is read where nobody can be asked what file that was */
		o->see_files = ops == &engine_bpf && !j->record && !o->no_calls && !o->summary_only;
		j->view.fds = o->see_files ? FDS_SEEN : FDS_UNKNOWN;
	} else if (chosen) {
		fd_state_calls(&j->silent);
		o->silent = &j->silent;
		o->fold_outside |= o->summary && o->n_where; /* the kernel lets them pass without a test */
	}
}

int trace_fds_check(const struct trace_job *j)
{
	if (!j->where || !trace_where_files(j->where) || (j->view.fds != FDS_UNKNOWN && !j->record && !j->engine.summary_only))
		return 0;
	error_set(EINVAL, "--where: what a descriptor is cannot be tested here");
	if (j->record)
		return error_hint("record without that test, and use it when reading: sonde trace -i FILE --where ...");
	if (j->engine.summary_only)
		return error_hint("a summary does not follow descriptors: leave out -s");
	return error_hint("-C, --comm and -t show only a part of each process: trace all of it with -p, or a command");
}
