// SPDX-License-Identifier: GPL-2.0-or-later
/* What each process's descriptors are.
 *
 * A process has a table of slots by number. A slot is known (it has a name), closed (seen to be closed:
 * nothing is asked), or unknown: what it is will be read from /proc when somebody asks, if the trace is
 * live. Names are shared by count, so a fork copies pointers. Sockets build their name from the calls
 * that shape them: socket, bind, connect, accept; a pipe is asked for its inode once.
 *
 * Feeding costs one table look-up for the calls that change nothing (read, write, mmap). */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/map.h"
#include "base/str.h"
#include "kernel/net/sockets.h"
#include "kernel/root.h"
#include "syscall/decode.h"
#include "syscall/fdstate.h"
#include "syscall/sockname.h"
#include "syscall/xlat.h"

enum { FD_MAX = 1 << 20, NR_MAX = 1024, NAME_MAX_LEN = 4096 };

struct kept_name {
	unsigned refs;
	unsigned len;
	bool plain;
	char text[];
};
enum slot_kind { SLOT_UNKNOWN, SLOT_KNOWN, SLOT_CLOSED };
struct fd_slot {
	uint8_t kind;
	bool cloexec, ask; /* ask: the name is only a fallback, /proc may know better */
	struct kept_name *name;
	struct kept_name *local; /* a socket's own address */
};
struct proc {
	struct fd_slot *slot;
	unsigned n;
	char *cwd; /* NULL: not asked yet */
	enum { ROOT_UNASKED, ROOT_OURS, ROOT_OTHER } root;
};
typedef void handler(struct fd_state *s, struct proc *p, const struct sysevent *e);
struct fd_state {
	enum fd_trust trust;
	bool live; /* /proc may be asked now */
	bool real_paths;
	struct u64map procs; /* pid -> struct proc */
	struct proc *last; /* the one asked for last, of */
	int last_pid;
	handler *by_nr[3][NR_MAX];
	struct sockets *sockets; /* those that were open before; NULL until one is met */
	const struct sysevent *now; /* FDS_SEEN: the call being shown */
	bool same_net; /* the processes that were attached are in our network namespace */
	uint64_t socket_dev, pipe_dev; /* what stat gives for them; 0: not asked yet */
	struct str name; /* and what was found for one of its descriptors */
	struct str path; /* scratch */
	char link[NAME_MAX_LEN];
};

/* ---- names and slots ---- */

static struct kept_name *name_new(const char *text)
{
	size_t n = strlen(text);
	struct kept_name *m = xmalloc(sizeof(*m) + n + 1);
	m->refs = 1;
	m->len = n;
	m->plain = true;
	for (size_t i = 0; i < n; i++)
		m->plain &= text[i] >= 0x20 && text[i] < 0x7f;
	memcpy(m->text, text, n + 1);
	return m;
}

static struct kept_name *name_get(struct kept_name *m)
{
	if (m)
		m->refs++;
	return m;
}

static void name_put(struct kept_name *m)
{
	if (m && !--m->refs)
		free(m);
}

static void slot_clear(struct fd_slot *t, enum slot_kind kind)
{
	name_put(t->name);
	name_put(t->local);
	*t = (struct fd_slot){ .kind = kind };
}

static struct fd_slot *slot_at(struct proc *p, int64_t fd)
{
	if (fd < 0 || fd >= FD_MAX)
		return NULL;
	if ((uint64_t)fd >= p->n) {
		unsigned n = p->n ? p->n : 16;
		while (n <= fd)
			n *= 2;
		p->slot = xrealloc(p->slot, n * sizeof(*p->slot));
		memset(p->slot + p->n, 0, (n - p->n) * sizeof(*p->slot));
		p->n = n;
	}
	return &p->slot[fd];
}

static struct fd_slot *slot_set(struct proc *p, int64_t fd, const char *name, bool cloexec)
{
	struct fd_slot *t = slot_at(p, fd);
	if (!t)
		return NULL;
	slot_clear(t, SLOT_KNOWN);
	t->name = name_new(name);
	t->cloexec = cloexec;
	return t;
}

