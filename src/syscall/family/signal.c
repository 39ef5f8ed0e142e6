// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals: names, sets, actions, siginfo. Layouts: asm/signal.h, asm-generic/siginfo.h. */
#include "syscall/table.h"

enum { SIG_RT_MIN = 32, SIG_MAX = 64, SIG_CHLD = 17 };

static void add_realtime(struct str *s, int sig)
{
	if (sig == SIG_RT_MIN) {
		str_add(s, "RTMIN");
		return;
	}
	str_add(s, "RT_");
	str_add_u64(s, sig - SIG_RT_MIN);
}

static void add_signal(struct dc *c, struct str *s, int sig)
{
	const char *name = signal_name(sig);
	if (name) {
		str_add(s, c->strace ? name : name + 3);
	} else if (sig >= SIG_RT_MIN && sig <= SIG_MAX) {
		str_add(s, c->strace ? "SIG" : "");
		add_realtime(s, sig);
	} else {
		str_add_s64(s, sig);
	}
}

void v_signal(struct dc *c, int sig)
{
	if (!c->json) {
		bool known = signal_name(sig) || (sig >= SIG_RT_MIN && sig <= SIG_MAX);
		if (known && v_number(c, sig, 10))
			return;
		add_signal(c, c->out, sig);
		if (known)
			v_named(c);
		return;
	}
	str_clear(&c->d->scratch);
	add_signal(c, &c->d->scratch, sig);
	json_strz(c->json, c->d->scratch.buf);
}

/* [CHLD WINCH]; a set with more than two thirds of all is written as what is missing: ~[KILL]. */
static void sigset_text(struct dc *c, struct str *s, uint64_t set, int last)
{
	int n = __builtin_popcountll(set);
	bool invert = n >= last * 2 / 3;
	bool first = true;
	if (invert)
		str_addc(s, '~');
	str_addc(s, '[');
	for (int sig = 1; sig <= last; sig++) {
		if ((set >> (sig - 1) & 1) == invert)
			continue;
		if (!first)
			str_addc(s, ' ');
		first = false;
		const char *name = signal_name(sig);
		if (v_number(c, sig, 10))
			continue;
		if (name)
			str_add(s, name + 3);
		else
			add_realtime(s, sig);
		v_named(c);
	}
	str_addc(s, ']');
	(void)c;
}

static void sigset_json(struct dc *c, uint64_t set, int last)
{
	json_open(c->json, '[');
	for (int sig = 1; sig <= last; sig++)
		if (set >> (sig - 1) & 1)
			v_signal(c, sig);
	json_close(c->json, ']');
}

static void sigset_value(struct dc *c, uint64_t set, int last)
{
	if (c->json)
		sigset_json(c, set, last);
	else
		sigset_text(c, c->out, set, last);
}

void v_sigset(struct dc *c, const struct mem *m)
{
	sigset_value(c, mem_u(m, 0, m->n < 8 ? 4 : 8), m->n < 8 ? 32 : SIG_MAX);
}

/* The mask that the handler's frame brings back; the engine finds it above the stack pointer. */
static const struct copied *frame_mask(const struct dc *c)
{
	for (unsigned k = 0; k < c->e->n_copied; k++) {
		const struct copied *p = &c->e->copied[k];
		if (!p->faulted && p->data && p->len >= 8)
			return p;
	}
	return NULL;
}

void a_sigreturn(struct dc *c, int i, const struct arg_def *a)
{
	(void)i;
	(void)a;
	const struct copied *p = frame_mask(c);
	if (!p) {
		v_null(c);
		return;
	}
	struct mem m = { .p = p->data, .n = 8 };
	v_open(c, '{');
	v_field(c, "mask");
	v_sigset(c, &m);
	v_close(c, '}');
}

int n_sigreturn(struct dc *c)
{
	return frame_mask(c) ? 1 : 0;
}

struct_fn struct_sigset, struct_old_sigset, struct_sigaction, struct_old_sigaction, struct_siginfo, struct_sigevent;

void struct_sigset(struct dc *c, const struct mem *m)
{
	sigset_value(c, mem_u(m, 0, 8), SIG_MAX);
}

void struct_old_sigset(struct dc *c, const struct mem *m)
{
	sigset_value(c, mem_u(m, 0, c->word), c->word * 8);
}

static void handler(struct dc *c, uint64_t h)
{
	static const char *const name[] = { "SIG_DFL", "SIG_IGN", "SIG_ERR" };
	v_field(c, "sa_handler");
	if (h < 2)
		v_const(c, h, name[h]);
	else if (h == (c->word == 4 ? UINT32_MAX : UINT64_MAX))
		v_const(c, h, name[2]);
	else
		v_hex(c, h);
}

enum { SA_WITH_RESTORER = 0x4000000 };

static void action(struct dc *c, const struct mem *m, size_t flags_at, size_t restorer_at, size_t mask_at, size_t mask_size)
{
	uint64_t flags = mem_u(m, flags_at, c->word);
	v_open(c, '{');
	handler(c, mem_u(m, 0, c->word));
	v_field(c, "sa_mask");
	sigset_value(c, mem_u(m, mask_at, mask_size), mask_size * 8);
	v_field(c, "sa_flags");
	v_flags(c, X_sa_flags, flags);
	if (flags & SA_WITH_RESTORER) {
		v_field(c, "sa_restorer");
		v_addr(c, mem_u(m, restorer_at, c->word));
	}
	v_close(c, '}');
}

