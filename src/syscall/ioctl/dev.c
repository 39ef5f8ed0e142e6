// SPDX-License-Identifier: GPL-2.0-or-later
/* Block and loop devices, clocks, input devices, user faults, seccomp's messages: what tables/structs.def cannot say. */
#include "syscall/ioctl/ioctl.h"

struct_fn struct_ushort, struct_slong, struct_number64, struct_hex64, struct_hex32, struct_pair64, struct_pair32, struct_fs_label,
	struct_fiemap_got, struct_blkpg, struct_blktrace, struct_loop_info, struct_loop_info64, struct_loop_config, struct_rand_pool,
	struct_perf_query_bpf, struct_rtc_param, struct_rtc_vl, struct_lirc_mode, struct_lirc_features, struct_keycode,
	struct_uffdio_api, struct_uffdio_register, struct_uffdio_copy, struct_uffdio_zeropage, struct_seccomp_notif, struct_seccomp_resp,
	struct_kvm_cpuid, struct_kvm_regs, struct_kvm_sregs;

STRUCT_ONE(ushort, v_u(c, mem_u(m, 0, 2)))
STRUCT_ONE(slong, v_s(c, mem_s(m, 0, c->word)))
STRUCT_ONE(number64, v_u(c, mem_u(m, 0, 8)))
STRUCT_ONE(hex64, v_hexnum(c, mem_u(m, 0, 8)))
STRUCT_ONE(hex32, v_hexnum(c, mem_u(m, 0, 4)))
STRUCT_ONE(rtc_vl, v_flags(c, X_rtc_vl_flags, mem_u(m, 0, 4)))
STRUCT_ONE(lirc_mode, v_enum(c, X_lirc_modes, mem_u(m, 0, 4)))
STRUCT_ONE(lirc_features, v_flags(c, X_lirc_features, mem_u(m, 0, 4)))

static void pair(struct dc *c, const struct mem *m, size_t w)
{
	v_open(c, '[');
	v_item(c);
	v_u(c, mem_u(m, 0, w));
	v_item(c);
	v_u(c, mem_u(m, w, w));
	v_close(c, ']');
}

void struct_pair64(struct dc *c, const struct mem *m) { pair(c, m, 8); }
void struct_pair32(struct dc *c, const struct mem *m) { pair(c, m, 4); }
void struct_fs_label(struct dc *c, const struct mem *m) { v_chars(c, m); }

static void number(struct dc *c, const char *name, const struct mem *m, size_t at, size_t size)
{
	v_field(c, name);
	v_u(c, mem_u(m, at, size));
}

static void hex(struct dc *c, const char *name, const struct mem *m, size_t at, size_t size)
{
	v_field(c, name);
	v_hexnum(c, mem_u(m, at, size));
}

static void flags(struct dc *c, const char *name, enum xlat_id table, uint64_t v)
{
	v_field(c, name);
	v_flags(c, table, v);
}

static void chars(struct dc *c, const char *name, const struct mem *m, size_t at, size_t size)
{
	struct mem part = mem_sub(m, at, size);
	v_field(c, name);
	v_chars(c, &part);
}

/* What the kernel adds is there after a call that went well. */
static bool filled(const struct dc *c)
{
	return !c->failed && !c->entered;
}

/* ---- files and disks ---- */

void struct_fiemap_got(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	flags(c, "fm_flags", X_fiemap_flags, mem_u(m, 16, 4));
	number(c, "fm_mapped_extents", m, 20, 4);
	v_more(c);
	v_close(c, '}');
}

static void partition(struct dc *c, uint64_t addr)
{
	struct mem m;
	if (!mem_find(c, addr, MEM_IN, &m) || m.n < 148) {
		v_addr(c, addr);
		return;
	}
	v_open(c, '{');
	v_field(c, "start");
	v_s(c, mem_s(&m, 0, 8));
	v_field(c, "length");
	v_s(c, mem_s(&m, 8, 8));
	v_field(c, "pno");
	v_s(c, mem_s(&m, 16, 4));
	chars(c, "devname", &m, 20, 64);
	chars(c, "volname", &m, 84, 64);
	v_close(c, '}');
}

void struct_blkpg(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "op");
	v_enum(c, X_blkpg_ops, mem_u(m, 0, 4));
	v_field(c, "flags");
	v_s(c, mem_s(m, 4, 4));
	v_field(c, "datalen");
	v_s(c, mem_s(m, 8, 4));
	v_field(c, "data");
	partition(c, mem_u(m, c->word == 8 ? 16 : 12, c->word));
	v_close(c, '}');
}

