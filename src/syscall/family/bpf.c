// SPDX-License-Identifier: GPL-2.0-or-later
/* union bpf_attr by command, and struct perf_event_attr. Layouts: linux/bpf.h, linux/perf_event.h. */
#include "syscall/table.h"

/* One field of the union as a command uses it. */
struct attr_field {
	uint8_t at, size;
	char kind; /* d number, x hex, p pointer, f descriptor, s name in place, e enum, F flags */
	bool optional; /* left out when 0 */
	enum xlat_id table;
	const char *name;
};
#define END_FIELDS { 0, 0, 0, false, X_none, NULL }

static const struct attr_field map_create[] = {
	{ 0, 4, 'e', false, X_bpf_map_type, "map_type" }, { 4, 4, 'd', false, X_none, "key_size" },
	{ 8, 4, 'd', false, X_none, "value_size" }, { 12, 4, 'd', false, X_none, "max_entries" },
	{ 16, 4, 'F', false, X_bpf_map_flags, "map_flags" }, { 20, 4, 'f', false, X_none, "inner_map_fd" },
	{ 28, 16, 's', false, X_none, "map_name" }, { 44, 4, 'd', false, X_none, "map_ifindex" },
	{ 48, 4, 'f', false, X_none, "btf_fd" }, { 52, 4, 'd', false, X_none, "btf_key_type_id" },
	{ 56, 4, 'd', false, X_none, "btf_value_type_id" }, { 60, 4, 'd', false, X_none, "btf_vmlinux_value_type_id" },
	{ 64, 8, 'd', false, X_none, "map_extra" }, END_FIELDS
};
static const struct attr_field map_elem[] = {
	{ 0, 4, 'f', false, X_none, "map_fd" }, { 8, 8, 'p', false, X_none, "key" }, { 16, 8, 'p', false, X_none, "value" },
	{ 24, 8, 'F', false, X_bpf_update_flags, "flags" }, END_FIELDS
};
static const struct attr_field map_key[] = {
	{ 0, 4, 'f', false, X_none, "map_fd" }, { 8, 8, 'p', false, X_none, "key" }, END_FIELDS
};
static const struct attr_field map_next[] = {
	{ 0, 4, 'f', false, X_none, "map_fd" }, { 8, 8, 'p', false, X_none, "key" }, { 16, 8, 'p', false, X_none, "next_key" },
	END_FIELDS
};
static const struct attr_field map_freeze[] = { { 0, 4, 'f', false, X_none, "map_fd" }, END_FIELDS };
static const struct attr_field prog_load[] = {
	{ 0, 4, 'e', false, X_bpf_prog_type, "prog_type" }, { 4, 4, 'd', false, X_none, "insn_cnt" },
	{ 8, 8, 'p', false, X_none, "insns" }, { 16, 8, 'p', false, X_none, "license" },
	{ 24, 4, 'd', false, X_none, "log_level" }, { 28, 4, 'd', false, X_none, "log_size" },
	{ 32, 8, 'p', false, X_none, "log_buf" }, { 40, 4, 'k', false, X_none, "kern_version" },
	{ 44, 4, 'F', false, X_bpf_prog_flags, "prog_flags" }, { 48, 16, 's', false, X_none, "prog_name" },
	{ 64, 4, 'd', false, X_none, "prog_ifindex" }, { 68, 4, 'e', false, X_bpf_attach_type, "expected_attach_type" },
	{ 72, 4, 'f', false, X_none, "prog_btf_fd" }, { 76, 4, 'd', false, X_none, "func_info_rec_size" },
	{ 80, 8, 'p', false, X_none, "func_info" }, { 88, 4, 'd', false, X_none, "func_info_cnt" },
	{ 92, 4, 'd', false, X_none, "line_info_rec_size" }, { 96, 8, 'p', false, X_none, "line_info" },
	{ 104, 4, 'd', false, X_none, "line_info_cnt" }, { 108, 4, 'd', false, X_none, "attach_btf_id" },
	{ 112, 4, 'f', false, X_none, "attach_prog_fd" }, { 120, 8, 'p', true, X_none, "fd_array" }, END_FIELDS
};
static const struct attr_field obj[] = {
	{ 0, 8, 'p', false, X_none, "pathname" }, { 8, 4, 'f', false, X_none, "bpf_fd" },
	{ 12, 4, 'x', false, X_none, "file_flags" }, END_FIELDS
};
static const struct attr_field prog_attach[] = {
	{ 0, 4, 'f', false, X_none, "target_fd" }, { 4, 4, 'f', false, X_none, "attach_bpf_fd" },
	{ 8, 4, 'e', false, X_bpf_attach_type, "attach_type" }, { 12, 4, 'x', false, X_none, "attach_flags" }, END_FIELDS
};
static const struct attr_field next_id[] = {
	{ 0, 4, 'd', false, X_none, "start_id" }, { 4, 4, 'n', false, X_none, "next_id" },
	{ 8, 4, 'x', false, X_none, "open_flags" }, END_FIELDS
};
static const struct attr_field prog_id[] = {
	{ 0, 4, 'd', false, X_none, "prog_id" }, { 4, 4, 'd', false, X_none, "next_id" }, { 8, 4, 'x', false, X_none, "open_flags" }, END_FIELDS
};
static const struct attr_field map_id[] = {
	{ 0, 4, 'd', false, X_none, "map_id" }, { 4, 4, 'd', false, X_none, "next_id" }, { 8, 4, 'x', false, X_none, "open_flags" }, END_FIELDS
};
static const struct attr_field btf_id[] = { { 0, 4, 'd', false, X_none, "btf_id" }, END_FIELDS };
static const struct attr_field link_id[] = { { 0, 4, 'd', false, X_none, "link_id" }, END_FIELDS };
static const struct attr_field info_by_fd[] = {
	{ 0, 4, 'f', false, X_none, "bpf_fd" }, { 4, 4, 'd', false, X_none, "info_len" }, { 8, 8, 'p', false, X_none, "info" },
	END_FIELDS
};
static const struct attr_field query[] = {
	{ 0, 4, 'f', false, X_none, "target_fd" }, { 4, 4, 'e', false, X_bpf_attach_type, "attach_type" },
	{ 8, 4, 'F', false, X_bpf_query_flags, "query_flags" }, { 12, 4, 'F', false, X_bpf_attach_flags, "attach_flags" },
	{ 16, 8, 'p', false, X_none, "prog_ids" }, { 24, 4, 'd', false, X_none, "prog_cnt" }, END_FIELDS
};
static const struct attr_field raw_tp[] = {
	{ 0, 8, 'p', false, X_none, "name" }, { 8, 4, 'f', false, X_none, "prog_fd" }, END_FIELDS
};
static const struct attr_field btf_load[] = {
	{ 0, 8, 'p', false, X_none, "btf" }, { 8, 8, 'p', false, X_none, "btf_log_buf" }, { 16, 4, 'd', false, X_none, "btf_size" },
	{ 20, 4, 'd', false, X_none, "btf_log_size" }, { 24, 4, 'd', false, X_none, "btf_log_level" }, END_FIELDS
};
static const struct attr_field link_create[] = {
	{ 0, 4, 'f', false, X_none, "prog_fd" }, { 4, 4, 'f', false, X_none, "target_fd" },
	{ 8, 4, 'e', false, X_bpf_attach_type, "attach_type" }, { 12, 4, 'x', false, X_none, "flags" }, END_FIELDS
};
static const struct attr_field link_update[] = {
	{ 0, 4, 'f', false, X_none, "link_fd" }, { 4, 4, 'f', false, X_none, "new_prog_fd" }, { 8, 4, 'x', false, X_none, "flags" },
	{ 12, 4, 'f', true, X_none, "old_prog_fd" }, END_FIELDS
};
static const struct attr_field test_run[] = {
	{ 0, 4, 'f', false, X_none, "prog_fd" }, { 4, 4, 'd', false, X_none, "retval" }, { 8, 4, 'd', false, X_none, "data_size_in" },
	{ 12, 4, 'd', false, X_none, "data_size_out" }, { 16, 8, 'p', false, X_none, "data_in" },
	{ 24, 8, 'p', false, X_none, "data_out" }, { 32, 4, 'd', false, X_none, "repeat" }, { 36, 4, 'd', false, X_none, "duration" },
	END_FIELDS
};

