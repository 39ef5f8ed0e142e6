// SPDX-License-Identifier: GPL-2.0-or-later
/* prctl, arch_prctl, keyctl: calls whose arguments hang on the first one. */
#include <string.h>
#include "syscall/table.h"

enum { PR_GET_DUMPABLE_ = 3 };

/* What each option takes, one letter per argument from the second on: d number, x hex, p pointer, s string in,
 * D dumpable, S string out, i int out, g signal, G signal out, c capability, m prctl_mm, a ambient, v vma, q seccomp mode, f filter, t spec. */
static const struct { uint32_t option; const char *args; } prctls[] = {
	{ 1, "g" }, { 2, "G" }, { 3, "" }, { 4, "D" }, { 5, "i" }, { 6, "x" }, { 7, "" }, { 8, "d" }, { 9, "i" }, { 10, "x" },
	{ 11, "i" }, { 12, "x" }, { 13, "" }, { 14, "x" }, { 15, "s" }, { 16, "S" }, { 19, "i" }, { 20, "x" }, { 21, "" },
	{ 22, "qf" }, { 23, "c" }, { 24, "c" }, { 25, "i" }, { 26, "x" }, { 27, "" }, { 28, "x" }, { 29, "d" }, { 30, "" },
	{ 31, "" }, { 32, "" }, { 33, "xx" }, { 34, "ddd" }, { 35, "mppp" }, { 36, "d" }, { 37, "i" }, { 38, "dddd" },
	{ 39, "dddd" }, { 40, "p" }, { 41, "dddd" }, { 42, "dddd" }, { 43, "" }, { 44, "" }, { 45, "x" }, { 46, "" },
	{ 47, "acdd" }, { 50, "x" }, { 51, "" }, { 52, "tddd" }, { 53, "txdd" }, { 54, "x" }, { 55, "xddd" }, { 56, "dddd" },
	{ 57, "dddd" }, { 58, "dddd" }, { 59, "dppp" }, { 60, "xx" }, { 61, "" }, { 62, "ddxp" }, { 65, "xddd" }, { 66, "dddd" },
	{ 67, "dddd" }, { 68, "dddd" }, { 0x53564d41, "vpds" }, { 0x41555856, "pd" },
};

static const char *prctl_args(uint32_t option)
{
	for (unsigned i = 0; i < sizeof(prctls) / sizeof(*prctls); i++)
		if (prctls[i].option == option)
			return prctls[i].args;
	return "xxxx";
}

int n_prctl(struct dc *c)
{
	return 1 + strlen(prctl_args(arg(c, 0)));
}

static void dumpable(struct dc *c, uint64_t v)
{
	const char *name = xlat_name(X_dumpable, v);
	v_u(c, v);
	if (name && !c->json && c->strace)
		str_addf(c->out, " (%s)", name);
}

/* PR_SET_NAME: the kernel takes 15 characters; strace marks what is as long. */
static void show_name(struct dc *c, const struct mem *m)
{
	enum { COMM = 15 };
	size_t n = strnlen((const char *)m->p, m->n);
	if (c->strace && !c->json && n >= COMM)
		v_str(c, m->p, COMM, true, 0);
	else
		v_cstr(c, m, c->d->style.string_limit);
}

static void by_letter(struct dc *c, int i, char letter, const struct arg_def *a)
{
	struct mem m;
	switch (letter) {
	case 'd': v_u(c, arg(c, i)); break;
	case 'D': dumpable(c, arg(c, i)); break;
	case 'g': if (arg(c, i)) v_signal(c, arg(c, i)); else v_u(c, 0); break;
	case 'c': v_enum(c, X_caps, arg(c, i)); break;
	case 'm': v_enum(c, X_prctl_mm, arg(c, i)); break;
	case 'a': v_enum(c, X_prctl_cap_ambient, arg(c, i)); break;
	case 'v': v_enum(c, X_prctl_vma, arg(c, i)); break;
	case 'q': v_enum(c, X_seccomp_mode, arg(c, i)); break;
	case 't': v_enum(c, X_prctl_spec, arg(c, i)); break;
	case 'f': v_struct_at(c, ST_fprog, arg(c, i), MEM_IN); break;
	case 'x': a_hex(c, i, a); break;
	case 's':
		if (mem_find(c, arg(c, i), MEM_IN, &m))
			show_name(c, &m);
		else
			a_ptr(c, i, a);
		break;
	case 'S':
		if (!c->failed && mem_find(c, arg(c, i), MEM_OUT, &m))
			v_cstr(c, &m, 0);
		else
			a_ptr(c, i, a);
		break;
	case 'G':
		if (!c->failed && mem_find(c, arg(c, i), MEM_OUT, &m) && m.n >= 4) {
			v_open(c, '[');
			v_item(c);
			v_signal(c, mem_s(&m, 0, 4));
			v_close(c, ']');
		} else
			a_ptr(c, i, a);
		break;
	case 'i':
		if (!c->failed)
			v_struct_at(c, ST_int, arg(c, i), MEM_OUT);
		else
			a_ptr(c, i, a);
		break;
	default: a_ptr(c, i, a); break;
	}
}

