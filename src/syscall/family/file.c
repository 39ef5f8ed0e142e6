// SPDX-License-Identifier: GPL-2.0-or-later
/* Files: open flags, stat, directories, times, locks, mounts. */
#include <string.h>
#include <time.h>
#include "syscall/table.h"

enum { FLAG_CREAT = 0100, FLAG_TMPFILE = 020000000, ACCESS_MODE = 3 };

void v_open_flags(struct dc *c, uint64_t flags)
{
	if (v_number(c, flags, 16))
		return;
	v_parts_begin(c);
	v_part_enum(c, X_open_access, flags & ACCESS_MODE);
	if (flags & ~(uint64_t)ACCESS_MODE)
		v_part_flags(c, X_open_flags, flags & ~(uint64_t)ACCESS_MODE);
	v_parts_end(c);
	v_named(c);
}

void a_open_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_open_flags(c, (uint32_t)arg(c, i));
}

struct_fn struct_open_how;
void struct_open_how(struct dc *c, const struct mem *m)
{
	uint64_t flags = mem_u(m, 0, 8);
	v_open(c, '{');
	v_field(c, "flags");
	v_open_flags(c, flags);
	if (flags & (FLAG_CREAT | FLAG_TMPFILE) || mem_u(m, 8, 8)) {
		v_field(c, "mode");
		v_parts_begin(c);
		v_part_oct(c, mem_u(m, 8, 8));
		v_parts_end(c);
	}
	v_field(c, "resolve");
	v_flags(c, X_resolve, mem_u(m, 16, 8));
	v_close(c, '}');
}

void a_open_mode(struct dc *c, int i, const struct arg_def *a)
{
	a_mode(c, i, a);
}

static int with_mode(struct dc *c, int flags_at)
{
	return arg(c, flags_at) & (FLAG_CREAT | FLAG_TMPFILE) ? flags_at + 2 : flags_at + 1;
}

/* A device number counts for devices only. */
static int with_device(struct dc *c, int mode_at)
{
	unsigned type = arg(c, mode_at) & 0170000;
	return type == 0020000 || type == 0060000 ? mode_at + 2 : mode_at + 1;
}

int n_mknod(struct dc *c) { return with_device(c, 1); }
int n_mknodat(struct dc *c) { return with_device(c, 2); }
int n_open(struct dc *c) { return with_mode(c, 1); }
int n_openat(struct dc *c) { return with_mode(c, 2); }
int n_mq_open(struct dc *c) { return arg(c, 1) & FLAG_CREAT ? 4 : 2; }

void a_access(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_flags(c, X_access_modes, (uint32_t)arg(c, i));
}

enum { SYNC_BITS = 0x6000 };

void a_statx_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t flags = arg(c, i);
	v_parts_begin(c);
	v_part_enum(c, X_statx_sync, flags & SYNC_BITS);
	if (flags & ~(uint32_t)SYNC_BITS)
		v_part_flags(c, X_at_flags, flags & ~(uint32_t)SYNC_BITS);
	v_parts_end(c);
}

/* ---- stat ---- */

struct_fn struct_stat, struct_stat64, struct_oldstat, struct_statx, struct_statfs, struct_statfs64, struct_utimbuf;

/* Where each layout has what. A size of 0: not there. */
struct stat_layout {
	struct { uint8_t at, size; } dev, ino, mode, nlink, uid, gid, rdev, bytes, blksize, blocks, time[3];
};
static const struct stat_layout stat_x86_64 = {
	{ 0, 8 }, { 8, 8 }, { 24, 4 }, { 16, 8 }, { 28, 4 }, { 32, 4 }, { 40, 8 }, { 48, 8 }, { 56, 8 }, { 64, 8 },
	{ { 72, 8 }, { 88, 8 }, { 104, 8 } },
}, stat_i386 = {
	{ 0, 4 }, { 4, 4 }, { 8, 2 }, { 10, 2 }, { 12, 2 }, { 14, 2 }, { 16, 4 }, { 20, 4 }, { 24, 4 }, { 28, 4 },
	{ { 32, 4 }, { 40, 4 }, { 48, 4 } },
}, stat64_i386 = {
	{ 0, 8 }, { 88, 8 }, { 16, 4 }, { 20, 4 }, { 24, 4 }, { 28, 4 }, { 32, 8 }, { 44, 8 }, { 52, 4 }, { 56, 8 },
	{ { 64, 4 }, { 72, 4 }, { 80, 4 } },
}, stat_old = {
	{ 0, 2 }, { 2, 2 }, { 4, 2 }, { 6, 2 }, { 8, 2 }, { 10, 2 }, { 12, 2 }, { 16, 4 }, { 0, 0 }, { 0, 0 },
	{ { 20, 0 }, { 24, 0 }, { 28, 0 } },
};
#define GET(field) mem_u(m, l->field.at, l->field.size)