static void slot_copy(struct fd_slot *to, const struct fd_slot *from, bool cloexec)
{
	struct fd_slot copy = *from;
	name_get(copy.name);
	name_get(copy.local);
	copy.cloexec = cloexec;
	slot_clear(to, SLOT_UNKNOWN);
	*to = copy;
}

static void proc_drop(struct fd_state *s, struct proc *p)
{
	s->last = NULL;
	if (!p)
		return;
	for (unsigned i = 0; i < p->n; i++)
		slot_clear(&p->slot[i], SLOT_UNKNOWN);
	free(p->slot);
	free(p->cwd);
	free(p);
}

static struct proc *proc_at(struct fd_state *s, int pid)
{
	if (s->last && s->last_pid == pid)
		return s->last;
	struct proc *p = u64map_get(&s->procs, pid);
	if (!p) {
		p = xcalloc(1, sizeof(*p));
		u64map_set(&s->procs, pid, p);
	}
	s->last = p;
	s->last_pid = pid;
	return p;
}

/* ---- what a call told ---- */

static const struct copied *copied_at(const struct sysevent *e, uint64_t addr, bool at_exit)
{
	for (unsigned i = 0; addr && i < e->n_copied; i++) {
		const struct copied *k = &e->copied[i];
		if (k->addr == addr && !k->faulted && k->data && (k->at_exit == at_exit || (k->late && !at_exit)))
			return k;
	}
	return NULL;
}

static const char *proc_link(struct fd_state *s, int pid, const char *what)
{
	if (!s->live)
		return NULL;
	ssize_t n = readlink(root_path(ROOT_PROC, "%d/%s", pid, what), s->link, sizeof(s->link) - 1);
	if (n <= 0)
		return NULL;
	s->link[n] = 0;
	return s->link;
}

const char *fd_state_cwd(struct fd_state *s, int pid)
{
	struct proc *p = proc_at(s, pid);
	if (!p->cwd || s->trust == FDS_SEEN) { /* which is told of no chdir */
		const char *cwd = proc_link(s, pid, "cwd");
		free(p->cwd);
		p->cwd = cwd ? xstrdup(cwd) : NULL;
	}
	return p->cwd;
}

const char *fd_state_path(struct fd_state *s, const struct sysevent *e, int dirfd, uint64_t addr, bool whole)
{
	const struct copied *k = copied_at(e, addr, false);
	if (!k)
		return NULL;
	size_t n = strnlen((const char *)k->data, k->len);
	str_clear(&s->path);
	if (whole && n && k->data[0] != '/') {
		const char *dir = dirfd == AT_FDCWD ? fd_state_cwd(s, e->pid) : fd_state_name(s, e->pid, dirfd);
		if (dir && dir[0] == '/') {
			str_add(&s->path, dir);
			if (!str_ends(dir, "/"))
				str_addc(&s->path, '/');
		}
		while (n >= 2 && k->data[0] == '.' && k->data[1] == '/') {
			str_addn(&s->path, k->data + 2, n - 2);
			return s->path.buf;
		}
	}
	str_addn(&s->path, k->data, n);
	return s->path.buf;
}

/* The path argument, made absolute where the directory is known. NULL when it was not captured. */
static const char *full_path(struct fd_state *s, const struct sysevent *e, int dirfd, uint64_t addr)
{
	return fd_state_path(s, e, dirfd, addr, true);
}

static void ask_root(struct fd_state *s, struct proc *p, int pid)
{
	const char *root = p->root == ROOT_UNASKED ? proc_link(s, pid, "root") : NULL;
	if (root)
		p->root = strcmp(root, "/") ? ROOT_OTHER : ROOT_OURS;
}

bool fd_state_same_root(struct fd_state *s, int pid)
{
	struct proc *p = proc_at(s, pid);
	ask_root(s, p, pid);
	return p->root != ROOT_OTHER;
}

/* The name without links, if the process's root is ours (as far as is known) and the file is still there. */
static const char *real_name(struct fd_state *s, struct proc *p, int pid, const char *name, uint64_t flags)
{
	ask_root(s, p, pid);
	if (p->root == ROOT_OTHER || *name != '/' || flags & O_NOFOLLOW)
		return name;
	return realpath(name, s->link) ? s->link : name;
}

