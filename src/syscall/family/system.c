// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls that run the machine: quotas, swap, reboot, the kernel's log, fanotify, new mounts, segments. */
#include <string.h>
#include "syscall/table.h"

/* A number and, to strace, its name behind it. */
static void named_number(struct dc *c, enum xlat_id table, int32_t v)
{
	const char *name = xlat_name(table, (uint32_t)v);
	if (c->json || !c->strace) {
		v_enum(c, table, (uint32_t)v);
		return;
	}
	v_s(c, v);
	v_comment(c, name ? name : xlat(table)->unknown);
}

/* ---- the kernel's log ---- */

enum { LOG_READ = 2, LOG_READ_ALL = 3, LOG_READ_CLEAR = 4, LOG_LEVEL = 8, LOG_LAST = 10 };

int n_syslog(struct dc *c)
{
	uint32_t type = arg(c, 0);
	bool takes = (type >= LOG_READ && type <= LOG_READ_CLEAR) || type == LOG_LEVEL || type > LOG_LAST;
	return takes ? 3 : 1;
}

void a_syslog(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t type = arg(c, 0);
	if (i == 0)
		named_number(c, X_syslog_action, arg(c, 0));
	else if (i == 2 && type == LOG_LEVEL)
		named_number(c, X_log_levels, arg(c, 2));
	else if (i == 2)
		a_int(c, i, a);
	else if (type >= LOG_READ && type <= LOG_READ_CLEAR)
		a_buf_out(c, i, a);
	else
		a_ptr(c, i, a);
}

/* ---- reboot, swap ---- */

enum { RESTART2 = 0xa1b2c3d4 };

int n_reboot(struct dc *c)
{
	return (uint32_t)arg(c, 2) == RESTART2 ? 4 : 3;
}

enum { PRIORITY = 0x7fff };

void a_swap_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t v = arg(c, i);
	v_parts_begin(c);
	if (v & ~(uint32_t)PRIORITY)
		v_part_flags(c, X_swapon_flags, v & ~(uint32_t)PRIORITY);
	v_part(c, "");
	str_add_u64(c->json ? &c->d->scratch : c->out, v & PRIORITY);
	v_parts_end(c);
}

/* ---- quotas ---- */

void a_quota_cmd(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t v = arg(c, i);
	if (c->json || !c->strace) {
		v_enum(c, X_quota_cmd, v >> 8);
		return;
	}
	str_add(c->out, "QCMD(");
	v_enum(c, X_quota_cmd, v >> 8);
	str_add(c->out, ", ");
	v_enum(c, X_quota_type, v & 0xff);
	str_addc(c->out, ')');
}

struct_fn struct_quota_format;
void struct_quota_format(struct dc *c, const struct mem *m)
{
	v_open(c, '[');
	v_item(c);
	v_enum(c, X_quota_formats, mem_u(m, 0, 4));
	v_close(c, ']');
}

/* What each command takes: nothing (n), an id (i) or a format (f), and a struct that the kernel reads (r) or fills (w),
 * a path (p) or an address (a). */
static const struct quota { uint32_t cmd; const char *how; int id; } quotas[] = {
	{ 0x800001, "n", 0 }, { 0x800002, "fp", 0 }, { 0x800003, "n", 0 }, { 0x800004, "w", ST_quota_format }, { 0x800005, "w", ST_dqinfo },
	{ 0x800006, "r", ST_dqinfo }, { 0x800007, "iw", ST_dqblk }, { 0x800008, "ir", ST_dqblk }, { 0x800009, "iw", ST_nextdqblk },
	{ 0x5803, "iw", ST_xfs_dqblk }, { 0x5804, "ir", ST_xfs_dqblk }, { 0x5809, "iw", ST_xfs_dqblk }, { 0x5805, "a", 0 }, { 0x5808, "a", 0 },
	{ 0x5801, "r", ST_hex32 }, { 0x5802, "r", ST_hex32 }, { 0x5806, "r", ST_hex32 }, { 0x5807, "n", 0 },
};
static const struct quota quota_any = { 0, "ia", 0 };

static const struct quota *quota_of(const struct dc *c)
{
	bool by_fd = !strcmp(c->row->def->name, "quotactl_fd");
	uint32_t cmd = (uint32_t)arg(c, by_fd ? 1 : 0) >> 8;
	for (unsigned i = 0; i < sizeof(quotas) / sizeof(*quotas); i++)
		if (quotas[i].cmd == cmd)
			return &quotas[i];
	return &quota_any;
}

int n_quotactl(struct dc *c)
{
	return quota_of(c)->how[0] == 'n' ? 2 : 4;
}

/* The third argument; commands without an id have none to show. */
bool quota_has_id(struct dc *c)
{
	char h = quota_of(c)->how[0];
	return h == 'i' || h == 'f';
}

void a_quota_id(struct dc *c, int i, const struct arg_def *a)
{
	if (quota_of(c)->how[0] == 'f')
		v_enum(c, X_quota_formats, (uint32_t)arg(c, i));
	else
		a_uid(c, i, a);
}

void a_quota_data(struct dc *c, int i, const struct arg_def *a)
{
	const struct quota *q = quota_of(c);
	char h = q->how[strlen(q->how) - 1];
	if (h == 'p')
		v_path(c, arg(c, i));
	else if (h == 'r' || (h == 'w' && !c->failed))
		v_struct_at(c, q->id, arg(c, i), h == 'r' ? MEM_IN : MEM_OUT);
	else
		a_ptr(c, i, a);
}