/* 2026-11-15T06:42:34.000000001+0000: strace's remark after a time. */
static void time_remark(struct dc *c, int64_t sec, uint64_t frac, int digits)
{
	struct tm tm;
	char text[64];
	if (c->json || !c->strace || !sec || !gmtime_r(&(time_t){ sec }, &tm))
		return;
	size_t n = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	str_add(c->out, " /* ");
	str_addn(c->out, text, n);
	if (frac)
		str_addf(c->out, ".%0*llu", digits, (unsigned long long)(frac % 1000000000));
	str_add(c->out, "+0000 */");
}

static void stat_rest(struct dc *c, const struct mem *m, const struct stat_layout *l)
{
	static const char *const name[3][2] = { { "st_atime", "st_atime_nsec" }, { "st_mtime", "st_mtime_nsec" },
		{ "st_ctime", "st_ctime_nsec" } };
	for (int i = 0; i < 3; i++) {
		unsigned size = l->time[i].size;
		v_field(c, name[i][0]);
		v_s(c, mem_s(m, l->time[i].at, size ? size : 4));
		if (!size)
			continue;
		time_remark(c, mem_s(m, l->time[i].at, size), mem_u(m, l->time[i].at + size, size), 9);
		v_field(c, name[i][1]);
		v_u(c, mem_u(m, l->time[i].at + size, size));
	}
}

static void stat_fields(struct dc *c, const struct mem *m, const struct stat_layout *l)
{
	uint64_t mode = GET(mode);
	bool node = (mode & 0170000) == 0020000 || (mode & 0170000) == 0060000;
	v_open(c, '{');
	if (whole(c)) {
		v_field(c, "st_dev");
		v_dev(c, GET(dev));
		v_field(c, "st_ino");
		v_u(c, GET(ino));
	}
	v_field(c, "st_mode");
	v_mode(c, mode);
	if (whole(c)) {
		v_field(c, "st_nlink");
		v_u(c, GET(nlink));
		v_field(c, "st_uid");
		v_u(c, GET(uid));
		v_field(c, "st_gid");
		v_u(c, GET(gid));
		v_field(c, "st_blksize");
		v_u(c, GET(blksize));
		v_field(c, "st_blocks");
		v_u(c, GET(blocks));
	}
	v_field(c, node ? "st_rdev" : "st_size");
	if (node)
		v_dev(c, GET(rdev));
	else
		v_u(c, GET(bytes));
	if (whole(c))
		stat_rest(c, m, l);
	else
		v_more(c);
	v_close(c, '}');
}
#undef GET

void struct_stat(struct dc *c, const struct mem *m)
{
	stat_fields(c, m, c->word == 8 ? &stat_x86_64 : &stat_i386);
}

void struct_stat64(struct dc *c, const struct mem *m)
{
	stat_fields(c, m, &stat64_i386);
}

void struct_oldstat(struct dc *c, const struct mem *m)
{
	stat_fields(c, m, &stat_old);
}

static void statx_time(struct dc *c, const char *name, const struct mem *m, size_t at)
{
	v_field(c, name);
	v_open(c, '{');
	v_field(c, "tv_sec");
	v_s(c, mem_s(m, at, 8));
	v_field(c, "tv_nsec");
	v_u(c, mem_u(m, at + 8, 4));
	v_close(c, '}');
	time_remark(c, mem_s(m, at, 8), mem_u(m, at + 8, 4), 9);
}

