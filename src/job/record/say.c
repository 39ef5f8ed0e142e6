// SPDX-License-Identifier: GPL-2.0-or-later
/* What a recorder tells its user: on the way, and at the end. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "job/record/inner.h"
#include "kernel/root.h"
#include "kernel/clock.h"

static double megabytes(const struct recorder *r)
{
	return (r->bytes + (r->w ? perfdata_written(r->w) : 0)) / 1048576.0;
}

/* The line that tells how far it is: not where the reader of a pipe writes to the same terminal (top does). */
static bool has_line(const struct recorder *r)
{
	return !r->o->quiet && !r->o->no_progress && strcmp(r->o->output, "-") && isatty(2);
}

void say_progress(struct recorder *r)
{
	uint64_t now = clock_ns();
	if (now < r->progress_at || !has_line(r))
		return;
	r->progress_at = now + 1000000000;
	fprintf(stderr, "\r%.0f s, %llu samples, %.1f MB, %llu lost \033[K", (now - r->started) / 1e9,
		(unsigned long long)r->samples, megabytes(r), (unsigned long long)r->lost);
}

enum { RING_FAIR = 512 << 10 };

void say_rings(const struct recorder *r, size_t wanted)
{
	struct rlimit lock = { 0 };
	int64_t kb = 516;
	if (r->rings.bytes >= wanted || r->o->quiet)
		return;
	if (r->rings.bytes >= RING_FAIR) { /* every ordinary user's: no word about it unless events are lost */
		note(1, "the rings are %zu KiB each: the limit on locked memory allows no more", r->rings.bytes >> 10);
		return;
	}
	getrlimit(RLIMIT_MEMLOCK, &lock);
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/perf_event_mlock_kb"), &kb);
	warn("the rings are %zu KiB each: the limit on locked memory allows no more", r->rings.bytes >> 10);
	hint("run as root for 8 MiB a CPU, or raise kernel.perf_event_mlock_kb (%lld) or ulimit -l (%llu)", (long long)kb,
	     (unsigned long long)lock.rlim_cur >> 10);
}

static void say_lost(const struct recorder *r)
{
	uint64_t lost = r->lost > r->lost_by_event ? r->lost : r->lost_by_event;
	if (!lost)
		return;
	if (r->o->sampling.overwrite) {
		warn("%llu events came while a snapshot was taken, and are in none", (unsigned long long)lost);
		return;
	}
	warn("%llu events were lost (%.2f %%): the rings were full", (unsigned long long)lost,
	     100.0 * lost / (lost + r->samples));
	hint("larger rings (-m %zuM), fewer events, or a filter", r->rings.bytes >> 18 ? r->rings.bytes >> 18 : 1);
}

/* The tracker that sonde adds counts nothing. */
static bool only_tracepoints(const struct recorder *r)
{
	for (size_t i = 0; i < r->l->n; i++)
		if (!r->l->at[i].tracepoint && !(r->own_tracker && (int)i == r->tracker))
			return false;
	return true;
}

void say_pace(struct recorder *r, uint64_t now)
{
	const struct sampling *s = &r->o->sampling;
	if (!r->w || !disk_pace_fast(&r->pace, r->bytes + perfdata_written(r->w), now) || r->o->quiet)
		return;
	warn("the recording grows by more than %d MB a second", DISK_FAST_MB);
	if (s->call_graph == CALL_GRAPH_DWARF)
		hint("each sample has %u bytes of its stack: --call-graph fp, or dwarf,4096; a smaller -F or a larger -c; -z",
		     s->stack_size ? s->stack_size : 8192);
	else
		hint("a smaller -F or a larger -c, a --filter, fewer events; -z compresses, --max-size ends it");
}

void say_end(struct recorder *r)
{
	if (r->o->quiet)
		return;
	if (has_line(r))
		fputs("\r\033[K", stderr);
	if (r->disk_full)
		disk_say_full(r->path, "--max-size N, --switch-output with --switch-max-files, less with -F, -e or --filter");
	else if (r->limit_met)
		warn("stopped: the size limit was met");
	say_lost(r);
	if (r->throttled) {
		warn("the kernel held back samples %llu times: there were more than kernel.perf_event_max_sample_rate allows",
		     (unsigned long long)r->throttled);
		hint("fewer samples: a smaller -F, or a larger -c");
	}
	if (!strcmp(r->o->output, "-") || (r->disk_full && r->o->sampling.overwrite)) /* a snapshot without room is not there */
		return;
	bool usual = !strcmp(r->path, "perf.data");
	fprintf(stderr, "[ sonde record: Captured and wrote %.3f MB %s (%llu samples)%s%s ]\n", megabytes(r), r->path,
		(unsigned long long)r->samples, r->n_files > 1 ? ", the last of several files" : "",
		r->o->compress ? ", compressed" : "");
	if (!r->samples && r->disk_full)
		return;
	if (!r->samples && r->limit_met)
		hint("the limit was met by the processes and mappings that were there at the start: a larger --max-size");
	else if (!r->samples && filters_left_out(r))
		hint("no samples: none passed --filter");
	else if (!r->samples && !r->o->sampling.no_samples)
		hint(only_tracepoints(r) ? "no samples: it did not happen here, or no --filter let it pass" :
		     "no samples: was the target idle? -e cpu-clock and -F choose what is sampled and how often");
	else if (r->samples && isatty(2))
		hint("next: sonde report%s%s   or: sonde script%s%s", usual ? "" : " -i ", usual ? "" : r->path, usual ? "" : " -i ",
		     usual ? "" : r->path);
}
