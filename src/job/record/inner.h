/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the recorder share. */
#ifndef JOB_RECORD_INNER_H
#define JOB_RECORD_INNER_H
#include <poll.h>
#include "attach/offcpu.h"
#include "attach/open.h"
#include "job/record/recorder.h"
#include "attach/rings.h"
#include "attach/samplefilter.h"
#include "attach/synth.h"
#include "attach/sysrecord.h"
#include "job/disk.h"
#include "job/life.h"
#include "perfdata/writer.h"

struct filtered_event { int event; struct sample_gate *gate; };

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
	VEC(struct filtered_event) filtered; /* --filter on samples */
	struct opened trigger; /* --switch-output-event */
	struct rings trigger_rings;
	struct offcpu *offcpu; /* --off-cpu; NULL: not */
	int off_event; /* its event; -1: none */
	uint64_t off_id, off_next, off_no_room; /* off_next: when its sums are due again */
	struct life life;
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
	uint64_t disk_end; /* of the file now written: up to there, for the sake of the disk; see job/disk.h */
	bool disk_full; /* limit_met, because of it */
	struct disk_pace pace;
	bool awry; /* a record in the ring has to be mended (mend.c) */
	size_t when; /* of the times in when_ms: how many have passed */
	VEC(struct pollfd) polled;
	size_t poll_rings; /* of them: rings still alive, in front */
	bool polls_rings; /* there were some */
	/* flight recorder: what a snapshot needs besides the rings */
	struct str side_made, side_ring;
	VEC(char *) files; /* finished ones, with --switch-max-files */
	size_t n_files;
};


/* files.c */
int files_open(struct recorder *r); /* writer with all events, header written */
int files_close(struct recorder *r); /* finishes the file, gives it its last name */
int files_switch(struct recorder *r);
int files_synth(struct recorder *r); /* what was there before */
int files_snapshot(struct recorder *r, bool last); /* overwrite mode: one file from all rings */
/* recorder.c */
void recorder_look(struct recorder *r, const struct perf_event_header *h);
uint64_t recorder_room(const struct recorder *r); /* how many more bytes may be written: --max-size, and the disk */
/* mend.c */
bool mend_is_due(const struct recorder *r, const struct perf_event_header *h);
void mend_copy(const struct recorder *r, struct str *to, const struct iovec *v); /* a ring's two pieces, which are not ours to write to */
/* trigger.c */
int trigger_open(struct recorder *r, const struct open_options *how);
bool trigger_hit(struct recorder *r); /* since it was asked last */
/* filters.c */
int filters_open(struct recorder *r); /* on what is open by now */
bool filters_left_out(const struct recorder *r); /* some */
int filters_put(struct recorder *r); /* the end: how many samples they left out, into the file and to the user */
/* offcpu.c: all do nothing without --off-cpu */
int recorder_offcpu_open(struct recorder *r); /* nothing is measured yet */
void recorder_offcpu_turn(struct recorder *r, bool on);
/* A round of the file ends: what there is by now goes into it. 1: the round may end, 0: not yet; -errno. */
int recorder_offcpu_round(struct recorder *r);
int recorder_offcpu_finish(struct recorder *r); /* before the last round */
/* when.c */
void when_track(struct recorder *r); /* the tracker on */
void when_on(struct recorder *r); /* all others */
void when_due(struct recorder *r, uint64_t now); /* -D */
int when_sleep(const struct recorder *r, uint64_t now, int ms); /* at most ms, and not beyond the next time */
int when_told(struct recorder *r); /* --control; -errno with a pending error */
/* say.c */
void say_progress(struct recorder *r);
void say_pace(struct recorder *r, uint64_t now);
void say_end(struct recorder *r);
void say_rings(const struct recorder *r, size_t wanted);
#endif