static void statx_rest(struct dc *c, const struct mem *m)
{
	static const struct { const char *name; uint8_t at; } times[] = {
		{ "stx_atime", 64 }, { "stx_btime", 80 }, { "stx_ctime", 96 }, { "stx_mtime", 112 } };
	v_field(c, "stx_blocks");
	v_u(c, mem_u(m, 48, 8));
	v_field(c, "stx_attributes_mask");
	v_flags(c, X_statx_attrs, mem_u(m, 56, 8));
	for (unsigned i = 0; i < 4; i++)
		statx_time(c, times[i].name, m, times[i].at);
	v_field(c, "stx_rdev_major");
	v_u(c, mem_u(m, 128, 4));
	v_field(c, "stx_rdev_minor");
	v_u(c, mem_u(m, 132, 4));
	v_field(c, "stx_dev_major");
	v_u(c, mem_u(m, 136, 4));
	v_field(c, "stx_dev_minor");
	v_u(c, mem_u(m, 140, 4));
	v_field(c, "stx_mnt_id");
	v_hexnum(c, mem_u(m, 144, 8));
}

void struct_statx(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "stx_mask");
	v_flags(c, X_statx_mask, mem_u(m, 0, 4));
	if (whole(c)) {
		v_field(c, "stx_blksize");
		v_u(c, mem_u(m, 4, 4));
	}
	v_field(c, "stx_attributes");
	v_flags(c, X_statx_attrs, mem_u(m, 8, 8));
	if (whole(c)) {
		v_field(c, "stx_nlink");
		v_u(c, mem_u(m, 16, 4));
		v_field(c, "stx_uid");
		v_u(c, mem_u(m, 20, 4));
		v_field(c, "stx_gid");
		v_u(c, mem_u(m, 24, 4));
	}
	v_field(c, "stx_mode");
	v_mode(c, mem_u(m, 28, 2));
	if (whole(c)) {
		v_field(c, "stx_ino");
		v_u(c, mem_u(m, 32, 8));
	}
	v_field(c, "stx_size");
	v_u(c, mem_u(m, 40, 8));
	if (whole(c))
		statx_rest(c, m);
	else
		v_more(c);
	v_close(c, '}');
}

static void statfs_fields(struct dc *c, const struct mem *m, size_t w, size_t big)
{
	static const char *const count[] = { "f_blocks", "f_bfree", "f_bavail", "f_files", "f_ffree" };
	size_t at = 2 * w;
	v_open(c, '{');
	v_field(c, "f_type");
	v_enum(c, X_fs_magic, mem_u(m, 0, w));
	v_field(c, "f_bsize");
	v_u(c, mem_u(m, w, w));
	for (int i = 0; i < 5; i++, at += big) {
		v_field(c, count[i]);
		v_u(c, mem_u(m, at, big));
	}
	v_field(c, "f_fsid");
	v_open(c, '{');
	v_field(c, "val");
	v_open(c, '[');
	v_item(c);
	v_hexnum(c, mem_u(m, at, 4));
	v_item(c);
	v_hexnum(c, mem_u(m, at + 4, 4));
	v_close(c, ']');
	v_close(c, '}');
	v_field(c, "f_namelen");
	v_u(c, mem_u(m, at + 8, w));
	v_field(c, "f_frsize");
	v_u(c, mem_u(m, at + 8 + w, w));
	v_field(c, "f_flags");
	v_flags(c, X_statfs_flags, mem_u(m, at + 8 + 2 * w, w));
	v_close(c, '}');
}

void struct_statfs(struct dc *c, const struct mem *m)
{
	statfs_fields(c, m, c->word, c->word);
}

void struct_statfs64(struct dc *c, const struct mem *m)
{
	statfs_fields(c, m, 4, 8);
}

/* ---- directories ---- */

