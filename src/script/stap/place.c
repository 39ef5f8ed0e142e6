// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of places: a row each, by the first word of a point. */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"
#include "script/builtin/builtin.h"
#include "script/stap/point.h"
#include "script/stap/tree.h"
#include "syscall/decode.h"

static const uint64_t second = 1000000000;

/* A part by its name behind p (p included); NULL. */
static const struct stap_part *part_of(const struct stap_part *p, const char *name)
{
	for (; p; p = p->next)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

static int later(const struct stap *st, const struct stap_point *pt, const char *what)
{
	source_error(st->source, pt->at, "%s: sonde cannot do that", what);
	error_hint("doc/STAP.md lists what of SystemTap's language works");
	return -ENOTSUP;
}

static struct stap_block *kernel_block(struct stap *st, const struct stap_point *pt, char *word)
{
	struct stap_block *b = stap_block_new(st, STAP_KERNEL, pt);
	b->word = arena_text(&st->source->memory, word, strlen(word));
	free(word);
	if (part_of(pt->parts, "return"))
		b->side = SIDE_RETURN;
	return b;
}

/* ---- without the kernel ---- */

static int place_simple(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	const struct stap_part *p = pt->parts;
	if (!strcmp(p->name, "never"))
		return 0;
	enum stap_kind kind = !strcmp(p->name, "end") ? STAP_END : !strcmp(p->name, "error") ? STAP_ERROR : STAP_BEGIN;
	*out = stap_block_new(st, kind, pt);
	(*out)->order = p->kind == PART_NUMBER ? p->number : 0;
	(*out)->last = !strcmp(p->name, "oneshot");
	return 0;
}

static int place_profile(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	const struct stap_part *hz = part_of(pt->parts, "hz");
	*out = kernel_block(st, pt, xasprintf("profile:hz:%lld", hz ? (long long)hz->number : 1000ll));
	return 0;
}

static int place_timer(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	static const struct { const char *name; uint64_t unit; } units[] = { { "s", 1000000000 }, { "sec", 1000000000 }, { "ms", 1000000 },
		{ "msec", 1000000 }, { "us", 1000 }, { "usec", 1000 }, { "ns", 1 }, { "nsec", 1 }, { "jiffies", 4000000 } };
	const struct stap_part *p = pt->parts->next, *random = p ? p->next : NULL;
	uint64_t period = 0, unit = 0;
	if (p && !strcmp(p->name, "profile"))
		return place_profile(st, pt, out);
	if (p && p->kind == PART_NUMBER && p->number > 0) {
		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
			unit = !strcmp(units[i].name, p->name) ? units[i].unit : unit;
		if (unit && (uint64_t)p->number <= UINT64_MAX / 4 / unit)
			period = unit * (uint64_t)p->number;
		if (!strcmp(p->name, "hz")) {
			unit = 1;
			period = second / (uint64_t)p->number;
		}
	}
	if (!period) {
		source_error(st->source, pt->at, "a timer has a unit and a number above 0");
		return error_hint("timer.s(5), timer.ms(100), timer.hz(50), timer.profile");
	}
	*out = stap_block_new(st, STAP_TIMER, pt);
	(*out)->period = period;
	if (random && !strcmp(random->name, "randomize") && random->kind == PART_NUMBER && random->number > 0)
		(*out)->jitter = (uint64_t)random->number * unit < period ? (uint64_t)random->number * unit : period;
	return 0;
}

static int place_input(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	const struct stap_part *p = pt->parts->next;
	*out = stap_block_new(st, p && !strcmp(p->name, "line") ? STAP_LINE : STAP_CHAR, pt);
	return 0;
}

static bool prints(struct script_node *n, void *ctx)
{
	(void)ctx;
	return n->kind == NODE_CALL && (str_starts(n->name, "print") || !strcmp(n->name, "log"));
}

/* $value .= text becomes print(text). */
static bool as_print(struct script_node *n, void *ctx)
{
	struct script_source *s = ctx;
	if (n->kind != NODE_EXPR || n->a->kind != NODE_ASSIGN || n->a->a->kind != NODE_TARGET || strcmp(n->a->a->name, "value"))
		return false;
	struct script_node *call = node_new(s, NODE_CALL, n->a->at);
	call->name = "print";
	call->args = n->a->b;
	call->n_args = 1;
	n->a = call;
	return false;
}

/* Metrics for others to fetch: where the script says nothing else they are printed at its end, else they are left out. */
static int place_metrics(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	bool says = false;
	for (size_t i = 0; i < st->probes.n && !says; i++)
		says = strcmp(st->probes.at[i].points->parts->name, pt->parts->name) && stap_visit(st->probes.at[i].body, prints, NULL);
	for (size_t i = 0; i < st->functions.n && !says; i++)
		says = st->functions.at[i]->own && stap_visit(st->functions.at[i]->body, prints, NULL);
	if (!says) {
		stap_visit(st->placed->body, as_print, st->source);
		*out = stap_block_new(st, STAP_END, pt);
		return 0;
	}
	source_warn(st->source, pt->at, "metrics (probe %s) are not served: this block is left out", pt->parts->name);
	return 0;
}

/* ---- functions of the kernel ---- */

/* A block at places of the source: what follows says which of them, see provider/kernel/kprobe.c. */
static struct stap_block *source_block(struct stap *st, const struct stap_point *pt, const char *kind, const char *module, char *which)
{
	struct stap_block *b = kernel_block(st, pt, xasprintf("%s:%s%s%s", kind, module ? module : "", module ? ":" : "", which));
	b->of_source = true;
	free(which);
	return b;
}

/* "f@file.c" and "f@file.c:12" (the line that it begins with): the file chooses among functions of one name, or has all that fit. */
/* f !: only where it is there, else the next alternative is meant. */
static bool is_missing(const struct stap_point *pt, const struct stap_part *f, const char *module)
{
	char *name = xstrndup(f->text, strcspn(f->text, "@"));
	uint64_t address;
	bool missing = pt->sufficient && !module && !glob_has(name) && !part_of(f, "inline") && builtin_kaddr(name, &address) == -ENOENT;
	free(name);
	return missing;
}

static int function_word(struct stap *st, const struct stap_point *pt, const struct stap_part *f, const char *module, struct stap_block **out)
{
	if (pt->sufficient && pt->of_tapset && !pmu_find("kprobe")) /* the next alternative may do */
		return error_set(ENOTSUP, "this kernel has no kprobes");
	if (is_missing(pt, f, module))
		return error_set(ENOENT, "there is no function '%s' in the kernel", f->text);
	bool back = part_of(f, "return");
	const char *at = strchr(f->text, '@');
	char *name = xstrndup(f->text, at ? (size_t)(at - f->text) : strlen(f->text));
	size_t file = at ? strcspn(at, ":") : 0;
	if (part_of(f, "inline"))
		*out = source_block(st, pt, "kprobe", module, xasprintf("=i:%s%.*s", name, (int)file, at ? at : ""));
	else if (at && glob_has(name))
		*out = source_block(st, pt, back ? "kretprobe" : "kprobe", module, xasprintf("=c:%s%.*s", name, (int)file, at));
	else
		*out = kernel_block(st, pt, xasprintf("%s:%s%s%s", back ? "kretprobe" : "kprobe", module ? module : "", module ? ":" : "", name));
	free(name);
	return 0;
}

/* statement("f@file.c:12"): line 12 of the file, which is in f; +12: counted from its first. statement(0x...): an address. */
static int kernel_statement(struct stap *st, const struct stap_point *pt, const struct stap_part *p, const char *module, struct stap_block **out)
{
	const char *at = p->kind == PART_TEXT ? strchr(p->text, '@') : NULL, *line = at ? strpbrk(at, ":+") : NULL;
	uint64_t n;
	if (p->kind == PART_NUMBER) {
		*out = kernel_block(st, pt, xasprintf("kprobe:0x%llx", (unsigned long long)p->number));
		return 0;
	}
	if (!line || parse_u64(line + 1, &n))
		return later(st, pt, line ? "more than one line at a time" : "a statement without a line");
	if (part_of(p, "nearest"))
		return later(st, pt, "the nearest line");
	int name = (int)(at - p->text), file = (int)(line - at - 1);
	*out = source_block(st, pt, "kprobe", module, *line == '+' ? xasprintf("=n:%.*s@%.*s:%s", name, p->text, file, at + 1, line + 1) :
						       xasprintf("=s:%.*s=%.*s:%s", name, p->text, file, at + 1, line + 1));
	return 0;
}

static bool known_event(const char *name)
{
	const wordlist *all = tracefs_all();
	for (size_t i = 0; all && i < all->n; i++) {
		const char *colon = strchr(all->at[i], ':');
		if (colon && !strcmp(colon + 1, name))
			return true;
	}
	return str_ends(name, "_tp"); /* those have no event */
}

static int kernel_trace(struct stap *st, const struct stap_point *pt, const struct stap_part *t, struct stap_block **out)
{
	const char *colon = strchr(t->text, ':');
	int err = tracefs_ready();
	if (err)
		return err;
	if (!glob_has(t->text) && !known_event(colon ? colon + 1 : t->text)) {
		source_error(st->source, pt->at, "this kernel has no tracepoint '%s'", t->text);
		struct nearest near;
		nearest_init(&near, colon ? colon + 1 : t->text);
		const wordlist *all = tracefs_all();
		for (size_t i = 0; all && i < all->n; i++)
			if (strchr(all->at[i], ':'))
				nearest_offer(&near, strchr(all->at[i], ':') + 1);
		nearest_hint(&near);
		return -ENODEV;
	}
	*out = kernel_block(st, pt, xasprintf("rawtracepoint:%s", colon ? colon + 1 : t->text));
	return 0;
}

/* kernel.data(ADDRESS or "SYMBOL").length(N).write or .rw: a watchpoint, on one byte when no length is given. */
static int kernel_data(struct stap *st, const struct stap_point *pt, const struct stap_part *d, struct stap_block **out)
{
	const struct stap_part *length = part_of(d->next, "length");
	uint64_t address = (uint64_t)d->number;
	if (d->kind == PART_BARE || (!part_of(d->next, "write") && !part_of(d->next, "rw")) || (length && length->kind != PART_NUMBER))
		return -ENOENT;
	int err = d->kind == PART_TEXT ? builtin_kaddr(d->text, &address) : 0;
	if (err) {
		source_error(st->source, pt->at, err == -ENOENT ? "this kernel has no symbol '%s'" : "the kernel hides the address of '%s' from this user", d->text);
		return err == -ENOENT ? -ENODEV : err;
	}
	*out = kernel_block(st, pt, xasprintf("watchpoint:0x%llx:%lld:%s", (unsigned long long)address, length ? (long long)length->number : 1ll,
					      part_of(d->next, "rw") ? "rw" : "w"));
	return 0;
}

static int place_kernel(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	const struct stap_part *p = pt->parts->next;
	const char *module = pt->parts->kind == PART_TEXT ? pt->parts->text : NULL;
	if (!p || p->kind == PART_BARE)
		return -ENOENT;
	if (!strcmp(p->name, "function") && p->kind == PART_TEXT)
		return function_word(st, pt, p, module, out);
	if (!strcmp(p->name, "function") && p->kind == PART_NUMBER) {
		*out = kernel_block(st, pt, xasprintf("kprobe:0x%llx", (unsigned long long)p->number));
		return 0;
	}
	if (!strcmp(p->name, "trace") && p->kind == PART_TEXT)
		return kernel_trace(st, pt, p, out);
	if (!strcmp(p->name, "statement"))
		return kernel_statement(st, pt, p, module, out);
	if (!strcmp(p->name, "data"))
		return kernel_data(st, pt, p, out);
	return -ENOENT;
}

static int place_kprobe(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	const struct stap_part *p = pt->parts->next, *f = part_of(pt->parts, "function"), *m = part_of(pt->parts, "module");
	if (p && f && f->kind == PART_TEXT)
		return function_word(st, pt, f, m && m->kind == PART_TEXT ? m->text : NULL, out);
	return -ENOENT;
}

/* ---- programs ---- */

static int process_all(struct stap *st, const struct stap_point *pt, const struct stap_part *p, struct stap_block **out)
{
	if (!strcmp(p->name, "begin"))
		*out = kernel_block(st, pt, xstrdup("tracepoint:sched:sched_process_exec"));
	else if (!strcmp(p->name, "end"))
		*out = kernel_block(st, pt, xstrdup("tracepoint:sched:sched_process_exit"));
	else if (!strcmp(p->name, "thread") && p->next && !strcmp(p->next->name, "begin"))
		*out = kernel_block(st, pt, xstrdup("tracepoint:sched:sched_process_fork"));
	else if (!strcmp(p->name, "thread") && p->next && !strcmp(p->next->name, "end"))
		*out = kernel_block(st, pt, xstrdup("tracepoint:sched:sched_process_exit"));
	else
		return -ENOENT;
	(*out)->of_target = true;
	return 0;
}

/* The first file that fits, and is none of a 32-bit library; NULL. */
static const char *first_file(struct stap *st, const char *pattern)
{
	const char *found = NULL;
	glob_t g;
	if (glob(pattern, 0, NULL, &g))
		return NULL;
	for (size_t i = 0; i < g.gl_pathc && !found; i++)
		if (!strstr(g.gl_pathv[i], "32/"))
			found = arena_text(&st->source->memory, g.gl_pathv[i], strlen(g.gl_pathv[i]));
	globfree(&g);
	return found;
}

/* Scripts have patterns for the libraries of other systems; here they are a folder deeper. */
static const char *file_of(struct stap *st, const char *pattern)
{
	const char *slash = strrchr(pattern, '/'), *found;
	if (!glob_has(pattern))
		return pattern;
	found = first_file(st, pattern);
	if (!found && slash) {
		char *deeper = xasprintf("/lib/*-linux-gnu%s", slash);
		found = first_file(st, deeper);
		free(deeper);
	}
	return found ? found : pattern;
}

/* "f", "f@file.c", "*@file.c:12" (the line that it begins with); .inline: its copies, .call: only itself. */
static struct stap_block *user_function(struct stap *st, const struct stap_point *pt, const struct stap_part *p, const char *file)
{
	const char *at = strchr(p->text, '@');
	bool back = part_of(p, "return"), in_file = at && !back;
	size_t n = in_file ? (size_t)(at - p->text) + strcspn(at, ":") : strcspn(p->text, "@");
	const char *only = part_of(p, "inline") ? "=i:" : part_of(p, "call") || in_file ? "=c:" : "";
	struct stap_block *b = kernel_block(st, pt, xasprintf("%s:%s:%s%.*s", back ? "uretprobe" : "uprobe", file, only, (int)n, p->text));
	b->of_source |= in_file || *only == '=';
	return b;
}

static int place_process(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	const struct stap_part *p = pt->parts->next, *library = part_of(pt->parts, "library");
	const char *file = library && library->kind == PART_TEXT ? library->text : pt->parts->kind == PART_TEXT ? pt->parts->text : NULL;
	if (library)
		p = library->next;
	if (!p)
		return -ENOENT;
	if (!file && (!strcmp(p->name, "function") || !strcmp(p->name, "statement") || !strcmp(p->name, "mark") || !strcmp(p->name, "plt"))) {
		if (!st->command)
			return later(st, pt, "process without a file and without -c COMMAND");
		file = st->command;
	}
	if (file)
		file = file_of(st, file);
	if (!strcmp(p->name, "function") && p->kind == PART_TEXT) {
		*out = user_function(st, pt, p, file);
		return 0;
	}
	if (!strcmp(p->name, "statement") && p->kind == PART_TEXT && strchr(p->text, '@') && strchr(strchr(p->text, '@'), ':') && !strpbrk(strchr(p->text, '@'), "*+-")) {
		*out = kernel_block(st, pt, xasprintf("uprobe:%s%s", file, strchr(p->text, '@')));
		return 0;
	}
	if (!strcmp(p->name, "mark") && p->kind == PART_TEXT) {
		*out = kernel_block(st, pt, xasprintf("usdt:%s:%s", file, p->text));
		return 0;
	}
	if (!strcmp(p->name, "plt"))
		return later(st, pt, "calls through the PLT");
	return p->kind == PART_BARE ? process_all(st, pt, p, out) : later(st, pt, "this kind of probe of a program");
}

/* ---- system calls ---- */

static bool known_call(const char *name)
{
	char *enter = xasprintf("sys_enter_%s", name);
	bool is = !tracefs_ready() && tracefs_event_id("syscalls", enter) >= 0;
	error_clear();
	free(enter);
	return is;
}

static bool says_argstr(struct script_node *n, void *ctx)
{
	static const char *const words[] = { "argstr", "retstr", "retval", "ret", "return", "returnval", "returnstr" };
	(void)ctx;
	if (n->kind != NODE_WORD && n->kind != NODE_TARGET && n->kind != NODE_CALL)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(n->name, words[i]) || (n->kind == NODE_TARGET && !strcmp(n->name, "$return")))
			return true;
	return false;
}

