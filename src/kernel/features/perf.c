// SPDX-License-Identifier: GPL-2.0-or-later
/* Abilities of perf_event_open, each tried on ourselves: opened disabled and closed again. */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file.h"
#include "kernel/rights/caps.h"
#include "kernel/rights/events.h"
#include "kernel/features/inner.h"
#include "kernel/perf.h"
#include "kernel/root.h"
#include "kernel/settings.h"
#include "kernel/tracefs.h"

static int try_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	attr->disabled = 1;
	int fd = perf_open(attr, pid, cpu, -1, 0);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* A refusal: by the paranoid level (needs: the highest that allows it), or for another cause. */
static void refused(struct feature_state *s, int err, int needs)
{
	int level = settings()->paranoid;
	if ((err != -EACCES && err != -EPERM) || caps_can_trace() || level == SETTING_ABSENT || level <= needs) {
		if (err == -ENOSYS)
			feature_absent(s, err, "PERF_EVENTS", "perf events");
		else if (err == -EACCES || err == -EPERM)
			feature_denied(s, err, CAP_PERFMON);
		else
			feature_no(s, err, "the kernel says: %s", strerror(-err));
		return;
	}
	feature_no(s, err, "kernel.perf_event_paranoid is %d; %d or less allows it to everybody", level, needs);
	feature_remedy(s, "sudo sysctl kernel.perf_event_paranoid=%d, or sudo sonde ...", needs);
}

void probe_user_events(struct feature_state *s)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK,
					.exclude_kernel = 1, .exclude_hv = 1 };
	int err = try_open(&attr, 0, -1);
	if (err)
		refused(s, err, 2);
	else
		feature_yes(s, "%s", "");
}

void probe_kernel_events(struct feature_state *s)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK };
	int err = try_open(&attr, 0, -1);
	if (err)
		refused(s, err, 1);
	else
		feature_yes(s, "%s", "");
}

void probe_cpu_wide(struct feature_state *s)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK };
	int err = try_open(&attr, -1, 0);
	if (err)
		refused(s, err, 0);
	else
		feature_yes(s, "-a and -C");
}

/* The first of the named events that this kernel has. */
static int64_t first_id(const char *const (*names)[2], const char **which)
{
	int64_t id = -ENOENT;
	for (int i = 0; names[i][0]; i++) {
		id = tracefs_event_id(names[i][0], names[i][1]);
		*which = names[i][1];
		if (id >= 0)
			return id;
	}
	return id;
}

/* Tracepoints fire in the kernel; those of system calls count as user space, which more people may see. */
static void probe_named(struct feature_state *s, const char *const (*names)[2], bool user_side, const char *option,
			const char *what)
{
	const char *which;
	if (!feature_works(FEATURE_TRACEFS)) {
		feature_no(s, feature_state(FEATURE_TRACEFS)->err, "tracefs: %s", feature_state(FEATURE_TRACEFS)->detail);
		feature_remedy(s, "%s", feature_state(FEATURE_TRACEFS)->remedy);
		return;
	}
	int64_t id = first_id(names, &which);
	if (id == -EACCES) {
		feature_no(s, -EACCES, "tracefs: events/*/id is not readable for uid %u", caps_uid());
		feature_remedy(s, "sudo sonde ..., or: sudo chmod -R a+rX /sys/kernel/tracing/events");
		return;
	}
	if (id < 0) {
		feature_absent(s, id, option, what);
		return;
	}
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = id, .sample_period = 1,
					.sample_type = PERF_SAMPLE_RAW };
	int err = try_open(&attr, 0, -1);
	if (!err) {
		feature_yes(s, "recorded with their fields");
		return;
	}
	attr.exclude_kernel = 1;
	if (user_side && !try_open(&attr, 0, -1))
		feature_yes(s, "recorded with their fields, own programs, as NAME:u");
	else
		refused(s, err, user_side ? 2 : -1);
}

void probe_tracepoints(struct feature_state *s)
{
	static const char *const names[][2] = {
		{ "sched", "sched_process_wait" }, { "sched", "sched_switch" }, { "irq", "softirq_raise" }, { NULL } };
	probe_named(s, names, false, "TRACEPOINTS", "tracepoints");
}

void probe_syscall_tracepoints(struct feature_state *s)
{
	static const char *const names[][2] = {
		{ "syscalls", "sys_enter_getpgid" }, { "syscalls", "sys_enter_openat" }, { NULL } };
	probe_named(s, names, true, "FTRACE_SYSCALLS", "system call tracepoints");
}

static bool in_vm(void)
{
	struct str c = STR_INIT;
	bool vm = !file_read(root_path(ROOT_PROC, "cpuinfo"), &c, 1 << 22) && strstr(c.buf, " hypervisor");
	str_release(&c);
	return vm;
}

