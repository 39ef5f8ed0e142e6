// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/bpf_programs.h"
#include <bpf/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

enum { FUNCTIONS_MAX = 256 };

/* bpf_prog_TAG_NAME; functions after the first have names of their own in BTF, which are not asked for. */
static void name_of(const struct bpf_prog_info *info, uint32_t i, char *out, size_t n)
{
	char tag[2 * BPF_TAG_SIZE + 1];
	for (int k = 0; k < BPF_TAG_SIZE; k++)
		snprintf(tag + 2 * k, 3, "%02x", info->tag[k]);
	const char *name = (const char *)info->name;
	if (!i && name[0])
		snprintf(out, n, "bpf_prog_%s_%.15s", tag, name);
	else
		snprintf(out, n, i ? "bpf_prog_%s_F" : "bpf_prog_%s", tag);
}

static int each_function(int fd, int (*call)(void *, uint64_t, uint32_t, const char *), void *ctx)
{
	uint64_t addr[FUNCTIONS_MAX] = { 0 };
	uint32_t len[FUNCTIONS_MAX] = { 0 }, size = sizeof(struct bpf_prog_info);
	struct bpf_prog_info info = { .jited_ksyms = (uintptr_t)addr, .nr_jited_ksyms = FUNCTIONS_MAX,
				      .jited_func_lens = (uintptr_t)len, .nr_jited_func_lens = FUNCTIONS_MAX };
	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return 0;
	for (uint32_t i = 0; i < info.nr_jited_ksyms && i < info.nr_jited_func_lens && i < FUNCTIONS_MAX; i++) {
		char name[64];
		if (!addr[i])
			continue;
		name_of(&info, i, name, sizeof(name));
		int err = call(ctx, addr[i], len[i], name);
		if (err)
			return err;
	}
	return 0;
}

int bpf_programs_each(int (*call)(void *ctx, uint64_t addr, uint32_t len, const char *name), void *ctx)
{
	uint32_t id = 0;
	int err = 0;
	if (root_is_fake())
		return 0;
	while (!err && !bpf_prog_get_next_id(id, &id)) {
		int fd = bpf_prog_get_fd_by_id(id);
		if (fd < 0)
			continue;
		err = each_function(fd, call, ctx);
		close(fd);
	}
	return err;
}

/* Where they may sleep, as since Linux 7.2, they are. */
bool bpf_programs_preempted(void)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	static int answer = -1;
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = BPF_F_SLEEPABLE);
	if (getenv("SONDE_BPF_PREEMPTED"))
		return true;
	if (answer >= 0 || root_is_fake())
		return answer > 0;
	uint64_t rights = lent_raise();
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "sonde_try", "GPL", nothing, sizeof(nothing) / sizeof(nothing[0]), &opts);
	lent_lower(rights);
	answer = fd >= 0;
	if (fd >= 0)
		close(fd);
	return answer;
}

void bpf_programs_warn_left_out(uint64_t n)
{
	if (n)
		warn("the kernel left out %llu runs of sonde's programs: calls may be missing", (unsigned long long)n);
}

uint64_t bpf_program_left_out(int fd)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);
	return fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &size) ? info.recursion_misses : 0;
}