void struct_blktrace(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	number(c, "act_mask", m, 32, 2);
	number(c, "buf_size", m, 36, 4);
	number(c, "buf_nr", m, 40, 4);
	number(c, "start_lba", m, 48, 8);
	number(c, "end_lba", m, 56, 8);
	number(c, "pid", m, 64, 4);
	if (filled(c))
		chars(c, "name", m, 0, 32);
	v_close(c, '}');
}

void struct_loop_info(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "lo_number");
	v_s(c, mem_s(m, 0, 4));
	if (whole(c)) {
		v_field(c, "lo_device");
		v_dev(c, mem_u(m, 8, 8));
		number(c, "lo_inode", m, 16, 8);
		v_field(c, "lo_rdevice");
		v_dev(c, mem_u(m, 24, 8));
	}
	hex(c, "lo_offset", m, 32, 4);
	if (mem_u(m, 36, 4) || whole(c)) {
		v_field(c, "lo_encrypt_type");
		v_enum(c, X_loop_crypt, mem_u(m, 36, 4));
		number(c, "lo_encrypt_key_size", m, 40, 4);
	}
	flags(c, "lo_flags", X_loop_flags, mem_u(m, 44, 4));
	chars(c, "lo_name", m, 48, 64);
	v_more(c);
	v_close(c, '}');
}

void struct_loop_info64(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	if (whole(c)) {
		v_field(c, "lo_device");
		v_dev(c, mem_u(m, 0, 8));
		number(c, "lo_inode", m, 8, 8);
		v_field(c, "lo_rdevice");
		v_dev(c, mem_u(m, 16, 8));
	}
	hex(c, "lo_offset", m, 24, 8);
	if (whole(c))
		number(c, "lo_sizelimit", m, 32, 8);
	number(c, "lo_number", m, 40, 4);
	if (mem_u(m, 44, 4) || whole(c)) {
		v_field(c, "lo_encrypt_type");
		v_enum(c, X_loop_crypt, mem_u(m, 44, 4));
		number(c, "lo_encrypt_key_size", m, 48, 4);
	}
	flags(c, "lo_flags", X_loop_flags, mem_u(m, 52, 4));
	chars(c, "lo_file_name", m, 56, 64);
	if (mem_u(m, 44, 4) || whole(c)) {
		uint64_t n = mem_u(m, 48, 4);
		struct mem key = mem_sub(m, 184, n < 32 ? n : 32);
		chars(c, "lo_crypt_name", m, 120, 64);
		v_field(c, "lo_encrypt_key");
		v_str(c, key.p, key.n, false, c->d->style.string_limit);
	}
	v_more(c);
	v_close(c, '}');
}

void struct_loop_config(struct dc *c, const struct mem *m)
{
	struct mem info = mem_sub(m, 8, 232);
	v_open(c, '{');
	v_field(c, "fd");
	v_fd(c, mem_s(m, 0, 4));
	number(c, "block_size", m, 4, 4);
	v_field(c, "info");
	struct_loop_info64(c, &info);
	v_close(c, '}');
}

/* ---- entropy, counters, clocks ---- */

void struct_rand_pool(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "entropy_count");
	v_s(c, mem_s(m, 0, 4));
	v_field(c, "buf_size");
	v_s(c, mem_s(m, 4, 4));
	v_more(c);
	v_close(c, '}');
}

void struct_perf_query_bpf(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	number(c, "ids_len", m, 0, 4);
	if (filled(c))
		number(c, "prog_cnt", m, 4, 4);
	v_more(c);
	v_close(c, '}');
}

enum { RTC_FEATURES, RTC_CORRECTION, RTC_SWITCH_MODE, RTC_SET = 0x40187014 };

void struct_rtc_param(struct dc *c, const struct mem *m)
{
	uint64_t param = mem_u(m, 0, 8), v = mem_u(m, 8, 8);
	v_open(c, '{');
	v_field(c, "param");
	v_enum(c, X_rtc_params, param);
	if ((uint32_t)arg(c, 1) == RTC_SET) {
		v_field(c, param == RTC_CORRECTION ? "svalue" : "uvalue");
		if (param == RTC_FEATURES)
			v_flags(c, X_rtc_features, v);
		else if (param == RTC_CORRECTION)
			v_s(c, v);
		else if (param == RTC_SWITCH_MODE)
			v_enum(c, X_rtc_bsm, v);
		else
			v_hexnum(c, v);
	}
	number(c, "index", m, 16, 4);
	v_close(c, '}');
}