static void dirent(struct dc *c, const struct mem *m, bool new)
{
	size_t w = new ? 8 : c->word, name = 2 * w + 2 + new;
	v_open(c, '{');
	v_field(c, "d_ino");
	v_u(c, mem_u(m, 0, w));
	v_field(c, "d_off");
	v_s(c, mem_s(m, w, w));
	v_field(c, "d_reclen");
	v_u(c, mem_u(m, 2 * w, 2));
	if (new) {
		v_field(c, "d_type");
		v_enum(c, X_dirent_type, mem_u(m, 18, 1));
	}
	struct mem text = mem_sub(m, name, m->n);
	v_field(c, "d_name");
	v_cstr(c, &text, 0);
	if (!new) {
		v_field(c, "d_type");
		v_enum(c, X_dirent_type, mem_u(m, m->n - 1, 1));
	}
	v_close(c, '}');
}

static unsigned dirents(struct dc *c, const struct mem *m, bool new, bool print)
{
	size_t len_at = 2 * (new ? 8 : c->word), off = 0;
	unsigned n = 0;
	while (off + len_at + 2 <= m->n) {
		size_t len = mem_u(m, off + len_at, 2);
		if (len < len_at + 2 || off + len > m->n)
			break;
		struct mem one = mem_sub(m, off, len);
		if (print) {
			v_item(c);
			dirent(c, &one, new);
		}
		off += len;
		n++;
	}
	return n;
}

void a_dents(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	bool new = !strcmp(c->row->def->name, "getdents64");
	if (c->failed || c->entered || !mem_find(c, arg(c, i), MEM_OUT, &m)) {
		if (c->failed || c->entered || c->e->ret)
			a_ptr(c, i, a);
		else
			m = (struct mem){ .addr = arg(c, i) };
		if (c->failed || c->entered || c->e->ret)
			return;
	}
	if (whole(c)) {
		v_open(c, '[');
		dirents(c, &m, new, true);
		if (m.n < (uint64_t)c->e->ret)
			v_more(c);
		v_close(c, ']');
		return;
	}
	str_add_hex(c->out, arg(c, i));
	if (!c->strace)
		return;
	if (m.full & COPY_COUNTED)
		str_addf(c->out, " /* %u entries */", (unsigned)(m.full & ~(uint64_t)COPY_COUNTED));
	else /* what was not copied cannot be counted */
		str_addf(c->out, " /* %u%s entries */", dirents(c, &m, new, false), m.n < (uint64_t)c->e->ret ? "+" : "");
}

/* ---- times ---- */

enum { TIME_NOW = (1 << 30) - 1, TIME_OMIT = (1 << 30) - 2 };

static void one_time(struct dc *c, const struct mem *m, size_t at, size_t w, bool nano)
{
	uint64_t frac = mem_u(m, at + w, w);
	const char *name = NULL;
	v_item(c);
	if (nano && (frac == TIME_NOW || frac == TIME_OMIT)) {
		name = frac == TIME_NOW ? "UTIME_NOW" : "UTIME_OMIT";
		if (!c->d->style.constants || c->json) {
			v_word(c, name);
			return;
		}
	}
	v_open(c, '{');
	v_field(c, "tv_sec");
	v_s(c, mem_s(m, at, w));
	v_field(c, nano ? "tv_nsec" : "tv_usec");
	v_u(c, frac);
	v_close(c, '}');
	if (!name)
		time_remark(c, mem_s(m, at, w), frac, nano ? 9 : 6);
	else if (c->d->style.constants == CONST_BOTH)
		v_comment(c, name);
}

static void two_times(struct dc *c, int i, const struct arg_def *a, size_t w, bool nano)
{
	struct mem m;
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < 4 * w) {
		a_ptr(c, i, a);
		return;
	}
	v_open(c, '[');
	one_time(c, &m, 0, w, nano);
	one_time(c, &m, 2 * w, w, nano);
	v_close(c, ']');
}

void a_utimens(struct dc *c, int i, const struct arg_def *a)
{
	bool wide = c->word == 8 || strstr(c->row->def->name, "time64");
	two_times(c, i, a, wide ? 8 : 4, true);
}

void a_utimes(struct dc *c, int i, const struct arg_def *a)
{
	two_times(c, i, a, c->word, false);
}

void struct_utimbuf(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "actime");
	v_s(c, mem_s(m, 0, c->word));
	time_remark(c, mem_s(m, 0, c->word), 0, 9);
	v_field(c, "modtime");
	v_s(c, mem_s(m, c->word, c->word));
	time_remark(c, mem_s(m, c->word, c->word), 0, 9);
	v_close(c, '}');
}

