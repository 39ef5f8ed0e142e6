// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/features/features.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "kernel/rights/caps.h"
#include "kernel/features/inner.h"
#include "kernel/root.h"
#include "kernel/settings.h"
#include "kernel/tracefs.h"

static void probe_tracefs(struct feature_state *s);
static void probe_kprobe_events(struct feature_state *s);
static void probe_uprobe_events(struct feature_state *s);
static void probe_function_graph(struct feature_state *s);
static void probe_kernel_symbols(struct feature_state *s);
static void probe_ptrace(struct feature_state *s);
static void probe_ptrace_others(struct feature_state *s);

static const struct {
	const char *name, *title;
	void (*probe)(struct feature_state *s);
} rows[N_FEATURES] = {
	[FEATURE_TRACEFS] = { "tracefs", "tracefs", probe_tracefs },
	[FEATURE_TRACEPOINTS] = { "tracepoints", "tracepoints", probe_tracepoints },
	[FEATURE_SYSCALL_TRACEPOINTS] = { "syscall-tracepoints", "system call tracepoints", probe_syscall_tracepoints },
	[FEATURE_USER_EVENTS] = { "user-events", "perf events, own programs", probe_user_events },
	[FEATURE_KERNEL_EVENTS] = { "kernel-events", "perf events, kernel side", probe_kernel_events },
	[FEATURE_CPU_WIDE] = { "cpu-wide", "perf events, whole machine", probe_cpu_wide },
	[FEATURE_HARDWARE] = { "hardware-pmu", "hardware counters (PMU)", probe_hardware },
	[FEATURE_PRECISE] = { "precise", "precise samples (:pp)", probe_precise },
	[FEATURE_BRANCH_STACK] = { "branch-stack", "branch stack (LBR)", probe_branch_stack },
	[FEATURE_BREAKPOINTS] = { "breakpoints", "memory breakpoints", probe_breakpoints },
	[FEATURE_KPROBES] = { "kprobes", "kprobes", probe_kprobes },
	[FEATURE_KRETPROBES] = { "kretprobes", "kretprobes", probe_kretprobes },
	[FEATURE_UPROBES] = { "uprobes", "uprobes", probe_uprobes },
	[FEATURE_URETPROBES] = { "uretprobes", "uretprobes", probe_uretprobes },
	[FEATURE_KPROBE_EVENTS] = { "kprobe-events", "named kernel probes", probe_kprobe_events },
	[FEATURE_UPROBE_EVENTS] = { "uprobe-events", "named user probes", probe_uprobe_events },
	[FEATURE_FUNCTION_GRAPH] = { "function-graph", "function graph tracer", probe_function_graph },
	[FEATURE_BPF_TRACEPOINT] = { "bpf-tracepoint", "eBPF on tracepoints", probe_bpf_tracepoint },
	[FEATURE_BPF_RAW_TRACEPOINT] = { "bpf-raw-tracepoint", "eBPF on raw tracepoints", probe_bpf_raw_tracepoint },
	[FEATURE_BPF_TP_BTF] = { "bpf-tp-btf", "eBPF on typed tracepoints", probe_bpf_tp_btf },
	[FEATURE_BPF_KPROBE] = { "bpf-kprobe", "eBPF on kprobes, uprobes", probe_bpf_kprobe },
	[FEATURE_BPF_PERF_EVENT] = { "bpf-perf-event", "eBPF on perf events", probe_bpf_perf_event },
	[FEATURE_BPF_FENTRY] = { "bpf-fentry", "eBPF on functions (fentry)", probe_bpf_fentry },
	[FEATURE_BPF_RINGBUF] = { "bpf-ringbuf", "eBPF ring buffer", probe_bpf_ringbuf },
	[FEATURE_BPF_MMAP] = { "bpf-mmap", "eBPF arrays in user memory", probe_bpf_mmap },
	[FEATURE_BPF_LOOP] = { "bpf-loop", "eBPF loops (bpf_loop)", probe_bpf_loop },
	[FEATURE_BTF] = { "btf", "kernel types (BTF)", probe_btf },
	[FEATURE_BTF_MODULES] = { "btf-modules", "types of modules (BTF)", probe_btf_modules },
	[FEATURE_KERNEL_SYMBOLS] = { "kernel-symbols", "kernel symbol addresses", probe_kernel_symbols },
	[FEATURE_PTRACE] = { "ptrace", "ptrace, own programs", probe_ptrace },
	[FEATURE_PTRACE_OTHERS] = { "ptrace-others", "ptrace, running programs", probe_ptrace_others },
};

