// SPDX-License-Identifier: GPL-2.0-or-later
/* The whole script is written anew, word by word: probes by their four parts, D's variables and functions by ours. What cannot
 * be told so stays as it is: it is a hint, which the user reads before he types it. */
#include "script/provider/dtrace.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/provider/format.h"

enum { PARTS = 4 };
struct d_probe { char *part[PARTS]; /* provider, module, function, name; "" */ };

/* profile-99 and tick-1s stand alone, or behind profile:::. */
static void split(const char *text, size_t n, struct d_probe *d)
{
	unsigned k = 0;
	const char *p = text, *end = text + n;
	for (int i = 0; i < PARTS; i++)
		d->part[i] = NULL;
	while (k < PARTS) {
		const char *colon = k < PARTS - 1 ? memchr(p, ':', (size_t)(end - p)) : NULL;
		d->part[k++] = xstrndup(p, (size_t)((colon ? colon : end) - p));
		if (!colon)
			break;
		p = colon + 1;
	}
	if (k == 1) { /* a name alone */
		d->part[3] = d->part[0];
		d->part[0] = xstrdup("profile");
	}
	for (int i = 0; i < PARTS; i++)
		if (!d->part[i])
			d->part[i] = xstrdup("");
}

static void forget(struct d_probe *d)
{
	for (int i = 0; i < PARTS; i++)
		free(d->part[i]);
}

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

bool dtrace_is(const char *probe)
{
	static const char *const providers[] = { "syscall:", "proc:", "io:", "sched:", "fbt:", "vminfo:", "dtrace:", "tcp:", "profile::", "lockstat:" };
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++)
		if (starts(probe, providers[i]))
			return true;
	return starts(probe, "tick-") || starts(probe, "profile-") ||
	       (starts(probe, "pid") && (probe[3] == '$' || isdigit((unsigned char)probe[3])) && strchr(probe, ':'));
}

/* profile-997, tick-1s, tick-100ms, tick-1m */
static void timer(const char *name, struct str *out)
{
	bool tick = starts(name, "tick-");
	char *unit;
	unsigned long n = strtoul(strchr(name, '-') ? strchr(name, '-') + 1 : "1", &unit, 10);
	bool minutes = !strcmp(unit, "m") || !strcmp(unit, "min");
	const char *ours = !*unit || starts(unit, "hz") ? "hz" : starts(unit, "ms") ? "ms" : starts(unit, "us") ? "us" : "s";
	str_addf(out, "%s:%s:%lu", tick ? "interval" : "profile", ours, minutes ? n * 60 : n);
}

static void syscall(const struct d_probe *d, bool by_name, struct str *out)
{
	const char *where = starts(d->part[3], "return") ? "exit" : "enter", *call = d->part[2];
	if (!*call && !by_name)
		str_addf(out, "tracepoint:raw_syscalls:sys_%s", where);
	else
		str_addf(out, "tracepoint:syscalls:sys_%s_%s", where, *call ? call : "*");
}

static void probe(const struct d_probe *d, bool by_name, struct str *out)
{
	static const struct { const char *provider, *name, *ours; } known[] = {
		{ "proc", "exec-success", "tracepoint:sched:sched_process_exec" }, { "proc", "exec", "tracepoint:syscalls:sys_enter_execve" },
		{ "proc", "create", "tracepoint:sched:sched_process_fork" }, { "proc", "exit", "tracepoint:sched:sched_process_exit" },
		{ "proc", "signal-send", "tracepoint:signal:signal_generate" }, { "io", "start", "tracepoint:block:block_rq_issue" },
		{ "io", "done", "tracepoint:block:block_rq_complete" }, { "sched", "on-cpu", "tracepoint:sched:sched_switch" },
		{ "sched", "off-cpu", "tracepoint:sched:sched_switch" }, { "sched", "wakeup", "tracepoint:sched:sched_wakeup" },
		{ "vminfo", "maj_fault", "software:major-faults:1" }, { "vminfo", "as_fault", "software:page-faults:1" },
		{ "dtrace", "BEGIN", "BEGIN" }, { "dtrace", "END", "END" }, { "tcp", "state-change", "tracepoint:sock:inet_sock_set_state" },
	};
	const char *p = d->part[0];
	bool back = starts(d->part[3], "return");
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(p, known[i].provider) && !strcmp(d->part[3], known[i].name)) {
			str_add(out, known[i].ours);
			return;
		}
	if (!strcmp(p, "syscall"))
		syscall(d, by_name, out);
	else if (!strcmp(p, "profile") && strchr(d->part[3], '-'))
		timer(d->part[3], out);
	else if (!strcmp(p, "fbt"))
		str_addf(out, "%s:%s", back ? "kretprobe" : "kprobe", d->part[2]);
	else if (starts(p, "pid"))
		str_addf(out, "%s:%s:%s", back ? "uretprobe" : "uprobe", *d->part[1] && strcmp(d->part[1], "a.out") ? d->part[1] : "PROGRAM", d->part[2]);
	else
		str_add(out, *d->part[3] ? d->part[3] : p);
}