/* ---- user faults ---- */

static void range(struct dc *c, const struct mem *m)
{
	struct mem part = mem_sub(m, 0, 16);
	v_field(c, "range");
	v_struct(c, ST_uffdio_range, &part);
}

void struct_uffdio_api(struct dc *c, const struct mem *m)
{
	struct mem in;
	uint64_t now = mem_u(m, 8, 8);
	bool before = mem_find(c, arg(c, 2), MEM_IN, &in) && in.n >= 24;
	v_open(c, '{');
	hex(c, "api", m, 0, 8);
	flags(c, "features", X_uffd_features, before && !c->json ? mem_u(&in, 8, 8) : now);
	if (filled(c)) {
		if (before && !c->json && mem_u(&in, 8, 8) != now) {
			str_add(c->out, c->strace ? " => features=" : " => ");
			v_flags(c, X_uffd_features, now);
		}
		flags(c, "ioctls", X_uffd_api_ioctls, mem_u(m, 16, 8));
	}
	v_close(c, '}');
}

void struct_uffdio_register(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	range(c, m);
	flags(c, "mode", X_uffd_register, mem_u(m, 16, 8));
	if (filled(c))
		flags(c, "ioctls", X_uffd_ioctls, mem_u(m, 24, 8));
	v_close(c, '}');
}

void struct_uffdio_copy(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	hex(c, "dst", m, 0, 8);
	hex(c, "src", m, 8, 8);
	hex(c, "len", m, 16, 8);
	flags(c, "mode", X_uffd_copy, mem_u(m, 24, 8));
	if (filled(c))
		hex(c, "copy", m, 32, 8);
	v_close(c, '}');
}

void struct_uffdio_zeropage(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	range(c, m);
	flags(c, "mode", X_uffd_zeropage, mem_u(m, 16, 8));
	if (filled(c))
		hex(c, "zeropage", m, 24, 8);
	v_close(c, '}');
}

/* ---- seccomp ---- */

enum { ARCH_64 = 0xc000003e, ARCH_32 = 0x40000003 };

static void seccomp_data(struct dc *c, const struct mem *m)
{
	uint32_t nr = mem_u(m, 0, 4), arch = mem_u(m, 4, 4);
	const struct syscall_row *r = arch == ARCH_64 || arch == ARCH_32 ? syscall_find(arch == ARCH_64 ? ABI_NATIVE : ABI_32, nr) : NULL;
	v_field(c, "data");
	v_open(c, '{');
	v_field(c, "nr");
	if (r && c->strace && !c->json)
		str_addf(c->out, "__NR_%s", r->def->name);
	else if (r)
		v_word(c, r->def->name);
	else
		v_hexnum(c, nr);
	v_field(c, "arch");
	v_enum(c, X_audit_arch, arch);
	v_field(c, "instruction_pointer");
	v_addr(c, mem_u(m, 8, 8));
	v_field(c, "args");
	v_open(c, '[');
	for (int i = 0; i < 6; i++) {
		v_item(c);
		v_hexnum(c, mem_u(m, 16 + 8 * i, 8));
	}
	v_close(c, ']');
	v_close(c, '}');
}

void struct_seccomp_notif(struct dc *c, const struct mem *m)
{
	struct mem data = mem_sub(m, 16, 64);
	if (!filled(c)) {
		v_addr(c, m->addr);
		return;
	}
	v_open(c, '{');
	hex(c, "id", m, 0, 8);
	number(c, "pid", m, 8, 4);
	hex(c, "flags", m, 12, 4);
	seccomp_data(c, &data);
	v_close(c, '}');
}

void struct_seccomp_resp(struct dc *c, const struct mem *m)
{
	int64_t err = mem_s(m, 16, 4);
	const char *name = errno_name(-err);
	v_open(c, '{');
	hex(c, "id", m, 0, 8);
	v_field(c, "val");
	v_s(c, mem_s(m, 8, 8));
	v_field(c, "error");
	if (name && !c->json)
		str_addf(c->out, "-%s", name);
	else
		v_s(c, err);
	flags(c, "flags", X_seccomp_resp, mem_u(m, 20, 4));
	v_close(c, '}');
}

/* ---- KVM ---- */

void struct_kvm_cpuid(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	number(c, "nent", m, 0, 4);
	v_field(c, "entries");
	v_open(c, '[');
	if (mem_u(m, 0, 4))
		v_more(c);
	v_close(c, ']');
	v_close(c, '}');
}