/* All calls with their arguments: the registers that the kernel has saved. */
static int place_registers(struct stap *st, const struct stap_point *pt, bool back, struct stap_block **out)
{
	*out = kernel_block(st, pt, xasprintf("rawtracepoint:%s", back ? "sys_exit" : "sys_enter"));
	(*out)->call = "*";
	(*out)->any_call = true;
	return 0;
}

/* One block for a call; a pattern has one for all that it fits, unless the block needs to know the arguments: bind.c. */
static int place_syscall(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	const struct stap_part *p = pt->parts->next;
	bool back = p && part_of(p, "return");
	if (!p)
		return -ENOENT;
	const char *name = p->name;
	if (!strcmp(name, "open") && !known_call(name))
		name = "openat";
	if (!glob_has(name) && !known_call(name)) {
		int nr;
		if (tracefs_ready())
			return error_code();
		if (!strcmp(name, "send") || !strcmp(name, "recv") || syscall_named(ABI_32, name, &nr) || syscall_named(ABI_NATIVE, name, &nr)) { /* of others: as there, it is never hit */
			source_warn(st->source, pt->at, "this machine has no system call '%s': that is left out", name);
			return 0;
		}
		source_error(st->source, pt->at, "this kernel has no system call '%s'", name);
		return -ENODEV;
	}
	if (!strcmp(name, "*") && stap_visit(st->placed->body, says_argstr, NULL))
		return place_registers(st, pt, back, out);
	*out = kernel_block(st, pt, xasprintf("tracepoint:syscalls:sys_%s_%s", back ? "exit" : "enter", name));
	(*out)->call = glob_has(name) ? "*" : name;
	return 0;
}

