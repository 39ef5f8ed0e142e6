// SPDX-License-Identifier: GPL-2.0-or-later
/* Waiting on descriptors: poll, select, epoll. */
#include <string.h>
#include "syscall/table.h"

enum { SHOWN_MAX = 32 };

void a_pollfds(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint32_t n = arg(c, a->len);
	if (!mem_find(c, arg(c, i), MEM_IN, &m)) {
		if (arg(c, i) && !n) {
			v_open(c, '[');
			v_close(c, ']');
		} else {
			a_ptr(c, i, a);
		}
		return;
	}
	v_open(c, '[');
	for (uint32_t k = 0; k < n; k++) {
		v_item(c);
		if (k * 8 + 8 > m.n || (k >= SHOWN_MAX && !whole(c))) {
			v_word(c, "...");
			break;
		}
		v_open(c, '{');
		v_field(c, "fd");
		v_fd(c, mem_s(&m, k * 8, 4));
		if (mem_s(&m, k * 8, 4) >= 0) {
			v_field(c, "events");
			v_flags(c, X_poll_events, mem_u(&m, k * 8 + 4, 2));
		}
		v_close(c, '}');
	}
	v_close(c, ']');
}

static bool revents(struct dc *c, uint64_t addr, uint32_t n)
{
	struct mem m;
	bool any = false;
	if (!mem_find(c, addr, MEM_OUT, &m))
		return false;
	v_open(c, '[');
	for (uint32_t k = 0; k < n && k * 8 + 8 <= m.n; k++) {
		uint64_t got = mem_u(&m, k * 8 + 6, 2);
		if (!got)
			continue;
		v_item(c);
		v_open(c, '{');
		v_field(c, "fd");
		v_fd(c, mem_s(&m, k * 8, 4));
		v_field(c, "revents");
		v_flags(c, X_poll_events, got);
		v_close(c, '}');
		any = true;
	}
	v_close(c, ']');
	return any;
}

static int timeout_at(const struct dc *c)
{
	return !strncmp(c->row->def->name, "ppoll", 5) ? 2 : -1;
}

/* What the kernel left of the time to wait. */
static bool time_left(struct dc *c, int at, int id, const char *before)
{
	struct mem m;
	if (at < 0 || !arg(c, at) || !mem_find(c, arg(c, at), MEM_OUT, &m) || m.n < struct_size(c, id))
		return false;
	str_add(c->out, before);
	str_add(c->out, "left ");
	v_struct(c, id, &m);
	return true;
}

void r_poll(struct dc *c, int64_t ret)
{
	v_s(c, ret);
	if (c->json || !c->e->args_known)
		return;
	if (!ret) {
		str_add(c->out, " (Timeout)");
		return;
	}
	struct mem m;
	if (!mem_find(c, arg(c, 0), MEM_OUT, &m))
		return;
	str_add(c->out, " (");
	revents(c, arg(c, 0), arg(c, 1));
	int at = timeout_at(c);
	time_left(c, at, strstr(c->row->def->name, "time64") ? ST_timespec64 : ST_timespec, ", ");
	str_addc(c->out, ')');
}

/* ---- select ---- */

static void set_items(struct dc *c, const struct mem *m, unsigned n)
{
	bool first = true;
	str_addc(c->out, '[');
	for (unsigned fd = 0; fd < n && fd / 8 < m->n; fd++) {
		if (!(m->p[fd / 8] >> (fd % 8) & 1))
			continue;
		if (!first)
			str_addc(c->out, ' ');
		first = false;
		v_fd(c, fd);
	}
	str_addc(c->out, ']');
}

enum { FDS_MAX = 1 << 20 };

static unsigned set_size(const struct dc *c)
{
	int32_t n = arg(c, 0);
	return n < 0 ? 0 : n > FDS_MAX ? FDS_MAX : n;
}

void a_fd_set(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	if ((int32_t)arg(c, 0) < 0 || !mem_find(c, arg(c, i), MEM_IN, &m)) {
		a_ptr(c, i, a);
		return;
	}
	if (!c->json) {
		set_items(c, &m, set_size(c));
		return;
	}
	json_open(c->json, '[');
	for (unsigned fd = 0; fd < set_size(c) && fd / 8 < m.n; fd++)
		if (m.p[fd / 8] >> (fd % 8) & 1)
			v_fd(c, fd);
	json_close(c->json, ']');
}

static bool set_nonempty(const struct mem *m, unsigned n)
{
	for (unsigned fd = 0; fd < n && fd / 8 < m->n; fd++)
		if (m->p[fd / 8] >> (fd % 8) & 1)
			return true;
	return false;
}

void r_select(struct dc *c, int64_t ret)
{
	static const char *const name[] = { "in ", "out ", "except " };
	v_s(c, ret);
	if (c->json || !c->e->args_known || c->row->n_args < 5)
		return;
	const char *left = " (";
	if (!ret) {
		str_add(c->out, " (Timeout)");
		return;
	}
	for (int i = 0; i < 3; i++) {
		struct mem m;
		if (!mem_find(c, arg(c, i + 1), MEM_OUT, &m) || !set_nonempty(&m, set_size(c)))
			continue;
		str_add(c->out, left);
		str_add(c->out, name[i]);
		set_items(c, &m, set_size(c));
		left = ", ";
	}
	const struct arg_def *t = &c->row->def->arg[4];
	if (time_left(c, 4, t->id, left) || left[0] == ',')
		str_addc(c->out, ')');
	else if (c->strace)
		str_add(c->out, " ()");
}

/* pselect6's last argument: a pointer to a set, and the set's size. */
void a_select_sigmask(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m, set;
	if (!mem_find(c, arg(c, i), MEM_IN, &m) || m.n < 2u * c->word) {
		a_ptr(c, i, a);
		return;
	}
	uint64_t addr = mem_u(&m, 0, c->word);
	v_open(c, '{');
	v_field(c, "sigmask");
	if (mem_find(c, addr, MEM_IN, &set) && set.n >= 8)
		v_sigset(c, &set);
	else
		v_addr(c, addr);
	v_field(c, "sigsetsize");
	v_u(c, mem_u(&m, c->word, c->word));
	v_close(c, '}');
}

/* ---- epoll ---- */

struct_fn struct_epoll_event;
void struct_epoll_event(struct dc *c, const struct mem *m)
{
	v_open(c, '{');
	v_field(c, "events");
	v_flags(c, X_epoll_events, mem_u(m, 0, 4));
	v_field(c, "data");
	v_open(c, '{');
	v_field(c, "u32");
	v_u(c, mem_u(m, 4, 4));
	v_field(c, "u64");
	v_u(c, mem_u(m, 4, 8));
	v_close(c, '}');
	v_close(c, '}');
}

enum { CTL_DEL = 2 };

void a_epoll_event_in(struct dc *c, int i, const struct arg_def *a)
{
	if ((uint32_t)arg(c, 1) == CTL_DEL)
		a_ptr(c, i, a);
	else
		v_struct_at(c, ST_epoll_event, arg(c, i), MEM_IN);
}
