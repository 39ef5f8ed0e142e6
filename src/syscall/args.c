// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of argument and result that every family shares. */
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "syscall/fdstate.h"
#include "syscall/table.h"

void a_int(struct dc *c, int i, const struct arg_def *a) { (void)a; v_s(c, (int32_t)arg(c, i)); }
void a_uint(struct dc *c, int i, const struct arg_def *a) { (void)a; v_u(c, (uint32_t)arg(c, i)); }
void a_hex32(struct dc *c, int i, const struct arg_def *a) { (void)a; v_hexnum(c, (uint32_t)arg(c, i)); }
void a_pid(struct dc *c, int i, const struct arg_def *a) { (void)a; v_pid(c, (int32_t)arg(c, i)); }
void a_sig(struct dc *c, int i, const struct arg_def *a) { (void)a; v_signal(c, (int32_t)arg(c, i)); }
void a_uid(struct dc *c, int i, const struct arg_def *a) { (void)a; v_uid(c, arg(c, i)); }
void a_dev(struct dc *c, int i, const struct arg_def *a) { (void)a; v_dev(c, (uint32_t)arg(c, i)); }
void a_fd(struct dc *c, int i, const struct arg_def *a) { (void)a; v_fd(c, arg(c, i)); }
void a_path(struct dc *c, int i, const struct arg_def *a) { (void)a; v_path(c, arg(c, i)); }

/* A long is 32 bits wide in a 32-bit call, whatever the upper half of the register holds. */
static uint64_t word(const struct dc *c, int i)
{
	return c->word == 4 ? (uint32_t)arg(c, i) : arg(c, i);
}

void a_ulong(struct dc *c, int i, const struct arg_def *a) { (void)a; v_u(c, word(c, i)); }
void a_hex(struct dc *c, int i, const struct arg_def *a) { (void)a; v_hexnum(c, word(c, i)); }
void a_ptr(struct dc *c, int i, const struct arg_def *a) { (void)a; v_addr(c, word(c, i)); }

void a_long(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_s(c, c->word == 4 ? (int32_t)arg(c, i) : (int64_t)arg(c, i));
}

void a_off(struct dc *c, int i, const struct arg_def *a)
{
	a_long(c, i, a);
}

/* The two halves of a 64-bit value in a 32-bit call; the second one's row is empty. */
void a_pos64(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_s(c, (int64_t)((uint32_t)arg(c, i) | (i < 5 ? arg(c, i + 1) << 32 : 0)));
}

/* The same with the upper half first: _llseek. */
void a_high_low(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_s(c, (int64_t)(arg(c, i) << 32 | (i < 5 ? (uint32_t)arg(c, i + 1) : 0)));
}

/* An offset in pages: mmap2. */
void a_pages(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_hexnum(c, (uint64_t)(uint32_t)arg(c, i) << 12);
}

void a_flags(struct dc *c, int i, const struct arg_def *a)
{
	v_flags(c, a->id, (uint32_t)arg(c, i));
}

void a_flags64(struct dc *c, int i, const struct arg_def *a)
{
	v_flags(c, a->id, word(c, i));
}

void a_enum(struct dc *c, int i, const struct arg_def *a)
{
	v_enum(c, a->id, (uint32_t)arg(c, i));
}

void a_enum64(struct dc *c, int i, const struct arg_def *a)
{
	v_enum(c, a->id, word(c, i));
}

void a_mode(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_parts_begin(c);
	v_part_oct(c, arg(c, i) & 0xffff);
	v_parts_end(c);
}

void a_mknod_mode(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	v_mode(c, arg(c, i) & 0xffff);
}

void a_str(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	struct mem m;
	if (mem_find(c, arg(c, i), MEM_IN, &m))
		v_cstr(c, &m, c->d->style.string_limit);
	else
		v_addr(c, word(c, i));
}

/* What ended at memory that cannot be read is shown as an address, not as if that were all. */
static bool enough(const struct dc *c, const struct mem *m, uint64_t len)
{
	uint64_t limit = c->d->style.string_limit;
	return m->n >= len || (limit && m->n >= limit) || (!limit && m->truncated) || m->n >= COPY_STRUCT_MAX;
}