static void opened(struct fd_state *s, struct proc *p, const struct sysevent *e, int dirfd, uint64_t path, uint64_t flags)
{
	const char *name = full_path(s, e, dirfd, path);
	bool cloexec = flags & O_CLOEXEC;
	if (name && s->real_paths && s->live)
		name = real_name(s, p, e->pid, name, flags);
	struct fd_slot *t = slot_at(p, e->ret);
	if (name)
		slot_set(p, e->ret, name, cloexec);
	else if (t) {
		slot_clear(t, SLOT_UNKNOWN);
		t->cloexec = cloexec;
	}
}

static void on_open(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	opened(s, p, e, AT_FDCWD, e->args[0], e->args[1]);
}

static void on_creat(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	opened(s, p, e, AT_FDCWD, e->args[0], 0);
}

static void on_openat(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	opened(s, p, e, (int)e->args[0], e->args[1], e->args[2]);
}

static void on_openat2(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	const struct copied *how = copied_at(e, e->args[2], false);
	uint64_t flags = 0;
	if (how && how->len >= 8)
		memcpy(&flags, how->data, 8);
	opened(s, p, e, (int)e->args[0], e->args[1], flags);
}

/* Something new that only /proc can name. */
static void on_new_unknown(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	struct fd_slot *t = slot_at(p, e->ret);
	if (t)
		slot_clear(t, SLOT_UNKNOWN);
}

static void dup_to(struct proc *p, int64_t from, int64_t to, bool cloexec)
{
	if (from == to)
		return;
	struct fd_slot *b = slot_at(p, to), *a = slot_at(p, from);
	b = slot_at(p, to);
	if (a && b)
		slot_copy(b, a, cloexec);
}

static void on_dup(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	dup_to(p, (int)e->args[0], e->ret, false);
}

static void on_dup3(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	dup_to(p, (int)e->args[0], e->ret, e->args[2] & O_CLOEXEC);
}

static void on_fcntl(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	uint32_t cmd = e->args[1];
	if (cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC) {
		dup_to(p, (int)e->args[0], e->ret, cmd == F_DUPFD_CLOEXEC);
	} else if (cmd == F_SETFD) {
		struct fd_slot *t = slot_at(p, (int)e->args[0]);
		if (t)
			t->cloexec = e->args[2] & FD_CLOEXEC;
	}
}

static void on_close(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	struct fd_slot *t = slot_at(p, (int)e->args[0]);
	if (t)
		slot_clear(t, SLOT_CLOSED);
}

enum { RANGE_CLOEXEC = 4 };

static void on_close_range(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	uint32_t first = e->args[0], last = e->args[1];
	for (uint64_t fd = first; fd <= last && fd < p->n; fd++) {
		if (e->args[2] & RANGE_CLOEXEC)
			p->slot[fd].cloexec = true;
		else
			slot_clear(&p->slot[fd], SLOT_CLOSED);
	}
}

static void pair(struct proc *p, const struct sysevent *e, uint64_t addr, const char *name, bool cloexec)
{
	const struct copied *k = copied_at(e, addr, true);
	int fd[2];
	if (!k || k->len < sizeof(fd))
		return;
	memcpy(fd, k->data, sizeof(fd));
	for (int i = 0; i < 2; i++) {
		struct fd_slot *t = slot_set(p, fd[i], name, cloexec);
		if (t)
			t->ask = true;
	}
}

static void on_pipe(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	pair(p, e, e->args[0], "pipe", false);
}

static void on_pipe2(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	pair(p, e, e->args[0], "pipe", e->args[1] & O_CLOEXEC);
}

#define ANON(fn, name, cloexec_if) \
	static void on_##fn(struct fd_state *s, struct proc *p, const struct sysevent *e) \
	{ \
		(void)s; \
		slot_set(p, e->ret, name, cloexec_if); \
	}