/* ---- fanotify ---- */

enum { CLASS_BITS = 0xc, NO_FD = -1 };

void a_fanotify_flags(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t v = arg(c, i);
	v_parts_begin(c);
	v_part_enum(c, X_fan_classes, v & CLASS_BITS);
	if (v & ~(uint32_t)CLASS_BITS)
		v_part_flags(c, X_fanotify_init_flags, v & ~(uint32_t)CLASS_BITS);
	v_parts_end(c);
}

void a_fanotify_dir(struct dc *c, int i, const struct arg_def *a)
{
	if ((int32_t)arg(c, i) != NO_FD) {
		a_dir(c, i, a);
	} else if (!v_number(c, (int64_t)NO_FD, 10)) {
		v_word(c, c->strace ? "FAN_NOFD" : "NOFD");
		v_named(c);
	}
}

/* ---- new mounts ---- */

enum { SET_FLAG, SET_STRING, SET_BINARY, SET_PATH, SET_PATH_EMPTY, SET_FD };

static void binary(struct dc *c, int i, const struct arg_def *a)
{
	enum hex_strings *hex = &c->d->style.hex, was = *hex;
	struct mem m;
	uint32_t n = arg(c, 4);
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || (m.n < n && m.n < c->d->style.string_limit)) {
		a_ptr(c, i, a);
		return;
	}
	*hex = HEX_ALL;
	v_str(c, m.p, m.n < n ? m.n : n, m.n < n, c->d->style.string_limit);
	*hex = was;
}

void a_fsconfig(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t cmd = arg(c, 1);
	bool path = cmd == SET_PATH || cmd == SET_PATH_EMPTY;
	if (i == 2 && cmd <= SET_FD)
		a_str(c, i, a);
	else if (i == 3 && cmd == SET_STRING)
		a_str(c, i, a);
	else if (i == 3 && path)
		v_path(c, arg(c, i));
	else if (i == 3 && cmd == SET_BINARY)
		binary(c, i, a);
	else if (i == 4 && path)
		a_dir(c, i, a);
	else if (i == 4 && cmd == SET_FD)
		a_fd(c, i, a);
	else if (i == 4)
		a_int(c, i, a);
	else
		a_ptr(c, i, a);
}

/* ---- segments ---- */

static void padded(struct dc *c, const char *name, uint32_t v)
{
	v_field(c, name);
	if (c->json)
		v_hexnum(c, v);
	else
		str_addf(c->out, "%#08x", v);
}

/* before: the number of the entry that the caller gave, where the kernel chose another */
static void segment(struct dc *c, const struct mem *m, const struct mem *before)
{
	static const struct { const char *name; uint8_t at, bits; } field[] = { { "seg_32bit", 0, 1 }, { "contents", 1, 2 },
		{ "read_exec_only", 3, 1 }, { "limit_in_pages", 4, 1 }, { "seg_not_present", 5, 1 }, { "useable", 6, 1 }, { "lm", 7, 1 } };
	uint32_t bits = mem_u(m, 12, 4);
	v_open(c, '{');
	v_field(c, "entry_number");
	if (before && !c->json && mem_u(before, 0, 4) != mem_u(m, 0, 4)) {
		v_uid(c, mem_u(before, 0, 4));
		str_add(c->out, " => ");
	}
	v_uid(c, mem_u(m, 0, 4));
	padded(c, "base_addr", mem_u(m, 4, 4));
	padded(c, "limit", mem_u(m, 8, 4));
	for (unsigned i = 0; i < (c->word == 8 ? 7 : 6); i++) {
		v_field(c, field[i].name);
		v_u(c, bits >> field[i].at & ((1u << field[i].bits) - 1));
	}
	v_close(c, '}');
}

struct_fn struct_user_desc;
void struct_user_desc(struct dc *c, const struct mem *m)
{
	segment(c, m, NULL);
}

/* get_thread_area reads the number of an entry and fills the rest. */
void a_thread_area(struct dc *c, int i, const struct arg_def *a)
{
	struct mem in, out;
	bool before = mem_find(c, arg(c, i), MEM_IN, &in) && in.n >= 4;
	if (!c->failed && mem_find(c, arg(c, i), MEM_OUT, &out) && out.n >= 16)
		segment(c, &out, before ? &in : NULL);
	else if (before && !c->json) {
		v_open(c, '{');
		v_field(c, "entry_number");
		v_uid(c, mem_u(&in, 0, 4));
		v_more(c);
		v_close(c, '}');
	} else
		a_ptr(c, i, a);
}

/* The entry that set_thread_area chose. */
void r_thread_area(struct dc *c, int64_t ret)
{
	struct mem m;
	v_s(c, ret);
	if (!c->json && c->strace && c->e->args_known && mem_find(c, arg(c, 0), MEM_OUT, &m) && m.n >= 4)
		str_addf(c->out, " (entry_number=%u)", (unsigned)mem_u(&m, 0, 4));
}

enum { LDT_WRITE = 1, LDT_WRITE_NEW = 0x11, DESC = 16 };

void a_ldt(struct dc *c, int i, const struct arg_def *a)
{
	if (arg(c, 2) == DESC)
		v_struct_at(c, ST_user_desc, arg(c, i), MEM_IN);
	else
		a_ptr(c, i, a);
}
