// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes: exec, clone, wait, limits, prctl, scheduling, tracing, capabilities. */
#include <string.h>
#include "syscall/table.h"

/* ---- exec ---- */

enum { ARGV_SHOWN = 32 };

static void strings(struct dc *c, const struct mem *list)
{
	v_open(c, '[');
	for (size_t k = 0; k * c->word + c->word <= list->n; k++) {
		uint64_t p = mem_u(list, k * c->word, c->word);
		struct mem s;
		if (!p)
			break;
		v_item(c);
		if (k >= ARGV_SHOWN && !whole(c)) {
			v_word(c, "...");
			break;
		}
		if (mem_find(c, p, MEM_IN, &s))
			v_cstr(c, &s, c->d->style.strace ? c->d->style.string_limit : 0); /* whole, but for strace's form */
		else
			v_addr(c, p);
	}
	v_close(c, ']');
}

void a_argv(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (mem_find(c, arg(c, i), MEM_IN, &m))
		strings(c, &m);
	else
		a_ptr(c, i, a);
}

/* Without -v only how many variables there are, where the engine counted them. */
void a_envp(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!mem_find(c, arg(c, i), MEM_IN, &m)) {
		a_ptr(c, i, a);
		return;
	}
	if (whole(c)) {
		strings(c, &m);
		return;
	}
	unsigned n = 0;
	while ((n + 1) * c->word <= m.n && mem_u(&m, n * c->word, c->word))
		n++;
	str_add_hex(c->out, arg(c, i));
	if (c->strace && (n + 1) * c->word <= m.n)
		str_addf(c->out, " /* %u var%s */", n, n == 1 ? "" : "s");
}

/* ---- clone and wait ---- */

/* Signals are decimal. */
static void v_part_signal(struct dc *c, int sig, const char *name)
{
	v_part(c, "");
	if (v_number(c, sig, 10))
		return;
	str_add(c->json ? &c->d->scratch : c->out, name);
	v_named(c);
}

static void clone_flags(struct dc *c, uint64_t flags)
{
	unsigned sig = flags & 0xff;
	v_parts_begin(c);
	if (flags & ~0xffull)
		v_part_flags(c, X_clone_flags, flags & ~0xffull);
	if (sig) {
		const char *name = signal_name(sig);
		if (name)
			v_part_signal(c, sig, name);
		else
			v_part_hex(c, sig);
	}
	v_parts_end(c);
}

void a_clone_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	clone_flags(c, c->word == 4 ? (uint32_t)arg(c, i) : arg(c, i));
}

enum { C_PIDFD = 0x1000, C_SETTLS = 0x80000, C_PARENT_SETTID = 0x100000, C_CHILD_CLEARTID = 0x200000,
	C_CHILD_SETTID = 0x1000000 };
#define C_INTO_CGROUP 0x200000000ull

static void named(struct dc *c, const char *name)
{
	if (c->out->buf[c->out->len - 1] != '(')
		str_addn(c->out, ", ", 2);
	str_add(c->out, name);
	str_addc(c->out, '=');
}

static void clone_strace(struct dc *c)
{
	bool i386 = c->word == 4;
	uint64_t flags = arg(c, 0), child = arg(c, i386 ? 4 : 3), tls = arg(c, i386 ? 3 : 4);
	named(c, "child_stack");
	v_addr(c, arg(c, 1));
	named(c, "flags");
	clone_flags(c, flags);
	if (flags & (C_PARENT_SETTID | C_PIDFD)) {
		struct mem m;
		named(c, flags & C_PARENT_SETTID ? "parent_tid" : "pidfd");
		if (!c->failed && mem_find(c, arg(c, 2), MEM_OUT, &m) && m.n >= 4)
			v_struct(c, ST_int, &m);
		else
			v_addr(c, arg(c, 2));
	}
	if (flags & C_SETTLS) {
		named(c, "tls");
		v_hex(c, tls);
	}
	if (flags & (C_CHILD_SETTID | C_CHILD_CLEARTID)) {
		named(c, "child_tidptr");
		v_addr(c, child);
	}
}

bool special_form(struct dc *c)
{
	if (strcmp(c->row->def->name, "clone"))
		return false;
	clone_strace(c);
	return true;
}

struct_fn struct_clone_args, struct_wait_status, struct_rlimit, struct_rlimit64, struct_sysinfo, struct_utsname,
	struct_sched_param, struct_cap_header, struct_cap_data, struct_fprog;