ANON(eventfd, "anon_inode:[eventfd]", false)
ANON(eventfd2, "anon_inode:[eventfd]", e->args[1] & O_CLOEXEC)
ANON(epoll_create, "anon_inode:[eventpoll]", false)
ANON(epoll_create1, "anon_inode:[eventpoll]", e->args[0] & O_CLOEXEC)
ANON(timerfd, "anon_inode:[timerfd]", e->args[1] & O_CLOEXEC)
ANON(signalfd, "anon_inode:[signalfd]", e->args[3] & O_CLOEXEC)
ANON(inotify, "anon_inode:inotify", false)
ANON(inotify1, "anon_inode:inotify", e->args[0] & O_CLOEXEC)
ANON(fanotify, "anon_inode:[fanotify]", e->args[0] & 1)
ANON(perf, "anon_inode:[perf_event]", e->args[4] & 8)
ANON(io_uring, "anon_inode:[io_uring]", true)
ANON(userfaultfd, "anon_inode:[userfaultfd]", e->args[0] & O_CLOEXEC)

static void on_pidfd_open(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	char name[48];
	snprintf(name, sizeof(name), "pid:%d", (int)e->args[0]);
	slot_set(p, e->ret, name, true);
}

static void on_memfd(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	const struct copied *k = copied_at(e, e->args[0], false);
	str_clear(&s->path);
	str_add(&s->path, "/memfd:");
	if (k)
		str_addn(&s->path, k->data, strnlen((const char *)k->data, k->len));
	slot_set(p, e->ret, s->path.buf, e->args[1] & 1);
}

static void on_chdir(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	const char *path = full_path(s, e, AT_FDCWD, e->args[0]);
	if (path && s->real_paths && s->live)
		path = real_name(s, p, e->pid, path, 0);
	char *cwd = path ? xstrdup(path) : NULL;
	free(p->cwd);
	p->cwd = cwd;
}

static void on_fchdir(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	const char *path = fd_state_name(s, e->pid, (int)e->args[0]);
	free(p->cwd);
	p->cwd = path && path[0] == '/' ? xstrdup(path) : NULL;
}

/* ---- sockets ---- */

static void on_socket(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	const char *kind = (uint32_t)e->args[0] == AF_NETLINK ? xlat_name(X_netlink_proto, (uint32_t)e->args[2]) : NULL;
	slot_set(p, e->ret, kind ? kind : sock_kind(e->args[0], e->args[1]), e->args[1] & O_CLOEXEC);
}

static void on_socketpair(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	pair(p, e, e->args[3], "UNIX", e->args[1] & O_CLOEXEC);
}

/* KIND:[local->peer] from what is known of both. */
static void socket_name(struct fd_state *s, struct fd_slot *t, const char *kind, size_t kind_len, const char *peer)
{
	struct str n = STR_INIT;
	str_addn(&n, kind, kind_len);
	if (t->local || (peer && *peer)) {
		str_add(&n, ":[");
		if (t->local)
			str_add(&n, t->local->text);
		if (peer && *peer) {
			str_add(&n, "->");
			str_add(&n, peer);
		}
		str_addc(&n, ']');
	}
	struct kept_name *new = name_new(n.buf);
	str_release(&n);
	name_put(t->name);
	t->name = new;
	(void)s;
}

static const uint8_t *addr_bytes(const struct sysevent *e, uint64_t addr, uint64_t len, bool at_exit, size_t *n)
{
	const struct copied *k = copied_at(e, addr, at_exit);
	if (!k)
		return NULL;
	*n = k->len < len ? k->len : len;
	return k->data;
}

static struct fd_slot *socket_slot(struct proc *p, int fd)
{
	struct fd_slot *t = slot_at(p, fd);
	return t && t->kind == SLOT_KNOWN && t->name ? t : NULL;
}

static size_t kind_len(const struct fd_slot *t)
{
	return strcspn(t->name->text, ":");
}

static void set_local(struct fd_state *s, struct fd_slot *t, const uint8_t *p, size_t n)
{
	struct str a = STR_INIT;
	sock_address(&a, p, n);
	if (a.len) {
		name_put(t->local);
		t->local = name_new(a.buf);
		const char *arrow = strstr(t->name->text, "->");
		char *peer = arrow ? xstrndup(arrow + 2, strcspn(arrow + 2, "]") + 1) : NULL;
		if (peer && str_ends(arrow, "]")) {
			free(peer);
			peer = xstrndup(arrow + 2, strlen(arrow + 2) - 1);
		}
		char *kind = xstrndup(t->name->text, kind_len(t));
		socket_name(s, t, kind, strlen(kind), peer);
		free(kind);
		free(peer);
	}
	str_release(&a);
}

