/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is who while records are read: threads with their names and parents, and the maps handed on to
 * the symbols. Feed every record; ask about any thread. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H
#include "perfdata/reader.h"
#include "symbol/symbols.h"

struct thread {
	int pid, tid, ppid;
	const char *comm; /* interned; ":1234" when never named */
	char number[12]; /* that name */
	bool exec, ended;
	uint64_t cgroup_dev, cgroup_ino; /* of its cgroup namespace; 0: not told */
	void *priv;
};
struct session;
struct session *session_new(struct symbols *syms); /* syms is borrowed, may be NULL */
void session_free(struct session *s);
/* Takes MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL, NAMESPACES, CGROUP...; others pass by. */
void session_feed(struct session *s, const struct perfdata_record *r);
/* The header's build-ids: once, after opening. */
void session_header(struct session *s, const struct perfdata *p);
struct thread *session_thread(struct session *s, int pid, int tid); /* made when new */
/* Threads that have ended are gone, and pointers to them. */
void session_forget_ended(struct session *s);
const struct thread *session_next(const struct session *s, size_t *cursor); /* from 0 on; NULL: no more */
const char *session_cgroup(struct session *s, uint64_t id); /* NULL unknown */

/* To be called with each sample before its addresses are resolved. True: addresses of its process may mean something
 * else than before (a JIT wrote over its code). */
bool session_time(struct session *s, const struct perfdata_record *r);

/* Reads all of a recording and resolves every address in it, so that syms knows the files that it needs. unwind: those
 * in copied stacks too. -errno and a pending error. */
int session_resolve_all(struct perfdata *p, struct symbols *syms, bool unwind);
#endif
