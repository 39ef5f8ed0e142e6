// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys and keyrings: keyctl's arguments hang on the first one. */
#include <string.h>
#include "syscall/table.h"

enum { DESCRIBE = 6, READ = 11, SET_REQKEY = 14, CAPABILITIES = 31 };

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

/* k key, d signed and u unsigned number of 32 bits, l length, x hex, s string, b buffer in, B buffer out, U uid, p pointer,
 * P permissions, r default keyring, e error, m flags of a move, C capabilities */
static const char *const keyctls[] = {
	[0] = "kd", [1] = "s", [2] = "kbl", [3] = "k", [4] = "kUU", [5] = "kP", [DESCRIBE] = "kBl", [7] = "k", [8] = "kk", [9] = "kk",
	[10] = "kssk", [READ] = "kBl", [12] = "kblk", [13] = "kuk", [SET_REQKEY] = "r", [15] = "ku", [16] = "k", [17] = "kBl", [18] = "",
	[19] = "kuek", [20] = "kplk", [21] = "k", [22] = "Uk", [23] = "ppup", [24] = "kxsp", [25] = "pspp", [26] = "pspp",
	[27] = "pspp", [28] = "pspp", [29] = "kss", [30] = "kkkm", [CAPABILITIES] = "Cl", [32] = "kul",
};

static const char *keyctl_args(uint32_t op)
{
	return op < sizeof(keyctls) / sizeof(*keyctls) ? keyctls[op] : "xxxx";
}

int n_keyctl(struct dc *c)
{
	return 1 + strlen(keyctl_args(arg(c, 0)));
}

/* What the kernel wrote is no longer than the buffer; a description ends in a NUL that strace does not show. */
static void filled(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint64_t n = c->e->ret, room = arg(c, i + 1);
	if (c->failed || c->entered || !arg(c, i)) {
		a_ptr(c, i, a);
		return;
	}
	n = n < room ? n : room;
	if (!n)
		v_str(c, "", 0, false, 0);
	else if (!mem_find(c, arg(c, i), MEM_OUT, &m))
		a_ptr(c, i, a);
	else if ((uint32_t)arg(c, 0) != READ && m.n >= n && !m.p[n - 1])
		v_str(c, m.p, n - 1, false, c->d->style.string_limit);
	else
		v_payload(c, &m, n);
}

static void capabilities(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint64_t n = c->e->ret, room = arg(c, i + 1);
	if (c->failed || !mem_find(c, arg(c, i), MEM_OUT, &m)) {
		a_ptr(c, i, a);
		return;
	}
	n = n < room ? n : room;
	v_open(c, '[');
	for (size_t k = 0; k < n && k < m.n; k++) {
		v_item(c);
		if (k < 2)
			v_flags(c, k ? X_keyctl_caps1 : X_keyctl_caps0, m.p[k]);
		else
			v_hexnum(c, m.p[k]);
	}
	v_close(c, ']');
}

static void error(struct dc *c, uint32_t err)
{
	const char *name = errno_name(err);
	if (name)
		v_word(c, name);
	else
		v_u(c, err);
}

static void default_keyring(struct dc *c, uint32_t v)
{
	if (xlat_name(X_key_reqkey, v))
		v_enum(c, X_key_reqkey, v);
	else {
		v_s(c, (int32_t)v);
		v_comment(c, "KEY_REQKEY_DEFL_???");
	}
}

void a_keyctl(struct dc *c, int i, const struct arg_def *a)
{
	struct mem m;
	uint64_t v = arg(c, i);
	const char *kinds = keyctl_args(arg(c, 0));
	switch ((size_t)i - 1 < strlen(kinds) ? kinds[i - 1] : 'x') {
	case 'k': key(c, v); break;
	case 'd': v_s(c, (int32_t)v); break;
	case 'u': v_u(c, (uint32_t)v); break;
	case 'l': a_ulong(c, i, a); break;
	case 'U': v_uid(c, v); break;
	case 's': a_str(c, i, a); break;
	case 'P': v_flags(c, X_key_perms, (uint32_t)v); break;
	case 'm': v_flags(c, X_keyctl_move, (uint32_t)v); break;
	case 'r': default_keyring(c, v); break;
	case 'e': error(c, v); break;
	case 'B': filled(c, i, a); break;
	case 'C': capabilities(c, i, a); break;
	case 'b':
		if (mem_find(c, v, MEM_IN, &m))
			v_payload(c, &m, arg(c, i + 1));
		else
			a_ptr(c, i, a);
		break;
	case 'p': a_ptr(c, i, a); break;
	default: a_hex(c, i, a); break;
	}
}
