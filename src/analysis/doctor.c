// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/doctor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/error.h"
#include "base/user.h"
#include "kernel/rights/caps.h"

const struct doctor_use doctor_uses[] = {
	{ "trace", "a program that it starts", { DOCTOR_ENGINE, DOCTOR_NONE } },
	{ "trace", "the whole machine (-a)", { DOCTOR_ENGINE_ALL, DOCTOR_NONE } },
	{ "trace", "running programs with ptrace (-p)", { FEATURE_PTRACE_OTHERS, DOCTOR_NONE } },
	{ "stat", "own programs", { FEATURE_USER_EVENTS, DOCTOR_NONE } },
	{ "stat", "what the kernel does for them", { FEATURE_KERNEL_EVENTS, DOCTOR_NONE } },
	{ "stat", "the whole machine (-a, -C)", { FEATURE_CPU_WIDE, DOCTOR_NONE } },
	{ "stat", "cycles, instructions, caches", { FEATURE_HARDWARE, DOCTOR_NONE } },
	{ "stat", "tracepoints", { FEATURE_TRACEPOINTS, DOCTOR_NONE } },
	{ "list", "tracepoints", { FEATURE_TRACEFS, DOCTOR_NONE } },
	{ "record", "own programs", { FEATURE_USER_EVENTS, DOCTOR_NONE } },
	{ "record", "kernel side and kernel names", { FEATURE_KERNEL_EVENTS, FEATURE_KERNEL_SYMBOLS, DOCTOR_NONE } },
	{ "record", "the whole machine (-a, -C)", { FEATURE_CPU_WIDE, DOCTOR_NONE } },
	{ "record", "tracepoints", { FEATURE_TRACEPOINTS, DOCTOR_NONE } },
	{ "record", "branches (-b)", { FEATURE_BRANCH_STACK, DOCTOR_NONE } },
	{ "probe", "functions of programs (-x)", { FEATURE_UPROBE_EVENTS, DOCTOR_NONE } },
	{ "probe", "functions of the kernel", { FEATURE_KPROBE_EVENTS, DOCTOR_NONE } },
	{ "probe", "lines, variables of the kernel", { FEATURE_KPROBE_EVENTS, DOCTOR_DEBUGINFO, DOCTOR_NONE } },
	{ "report", "recordings", { DOCTOR_NONE } },
	{ "script", "recordings", { DOCTOR_NONE } },
	{ 0 },
};

/* Debian has a -dbg package for each of its own kernels; any other comes from who built it. */
static const char *debug_remedy(const struct doctor *d)
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

struct doctor_answer doctor_ask(const struct doctor *d, int need)
{
	if (need == DOCTOR_DEBUGINFO) {
		if (d->has_debug)
			return (struct doctor_answer){ FEATURE_YES, d->debug.path, NULL };
		return (struct doctor_answer){ FEATURE_NO, "no vmlinux with DWARF found", debug_remedy(d) };
	}
	if (need == DOCTOR_ENGINE || need == DOCTOR_ENGINE_ALL) {
		const struct engine_ops *e = need == DOCTOR_ENGINE ? d->engine : d->engine_all;
		if (e)
			return (struct doctor_answer){ FEATURE_YES, e->name, NULL };
		const struct feature_state *s = feature_state(need == DOCTOR_ENGINE ? FEATURE_PTRACE : FEATURE_BPF_RAW_TRACEPOINT);
		return (struct doctor_answer){ FEATURE_NO, s->answer == FEATURE_NO ? s->detail : "no engine works",
					       s->remedy ? s->remedy : "sonde doctor -v" };
	}
	const struct feature_state *s = feature_state(need);
	return (struct doctor_answer){ s->answer, s->detail, s->remedy };
}

/* The first need that is not met decides. */
struct doctor_answer doctor_ask_use(const struct doctor *d, const struct doctor_use *u)
{
	struct doctor_answer a = { FEATURE_YES, "", NULL };
	for (int i = 0; i < 3 && u->needs[i] != DOCTOR_NONE; i++) {
		struct doctor_answer one = doctor_ask(d, u->needs[i]);
		if (one.is != FEATURE_YES)
			return one;
		if (u->needs[i] == DOCTOR_ENGINE || u->needs[i] == DOCTOR_ENGINE_ALL)
			a = one;
	}
	return a;
}

static void ask_who(struct doctor_who *w)
{
	struct str caps = STR_INIT;
	struct account self = { 0 };
	struct utsname u;
	uname(&u);
	w->release = kernel_release();
	snprintf(w->machine, sizeof(w->machine), "%s", u.machine);
	w->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	w->uid = caps_uid();
	user_of_id(w->uid, &self);
	w->user = self.name ? xstrdup(self.name) : NULL;
	user_release(&self);
	caps_add_names(&caps, caps_effective());
	w->capabilities = str_detach(&caps);
	for (int i = 0; i < 64; i++)
		if (caps_effective() & CAP_BIT(i) && caps_name(i))
			wordlist_add(&w->caps, caps_name(i));
	w->in_user_namespace = caps_in_user_namespace();
}

void doctor_examine(struct doctor *d)
{
	ask_who(&d->who);
	d->settings = settings();
	d->has_debug = !debugfile_kernel(&d->debug, NULL, 'd') && d->debug.path;
	error_clear();
	struct engine_options own = { .out_fd = -1 }, all = { .all = true, .out_fd = -1 };
	d->engine = engine_pick(&own);
	error_clear();
	d->engine_all = engine_pick(&all);
	error_clear();
}

bool doctor_engine(int i, struct str *why)
{
	struct engine_options own = { .out_fd = -1 };
	str_clear(why);
	bool usable = engines[i]->usable(&own, why);
	error_clear();
	return usable;
}

void doctor_release(struct doctor *d)
{
	debugfile_release(&d->debug);
	free(d->who.user);
	free(d->who.capabilities);
	wordlist_release(&d->who.caps);
}
