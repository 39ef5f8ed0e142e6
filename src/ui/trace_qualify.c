// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace_qualify.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "syscall/decode.h"
#include "syscall/xlat.h"

static const struct { const char *name; unsigned bits; } statuses[] = {
	{ "successful", STATUS_SUCCESSFUL }, { "failed", STATUS_FAILED }, { "unfinished", STATUS_UNFINISHED },
	{ "unavailable", STATUS_UNAVAILABLE }, { "detached", STATUS_DETACHED },
};

/* What strace takes and sonde does otherwise, or not at all. */
static const struct { const char *name, *hint; } others[] = {
	{ "inject", "sonde only looks on: strace -e inject=... changes what a program gets" },
	{ "fault", "sonde only looks on: strace -e fault=... changes what a program gets" },
	{ "raw", "--raw shows all arguments as numbers" },
	{ "abbrev", "-v shows whole structs and environments" },
	{ "verbose", "-v shows whole structs and environments" },
	{ "read", "--string-limit N shows more of the data of every call" },
	{ "write", "--string-limit N shows more of the data of every call" },
	{ "reads", "--string-limit N shows more of the data of every call" },
	{ "writes", "--string-limit N shows more of the data of every call" },
	{ "decode-fds", "descriptors are always shown with what they are" },
	{ "decode-pids", "threads are shown with their names" },
	{ "quiet", "-q leaves out all lines that are no calls" },
	{ "kvm", "sonde does not decode the reasons of KVM exits" },
	{ "namespace", "choose calls by name or class: -e %process" },
};

static int add_signal(uint64_t *bits, const char *word)
{
	uint64_t n;
	char name[32] = "SIG";
	if (parse_u64(word, &n)) {
		size_t skip = !strncasecmp(word, "SIG", 3) ? 3 : 0;
		for (size_t i = skip; word[i] && i - skip + 4 < sizeof(name); i++)
			name[3 + i - skip] = toupper((unsigned char)word[i]);
		for (n = 1; n < 32 && strcmp(signal_name(n) ? signal_name(n) : "", name); n++)
			;
		if (n == 32)
			n = 0;
	}
	if (!n || n > 63) {
		error_set(EINVAL, "unknown signal '%s'", word);
		return error_hint("names with or without SIG, or numbers: -e signal=INT,SIGTERM,10");
	}
	*bits |= 1ull << n;
	return 0;
}

static int add_status(unsigned *bits, const char *word)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (!strcmp(word, statuses[i].name)) {
			*bits |= statuses[i].bits;
			return 0;
		}
	error_set(EINVAL, "unknown status '%s'", word);
	return error_hint("successful, failed, unfinished, unavailable, detached, all or none");
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

static int parse_status(struct trace_qualify *q, const char *text)
{
	wordlist w = { 0 };
	bool not, all;
	int err = 0;
	split_set(&w, text, &not, &all);
	unsigned bits = all ? STATUS_ALL : 0;
	for (size_t i = 0; !err && i < w.n; i++)
		err = add_status(&bits, w.at[i]);
	q->has_status = true;
	q->status = not ? ~bits & STATUS_ALL : bits;
	wordlist_release(&w);
	return err;
}

static int parse_fds(struct trace_qualify *q, const char *text)
{
	bool not = *text == '!', all = !strcmp(text + not, "all");
	vec_clear(&q->fds);
	q->has_fds = true;
	q->not_fds = not != all; /* all is all but none */
	if (all || !strcmp(text + not, "none"))
		return 0;
	return intlist_parse(&q->fds, text + not, 1 << 20, "descriptor");
}

static bool named(const char *text, size_t n, const char *const *names)
{
	for (; *names; names++)
		if (strlen(*names) == n && !strncmp(text, *names, n))
			return true;
	return false;
}

int trace_qualify_parse(struct trace_qualify *q, const char *text)
{
	static const char *const signals[] = { "signal", "signals", "s", NULL }, *const status[] = { "status", NULL };
	static const char *const fds[] = { "fd", "fds", NULL };
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz-");
	int err;
	if (text[n] != '=')
		return 0;
	const char *value = text + n + 1;
	if (named(text, n, signals))
		err = parse_signals(q, value);
	else if (named(text, n, status))
		err = parse_status(q, value);
	else if (named(text, n, fds))
		err = parse_fds(q, value);
	else {
		for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
			if (strlen(others[i].name) != n || strncmp(text, others[i].name, n))
				continue;
			error_set(EINVAL, "-e %.*s=... is strace's alone", (int)n, text);
			return error_hint("%s", others[i].hint);
		}
		return 0;
	}
	return err ? err : 1;
}

void trace_qualify_release(struct trace_qualify *q)
{
	vec_release(&q->fds);
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
		if (bits >> i & 1 && (int)e->args[i] >= 0 && intlist_has(&q->fds, (int)e->args[i]) != q->not_fds)
			return true;
	return bits >> 6 & 1 && e->type != SYS_UNFINISHED && e->ret >= 0 && intlist_has(&q->fds, e->ret) != q->not_fds;
}

bool trace_qualify_call(const struct trace_qualify *q, const struct sysevent *e)
{
	if (!q)
		return true;
	if (q->has_status && !(q->status & status_of(e)))
		return false;
	return !q->has_fds || has_fd(q, e);
}

bool trace_qualify_signal(const struct trace_qualify *q, int sig)
{
	return !q || !q->has_signals || (sig > 0 && sig < 64 && q->signals >> sig & 1);
}

bool trace_qualify_calls(const struct trace_qualify *q)
{
	return q && (q->has_status || q->has_fds);
}
