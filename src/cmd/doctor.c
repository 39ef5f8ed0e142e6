// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde doctor: what this machine, this kernel and this user can do, and how to change each "no". */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/error.h"
#include "base/json.h"
#include "base/options.h"
#include "base/out.h"
#include "base/words.h"
#include "cmd/commands.h"
#include "engine/engine.h"
#include "kernel/rights/caps.h"
#include "kernel/features/features.h"
#include "kernel/settings.h"
#include "symbol/file/debugfile.h"

static const char *const usage[] = { "sonde doctor [--json]", NULL };

/* What each command needs for each use of it; all of the features must work. */
enum { NONE = -1, DEBUGINFO = N_FEATURES, ENGINE, ENGINE_ALL };
static const struct use {
	const char *command, *what;
	int needs[3];
} uses[] = {
	{ "trace", "a program that it starts", { ENGINE, NONE } },
	{ "trace", "the whole machine (-a)", { ENGINE_ALL, NONE } },
	{ "trace", "running programs with ptrace (-p)", { FEATURE_PTRACE_OTHERS, NONE } },
	{ "stat", "own programs", { FEATURE_USER_EVENTS, NONE } },
	{ "stat", "what the kernel does for them", { FEATURE_KERNEL_EVENTS, NONE } },
	{ "stat", "the whole machine (-a, -C)", { FEATURE_CPU_WIDE, NONE } },
	{ "stat", "cycles, instructions, caches", { FEATURE_HARDWARE, NONE } },
	{ "stat", "tracepoints", { FEATURE_TRACEPOINTS, NONE } },
	{ "list", "tracepoints", { FEATURE_TRACEFS, NONE } },
	{ "record", "own programs", { FEATURE_USER_EVENTS, NONE } },
	{ "record", "kernel side and kernel names", { FEATURE_KERNEL_EVENTS, FEATURE_KERNEL_SYMBOLS, NONE } },
	{ "record", "the whole machine (-a, -C)", { FEATURE_CPU_WIDE, NONE } },
	{ "record", "tracepoints", { FEATURE_TRACEPOINTS, NONE } },
	{ "record", "branches (-b)", { FEATURE_BRANCH_STACK, NONE } },
	{ "probe", "functions of programs (-x)", { FEATURE_UPROBE_EVENTS, NONE } },
	{ "probe", "functions of the kernel", { FEATURE_KPROBE_EVENTS, NONE } },
	{ "probe", "lines, variables of the kernel", { FEATURE_KPROBE_EVENTS, DEBUGINFO, NONE } },
	{ "report", "recordings", { NONE } },
	{ "script", "recordings", { NONE } },
};
enum { N_USES = sizeof(uses) / sizeof(uses[0]) };

