// SPDX-License-Identifier: GPL-2.0-or-later
/* ioctl: commands by name (tables/ioctls.def), and what their arguments are (tables/ioctl_args.def). A command nobody
 * knows is taken apart: _IOC(_IOC_READ, 0x12, 0x72, 0x8). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "syscall/ioctl/ioctl.h"

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

static void unknown(struct dc *c, struct str *s, uint32_t cmd)
{
	static const char *const dir[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE" };
	(void)c;
	str_add(s, "_IOC(");
	str_add(s, dir[cmd >> 30]);
	str_add(s, ", ");
	str_add_hex(s, ioctl_type(cmd));
	str_add(s, ", ");
	str_add_hex(s, cmd & 0xff);
	str_add(s, ", ");
	str_add_hex(s, ioctl_size(cmd));
	str_addc(s, ')');
}

/* Commands with a number or a length inside: type, direction, first and last number, and the name; what the name is
 * called with: the number (n), the length (s), or a constant of `table` (e), of which the length may follow (E). */
static const struct ioctl_family { char type; uint8_t dir, from, to; const char *name, *how; enum xlat_id table; } families[] = {
	{ 'E', 1, 0xc0, 0xff, "EVIOCSABS", "e", X_ev_abs }, { 'E', 2, 0x20, 0x3f, "EVIOCGBIT", "es", X_ev_types },
	{ 'E', 2, 0x40, 0x7f, "EVIOCGABS", "e", X_ev_abs }, { 'E', 2, 0x06, 0x06, "EVIOCGNAME", "s", X_none },
	{ 'E', 2, 0x07, 0x07, "EVIOCGPHYS", "s", X_none }, { 'E', 2, 0x08, 0x08, "EVIOCGUNIQ", "s", X_none },
	{ 'E', 2, 0x09, 0x09, "EVIOCGPROP", "s", X_none }, { 'E', 2, 0x0a, 0x0a, "EVIOCGMTSLOTS", "s", X_none },
	{ 'E', 2, 0x18, 0x18, "EVIOCGKEY", "s", X_none }, { 'E', 2, 0x19, 0x19, "EVIOCGLED", "s", X_none },
	{ 'E', 2, 0x1a, 0x1a, "EVIOCGSND", "s", X_none }, { 'E', 2, 0x1b, 0x1b, "EVIOCGSW", "s", X_none },
	{ 'H', 2, 0x04, 0x04, "HIDIOCGRAWNAME", "s", X_none }, { 'H', 2, 0x05, 0x05, "HIDIOCGRAWPHYS", "s", X_none },
	{ 'H', 2, 0x06, 0x06, "HIDIOCSFEATURE", "s", X_none }, { 'H', 2, 0x08, 0x08, "HIDIOCGRAWUNIQ", "s", X_none },
	{ 'H', 2, 0x12, 0x12, "HIDIOCGPHYS", "s", X_none }, { 'H', 3, 0x06, 0x06, "HIDIOCSFEATURE", "s", X_none },
	{ 'H', 3, 0x07, 0x07, "HIDIOCGFEATURE", "s", X_none }, { 'M', 1, 0, 0xff, "MIXER_WRITE", "n", X_none },
	{ 'M', 2, 0, 0xff, "MIXER_READ", "n", X_none }, { 'U', 2, 0x2c, 0x2c, "UI_GET_SYSNAME", "s", X_none },
	{ 'j', 2, 0x13, 0x13, "JSIOCGNAME", "s", X_none }, { 'k', 1, 0, 0, "SPI_IOC_MESSAGE", "s", X_none },
};

static const struct ioctl_family *family_of(uint32_t cmd)
{
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		const struct ioctl_family *f = &families[i];
		if (f->type == (char)ioctl_type(cmd) && f->dir == cmd >> 30 && (cmd & 0xff) >= f->from && (cmd & 0xff) <= f->to)
			return f;
	}
	return NULL;
}

static void family_name(struct str *s, const struct ioctl_family *f, uint32_t cmd)
{
	str_add(s, f->name);
	str_addc(s, '(');
	for (const char *h = f->how; *h; h++) {
		uint32_t n = (cmd & 0xff) - f->from;
		const char *name = *h == 'e' && (n || f->table != X_ev_types) ? xlat_name(f->table, n) : NULL;
		if (h != f->how)
			str_add(s, ", ");
		if (name)
			str_add(s, name);
		else if (*h == 'e' && n)
			str_addf(s, "%#x /* %s */", n, xlat(f->table)->unknown);
		else
			str_add_u64(s, *h == 's' ? ioctl_size(cmd) : *h == 'e' ? 0 : cmd & 0xff);
	}
	str_addc(s, ')');
}

void a_ioctl_cmd(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	uint32_t cmd = arg(c, i);
	const char *name = ioctl_name(cmd);
	const struct ioctl_family *f = family_of(cmd);
	struct str *s = c->json ? &c->d->scratch : c->out;
	if (v_number(c, cmd, 16))
		return;
	v_parts_begin(c);
	if (f)
		family_name(s, f, cmd);
	if (f && name)
		str_add(s, " or ");
	if (name)
		str_add(s, name);
	else if (!f)
		unknown(c, s, cmd);
	c->first = false;
	v_parts_end(c);
	v_named(c);
}

