// SPDX-License-Identifier: GPL-2.0-or-later
/* The syscall table: rows from tables/calls.def, numbers from tables/nr*.def. At the first look-up the
 * rows of each abi are laid out by number and their capture plans are made: a plan row for every
 * argument that leads to memory, with the sizes of that abi. What hangs on another argument (fcntl,
 * prctl, futex) has its rows in tables/plans.def instead. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include "base/map.h"
#include "syscall/table.h"

#define ARG(n, fn, ...) { .name = #n, .label = ", " #n ": ", .label_len = sizeof(", " #n ": ") - 1, .print = a_##fn, __VA_ARGS__ }
#define NOARGS { .name = NULL }
#define SKIP { .name = "" } /* the upper half of a 64-bit value in a 32-bit call */
#define UNSHOWN(n) { .name = #n } /* an argument that the kernel ignores here; only --where asks for it */
#define A(n, fn) ARG(n, fn)
#define A_COPY(n, fn, k, w, f, l, s) ARG(n, fn, .kind = k, .when = w, .flags = f, .len = l, .size = s)
#define INT(n) ARG(n, int)
#define UINT(n) ARG(n, uint)
#define LONG(n) ARG(n, long)
#define ULONG(n) ARG(n, ulong)
#define HEX(n) ARG(n, hex)
#define HEX32(n) ARG(n, hex32)
#define OCT(n) ARG(n, mode)
#define OFF(n) ARG(n, off)
#define PTR(n) ARG(n, ptr)
#define FD(n) ARG(n, fd)
#define DIR(n) ARG(n, dir)
#define UID(n) ARG(n, uid)
#define PID(n) ARG(n, pid)
#define SIG(n) ARG(n, sig)
#define PATH(n) ARG(n, path, .kind = COPY_STRING, .when = COPY_ENTER)
#define STR(n) ARG(n, str, .kind = COPY_STRING, .when = COPY_ENTER)
#define FLAGS(n, t) ARG(n, flags, .id = X_##t)
#define FLAGS64(n, t) ARG(n, flags64, .id = X_##t)
#define ENUM(n, t) ARG(n, enum, .id = X_##t)
#define ENUM64(n, t) ARG(n, enum64, .id = X_##t)
#define BUF_IN(n, l) ARG(n, buf_in, .kind = COPY_LEN_ARG, .when = COPY_ENTER, .flags = COPY_DATA, .len = l, .size = 1)
#define BUF_OUT(n) ARG(n, buf_out, .kind = COPY_LEN_RET, .when = COPY_EXIT, .flags = COPY_DATA, .size = 1)
#define SEND(n, l) ARG(n, buf_in, .kind = COPY_LEN_ARG, .when = COPY_ENTER, .flags = COPY_DATA | COPY_NETLINK, .len = l, .size = 1)
#define RECV(n) ARG(n, buf_out, .kind = COPY_LEN_RET, .when = COPY_EXIT, .flags = COPY_DATA | COPY_NETLINK, .size = 1)
#define STR_OUT(n) ARG(n, str_out, .kind = COPY_LEN_RET, .when = COPY_EXIT, .size = 1)
#define LINK_OUT(n) ARG(n, link_out, .kind = COPY_LEN_RET, .when = COPY_EXIT, .size = 1)
#define PATH_OUT(n) ARG(n, str_out, .kind = COPY_STRING, .when = COPY_EXIT)
#define IN(n, s) ARG(n, in, .kind = COPY_FIXED, .when = COPY_ENTER, .id = ST_##s)
#define OUT(n, s) ARG(n, out, .kind = COPY_FIXED, .when = COPY_EXIT, .id = ST_##s)
#define OUT_PTR(n, s) ARG(n, ptr)
#define OUT_EINTR(n, s) ARG(n, out, .kind = COPY_FIXED, .when = COPY_EXIT, .flags = COPY_EVEN_IF_FAILED, .id = ST_##s)
#define OUT_SIZED(n, s, l) ARG(n, sized_out, .kind = COPY_SIZED, .when = COPY_EXIT, .len = l, .id = ST_##s)
#define IO(n, s) ARG(n, io, .kind = COPY_FIXED, .when = COPY_BOTH, .id = ST_##s)
#define IO_IN(n, s) ARG(n, in, .kind = COPY_FIXED, .when = COPY_BOTH, .id = ST_##s)
/* v: the bytes of the struct's first version; the kernel takes no less */
#define SIZED(n, s, l, v) ARG(n, sized_in, .kind = COPY_SIZED, .when = COPY_ENTER, .len = l, .id = ST_##s, .size = v)
#define SIZED_IN(n, s) ARG(n, sized_in, .kind = COPY_SIZED, .when = COPY_ENTER, .len = COPY_SIZE_INSIDE, .id = ST_##s)
/* Structs known from the kernel's types only; s: the bytes of their first version. */
#define BTF_IN(n, t, s) ARG(n, btf_in, .kind = COPY_FIXED, .when = COPY_ENTER, .size = s, .type = #t)
#define BTF_OUT(n, t, s) ARG(n, btf_out, .kind = COPY_FIXED, .when = COPY_EXIT, .size = s, .type = #t)
#define CLONE3(n, l) ARG(n, clone3, .kind = COPY_SIZED, .when = COPY_ENTER, .len = l, .id = ST_clone_args)
#define VIN(n, s, l) ARG(n, array_in, .kind = COPY_LEN_ARG, .when = COPY_ENTER, .len = l, .id = ST_##s)
#define VIN2(n, s, k) ARG(n, array_in, .kind = COPY_FIXED, .when = COPY_ENTER, .len = 0xf0 + k, .id = ST_##s)
#define VOUT(n, s) ARG(n, array_out, .kind = COPY_LEN_RET, .when = COPY_EXIT, .id = ST_##s)
#define VOUT_N(n, s, l) ARG(n, array_out_n, .kind = COPY_LEN_ARG, .when = COPY_EXIT, .len = l, .id = ST_##s)
/* o: where an entry has its length, in bytes, or in words if it is less than 8 */
#define DENTS(n, o) ARG(n, dents, .kind = COPY_DENTS, .when = COPY_EXIT, .len = o)
#define POLLFDS(n, l) ARG(n, pollfds, .kind = COPY_LEN_ARG, .when = COPY_BOTH, .len = l, .size = 8)
#define FDSET(n) ARG(n, fd_set, .kind = COPY_LEN_ARG, .when = COPY_BOTH, .flags = COPY_BITS, .len = 0, .size = 1)
#define NODES(n, l, w) ARG(n, node_mask, .kind = COPY_LEN_ARG, .when = w, .flags = COPY_BITS, .len = l, .size = 1)
#define CPUS(n, l) ARG(n, cpu_mask, .kind = COPY_LEN_ARG, .when = COPY_ENTER, .len = l, .size = 1)
#define CPUS_OUT(n) ARG(n, cpu_mask, .kind = COPY_LEN_RET, .when = COPY_EXIT, .size = 1)
#define IOCTL(n, l) ARG(n, ioctl_arg, .kind = COPY_IOCTL, .when = COPY_BOTH, .len = l, .size = 64)
#define IOV_IN(n, l) ARG(n, iov_in, .kind = COPY_IOVEC, .when = COPY_ENTER, .flags = COPY_DATA, .len = l)
#define IOV_OUT(n, l) \
	ARG(n, iov_out, .kind = COPY_IOVEC, .when = COPY_EXIT, .flags = COPY_DATA | COPY_EVEN_IF_FAILED, .len = l)