/* The pointers are shown where the flags use them. */
static void clone_pointers(struct dc *c, const struct mem *m, uint64_t flags)
{
	static const struct { const char *name; uint8_t at; uint64_t when; } pointer[] = {
		{ "pidfd", 8, C_PIDFD }, { "child_tid", 16, C_CHILD_SETTID | C_CHILD_CLEARTID },
		{ "parent_tid", 24, C_PARENT_SETTID } };
	for (unsigned i = 0; i < 3; i++) {
		if (flags & pointer[i].when) {
			v_field(c, pointer[i].name);
			v_addr(c, mem_u(m, pointer[i].at, 8));
		}
	}
}

enum { TIDS_MAX = 32 };

/* The numbers that the child shall have, in each of its namespaces. */
static void clone_tids(struct dc *c, uint64_t addr, uint64_t n)
{
	struct mem m;
	v_field(c, "set_tid");
	if (!n || n > TIDS_MAX || !mem_find(c, addr, MEM_IN, &m)) {
		v_addr(c, addr);
	} else {
		v_open(c, '[');
		for (uint64_t i = 0; i < n; i++) {
			v_item(c);
			if (4 * i + 4 > m.n) {
				v_word(c, "...");
				v_unreadable(c, addr + 4 * i);
				break;
			}
			v_s(c, mem_s(&m, 4 * i, 4));
		}
		v_close(c, ']');
	}
	v_field(c, "set_tid_size");
	v_u(c, n);
}

void struct_clone_args(struct dc *c, const struct mem *m)
{
	uint64_t flags = mem_u(m, 0, 8), sig = mem_u(m, 32, 8);
	v_open(c, '{');
	v_field(c, "flags");
	v_flags(c, X_clone_flags, flags);
	clone_pointers(c, m, flags);
	v_field(c, "exit_signal");
	if (sig && sig <= 64)
		v_signal(c, sig);
	else
		v_u(c, sig);
	v_field(c, "stack");
	v_addr(c, mem_u(m, 40, 8));
	v_field(c, "stack_size");
	v_hexnum(c, mem_u(m, 48, 8));
	if (flags & C_SETTLS) {
		v_field(c, "tls");
		v_addr(c, mem_u(m, 56, 8));
	}
	if (m->n >= 80 && (mem_u(m, 64, 8) || mem_u(m, 72, 8)))
		clone_tids(c, mem_u(m, 64, 8), mem_u(m, 72, 8));
	if (m->n >= 88 && (flags & C_INTO_CGROUP || mem_u(m, 80, 8))) {
		v_field(c, "cgroup");
		if (flags & C_INTO_CGROUP)
			v_fd(c, mem_s(m, 80, 8));
		else
			v_u(c, mem_u(m, 80, 8));
	}
	v_close(c, '}');
}

/* clone3: the struct, and what the kernel wrote where its pointers lead. */
void a_clone3(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m, pidfd, tid;
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < 64 || arg(c, 1) < 64) {
		a_ptr(c, i, a);
		return;
	}
	uint64_t flags = mem_u(&m, 0, 8);
	struct_clone_args(c, &m);
	v_sized_tail(c, &m, arg(c, 1), 88);
	bool has_pidfd = !c->failed && flags & C_PIDFD && mem_find(c, mem_u(&m, 8, 8), MEM_OUT, &pidfd) && pidfd.n >= 4;
	bool has_tid = !c->failed && flags & C_PARENT_SETTID && mem_find(c, mem_u(&m, 24, 8), MEM_OUT, &tid) && tid.n >= 4;
	if (c->json || (!has_pidfd && !has_tid))
		return;
	str_add(c->out, " => ");
	v_open(c, '{');
	if (has_pidfd) {
		v_field(c, "pidfd");
		v_struct(c, ST_int, &pidfd);
	}
	if (has_tid) {
		v_field(c, "parent_tid");
		v_struct(c, ST_int, &tid);
	}
	v_close(c, '}');
}

static void status_signal(struct dc *c, int sig)
{
	const char *name = signal_name(sig);
	if (name)
		v_part(c, name);
	else
		str_addf(c->json ? &c->d->scratch : c->out, "%d", sig);
}

