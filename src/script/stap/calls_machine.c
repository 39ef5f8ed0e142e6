// SPDX-License-Identifier: GPL-2.0-or-later
/* Who runs, what time it is, names of addresses and numbers. A function that the kernel answers when a probe is hit gives what
 * the record has; in other blocks it is about ourselves. */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/root.h"
#include "kernel/task/process.h"
#include "script/show/stack.h"
#include "script/stap/calls.h"
#include "script/stap/run.h"
#include "syscall/decode.h"

#define CALL(name) static struct interp_value name(struct interp *ip, const struct script_node *n, const struct interp_value *args, unsigned n_args)
#define UNUSED (void)ip, (void)n, (void)args, (void)n_args
static const struct interp_value nothing;

static struct interp_value text(struct interp *ip, const char *z)
{
	return interp_text(ip, z, strlen(z));
}

static int64_t clock_of(clockid_t which)
{
	struct timespec t;
	clock_gettime(which, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int64_t now_ns(void)
{
	return clock_of(CLOCK_REALTIME);
}

/* What the record says of it; *is: it does. */
static struct interp_value recorded(struct interp *ip, const char *name, bool *is)
{
	const struct interp_value *v = stap_slot_named(ip->host, name);
	*is = v;
	return v ? *v : nothing;
}

static struct interp_value number_or(struct interp *ip, const char *name, int64_t mine)
{
	bool is;
	struct interp_value v = recorded(ip, name, &is);
	return is ? v : value_number(mine);
}

CALL(execname)
{
	bool is;
	struct interp_value v = recorded(ip, "execname", &is);
	UNUSED;
	return is ? v : text(ip, "sonde");
}

CALL(pid) { UNUSED; return number_or(ip, "pid", getpid()); }
CALL(tid) { UNUSED; return number_or(ip, "tid", getpid()); }
CALL(uid) { UNUSED; return number_or(ip, "uid", getuid()); }
CALL(gid) { UNUSED; return number_or(ip, "gid", getgid()); }
CALL(euid) { UNUSED; return number_or(ip, "euid", geteuid()); }
CALL(ppid) { UNUSED; return number_or(ip, "ppid", getppid()); }
CALL(cpu) { UNUSED; return number_or(ip, "cpu", sched_getcpu()); }
CALL(clock_s) { UNUSED; return number_or(ip, "gettimeofday_s", now_ns() / 1000000000); }
CALL(clock_ms) { UNUSED; return number_or(ip, "gettimeofday_ms", now_ns() / 1000000); }
CALL(clock_us) { UNUSED; return number_or(ip, "gettimeofday_us", now_ns() / 1000); }
CALL(clock_ns) { UNUSED; return number_or(ip, "gettimeofday_ns", now_ns()); }

/* The clock that the kernel's programs read: since the machine was started. */
CALL(boot_s) { UNUSED; return number_or(ip, n->name, clock_of(CLOCK_BOOTTIME) / 1000000000); }
CALL(boot_ms) { UNUSED; return number_or(ip, n->name, clock_of(CLOCK_BOOTTIME) / 1000000); }
CALL(boot_us) { UNUSED; return number_or(ip, n->name, clock_of(CLOCK_BOOTTIME) / 1000); }
CALL(boot_ns) { UNUSED; return number_or(ip, n->name, clock_of(CLOCK_BOOTTIME)); }

CALL(by_name) /* only what a record has */
{
	bool is;
	struct interp_value v = recorded(ip, n->name, &is);
	UNUSED;
	const struct stap_run *r = ip->host;
	if (!is && r->block && n->name[0] == 'p' && (!strcmp(n->name, "pp") || !strcmp(n->name, "pn")))
		return text(ip, n->name[1] == 'p' ? r->block->name : r->block->word_of_script);
	return v;
}

CALL(print_recorded)
{
	bool is;
	struct interp_value v = recorded(ip, n->name, &is);
	UNUSED;
	if (v.len)
		str_addn(&ip->out, v.text, v.len);
	return nothing;
}

CALL(target)
{
	const struct stap_run *r = ip->host;
	UNUSED;
	return value_number(r->st->target);
}

/* Is the process the target, or one that it has started? Who is gone by now was asked about before, or is not known. */
CALL(target_set_pid)
{
	struct stap_run *r = ip->host;
	int64_t pid_asked = interp_number(&args[0]);
	UNUSED;
	for (int64_t p = pid_asked, depth = 0; p > 1 && depth < 64; depth++) {
		if (p == r->st->target || u64map_get(&r->family, (uint64_t)p)) {
			u64map_set(&r->family, (uint64_t)pid_asked, r);
			return value_number(1);
		}
		p = process_parent((int)p);
	}
	return value_number(0);
}

/* _family(parent, child): a process of the target's has forked. */
CALL(family)
{
	struct stap_run *r = ip->host;
	uint64_t parent = (uint64_t)interp_number(&args[0]);
	UNUSED;
	if (parent && (parent == (uint64_t)r->st->target || u64map_get(&r->family, parent)))
		u64map_set(&r->family, (uint64_t)interp_number(&args[1]), r);
	return nothing;
}

/* proc_mem_size(pid), proc_mem_rss(pid), proc_mem_shr(pid): pages; 0 when it has ended meanwhile. */
CALL(mem_of)
{
	struct str s = STR_INIT;
	unsigned long long size = 0, rss = 0, shared = 0;
	UNUSED;
	if (!file_read(root_path(ROOT_PROC, "%lld/statm", (long long)interp_number(&args[0])), &s, 4096))
		(void)sscanf(s.buf, "%llu %llu %llu", &size, &rss, &shared);
	str_release(&s);
	return value_number((int64_t)(str_ends(n->name, "size") ? size : str_ends(n->name, "rss") ? rss : shared));
}

/* Of who was hit, or of ourselves. */
CALL(cmdline)
{
	bool is;
	struct interp_value known = recorded(ip, "_cmdline", &is);
	struct str s = STR_INIT, text = STR_INIT;
	UNUSED;
	if (is)
		return known;
	if (!file_read(root_path(ROOT_PROC, "self/cmdline"), &s, 1 << 20))
		stap_words(&text, s.buf, s.len);
	struct interp_value v = interp_text(ip, text.buf ? text.buf : "", text.len);
	str_release(&s);
	str_release(&text);
	return v;
}

/* ---- time as text ---- */

static struct interp_value time_text(struct interp *ip, int64_t seconds, bool local)
{
	time_t t = (time_t)seconds;
	struct tm tm;
	char buf[64] = "";
	if (local ? localtime_r(&t, &tm) : gmtime_r(&t, &tm))
		strftime(buf, sizeof(buf), local ? "%a %b %e %H:%M:%S %Y %Z" : "%a %b %e %H:%M:%S %Y", &tm);
	return text(ip, buf);
}

CALL(ctime_text) { UNUSED; return time_text(ip, n_args ? interp_number(&args[0]) : now_ns() / 1000000000, false); }
CALL(tz_ctime) { UNUSED; return time_text(ip, interp_number(&args[0]), true); }

static struct tm *local_now(struct tm *tm)
{
	time_t t = time(NULL);
	return localtime_r(&t, tm);
}

CALL(tz_gmtoff) { struct tm tm; UNUSED; return value_number(local_now(&tm) ? -tm.tm_gmtoff : 0); }
CALL(tz_name) { struct tm tm; UNUSED; return text(ip, local_now(&tm) ? tm.tm_zone : ""); }

/* ---- thread_indent ---- */

struct indent { int64_t depth, first; };

static struct interp_value indent_by(struct interp *ip, uint64_t who, const char *label, int64_t delta, int64_t at)
{
	struct stap_run *r = ip->host;
	struct indent *d = u64map_get(&r->indents, who);
	struct str s = STR_INIT;
	if (!d) {
		d = xcalloc(1, sizeof(*d));
		u64map_set(&r->indents, who, d);
	}
	if (d->depth <= 0)
		d->first = at;
	if (delta > 0)
		d->depth += delta;
	str_addf(&s, "%6lld %s:", (long long)(at - d->first), label);
	for (int64_t i = 0; i < d->depth - (delta > 0 ? delta : 0) && i < 200; i++)
		str_addc(&s, ' ');
	if (delta < 0) {
		d->depth += delta;
		s.len = s.len > (size_t)-delta && d->depth >= 0 ? s.len - (size_t)-delta : s.len;
	}
	if (d->depth < 0)
		d->depth = 0;
	struct interp_value v = interp_text(ip, s.buf, s.len);
	str_release(&s);
	return v;
}

CALL(thread_indent)
{
	struct interp_value name = execname(ip, n, args, 0), id = tid(ip, n, args, 0), at = clock_us(ip, n, args, 0);
	char *label = xasprintf("%.*s(%lld)", (int)name.len, name.text ? name.text : "", (long long)interp_number(&id));
	struct interp_value v = indent_by(ip, (uint64_t)interp_number(&id) + 1, label, interp_number(&args[0]), interp_number(&at));
	UNUSED;
	free(label);
	return v;
}

CALL(indent)
{
	struct interp_value at = clock_us(ip, n, args, 0);
	UNUSED;
	return indent_by(ip, 0, "", interp_number(&args[0]), interp_number(&at));
}

CALL(thread_indent_depth)
{
	struct stap_run *r = ip->host;
	struct interp_value id = tid(ip, n, args, 0);
	struct indent *d = u64map_get(&r->indents, (uint64_t)interp_number(&id) + 1);
	UNUSED;
	if (!d) {
		d = xcalloc(1, sizeof(*d));
		u64map_set(&r->indents, (uint64_t)interp_number(&id) + 1, d);
	}
	d->depth += interp_number(&args[0]);
	return value_number(d->depth);
}

/* ---- names ---- */

static struct interp_value symbol(struct interp *ip, uint64_t address, bool offset)
{
	struct stap_run *r = ip->host;
	static struct stack_names alone = { .map = -1 };
	struct str s = STR_INIT;
	show_ksym(&s, r->runner ? &r->runner->stacks : &alone, address, offset);
	struct interp_value v = interp_text(ip, s.buf, s.len);
	str_release(&s);
	return v;
}

CALL(symname) { UNUSED; return symbol(ip, (uint64_t)interp_number(&args[0]), false); }
CALL(modname)
{
	struct interp_value v = symbol(ip, (uint64_t)interp_number(&args[0]), false);
	const char *open = v.len ? memchr(v.text, '[', v.len) : NULL;
	UNUSED;
	return open ? interp_text(ip, open + 1, v.len - (size_t)(open - v.text) - 2) : text(ip, "kernel");
}

CALL(symdata) { UNUSED; return symbol(ip, (uint64_t)interp_number(&args[0]), true); }

/* The address itself where what is asked for is not known. */
static struct interp_value place_text(struct interp *ip, int pid, uint64_t address, enum address_form form, bool *known)
{
	struct stap_run *r = ip->host;
	struct str s = STR_INIT;
	*known = r->runner && show_address(&s, &r->runner->stacks, pid, address, form);
	if (!*known)
		str_addf(&s, "%#llx", (unsigned long long)address);
	struct interp_value v = interp_text(ip, s.buf, s.len);
	str_release(&s);
	return v;
}

/* _uname(what, pid, address): of a program. */
CALL(user_name)
{
	size_t len;
	const char *what = interp_string(ip, &args[0], &len);
	enum address_form form = !len ? ADDRESS_NAME : what[0] == 'm' ? ADDRESS_MODULE : what[0] == 'd' ? ADDRESS_DATA : what[0] == 'l' ? ADDRESS_LINE : ADDRESS_NAME;
	bool known;
	struct interp_value v = place_text(ip, (int)interp_number(&args[1]), (uint64_t)interp_number(&args[2]), form, &known);
	UNUSED;
	return known || form != ADDRESS_MODULE ? v : interp_fail(ip, n, "no file is mapped at %#llx", (unsigned long long)interp_number(&args[2]));
}

CALL(kernel_line)
{
	bool known;
	UNUSED;
	return place_text(ip, -1, (uint64_t)interp_number(&args[0]), ADDRESS_LINE, &known);
}

/* Addresses in hexadecimal, as backtrace() gives them, to lines. */
static struct interp_value syms(struct interp *ip, const struct interp_value *list, bool print)
{
	char *t = interp_dup(ip, list), *save = NULL;
	struct str s = STR_INIT;
	for (char *w = strtok_r(t, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		struct interp_value v = symbol(ip, strtoull(w, NULL, 16), true);
		str_addf(&s, " %s : %.*s\n", w, (int)v.len, v.text);
	}
	free(t);
	struct interp_value out = nothing;
	if (print)
		str_addn(&ip->out, s.buf, s.len);
	else
		out = interp_text(ip, s.buf, s.len);
	str_release(&s);
	return out;
}

CALL(print_syms) { UNUSED; return syms(ip, &args[0], true); }
CALL(sprint_syms) { UNUSED; return syms(ip, &args[0], false); }

CALL(errno_str)
{
	int64_t e = interp_number(&args[0]);
	const char *name = strerrorname_np((int)(e < 0 ? -e : e));
	UNUSED;
	return text(ip, name && e ? name : "");
}

static struct interp_value result_text(struct interp *ip, int64_t v)
{
	const char *name = v < 0 && v > -4096 ? strerrorname_np((int)-v) : NULL;
	char *t = name ? xasprintf("%lld (%s)", (long long)v, name) : v > 1 << 20 || v < -4096 ? xasprintf("%#llx", (long long)v) : xasprintf("%lld", (long long)v);
	struct interp_value out = text(ip, t);
	free(t);
	return out;
}

CALL(return_str) { UNUSED; return result_text(ip, interp_number(&args[n_args - 1])); }

/* _argstr(number, six registers, what the first three point to, quoted): the call's arguments. */
CALL(argstr)
{
	int64_t nr = interp_number(&args[0]);
	const struct syscall_row *row = n_args == 10 && nr >= 0 && nr < 10000 ? syscall_find(ABI_NATIVE, (int)nr) : NULL;
	struct str s = STR_INIT;
	UNUSED;
	for (int i = 0; row && i < syscall_n_args(row) && i < 6; i++) {
		int dir;
		int64_t v = interp_number(&args[1 + i]);
		str_add(&s, i ? ", " : "");
		if (i < 3 && syscall_file_arg(row, i, &dir) == FILE_PATH && args[7 + i].text)
			str_addn(&s, args[7 + i].text, args[7 + i].len);
		else if ((v >= -4096 && v < 1 << 24) || (v > UINT32_MAX - 4096 && v <= UINT32_MAX))
			str_addf(&s, "%d", (int)v);
		else
			str_addf(&s, "%#llx", (unsigned long long)v);
	}
	struct interp_value out = interp_text(ip, s.buf, s.len);
	str_release(&s);
	return out;
}

CALL(call_name)
{
	int64_t nr = interp_number(&args[0]);
	const struct syscall_row *row = nr >= 0 && nr < 10000 ? syscall_find(ABI_NATIVE, (int)nr) : NULL;
	UNUSED;
	return text(ip, row ? syscall_name(row) : "unknown");
}

CALL(input_text)
{
	const struct stap_run *r = ip->host;
	UNUSED;
	return interp_text(ip, r->n_typed ? r->typed : "", r->n_typed);
}

/* kernel_string() of what an alias of ours has read already; nothing of the kernel is there any more. */
CALL(text_read)
{
	UNUSED;
	return args[0].kind == VALUE_TEXT ? args[0] : interp_fail(ip, n, "%s() means nothing here: no program of yours is there", n->name);
}

/* _open_files(task): how many files it has open; 0 when it has ended meanwhile. */
CALL(open_files)
{
	DIR *d = opendir(root_path(ROOT_PROC, "%lld/fd", (long long)interp_number(&args[0])));
	int64_t count = 0;
	UNUSED;
	for (struct dirent *e; d && (e = readdir(d));)
		count += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return value_number(count);
}

/* A jiffy: what the clock that the timer's interrupt moves goes on by. */
CALL(tick_ns)
{
	struct timespec t = { 0 };
	UNUSED;
	clock_getres(CLOCK_MONOTONIC_COARSE, &t);
	return value_number(t.tv_sec * 1000000000ll + t.tv_nsec);
}

CALL(page_size) { UNUSED; return value_number(sysconf(_SC_PAGESIZE)); }
CALL(num_online) { UNUSED; return value_number(sysconf(_SC_NPROCESSORS_ONLN)); }

CALL(cycles)
{
	struct stap_run *r = ip->host;
	UNUSED;
	if (!r->warned_cycles)
		warn("get_cycles() counts nanoseconds here");
	r->warned_cycles = true;
	return number_or(ip, "get_cycles", clock_of(CLOCK_BOOTTIME));
}

const struct interp_call stap_calls_machine[] = {
	{ "execname", 0, 0, execname }, { "pid", 0, 0, pid }, { "tid", 0, 0, tid }, { "uid", 0, 0, uid }, { "gid", 0, 0, gid },
	{ "euid", 0, 0, euid }, { "ppid", 0, 0, ppid }, { "cpu", 0, 0, cpu }, { "gettimeofday_s", 0, 0, clock_s },
	{ "gettimeofday_ms", 0, 0, clock_ms }, { "gettimeofday_us", 0, 0, clock_us }, { "gettimeofday_ns", 0, 0, clock_ns },
	{ "ktime_get_ns", 0, 0, boot_ns }, { "get_cycles", 0, 0, cycles },
	{ "local_clock_ns", 0, 0, boot_ns }, { "local_clock_us", 0, 0, boot_us }, { "local_clock_ms", 0, 0, boot_ms }, { "local_clock_s", 0, 0, boot_s },
	{ "pp", 0, 0, by_name }, { "ppfunc", 0, 0, by_name }, { "probefunc", 0, 0, by_name }, { "pn", 0, 0, by_name },
	{ "backtrace", 0, 0, by_name }, { "ubacktrace", 0, 0, by_name }, { "sprint_backtrace", 0, 0, by_name }, { "sprint_ubacktrace", 0, 0, by_name },
	{ "print_backtrace", 0, 0, print_recorded }, { "print_ubacktrace", 0, 0, print_recorded }, { "caller", 0, 0, by_name },
	{ "print_ubacktrace_brief", 0, 0, print_recorded },
	{ "returnval", 0, 0, by_name }, { "pexecname", 0, 0, by_name }, { "task_current", 0, 0, by_name },
	{ "target", 0, 0, target }, { "target_set_pid", 1, 1, target_set_pid }, { "_family", 2, 2, family }, { "stp_pid", 0, 0, pid }, { "_cmdline", 0, 0, cmdline },
	{ "proc_mem_size", 1, 1, mem_of }, { "proc_mem_rss", 1, 1, mem_of }, { "proc_mem_shr", 1, 1, mem_of },
	{ "ctime", 0, 1, ctime_text }, { "tz_ctime", 1, 1, tz_ctime }, { "tz_gmtoff", 0, 0, tz_gmtoff }, { "tz_name", 0, 0, tz_name },
	{ "thread_indent", 1, 1, thread_indent }, { "indent", 1, 1, indent }, { "thread_indent_depth", 1, 1, thread_indent_depth },
	{ "symname", 1, 1, symname }, { "symdata", 1, 1, symdata }, { "modname", 1, 1, modname },
	{ "print_stack", 1, 1, print_syms }, { "print_syms", 1, 1, print_syms }, { "sprint_syms", 1, 1, sprint_syms }, { "sprint_stack", 1, 1, sprint_syms },
	{ "errno_str", 1, 1, errno_str }, { "return_str", 1, 2, return_str },
	{ "_input_text", 0, 0, input_text }, { "kernel_string", 1, 1, text_read }, { "_open_files", 1, 1, open_files }, { "_tick_ns", 0, 0, tick_ns },
	{ "_uname", 3, 3, user_name }, { "_kline", 1, 1, kernel_line },
	{ "mem_page_size", 0, 0, page_size }, { "_argstr", 10, 10, argstr }, { "syscall_name", 1, 1, call_name }, { "num_online_cpus", 0, 0, num_online },
	{ 0 },
};

static const struct interp_call *const families[] = { stap_calls_text, stap_calls_output, stap_calls_machine };
enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

const struct interp_call *stap_call_find(const char *name)
{
	for (int i = 0; i < FAMILIES; i++)
		for (const struct interp_call *c = families[i]; c->name; c++)
			if (!strcmp(c->name, name))
				return c;
	return NULL;
}

const struct interp_call *stap_call_next(const struct interp_call *c)
{
	for (int i = 0; i < FAMILIES; i++)
		for (const struct interp_call *k = families[i]; k->name; k++) {
			if (!c)
				return k;
			if (k == c)
				c = NULL;
		}
	return NULL;
}
