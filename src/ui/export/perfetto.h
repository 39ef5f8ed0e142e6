/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perfetto's messages: field numbers as its .proto files (github.com/google/perfetto, protos/perfetto) publish them, and
 * what perfetto.c and perfetto_tracks.c share. */
#ifndef UI_EXPORT_PERFETTO_H
#define UI_EXPORT_PERFETTO_H
#include "ui/export/tracks.h"

enum { TRACE_PACKET = 1 };
enum { PACKET_FTRACE = 1, PACKET_TREE = 2, PACKET_CLOCKS = 6, PACKET_TIME = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11,
       PACKET_INTERNED = 12, PACKET_FLAGS = 13, PACKET_SYSTEM = 45, PACKET_DEFAULTS = 59, PACKET_TRACK = 60, PACKET_SAMPLE = 66 };
enum { SEQUENCE_BEGINS = 1, SEQUENCE_NEEDED = 2 };
enum { SYSTEM_UTSNAME = 1, UTSNAME_SYSNAME = 1, UTSNAME_RELEASE = 3, UTSNAME_MACHINE = 4 };
enum { SNAPSHOT_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME = 2, CLOCK_ID_REAL = 1, CLOCK_ID_BOOT = 6 };
enum { DEFAULTS_SAMPLE = 12, SAMPLE_TIMEBASE = 1, TIMEBASE_NAME = 10 };
enum { TREE_PROCESS = 1, TREE_THREAD = 2, PROCESS_PID = 1, PROCESS_CMDLINE = 3,
       THREAD_TID = 1, THREAD_NAME = 2, THREAD_TGID = 3 };
enum { INTERNED_FUNCTION = 5, INTERNED_FRAME = 6, INTERNED_STACK = 7, INTERNED_BUILD_ID = 16, INTERNED_MAPPING_PATH = 17,
       INTERNED_SOURCE = 18, INTERNED_MAPPING = 19, STRING_KINDS = 4 };
enum { STRING_ID = 1, STRING_TEXT = 2 };
enum { MAPPING_ID = 1, MAPPING_BUILD_ID = 2, MAPPING_END = 5, MAPPING_PATH = 7 };
enum { FRAME_ID = 1, FRAME_FUNCTION, FRAME_MAPPING, FRAME_PC, FRAME_SOURCE, FRAME_LINE };
enum { STACK_ID = 1, STACK_FRAME = 2 };
enum { SAMPLE_CPU = 1, SAMPLE_PID = 2, SAMPLE_TID = 3, SAMPLE_STACK = 4, SAMPLE_MODE = 5, SAMPLE_COUNT = 6 };
enum { MODE_KERNEL = 1, MODE_USER = 2, MOST_CPUS = 65536 };
enum { TRACK_ID = 1, TRACK_NAME = 2, TRACK_THREAD = 4, TRACK_THREAD_PID = 1, TRACK_THREAD_TID = 2, TRACK_THREAD_NAME = 5 };
enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_CATEGORY = 22, EVENT_NAME = 23 };
enum { EVENT_SLICE_BEGIN = 1, EVENT_SLICE_END, EVENT_INSTANT };
enum { NOTE_UINT = 3, NOTE_INT = 4, NOTE_STRING = 6, NOTE_NAME = 10 };
enum { BUNDLE_CPU = 1, BUNDLE_EVENT = 2, FTRACE_TIME = 1, FTRACE_PID = 2, FTRACE_SWITCH = 4, FTRACE_FREQUENCY = 11, FTRACE_WAKEUP = 17,
       FTRACE_WAKING = 20 };

static inline unsigned perfetto_kind(unsigned field)
{
	return field == INTERNED_FUNCTION ? 0 : field - INTERNED_BUILD_ID + 1;
}
/* Opens a packet of the sequence of that event. */
size_t perfetto_packet(struct str *s, uint64_t time, int event);
void perfetto_thread_track(struct str *s, const struct thread *t, uint64_t time);
/* A record that tells of lost events, as a mark over everything. */
int perfetto_lost(struct exporter *x, const struct perfdata_record *r);
/* A tracepoint, as what it is on a time line. False: it is a sample. */
bool perfetto_track(struct exporter *x, const struct track *k, const struct export_sample *s);
#endif
