// SPDX-License-Identifier: GPL-2.0-or-later
/* prctl and arch_prctl: calls whose arguments hang on the first one. */
#include <string.h>
#include "syscall/table.h"

enum { GET_DUMPABLE = 3, SET_NAME = 15, GET_NAME = 16, SET_SECCOMP = 22, GET_SECUREBITS = 27, MCE_KILL = 33, MCE_KILL_GET = 34, CAP_AMBIENT = 47,
	GET_SPEC = 52, SET_SPEC = 53, SCHED_CORE = 62, SET_VMA = 0x53564d41, SET_PTRACER = 0x59616d61 };

/* What each option takes, one letter per argument from the second on: u unsigned, d signed, x hex, p pointer, n name in,
 * N name out, s string, g signal, G signal out, U number out, P pointer out, X hex out, c capability, f filter,
 * t process id, o pid type; e one of a table, F flags of a table; E, O the same, out. */
static const struct prctl_row { uint32_t option; const char *args; enum xlat_id first, second; } rows[] = {
	{ 1, "g", 0, 0 }, { 2, "G", 0, 0 }, { GET_DUMPABLE, "", 0, 0 }, { 4, "e", X_dumpable, 0 }, { 5, "O", X_prctl_unalign, 0 },
	{ 6, "F", X_prctl_unalign, 0 }, { 7, "", 0, 0 }, { 8, "u", 0, 0 }, { 9, "U", 0, 0 }, { 10, "u", 0, 0 }, { 11, "U", 0, 0 },
	{ 12, "u", 0, 0 }, { 13, "", 0, 0 }, { 14, "u", 0, 0 }, { SET_NAME, "n", 0, 0 }, { GET_NAME, "N", 0, 0 }, { 19, "U", 0, 0 },
	{ 20, "u", 0, 0 }, { 21, "", 0, 0 }, { SET_SECCOMP, "exxx", X_seccomp_mode, 0 }, { 23, "c", 0, 0 }, { 24, "c", 0, 0 },
	{ 25, "E", X_prctl_tsc, 0 }, { 26, "e", X_prctl_tsc, 0 }, { GET_SECUREBITS, "", 0, 0 }, { 28, "F", X_securebits, 0 }, { 29, "d", 0, 0 },
	{ 30, "", 0, 0 }, { 31, "", 0, 0 }, { 32, "", 0, 0 }, { MCE_KILL, "exxx", X_prctl_mce, 0 }, { 35, "exxx", X_prctl_mm, 0 },
	{ 36, "u", 0, 0 }, { 37, "U", 0, 0 }, { 38, "uxxx", 0, 0 }, { 40, "P", 0, 0 }, { 41, "uxxx", 0, 0 }, { 45, "F", X_prctl_fp_mode, 0 },
	{ 46, "", 0, 0 }, { CAP_AMBIENT, "exxx", X_prctl_cap_ambient, 0 }, { 50, "x", 0, 0 }, { 51, "", 0, 0 },
	{ GET_SPEC, "e", X_prctl_spec, 0 }, { SET_SPEC, "ee", X_prctl_spec, X_prctl_spec_set }, { 54, "Fxxx", X_prctl_pac_keys, 0 },
	{ 57, "uxxx", 0, 0 }, { 59, "exxp", X_prctl_dispatch, 0 }, { 60, "FFxx", X_prctl_pac_enabled, X_prctl_pac_enabled },
	{ SCHED_CORE, "etop", X_prctl_sched_core, 0 }, { 63, "x", 0, 0 }, { 64, "", 0, 0 }, { 65, "Fxxx", X_prctl_mdwe, 0 },
	{ SET_VMA, "exxx", X_prctl_vma, 0 }, { SET_PTRACER, "t", 0, 0 }, { 0x41555856, "pu", 0, 0 },
};
static const struct prctl_row any = { 0, "xxxx", 0, 0 };

static const struct prctl_row *row_of(const struct dc *c)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].option == (uint32_t)arg(c, 0))
			return &rows[i];
	return &any;
}

enum { STRICT = 1, FILTER = 2, MCE_SET = 1, AMBIENT_CLEAR = 4 };