static struct { struct feature_state state; bool asked; } cache[N_FEATURES];

const char *feature_name(enum feature f)
{
	return rows[f].name;
}

const char *feature_title(enum feature f)
{
	return rows[f].title;
}

const struct feature_state *feature_state(enum feature f)
{
	struct feature_state *s = &cache[f].state;
	if (!cache[f].asked) {
		cache[f].asked = true;
		rows[f].probe(s);
		if (!s->detail)
			s->detail = xstrdup("");
		if (!s->remedy && s->answer == FEATURE_NO)
			feature_remedy(s, "none is known: %s", strerror(-s->err));
	}
	return s;
}

bool feature_works(enum feature f)
{
	return feature_state(f)->answer == FEATURE_YES;
}

bool feature_hint(enum feature f)
{
	const struct feature_state *s = feature_state(f);
	if (s->answer == FEATURE_YES)
		return false;
	error_hint("%s: %s; %s", feature_title(f), s->detail, s->remedy ? s->remedy : "sonde doctor tells more");
	return true;
}

static void set_text(char **where, const char *fmt, va_list ap)
{
	struct str s = STR_INIT;
	str_vaddf(&s, fmt, ap);
	free(*where);
	*where = str_detach(&s);
}

#define SET_TEXT(where, fmt) do { \
		va_list ap; \
		va_start(ap, fmt); \
		set_text(where, fmt, ap); \
		va_end(ap); \
	} while (0)

void feature_yes(struct feature_state *s, const char *fmt, ...)
{
	s->answer = FEATURE_YES;
	SET_TEXT(&s->detail, fmt);
}

void feature_moot(struct feature_state *s, const char *fmt, ...)
{
	s->answer = FEATURE_MOOT;
	SET_TEXT(&s->detail, fmt);
}

void feature_no(struct feature_state *s, int err, const char *fmt, ...)
{
	s->answer = FEATURE_NO;
	s->err = -abs(err);
	SET_TEXT(&s->detail, fmt);
}

void feature_remedy(struct feature_state *s, const char *fmt, ...)
{
	SET_TEXT(&s->remedy, fmt);
}

void feature_absent(struct feature_state *s, int err, const char *option, const char *what)
{
	if (option && kernel_config(option) == 'n')
		feature_no(s, err, "this kernel was built without CONFIG_%s", option);
	else
		feature_no(s, err, "this kernel has no %s (%s)", what, strerror(abs(err)));
	feature_remedy(s, "boot a kernel with CONFIG_%s=y, such as Debian's: sudo apt-get install linux-image-amd64",
		       option ? option : "BPF_SYSCALL");
}

bool feature_fake(const char *name, int *result)
{
	static const struct { const char *name; int err; } errors[] = {
		{ "EPERM", EPERM }, { "EACCES", EACCES }, { "EINVAL", EINVAL }, { "ENOSYS", ENOSYS },
		{ "ENOENT", ENOENT }, { "EOPNOTSUPP", EOPNOTSUPP }, { "ok", 0 },
	};
	struct str s = STR_INIT;
	if (!root_is_fake())
		return false;
	char *path = xasprintf("%s/features", root_fake_dir());
	*result = -EPERM;
	file_read(path, &s, 1 << 16);
	for (char *line = s.buf, *next; line && *line; line = next) {
		char key[40], word[20];
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (sscanf(line, "%39s %19s", key, word) != 2 || strcmp(key, name))
			continue;
		for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
			if (!strcmp(errors[i].name, word))
				*result = -errors[i].err;
	}
	str_release(&s);
	free(path);
	return true;
}