static const struct attr_field *const by_cmd[] = {
	[0] = map_create, [1] = map_elem, [2] = map_elem, [3] = map_key, [4] = map_next, [5] = prog_load, [6] = obj, [7] = obj,
	[8] = prog_attach, [9] = prog_attach, [10] = test_run, [11] = next_id, [12] = next_id, [13] = prog_id, [14] = map_id,
	[15] = info_by_fd, [16] = query, [17] = raw_tp, [18] = btf_load, [19] = btf_id, [21] = map_elem, [22] = map_freeze, [23] = next_id,
	[28] = link_create, [29] = link_update, [30] = link_id, [31] = next_id, [34] = map_freeze,
};

/* A number that the kernel replaces: both. */
static void found_id(struct dc *c, const struct attr_field *f, uint64_t before)
{
	struct mem out;
	bool known = !c->failed && mem_find(c, arg(c, 1), MEM_OUT, &out) && out.n >= (size_t)f->at + f->size;
	if (c->json) {
		v_u(c, known ? mem_u(&out, f->at, f->size) : before);
		return;
	}
	v_u(c, before);
	if (known)
		str_addf(c->out, " => %llu", (unsigned long long)mem_u(&out, f->at, f->size));
}

static void attr_value(struct dc *c, const struct attr_field *f, const struct mem *m)
{
	uint64_t v = mem_u(m, f->at, f->size);
	struct mem text = mem_sub(m, f->at, f->size);
	switch (f->kind) {
	case 'd': v_u(c, v); break;
	case 'n': found_id(c, f, v); break;
	case 'x': v_hexnum(c, v); break;
	case 'p': v_addr(c, v); break;
	case 'f': v_fd(c, (int32_t)v); break;
	case 's': v_cstr(c, &text, 0); break;
	case 'e': v_enum(c, f->table, v); break;
	case 'F': v_flags(c, f->table, v); break;
	case 'k':
		if (c->json || !c->strace)
			v_hexnum(c, v);
		else
			str_addf(c->out, "KERNEL_VERSION(%u, %u, %u)", (unsigned)v >> 16, (unsigned)v >> 8 & 0xff, (unsigned)v & 0xff);
		break;
	default: break;
	}
}

