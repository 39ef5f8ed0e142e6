// SPDX-License-Identifier: GPL-2.0-or-later
/* ioctl: commands by name (tables/ioctls.def), and the arguments that have a decoder. A command nobody
 * knows is taken apart: _IOC(_IOC_READ, 0x12, 0x72, 0x8). */
#include <stdlib.h>
#include <string.h>
#include "syscall/table.h"

struct ioctl_name { uint32_t cmd; const char *name; };
static const struct ioctl_name names[] = { /* sorted by number */
#define IOCTL_NAME(cmd, name) { cmd, name },
#include "syscall/tables/ioctls.def"
#undef IOCTL_NAME
};

static int by_number(const void *key, const void *elem)
{
	uint32_t a = *(const uint32_t *)key, b = ((const struct ioctl_name *)elem)->cmd;
	return a < b ? -1 : a > b;
}

static const char *ioctl_name(uint32_t cmd)
{
	const struct ioctl_name *n = bsearch(&cmd, names, sizeof(names) / sizeof(*names), sizeof(*names), by_number);
	return n ? n->name : NULL;
}

enum { DIR_WRITE = 1, DIR_READ = 2 };

static void unknown(struct dc *c, uint32_t cmd)
{
	static const char *const dir[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE" };
	struct str *s = c->json ? &c->d->scratch : c->out;
	v_parts_begin(c);
	v_part(c, "_IOC(");
	str_add(s, dir[cmd >> 30]);
	str_add(s, ", ");
	str_add_hex(s, cmd >> 8 & 0xff);
	str_add(s, ", ");
	str_add_hex(s, cmd & 0xff);
	str_add(s, ", ");
	str_add_hex(s, cmd >> 16 & 0x3fff);
	str_addc(s, ')');
	v_parts_end(c);
}

void a_ioctl_cmd(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t cmd = arg(c, i);
	const char *name = ioctl_name(cmd);
	if (name)
		v_word(c, name);
	else
		unknown(c, cmd);
}

/* ---- arguments ---- */

/* What the third argument is: n nothing, d a number itself, or a struct in, out, both. */
static const struct ioctl_arg { uint32_t cmd; char how; uint8_t id; } args[] = {
	{ 0x5401, 'o', ST_termios }, { 0x5402, 'i', ST_termios }, { 0x5403, 'i', ST_termios }, { 0x5404, 'i', ST_termios },
	{ 0x802c542a, 'o', ST_termios2 }, { 0x402c542b, 'i', ST_termios2 }, { 0x402c542c, 'i', ST_termios2 },
	{ 0x402c542d, 'i', ST_termios2 },
	{ 0x5409, 'd', 0 }, { 0x540a, 'd', 0 }, { 0x540b, 'd', 0 }, { 0x540c, 'n', 0 }, { 0x540d, 'n', 0 }, { 0x540e, 'd', 0 },
	{ 0x540f, 'o', ST_int }, { 0x5410, 'i', ST_int }, { 0x5411, 'o', ST_int }, { 0x5413, 'o', ST_winsize },
	{ 0x5414, 'i', ST_winsize }, { 0x541b, 'o', ST_int }, { 0x5421, 'i', ST_int }, { 0x5422, 'n', 0 }, { 0x5424, 'o', ST_int },
	{ 0x5429, 'o', ST_int }, { 0x5450, 'n', 0 }, { 0x5451, 'n', 0 }, { 0x5452, 'i', ST_int }, { 0x5460, 'o', ST_off64 },
	{ 0x80045430, 'o', ST_uint }, { 0x40045431, 'i', ST_int }, { 0x80045438, 'o', ST_int }, { 0x5441, 'n', 0 },
	{ 0x8912, 'o', ST_ifconf }, { 0x8910, 'b', ST_ifreq }, { 0x8913, 'b', ST_ifreq }, { 0x8914, 'i', ST_ifreq },
	{ 0x8915, 'b', ST_ifreq }, { 0x8917, 'b', ST_ifreq }, { 0x8919, 'b', ST_ifreq }, { 0x891b, 'b', ST_ifreq },
	{ 0x8921, 'b', ST_ifreq }, { 0x8927, 'b', ST_ifreq }, { 0x8933, 'b', ST_ifreq }, { 0x8942, 'b', ST_ifreq },
	{ 0x40049409, 'f', 0 }, { 0x4020940d, 'i', ST_file_clone_range }, { 0x801c581f, 'o', ST_fsxattr },
	{ 0x401c5820, 'i', ST_fsxattr }, { 0x80086601, 'o', ST_inode_flags }, { 0x40086602, 'i', ST_inode_flags },
	{ 0x1260, 'o', ST_ulong }, { 0x80081272, 'o', ST_u64 }, { 0x1268, 'o', ST_int }, { 0x125d, 'i', ST_int },
	{ 0x125e, 'o', ST_int }, { 0x80041270, 'o', ST_int },
	{ 0x2400, 'd', 0 }, { 0x2401, 'd', 0 }, { 0x2402, 'd', 0 }, { 0x2403, 'd', 0 }, { 0x2405, 'd', 0 }, { 0x40042408, 'f', 0 },
	{ 0x40082406, 's', 0 }, { 0x80082407, 'o', ST_ulong }, { 0x40042409, 'd', 0 },
	{ 0xb701, 'n', 0 }, { 0xb702, 'n', 0 }, { 0xb703, 'n', 0 }, { 0xae00, 'd', 0 }, { 0xae01, 'd', 0 }, { 0xae03, 'd', 0 },
	{ 0xae80, 'd', 0 },
};

static const struct ioctl_arg *arg_kind(uint32_t cmd)
{
	for (unsigned i = 0; i < sizeof(args) / sizeof(*args); i++)
		if (args[i].cmd == cmd)
			return &args[i];
	return NULL;
}

void a_ioctl_arg(struct dc *c, int i, const struct arg_def *a)
{
	const struct ioctl_arg *k = arg_kind(arg(c, 1));
	if (!k) {
		a_hex(c, i, a);
		return;
	}
	bool out = k->how == 'o' || (k->how == 'b' && !c->failed);
	if (k->how == 'd')
		a_int(c, i, a);
	else if (k->how == 'n')
		a_hex(c, i, a);
	else if (k->how == 'f')
		a_fd(c, i, a);
	else if (k->how == 's')
		a_str(c, i, a);
	else if (out && c->failed)
		a_ptr(c, i, a);
	else
		v_struct_at(c, k->id, arg(c, i), out ? MEM_OUT : MEM_IN);
}

/* ---- terminals ---- */

struct_fn struct_termios, struct_termios2, struct_ifreq, struct_ifconf;

enum { BAUD_MASK = 010017, SIZE_MASK = 060 };

static void cflag(struct dc *c, uint32_t v)
{
	v_parts_begin(c);
	v_part_enum(c, X_term_baud, v & BAUD_MASK);
	v_part_enum(c, X_term_csize, v & SIZE_MASK);
	uint32_t rest = v & ~(uint32_t)(BAUD_MASK | SIZE_MASK);
	if (rest)
		v_part_flags(c, X_term_cflag, rest);
	v_parts_end(c);
}

/* B38400 opost isig icanon echo ...: strace's short form of a terminal's state. */
static void termios_short(struct dc *c, const struct mem *m)
{
	uint32_t o = mem_u(m, 4, 4), cf = mem_u(m, 8, 4), l = mem_u(m, 12, 4);
	const char *baud = xlat_name(X_term_baud, cf & BAUD_MASK);
	str_add(c->out, "{c_iflag=");
	v_flags(c, X_term_iflag, mem_u(m, 0, 4));
	str_add(c->out, ", c_oflag=");
	(void)baud;
	v_parts_begin(c);
	static const char *const delay[] = { "NL0", "CR0", "TAB0", "BS0", "VT0", "FF0" };
	for (int i = 0; i < 6; i++)
		v_part(c, delay[i]);
	if (o & 0377)
		v_part_flags(c, X_term_oflag, o & 0377);
	v_parts_end(c);
	str_add(c->out, ", c_cflag=");
	cflag(c, cf);
	str_add(c->out, ", c_lflag=");
	v_flags(c, X_term_lflag, l);
	str_add(c->out, ", ...}");
}

void struct_termios(struct dc *c, const struct mem *m)
{
	if (!c->json && c->strace && !(mem_u(m, 4, 4) & ~0377u)) {
		termios_short(c, m);
		return;
	}
	v_open(c, '{');
	v_field(c, "c_iflag");
	v_flags(c, X_term_iflag, mem_u(m, 0, 4));
	v_field(c, "c_oflag");
	v_flags(c, X_term_oflag, mem_u(m, 4, 4));
	v_field(c, "c_cflag");
	cflag(c, mem_u(m, 8, 4));
	v_field(c, "c_lflag");
	v_flags(c, X_term_lflag, mem_u(m, 12, 4));
	v_more(c);
	v_close(c, '}');
}

void struct_termios2(struct dc *c, const struct mem *m)
{
	struct_termios(c, m);
}

/* ---- network interfaces ---- */

void struct_ifconf(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "ifc_len");
	v_s(c, mem_s(m, 0, 4));
	v_field(c, "ifc_buf");
	v_addr(c, mem_u(m, c->word, c->word));
	v_close(c, '}');
}