/* arg0 of a system call has a name here. */
static bool argument(struct run_script *s, const struct d_probe *d, const char *word, size_t n, struct str *out)
{
	if (n != 4 || strncmp(word, "arg", 3) || !isdigit((unsigned char)word[3]) || strcmp(d->part[0], "syscall"))
		return false;
	if (starts(d->part[3], "return")) {
		str_add(out, "args.ret");
		return true;
	}
	char *event = xasprintf("sys_enter_%.*s", (int)strcspn(d->part[2], "*?"), d->part[2]);
	struct script_type *t = *d->part[2] ? format_record(s, "syscalls", event, true) : NULL;
	unsigned k = (unsigned)(word[3] - '0'), first = t && t->n_fields && strstr(t->fields[0].name, "nr") ? 1 : 0;
	free(event);
	if (!t || k + first >= t->n_fields)
		return false;
	str_addf(out, "args.%s", t->fields[k + first].name);
	return true;
}

/* args[0]->b_bcount, curpsinfo->pr_psargs: how much of the text that is, 0: something else. What has no counterpart here goes
 * to lacks as well. */
static size_t followed(const struct d_probe *d, const char *p, size_t n, struct str *out, struct str *lacks)
{
	static const struct { const char *provider, *member, *ours; } known[] = {
		{ "io", "b_bcount", "args.bytes" }, { "io", "b_blkno", "args.sector" }, { "io", "dev_statname", "args.dev" }, { "io", "dev_name", "args.dev" },
		{ "proc", "pr_psargs", "str(args.filename)" }, { "", "pr_psargs", "comm" }, { "", "pr_fname", "comm" }, { "", "pr_pid", "pid" },
		{ "", "pr_ppid", "ppid" }, { "", "pr_uid", "uid" }, { "", "pr_gid", "gid" }, { "", "pr_lwpid", "tid" },
	};
	bool info = (n == 9 && starts(p, "curpsinfo")) || (n == 12 && starts(p, "curlwpsinfo")), args = n == 4 && starts(p, "args") && p[4] == '[';
	const char *arrow = info ? p + n : args ? p + n + strcspn(p + n, "]") + 1 : p;
	if ((!info && !args) || !starts(arrow, "->"))
		return 0;
	size_t m = strspn(arrow + 2, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	size_t len = (size_t)(arrow + 2 - p) + m;
	bool exec = strcmp(d->part[0], "proc") || starts(d->part[3], "exec-success");
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].member) == m && !memcmp(known[i].member, arrow + 2, m) && (!*known[i].provider || (!strcmp(known[i].provider, d->part[0]) && exec))) {
			str_add(out, known[i].ours);
			return len;
		}
	str_addn(out, p, len);
	str_addf(lacks, "%s%.*s", lacks->len ? ", " : "", (int)len, p);
	return len;
}