/* ---- mounts and handles ---- */

enum { MOUNT_MAGIC = 0xc0ed0000u };

void a_mount_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint64_t flags = c->word == 4 ? (uint32_t)arg(c, i) : arg(c, i);
	bool magic = (flags & 0xffff0000u) == MOUNT_MAGIC;
	if (!flags) {
		v_hexnum(c, 0);
		return;
	}
	v_parts_begin(c);
	if (magic)
		v_part_const(c, MOUNT_MAGIC, "MS_MGC_VAL");
	v_part_flags(c, X_mount_flags, magic ? flags & ~(uint64_t)MOUNT_MAGIC : flags);
	v_parts_end(c);
}

/* Most filesystems take text; some a struct of their own, shown by address. */
void a_mount_data(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!mem_find(c, arg(c, i), MEM_IN, &m)) {
		a_ptr(c, i, a);
		return;
	}
	size_t n = strnlen((const char *)m.p, m.n);
	for (size_t k = 0; k < n; k++) {
		if (m.p[k] < 0x20 || m.p[k] >= 0x7f) {
			a_ptr(c, i, a);
			return;
		}
	}
	v_cstr(c, &m, c->d->style.string_limit);
}

/* The handle's bytes follow its head. */
void a_file_handle(struct dc *c, int i, const struct arg_def *a)
{
	enum { HEAD = 8, OVERFLOW = 75 };
	struct mem in, out;
	bool given = a->when == COPY_ENTER, before = mem_find(c, arg(c, i), MEM_IN, &in) && in.n >= HEAD;
	bool after = !given && mem_find(c, arg(c, i), MEM_OUT, &out) && out.n >= HEAD;
	if (!before && !after) {
		a_ptr(c, i, a);
		return;
	}
	const struct mem *m = after ? &out : &in;
	uint32_t n = mem_u(m, 0, 4);
	v_open(c, '{');
	v_field(c, "handle_bytes");
	if (before && after && !c->json && mem_u(&in, 0, 4) != n) {
		v_u(c, mem_u(&in, 0, 4));
		str_add(c->out, " => ");
	}
	v_u(c, n);
	if (given || (after && !c->failed)) {
		struct mem bytes = mem_sub(m, HEAD, n);
		enum hex_strings *hex = &c->d->style.hex, was = *hex;
		v_field(c, "handle_type");
		v_s(c, mem_s(m, 4, 4));
		v_field(c, "f_handle");
		*hex = HEX_ALL;
		v_str(c, bytes.p, bytes.n, bytes.n < n, 0);
		*hex = was;
	}
	v_close(c, '}');
}

/* ---- fcntl ---- */

enum { GET_FD = 1, SET_FD, GET_FL, SET_FL, SET_OWN = 8, GET_OWN, SET_SIG, GET_SIG, SET_OWN_EX = 15, GET_OWN_EX = 16,
	SET_LEASE = 1024, GET_LEASE, NOTIFY, DUP_CLOEXEC = 1030, SET_PIPE = 1031, GET_PIPE = 1032, ADD_SEALS = 1033,
	GET_SEALS = 1034, GET_HINT = 1035, SET_FILE_HINT = 1038 };

static bool is_lock(uint32_t cmd)
{
	return (cmd >= 5 && cmd <= 7) || (cmd >= 12 && cmd <= 14) || (cmd >= 36 && cmd <= 38);
}

int n_fcntl(struct dc *c)
{
	uint32_t cmd = arg(c, 1);
	bool none = cmd == GET_FD || cmd == GET_FL || cmd == GET_OWN || cmd == GET_SIG || cmd == GET_LEASE || cmd == GET_PIPE ||
		cmd == GET_SEALS;
	return none ? 2 : 3;
}

void a_fcntl_cmd(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_enum(c, X_fcntl_cmd, (uint32_t)arg(c, i));
}

