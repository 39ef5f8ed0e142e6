// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/map.h"
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/json.h"
#include "script/code/lower.h"
#include "script/code/marks.h"
#include "script/code/slots.h"
#include "script/show/hist.h"
#include "script/show/value.h"

struct map_row { uint8_t *key, *value; int64_t rank; size_t number; /* in the order they were read */ };
struct map_table {
	const struct decl *d;
	VEC(struct map_row) rows;
	uint32_t key, room, at; /* sizes of a key and a value; where the value begins in the kernel's entry */
};

static bool is_aggregate(const struct decl *d, enum aggregate a)
{
	return d->type->kind == TYPE_AGGREGATE && d->type->aggregate == a;
}

/* The parts of all CPUs as one value. */
static void fold(const struct script_type *t, const uint8_t *parts, uint32_t stride, unsigned n_cpus, uint8_t *value)
{
	uint64_t *sum = (uint64_t *)(void *)value;
	for (unsigned cpu = 0; cpu < n_cpus; cpu++) {
		const uint64_t *p = (const uint64_t *)(const void *)(parts + (size_t)cpu * stride);
		if (t->aggregate == AGG_MIN || t->aggregate == AGG_MAX) {
			bool less = t->is_signed ? (int64_t)p[0] < (int64_t)sum[0] : p[0] < sum[0];
			if (p[1] && (!sum[1] || less == (t->aggregate == AGG_MIN)))
				sum[0] = p[0];
			sum[1] |= p[1];
			continue;
		}
		for (uint32_t i = 0; i < type_room(t) / 8; i++)
			sum[i] += p[i];
	}
}

/* With --sample: what was let through stands for as many as were not. Means, least and largest values stay. */
static void scale(const struct script_type *t, uint8_t *value, unsigned by)
{
	uint64_t *v = (uint64_t *)(void *)value;
	if (t->aggregate == AGG_MIN || t->aggregate == AGG_MAX)
		return;
	for (uint32_t i = 0; i < type_room(t) / 8; i++)
		v[i] *= by;
}

/* What rows are sorted by. */
static int64_t rank_of(const struct script_type *t, const uint8_t *value)
{
	const uint64_t *v = (const uint64_t *)(const void *)value;
	int64_t sum = 0;
	if (t->kind == TYPE_INT || t->kind == TYPE_POINTER)
		return (int64_t)v[0];
	if (t->kind != TYPE_AGGREGATE)
		return 0;
	switch (t->aggregate) {
	case AGG_AVG:
	case AGG_STATS: return v[0] ? (int64_t)v[1] / (int64_t)v[0] : 0;
	case AGG_HIST:
	case AGG_LHIST:
		for (uint32_t i = 0; i < type_room(t) / 8; i++)
			sum += (int64_t)v[i];
		return sum;
	default: return (int64_t)v[0];
	}
}

static int compare_keys(const struct script_type *t, const uint8_t *a, const uint8_t *b)
{
	if (t->kind == TYPE_TUPLE) {
		int c = 0;
		for (unsigned i = 0; i < t->n_fields && !c; i++)
			c = compare_keys(t->fields[i].type, a + t->fields[i].at, b + t->fields[i].at);
		return c;
	}
	if (t->kind == TYPE_STRING)
		return strncmp((const char *)a, (const char *)b, t->size);
	if (t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY)
		return memcmp(a, b, t->size);
	uint64_t x, y;
	memcpy(&x, a, 8);
	memcpy(&y, b, 8);
	return t->kind == TYPE_INT && t->is_signed ? ((int64_t)x > (int64_t)y) - ((int64_t)x < (int64_t)y) : (x > y) - (x < y);
}

static int by_rank(const void *a, const void *b, void *ctx)
{
	const struct map_row *x = a, *y = b;
	const struct map_table *t = ctx;
	const struct script_type *v = t->d->type;
	bool is_unsigned = v->kind == TYPE_INT && !v->is_signed;
	if (x->rank != y->rank)
		return (is_unsigned ? (uint64_t)x->rank < (uint64_t)y->rank : x->rank < y->rank) ? -1 : 1;
	return t->d->keyed ? compare_keys(t->d->key, x->key, y->key) : 0;
}