#define IOV_PLAIN(n, l) ARG(n, iov_plain, .kind = COPY_LEN_ARG, .when = COPY_ENTER, .len = l, .size = 16)
#define SA_IN(n, l) ARG(n, sockaddr_in, .kind = COPY_LEN_ARG, .when = COPY_ENTER, .len = l, .size = 1)
#define SA_OUT(n, l) ARG(n, sockaddr_out, .kind = COPY_LEN_PTR, .when = COPY_EXIT, .flags = COPY_LEN_IS_RET_LIMIT, .len = l)
#define SO_IN(n, l) ARG(n, so_in, .kind = COPY_LEN_ARG, .when = COPY_ENTER, .len = l, .size = 1)
#define SO_OUT(n, l) ARG(n, so_out, .kind = COPY_LEN_PTR, .when = COPY_EXIT, .flags = COPY_LEN_IS_RET_LIMIT, .len = l)
#define SOCKLEN(n) ARG(n, socklen, .kind = COPY_FIXED, .when = COPY_BOTH, .size = 4)
#define MSG_IN(n) ARG(n, msg_in, .kind = COPY_MSGHDR, .when = COPY_ENTER, .flags = COPY_DATA | COPY_NETLINK)
#define MSG_OUT(n) ARG(n, msg_out, .kind = COPY_MSGHDR, .when = COPY_EXIT, .flags = COPY_DATA | COPY_NETLINK)
#define MMSG_IN(n, l) ARG(n, mmsg_in, .kind = COPY_MMSGHDR, .when = COPY_ENTER, .flags = COPY_DATA | COPY_NETLINK, .len = l)
#define MMSG_OUT(n, l) ARG(n, mmsg_out, .kind = COPY_MMSGHDR, .when = COPY_EXIT, .flags = COPY_DATA | COPY_NETLINK, .len = l)
#define ARGV(n) ARG(n, argv, .kind = COPY_STRV, .when = COPY_ENTER)
#define ENVP(n) ARG(n, envp, .kind = COPY_STRV, .when = COPY_ENTER, .flags = COPY_ENVIRON)
#define SIGINFO_IN(n) ARG(n, in, .kind = COPY_FIXED, .when = COPY_ENTER, .id = ST_siginfo)
#define SIGINFO_OUT(n) ARG(n, out, .kind = COPY_FIXED, .when = COPY_EXIT, .id = ST_siginfo)
/* ucontext: flags, link, stack, 256 bytes of sigcontext, then the mask */
#define SIGFRAME(n) ARG(n, sigreturn, .kind = COPY_STACK, .when = COPY_ENTER, .len = 37, .size = 8)
#define MSGBUF_IN(n, l) ARG(n, ipc_msg_in, .kind = COPY_LEN_ARG, .when = COPY_ENTER, .flags = COPY_PLUS_WORD, .len = l, .size = 1)
#define MSGBUF_OUT(n) ARG(n, ipc_msg_out, .kind = COPY_LEN_RET, .when = COPY_EXIT, .flags = COPY_PLUS_WORD, .size = 1)

