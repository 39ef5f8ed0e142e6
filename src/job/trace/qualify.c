// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/qualify.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "syscall/decode.h"
#include "syscall/xlat.h"

struct word_bits { const char *name; unsigned bits; };
static const struct word_bits statuses[] = {
	{ "successful", STATUS_SUCCESSFUL }, { "failed", STATUS_FAILED }, { "unfinished", STATUS_UNFINISHED },
	{ "unavailable", STATUS_UNAVAILABLE }, { "detached", STATUS_DETACHED }, { NULL, 0 },
};
static const struct word_bits quiets[] = {
	{ "attach", QUIET_ATTACH }, { "exit", QUIET_EXIT }, { "exits", QUIET_EXIT }, { "path-resolution", QUIET_PATHS },
	{ "path-resolve", QUIET_PATHS }, { "path-resolving", QUIET_PATHS }, { "personality", QUIET_MODE },
	{ "personalities", QUIET_MODE }, { "thread-execve", QUIET_EXECVE }, { "superseded", QUIET_EXECVE }, { NULL, 0 },
};

static int add_signal(uint64_t *bits, const char *word)
{
	int n = signal_number(word);
	if (!n || n > 63) {
		error_set(EINVAL, "unknown signal '%s'", word);
		return error_hint("names with or without SIG, or numbers: -e signal=INT,SIGTERM,10");
	}
	*bits |= 1ull << n;
	return 0;
}

static int add_bits(const struct word_bits *table, unsigned *bits, const char *word, const char *what)
{
	for (const struct word_bits *b = table; b->name; b++)
		if (!strcmp(word, b->name)) {
			*bits |= b->bits;
			return 0;
		}
	struct str names = STR_INIT;
	for (const struct word_bits *b = table; b->name; b++)
		str_addf(&names, "%s, ", b->name);
	error_set(EINVAL, "unknown %s '%s'", what, word);
	error_hint("%sall or none", names.buf);
	str_release(&names);
	return -EINVAL;
}

/* "a,b", "!a,b", "all", "none" as words; *not: turned around. */
static void split_set(wordlist *w, const char *text, bool *not, bool *all)
{
	*not = *text == '!';
	text += *not;
	*all = !strcmp(text, "all");
	if (!*all && strcmp(text, "none"))
		wordlist_split(w, text, ',');
}

static int parse_signals(struct trace_qualify *q, const char *text)
{
	wordlist w = { 0 };
	bool not, all;
	int err = 0;
	split_set(&w, text, &not, &all);
	uint64_t bits = all ? UINT64_MAX : 0;
	for (size_t i = 0; !err && i < w.n; i++)
		err = add_signal(&bits, w.at[i]);
	q->has_signals = true;
	q->signals = not ? ~bits : bits;
	wordlist_release(&w);
	return err;
}

static int parse_bits(const struct word_bits *table, unsigned every, const char *text, const char *what, unsigned *result)
{
	wordlist w = { 0 };
	bool not, all;
	int err = 0;
	split_set(&w, text, &not, &all);
	unsigned bits = all ? every : 0;
	for (size_t i = 0; !err && i < w.n; i++)
		err = add_bits(table, &bits, w.at[i], what);
	*result = not ? ~bits & every : bits;
	wordlist_release(&w);
	return err;
}

static int parse_status(struct trace_qualify *q, const char *text)
{
	q->has_status = true;
	return parse_bits(statuses, STATUS_ALL, text, "status", &q->status);
}

static int parse_quiet(struct trace_qualify *q, const char *text)
{
	return parse_bits(quiets, QUIET_ALL, text, "kind of line", &q->quiet);
}

static const struct word_bits fd_infos[] = {
	{ "path", FD_PATH }, { "socket", FD_SOCKET }, { "dev", FD_DEV }, { "pidfd", FD_PIDFD }, { NULL, 0 },
};

static int parse_decode_fds(struct trace_qualify *q, const char *text)
{
	return parse_bits(fd_infos, FD_ALL, text, "kind of descriptor", &q->fd_info);
}

enum { PID_COMM = 1, PID_NS = 2 };
static const struct word_bits pid_infos[] = { { "comm", PID_COMM }, { "pidns", PID_NS }, { NULL, 0 } };

static int parse_decode_pids(struct trace_qualify *q, const char *text)
{
	unsigned bits;
	int err = parse_bits(pid_infos, PID_COMM | PID_NS, text, "kind of process", &bits);
	q->pid_names = !err && bits & PID_COMM;
	if (err || !(bits & PID_NS) || !strcmp(text, "all"))
		return err;
	error_set(EINVAL, "numbers of processes in arguments are those of the program's own namespace");
	return error_hint("the threads that lines begin with have the numbers that ps shows");
}

static int parse_fds(struct trace_qualify *q, const char *text)
{
	return fdset_parse(&q->fds, text);
}