/* ---- arguments ---- */

enum ioctl_how { H_NONE, H_ADDR, H_S32, H_U32, H_ULONG, H_HEX, H_FD, H_STR, H_ENUM, H_FLAGS, H_OPEN, H_IN, H_OUT, H_BOTH, H_CHANGE };
static const struct ioctl_arg { uint32_t cmd; uint8_t how; uint16_t id, after; } args[] = {
#define IOARG(cmd, how, id, after) { cmd, H_##how, id, after },
#include "syscall/tables/ioctl_args.def"
#undef IOARG
};

/* Their places by number: 0 none, else one more than the index. */
enum { PLACES = 2048 };
static uint16_t place[PLACES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static unsigned place_of(uint32_t cmd)
{
	return cmd * 2654435761u >> 21;
}

static void build(void)
{
	for (unsigned i = 0; i < sizeof(args) / sizeof(*args); i++) {
		unsigned p = place_of(args[i].cmd);
		while (place[p])
			p = (p + 1) % PLACES;
		place[p] = i + 1;
	}
}

static const struct ioctl_arg *arg_kind(uint32_t cmd)
{
	pthread_once(&once, build);
	for (unsigned p = place_of(cmd); place[p]; p = (p + 1) % PLACES)
		if (args[place[p] - 1].cmd == cmd)
			return &args[place[p] - 1];
	return NULL;
}

int n_ioctl(struct dc *c)
{
	const struct ioctl_arg *k = arg_kind(arg(c, 1));
	return k && k->how == H_NONE ? 2 : 3;
}

/* The struct before the call, and what the kernel made of it. */
static void changed(struct dc *c, const struct ioctl_arg *k, uint64_t addr)
{
	struct mem in, out;
	bool before = mem_find(c, addr, MEM_IN, &in) && in.n >= struct_size(c, k->id);
	bool after = !c->failed && mem_find(c, addr, MEM_OUT, &out) && out.n >= struct_size(c, k->after);
	if (!before) {
		v_addr(c, addr);
		return;
	}
	if (c->json) {
		json_open(c->json, '{');
		json_key(c->json, "before");
	}
	v_struct(c, k->id, &in);
	if (after && c->json)
		json_key(c->json, "after");
	else if (after)
		str_add(c->out, " => ");
	if (after)
		v_struct(c, k->after, &out);
	if (c->json)
		json_close(c->json, '}');
}

/* As much of a string as a command's length let in. */
static void text(struct dc *c, uint64_t addr)
{
	struct mem m;
	if (!mem_find(c, addr, MEM_IN, &m)) {
		v_addr(c, addr);
		return;
	}
	size_t n = strnlen((const char *)m.p, m.n);
	v_str(c, m.p, n, n == m.n, c->d->style.string_limit);
}

/* Some commands say that the kernel writes what it in fact reads: found after the call only. */
static void taken(struct dc *c, int id, uint64_t addr)
{
	struct mem m;
	bool found = (mem_find(c, addr, MEM_IN, &m) || mem_find(c, addr, MEM_ANY, &m)) && m.n >= struct_size(c, id);
	if (found)
		v_struct(c, id, &m);
	else
		v_addr(c, addr);
}

void a_ioctl_arg(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	const struct ioctl_arg *k = arg_kind(arg(c, 1));
	uint64_t v = c->word == 4 ? (uint32_t)arg(c, i) : arg(c, i);
	if (!k && ioctl_type(arg(c, 1)) == 'E' && v_evdev(c, v))
		return;
	switch (k ? (enum ioctl_how)k->how : H_HEX) {
	case H_S32: v_s(c, (int32_t)v); break;
	case H_U32: v_u(c, (uint32_t)v); break;
	case H_ULONG: v_u(c, v); break;
	case H_ADDR: v_addr(c, v); break;
	case H_FD: v_fd(c, v); break;
	case H_STR: text(c, v); break;
	case H_ENUM: v_enum(c, k->id, v); break;
	case H_FLAGS: v_flags(c, k->id, (uint32_t)v); break;
	case H_OPEN: v_open_flags(c, (uint32_t)v); break;
	case H_IN: taken(c, k->id, v); break;
	case H_OUT:
		if (c->failed)
			v_addr(c, v);
		else
			v_struct_at(c, k->id, v, MEM_OUT);
		break;
	case H_BOTH: v_struct_at(c, k->id, v, c->failed || c->entered ? MEM_IN : MEM_OUT); break;
	case H_CHANGE: changed(c, k, v); break;
	case H_NONE: case H_HEX: v_hexnum(c, v); break;
	}
}

enum { NS_GET_NSTYPE_ = 0xb703 };

void r_ioctl(struct dc *c, int64_t ret)
{
	const char *name = c->e->args_known && (uint32_t)arg(c, 1) == NS_GET_NSTYPE_ ? xlat_name(X_unshare_flags, ret) : NULL;
	v_s(c, ret);
	if (name && !c->json)
		str_addf(c->out, " (%s)", name);
}
