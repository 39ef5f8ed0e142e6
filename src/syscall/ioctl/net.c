// SPDX-License-Identifier: GPL-2.0-or-later
/* Network interfaces. Layouts: linux/if.h. */
#include <net/if.h>
#include <stdio.h>
#include "syscall/ioctl/ioctl.h"

struct_fn struct_ifreq, struct_ifconf, struct_ifname, struct_ifreq_index;

enum { NAME = 16, GET_NAME = 0x8910, SET_NAME = 0x8923, GET_CONF = 0x8912 };
enum what { SOCKADDR, HARDWARE, FLAGS, NUMBER, TEXT, MAP };

static const struct net_member { uint16_t get, set; enum what what; const char *name; } members[] = {
	{ 0x8913, 0x8914, FLAGS, "ifr_flags" }, { 0x8915, 0x8916, SOCKADDR, "ifr_addr" }, { 0x8917, 0x8918, SOCKADDR, "ifr_dstaddr" },
	{ 0x8919, 0x891a, SOCKADDR, "ifr_broadaddr" }, { 0x891b, 0x891c, SOCKADDR, "ifr_netmask" },
	{ 0x891d, 0x891e, NUMBER, "ifr_metric" }, { 0x8921, 0x8922, NUMBER, "ifr_mtu" }, { 0x8927, 0x8924, HARDWARE, "ifr_hwaddr" },
	{ 0x8937, 0x8931, HARDWARE, "ifr_hwaddr" }, { 0, 0x8932, HARDWARE, "ifr_hwaddr" }, { 0x8929, 0x8930, TEXT, "ifr_slave" },
	{ 0x8933, 0, NUMBER, "ifr_ifindex" }, { 0x8942, 0x8943, NUMBER, "ifr_qlen" }, { 0, SET_NAME, TEXT, "ifr_newname" },
	{ GET_NAME, 0, TEXT, "ifr_name" }, { 0x8970, 0x8971, MAP, "ifr_map" },
};

static void hardware(struct dc *c, const struct mem *m)
{
	char text[3 * 14 + 1] = "";
	unsigned type = mem_u(m, 0, 2);
	size_t n = type == 1 || type == 772 ? 6 : 14; /* Ethernet and loopback */
	for (size_t i = 0; i < n && i + 2 < m->n; i++)
		snprintf(text + (i ? 3 * i - 1 : 0), 4, i ? ":%02x" : "%02x", m->p[2 + i]);
	v_open(c, '{');
	v_field(c, "sa_family");
	v_enum(c, X_arphrd, type);
	v_field(c, "sa_data");
	v_word(c, text);
	v_close(c, '}');
}

static void map(struct dc *c, const struct mem *m)
{
	static const char *const name[] = { "mem_start", "mem_end", "base_addr", "irq", "dma", "port" };
	size_t w = c->word, at[] = { 0, w, 2 * w, 2 * w + 2, 2 * w + 3, 2 * w + 4 }, size[] = { w, w, 2, 1, 1, 1 };
	v_open(c, '{');
	for (int i = 0; i < 6; i++) {
		v_field(c, name[i]);
		v_hexnum(c, mem_u(m, at[i], size[i]));
	}
	v_close(c, '}');
}

static void member(struct dc *c, const struct net_member *k, const struct mem *m)
{
	struct mem rest = mem_sub(m, k->get == GET_NAME ? 0 : NAME, k->what == MAP ? 24 : NAME);
	v_field(c, k->name);
	switch (k->what) {
	case SOCKADDR: v_sockaddr(c, &rest); break;
	case HARDWARE: hardware(c, &rest); break;
	case FLAGS: v_flags(c, X_netdev_flags, mem_u(&rest, 0, 2)); break;
	case NUMBER: v_s(c, mem_s(&rest, 0, 4)); break;
	case TEXT: v_chars(c, &rest); break;
	case MAP: map(c, &rest); break;
	}
}

static void interface_name(struct dc *c, const struct mem *m)
{
	struct mem name = mem_sub(m, 0, NAME);
	v_field(c, "ifr_name");
	v_chars(c, &name);
}

void struct_ifreq(struct dc *c, const struct mem *m)
{
	uint32_t cmd = arg(c, 1);
	v_open(c, '{');
	if (cmd == GET_NAME) {
		v_field(c, "ifr_ifindex");
		v_s(c, mem_s(m, NAME, 4));
	} else {
		interface_name(c, m);
	}
	for (unsigned i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (members[i].set == cmd || (members[i].get == cmd && ((!c->failed && !c->entered) || cmd == 0x8937)))
			member(c, &members[i], m);
	v_close(c, '}');
}

void struct_ifreq_index(struct dc *c, const struct mem *m)
{
	char name[IF_NAMESIZE];
	uint32_t index = mem_u(m, NAME, 4);
	v_open(c, '{');
	v_field(c, "ifr_ifindex");
	if (c->strace && !c->json && if_indextoname(index, name))
		str_addf(c->out, "if_nametoindex(\"%s\")", name);
	else
		v_u(c, index);
	v_close(c, '}');
}

void struct_ifname(struct dc *c, const struct mem *m)
{
	v_cstr(c, m, 0);
}

/* 80, and to strace how many structs that is. */
static void conf_length(struct dc *c, int32_t n)
{
	size_t one = c->word == 8 ? 40 : 32;
	v_s(c, n);
	if (n > 0 && n % one == 0 && c->strace && !c->json)
		str_addf(c->out, " /* %zu * sizeof(struct ifreq) */", n / one);
}

static void conf_entries(struct dc *c, const struct mem *list, size_t n)
{
	size_t one = c->word == 8 ? 40 : 32;
	v_open(c, '[');
	for (size_t i = 0; i < n; i++) {
		struct mem m = mem_sub(list, i * one, one);
		v_item(c);
		if (m.n < one || (i >= 32 && !whole(c))) {
			v_word(c, "...");
			break;
		}
		struct mem addr = mem_sub(&m, NAME, NAME);
		v_open(c, '{');
		interface_name(c, &m);
		v_field(c, "ifr_addr");
		v_sockaddr(c, &addr);
		v_close(c, '}');
	}
	v_close(c, ']');
}

void struct_ifconf(struct dc *c, const struct mem *m)
{
	struct mem in, list = { 0 };
	uint64_t at = mem_u(m, c->word, c->word);
	int32_t len = mem_s(m, 0, 4);
	bool before = mem_find(c, arg(c, 2), MEM_IN, &in) && in.n >= 2u * c->word;
	v_open(c, '{');
	v_field(c, "ifc_len");
	if (before && at && mem_s(&in, 0, 4) != len && !c->json) {
		conf_length(c, mem_s(&in, 0, 4));
		str_add(c->out, " => ");
	}
	conf_length(c, len);
	v_field(c, "ifc_buf");
	if (at && !c->failed && !c->entered && (!len || mem_find(c, at, MEM_OUT, &list)))
		conf_entries(c, &list, len / (c->word == 8 ? 40 : 32));
	else
		v_addr(c, at);
	v_close(c, '}');
}