static void v_wait_status(struct dc *c, unsigned status)
{
	unsigned sig = status & 0x7f, high = status >> 8 & 0xff, event = status >> 16;
	struct str *s = c->json ? &c->d->scratch : c->out;
	v_parts_begin(c);
	if (status == 0xffff) {
		v_part(c, "{WIFCONTINUED(s)}");
	} else if ((status & 0xff) == 0x7f) {
		v_part(c, "{WIFSTOPPED(s) && WSTOPSIG(s) == ");
		c->first = true;
		status_signal(c, high & 0x7f);
		if (high & 0x80)
			str_add(s, " | 0x80");
		str_addc(s, '}');
		if (event)
			str_addf(s, " | %#x", event << 16);
	} else if (!sig) {
		v_part(c, "{WIFEXITED(s) && WEXITSTATUS(s) == ");
		str_add_u64(s, high);
		str_addc(s, '}');
	} else {
		v_part(c, "{WIFSIGNALED(s) && WTERMSIG(s) == ");
		c->first = true;
		status_signal(c, sig);
		if (status & 0x80)
			str_add(s, " && WCOREDUMP(s)");
		str_addc(s, '}');
	}
	v_parts_end(c);
}

void struct_wait_status(struct dc *c, const struct mem *m)
{
	if (!c->e->ret && !c->json) { /* WNOHANG found nothing: the kernel did not write */
		v_addr(c, m->addr);
		return;
	}
	if (!c->json)
		str_addc(c->out, '[');
	v_wait_status(c, mem_u(m, 0, 4));
	if (!c->json)
		str_addc(c->out, ']');
}

void a_exit_code(struct dc *c, int i, const struct arg_def *a) { a_int(c, i, a); }

/* ---- limits, system information ---- */

static void limit(struct dc *c, uint64_t v, size_t w)
{
	bool named = v == (w == 4 ? UINT32_MAX : UINT64_MAX) || (v > 1024 && v % 1024 == 0);
	if (named && v_number(c, v, 0))
		return;
	if (v == (w == 4 ? UINT32_MAX : UINT64_MAX))
		v_word(c, w == 4 ? "RLIM_INFINITY" : "RLIM64_INFINITY");
	else if (v > 1024 && v % 1024 == 0 && !c->json && c->strace) {
		str_add_u64(c->out, v / 1024);
		str_add(c->out, "*1024");
	} else
		v_u(c, v);
	if (named)
		v_named(c);
}

static void rlimits(struct dc *c, const struct mem *m, size_t w)
{
	v_open(c, '{');
	v_field(c, "rlim_cur");
	limit(c, mem_u(m, 0, w), w);
	v_field(c, "rlim_max");
	limit(c, mem_u(m, w, w), w);
	v_close(c, '}');
}

void struct_rlimit(struct dc *c, const struct mem *m) { rlimits(c, m, c->word); }
void struct_rlimit64(struct dc *c, const struct mem *m) { rlimits(c, m, 8); }

void struct_sysinfo(struct dc *c, const struct mem *m)
{
	static const char *const name[] = { "uptime", "loads", "totalram", "freeram", "sharedram", "bufferram", "totalswap", "freeswap",
		"procs", "totalhigh", "freehigh" };
	size_t w = c->word, at = 0;
	v_open(c, '{');
	for (int i = 0; i < 11; i++) {
		v_field(c, name[i]);
		if (i == 1) {
			v_open(c, '[');
			for (int k = 0; k < 3; k++, at += w) {
				v_item(c);
				v_u(c, mem_u(m, at, w));
			}
			v_close(c, ']');
			continue;
		}
		v_u(c, mem_u(m, at, i == 8 ? 2 : w));
		at += i == 8 ? (w == 8 ? 8 : 4) : w;
	}
	v_field(c, "mem_unit");
	v_u(c, mem_u(m, at, 4));
	v_close(c, '}');
}

void struct_utsname(struct dc *c, const struct mem *m)
{
	static const char *const name[] = { "sysname", "nodename", "release", "version", "machine", "domainname" };
	v_open(c, '{');
	for (int i = 0; i < 6; i++) {
		if (!whole(c) && i >= 2)
			continue;
		struct mem s = mem_sub(m, i * 65, 65);
		v_field(c, name[i]);
		v_cstr(c, &s, 0);
	}
	if (!whole(c))
		v_more(c);
	v_close(c, '}');
}

/* ---- scheduling ---- */

STRUCT_ONE(sched_param, v_s(c, mem_s(m, 0, 4)))

void a_sched_policy(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t v = arg(c, i);
	v_parts_begin(c);
	v_part_enum(c, X_sched_policy, v & ~0x40000000u);
	if (v & 0x40000000u)
		v_part_flags(c, X_sched_reset, 0x40000000u);
	v_parts_end(c);
}