static void on_bind(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	size_t n;
	struct fd_slot *t = socket_slot(p, (int)e->args[0]);
	const uint8_t *a = addr_bytes(e, e->args[1], (uint32_t)e->args[2], false, &n);
	if (t && a && !sock_leaves_choice(a, n))
		set_local(s, t, a, n);
}

/* One that was not bound is now: the event has where to. */
static void on_listen(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	(void)p;
	(void)e;
}

static void on_getsockname(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	size_t n;
	const struct copied *len = copied_at(e, e->args[2], true);
	uint32_t size = 0;
	if (len && len->len >= 4)
		memcpy(&size, len->data, 4);
	struct fd_slot *t = socket_slot(p, (int)e->args[0]);
	const uint8_t *a = addr_bytes(e, e->args[1], size, true, &n);
	if (t && a)
		set_local(s, t, a, n);
}

static void on_connect(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	size_t n;
	struct fd_slot *t = socket_slot(p, (int)e->args[0]);
	const uint8_t *a = addr_bytes(e, e->args[1], (uint32_t)e->args[2], false, &n);
	if (!t || !a)
		return;
	struct str peer = STR_INIT;
	sock_address(&peer, a, n);
	char *kind = xstrndup(t->name->text, kind_len(t));
	socket_name(s, t, kind, strlen(kind), peer.buf);
	free(kind);
	str_release(&peer);
}

static void on_accept(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	struct fd_slot *listener = socket_slot(p, (int)e->args[0]);
	const struct copied *len = copied_at(e, e->args[2], true);
	uint32_t size = 0;
	size_t n = 0;
	if (len && len->len >= 4)
		memcpy(&size, len->data, 4);
	const uint8_t *a = addr_bytes(e, e->args[1], size, true, &n);
	char *kind = listener ? xstrndup(listener->name->text, kind_len(listener)) : NULL;
	struct kept_name *local = listener ? name_get(listener->local) : NULL;
	bool accept4 = e->nr != 43 || e->abi != ABI_NATIVE;
	struct fd_slot *t = slot_set(p, e->ret, kind ? kind : "socket", accept4 && e->args[3] & O_CLOEXEC);
	struct str peer = STR_INIT;
	if (a)
		sock_address(&peer, a, n);
	if (t && kind) {
		t->local = local;
		socket_name(s, t, kind, strlen(kind), peer.buf);
	} else {
		name_put(local);
		if (t)
			t->ask = true;
	}
	str_release(&peer);
	free(kind);
}

/* Descriptors that came in a message: SCM_RIGHTS in the control data. */
static void on_recvmsg(struct fd_state *s, struct proc *p, const struct sysevent *e)
{
	(void)s;
	const struct copied *h = copied_at(e, e->args[1], true);
	size_t w = e->abi == ABI_NATIVE ? 8 : 4;
	uint64_t at = 0, len = 0;
	if (!h || h->len < 6 * w)
		return;
	memcpy(&at, h->data + 4 * w, w);
	memcpy(&len, h->data + 5 * w, w);
	const struct copied *k = copied_at(e, at, true);
	if (!k)
		return;
	size_t total = k->len < len ? k->len : len, off = 0, head = w + 8;
	while (off + head <= total) {
		uint64_t n = 0;
		int level, type, fd;
		memcpy(&n, k->data + off, w);
		memcpy(&level, k->data + off + w, 4);
		memcpy(&type, k->data + off + w + 4, 4);
		if (n < head || n > total - off)
			return;
		for (size_t i = head; level == 1 && type == 1 && i + 4 <= n; i += 4) {
			memcpy(&fd, k->data + off + i, 4);
			struct fd_slot *t = slot_at(p, fd);
			if (t)
				slot_clear(t, SLOT_UNKNOWN);
		}
		off += (n + w - 1) / w * w;
	}
}

/* ---- the table ---- */