void a_prctl(struct dc *c, int i, const struct arg_def *a)
{
	const char *kinds = prctl_args(arg(c, 0));
	by_letter(c, i, (size_t)i - 1 < strlen(kinds) ? kinds[i - 1] : 'x', a);
}

void r_prctl(struct dc *c, int64_t ret)
{
	if (c->json || (uint32_t)arg(c, 0) != PR_GET_DUMPABLE_)
		v_s(c, ret);
	else
		dumpable(c, ret);
}

/* ---- arch_prctl ---- */

static bool arch_gets(uint32_t op)
{
	return op == 0x1003 || op == 0x1004 || op == 0x1021 || op == 0x1022 || op == 0x1024;
}

int n_arch_prctl(struct dc *c)
{
	return (uint32_t)arg(c, 0) == 0x1011 ? 1 : 2;
}

void a_arch_prctl(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t op = arg(c, 0);
	if (arch_gets(op) && !c->failed)
		v_struct_at(c, ST_hexlong, arg(c, i), MEM_OUT);
	else
		a_hex(c, i, a);
}

/* ---- keys ---- */

static void key(struct dc *c, uint32_t id)
{
	const char *name = xlat_name(X_key_spec, id);
	if (name)
		v_name(c, X_key_spec, name);
	else
		v_s(c, (int32_t)id);
}

void a_key(struct dc *c, int i, const struct arg_def *a)
{
	(void)a;
	key(c, arg(c, i));
}

/* k key, d number, x hex, s string, b buffer in, B buffer out, u uid, p pointer */
static const char *const keyctls[] = {
	[0] = "kd", [1] = "s", [2] = "kbd", [3] = "k", [4] = "kuu", [5] = "kx", [6] = "kBd", [7] = "k", [8] = "kk", [9] = "kk",
	[10] = "kssk", [11] = "kBd", [12] = "kbdk", [13] = "kdk", [14] = "d", [15] = "kd", [16] = "k", [17] = "kBd", [18] = "",
	[19] = "kddk", [20] = "kpdk", [21] = "k", [22] = "uk", [23] = "ppdp", [24] = "kdsp", [25] = "pspp", [26] = "pspp",
	[27] = "pspp", [28] = "pspp", [29] = "kss", [30] = "kkkx", [31] = "pd", [32] = "kdd",
};

static const char *keyctl_args(uint32_t op)
{
	return op < sizeof(keyctls) / sizeof(*keyctls) ? keyctls[op] : "xxxx";
}

int n_keyctl(struct dc *c)
{
	return 1 + strlen(keyctl_args(arg(c, 0)));
}

void a_keyctl(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	const char *kinds = keyctl_args(arg(c, 0));
	char k = (size_t)i - 1 < strlen(kinds) ? kinds[i - 1] : 'x';
	if (k == 'k')
		key(c, arg(c, i));
	else if (k == 'u')
		v_uid(c, arg(c, i));
	else if (k == 'b' && mem_find(c, arg(c, i), MEM_IN, &m))
		v_payload(c, &m, arg(c, i + 1));
	else if (k == 'B' && !c->failed && mem_find(c, arg(c, i), MEM_OUT, &m))
		v_payload(c, &m, c->e->ret);
	else
		by_letter(c, i, k, a);
}