/* The letters, where the second argument decides on the rest. */
static const char *letters(const struct dc *c, const struct prctl_row *r)
{
	uint64_t second = arg(c, 1);
	if (r->option == SET_SECCOMP && (second == STRICT || second == FILTER))
		return second == STRICT ? "e" : "ef";
	if (r->option == MCE_KILL && second == MCE_SET)
		return "eexx";
	if (r->option == CAP_AMBIENT && second - 1 < AMBIENT_CLEAR - 1)
		return "ecxx";
	if (r->option == SET_VMA && !second)
		return "epus";
	if (r->option == SET_SPEC && !xlat_name(X_prctl_spec, second))
		return "ex";
	if (r->option == SCHED_CORE && !(uint32_t)second)
		return "etoX";
	return r->args;
}

int n_prctl(struct dc *c)
{
	return 1 + strlen(letters(c, row_of(c)));
}

/* PR_SET_NAME: the kernel takes 15 characters; strace marks what is as long. */
static void name_in(struct dc *c, int i, const struct arg_def *a)
{
	enum { COMM = 15 };
	struct mem m;
	if (!mem_find(c, arg(c, i), MEM_IN, &m)) {
		a_ptr(c, i, a);
		return;
	}
	size_t n = strnlen((const char *)m.p, m.n);
	if (c->strace && !c->json && n >= COMM)
		v_str(c, m.p, COMM, true, 0);
	else
		v_cstr(c, &m, c->d->style.string_limit);
}

/* What the kernel put at the address: a number of `size` bytes, shown as the letter says. */
static void number_out(struct dc *c, int i, const struct arg_def *a, char letter, enum xlat_id table)
{
	struct mem m;
	size_t size = letter == 'P' ? c->word : letter == 'X' ? 8 : 4;
	if (c->failed || !mem_find(c, arg(c, i), MEM_OUT, &m) || m.n < size) {
		a_ptr(c, i, a);
		return;
	}
	uint64_t v = mem_u(&m, 0, size);
	v_open(c, '[');
	v_item(c);
	switch (letter) {
	case 'G': v_signal(c, v); break;
	case 'P': v_addr(c, v); break;
	case 'X': v_hexnum(c, v); break;
	case 'E': v_enum(c, table, v); break;
	case 'O': v_flags(c, table, v); break;
	default: v_u(c, v); break;
	}
	v_close(c, ']');
}

/* A number with its name behind it. */
static void pid_type(struct dc *c, uint32_t v)
{
	const char *name = xlat_name(X_pid_types, v);
	if (c->json || !c->strace) {
		v_enum(c, X_pid_types, v);
		return;
	}
	v_hexnum(c, v);
	v_comment(c, name ? name : "PIDTYPE_???");
}

static void by_letter(struct dc *c, int i, char letter, enum xlat_id table, const struct arg_def *a)
{
	struct mem m;
	uint64_t v = c->word == 4 ? (uint32_t)arg(c, i) : arg(c, i);
	switch (letter) {
	case 'u': v_u(c, v); break;
	case 'd': a_long(c, i, a); break;
	case 'e': v_enum(c, table, v); break;
	case 'F': v_flags(c, table, v); break;
	case 'g':
		if (v && v <= 128)
			v_signal(c, v);
		else
			v_u(c, v);
		break;
	case 'c': v_enum(c, X_caps, v); break;
	case 't':
		if (i != 1 || (int32_t)v != -1) {
			v_s(c, (int32_t)v);
		} else if (!v_number(c, -1ll, 10)) {
			v_word(c, c->strace ? "PR_SET_PTRACER_ANY" : "ANY");
			v_named(c);
		}
		break;
	case 'o': pid_type(c, v); break;
	case 'f': v_struct_at(c, ST_fprog, v, MEM_IN); break;
	case 's': a_str(c, i, a); break;
	case 'n': name_in(c, i, a); break;
	case 'N':
		if (!c->failed && mem_find(c, v, MEM_OUT, &m))
			v_cstr(c, &m, 0);
		else
			a_ptr(c, i, a);
		break;
	case 'G': case 'U': case 'P': case 'X': case 'E': case 'O': number_out(c, i, a, letter, table); break;
	case 'p': a_ptr(c, i, a); break;
	default: a_hex(c, i, a); break;
	}
}