static const struct { const char *name; handler *fn; } handlers[] = {
	{ "open", on_open }, { "openat", on_openat }, { "openat2", on_openat2 }, { "creat", on_creat }, { "close", on_close },
	{ "close_range", on_close_range }, { "dup", on_dup }, { "dup2", on_dup }, { "dup3", on_dup3 }, { "fcntl", on_fcntl },
	{ "fcntl64", on_fcntl }, { "pipe", on_pipe }, { "pipe2", on_pipe2 }, { "socket", on_socket }, { "socketpair", on_socketpair },
	{ "bind", on_bind }, { "connect", on_connect }, { "listen", on_listen }, { "accept", on_accept }, { "accept4", on_accept },
	{ "getsockname", on_getsockname }, { "recvmsg", on_recvmsg }, { "eventfd", on_eventfd }, { "eventfd2", on_eventfd2 },
	{ "epoll_create", on_epoll_create }, { "epoll_create1", on_epoll_create1 }, { "timerfd_create", on_timerfd },
	{ "signalfd", on_signalfd }, { "signalfd4", on_signalfd }, { "inotify_init", on_inotify }, { "inotify_init1", on_inotify1 },
	{ "fanotify_init", on_fanotify }, { "perf_event_open", on_perf }, { "io_uring_setup", on_io_uring },
	{ "userfaultfd", on_userfaultfd }, { "memfd_create", on_memfd }, { "pidfd_open", on_pidfd_open },
	{ "pidfd_getfd", on_new_unknown }, { "open_by_handle_at", on_new_unknown }, { "bpf", on_new_unknown },
	{ "memfd_secret", on_new_unknown }, { "mq_open", on_new_unknown }, { "open_tree", on_new_unknown },
	{ "open_tree_attr", on_new_unknown },
	{ "fsopen", on_new_unknown }, { "fsmount", on_new_unknown }, { "fspick", on_new_unknown },
	{ "landlock_create_ruleset", on_new_unknown }, { "chdir", on_chdir }, { "fchdir", on_fchdir },
};

void fd_state_calls(struct sysset *s)
{
	for (unsigned i = 0; i < sizeof(handlers) / sizeof(*handlers); i++)
		sysset_add_named(s, handlers[i].name);
}

struct fd_state *fd_state_new(enum fd_trust trust)
{
	struct fd_state *s = xcalloc(1, sizeof(*s));
	s->trust = trust;
	s->live = trust == FDS_FOLLOWED || trust == FDS_SEEN;
	str_init(&s->path);
	str_init(&s->name);
	for (unsigned i = 0; i < sizeof(handlers) / sizeof(*handlers); i++) {
		for (enum sys_abi abi = ABI_NATIVE; abi <= ABI_X32; abi++) {
			int nr;
			if (syscall_named(abi, handlers[i].name, &nr) && nr < NR_MAX)
				s->by_nr[abi][nr] = handlers[i].fn;
		}
	}
	return s;
}

void fd_state_real_paths(struct fd_state *s)
{
	s->real_paths = true;
}

static void forget_all(struct fd_state *s)
{
	size_t cursor = 0;
	uint64_t pid;
	void *p;
	while (u64map_next(&s->procs, &cursor, &pid, &p))
		proc_drop(s, p);
	u64map_release(&s->procs);
}

void fd_state_free(struct fd_state *s)
{
	if (!s)
		return;
	forget_all(s);
	sockets_free(s->sockets);
	str_release(&s->name);
	str_release(&s->path);
	free(s);
}

static void on_fork(struct fd_state *s, const struct sysevent *e)
{
	if (e->child_pid == e->pid || e->child_pid <= 0)
		return;
	if (s->real_paths) /* the child may be gone before it is asked */
		fd_state_cwd(s, e->pid);
	struct proc *parent = proc_at(s, e->pid), *child = xcalloc(1, sizeof(*child));
	child->slot = xcalloc(parent->n ? parent->n : 1, sizeof(*child->slot));
	child->n = parent->n;
	for (unsigned i = 0; i < parent->n; i++) {
		slot_copy(&child->slot[i], &parent->slot[i], parent->slot[i].cloexec);
		child->slot[i].kind = parent->slot[i].kind;
	}
	child->cwd = parent->cwd ? xstrdup(parent->cwd) : NULL;
	child->root = parent->root;
	proc_drop(s, u64map_set(&s->procs, e->child_pid, child));
}

static void close_on_exec(struct proc *p)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->slot[i].cloexec)
			slot_clear(&p->slot[i], SLOT_CLOSED);
}

void fd_state_expect(struct fd_state *s, const struct sysevent *e)
{
	s->now = e;
}

