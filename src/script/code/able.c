// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/code/able.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "script/member.h"

static bool has_helper(enum bpf_func_id id)
{
	libbpf_print_fn_t old = libbpf_set_print(NULL);
	int has = libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, id, NULL);
	libbpf_set_print(old);
	return has > 0;
}

static bool takes(const struct bpf_insn *code, size_t n)
{
	int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "sonde_try", "GPL", code, n, NULL);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A swap with a word of the stack. */
static bool has_fetch(void)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = BPF_REG_10, .src_reg = BPF_REG_1, .off = -8, .imm = BPF_XCHG },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	return takes(code, sizeof(code) / sizeof(code[0]));
}

static bool has_task(void)
{
	int at = member_at("task_struct", "comm");
	const struct bpf_insn code[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_task_btf },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_0, .off = (short)at },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	return at >= 0 && at <= INT16_MAX && takes(code, sizeof(code) / sizeof(code[0]));
}

static bool unwanted(enum able a)
{
	static const char *const names[] = { "fetch", "loop", "for_each", "percpu", "task", "slots" };
	const char *list = getenv("SONDE_RUN_WITHOUT");
	for (size_t n; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == strlen(names[a]) && !memcmp(list, names[a], n))
			return true;
	}
	return false;
}

static bool try_it(enum able a)
{
	switch (a) {
	case ABLE_FETCH: return has_fetch();
	case ABLE_LOOP: return has_helper(BPF_FUNC_loop);
	case ABLE_TASK: return has_task();
	case ABLE_SLOTS: return true;
	case ABLE_FOR_EACH: return has_helper(BPF_FUNC_for_each_map_elem);
	default: return has_helper(BPF_FUNC_map_lookup_percpu_elem);
	}
}

static void able_set(struct run_script *s, enum able a, bool yes)
{
	s->able_known |= 1u << a;
	s->able_yes = (s->able_yes & ~(1u << a)) | (unsigned)yes << a;
}

bool able(struct run_script *s, enum able a)
{
	if (!(s->able_known & 1u << a))
		able_set(s, a, !unwanted(a) && try_it(a));
	return s->able_yes & 1u << a;
}
