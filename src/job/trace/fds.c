// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/fds.h"
#include <errno.h>
#include <sys/stat.h>
#include "base/error.h"
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

/* Does the choice of calls depend on what descriptors are? */
static bool asks_files(const struct trace_job *j)
{
	return j->choice.paths || (j->choice.where && trace_where_files(j->choice.where));
}

void trace_fds_plan(struct trace_job *j, const struct engine_ops *ops)
{
	struct engine_options *o = &j->engine;
	bool chosen = o->calls || o->n_where, only_sums = o->summary_only && !asks_files(j);
	o->silent = NULL;
	bool rare = ops->rare && ops->rare(o), paths = ops->can & ENGINE_SEES_MEMORY;
	bool dear = rare || only_sums || o->no_calls || !paths;
	j->fd_trust = o->input ? FDS_RECORDED : paths ? FDS_FOLLOWED : FDS_TOLD;
	o->see_files = false;
	if (rare || !sees_processes(o) || (chosen && dear)) {
		/* a recording is read where nobody can be asked what file that was */
		o->see_files = ops->can & ENGINE_SEES_FILES && !j->record && !o->no_calls && !only_sums;
		j->fd_trust = o->see_files ? FDS_SEEN : FDS_UNKNOWN;
	} else if (chosen) {
		fd_state_calls(&j->silent);
		o->silent = &j->silent;
		o->fold_outside |= o->summary && o->n_where; /* the kernel lets them pass without a test */
	}
}

struct fd_state *trace_fds_open(const struct trace_job *j)
{
	struct fd_state *s = fd_state_new(j->fd_trust);
	if ((j->view.form == TRACE_STRACE && j->view.style.fd_info) || j->choice.paths)
		fd_state_real_paths(s);
	return s;
}

int trace_fds_check(const struct trace_job *j)
{
	if (!asks_files(j) || (j->fd_trust != FDS_UNKNOWN && !j->record))
		return 0;
	error_set(EINVAL, "%s: what a descriptor is cannot be tested here", j->choice.paths ? "-P" : "--where");
	if (j->record)
		return error_hint("record without that test, and use it when reading: sonde trace -i FILE %s ...", j->choice.paths ? "-P" : "--where");
	return error_hint("-C, --comm and -t show only a part of each process: trace all of it with -p, or a command");
}