static void on_call(struct fd_state *s, const struct sysevent *e)
{
	int nr = e->abi == ABI_X32 ? e->nr & ~0x40000000 : e->nr;
	handler *fn = nr < 0 || nr >= NR_MAX || (unsigned)e->abi > ABI_X32 || !e->args_known ? NULL : s->by_nr[e->abi][nr];
	/* connect that is under way names its peer too (EINPROGRESS, EINTR); close frees the number even then */
	if (fn && (e->ret >= 0 || (fn == on_connect && e->ret == -115) || (fn == on_close && e->ret != -9)))
		fn(s, proc_at(s, e->pid), e);
	struct fd_slot *t = e->local.len ? socket_slot(proc_at(s, e->pid), e->local.fd) : NULL;
	if (t) /* what the kernel has chosen */
		set_local(s, t, e->local.addr, e->local.len);
}

void fd_state_feed(struct fd_state *s, const struct sysevent *e)
{
	if (s->trust == FDS_SEEN)
		return;
	if (e->type == SYS_CALL || e->type == SYS_RESUMED) {
		on_call(s, e);
	} else if (e->type == SYS_FORK) {
		on_fork(s, e);
	} else if (e->type == SYS_EXEC) {
		close_on_exec(proc_at(s, e->pid));
	} else if (e->type == SYS_EXIT && e->group_exit) {
		proc_drop(s, u64map_del(&s->procs, e->pid));
	} else if (e->type == SYS_LOST) {
		forget_all(s); /* whatever was closed and opened meanwhile */
	}
}

/* Whether a descriptor that was open before will be closed by exec: "flags:" of fdinfo, octal. */
static bool proc_cloexec(int pid, int fd)
{
	char text[256];
	int f = open(root_path(ROOT_PROC, "%d/fdinfo/%d", pid, fd), O_RDONLY | O_CLOEXEC);
	if (f < 0)
		return false;
	ssize_t n = read(f, text, sizeof(text) - 1);
	close(f);
	text[n > 0 ? n : 0] = 0;
	const char *flags = strstr(text, "flags:");
	return flags && strtoul(flags + 6, NULL, 8) & O_CLOEXEC;
}

/* A socket that was open before: its addresses are asked for by its inode. */
static void name_socket(struct fd_state *s, int pid, struct fd_slot *t, const char *inode)
{
	if (!s->sockets)
		s->sockets = sockets_new();
	const struct socket_name *n = sockets_find(s->sockets, pid, strtoull(inode, NULL, 10));
	if (!n)
		return;
	const char *kind = n->protocol >= 0 ? xlat_name(X_netlink_proto, n->protocol) : NULL;
	kind = kind ? kind : n->kind;
	t->local = n->local ? name_new(n->local) : NULL;
	socket_name(s, t, kind, strlen(kind), n->peer);
}

/* The device number of what has no path. 0: not to be had. */
static uint64_t device_of(int fd)
{
	struct stat st;
	uint64_t dev = fd >= 0 && !fstat(fd, &st) ? st.st_dev : 0;
	if (fd >= 0)
		close(fd);
	return dev;
}

