// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/where.h"

enum { RESULT = 6 };

static bool holds(const struct engine_where *w, uint64_t raw)
{
	int64_t a = raw, b = w->value;
	uint64_t ua = raw, ub = w->value;
	switch ((enum where_op)w->op) {
	case WHERE_EQ: return a == b;
	case WHERE_NE: return a != b;
	case WHERE_LT: return w->is_signed ? a < b : ua < ub;
	case WHERE_LE: return w->is_signed ? a <= b : ua <= ub;
	case WHERE_GT: return w->is_signed ? a > b : ua > ub;
	case WHERE_GE: return w->is_signed ? a >= b : ua >= ub;
	case WHERE_MASK: return ua & ub;
	}
	return true;
}

bool where_holds(const struct engine_options *o, enum sys_abi abi, int nr, const uint64_t args[6], int64_t ret, bool left)
{
	if (o->silent && sysset_has(o->silent, abi, nr))
		return true; /* told anyway: whoever shows it judges */
	for (unsigned i = 0; i < o->n_where; i++) {
		const struct engine_where *w = &o->where[i];
		if (w->nr >= 0 && (w->nr != nr || w->abi != abi))
			continue;
		if (w->arg == RESULT ? left && !holds(w, ret) : !holds(w, args[w->arg]))
			return false;
	}
	return true;
}
