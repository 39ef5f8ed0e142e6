// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/add.h"
#include "base/error.h"

static int add_one(struct probe_added *a, struct probe_target *t, const char *text, const struct probe_options *o)
{
	struct probe_spec *s = vec_push(&a->specs);
	int err = probe_spec_parse(s, text);
	size_t before = a->defs.n;
	if (err)
		return err;
	note(1, "definition %zu: %s", a->specs.n - 1, text);
	err = probe_resolve(t, s, o, &a->defs);
	for (size_t i = before; i < a->defs.n; i++)
		a->defs.at[i].spec = (int)a->specs.n - 1;
	if (!err)
		note(1, "found %zu place%s for '%s'", a->defs.n - before, a->defs.n - before == 1 ? "" : "s", text);
	return err;
}

int probe_add(struct probe_added *a, struct probe_target *t, const wordlist *texts, const struct probe_options *o, bool dry)
{
	int err = 0;
	for (size_t i = 0; i < texts->n && !err; i++)
		err = add_one(a, t, texts->at[i], o);
	return err ? err : probe_events_add(&a->defs, a->specs.at, o->force, dry);
}

void probe_added_release(struct probe_added *a)
{
	vec_each(&a->specs, s)
		probe_spec_release(s);
	vec_release(&a->specs);
	probe_defs_release(&a->defs);
}
