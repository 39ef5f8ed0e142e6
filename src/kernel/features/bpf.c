// SPDX-License-Identifier: GPL-2.0-or-later
/* Abilities of eBPF: the smallest program of each kind is loaded and dropped, the smallest map made. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file.h"
#include "kernel/rights/caps.h"
#include "kernel/features/inner.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
	{ .code = BPF_JMP | BPF_EXIT },
};
enum { N_NOTHING = sizeof(nothing) / sizeof(nothing[0]) };

/* libbpf talks on its own; a probe that fails is no news. */
static libbpf_print_fn_t hush(void)
{
	return libbpf_set_print(NULL);
}

/* Loading a tracing program takes both. */
static int needed_cap(void)
{
	return caps_can_bpf() ? CAP_PERFMON : CAP_BPF;
}

static void answer(struct feature_state *s, int err, const char *option, const char *what)
{
	if (err >= 0)
		feature_yes(s, "%s", "");
	else if (err == -EPERM || err == -EACCES)
		feature_denied(s, err, needed_cap());
	else
		feature_absent(s, err, option, what);
}

static int load(enum bpf_prog_type type, const struct bpf_prog_load_opts *opts)
{
	libbpf_print_fn_t old = hush();
	uint64_t rights = lent_raise();
	int fd = bpf_prog_load(type, "sonde_try", "GPL", nothing, N_NOTHING, opts);
	int err = fd < 0 ? -errno : fd;
	lent_lower(rights);
	libbpf_set_print(old);
	return err;
}

static void probe_type(struct feature_state *s, const char *name, enum bpf_prog_type type)
{
	int fd;
	if (!feature_fake(name, &fd)) {
		fd = load(type, NULL);
		if (fd >= 0)
			close(fd);
	}
	answer(s, fd, fd == -ENOSYS ? "BPF_SYSCALL" : "BPF_EVENTS", "such eBPF programs");
}

void probe_bpf_tracepoint(struct feature_state *s)
{
	probe_type(s, "bpf-tracepoint", BPF_PROG_TYPE_TRACEPOINT);
}

void probe_bpf_raw_tracepoint(struct feature_state *s)
{
	probe_type(s, "bpf-raw-tracepoint", BPF_PROG_TYPE_RAW_TRACEPOINT);
}

void probe_bpf_kprobe(struct feature_state *s)
{
	probe_type(s, "bpf-kprobe", BPF_PROG_TYPE_KPROBE);
}

void probe_bpf_perf_event(struct feature_state *s)
{
	probe_type(s, "bpf-perf-event", BPF_PROG_TYPE_PERF_EVENT);
}

/* A program for one kernel function or tracepoint, named by its BTF type. */
static int load_typed(const char *name, enum bpf_attach_type attach)
{
	libbpf_print_fn_t old = hush();
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach);
	int id = libbpf_find_vmlinux_btf_id(name, attach);
	libbpf_set_print(old);
	if (id <= 0)
		return id ? id : -ENOENT;
	opts.attach_btf_id = id;
	return load(BPF_PROG_TYPE_TRACING, &opts);
}

static void without_btf(struct feature_state *s)
{
	feature_no(s, feature_state(FEATURE_BTF)->err, "it needs BTF: %s", feature_state(FEATURE_BTF)->detail);
	feature_remedy(s, "%s", feature_state(FEATURE_BTF)->remedy);
}

void probe_bpf_tp_btf(struct feature_state *s)
{
	int fd;
	if (!feature_works(FEATURE_BTF)) {
		without_btf(s);
		return;
	}
	if (!feature_fake("bpf-tp-btf", &fd)) {
		fd = load_typed("sched_process_fork", BPF_TRACE_RAW_TP);
		if (fd >= 0)
			close(fd);
	}
	answer(s, fd, "DEBUG_INFO_BTF", "typed tracepoints");
}

/* Loaded and attached: the machine code behind it is only made then. The function is the kernel's own
 * target for tests; nothing else calls it. */
static int try_fentry(void)
{
	int fd = load_typed("bpf_fentry_test1", BPF_TRACE_FENTRY);
	if (fd < 0)
		return fd;
	uint64_t rights = lent_raise();
	int link = bpf_raw_tracepoint_open(NULL, fd), err = link < 0 ? -errno : 0;
	lent_lower(rights);
	if (link >= 0)
		close(link);
	close(fd);
	return err;
}