void a_buf_in(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint64_t len = word(c, a->len);
	if (!arg(c, i))
		v_null(c);
	else if (!len)
		v_str(c, "", 0, false, 0);
	else if (mem_find(c, arg(c, i), MEM_IN, &m) && enough(c, &m, len))
		v_payload(c, &m, len);
	else
		v_addr(c, word(c, i));
}

void a_buf_out(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	struct mem m;
	if (!c->failed && !c->entered && arg(c, i) && !c->e->ret)
		v_str(c, "", 0, false, 0);
	else if (!c->failed && mem_find(c, arg(c, i), MEM_OUT, &m))
		v_payload(c, &m, c->e->ret);
	else
		v_addr(c, word(c, i));
}

/* Nothing to read: strace has it in hex. */
void a_random_out(struct dc *c, int i, const struct arg_def *a)
{
	enum hex_strings *hex = &c->d->style.hex, was = *hex;
	if (c->strace)
		*hex = HEX_ALL;
	a_buf_out(c, i, a);
	*hex = was;
}

/* Values of extended attributes: a NUL at the end, as the shell's tools put it there, is not shown by strace. */
static void attribute(struct dc *c, const struct mem *m, uint64_t len)
{
	bool drop = c->strace && !c->json && m->n >= len && len && !m->p[len - 1];
	uint64_t n = drop ? len - 1 : len;
	size_t have = m->n < n ? m->n : n;
	v_str(c, m->p, have, have < n, c->d->style.string_limit);
}

void a_xattr_in(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint64_t len = word(c, a->len);
	if (arg(c, i) && len && mem_find(c, arg(c, i), MEM_IN, &m) && enough(c, &m, len))
		attribute(c, &m, len);
	else
		a_buf_in(c, i, a);
}

void a_xattr_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!c->failed && c->e->ret > 0 && word(c, i + 1) && mem_find(c, arg(c, i), MEM_OUT, &m))
		attribute(c, &m, c->e->ret);
	else if (!c->failed && !word(c, i + 1))
		v_addr(c, word(c, i));
	else
		a_buf_out(c, i, a);
}

/* A list of names that was only asked for its length. */
void a_list_out(struct dc *c, int i, const struct arg_def *a)
{
	if (!word(c, i + 1))
		v_addr(c, word(c, i));
	else
		a_buf_out(c, i, a);
}

/* What readlink and getcwd fill: text, shown whole. */
void a_str_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (c->failed || !mem_find(c, arg(c, i), MEM_OUT, &m))
		v_addr(c, word(c, i));
	else if (a->kind == COPY_STRING)
		v_cstr(c, &m, 0);
	else
		v_str(c, m.p, m.n, m.truncated, c->d->style.path_limit);
}

/* What a link holds is data to strace, not a path. */
void a_link_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	(void)a;
	if (c->failed || !mem_find(c, arg(c, i), MEM_OUT, &m))
		v_addr(c, word(c, i));
	else
		v_str(c, m.p, m.n, m.truncated, c->strace && !c->json ? c->d->style.string_limit : c->d->style.path_limit);
}

void a_in(struct dc *c, int i, const struct arg_def *a)
{
	v_struct_at(c, a->id, arg(c, i), MEM_IN);
}

void a_out(struct dc *c, int i, const struct arg_def *a)
{
	bool interrupted = c->e->ret == -4 || c->e->ret == -516;
	if (a->flags & COPY_EVEN_IF_FAILED ? !interrupted : c->failed) /* what a sleep left, only if it was cut */
		v_addr(c, word(c, i));
	else
		v_struct_at(c, a->id, arg(c, i), MEM_OUT);
}

/* Read and filled by the kernel: before, and after it where that differs. */
void a_io(struct dc *c, int i, const struct arg_def *a)
{
	struct mem in, out;
	size_t n = struct_size(c, a->id);
	bool before = mem_find(c, arg(c, i), MEM_IN, &in) && in.n >= n;
	bool after = !c->failed && mem_find(c, arg(c, i), MEM_OUT, &out) && out.n >= n;
	if (!before && !after) {
		v_addr(c, word(c, i));
		return;
	}
	if (before && after && n <= 8 && !c->json && memcmp(in.p, out.p, n)) { /* one number: [1] => [2] */
		v_struct(c, a->id, &in);
		str_add(c->out, " => ");
		v_struct(c, a->id, &out);
		return;
	}
	v_struct(c, a->id, after ? &out : &in);
}