static int parse_reads(struct trace_qualify *q, const char *text)
{
	return fdset_parse(&q->reads, text);
}

static int parse_writes(struct trace_qualify *q, const char *text)
{
	return fdset_parse(&q->writes, text);
}

static int parse_inject(struct trace_qualify *q, const char *text)
{
	return inject_parse(&q->injects, text, false);
}

static int parse_fault(struct trace_qualify *q, const char *text)
{
	return inject_parse(&q->injects, text, true);
}

static int callset_parse(struct callset *s, const char *text)
{
	s->has = true;
	return sysset_parse(&s->calls, text);
}

static int parse_raw(struct trace_qualify *q, const char *text)
{
	return callset_parse(&q->raw, text);
}

static int parse_abbrev(struct trace_qualify *q, const char *text)
{
	return callset_parse(&q->abbrev, text);
}

static int parse_verbose(struct trace_qualify *q, const char *text)
{
	return callset_parse(&q->verbose, text);
}

/* The words before '=', and who reads what is behind it; no reader: refused, and why. */
static const struct {
	const char *names[5];
	int (*parse)(struct trace_qualify *q, const char *text);
	const char *hint;
} qualifiers[] = {
	{ { "signal", "signals", "s" }, parse_signals, NULL },
	{ { "status" }, parse_status, NULL },
	{ { "fd", "fds" }, parse_fds, NULL },
	{ { "quiet", "silent", "silence", "q" }, parse_quiet, NULL },
	{ { "raw", "x" }, parse_raw, NULL },
	{ { "abbrev", "a" }, parse_abbrev, NULL },
	{ { "verbose", "v" }, parse_verbose, NULL },
	{ { "inject" }, parse_inject, NULL },
	{ { "fault" }, parse_fault, NULL },
	{ { "read", "reads", "r" }, parse_reads, NULL },
	{ { "write", "writes", "w" }, parse_writes, NULL },
	{ { "decode-fds", "decode-fd" }, parse_decode_fds, NULL },
	{ { "decode-pids", "decode-pid" }, parse_decode_pids, NULL },
	{ { "kvm" }, NULL, "the tracepoint tells why a vCPU left: --event kvm:kvm_exit" },
	{ { "namespace" }, NULL, "choose calls by name or class: -e %process" },
};

static bool named(const char *text, size_t n, const char *const *names)
{
	for (; *names; names++)
		if (strlen(*names) == n && !strncmp(text, *names, n))
			return true;
	return false;
}

int trace_qualify_parse(struct trace_qualify *q, const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz-"), i = 0;
	while (i < sizeof(qualifiers) / sizeof(qualifiers[0]) && !named(text, n, qualifiers[i].names))
		i++;
	if (text[n] != '=' || i == sizeof(qualifiers) / sizeof(qualifiers[0]))
		return 0;
	if (!qualifiers[i].parse) {
		error_set(EINVAL, "-e %.*s=... is strace's alone", (int)n, text);
		return error_hint("%s", qualifiers[i].hint);
	}
	int err = qualifiers[i].parse(q, text + n + 1);
	return err ? err : 1;
}

void trace_qualify_release(struct trace_qualify *q)
{
	inject_release(&q->injects);
	fdset_release(&q->fds);
	fdset_release(&q->reads);
	fdset_release(&q->writes);
}

static unsigned status_of(const struct sysevent *e)
{
	if (e->type == SYS_UNFINISHED)
		return STATUS_UNFINISHED;
	if (e->no_return)
		return STATUS_UNAVAILABLE;
	return (uint64_t)e->ret >= (uint64_t)-4095 ? STATUS_FAILED : STATUS_SUCCESSFUL;
}

static bool has_fd(const struct trace_qualify *q, const struct sysevent *e)
{
	const struct syscall_row *r = syscall_find(e->abi, e->nr);
	unsigned bits = r && e->args_known ? syscall_fds(r) : 0;
	for (int i = 0; i < 6; i++)
		if (bits >> i & 1 && fdset_has(&q->fds, e->args[i]))
			return true;
	return bits >> 6 & 1 && e->type != SYS_UNFINISHED && e->ret >= 0 && fdset_has(&q->fds, e->ret);
}

bool trace_qualify_call(const struct trace_qualify *q, const struct sysevent *e)
{
	if (!q)
		return true;
	if (q->has_status && !(q->status & status_of(e)))
		return false;
	return !q->fds.has || has_fd(q, e);
}

bool trace_qualify_signal(const struct trace_qualify *q, int sig)
{
	return !q || !q->has_signals || (sig > 0 && sig < 64 && q->signals >> sig & 1);
}

bool trace_qualify_calls(const struct trace_qualify *q)
{
	return q && (q->has_status || q->fds.has);
}

bool trace_qualify_quiet(const struct trace_qualify *q, unsigned lines)
{
	return q && q->quiet & lines;
}