/* Under a seccomp filter, as Docker sets one. */
static bool filtered(void)
{
	struct str s = STR_INIT;
	bool yes = !file_read(root_path(ROOT_PROC, "self/status"), &s, 1 << 16) && strstr(s.buf, "\nSeccomp:\t2");
	str_release(&s);
	return yes;
}

static bool lacks(int cap)
{
	if (cap == CAP_PERFMON)
		return !caps_can_trace();
	if (cap == CAP_BPF)
		return !caps_can_bpf();
	return !caps_has(cap);
}

/* No right but these two is of use to a sonde that others may start: see lent.h. A new owner would take them away again,
 * so the group comes first. */
static void sudo_remedy(struct str *s, int cap)
{
	char self[1024];
	str_add(s, "sudo sonde ...");
	if (cap != CAP_PERFMON && cap != CAP_BPF)
		return;
	ssize_t n = readlink(root_own("exe"), self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = 0;
	const char *file = n > 0 ? self : "/usr/local/bin/sonde";
	str_addf(s, ", or once, for the users of one group: sudo chgrp GROUP %s && sudo chmod 750 %s && "
		 "sudo setcap cap_bpf,cap_perfmon=ep %s", file, file, file);
	if (settings()->paranoid > 2)
		str_add(s, " && sudo sysctl kernel.perf_event_paranoid=2");
}

/* Debian's kernels know a level 3: then perf events are for cap_sys_admin alone, cap_perfmon or not. */
static bool level_three(int cap)
{
	return cap == CAP_PERFMON && settings()->paranoid > 2 && !caps_has(CAP_SYS_ADMIN);
}

void denied_explain(int cap, struct str *cause, struct str *remedy)
{
	static struct str nowhere[2] = { STR_INIT, STR_INIT };
	const struct settings *set = settings();
	struct str *c = cause ? cause : &nowhere[0], *r = remedy ? remedy : &nowhere[1];
	str_clear(&nowhere[0]);
	str_clear(&nowhere[1]);
	if (lacks(cap)) {
		str_addf(c, "not permitted: it needs %s", caps_name(cap));
		if (cap == CAP_SYS_ADMIN)
			str_add(r, "sudo sonde ...");
		else
			sudo_remedy(r, cap);
	} else if (level_three(cap)) {
		str_addf(c, "kernel.perf_event_paranoid is %d: this takes cap_sys_admin", set->paranoid);
		str_add(r, "sudo sysctl kernel.perf_event_paranoid=2, or sudo sonde ...");
	} else if (*set->lockdown && strcmp(set->lockdown, "none")) {
		str_addf(c, "kernel lockdown is '%s'", set->lockdown);
		str_add(r, "boot with lockdown=none on the kernel's command line (and Secure Boot off)");
	} else if (caps_in_user_namespace()) {
		str_add(c, "in a user namespace (a rootless container) our capabilities do not count for it");
		str_add(r, "run sonde outside of it, on the host, as root");
	} else if (filtered()) {
		str_add(c, "a seccomp filter (a container's, perhaps) is in force");
		str_add(r, "run sonde on the host, or start the container with: docker run --privileged --pid=host");
	} else {
		str_add(c, "refused although every right is held: a security policy of this machine");
		str_add(r, "none from inside: whoever runs this machine must allow it");
	}
}

void feature_denied(struct feature_state *s, int err, int cap)
{
	struct str cause = STR_INIT, remedy = STR_INIT;
	denied_explain(cap, &cause, &remedy);
	feature_no(s, err, "%s", cause.buf);
	feature_remedy(s, "%s", remedy.buf);
	str_release(&cause);
	str_release(&remedy);
}

/* ---- what tracefs and procfs tell ---- */

static unsigned count_events(void)
{
	struct str s = STR_INIT;
	unsigned n = 0;
	if (!file_read(tracefs_path("available_events"), &s, 16 << 20))
		for (const char *p = s.buf; (p = strchr(p, '\n')); p++)
			n++;
	str_release(&s);
	return n;
}

static bool has_line(enum root r, const char *file, const char *line)
{
	struct str s = STR_INIT;
	bool has = !file_read(root_path(r, "%s", file), &s, 1 << 20) && strstr(s.buf, line);
	str_release(&s);
	return has;
}

/* As root tracefs_ready() mounts it. It leaves a pending error, and a caller's must stay. */
static void mount_if_root(void)
{
	if (!error_pending() && tracefs_ready())
		error_clear();
}

static void probe_tracefs(struct feature_state *s)
{
	mount_if_root();
	DIR *d = opendir(root_path(ROOT_TRACEFS, "events"));
	int err = errno;
	if (d) {
		closedir(d);
		unsigned n = count_events();
		if (n)
			feature_yes(s, "%s, %u events", root_path(ROOT_TRACEFS, "%s", ""), n);
		else
			feature_yes(s, "%s", root_path(ROOT_TRACEFS, "%s", ""));
		return;
	}
	if (!has_line(ROOT_PROC, "filesystems", "\ttracefs\n")) {
		feature_absent(s, ENODEV, "FTRACE", "tracefs");
		return;
	}
	if (err == EACCES || access(root_path(ROOT_TRACEFS, "%s", ""), X_OK) == -1) {
		if (err == EACCES || errno == EACCES) {
			feature_no(s, EACCES, "mounted, but not readable for uid %u", caps_uid());
			feature_remedy(s, "%s", tracefs_open_up());
			return;
		}
	}
	feature_no(s, ENOENT, "not mounted at /sys/kernel/tracing");
	feature_remedy(s, "sudo mount -t tracefs nodev /sys/kernel/tracing");
}

/* What only the owner of tracefs' files may do. */
static void only_root(struct feature_state *s, int err, const char *file)
{
	if (!caps_uid()) {
		feature_denied(s, err, CAP_DAC_OVERRIDE);
		return;
	}
	feature_no(s, err, "only root may open %s", file);
	feature_remedy(s, "sudo sonde ...");
}

static void without_tracefs(struct feature_state *s, const char *file)
{
	const struct feature_state *t = feature_state(FEATURE_TRACEFS);
	if (t->err == -EACCES) {
		only_root(s, t->err, file);
		return;
	}
	feature_no(s, t->err, "tracefs: %s", t->detail);
	feature_remedy(s, "%s", t->remedy);
}

/* Named probes are text in a tracefs file: may it be written? Opening to append changes nothing. */
static void probe_text(struct feature_state *s, const char *file, const char *option, const char *what)
{
	if (!feature_works(FEATURE_TRACEFS)) {
		without_tracefs(s, file);
		return;
	}
	int fd = open(tracefs_path("%s", file), O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		feature_yes(s, "%s can be written", file);
	} else if (errno == ENOENT) {
		feature_absent(s, ENOENT, option, what);
	} else {
		only_root(s, errno, file);
	}
}

static void probe_kprobe_events(struct feature_state *s)
{
	probe_text(s, "kprobe_events", "KPROBE_EVENTS", "kprobes");
}

static void probe_uprobe_events(struct feature_state *s)
{
	probe_text(s, "uprobe_events", "UPROBE_EVENTS", "uprobes");
}

static void probe_function_graph(struct feature_state *s)
{
	static const struct { const char *file; int flags; } need[] = {
		{ "available_tracers", O_RDONLY }, { "current_tracer", O_WRONLY },
		{ "set_ftrace_filter", O_RDONLY }, { "set_graph_function", O_RDONLY },
	};
	if (!feature_works(FEATURE_TRACEFS)) {
		without_tracefs(s, "current_tracer");
		return;
	}
	for (size_t i = 0; i < sizeof(need) / sizeof(need[0]); i++) {
		int fd = open(tracefs_path("%s", need[i].file), need[i].flags | O_CLOEXEC);
		if (fd < 0 && errno != ENOENT) {
			only_root(s, errno, need[i].file);
			return;
		}
		if (fd < 0 || (i == 0 && !has_line(ROOT_TRACEFS, need[i].file, "function_graph"))) {
			feature_absent(s, ENOENT, "FUNCTION_GRAPH_TRACER", "function graph tracer");
			return;
		}
		close(fd);
	}
	feature_yes(s, "function and function_graph");
}

/* Addresses are zeros for those who may not see them. */
static void probe_kernel_symbols(struct feature_state *s)
{
	FILE *f = fopen(root_path(ROOT_PROC, "kallsyms"), "re");
	char line[512];
	unsigned long long addr = 0;
	if (!f) {
		feature_absent(s, errno, "KALLSYMS", "/proc/kallsyms");
		return;
	}
	for (int i = 0; i < 64 && !addr && fgets(line, sizeof(line), f); i++)
		addr = strtoull(line, NULL, 16);
	fclose(f);
	if (addr) {
		feature_yes(s, "/proc/kallsyms");
		return;
	}
	int restricted = settings()->kptr_restrict;
	feature_no(s, EPERM, "/proc/kallsyms shows only zeros (kptr_restrict is %d)", restricted);
	if (caps_has(CAP_SYSLOG) || restricted == 1)
		feature_remedy(s, restricted == 1 ? "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1, or sudo sonde ..." :
			       "sudo sysctl kernel.kptr_restrict=1");
	else if (restricted >= 2)
		feature_remedy(s, "sudo sysctl kernel.kptr_restrict=1, then sudo sonde ...");
	else
		feature_remedy(s, "sudo sysctl kernel.perf_event_paranoid=1, or sudo sonde ...");
}

/* A child that asks to be traced and stops. */
static int try_ptrace(void)
{
	int status = 0, result;
	pid_t pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			_exit(errno);
		raise(SIGSTOP);
		_exit(0);
	}
	while (waitpid(pid, &status, WUNTRACED) < 0 && errno == EINTR)
		;
	result = WIFSTOPPED(status) ? 0 : WIFEXITED(status) && WEXITSTATUS(status) ? -WEXITSTATUS(status) : -EPERM;
	if (WIFSTOPPED(status)) {
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	return result;
}

static void probe_ptrace(struct feature_state *s)
{
	int err;
	if (!feature_fake("ptrace", &err))
		err = try_ptrace();
	if (!err)
		feature_yes(s, "a command that sonde starts");
	else
		feature_denied(s, err, CAP_SYS_PTRACE);
}

static void probe_ptrace_others(struct feature_state *s)
{
	int scope = settings()->ptrace_scope;
	if (feature_state(FEATURE_PTRACE)->answer != FEATURE_YES) {
		feature_no(s, feature_state(FEATURE_PTRACE)->err, "%s", feature_state(FEATURE_PTRACE)->detail);
		feature_remedy(s, "%s", feature_state(FEATURE_PTRACE)->remedy);
	} else if (scope == 3) {
		feature_no(s, EPERM, "kernel.yama.ptrace_scope is 3: nobody may, until the next boot");
		feature_remedy(s, "set kernel.yama.ptrace_scope=1 in /etc/sysctl.d/ and reboot");
	} else if (caps_has(CAP_SYS_PTRACE)) {
		feature_yes(s, "every program");
	} else if (scope == 2 || scope == 1) {
		feature_no(s, EPERM, "kernel.yama.ptrace_scope is %d and we lack cap_sys_ptrace", scope);
		feature_remedy(s, "sudo sonde ..., or: sudo sysctl kernel.yama.ptrace_scope=0");
	} else {
		feature_yes(s, "programs of uid %u", caps_uid());
	}
}