void probe_bpf_fentry(struct feature_state *s)
{
	int err;
	if (!feature_works(FEATURE_BTF)) {
		without_btf(s);
		return;
	}
	if (!feature_fake("bpf-fentry", &err))
		err = try_fentry();
	answer(s, err, "DYNAMIC_FTRACE_WITH_DIRECT_CALLS", "fentry");
}

void probe_bpf_ringbuf(struct feature_state *s)
{
	int fd;
	if (!feature_fake("bpf-ringbuf", &fd)) {
		uint64_t rights = lent_raise();
		fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "sonde_try", 0, 0, sysconf(_SC_PAGESIZE), NULL);
		fd = fd < 0 ? -errno : fd;
		lent_lower(rights);
		if (fd >= 0)
			close(fd);
	}
	answer(s, fd, "BPF_SYSCALL", "eBPF ring buffer");
}

static int try_mmap(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	size_t page = sysconf(_SC_PAGESIZE);
	uint64_t rights = lent_raise();
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "sonde_try", 4, 8, page / 8, &opts), err = 0;
	lent_lower(rights);
	if (fd < 0)
		return -errno;
	void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		err = -errno;
	else
		munmap(p, page);
	close(fd);
	return err;
}

void probe_bpf_mmap(struct feature_state *s)
{
	int err;
	if (!feature_fake("bpf-mmap", &err))
		err = try_mmap();
	answer(s, err, "BPF_SYSCALL", "mappable eBPF arrays");
}

/* The verifier answers "unknown func" or complains of something else: libbpf tells them apart. */
void probe_bpf_loop(struct feature_state *s)
{
	int err;
	if (!feature_works(FEATURE_BPF_RAW_TRACEPOINT)) {
		const struct feature_state *t = feature_state(FEATURE_BPF_RAW_TRACEPOINT);
		feature_no(s, t->err, "%s", t->detail);
		feature_remedy(s, "%s", t->remedy);
		return;
	}
	if (!feature_fake("bpf-loop", &err)) {
		libbpf_print_fn_t old = hush();
		uint64_t rights = lent_raise();
		int has = libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_loop, NULL);
		lent_lower(rights);
		libbpf_set_print(old);
		err = has > 0 ? 0 : has < 0 ? has : -EINVAL;
	}
	if (!err) {
		feature_yes(s, "%s", "");
	} else {
		feature_no(s, err, "this kernel has no bpf_loop: the eBPF engine uses bounded loops instead");
		feature_remedy(s, "boot a kernel from 5.17 on, such as Debian's: sudo apt-get install linux-image-amd64");
	}
}

void probe_btf(struct feature_state *s)
{
	const char *path = root_path(ROOT_SYS, "kernel/btf/vmlinux");
	if (!access(path, R_OK))
		feature_yes(s, "/sys/kernel/btf/vmlinux");
	else if (errno == ENOENT)
		feature_absent(s, ENOENT, "DEBUG_INFO_BTF", "BTF");
	else
		feature_denied(s, errno, CAP_DAC_READ_SEARCH);
}

static unsigned modules_loaded(void)
{
	struct str m = STR_INIT;
	unsigned n = 0;
	if (!file_read(root_path(ROOT_PROC, "modules"), &m, 1 << 20))
		for (const char *p = m.buf; (p = strchr(p, '\n')); p++)
			n++;
	str_release(&m);
	return n;
}

void probe_btf_modules(struct feature_state *s)
{
	DIR *d = opendir(root_path(ROOT_SYS, "kernel/btf"));
	unsigned n = 0, loaded = modules_loaded();
	for (struct dirent *e; d && (e = readdir(d));)
		n += e->d_name[0] != '.' && strcmp(e->d_name, "vmlinux");
	if (d)
		closedir(d);
	if (n)
		feature_yes(s, "%u of %u modules", n, loaded);
	else if (!loaded)
		feature_moot(s, "no module is loaded");
	else
		feature_absent(s, ENOENT, "DEBUG_INFO_BTF_MODULES", "BTF for modules");
}