void struct_kvm_regs(struct dc *c, const struct mem *m)
{
	static const char *const name[] = { "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rsp", "rbp", "r8", "r9", "r10", "r11", "r12", "r13",
		"r14", "r15", "rip", "rflags" };
	const unsigned main_ones = 1 << 0 | 1 << 6 | 1 << 7 | 1 << 16 | 1 << 17;
	bool gap = false;
	v_open(c, '{');
	for (unsigned i = 0; i < 18; i++) {
		if (whole(c) || main_ones >> i & 1)
			hex(c, name[i], m, 8 * i, 8);
		else if (!gap)
			v_more(c);
		gap = !whole(c) && !(main_ones >> i & 1);
	}
	v_close(c, '}');
}

/* The code segment tells the mode that the guest is in. */
void struct_kvm_sregs(struct dc *c, const struct mem *m)
{
	static const char *const name[] = { "type", "present", "dpl", "db", "s", "l", "g", "avl" };
	v_open(c, '{');
	v_field(c, "cs");
	v_open(c, '{');
	hex(c, "base", m, 0, 8);
	number(c, "limit", m, 8, 4);
	number(c, "selector", m, 12, 2);
	for (int i = 0; i < 8; i++)
		number(c, name[i], m, 14 + i, 1);
	v_close(c, '}');
	v_more(c);
	v_close(c, '}');
}

/* ---- input devices ---- */

void struct_keycode(struct dc *c, const struct mem *m)
{
	v_open(c, '[');
	v_item(c);
	v_u(c, mem_u(m, 0, 4));
	v_item(c);
	v_enum(c, X_ev_key, mem_u(m, 4, 4));
	v_close(c, ']');
}

enum { BITS_SHOWN = 4 };

/* [KEY_ESC KEY_1 ...]: n bytes of bits by their names. */
static void bits(struct dc *c, const struct mem *m, size_t n, enum xlat_id table)
{
	unsigned shown = 0;
	v_open(c, '[');
	for (size_t b = 0; b / 8 < n && b / 8 < m->n; b++) {
		if (!(m->p[b / 8] >> (b % 8) & 1))
			continue;
		if (!c->json && shown)
			str_addc(c->out, ' ');
		c->first = false;
		if (shown++ >= BITS_SHOWN && !whole(c)) {
			str_add(c->out, "...");
			break;
		}
		v_enum(c, table, b);
	}
	v_close(c, ']');
}

static void axis(struct dc *c, const struct mem *m)
{
	static const char *const name[] = { "value", "minimum", "maximum", "fuzz", "flat", "resolution" };
	v_open(c, '{');
	for (int i = 0; i < (whole(c) ? 6 : 2) && 4u * i + 4 <= m->n; i++)
		number(c, name[i], m, 4 * i, 4);
	if (!whole(c))
		v_more(c);
	v_close(c, '}');
}

static enum xlat_id bits_of(unsigned nr)
{
	static const uint16_t by_type[32] = { [0] = X_ev_types, [1] = X_ev_key, [2] = X_ev_rel, [3] = X_ev_abs, [4] = X_ev_msc,
		[5] = X_ev_sw, [0x11] = X_ev_led, [0x12] = X_ev_snd, [0x14] = X_ev_rep, [0x15] = X_ev_ff, [0x17] = X_ev_ff_status };
	switch (nr) {
	case 0x09: return X_ev_prop;
	case 0x18: return X_ev_key;
	case 0x19: return X_ev_led;
	case 0x1a: return X_ev_snd;
	case 0x1b: return X_ev_sw;
	default: return nr >= 0x20 && nr < 0x40 ? by_type[nr - 0x20] : X_none;
	}
}

bool v_evdev(struct dc *c, uint64_t addr)
{
	uint32_t cmd = arg(c, 1), nr = cmd & 0xff;
	bool out = cmd >> 30 == 2;
	struct mem m;
	if (cmd >> 30 == 3 || !(cmd >> 30))
		return false;
	if ((out && !filled(c)) || !mem_find(c, addr, out ? MEM_OUT : MEM_IN, &m))
		v_addr(c, addr);
	else if (out && nr >= 6 && nr <= 8)
		v_str(c, m.p, (uint64_t)c->e->ret < m.n ? (uint64_t)c->e->ret : m.n, false, c->d->style.string_limit);
	else if (out && bits_of(nr) && c->e->ret)
		bits(c, &m, c->e->ret, bits_of(nr));
	else if ((out ? nr >= 0x40 && nr < 0x80 : nr >= 0xc0) && m.n >= 20)
		axis(c, &m);
	else
		v_addr(c, addr);
	return true;
}