enum { IF_NAME = 0x8910, IF_FLAGS = 0x8913, IF_SET_FLAGS = 0x8914, IF_MTU = 0x8921, IF_INDEX = 0x8933, IF_TXQLEN = 0x8942 };

void struct_ifreq(struct dc *c, const struct mem *m)
{
	uint32_t cmd = arg(c, 1);
	struct mem name = mem_sub(m, 0, 16), addr = mem_sub(m, 16, 16);
	v_open(c, '{');
	v_field(c, "ifr_name");
	v_cstr(c, &name, 0);
	if (c->failed && cmd != IF_SET_FLAGS) {
		v_close(c, '}');
		return;
	}
	if (cmd == IF_FLAGS || cmd == IF_SET_FLAGS) {
		v_field(c, "ifr_flags");
		v_flags(c, X_netdev_flags, mem_u(m, 16, 2));
	} else if (cmd == IF_INDEX || cmd == IF_NAME) {
		v_field(c, "ifr_ifindex");
		v_s(c, mem_s(m, 16, 4));
	} else if (cmd == IF_MTU || cmd == IF_TXQLEN) {
		v_field(c, cmd == IF_MTU ? "ifr_mtu" : "ifr_qlen");
		v_s(c, mem_s(m, 16, 4));
	} else {
		v_field(c, cmd == 0x8927 ? "ifr_hwaddr" : "ifr_addr");
		v_sockaddr(c, &addr);
	}
	v_close(c, '}');
}
