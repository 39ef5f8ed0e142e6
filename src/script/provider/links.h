/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs to their places in programs and in the kernel. All of it hangs on descriptors of ours: it goes when they do. */
#ifndef SCRIPT_PROVIDER_LINKS_H
#define SCRIPT_PROVIDER_LINKS_H
#include "script/script.h"

/* A unit of uprobes: all places of a file by one link where the kernel can, else an event each. ret: at functions' returns.
 * -errno, pending error. */
int links_uprobes(struct run_script *s, struct script_unit *u, bool ret);
/* provider.plan of those: by one link, when there are several. */
void links_plan_uprobes(struct run_script *s, struct script_unit *u);
/* A unit of kernel functions, each by its address: by one link. -errno, no pending error: the kernel cannot, or not there. */
int links_kprobes(struct run_script *s, struct script_unit *u, bool ret);
/* Does the errno (negative) mean that this very place is not taken? */
bool links_refused(int err);
/* Hits that the kernel has left out by itself, as far as it tells (6.7). */
uint64_t links_missed(int fd);
bool links_tells_missed(int fd); /* does the kernel count that? */
/* A unit at an event that is open: the descriptor is the unit's from here on. cookie: the point's number. */
int links_event(struct script_unit *u, const struct point *p, int fd);
/* A unit at the event of a tracepoint. -errno, pending error. */
int links_tracepoint(struct script_unit *u, const struct point *p, const char *system, const char *event);
#endif
