/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each process's descriptors are: followed through the calls that were seen, read from /proc for
 * what was open before. Feed every SYS_CALL, SYS_FORK, SYS_EXEC, SYS_EXIT in time order. */
#ifndef SYSCALL_FDSTATE_H
#define SYSCALL_FDSTATE_H
#include "base/str.h"
#include "syscall/sysevent.h"
struct fd_state;
enum fd_trust {
	FDS_FOLLOWED, /* every call that changes descriptors is fed; /proc may be asked for what was open before */
	FDS_TOLD, /* the same, but what calls leave open (no paths are seen) cannot be asked in time */
	FDS_RECORDED, /* followed, and there is no /proc to ask */
	FDS_SEEN, /* none is followed, but each call tells what its descriptors were (sysevent.files) */
	FDS_UNKNOWN, /* some of those calls are not seen: a number may mean anything, so nothing has a name */
};
struct sysset;
void fd_state_calls(struct sysset *s); /* adds the calls that change descriptors */
struct fd_state *fd_state_new(enum fd_trust trust);
void fd_state_free(struct fd_state *s);
/* Files and directories by the path that /proc would tell, links followed, where that can be found. */
void fd_state_real_paths(struct fd_state *s);
/* Call before a line is decoded: its own descriptors, for FDS_SEEN. e must live until the next. */
void fd_state_expect(struct fd_state *s, const struct sysevent *e);
/* Call after the line was decoded (the result applies from then on). */
void fd_state_feed(struct fd_state *s, const struct sysevent *e);
/* Reads what the process has open now, before its calls are seen; the numbers may mean something else later.
 * execs: it is our own child, about to become another program. */
void fd_state_attach(struct fd_state *s, int pid, bool execs);
const char *fd_state_name(struct fd_state *s, int pid, int fd); /* valid until the next feed */
bool fd_state_show(struct fd_state *s, int pid, int fd, struct str *out); /* "<name>", safe for a screen; false: no name, nothing added */
/* Is a process in our own network namespace, as far as can be told? One that is gone: as those that were attached. */
bool fd_state_same_net(const struct fd_state *s, int pid);
const char *fd_state_cwd(struct fd_state *s, int pid);
/* The path at an address that the call has as an argument: as it stands, or whole where its directory is known. NULL: it was
 * not captured. Valid until the next of these, or feed. */
const char *fd_state_path(struct fd_state *s, const struct sysevent *e, int dirfd, uint64_t addr, bool whole);
bool fd_state_same_root(struct fd_state *s, int pid); /* is its root ours, as far as can be told? */
#endif
