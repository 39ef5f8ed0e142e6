// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/export/tables.h"
#include <stdlib.h>
#include "symbol/file/debugfile.h"
#include "ui/export/export.h"

void tables_init(struct export_tables *t, const struct places *p, const struct stacks *s)
{
	*t = (struct export_tables){ .places = p, .stacks = s };
	vec_push(&t->function);
	vec_push(&t->location);
	vec_push(&t->mapping);
	tables_text(t, "");
}

void tables_release(struct export_tables *t)
{
	vec_each(&t->string, z)
		free(*z);
	vec_release(&t->string);
	vec_release(&t->function);
	vec_release(&t->line);
	vec_release(&t->location);
	vec_release(&t->mapping);
	vec_release(&t->of_place);
	strmap_release(&t->by_text);
	idmap_release(&t->by_pointer);
	idmap_release(&t->functions);
	idmap_release(&t->mappings);
	idmap_release(&t->locations);
}

uint32_t tables_text(struct export_tables *t, const char *z)
{
	struct str s = STR_INIT;
	str_add_safez(&s, z);
	uintptr_t id = (uintptr_t)strmap_get(&t->by_text, s.buf);
	if (!id) {
		*vec_push(&t->string) = xstrdup(s.buf);
		id = t->string.n; /* one more than its number: 0 is no value of a map */
		strmap_set(&t->by_text, s.buf, (void *)id);
	}
	str_release(&s);
	return id - 1;
}

uint32_t tables_string(struct export_tables *t, const char *z)
{
	if (!z || !*z)
		return 0;
	uint32_t *id = idmap_at(&t->by_pointer, (uintptr_t)z);
	if (!*id)
		*id = tables_text(t, z);
	return *id;
}

uint32_t tables_mapping(struct export_tables *t, const struct dso *d)
{
	if (!d)
		return 0;
	uint32_t *id = idmap_at(&t->mappings, (uintptr_t)d);
	if (!*id) {
		char hex[2 * sizeof(d->build_id.id) + 1] = "";
		if (d->build_id.n)
			build_id_hex(&d->build_id, hex);
		*id = t->mapping.n;
		struct table_mapping m = { .dso = d, .path = tables_string(t, d->path), .build_id = tables_text(t, hex) };
		*vec_push(&t->mapping) = m;
	}
	return *id;
}

uint32_t tables_function(struct export_tables *t, const struct place *at)
{
	struct str room = STR_INIT;
	uint32_t file = tables_string(t, at->source), name;
	name = at->sym ? tables_string(t, at->sym) : tables_text(t, export_frame_name(at, &room));
	str_release(&room);
	uint32_t *id = idmap_at(&t->functions, (uint64_t)name << 32 | file);
	if (!*id) {
		*id = t->function.n;
		*vec_push(&t->function) = (struct table_function){ name, file };
	}
	return *id;
}

static void add_line(struct export_tables *t, struct table_mapping *m, const struct place *at)
{
	if (!at->sym)
		return;
	struct table_line l = { tables_function(t, at), at->lineno };
	*vec_push(&t->line) = l;
	m->functions = true;
	m->files |= at->source != NULL;
	m->inlines |= at->inlined;
}

/* Of n frames, stack's and those below it. */
static uint32_t location_of(struct export_tables *t, uint32_t stack, uint32_t n)
{
	const struct place *at = place_at(t->places, t->stacks->at.at[stack].place);
	uint32_t id = t->location.n, mapping = tables_mapping(t, at->dso);
	struct table_mapping *m = &t->mapping.at[mapping];
	struct table_location l = { .mapping = mapping, .line = t->line.n, .address = at->addr, .kernel = at->level == 'k' };
	if (mapping && at->addr >= m->limit)
		m->limit = at->addr + 1;
	for (uint32_t i = 0; i < n; i++, stack = t->stacks->at.at[stack].parent)
		add_line(t, m, place_at(t->places, t->stacks->at.at[stack].place));
	l.n_lines = t->line.n - l.line;
	*vec_push(&t->location) = l;
	return id;
}

/* How many frames are one location: functions inlined in each other, and the one that has their code. */
static uint32_t group_of(const struct export_tables *t, uint32_t stack)
{
	const struct place *first = place_at(t->places, t->stacks->at.at[stack].place), *at = first;
	uint32_t n = 1;
	while (at->inlined && (stack = t->stacks->at.at[stack].parent)) {
		at = place_at(t->places, t->stacks->at.at[stack].place);
		if (at->dso != first->dso || at->addr != first->addr)
			break;
		n++;
	}
	return n;
}

uint32_t tables_stack(struct export_tables *t, uint32_t stack, uint32_t *out)
{
	uint32_t n = 0;
	while (t->of_place.n < t->places->at.n)
		*vec_push(&t->of_place) = 0;
	while (stack) {
		uint32_t place = t->stacks->at.at[stack].place, group = group_of(t, stack);
		uint32_t *id = group == 1 ? &t->of_place.at[place] : idmap_at(&t->locations, (uint64_t)place << 32 | group);
		if (!*id)
			*id = location_of(t, stack, group);
		out[n++] = *id;
		for (; group; group--)
			stack = t->stacks->at.at[stack].parent;
	}
	return n;
}