/* One entry into the table, unless it is a mere map without keys that was never set. */
static void add_row(struct map_table *t, const struct runner *r, const uint8_t *key, const uint8_t *entry)
{
	bool each = map_per_cpu(t->d);
	uint32_t stride = (t->at + t->room + 7) & ~7u;
	unsigned cpus = each ? r->load.n_cpus : 1;
	bool set = !t->at;
	for (unsigned i = 0; i < cpus; i++)
		set |= *(const uint64_t *)(const void *)(entry + (size_t)i * stride) != 0;
	if (!set)
		return;
	struct map_row *row = vec_push(&t->rows);
	row->number = t->rows.n;
	row->key = xcalloc(1, t->key);
	row->value = xcalloc(1, t->room);
	memcpy(row->key, key, t->key);
	if (each)
		fold(t->d->type, entry + t->at, stride, cpus, row->value);
	else
		memcpy(row->value, entry + t->at, t->room);
	if (t->d->sampled && r->s->sample > 1)
		scale(t->d->type, row->value, r->s->sample);
	row->rank = rank_of(t->d->type, row->value);
}

static int by_key(const void *a, const void *b, void *ctx)
{
	const struct map_row *x = a, *y = b;
	const struct map_table *t = ctx;
	int c = memcmp(x->key, y->key, t->key);
	return c ? c : (x->number > y->number) - (x->number < y->number);
}

/* Of rows with one key the last that was read. */
static void drop_older(struct map_table *t)
{
	size_t n = 0;
	qsort_r(t->rows.at, t->rows.n, sizeof(t->rows.at[0]), by_key, t);
	for (size_t i = 0; i < t->rows.n; i++) {
		struct map_row *row = &t->rows.at[i];
		if (i + 1 < t->rows.n && !memcmp(row->key, row[1].key, t->key)) {
			free(row->key);
			free(row->value);
		} else {
			t->rows.at[n++] = *row;
		}
	}
	t->rows.n = n;
}

/* The slot with this number; NULL: nobody's. */
static uint64_t *slot_at(const struct runner *r, uint64_t i)
{
	uint64_t *slot = r->load.slot + i * (slots_size(r->s) / 8);
	return slot[0] ? slot : NULL;
}

static void read_slots(struct map_table *t, const struct runner *r)
{
	for (uint64_t i = 0; i < slots_count(r->s); i++) {
		const uint64_t *slot = slot_at(r, i), key = slot ? slot[0] - 1 : 0;
		if (slot)
			add_row(t, r, (const uint8_t *)&key, (const uint8_t *)slot + slots_entry_at(t->d));
	}
}

/* The entry of this key that is in a slot, or NULL. */
static uint64_t *slot_entry(const struct runner *r, const struct decl *d, const uint8_t *key)
{
	uint64_t tid;
	if (!d->slot)
		return NULL;
	memcpy(&tid, key, sizeof(tid));
	uint64_t *slot = slot_at(r, tid % slots_count(r->s));
	return slot && slot[0] == tid + 1 ? slot + slots_entry_at(d) / 8 : NULL;
}

static void read_table(struct map_table *t, const struct runner *r, const struct decl *d)
{
	int fd = r->load.maps[d->number];
	*t = (struct map_table){ .d = d, .key = d->keyed ? d->key->size : 4, .room = type_room(d->type), .at = map_value_at(d) };
	uint8_t *key = xcalloc(1, t->key), *next = xcalloc(1, t->key);
	uint8_t *entry = xcalloc(r->load.n_cpus, ((size_t)t->at + t->room + 7) & ~7ul);
	const uint8_t *from = NULL;
	/* bounded: a key that is deleted while we are there has the kernel begin again */
	for (unsigned n = 0; n < 2 * marks_room(r->s, d) && !bpf_map_get_next_key(fd, from, next); n++) {
		if (!bpf_map_lookup_elem(fd, next, entry))
			add_row(t, r, next, entry);
		memcpy(key, next, t->key);
		from = key;
	}
	free(key);
	free(next);
	free(entry);
	if (d->slot)
		read_slots(t, r);
	if (t->rows.n) {
		drop_older(t);
		qsort_r(t->rows.at, t->rows.n, sizeof(t->rows.at[0]), by_rank, t);
	}
}