/* A name of a block; gives how much of the text it took. */
static size_t name(struct run_script *s, const struct d_probe *d, const char *p, struct str *out, struct str *lacks)
{
	static const struct { const char *theirs, *ours; } words[] = {
		{ "execname", "comm" }, { "timestamp", "nsecs" }, { "vtimestamp", "nsecs" }, { "walltimestamp", "nsecs" }, { "probename", "probe" },
		{ "quantize", "hist" }, { "lquantize", "lhist" }, { "stack", "kstack" }, { "copyinstr", "str" }, { "stringof", "str" },
		{ "trace", "print" }, { "printa", "print" }, { "errno", "-args.ret" }, { "cpu", "cpu" }, { "jstack", "ustack" }, { "ppid", "ppid" },
		{ "probefunc", "probe" },
	};
	size_t n = 0;
	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	bool own = (n == 4 && starts(p, "self")) || (n == 4 && starts(p, "this"));
	if (own && starts(p + n, "->")) {
		size_t m = n + 2;
		while (isalnum((unsigned char)p[m]) || p[m] == '_')
			m++;
		str_addf(out, *p == 's' ? "@%.*s[tid]" : "$%.*s", (int)(m - n - 2), p + n + 2);
		return m;
	}
	if (argument(s, d, p, n, out))
		return n;
	size_t through = followed(d, p, n, out, lacks);
	if (through)
		return through;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i].theirs) == n && !memcmp(words[i].theirs, p, n)) {
			bool function = !strcmp(words[i].theirs, "probefunc") && strcmp(d->part[0], "syscall");
			str_add(out, function ? "func" : words[i].ours);
			return n;
		}
	str_addn(out, p, n);
	return n;
}

/* A predicate or a block: up to its end, strings as they are. */
static const char *block(struct run_script *s, const struct d_probe *d, const char *p, struct str *out, struct str *lacks)
{
	int depth = 0;
	bool quoted = false;
	for (; *p; p++) {
		if (*p == '"')
			quoted = !quoted;
		if (!quoted && (isalpha((unsigned char)*p) || *p == '_')) {
			p += name(s, d, p, out, lacks) - 1;
			continue;
		}
		str_addc(out, *p == '\n' || *p == '\t' ? ' ' : *p);
		depth += quoted ? 0 : *p == '{' ? 1 : *p == '}' ? -1 : 0;
		if (!quoted && *p == '}' && !depth)
			return p + 1;
	}
	return p;
}

static void translate(struct run_script *s, struct str *out, struct str *lacks)
{
	const char *p = s->source->text;
	while (*p) {
		struct d_probe d;
		split(p, 0, &d); /* a block may stand alone */
		p += strspn(p, " \t\n;");
		if (*p == '#') { /* #pragma D option quiet */
			p += strcspn(p, "\n");
			forget(&d);
			continue;
		}
		while (*p && *p != '{' && *p != '/') {
			size_t n = strcspn(p, " \t\n,{/");
			const char *brace = strchr(p, '{');
			const char *func = brace ? strstr(brace, "probefunc") : NULL, *close = brace ? strchr(brace, '}') : NULL;
			forget(&d);
			split(p, n, &d);
			str_add(out, out->len && out->buf[out->len - 1] == '}' ? " " : "");
			probe(&d, func && close && func < close, out);
			p += n;
			size_t gap = strspn(p, " \t\n,");
			str_add(out, memchr(p, ',', gap) ? ", " : " ");
			p += gap;
		}
		if (!*p) {
			forget(&d);
			break;
		}
		p = block(s, &d, p, out, lacks);
		forget(&d);
		p += strspn(p, " \t\n;");
	}
}

int dtrace_refuse(struct run_script *s, const struct attach *a)
{
	struct str line = STR_INIT, lacks = STR_INIT;
	translate(s, &line, &lacks);
	source_error(s->source, a->at, "this is a probe of DTrace's language, D");
	if (lacks.len)
		error_hint("it is like this, but for %.200s, which has no counterpart here: %.600s", lacks.buf, line.buf);
	int err = lacks.len ? -EINVAL : error_hint("here it is: %.600s", line.buf ? line.buf : "");
	str_release(&lacks);
	str_release(&line);
	return err;
}

int dtrace_first(struct run_script *s)
{
	const char *text = s->source->text, *p = text + strspn(text, " \t\n");
	char word[64];
	while (starts(p, "#pragma D") || starts(p, "#!")) {
		p += strcspn(p, "\n");
		p += strspn(p, " \t\n");
	}
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(p, " \t\n,{/"), p);
	struct attach a = { .text = word, .at = { (uint32_t)(p - text), (uint32_t)strlen(word) } };
	return dtrace_is(word) ? dtrace_refuse(s, &a) : 0;
}