enum { ARRAY_MAX = 32 }; /* elements shown without -v, as in strace's default for arrays */

static void array(struct dc *c, const struct arg_def *a, const struct mem *m, uint64_t count)
{
	size_t size = struct_size(c, a->id), n = size ? m->n / size : 0;
	v_open(c, '[');
	for (size_t k = 0; k < count; k++) {
		v_item(c);
		if (k >= n || (k >= ARRAY_MAX && !whole(c))) {
			v_word(c, "...");
			if (k >= n && m->n < COPY_STRUCT_MAX)
				v_unreadable(c, m->addr + k * size);
			break;
		}
		struct mem one = mem_sub(m, k * size, size);
		v_struct(c, a->id, &one);
	}
	v_close(c, ']');
}

void a_array_in(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint64_t count = a->kind == COPY_FIXED ? a->len - 0xf0u : (uint32_t)arg(c, a->len);
	if (arg(c, i) && !count)
		array(c, a, &(struct mem){ 0 }, 0);
	else if (mem_find(c, arg(c, i), MEM_IN, &m) && m.n >= struct_size(c, a->id))
		array(c, a, &m, count);
	else
		v_addr(c, word(c, i));
}

void a_array_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!c->failed && !c->entered && !c->e->ret && arg(c, i))
		array(c, a, &(struct mem){ 0 }, 0);
	else if (!c->failed && mem_find(c, arg(c, i), MEM_OUT, &m))
		array(c, a, &m, c->e->ret);
	else
		v_addr(c, word(c, i));
}

void a_array_out_n(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!c->failed && arg(c, i) && !(uint32_t)arg(c, a->len))
		array(c, a, &(struct mem){ 0 }, 0);
	else if (!c->failed && mem_find(c, arg(c, i), MEM_OUT, &m))
		array(c, a, &m, (uint32_t)arg(c, a->len));
	else
		v_addr(c, word(c, i));
}

/* What a caller gave beyond the struct that we know, unless it is all zero: bytes, or "???" where they cannot be read. */
void v_sized_tail(struct dc *c, const struct mem *m, uint64_t said, size_t known)
{
	enum hex_strings *hex = &c->d->style.hex, was = *hex;
	size_t at = known;
	if (said <= known || c->json || !c->strace || !c->out->len || c->out->buf[c->out->len - 1] != '}')
		return;
	while (at < m->n && at < said && !m->p[at])
		at++;
	if (at >= said || (at >= m->n && m->n >= COPY_SIZED_MAX))
		return;
	c->out->len--; /* before the bracket */
	if (m->n < said && m->n < COPY_SIZED_MAX) {
		str_add(c->out, ", ???}");
		return;
	}
	str_addf(c->out, ", /* bytes %zu..%llu */ ", known, (unsigned long long)said - 1);
	*hex = HEX_ALL;
	v_str(c, m->p + known, (m->n < said ? m->n : said) - known, m->n < said, c->d->style.string_limit);
	*hex = was;
	str_addc(c->out, '}');
}

/* A struct that may be shorter or longer than the one we know. */
void a_sized_in(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	size_t known = struct_size(c, a->id);
	bool inside = a->len == COPY_SIZE_INSIDE;
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < 4) {
		v_addr(c, word(c, i));
		return;
	}
	uint64_t said = inside ? mem_u(&m, 0, 4) : word(c, a->len);
	if (said < a->size || m.n < (said < known ? said : known)) {
		v_addr(c, word(c, i));
		return;
	}
	struct mem part = mem_sub(&m, 0, said && said < known ? said : known);
	v_struct(c, a->id, &part);
	v_sized_tail(c, &m, said, known);
}

/* One that the kernel filled, as far as the caller gave room. */
void a_sized_out(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!c->failed && mem_find(c, arg(c, i), MEM_OUT, &m) && m.n >= 4)
		v_struct(c, a->id, &m);
	else
		v_addr(c, word(c, i));
}

/* ---- shared values ---- */