static void release_table(struct map_table *t)
{
	vec_each(&t->rows, row) {
		free(row->key);
		free(row->value);
	}
	vec_release(&t->rows);
}

static void show_key(struct str *out, const struct runner *r, const struct decl *d, const uint8_t *key, const char *between)
{
	for (unsigned i = 0; i < d->key->n_fields; i++) {
		str_add(out, i ? between : "");
		show_value_in(out, &r->namer, d->key->fields[i].type, key + d->key->fields[i].at, false, KEY_INDENT);
	}
}

static void show_number(struct str *out, const struct script_type *t, uint64_t v, uint64_t div)
{
	if (t->is_signed)
		str_addf(out, "%lld", (long long)v / (long long)div);
	else
		str_addf(out, "%llu", (unsigned long long)(v / div));
}

static int64_t average(const uint64_t *v, const struct script_type *t)
{
	return !v[0] ? 0 : t->is_signed ? (int64_t)v[1] / (int64_t)v[0] : (int64_t)(v[1] / v[0]);
}

static void show_row_value(struct str *out, const struct runner *r, const struct script_type *t, const uint8_t *value, uint64_t div)
{
	const uint64_t *v = (const uint64_t *)(const void *)value;
	if (t->kind == TYPE_INT && (!t->n_constants || t->plain)) {
		show_number(out, t, v[0], div);
	} else if (t->kind != TYPE_AGGREGATE) {
		show_value(out, &r->namer, t, value, r->json);
	} else if (t->aggregate == AGG_HIST || t->aggregate == AGG_LHIST) {
		if (r->json)
			hist_json(out, t, v, div);
		else
			hist_text(out, t, v, div);
	} else if (t->aggregate == AGG_STATS) {
		str_addf(out, r->json ? "{\"count\": %llu, \"average\": %lld, \"total\": " : "count %llu, average %lld, total ",
			 (unsigned long long)v[0], (long long)average(v, t));
		show_number(out, t, v[1], 1);
		str_add(out, r->json ? "}" : "");
	} else {
		show_number(out, t, t->aggregate == AGG_AVG ? (uint64_t)average(v, t) : v[0], div);
	}
}

static void text_rows(struct str *out, const struct runner *r, const struct map_table *t, size_t first, uint64_t div)
{
	const struct decl *d = t->d;
	bool hist = is_aggregate(d, AGG_HIST) || is_aggregate(d, AGG_LHIST), stacks = d->type->kind == TYPE_KSTACK || d->type->kind == TYPE_USTACK;
	for (size_t i = first; i < t->rows.n; i++) {
		str_addf(out, "@%s", d->name);
		if (d->keyed) {
			str_addc(out, '[');
			show_key(out, r, d, t->rows.at[i].key, ", ");
			str_addc(out, ']');
		}
		str_add(out, hist ? ": \n" : ": ");
		show_row_value(out, r, d->type, t->rows.at[i].value, div);
		if (!stacks || i + 1 == t->rows.n) /* the lines of a stack end by themselves */
			str_addc(out, '\n');
	}
	/* as there: nothing at all is an empty line, and averages have one behind them */
	if (!t->rows.n)
		str_addc(out, '\n');
	if (is_aggregate(d, AGG_AVG) || is_aggregate(d, AGG_STATS))
		str_addc(out, '\n');
}

static void json_rows(struct str *out, const struct runner *r, const struct map_table *t, size_t first, uint64_t div)
{
	const struct decl *d = t->d;
	bool hist = is_aggregate(d, AGG_HIST) || is_aggregate(d, AGG_LHIST), stats = is_aggregate(d, AGG_AVG) || is_aggregate(d, AGG_STATS);
	struct str key = STR_INIT;
	if (!t->rows.n)
		return;
	str_addf(out, "{\"type\": \"%s\", \"data\": {\"@%s\": %s", hist ? "hist" : stats ? "stats" : "map", d->name, d->keyed ? "{" : "");
	for (size_t i = first; i < t->rows.n; i++) {
		str_add(out, i > first ? ", " : "");
		if (d->keyed) {
			struct json j;
			str_clear(&key);
			show_key(&key, r, d, t->rows.at[i].key, ",");
			json_init(&j, out);
			json_str(&j, key.buf, key.len);
			str_add(out, ": ");
		}
		show_row_value(out, r, d->type, t->rows.at[i].value, div);
	}
	str_add(out, d->keyed ? "}}}\n" : "}}\n");
	str_release(&key);
}

