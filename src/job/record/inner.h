/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the recorder share. */
#ifndef EVENT_RECORDER_INNER_H
#define EVENT_RECORDER_INNER_H
#include <poll.h>
#include "attach/open.h"
#include "job/record/recorder.h"
#include "attach/rings.h"
#include "attach/synth.h"
#include "attach/sysrecord.h"
#include "kernel/workload.h"
#include "perfdata/writer.h"

struct recorder {
	const struct recorder_options *o;
	event_list *l;
	struct target *t;
	int tracker; /* event that tracks maps and names */
	bool own_tracker; /* an event of its own, on before the others */
	struct opened opened, tracking; /* tracking: apart only in overwrite mode */
	struct rings rings, tracking_rings;
	struct sysrecord *sys; /* system calls, by BPF; NULL: none, or by perf */
	int sys_enter, sys_exit; /* those events; -1: none */
	uint64_t sys_ids[2];
	struct workload work;
	struct synth synth;
	struct perfdata_writer *w;
	char *path; /* of the file now written */
	int time_pos; /* of samples, in words; -1: unknown */
	uint64_t samples, lost, bytes; /* lost: by LOST records */
	uint64_t last_time; /* of the sample looked at last; 0: not known */
	uint64_t throttled; /* how often the kernel held back samples */
	uint64_t samples_kept; /* of system calls, before --max-size was met */
	uint64_t lost_by_event; /* by PERF_FORMAT_LOST */
	uint64_t started, file_started, progress_at;
	bool limit_met, stopped; /* stopped: by --control */
	size_t when; /* of the times in when_ms: how many have passed */
	VEC(struct pollfd) polled;
	size_t poll_rings; /* of them: rings still alive, in front */
	/* flight recorder: what a snapshot needs besides the rings */
	struct str side_made, side_ring;
	VEC(char *) files; /* finished ones, with --switch-max-files */
	size_t n_files;
};


/* record_files.c */
int files_open(struct recorder *r); /* writer with all events, header written */
int files_close(struct recorder *r); /* finishes the file, gives it its last name */
int files_switch(struct recorder *r);
int files_synth(struct recorder *r); /* what was there before */
int files_snapshot(struct recorder *r, bool last); /* overwrite mode: one file from all rings */
int files_keep(void *ctx, const struct perf_event_header *h); /* synth's put */
/* recorder.c */
void recorder_look(struct recorder *r, const struct perf_event_header *h);
/* record_when.c */
void when_track(struct recorder *r); /* the tracker on */
void when_on(struct recorder *r); /* all others */
void when_due(struct recorder *r, uint64_t now); /* -D */
int when_sleep(const struct recorder *r, uint64_t now, int ms); /* at most ms, and not beyond the next time */
int when_told(struct recorder *r); /* --control; -errno with a pending error */
/* record_say.c */
void say_progress(struct recorder *r);
void say_end(struct recorder *r);
void say_rings(const struct recorder *r, size_t wanted);
#endif