void r_sched(struct dc *c, int64_t ret)
{
	v_s(c, ret);
	const char *name = xlat_name(X_sched_policy, ret);
	if (name && !c->json)
		str_addf(c->out, " (%s)", name);
}

/* [0 1 2]: the CPUs of a mask, [] when it could not be read. */
static void bits(struct dc *c, const struct mem *m, size_t n)
{
	bool first = true;
	if (c->json)
		json_open(c->json, '[');
	else
		str_addc(c->out, '[');
	for (size_t b = 0; b / 8 < n && b / 8 < m->n; b++) {
		if (!(m->p[b / 8] >> (b % 8) & 1))
			continue;
		if (!first && !c->json)
			str_addc(c->out, ' ');
		first = false;
		v_u(c, b);
	}
	if (c->json)
		json_close(c->json, ']');
	else
		str_addc(c->out, ']');
}

void a_cpu_mask(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	bool out = a->when == COPY_EXIT;
	if ((out && c->failed) || !mem_find(c, arg(c, i), out ? MEM_OUT : MEM_IN, &m))
		a_ptr(c, i, a);
	else
		bits(c, &m, out ? (uint64_t)c->e->ret : (uint32_t)arg(c, 1));
}

void a_node_mask(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	bool out = a->when == COPY_EXIT;
	if ((out && c->failed) || !mem_find(c, arg(c, i), out ? MEM_OUT : MEM_IN, &m) || m.n < c->word) {
		a_ptr(c, i, a);
		return;
	}
	v_open(c, '[');
	/* the kernel counts from one bit too many */
	uint64_t words = (arg(c, a->len) + 62) / 64;
	for (size_t off = 0; off + c->word <= m.n && off / c->word < words; off += c->word) {
		v_item(c);
		if (c->json)
			v_hex(c, mem_u(&m, off, c->word));
		else
			str_addf(c->out, "%#0*llx", 2 * c->word, (unsigned long long)mem_u(&m, off, c->word));
	}
	v_close(c, ']');
}

void a_ioprio(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t v = arg(c, i);
	if (c->json || !c->strace) {
		v_hexnum(c, v);
		return;
	}
	str_add(c->out, "IOPRIO_PRIO_VALUE(");
	v_enum(c, X_ioprio_class, v >> 13);
	str_add(c->out, ", ");
	str_add_u64(c->out, v & 0x1fff);
	str_addc(c->out, ')');
}

void r_ioprio(struct dc *c, int64_t ret)
{
	v_s(c, ret);
	if (c->json || !c->strace)
		return;
	str_add(c->out, " (IOPRIO_PRIO_VALUE(");
	v_enum(c, X_ioprio_class, ret >> 13);
	str_addf(c->out, ", %u))", (unsigned)ret & 0x1fff);
}

static void persona(struct dc *c, uint32_t v)
{
	v_parts_begin(c);
	v_part_enum(c, X_personality, v & 0xff);
	if (v & ~0xffu)
		v_part_flags(c, X_personality_flags, v & ~0xffu);
	v_parts_end(c);
}

void a_persona(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	if ((uint32_t)arg(c, i) == UINT32_MAX)
		v_hexnum(c, UINT32_MAX);
	else
		persona(c, arg(c, i));
}

void r_persona(struct dc *c, int64_t ret)
{
	str_add_hex(c->out, ret);
	str_add(c->out, " (");
	persona(c, ret);
	str_addc(c->out, ')');
}

/* ---- capabilities ---- */

void struct_cap_header(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "version");
	v_enum(c, X_cap_version, mem_u(m, 0, 4));
	v_field(c, "pid");
	v_s(c, mem_s(m, 4, 4));
	v_close(c, '}');
}

static void caps(struct dc *c, const char *name, uint64_t set)
{
	v_field(c, name);
	if (!set) {
		v_u(c, 0);
		return;
	}
	const struct xlat *x = xlat(X_caps);
	v_parts_begin(c);
	for (unsigned i = 0; i < x->n; i++) {
		if (!(set >> i & 1))
			continue;
		v_part(c, c->strace && !c->json ? "1<<" : "");
		str_add(c->json ? &c->d->scratch : c->out, c->strace ? x->val[i].name : x->val[i].name + 4);
		set &= ~(1ull << i);
	}
	if (set)
		v_part_hex(c, set);
	v_parts_end(c);
}