static void lock(struct dc *c, uint32_t cmd, uint64_t addr)
{
	struct mem m;
	bool wide = c->word == 8 || cmd >= 12;
	bool got = !c->failed && (cmd == 5 || cmd == 12 || cmd == 36);
	int id = wide ? ST_flock64 : ST_flock;
	if (!mem_find(c, addr, got ? MEM_OUT : MEM_IN, &m) || m.n < struct_size(c, id)) {
		v_addr(c, addr);
		return;
	}
	size_t at = c->word == 8 ? 8 : 4, w = wide ? 8 : 4;
	v_open(c, '{');
	v_field(c, "l_type");
	v_enum(c, X_lock_type, mem_u(&m, 0, 2));
	v_field(c, "l_whence");
	v_enum(c, X_whence, mem_u(&m, 2, 2));
	v_field(c, "l_start");
	v_s(c, mem_s(&m, at, w));
	v_field(c, "l_len");
	v_s(c, mem_s(&m, at + w, w));
	if (got) {
		v_field(c, "l_pid");
		v_s(c, mem_s(&m, at + 2 * w, 4));
	}
	v_close(c, '}');
}

static void hint_value(struct dc *c, uint32_t cmd, uint64_t addr)
{
	struct mem m;
	bool get = cmd & 1;
	if ((get && c->failed) || !mem_find(c, addr, get ? MEM_OUT : MEM_IN, &m) || m.n < 8) {
		v_addr(c, addr);
		return;
	}
	v_open(c, '[');
	v_item(c);
	v_enum(c, X_rw_hint, mem_u(&m, 0, 8));
	v_close(c, ']');
}

void a_fcntl_arg(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t cmd = arg(c, 1), v = arg(c, i);
	if (is_lock(cmd))
		lock(c, cmd, arg(c, i));
	else if (cmd == SET_FD)
		v_flags(c, X_fd_flags, v);
	else if (cmd == SET_FL)
		v_open_flags(c, v);
	else if (cmd == SET_LEASE)
		v_enum(c, X_lock_type, v);
	else if (cmd == NOTIFY)
		v_flags(c, X_notify_flags, v);
	else if (cmd == ADD_SEALS)
		v_flags(c, X_seals, v);
	else if (cmd == SET_SIG)
		v_signal(c, v);
	else if (cmd == SET_OWN_EX || cmd == GET_OWN_EX)
		v_struct_at(c, ST_f_owner_ex, arg(c, i), cmd == GET_OWN_EX ? MEM_OUT : MEM_IN);
	else if (cmd >= GET_HINT && cmd <= SET_FILE_HINT)
		hint_value(c, cmd, arg(c, i));
	else if (cmd == 0 || cmd == DUP_CLOEXEC || cmd == SET_OWN || cmd == SET_PIPE)
		v_s(c, (int32_t)v);
	else
		a_hex(c, i, a);
}

static void with_flags(struct dc *c, int64_t ret, void (*print)(struct dc *, uint64_t))
{
	str_add_hex(c->out, ret);
	if (!c->strace && ret == 0)
		return;
	str_add(c->out, " (flags ");
	c->in_comment++; /* the number was said */
	print(c, ret);
	c->in_comment--;
	str_addc(c->out, ')');
}

static void fd_flags(struct dc *c, uint64_t v) { v_flags(c, X_fd_flags, v); }

void r_fcntl(struct dc *c, int64_t ret)
{
	uint32_t cmd = arg(c, 1);
	if (!c->e->args_known)
		v_s(c, ret);
	else if (cmd == 0 || cmd == DUP_CLOEXEC)
		v_fd(c, ret);
	else if (cmd == GET_FL)
		with_flags(c, ret, v_open_flags);
	else if (cmd == GET_FD && ret)
		with_flags(c, ret, fd_flags);
	else if (cmd == GET_LEASE) {
		str_add_hex(c->out, ret);
		str_add(c->out, " (");
		v_enum(c, X_lock_type, ret);
		str_addc(c->out, ')');
	} else if (cmd == GET_SIG && ret) {
		v_s(c, ret);
		str_add(c->out, " (");
		v_signal(c, ret);
		str_addc(c->out, ')');
	} else if (cmd == GET_SEALS && ret) {
		str_add_hex(c->out, ret);
		str_add(c->out, " (seals ");
		v_flags(c, X_seals, ret);
		str_addc(c->out, ')');
	} else
		v_s(c, ret);
}
