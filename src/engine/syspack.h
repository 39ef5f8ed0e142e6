/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sysevent as bytes: what `trace record` puts into the raw data of bpf-output samples, so that perf can
 * still read the file and `trace -i` gets all that the engine saw. Little-endian, versioned, bounded. */
#ifndef ENGINE_SYSPACK_H
#define ENGINE_SYSPACK_H
#include <stddef.h>
#include "base/str.h"
#include "syscall/sysevent.h"

#define SYSPACK_EVENT "sonde:sysevent" /* the event's name in the recording */
enum { SYSPACK_MAX = 60000, SYSPACK_COPIES = 256, SYSPACK_STACK = 256 }; /* a perf record's size is 16 bits */

/* Appends e; copies that no longer fit are left out and count as faulted. */
void syspack_write(struct str *out, const struct sysevent *e);
/* Fills e from n bytes; e points into p and room. false: not ours, another version, or damaged. */
struct syspack_room {
	struct copied copied[SYSPACK_COPIES];
	uint64_t stack[2 * SYSPACK_STACK];
};
bool syspack_read(const void *p, size_t n, struct sysevent *e, struct syspack_room *room);
#endif