/* Closed since; a socket or pipe still has its number. */
static const char *name_gone(struct fd_state *s, const struct file_seen *f)
{
	int ends[2];
	if (!s->socket_dev) {
		s->socket_dev = device_of(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
		if (!pipe2(ends, O_CLOEXEC)) {
			close(ends[1]);
			s->pipe_dev = device_of(ends[0]);
		}
	}
	const char *kind = f->dev == s->socket_dev ? "socket" : f->dev == s->pipe_dev ? "pipe" : NULL;
	if (!f->dev || !kind)
		return NULL;
	str_clear(&s->name);
	str_addf(&s->name, "%s:[%llu]", kind, (unsigned long long)f->ino);
	return s->name.buf;
}

/* The number may mean another file by now: the name counts only if the file is the one that the call had. A call that is
 * under way since before the trace has it still. */
static const char *name_seen(struct fd_state *s, int pid, int fd)
{
	char what[32];
	struct stat st;
	const struct sysevent *e = s->now;
	const struct file_seen *f = NULL;
	for (unsigned i = 0; e && i < e->n_files; i++)
		if (e->files[i].fd == fd)
			f = &e->files[i];
	bool waits = e && e->type == SYS_UNFINISHED && !e->enter_time;
	if (!f && !waits)
		return NULL;
	snprintf(what, sizeof(what), "fd/%d", fd);
	const char *link = proc_link(s, pid, what);
	if (!link || (f && (stat(root_path(ROOT_PROC, "%d/%s", pid, what), &st) || st.st_ino != f->ino || st.st_dev != f->dev)))
		return f ? name_gone(s, f) : NULL;
	struct fd_slot t = { .kind = SLOT_KNOWN, .name = name_new(link) };
	if (str_starts(link, "socket:["))
		name_socket(s, pid, &t, link + 8);
	str_clear(&s->name);
	str_add(&s->name, t.name->text);
	slot_clear(&t, SLOT_UNKNOWN);
	return s->name.buf;
}

/* Asks /proc what an unknown descriptor is, or one whose name is only a fallback. */
static const char *name_asked(struct fd_state *s, int pid, int fd, struct fd_slot *t)
{
	char what[32];
	snprintf(what, sizeof(what), "fd/%d", fd);
	const char *link = proc_link(s, pid, what);
	if (t->ask && (!link || (strncmp(link, t->name->text, 4) && strncmp(link, "socket", 6)))) {
		t->ask = link != NULL;
		return t->name->text;
	}
	if (!link) {
		t->kind = SLOT_CLOSED;
		return NULL;
	}
	bool cloexec = t->cloexec || proc_cloexec(pid, fd);
	t = slot_set(proc_at(s, pid), fd, link, cloexec);
	if (str_starts(link, "socket:["))
		name_socket(s, pid, t, link + 8);
	return t->name->text;
}

const char *fd_state_name(struct fd_state *s, int pid, int fd)
{
	if (s->trust == FDS_SEEN)
		return name_seen(s, pid, fd);
	struct fd_slot *t = s->trust == FDS_UNKNOWN ? NULL : slot_at(proc_at(s, pid), fd);
	if (!t || t->kind == SLOT_CLOSED)
		return NULL;
	return t->kind == SLOT_KNOWN && !t->ask ? t->name->text : name_asked(s, pid, fd, t);
}

bool fd_state_show(struct fd_state *s, int pid, int fd, struct str *out)
{
	const struct proc *p = s->trust == FDS_SEEN || s->trust == FDS_UNKNOWN ? NULL : proc_at(s, pid);
	const struct fd_slot *t = p && fd >= 0 && (unsigned)fd < p->n ? &p->slot[fd] : NULL;
	if (t && t->kind == SLOT_KNOWN && !t->ask && t->name->plain) { /* as nearly always */
		str_addc(out, '<');
		str_addn(out, t->name->text, t->name->len);
		str_addc(out, '>');
		return true;
	}
	const char *name = fd_state_name(s, pid, fd);
	if (!name)
		return false;
	str_addc(out, '<');
	str_add_safez(out, name);
	str_addc(out, '>');
	return true;
}

bool fd_state_same_net(const struct fd_state *s, int pid)
{
	char ours[64], theirs[64];
	ssize_t n = s->trust == FDS_RECORDED ? -1 : readlink(root_path(ROOT_PROC, "self/ns/net"), ours, sizeof(ours));
	ssize_t m = readlink(root_path(ROOT_PROC, "%d/ns/net", pid), theirs, sizeof(theirs));
	return n > 0 && (m > 0 ? n == m && !memcmp(ours, theirs, n) : s->same_net);
}

void fd_state_attach(struct fd_state *s, int pid, bool execs)
{
	s->same_net = fd_state_same_net(s, pid);
	struct dirent *e;
	DIR *d = s->trust == FDS_FOLLOWED || s->trust == FDS_TOLD ? opendir(root_path(ROOT_PROC, "%d/fd", pid)) : NULL;
	if (!d)
		return;
	s->live = true;
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			fd_state_name(s, pid, atoi(e->d_name));
	closedir(d);
	fd_state_cwd(s, pid);
	if (s->real_paths)
		ask_root(s, proc_at(s, pid), pid);
	s->live = s->trust == FDS_FOLLOWED;
	if (execs)
		close_on_exec(proc_at(s, pid));
}