void v_pid(struct dc *c, int pid)
{
	const char *name = c->d->style.pid_names && !c->json ? decoder_comm(c->d, pid) : NULL;
	v_s(c, pid);
	if (!name)
		return;
	str_addc(c->out, '<');
	str_add_safez(c->out, name);
	str_addc(c->out, '>');
}

/* -yy: /dev/null<char 1:3> */
static void device(struct dc *c, const char *path)
{
	struct stat st;
	if (c->d->style.ask_proc && str_starts(path, "/dev/") && !stat(path, &st) && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)))
		str_addf(c->out, "<%s %u:%u>", S_ISCHR(st.st_mode) ? "char" : "block", major(st.st_rdev), minor(st.st_rdev));
}

/* Which of strace's kinds of information a name is. */
static enum fd_info kind_of(const char *name)
{
	if (*name == '/' || str_starts(name, "anon_inode:") || str_starts(name, "pipe"))
		return FD_PATH;
	return str_starts(name, "pid:") ? FD_PIDFD : FD_SOCKET;
}

/* What was removed has its mark outside, as strace has it. */
static void strace_name(struct dc *c, const char *name, unsigned info)
{
	enum fd_info kind = kind_of(name);
	bool gone = str_starts(name, "/memfd:"), said = kind == FD_PATH && str_ends(name, " (deleted)");
	if (kind == FD_PIDFD && !(info & FD_PIDFD) && info & FD_PATH) {
		name = "anon_inode:[pidfd]";
		kind = FD_PATH;
	}
	bool socket = kind == FD_SOCKET && info & FD_PATH; /* more than strace has with -y alone */
	if (!(info & kind) && !socket && !(info & FD_DEV && str_starts(name, "/dev/")))
		return;
	str_addc(c->out, '<');
	str_add_safe(c->out, name, strlen(name) - (said ? 10 : 0));
	if (info & FD_DEV)
		device(c, name);
	str_addc(c->out, '>');
	if (gone || said)
		str_add(c->out, "(deleted)");
}

static void fd_name(struct dc *c, int fd)
{
	unsigned info = c->d->style.fd_info;
	if (!c->d->fds || fd < 0 || (c->strace && !info))
		return;
	const char *name = c->strace ? fd_state_name(c->d->fds, c->e->pid, fd) : NULL;
	if (name)
		strace_name(c, name, info);
	else if (!c->strace)
		fd_state_show(c->d->fds, c->e->pid, fd, c->out);
}

static void fd_json(struct dc *c, int fd)
{
	const char *name = c->d->fds && fd >= 0 ? fd_state_name(c->d->fds, c->e->pid, fd) : NULL;
	if (!name) {
		json_s64(c->json, fd);
		return;
	}
	json_open(c->json, '{');
	json_ks64(c->json, "fd", fd);
	json_kstr(c->json, "name", name);
	json_close(c->json, '}');
}

void v_fd(struct dc *c, int fd)
{
	if (c->json) {
		fd_json(c, fd);
		return;
	}
	str_add_s64(c->out, fd);
	fd_name(c, fd);
}

enum { FD_CWD = -100 };

void a_dir(struct dc *c, int i, const struct arg_def *a)
{
	int fd = arg(c, i);
	(void)a;
	if (fd != FD_CWD) {
		v_fd(c, fd);
		return;
	}
	if (v_number(c, fd, 10))
		return;
	v_word(c, c->strace ? "AT_FDCWD" : "CWD");
	v_named(c);
	const char *cwd = c->strace && !c->json && c->d->style.fd_info & FD_PATH && c->d->fds ? fd_state_cwd(c->d->fds, c->e->pid) : NULL;
	if (cwd) {
		str_addc(c->out, '<');
		str_add_safez(c->out, cwd);
		str_addc(c->out, '>');
	}
}

void v_path(struct dc *c, uint64_t addr)
{
	struct mem m;
	if (mem_find(c, addr, MEM_IN, &m))
		v_cstr(c, &m, 0);
	else
		v_addr(c, c->word == 4 ? (uint32_t)addr : addr);
}

void v_uid(struct dc *c, uint32_t id)
{
	if (id == UINT32_MAX)
		v_s(c, -1);
	else
		v_u(c, id);
}