static void no_pmu(struct feature_state *s, int err, const char *what)
{
	if (in_vm()) {
		feature_no(s, err, "this virtual machine has no %s", what);
		feature_remedy(s, "give the virtual machine a PMU: qemu-system-x86_64 -cpu host,pmu=on, or your provider's "
			       "bare-metal type");
	} else {
		feature_no(s, err, "the CPU, or the kernel's driver for it, has no %s", what);
		feature_remedy(s, "none with this CPU and kernel (dmesg | grep -i pmu tells what was found)");
	}
}

static void hardware(struct feature_state *s, struct perf_event_attr *attr, const char *what, const char *yes)
{
	int err = try_open(attr, 0, -1);
	if (!err)
		feature_yes(s, "%s", yes);
	else if (err == -EACCES || err == -EPERM)
		refused(s, err, 2);
	else
		no_pmu(s, err, what);
}

void probe_hardware(struct feature_state *s)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
					.exclude_kernel = 1, .exclude_hv = 1 };
	hardware(s, &attr, "hardware counters", "cycles, instructions, caches");
}

void probe_precise(struct feature_state *s)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
					.exclude_kernel = 1, .exclude_hv = 1, .precise_ip = 2, .sample_period = 1000003,
					.sample_type = PERF_SAMPLE_IP };
	hardware(s, &attr, "precise sampling", "no skid");
}

void probe_branch_stack(struct feature_state *s)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
					.exclude_kernel = 1, .exclude_hv = 1, .sample_period = 1000003,
					.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK,
					.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY };
	hardware(s, &attr, "branch stack", "record -b, --call-graph lbr");
}

void probe_breakpoints(struct feature_state *s)
{
	static int watched;
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_W,
					.bp_addr = (uintptr_t)&watched, .bp_len = HW_BREAKPOINT_LEN_4,
					.exclude_kernel = 1, .exclude_hv = 1 };
	int err = try_open(&attr, 0, -1);
	if (!err)
		feature_yes(s, "mem:ADDRESS");
	else if (err == -EACCES || err == -EPERM)
		refused(s, err, 2);
	else
		feature_absent(s, err, "HAVE_HW_BREAKPOINT", "hardware breakpoints");
}

/* Probes bound to a descriptor: PMUs of their own, with bit 0 of config for the return. */
static int pmu_type(const char *name)
{
	int64_t type;
	int err = file_read_s64(root_path(ROOT_SYS, "bus/event_source/devices/%s/type", name), &type);
	return err ? err : (int)type;
}

static void dynamic(struct feature_state *s, const char *pmu, int cap, const char *option, struct perf_event_attr *attr)
{
	int type = pmu_type(pmu);
	if (type < 0) {
		feature_absent(s, type, option, pmu);
		return;
	}
	attr->type = type;
	if (!lent_event(attr, false)) {
		feature_no(s, -EPERM, "the capabilities of sonde's file are not for probes");
		feature_remedy(s, "sudo sonde ...");
		return;
	}
	int err = try_open(attr, 0, -1);
	if (!err)
		feature_yes(s, "bound to sonde's life");
	else if (err == -EACCES || err == -EPERM)
		feature_denied(s, err, cap);
	else
		feature_no(s, err, "the kernel says: %s", strerror(-err));
	if (err && !caps_has(cap) && !caps_has(CAP_SYS_ADMIN)) /* capabilities of a file are of no use: lent_event() */
		feature_remedy(s, "sudo sonde ...");
}

static void probe_kprobe(struct feature_state *s, bool ret)
{
	/* rarely called, never inlined, in every kernel */
	struct perf_event_attr attr = { .config = ret, .kprobe_func = (uintptr_t)"vfs_fallocate" };
	dynamic(s, "kprobe", CAP_PERFMON, "KPROBE_EVENTS", &attr);
}

/* On a file of our own making that nobody maps. */
static void probe_uprobe(struct feature_state *s, bool ret)
{
	int fd = memfd_create("sonde-uprobe-test", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, 4096)) {
		feature_no(s, errno, "cannot make a file to try it on: %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return;
	}
	struct perf_event_attr attr = { .config = ret, .uprobe_path = (uintptr_t)root_own("fd/%d", fd), .probe_offset = 16 };
	/* where cap_perfmon is not enough (6.1), only this is */
	dynamic(s, "uprobe", CAP_SYS_ADMIN, "UPROBE_EVENTS", &attr);
	close(fd);
}

void probe_kprobes(struct feature_state *s)
{
	probe_kprobe(s, false);
}

void probe_kretprobes(struct feature_state *s)
{
	probe_kprobe(s, true);
}

void probe_uprobes(struct feature_state *s)
{
	probe_uprobe(s, false);
}

void probe_uretprobes(struct feature_state *s)
{
	probe_uprobe(s, true);
}