int show_map(struct runner *r, const struct decl *d, unsigned top, uint64_t div)
{
	struct map_table t;
	struct str out = STR_INIT;
	if (!d->type)
		return 0;
	read_table(&t, r, d);
	size_t first = top && t.rows.n > top ? t.rows.n - top : 0;
	if (r->json)
		json_rows(&out, r, &t, first, div ? div : 1);
	else
		text_rows(&out, r, &t, first, div ? div : 1);
	out_str(r->out, &out);
	str_release(&out);
	release_table(&t);
	return 0;
}

/* A record's key as the map has it: strings are in their place, and padded. False: the record is none of that. */
static bool key_of(const struct decl *d, const uint8_t *payload, size_t n, uint8_t *key)
{
	size_t at = 0;
	for (unsigned i = 0; i < d->key->n_fields; i++) {
		const struct type_field *f = &d->key->fields[i];
		bool text = f->type->kind == TYPE_STRING;
		size_t size = text ? 8 : f->size, len;
		uint64_t word;
		if (at + size > n)
			return false;
		memcpy(&word, payload + at, sizeof(word));
		const char *p = text ? payload_text(payload, n, word, &len) : (const char *)payload + at;
		memcpy(key + f->at, p, !text ? size : len < f->size ? len : f->size - 1);
		at += size;
	}
	return true;
}

int show_entry(struct runner *r, const struct decl *d, const uint8_t *payload, size_t n, bool whole)
{
	struct map_table t = { .d = d, .key = d->key->size, .room = type_room(d->type), .at = map_value_at(d) };
	uint8_t *key = xcalloc(1, t.key), *entry = xcalloc(r->load.n_cpus, ((size_t)t.at + t.room + 7) & ~7ul);
	struct str text = STR_INIT;
	bool known = whole ? n >= t.key : key_of(d, payload, n, key);
	if (whole && known)
		memcpy(key, payload, t.key);
	const uint64_t *slot = known ? slot_entry(r, d, key) : NULL;
	if (slot)
		add_row(&t, r, key, (const uint8_t *)slot);
	else if (known && !bpf_map_lookup_elem(r->load.maps[d->number], key, entry))
		add_row(&t, r, key, entry);
	if (t.rows.n)
		show_row_value(&text, r, d->type, t.rows.at[0].value, 1);
	else
		str_add(&text, r->json ? "[]" : "");
	run_value(r, &text);
	str_release(&text);
	release_table(&t);
	free(key);
	free(entry);
	return 0;
}

int show_all_maps(struct runner *r)
{
	int err = 0;
	if (!r->s->print_maps)
		return 0;
	out_puts(r->out, "\n\n");
	for (size_t i = 0; i < r->s->maps.n && !err; i++)
		err = show_map(r, r->s->maps.at[i], 0, 1);
	return err;
}

int map_clear(struct runner *r, const struct decl *d, bool keep_keys)
{
	int fd = r->load.maps[d->number];
	struct map_table t;
	if (!d->type)
		return 0;
	read_table(&t, r, d);
	size_t size = ((size_t)t.at + t.room + 7) & ~7ul;
	uint8_t *zero = xcalloc(r->load.n_cpus, size);
	for (unsigned cpu = 0; keep_keys && t.at && cpu < r->load.n_cpus; cpu++)
		zero[cpu * size] = 1; /* it was set, and is 0 now */
	vec_each(&t.rows, row) {
		uint64_t *slot = d->keyed ? slot_entry(r, d, row->key) : NULL;
		if (slot) {
			slot[1] = 0;
			slot[0] = keep_keys;
			continue;
		}
		if (keep_keys || !d->keyed)
			(void)bpf_map_update_elem(fd, row->key, zero, BPF_EXIST);
		else
			(void)bpf_map_delete_elem(fd, row->key);
	}
	free(zero);
	release_table(&t);
	return 0;
}