enum call_id {
#define SYS(n, ...) CALL_##n,
#define SYSN(n, ...) CALL_##n,
#define SYS32(n, ...) CALL_##n,
#include "syscall/tables/calls.def"
#undef SYS
#undef SYSN
#undef SYS32
	CALL_COUNT
};

static const struct call_def calls[CALL_COUNT] = {
#define SYS(n, c, r, ...) [CALL_##n] = { #n, sizeof(#n) - 1, c, r_##r, NULL, { __VA_ARGS__ } },
#define SYSN(n, c, r, k, ...) [CALL_##n] = { #n, sizeof(#n) - 1, c, r_##r, n_##k, { __VA_ARGS__ } },
#define SYS32(id, n, c, r, ...) [CALL_##id] = { n, sizeof(n) - 1, c, r_##r, NULL, { __VA_ARGS__ } },
#include "syscall/tables/calls.def"
#undef SYS
#undef SYSN
#undef SYS32
};

static const struct { uint16_t call; struct copy_row row; } extra_rows[] = {
#define PLAN(call, k, a, w, f, l, s, only_a, only) \
	{ CALL_##call, { .kind = k, .arg = a, .when = w, .flags = f, .len_arg = l, .size = s, .only_arg = only_a, .only_mask = only } },
#define BIT(n) (1ull << ((n) & 63))
#include "syscall/tables/plans.def"
#undef PLAN
#undef BIT
};

enum { NR_MAX = 1024, ROWS_MAX = 1100 };
static const struct { uint16_t nr, call; } nr64[] = {
#define NR(n, c) { n, CALL_##c },
#include "syscall/tables/nr64.def"
}, nr32[] = {
#include "syscall/tables/nr32.def"
}, nrx32[] = {
#include "syscall/tables/nrx32.def"
#undef NR
};

static struct syscall_row rows[ROWS_MAX];
static unsigned n_rows;
static const struct syscall_row *by_nr[3][NR_MAX];
static int max_nr[3];
static struct strmap names[3];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool built;

static bool has_words(uint8_t kind)
{
	return kind == COPY_IOVEC || kind == COPY_MSGHDR || kind == COPY_MMSGHDR || kind == COPY_STRV ||
	       kind == COPY_VIA || kind == COPY_FPROG || kind == COPY_PTRV;
}

static void plan_add(struct copy_plan *p, unsigned *n, struct copy_row r, unsigned word)
{
	if (*n >= COPY_ROWS)
		return;
	if (word == 4 && (has_words(r.kind) || r.flags & COPY_PLUS_WORD))
		r.flags |= COPY_COMPAT_WORDS;
	p->row[(*n)++] = r;
}

/* COPY_SIZED takes its bound, the other kinds the size of one element, from the struct. */
static uint16_t row_size(const struct arg_def *a, unsigned word)
{
	if (a->kind == COPY_SIZED)
		return a->id ? COPY_SIZED_MAX : 0;
	if (a->print == a_iov_plain)
		return 2 * word;
	if (a->print == a_utimes)
		return 4 * word;
	if (!a->id || a->kind == COPY_STRING)
		return a->size;
	size_t n = struct_bytes(a->id, word);
	return a->len > 0xf0 && a->kind == COPY_FIXED ? n * (a->len - 0xf0) : n;
}

static void row_plan(struct syscall_row *r, unsigned word)
{
	unsigned n = 0;
	for (int i = 0; i < r->n_args; i++) {
		const struct arg_def *a = &r->def->arg[i];
		if (!a->kind || (a->kind == COPY_STACK && word == 4))
			continue;
		struct copy_row c = { .kind = a->kind, .arg = i, .when = a->when, .flags = a->flags,
			.len_arg = a->len > 0xf0 && a->kind == COPY_FIXED ? 0 : a->len, .size = row_size(a, word) };
		if (c.kind == COPY_DENTS && c.len_arg < 8)
			c.len_arg *= word;
		plan_add(&r->plan, &n, c, word);
	}
	for (unsigned i = 0; i < sizeof(extra_rows) / sizeof(*extra_rows); i++) {
		if (r->def == &calls[extra_rows[i].call])
			plan_add(&r->plan, &n, extra_rows[i].row, word);
	}
}

static void row_add(enum sys_abi abi, unsigned nr, unsigned call, unsigned word)
{
	if (nr >= NR_MAX || n_rows >= ROWS_MAX)
		return;
	struct syscall_row *r = &rows[n_rows++];
	r->def = &calls[call];
	r->abi = abi;
	while (r->n_args < 6 && r->def->arg[r->n_args].name)
		r->n_args++;
	row_plan(r, word);
	by_nr[abi][nr] = r;
	strmap_set(&names[abi], r->def->name, (void *)(uintptr_t)(nr + 1));
	if ((int)nr >= max_nr[abi])
		max_nr[abi] = nr + 1;
}

static void build(void)
{
	for (unsigned i = 0; i < sizeof(nr64) / sizeof(*nr64); i++) {
		row_add(ABI_NATIVE, nr64[i].nr, nr64[i].call, 8);
		by_nr[ABI_X32][nr64[i].nr] = by_nr[ABI_NATIVE][nr64[i].nr];
		strmap_set(&names[ABI_X32], calls[nr64[i].call].name, (void *)(uintptr_t)(nr64[i].nr + 1));
	}
	max_nr[ABI_X32] = max_nr[ABI_NATIVE];
	for (unsigned i = 0; i < sizeof(nr32) / sizeof(*nr32); i++)
		row_add(ABI_32, nr32[i].nr, nr32[i].call, 4);
	for (unsigned i = 0; i < sizeof(nrx32) / sizeof(*nrx32); i++)
		row_add(ABI_X32, nrx32[i].nr, nrx32[i].call, 4);
	__atomic_store_n(&built, true, __ATOMIC_RELEASE);
}

const struct syscall_row *syscall_find(enum sys_abi abi, int nr)
{
	if (!__atomic_load_n(&built, __ATOMIC_ACQUIRE))
		pthread_once(&once, build);
	if (abi == ABI_X32)
		nr &= ~0x40000000;
	if ((unsigned)abi > ABI_X32 || nr < 0 || nr >= NR_MAX)
		return NULL;
	return by_nr[abi][nr];
}

const struct syscall_row *syscall_named(enum sys_abi abi, const char *name, int *nr)
{
	pthread_once(&once, build);
	uintptr_t v = (unsigned)abi > ABI_X32 ? 0 : (uintptr_t)strmap_get(&names[abi], name);
	if (!v)
		return NULL;
	if (nr)
		*nr = v - 1;
	return by_nr[abi][v - 1];
}

/* The kernel names these tracepoints by the functions behind the calls. */
int syscall_of_tracepoint(const char *name)
{
	static const struct { const char *function, *call; } renamed[] = {
		{ "newstat", "stat" }, { "newfstat", "fstat" }, { "newlstat", "lstat" }, { "newuname", "uname" },
		{ "sendfile64", "sendfile" }, { "umount", "umount2" },
	};
	int nr = -1;
	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
		if (!strcmp(renamed[i].function, name))
			name = renamed[i].call;
	return syscall_named(ABI_NATIVE, name, &nr) ? nr : -1;
}

/* "chown32", "futex_time64": NAME without the end that tells it from an older call of i386. */
static bool ends_so(const char *name, const char *end, char *out, size_t size)
{
	size_t n = strlen(name), e = strlen(end);
	if (n <= e || n - e >= size || strcmp(name + n - e, end))
		return false;
	memcpy(out, name, n - e);
	out[n - e] = 0;
	return true;
}

int syscall_as_native(int nr32, bool *same_args)
{
	static const struct { const char *compat, *call; } renamed[] = {
		{ "fstatat64", "newfstatat" }, { "fadvise64_64", "fadvise64" }, { "mmap2", "mmap" }, { "_newselect", "select" },
		{ "ugetrlimit", "getrlimit" },
	};
	static const char *const ends[] = { "_time64", "64", "32" };
	const struct syscall_row *r = syscall_find(ABI_32, nr32), *as;
	const char *name = r ? r->def->name : "";
	char shorter[64];
	int nr;
	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
		if (!strcmp(renamed[i].compat, name))
			name = renamed[i].call;
	as = syscall_named(ABI_NATIVE, name, &nr);
	for (size_t i = 0; !as && i < sizeof(ends) / sizeof(ends[0]); i++)
		as = ends_so(name, ends[i], shorter, sizeof(shorter)) ? syscall_named(ABI_NATIVE, shorter, &nr) : NULL;
	if (!as)
		return -1;
	*same_args = r->n_args == as->n_args; /* more: the halves of a number of 64 bits */
	for (int i = 0; i < as->n_args && *same_args; i++)
		*same_args = !strcmp(r->def->arg[i].name, as->def->arg[i].name);
	return nr;
}

const char *syscall_name(const struct syscall_row *r)
{
	return r->def->name;
}

unsigned syscall_classes(const struct syscall_row *r)
{
	return r->def->classes;
}

int syscall_n_args(const struct syscall_row *r)
{
	return r->n_args;
}

unsigned syscall_fds(const struct syscall_row *r)
{
	unsigned bits = r->def->ret == r_fd ? 1 << 6 : 0;
	for (int i = 0; i < r->n_args; i++)
		if (r->def->arg[i].print == a_fd || r->def->arg[i].print == a_dir)
			bits |= 1 << i;
	return bits;
}

enum file_arg syscall_file_arg(const struct syscall_row *r, int i, int *dir)
{
	const struct arg_def *a = &r->def->arg[i];
	*dir = i && (r->def->arg[i - 1].print == a_dir || r->def->arg[i - 1].print == a_fanotify_dir) ? i - 1 : -1;
	if (a->print == a_pollfds || a->print == a_fd_set)
		return a->print == a_pollfds ? FILE_POLL : FILE_BITS;
	/* a file system's type and a message queue's name are none */
	return a->print == a_path && strcmp(a->name, "type") && strcmp(a->name, "u_name") ? FILE_PATH : FILE_NONE;
}

const char *syscall_arg_name(const struct syscall_row *r, int i)
{
	return i >= 0 && i < r->n_args ? r->def->arg[i].name : NULL;
}

unsigned syscall_socket(const struct syscall_row *r)
{
	static const char *const names[] = { "connect", "bind", "listen", "accept", "accept4" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(syscall_name(r), names[i]))
			return *names[i] == 'a' ? SOCKET_RESULT : SOCKET_ARG;
	return strcmp(syscall_name(r), "sendto") ? 0 : SOCKET_TO;
}

int syscall_max(enum sys_abi abi)
{
	pthread_once(&once, build);
	return (unsigned)abi > ABI_X32 ? 0 : max_nr[abi];
}

const struct copy_plan *syscall_plan(const struct syscall_row *r)
{
	return &r->plan;
}