void a_bpf_attr(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint32_t cmd = arg(c, 0);
	const struct attr_field *f = cmd < sizeof(by_cmd) / sizeof(*by_cmd) ? by_cmd[cmd] : NULL;
	if (!f || !mem_find(c, arg(c, i), MEM_IN, &m)) {
		a_ptr(c, i, a);
		return;
	}
	bool nested = (f == info_by_fd || f == query) && c->strace; /* a struct inside of the union */
	v_open(c, '{');
	if (nested) {
		v_field(c, f == query ? "query" : "info");
		v_open(c, '{');
	}
	for (; f->name; f++) {
		if ((size_t)f->at + f->size > m.n)
			break;
		if (f->optional && !mem_u(&m, f->at, f->size))
			continue;
		v_field(c, f->name);
		attr_value(c, f, &m);
	}
	if (nested)
		v_close(c, '}');
	v_close(c, '}');
}

/* ---- perf_event_open ---- */

static void perf_bits(struct dc *c, uint64_t bits)
{
	static const char *const name[] = { "disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel", "exclude_hv",
		"exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec", "task", "watermark", "precise_ip", NULL,
		"mmap_data", "sample_id_all", "exclude_host", "exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user",
		"mmap2", "comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol", "bpf_event",
		"aux_output", "cgroup", "text_poke", "build_id", "inherit_thread", "remove_on_exec", "sigtrap" };
	static const char *const skid[] = { "arbitrary skid", "constant skid", "requested to have 0 skid", "must have 0 skid" };
	for (unsigned i = 0; i < sizeof(name) / sizeof(*name); i++) {
		uint64_t v = i == 15 ? bits >> 15 & 3 : bits >> i & 1;
		if (!name[i] || (!v && i != 15 && !c->json)) /* precise_ip is two bits and always shown */
			continue;
		v_field(c, name[i]);
		v_u(c, v);
		if (i == 15)
			v_comment(c, skid[v]);
	}
}

void a_perf_attr(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < 48) {
		a_ptr(c, i, a);
		return;
	}
	uint32_t type = mem_u(&m, 0, 4), size = mem_u(&m, 4, 4);
	uint64_t config = mem_u(&m, 8, 8), bits = mem_u(&m, 40, 8);
	v_open(c, '{');
	v_field(c, "type");
	v_enum(c, X_perf_type, type);
	v_field(c, "size");
	v_enum(c, X_perf_attr_size, size);
	v_field(c, "config");
	if (type == 0 && xlat_name(X_perf_hw_id, config))
		v_enum(c, X_perf_hw_id, config);
	else if (type == 1 && xlat_name(X_perf_sw_id, config))
		v_enum(c, X_perf_sw_id, config);
	else
		v_hexnum(c, config);
	v_field(c, bits >> 10 & 1 ? "sample_freq" : "sample_period");
	v_u(c, mem_u(&m, 16, 8));
	v_field(c, "sample_type");
	v_flags(c, X_perf_sample, mem_u(&m, 24, 8));
	v_field(c, "read_format");
	v_flags(c, X_perf_read_format, mem_u(&m, 32, 8));
	perf_bits(c, bits);
	v_more(c);
	v_close(c, '}');
}
