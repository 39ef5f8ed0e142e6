/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records events into a perf.data file until the command ends, the target is gone or a signal comes. */
#ifndef JOB_RECORD_RECORDER_H
#define JOB_RECORD_RECORDER_H
#include "job/control.h"
#include "attach/sampling.h"
#include "spec/spec.h"
#include "spec/target.h"

/* Of what was there before: by default all but cgroups. */
enum synth_what { SYNTH_DEFAULT, SYNTH_NONE, SYNTH_TASK, SYNTH_MMAP, SYNTH_CGROUP, SYNTH_ALL };

struct recorder_options {
	struct sampling sampling;
	const char *output; /* "-": pipe form on standard output */
	char *const *argv; /* for the header */
	char **command; /* NULL: none */
	const char *command_user; /* -u with a command */
	bool no_inherit, per_thread, exclude_self, no_build_ids, quiet;
	bool no_progress; /* the terminal is somebody else's: no line each second of how far it is */
	bool delayed; /* -D: sampling is off at first */
	const uint64_t *when_ms; /* then on, off, on... at these times after the start */
	size_t n_when;
	struct control *control; /* NULL: none */
	size_t ring_bytes; /* -m; 0: as large as is good */
	int compress; /* -z: level; 0: none */
	uint64_t max_size; /* 0: none */
	bool no_disk_guard; /* write until the disk is full */
	bool switch_output; /* new files: on SIGUSR2, and after so many bytes or ns (0: not) */
	uint64_t switch_bytes, switch_ns;
	event_list *switch_events; /* and when one of these happens; NULL: none */
	int switch_files; /* keep at most so many; 0: all */
	bool timestamp_name; /* the file's name gets the time */
	enum synth_what synth;
	bool off_cpu; /* how long threads waited, and where */
	int realtime; /* SCHED_FIFO priority; 0: none */
};

/* The exit code: the command's own, or 255 after a pending error was printed. */
int recorder_run(const struct recorder_options *o, event_list *l, struct target *t);
/* folder.c: makes the folder path, with the kernel's code in it, for a recording at *data (to be freed). -errno, pending error. */
int record_folder(const char *path, char **data);
#endif
