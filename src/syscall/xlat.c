// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <string.h>
#include "syscall/xlat.h"

#define TABLE(t, prefix, unknown, header) static const struct xval values_##t[] = {
#define V(name, value) { #name, (uint64_t)(value) },
#define END(t) };
#include "syscall/tables/constants.def"
#undef TABLE
#undef V
#undef END

static const struct xlat tables[X_COUNT] = {
	[X_none] = { NULL, 0, 0, "", "" },
#define TABLE(t, prefix, unknown, header) \
	[X_##t] = { values_##t, sizeof(values_##t) / sizeof(struct xval), sizeof(prefix) - 1, unknown, header },
#define V(name, value)
#define END(t)
#include "syscall/tables/constants.def"
#undef TABLE
#undef V
#undef END
};

const struct xlat *xlat(enum xlat_id id)
{
	return &tables[(unsigned)id < X_COUNT ? id : X_none];
}

const char *xlat_name(enum xlat_id id, uint64_t v)
{
	const struct xlat *x = xlat(id);
	for (unsigned i = 0; i < x->n; i++)
		if (x->val[i].value == v)
			return x->val[i].name;
	return NULL;
}

bool xlat_value(const char *name, uint64_t *v)
{
	for (unsigned id = X_none + 1; id < X_COUNT; id++) {
		for (unsigned i = 0; i < tables[id].n; i++) {
			if (strcmp(tables[id].val[i].name, name))
				continue;
			*v = tables[id].val[i].value;
			return true;
		}
	}
	return false;
}