void struct_cap_data(struct dc *c, const struct mem *m)
{
	static const char *const name[] = { "effective", "permitted", "inheritable" };
	v_open(c, '{');
	for (int i = 0; i < 3; i++)
		caps(c, name[i], mem_u(m, 4 * i, 4) | mem_u(m, 12 + 4 * i, 4) << 32);
	v_close(c, '}');
}

/* ---- seccomp ---- */

static void filter(struct dc *c, const struct mem *m)
{
	v_open(c, '[');
	for (size_t off = 0; off + 8 <= m->n; off += 8) {
		v_item(c);
		v_open(c, '{');
		v_field(c, "code");
		v_hexnum(c, mem_u(m, off, 2));
		v_field(c, "jt");
		v_u(c, mem_u(m, off + 2, 1));
		v_field(c, "jf");
		v_u(c, mem_u(m, off + 3, 1));
		v_field(c, "k");
		v_hexnum(c, mem_u(m, off + 4, 4));
		v_close(c, '}');
	}
	v_close(c, ']');
}

void struct_fprog(struct dc *c, const struct mem *m)
{
	struct mem code;
	uint64_t at = mem_u(m, c->word, c->word);
	v_open(c, '{');
	v_field(c, "len");
	v_u(c, mem_u(m, 0, 2));
	v_field(c, "filter");
	if (whole(c) && mem_find(c, at, MEM_IN, &code))
		filter(c, &code);
	else
		v_addr(c, at);
	v_close(c, '}');
}

void a_seccomp_arg(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint32_t op = arg(c, 0);
	if (op == 1)
		v_struct_at(c, ST_fprog, arg(c, i), MEM_IN);
	else if (op == 2 && mem_find(c, arg(c, i), MEM_IN, &m) && m.n >= 4) {
		v_open(c, '[');
		v_item(c);
		v_enum(c, X_seccomp_ret, mem_u(&m, 0, 4));
		v_close(c, ']');
	} else if (op == 3 && !c->failed)
		v_struct_at(c, ST_seccomp_notif_sizes, arg(c, i), MEM_OUT);
	else
		a_ptr(c, i, a);
}

/* ---- ptrace, kcmp, landlock ---- */

void a_ptrace(struct dc *c, int i, const struct arg_def *a)
{
	uint64_t req = arg(c, 0);
	bool data = i == 3;
	if (data && req == 0x4200)
		v_flags(c, X_ptrace_options, arg(c, i));
	else if (data && req == 0x4206)
		v_flags(c, X_ptrace_options, arg(c, i));
	else if (data && (req == 7 || req == 9 || req == 17 || req == 24 || req == 31 || req == 32 || req == 33)) {
		if (arg(c, i))
			v_signal(c, arg(c, i));
		else
			v_u(c, 0);
	} else if (data && (req == 0x4202 || req == 0x4203))
		v_struct_at(c, ST_siginfo, arg(c, i), req == 0x4202 ? MEM_OUT : MEM_IN);
	else if (data && req == 0x4201 && !c->failed)
		v_struct_at(c, ST_ulong, arg(c, i), MEM_OUT);
	else if (data && (req == 0x420a || req == 0x420b))
		v_struct_at(c, ST_sigset, arg(c, i), req == 0x420a ? MEM_OUT : MEM_IN);
	else if (!data && (req == 0x4204 || req == 0x4205))
		v_enum(c, X_ptrace_regset, arg(c, i));
	else
		a_ptr(c, i, a);
}

int n_kcmp(struct dc *c)
{
	uint32_t type = arg(c, 2);
	return type == 0 || type > 6 ? 5 : 3; /* only KCMP_FILE and KCMP_EPOLL_TFD take indices */
}

enum { CMP_FILE = 0, CMP_EPOLL = 7 };

void a_kcmp_idx(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t type = arg(c, 2);
	if (type == CMP_FILE || (type == CMP_EPOLL && i == 3))
		a_fd(c, i, a);
	else if (type == CMP_EPOLL)
		v_struct_at(c, ST_kcmp_slot, arg(c, i), MEM_IN);
	else
		a_hex(c, i, a);
}

enum { RULE_PATH = 1, RULE_PORT = 2 };

void a_landlock_rule(struct dc *c, int i, const struct arg_def *a)
{
	if ((uint32_t)arg(c, 1) == RULE_PATH)
		v_struct_at(c, ST_landlock_path_beneath, arg(c, i), MEM_IN);
	else if ((uint32_t)arg(c, 1) == RULE_PORT)
		v_struct_at(c, ST_landlock_net_port, arg(c, i), MEM_IN);
	else
		a_ptr(c, i, a);
}