void v_dev(struct dc *c, uint64_t dev)
{
	unsigned major = (dev >> 8 & 0xfff) | (dev >> 32 & ~0xfffull), minor = (dev & 0xff) | (dev >> 12 & ~0xffull);
	if (c->json) {
		json_open(c->json, '[');
		json_u64(c->json, major);
		json_u64(c->json, minor);
		json_close(c->json, ']');
		return;
	}
	if (v_number(c, dev, 16))
		return;
	str_add(c->out, "makedev(");
	str_add_hex(c->out, major);
	str_add(c->out, ", ");
	str_add_hex(c->out, minor);
	str_addc(c->out, ')');
	v_named(c);
}

void v_mode(struct dc *c, unsigned mode)
{
	if (mode & 0170000 && !xlat_name(X_file_type, mode & 0170000)) {
		v_oct(c, mode);
		return;
	}
	bool whole = mode & 0170000;
	if (whole && v_number(c, mode, 8))
		return;
	v_parts_begin(c);
	if (mode & 0170000)
		v_part_enum(c, X_file_type, mode & 0170000);
	if (mode & 07000)
		v_part_flags(c, X_mode_bits, mode & 07000);
	v_part_oct(c, mode & 0777);
	v_parts_end(c);
	if (whole)
		v_named(c);
}

/* ---- numbers behind pointers ---- */

struct_fn struct_inode_flags, struct_mpol, struct_int_item, struct_status_item, struct_pointer_item;
void struct_int_item(struct dc *c, const struct mem *m) { v_s(c, mem_s(m, 0, 4)); }
void struct_pointer_item(struct dc *c, const struct mem *m) { v_addr(c, mem_u(m, 0, c->word)); }

/* A number, or an error by its name: -EFAULT. */
void struct_status_item(struct dc *c, const struct mem *m)
{
	int64_t v = mem_s(m, 0, 4);
	const char *name = v < 0 ? errno_name(-v) : NULL;
	if (name && !c->json)
		str_addf(c->out, "-%s", name);
	else
		v_s(c, v);
}

struct_fn struct_int, struct_uint, struct_ulong, struct_u64, struct_hexlong, struct_off64, struct_fd_pair, struct_uid;
STRUCT_ONE(int, v_s(c, mem_s(m, 0, 4)))
STRUCT_ONE(uint, v_u(c, mem_u(m, 0, 4)))
STRUCT_ONE(ulong, v_u(c, mem_u(m, 0, c->word)))
STRUCT_ONE(hexlong, v_addr(c, mem_u(m, 0, c->word)))
STRUCT_ONE(inode_flags, v_flags(c, X_inode_flags, mem_u(m, 0, 4)))
STRUCT_ONE(mpol, v_mpol(c, mem_u(m, 0, 4)))
STRUCT_ONE(off64, v_s(c, mem_s(m, 0, 8)))

void struct_u64(struct dc *c, const struct mem *m)
{
	v_hexnum(c, mem_u(m, 0, 8));
}

/* One id in a list stands alone, one behind a pointer of its own is in brackets. */
void struct_uid(struct dc *c, const struct mem *m)
{
	bool list = c->row && c->row->n_args == 2;
	if (!list) {
		v_open(c, '[');
		v_item(c);
	}
	v_uid(c, mem_u(m, 0, 4));
	if (!list)
		v_close(c, ']');
}

void struct_fd_pair(struct dc *c, const struct mem *m)
{
	v_open(c, '[');
	v_item(c);
	v_fd(c, mem_s(m, 0, 4));
	v_item(c);
	v_fd(c, mem_s(m, 4, 4));
	v_close(c, ']');
}

/* ---- results ---- */

void r_dec(struct dc *c, int64_t ret) { v_s(c, ret); }
void r_pid(struct dc *c, int64_t ret) { v_pid(c, ret); }
void r_fd(struct dc *c, int64_t ret) { v_fd(c, ret); }
void r_hex(struct dc *c, int64_t ret) { v_hex(c, c->word == 4 ? (uint32_t)ret : (uint64_t)ret); }

void r_oct(struct dc *c, int64_t ret)
{
	v_parts_begin(c);
	v_part_oct(c, ret);
	v_parts_end(c);
}

void r_none(struct dc *c, int64_t ret)
{
	(void)ret;
	if (c->json)
		json_null(c->json);
	else
		str_addc(c->out, '?');
}