void struct_sigaction(struct dc *c, const struct mem *m)
{
	action(c, m, c->word, 2 * c->word, 3 * c->word, 8);
}

void struct_old_sigaction(struct dc *c, const struct mem *m)
{
	action(c, m, 2 * c->word, 3 * c->word, c->word, 4);
}

/* The signal that a wait took. */
void r_signal(struct dc *c, int64_t ret)
{
	v_s(c, ret);
	if (c->json || ret <= 0)
		return;
	str_add(c->out, " (");
	v_signal(c, ret);
	str_addc(c->out, ')');
}

void v_si_code(struct dc *c, int sig, int code)
{
	static const struct { int sig; enum xlat_id table; } own[] = {
		{ 17, X_cld_codes }, { 11, X_segv_codes }, { 4, X_ill_codes }, { 8, X_fpe_codes }, { 7, X_bus_codes },
		{ 5, X_trap_codes }, { 29, X_poll_codes }, { 31, X_sys_codes },
	};
	const char *name = xlat_name(X_si_codes, (uint32_t)code);
	enum xlat_id table = X_si_codes;
	for (unsigned i = 0; !name && i < sizeof(own) / sizeof(*own); i++) {
		if (own[i].sig == sig) {
			table = own[i].table;
			name = xlat_name(table, code);
		}
	}
	if (name)
		v_enum(c, table, (uint32_t)code);
	else
		v_hexnum(c, (uint32_t)code);
}

static void si_value(struct dc *c, uint64_t value)
{
	v_field(c, "si_int");
	v_s(c, (int32_t)value);
	v_field(c, "si_ptr");
	v_addr(c, value);
}

static void siginfo_sent(struct dc *c, const struct mem *m, int code, size_t at)
{
	v_field(c, "si_pid");
	v_pid(c, mem_s(m, at, 4));
	v_field(c, "si_uid");
	v_uid(c, mem_u(m, at + 4, 4));
	uint64_t value = mem_u(m, at + 8, c->word);
	if (code == 0 || code == -6 || (code == -1 && !value))
		return;
	si_value(c, value);
}

void v_ticks(struct dc *c, uint64_t ticks)
{
	v_u(c, ticks);
	if (ticks && c->strace && !c->json) /* a hundred a second, whatever the kernel's own are */
		str_addf(c->out, " /* %llu.%02u s */", (unsigned long long)ticks / 100, (unsigned)(ticks % 100));
}

static void siginfo_child(struct dc *c, const struct mem *m, int code, size_t at)
{
	v_field(c, "si_pid");
	v_pid(c, mem_s(m, at, 4));
	v_field(c, "si_uid");
	v_uid(c, mem_u(m, at + 4, 4));
	v_field(c, "si_status");
	if (code == 1)
		v_s(c, mem_s(m, at + 8, 4));
	else
		v_signal(c, mem_s(m, at + 8, 4));
	size_t times = c->word == 8 ? at + 16 : at + 12;
	v_field(c, "si_utime");
	v_ticks(c, mem_u(m, times, c->word));
	v_field(c, "si_stime");
	v_ticks(c, mem_u(m, times + c->word, c->word));
}

static void siginfo_timer(struct dc *c, const struct mem *m, size_t at)
{
	v_field(c, "si_timerid");
	v_hexnum(c, mem_u(m, at, 4));
	v_field(c, "si_overrun");
	v_s(c, mem_s(m, at + 4, 4));
	si_value(c, mem_u(m, at + 8, c->word));
}

void struct_siginfo(struct dc *c, const struct mem *m)
{
	int sig = mem_s(m, 0, 4), err = mem_s(m, 4, 4), code = mem_s(m, 8, 4);
	size_t at = c->word == 8 ? 16 : 12;
	v_open(c, '{');
	if (!sig && !code) {
		v_close(c, '}');
		return;
	}
	v_field(c, "si_signo");
	v_signal(c, sig);
	v_field(c, "si_code");
	v_si_code(c, sig, code);
	if (err) {
		const char *name = errno_name(err);
		v_field(c, "si_errno");
		if (name)
			v_word(c, name);
		else
			v_s(c, err);
	}
	if (code == -2)
		siginfo_timer(c, m, at);
	else if (code <= 0)
		siginfo_sent(c, m, code, at);
	else if (sig == SIG_CHLD)
		siginfo_child(c, m, code, at);
	else if (code != 0x80) {
		v_field(c, "si_addr");
		v_addr(c, mem_u(m, at, c->word));
	}
	v_close(c, '}');
}

void struct_sigevent(struct dc *c, const struct mem *m)
{
	uint64_t value = mem_u(m, 0, c->word);
	uint32_t sig = mem_u(m, c->word, 4), notify = mem_u(m, c->word + 4, 4);
	v_open(c, '{');
	if (value) {
		v_field(c, "sigev_value");
		v_open(c, '{');
		v_field(c, "sival_int");
		v_s(c, (int32_t)value);
		v_field(c, "sival_ptr");
		v_addr(c, value);
		v_close(c, '}');
	}
	v_field(c, "sigev_signo");
	if (notify == 0 || notify == 4)
		v_signal(c, sig);
	else
		v_u(c, sig);
	v_field(c, "sigev_notify");
	v_enum(c, X_sigev_notify, notify);
	if (notify == 4) {
		v_field(c, "sigev_notify_thread_id");
		v_s(c, mem_s(m, c->word + 8, 4));
	}
	v_close(c, '}');
}