static bool have_command(const char *name)
{
	static const char *const names[] = {
#define COMMAND(name, function, help) name,
#include "cmd/commands.def"
#undef COMMAND
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

struct doctor {
	struct debugfile debug; /* the running kernel's */
	bool has_debug;
	const struct engine_ops *engine, *engine_all; /* what trace would take; NULL: none */
	wordlist remedies; /* numbered from 1, as the page refers to them */
};

/* One answer, whoever it came from. */
struct answer {
	enum feature_answer is;
	const char *detail, *remedy;
};

/* Debian has a -dbg package for each of its own kernels; any other comes from who built it. */
static const char *debug_remedy(struct doctor *d)
{
	static char text[512];
	const char *release = kernel_release();
	if (!str_ends(release, "-amd64") && !str_ends(release, "-arm64"))
		snprintf(text, sizeof(text), "sudo cp vmlinux /usr/lib/debug/boot/vmlinux-%s (from this kernel's build "
			 "with CONFIG_DEBUG_INFO=y)", release);
	else if (d->debug.package)
		snprintf(text, sizeof(text), "sudo apt-get install %s", d->debug.package);
	else
		snprintf(text, sizeof(text), "sudo apt-get install linux-image-%s-dbg", release);
	return text;
}

static struct answer ask(struct doctor *d, int need)
{
	if (need == DEBUGINFO) {
		if (d->has_debug)
			return (struct answer){ FEATURE_YES, d->debug.path, NULL };
		return (struct answer){ FEATURE_NO, "no vmlinux with DWARF found", debug_remedy(d) };
	}
	if (need == ENGINE || need == ENGINE_ALL) {
		const struct engine_ops *e = need == ENGINE ? d->engine : d->engine_all;
		if (e)
			return (struct answer){ FEATURE_YES, e->name, NULL };
		const struct feature_state *s = feature_state(need == ENGINE ? FEATURE_PTRACE : FEATURE_BPF_RAW_TRACEPOINT);
		return (struct answer){ FEATURE_NO, s->answer == FEATURE_NO ? s->detail : "no engine works",
					s->remedy ? s->remedy : "sonde doctor -v" };
	}
	const struct feature_state *s = feature_state(need);
	return (struct answer){ s->answer, s->detail, s->remedy };
}

/* The first need that is not met decides. */
static struct answer ask_use(struct doctor *d, const struct use *u)
{
	struct answer a = { FEATURE_YES, "", NULL };
	for (int i = 0; i < 3 && u->needs[i] != NONE; i++) {
		struct answer one = ask(d, u->needs[i]);
		if (one.is != FEATURE_YES)
			return one;
		if (u->needs[i] == ENGINE || u->needs[i] == ENGINE_ALL)
			a = one;
	}
	return a;
}

static void examine(struct doctor *d)
{
	d->has_debug = !debugfile_kernel(&d->debug, NULL, 'd') && d->debug.path;
	error_clear();
	struct engine_options own = { .out_fd = -1 }, all = { .all = true, .out_fd = -1 };
	d->engine = engine_pick(&own);
	error_clear();
	d->engine_all = engine_pick(&all);
	error_clear();
}

/* ---- the page ---- */

enum { ABILITY_WIDTH = 28, USE_WIDTH = 35 };

static const char *word(enum feature_answer a)
{
	static const char *const words[] = { [FEATURE_NO] = "no", [FEATURE_YES] = "yes", [FEATURE_MOOT] = "-" };
	return words[a];
}

static size_t remedy_number(struct doctor *d, const char *remedy)
{
	for (size_t i = 0; i < d->remedies.n; i++)
		if (!strcmp(d->remedies.at[i], remedy))
			return i + 1;
	wordlist_add(&d->remedies, remedy);
	return d->remedies.n;
}

static void print_answer(struct doctor *d, struct out *o, int width, const char *title, struct answer a)
{
	struct str line = STR_INIT;
	static const enum out_colour colours[] = {
		[FEATURE_NO] = OUT_RED, [FEATURE_YES] = OUT_GREEN, [FEATURE_MOOT] = OUT_GREY };
	str_addf(&line, "%s%-3s%s  %s", out_colour(o, colours[a.is]), word(a.is), out_colour(o, OUT_PLAIN), title);
	size_t escapes = strlen(out_colour(o, colours[a.is])) + strlen(out_colour(o, OUT_PLAIN));
	if (*a.detail) {
		str_pad(&line, escapes + 5 + width, ' ');
		str_addc(&line, ' ');
		str_add_safez(&line, a.detail);
	}
	if (a.is == FEATURE_NO)
		str_addf(&line, " [%zu]", remedy_number(d, a.remedy));
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

static void print_settings(struct out *o)
{
	const struct settings *s = settings();
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

static void print_who(struct out *o)
{
	struct str caps = STR_INIT;
	struct utsname u;
	uname(&u);
	struct passwd *pw = getpwuid(caps_uid());
	caps_add_names(&caps, caps_effective());
	out_printf(o, "kernel        %s, %s, %ld CPUs\n", kernel_release(), u.machine, sysconf(_SC_NPROCESSORS_ONLN));
	out_printf(o, "user          %s (uid %u), capabilities: %s%s\n", pw ? pw->pw_name : "nameless", caps_uid(), caps.buf,
		   caps_in_user_namespace() ? ", in a user namespace" : "");
	str_release(&caps);
}

static void print_engines(struct doctor *d, struct out *o)
{
	struct engine_options own = { .out_fd = -1 };
	struct str why = STR_INIT;
	if (!have_command("trace"))
		return;
	out_printf(o, "\ntrace uses    %s%s\n", d->engine ? d->engine->name : "nothing: no engine works here",
		   d->engine ? ", the first of these that works" : "");
	for (int i = 0; engines[i]; i++) {
		str_clear(&why);
		bool usable = engines[i]->usable(&own, &why);
		size_t end = strcspn(why.buf, "\n");
		char *remedy = end < why.len ? why.buf + end + 1 : NULL;
		why.buf[end] = 0;
		out_printf(o, "  %-3s  %-8s %s", usable ? "yes" : "no", engines[i]->name, usable ? engines[i]->what : why.buf);
		if (!usable && remedy && *remedy) {
			remedy[strcspn(remedy, "\n")] = 0;
			out_printf(o, " [%zu]", remedy_number(d, remedy));
		}
		out_puts(o, "\n");
	}
	error_clear();
	str_release(&why);
}

static void print_debug_places(struct doctor *d, struct out *o)
{
	struct answer a = ask(d, DEBUGINFO);
	out_puts(o, "  ");
	print_answer(d, o, ABILITY_WIDTH, "debuginfo of this kernel", a);
	if (d->has_debug)
		return;
	wordlist places = { 0 };
	wordlist_split(&places, d->debug.looked.buf, '\n');
	for (size_t i = 0; i < places.n && i < 6; i++)
		out_printf(o, "         %s %s\n", i ? "              " : "looked for in:", places.at[i]);
	wordlist_release(&places);
}

static void print_uses(struct doctor *d, struct out *o)
{
	const char *last = "";
	out_puts(o, "\ncommands\n");
	for (int i = 0; i < N_USES; i++) {
		if (!have_command(uses[i].command))
			continue;
		out_printf(o, "  %-7s", strcmp(last, uses[i].command) ? uses[i].command : "");
		last = uses[i].command;
		print_answer(d, o, USE_WIDTH, uses[i].what, ask_use(d, &uses[i]));
	}
}

static void print_page(struct doctor *d, struct out *o)
{
	print_who(o);
	print_settings(o);
	out_puts(o, "\nabilities\n");
	for (int f = 0; f < N_FEATURES; f++) {
		out_puts(o, "  ");
		print_answer(d, o, ABILITY_WIDTH, feature_title(f), ask(d, f));
	}
	print_debug_places(d, o);
	print_engines(d, o);
	print_uses(d, o);
	if (d->remedies.n)
		out_puts(o, "\nwhat changes a no\n");
	for (size_t i = 0; i < d->remedies.n; i++)
		out_printf(o, "  [%zu] %s\n", i + 1, d->remedies.at[i]);
}

/* ---- the same for programs ---- */

static void json_setting(struct json *j, const char *name, int v)
{
	json_key(j, name);
	if (v == SETTING_ABSENT)
		json_null(j);
	else
		json_s64(j, v);
}

static void json_answer(struct json *j, struct answer a)
{
	json_kstr(j, "works", word(a.is));
	json_kstr(j, "detail", a.detail);
	json_kstr(j, "remedy", a.is == FEATURE_NO ? a.remedy : NULL);
}

static void json_who(struct json *j)
{
	struct utsname u;
	uname(&u);
	json_key(j, "kernel");
	json_open(j, '{');
	json_kstr(j, "release", kernel_release());
	json_kstr(j, "machine", u.machine);
	json_ku64(j, "cpus", sysconf(_SC_NPROCESSORS_ONLN));
	json_close(j, '}');
	json_key(j, "user");
	json_open(j, '{');
	json_ku64(j, "uid", caps_uid());
	json_kbool(j, "user_namespace", caps_in_user_namespace());
	json_key(j, "capabilities");
	json_open(j, '[');
	uint64_t caps = caps_effective();
	for (int i = 0; i < 64; i++)
		if (caps & CAP_BIT(i) && caps_name(i))
			json_strz(j, caps_name(i));
	json_close(j, ']');
	json_close(j, '}');
}

static void json_settings(struct json *j)
{
	const struct settings *s = settings();
	json_key(j, "settings");
	json_open(j, '{');
	json_setting(j, "perf_event_paranoid", s->paranoid);
	json_setting(j, "kptr_restrict", s->kptr_restrict);
	json_setting(j, "ptrace_scope", s->ptrace_scope);
	json_setting(j, "unprivileged_bpf_disabled", s->unprivileged_bpf_disabled);
	json_setting(j, "perf_event_mlock_kb", s->perf_mlock_kb);
	json_setting(j, "perf_event_max_sample_rate", s->perf_max_rate);
	json_ks64(j, "memlock_bytes", s->memlock);
	json_ks64(j, "open_files", s->nofile);
	json_kstr(j, "lockdown", *s->lockdown ? s->lockdown : NULL);
	json_close(j, '}');
}

static void json_abilities(struct doctor *d, struct json *j)
{
	json_key(j, "abilities");
	json_open(j, '[');
	for (int f = 0; f <= N_FEATURES; f++) {
		json_open(j, '{');
		json_kstr(j, "name", f == DEBUGINFO ? "kernel-debuginfo" : feature_name(f));
		json_kstr(j, "title", f == DEBUGINFO ? "debuginfo of this kernel" : feature_title(f));
		json_answer(j, ask(d, f));
		if (f == DEBUGINFO) {
			wordlist places = { 0 };
			wordlist_split(&places, d->debug.looked.buf, '\n');
			json_key(j, "looked");
			json_open(j, '[');
			vec_each(&places, p)
				json_strz(j, *p);
			json_close(j, ']');
			wordlist_release(&places);
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_engines(struct doctor *d, struct json *j)
{
	struct engine_options own = { .out_fd = -1 };
	struct str why = STR_INIT;
	json_kstr(j, "engine", d->engine ? d->engine->name : NULL);
	json_key(j, "engines");
	json_open(j, '[');
	for (int i = 0; engines[i]; i++) {
		str_clear(&why);
		bool usable = engines[i]->usable(&own, &why);
		json_open(j, '{');
		json_kstr(j, "name", engines[i]->name);
		json_kbool(j, "usable", usable);
		json_kstr(j, "why", usable ? engines[i]->what : why.buf);
		json_close(j, '}');
	}
	error_clear();
	json_close(j, ']');
	str_release(&why);
}

static void json_uses(struct doctor *d, struct json *j)
{
	json_key(j, "commands");
	json_open(j, '[');
	for (int i = 0; i < N_USES; i++) {
		if (!have_command(uses[i].command))
			continue;
		json_open(j, '{');
		json_kstr(j, "command", uses[i].command);
		json_kstr(j, "use", uses[i].what);
		json_answer(j, ask_use(d, &uses[i]));
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void print_json(struct doctor *d, struct out *o)
{
	struct str s = STR_INIT;
	struct json j;
	json_init(&j, &s);
	json_open(&j, '{');
	json_ku64(&j, "schema", JSON_SCHEMA);
	json_kstr(&j, "sonde", SONDE_VERSION);
	json_who(&j);
	json_settings(&j);
	json_abilities(d, &j);
	json_engines(d, &j);
	json_uses(d, &j);
	json_close(&j, '}');
	str_addc(&s, '\n');
	out_str(o, &s);
	str_release(&s);
}

int cmd_doctor(int argc, char **argv)
{
	bool json = false;
	const struct option_row rows[] = {
		OPT_FLAG('j', "json", &json, "the same for programs (see doc/JSON.md)"),
		OPT_COUNT('v', "verbose", &verbosity, "say more"),
		OPT_END(),
	};
	struct doctor d = { 0 };
	struct out o;
	int n = options_parse(argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n > 0)
		return options_exit(error_set(EINVAL, "doctor takes no argument, and got '%s'", argv[0]), usage);
	if (out_open(&o, NULL, false))
		return error_print();
	examine(&d);
	if (json) {
		print_json(&d, &o);
	} else {
		out_pager(&o);
		print_page(&d, &o);
	}
	debugfile_release(&d.debug);
	wordlist_release(&d.remedies);
	return out_close(&o) ? error_print() : 0;
}