static int place_any(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	bool back = part_of(pt->parts, "return");
	*out = kernel_block(st, pt, xasprintf("tracepoint:raw_syscalls:sys_%s", back ? "exit" : "enter"));
	(*out)->call = "*";
	(*out)->any_call = true;
	return 0;
}

static int place_perf(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	const struct stap_part *kind = pt->parts->next, *name = kind ? kind->next : NULL, *sample = part_of(pt->parts, "sample");
	if (!kind || !name || (strcmp(kind->name, "sw") && strcmp(kind->name, "hw")))
		return later(st, pt, "this counter");
	char *event = xstrdup(name->name);
	for (char *c = event; *c; c++)
		*c = *c == '_' ? '-' : *c;
	*out = kernel_block(st, pt, xasprintf("%s:%s:%lld", kind->name[0] == 's' ? "software" : "hardware", event,
					      sample && sample->kind == PART_NUMBER ? (long long)sample->number : 1000000ll));
	free(event);
	return 0;
}

int stap_place(struct stap *st, const struct stap_point *pt, struct stap_block **out)
{
	static const struct { const char *word; int (*place)(struct stap *st, const struct stap_point *pt, struct stap_block **out); } kinds[] = {
		{ "begin", place_simple }, { "end", place_simple }, { "error", place_simple }, { "never", place_simple },
		{ "oneshot", place_simple }, { "init", place_simple }, { "timer", place_timer }, { "kernel", place_kernel },
		{ "module", place_kernel }, { "kprobe", place_kprobe }, { "process", place_process }, { "syscall", place_syscall },
		{ "nd_syscall", place_syscall }, { "syscall_any", place_any }, { "nd_syscall_any", place_any }, { "perf", place_perf },
		{ "prometheus", place_metrics }, { "json_data", place_metrics }, { "procfs", place_metrics },
		{ "_input", place_input } };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].word, pt->parts->name))
			return kinds[i].place(st, pt, out);
	return -ENOENT;
}
