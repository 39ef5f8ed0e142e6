// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/doctor.h"
#include <stdlib.h>
#include <string.h>
#include "base/words.h"

enum { ABILITY_WIDTH = 28, USE_WIDTH = 35 };

struct doctor_page {
	const struct doctor *d;
	struct out *o;
	wordlist remedies; /* numbered from 1, as the page refers to them */
};

const char *doctor_word(enum feature_answer a)
{
	static const char *const words[] = { [FEATURE_NO] = "no", [FEATURE_YES] = "yes", [FEATURE_MOOT] = "-" };
	return words[a];
}

static size_t remedy_number(struct doctor_page *p, const char *remedy)
{
	for (size_t i = 0; i < p->remedies.n; i++)
		if (!strcmp(p->remedies.at[i], remedy))
			return i + 1;
	wordlist_add(&p->remedies, remedy);
	return p->remedies.n;
}

static void print_answer(struct doctor_page *p, int width, const char *title, struct doctor_answer a)
{
	struct out *o = p->o;
	struct str line = STR_INIT;
	static const enum out_colour colours[] = {
		[FEATURE_NO] = OUT_RED, [FEATURE_YES] = OUT_GREEN, [FEATURE_MOOT] = OUT_GREY };
	str_addf(&line, "%s%-3s%s  %s", out_colour(o, colours[a.is]), doctor_word(a.is), out_colour(o, OUT_PLAIN), title);
	size_t escapes = strlen(out_colour(o, colours[a.is])) + strlen(out_colour(o, OUT_PLAIN));
	if (*a.detail) {
		str_pad(&line, escapes + 5 + width, ' ');
		str_addc(&line, ' ');
		str_add_safez(&line, a.detail);
	}
	if (a.is == FEATURE_NO)
		str_addf(&line, " [%zu]", remedy_number(p, a.remedy));
	str_addc(&line, '\n');
	out_str(o, &line);
	str_release(&line);
}

static void print_setting(struct out *o, const char *name, int v, const char *meaning)
{
	if (v == SETTING_ABSENT)
		out_printf(o, "  %-33s -\n", name);
	else
		out_printf(o, "  %-33s %-6d %s\n", name, v, meaning);
}

static const char *paranoid_meaning(int v)
{
	static const char *const meaning[] = {
		"users may measure whole CPUs, but not record tracepoints", "users may measure their own programs",
		"users may measure their own programs, without the kernel side", "users may measure nothing" };
	return v < 0 ? "users may measure everything" : meaning[v > 3 ? 3 : v];
}

static const char *kptr_meaning(int v)
{
	return v <= 0 ? "kernel addresses shown to who may measure the kernel" :
	       v == 1 ? "kernel addresses shown only with cap_syslog" : "kernel addresses shown to nobody";
}

static const char *scope_meaning(int v)
{
	static const char *const meaning[] = { "users may trace their own programs", "users may trace what they start",
					       "only with cap_sys_ptrace", "nobody" };
	return meaning[v < 0 ? 0 : v > 3 ? 3 : v];
}

static void print_limit(struct out *o, const char *name, int64_t bytes, int unit, const char *suffix)
{
	if (bytes < 0)
		out_printf(o, "  %-33s unlimited\n", name);
	else
		out_printf(o, "  %-33s %lld%s\n", name, (long long)bytes / unit, suffix);
}

static void print_settings(struct out *o, const struct settings *s)
{
	out_puts(o, "\nsettings\n");
	print_setting(o, "kernel.perf_event_paranoid", s->paranoid, paranoid_meaning(s->paranoid));
	print_setting(o, "kernel.kptr_restrict", s->kptr_restrict, kptr_meaning(s->kptr_restrict));
	print_setting(o, "kernel.yama.ptrace_scope", s->ptrace_scope, scope_meaning(s->ptrace_scope));
	print_setting(o, "kernel.unprivileged_bpf_disabled", s->unprivileged_bpf_disabled,
		      s->unprivileged_bpf_disabled ? "eBPF only with cap_bpf" : "small eBPF programs for everybody");
	print_setting(o, "kernel.perf_event_mlock_kb", s->perf_mlock_kb, "kB of rings for each CPU of a user");
	print_limit(o, "locked memory (ulimit -l)", s->memlock, 1024, " kB");
	print_limit(o, "open files (ulimit -n)", s->nofile, 1, "");
	out_printf(o, "  %-33s %s\n", "lockdown", *s->lockdown ? s->lockdown : "-");
}

static void print_who(struct out *o, const struct doctor_who *w)
{
	out_printf(o, "kernel        %s, %s, %ld CPUs\n", w->release, w->machine, w->cpus);
	out_printf(o, "user          %s (uid %u), capabilities: %s%s\n", w->user ?: "nameless", w->uid, w->capabilities,
		   w->in_user_namespace ? ", in a user namespace" : "");
}

static void print_engines(struct doctor_page *p)
{
	const struct doctor *d = p->d;
	struct str why = STR_INIT;
	out_printf(p->o, "\ntrace uses    %s%s\n", d->engine ? d->engine->name : "nothing: no engine works here",
		   d->engine ? ", the first of these that works" : "");
	for (int i = 0; engines[i]; i++) {
		bool usable = doctor_engine(i, &why);
		size_t end = strcspn(why.buf, "\n");
		char *remedy = end < why.len ? why.buf + end + 1 : NULL;
		why.buf[end] = 0;
		out_printf(p->o, "  %-3s  %-8s %s", usable ? "yes" : "no", engines[i]->name, usable ? engines[i]->what : why.buf);
		if (!usable && remedy && *remedy) {
			remedy[strcspn(remedy, "\n")] = 0;
			out_printf(p->o, " [%zu]", remedy_number(p, remedy));
		}
		out_puts(p->o, "\n");
	}
	str_release(&why);
}

static void print_debug_places(struct doctor_page *p)
{
	const struct doctor *d = p->d;
	struct out *o = p->o;
	out_puts(o, "  ");
	print_answer(p, ABILITY_WIDTH, "debuginfo of this kernel", doctor_ask(d, DOCTOR_DEBUGINFO));
	if (d->has_debug)
		return;
	wordlist places = { 0 };
	wordlist_split(&places, d->debug.looked.buf, '\n');
	for (size_t i = 0; i < places.n && i < 6; i++)
		out_printf(o, "         %s %s\n", i ? "              " : "looked for in:", places.at[i]);
	wordlist_release(&places);
}

static void print_uses(struct doctor_page *p)
{
	const char *last = "";
	out_puts(p->o, "\ncommands\n");
	for (const struct doctor_use *u = doctor_uses; u->command; u++) {
		out_printf(p->o, "  %-7s", strcmp(last, u->command) ? u->command : "");
		last = u->command;
		print_answer(p, USE_WIDTH, u->what, doctor_ask_use(p->d, u));
	}
}

void doctor_print(const struct doctor *d, struct out *o)
{
	struct doctor_page p = { .d = d, .o = o };
	print_who(o, &d->who);
	print_settings(o, d->settings);
	out_puts(o, "\nabilities\n");
	for (int f = 0; f < N_FEATURES; f++) {
		out_puts(o, "  ");
		print_answer(&p, ABILITY_WIDTH, feature_title(f), doctor_ask(d, f));
	}
	print_debug_places(&p);
	print_engines(&p);
	print_uses(&p);
	if (p.remedies.n)
		out_puts(o, "\nwhat changes a no\n");
	for (size_t i = 0; i < p.remedies.n; i++)
		out_printf(o, "  [%zu] %s\n", i + 1, p.remedies.at[i]);
	wordlist_release(&p.remedies);
}