void a_prctl(struct dc *c, int i, const struct arg_def *a)
{
	const struct prctl_row *r = row_of(c);
	const char *kinds = letters(c, r);
	enum xlat_id table = i == 1 ? r->first : r->second;
	if (r->option == MCE_KILL && i == 2)
		table = X_prctl_mce_policy;
	if (r->option == 26 || r->option == SCHED_CORE) { /* 32 bits count */
		if (i == 1 && table) {
			v_enum(c, table, (uint32_t)arg(c, i));
			return;
		}
	}
	by_letter(c, i, (size_t)i - 1 < strlen(kinds) ? kinds[i - 1] : 'x', table, a);
}

/* Some options answer with a number that has a name. */
void r_prctl(struct dc *c, int64_t ret)
{
	uint32_t option = c->e->args_known ? arg(c, 0) : 0;
	const char *name = option == GET_DUMPABLE ? xlat_name(X_dumpable, ret) : option == MCE_KILL_GET ? xlat_name(X_prctl_mce_policy, ret) : NULL;
	bool bits = (option == GET_SECUREBITS && ret) || (option == GET_SPEC && xlat_name(X_prctl_spec, arg(c, 1)));
	if (c->json || (!name && !bits)) {
		v_s(c, ret);
		return;
	}
	if (bits)
		str_add_hex(c->out, ret);
	else
		str_add_s64(c->out, ret);
	str_add(c->out, " (");
	if (bits)
		v_flags(c, option == GET_SPEC ? X_prctl_spec_get : X_securebits, ret);
	else
		str_add(c->out, name);
	str_addc(c->out, ')');
}

/* ---- arch_prctl ---- */

enum { A_GET_FS = 0x1003, A_GET_GS = 0x1004, A_GET_CPUID = 0x1011, A_SUPPORTED = 0x1021, A_PERMITTED = 0x1022, A_REQUEST = 0x1023,
	A_GUEST_PERMITTED = 0x1024, A_GUEST_REQUEST = 0x1025, A_UNTAG_MASK = 0x4001, A_TAG_BITS = 0x4003, A_SHSTK_ENABLE = 0x5001,
	A_SHSTK_UNLOCK = 0x5004, A_SHSTK_STATUS = 0x5005 };

int n_arch_prctl(struct dc *c)
{
	return (uint32_t)arg(c, 0) == A_GET_CPUID ? 1 : 2;
}

/* The bits and, as a remark, what they are called: those names are the kernel's own. */
static void features(struct dc *c, uint64_t v)
{
	if (c->json || !c->strace) {
		v_flags(c, X_xfeatures, v);
		return;
	}
	v_hexnum(c, v);
	if (!v)
		return;
	str_add(c->out, " /* ");
	v_flags(c, X_xfeatures, v);
	str_add(c->out, " */");
}

static void feature(struct dc *c, uint64_t v)
{
	const char *name = xlat_name(X_xfeature_bits, v);
	if (c->json || !c->strace) {
		v_enum(c, X_xfeature_bits, v);
		return;
	}
	v_hexnum(c, v);
	v_comment(c, name ? name : "XFEATURE_???");
}

static void arch_out(struct dc *c, uint32_t op, uint64_t addr)
{
	struct mem m;
	if (c->failed || !mem_find(c, addr, MEM_OUT, &m) || m.n < 8) {
		v_addr(c, addr);
		return;
	}
	v_open(c, '[');
	v_item(c);
	if (op == A_GET_FS || op == A_GET_GS)
		v_addr(c, mem_u(&m, 0, 8));
	else if (op == A_SHSTK_STATUS)
		v_flags(c, X_shstk, mem_u(&m, 0, 8));
	else if (op == A_UNTAG_MASK || op == A_TAG_BITS)
		v_hexnum(c, mem_u(&m, 0, 8));
	else
		features(c, mem_u(&m, 0, 8));
	v_close(c, ']');
}

void a_arch_prctl(struct dc *c, int i, const struct arg_def *a)
{
	uint32_t op = arg(c, 0);
	switch (op) {
	case A_GET_FS: case A_GET_GS: case A_SUPPORTED: case A_PERMITTED: case A_GUEST_PERMITTED: case A_UNTAG_MASK: case A_TAG_BITS:
	case A_SHSTK_STATUS: arch_out(c, op, arg(c, i)); break;
	case A_REQUEST: case A_GUEST_REQUEST: feature(c, arg(c, i)); break;
	default:
		if (op >= A_SHSTK_ENABLE && op <= A_SHSTK_UNLOCK)
			v_flags(c, X_shstk, arg(c, i));
		else
			a_hex(c, i, a);
	}
}
