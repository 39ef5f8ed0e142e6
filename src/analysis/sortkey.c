// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/sortkey.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "symbol/dwarf/datatype.h"

static const struct key_row keys[] = {
	{ "pid", KEY_PID, KEY_OF_SAMPLE, "    Pid:Command", 0 },
	{ "tid", KEY_TID, KEY_OF_SAMPLE, "    Tid:Command", 0 },
	{ "comm", KEY_COMM, KEY_OF_SAMPLE, "Command", 0 },
	{ "dso", KEY_DSO, KEY_OF_PLACE, "Shared Object", 0 },
	{ "symbol", KEY_SYM, KEY_OF_PLACE, "Symbol", 0 },
	{ "parent", KEY_PARENT, KEY_OF_SAMPLE, "Parent symbol", 0 },
	{ "cpu", KEY_CPU, KEY_OF_SAMPLE, "CPU", 3 },
	{ "socket", KEY_SOCKET, KEY_OF_SAMPLE, "Socket", 3 },
	{ "srcline", KEY_SRCLINE, KEY_OF_PLACE, "Source:Line", 0 },
	{ "srcfile", KEY_SRCFILE, KEY_OF_PLACE, "Source File", 0 },
	{ "local_weight", KEY_LOCAL_WEIGHT, KEY_OF_SAMPLE, "Local Weight", 12 },
	{ "weight", KEY_WEIGHT, KEY_OF_SAMPLE, "Weight", 12 },
	{ "trace", KEY_TRACE, KEY_OF_SAMPLE, "Trace output", 0 },
	{ "symbol_size", KEY_SYM_SIZE, KEY_OF_PLACE, "Symbol size", 0 },
	{ "dso_size", KEY_DSO_SIZE, KEY_OF_PLACE, "DSO size", 0 },
	{ "cgroup", KEY_CGROUP, KEY_OF_SAMPLE, "Cgroup", 6 },
	{ "cgroup_id", KEY_CGROUP_ID, KEY_OF_SAMPLE, "cgroup id (dev/inode)", 20 },
	{ "time", KEY_TIME, KEY_OF_SAMPLE, "Time", 12 },
	{ "code_page_size", KEY_CODE_PAGE_SIZE, KEY_OF_SAMPLE, "Code Page Size", 0 },
	{ "local_ins_lat", KEY_LOCAL_INS_LAT, KEY_OF_SAMPLE, "Local INSTR Latency", 13 },
	{ "ins_lat", KEY_INS_LAT, KEY_OF_SAMPLE, "INSTR Latency", 13 },
	{ "local_p_stage_cyc", KEY_LOCAL_RETIRE_LAT, KEY_OF_SAMPLE, "Local Retire Latency", 13 },
	{ "p_stage_cyc", KEY_RETIRE_LAT, KEY_OF_SAMPLE, "Retire Latency", 13 },
	{ "local_retire_lat", KEY_LOCAL_RETIRE_LAT, KEY_OF_SAMPLE, "Local Retire Latency", 13 },
	{ "retire_lat", KEY_RETIRE_LAT, KEY_OF_SAMPLE, "Retire Latency", 13 },
	{ "addr", KEY_ADDR, KEY_OF_SAMPLE, "Address", 18 },
	{ "ipc_null", KEY_IPC, KEY_OF_PLACE, "IPC   [IPC Coverage]", 0 },
	{ "dso_from", KEY_DSO_FROM, KEY_OF_BRANCH, "Source Shared Object", 0 },
	{ "dso_to", KEY_DSO_TO, KEY_OF_BRANCH, "Target Shared Object", 0 },
	{ "symbol_from", KEY_SYM_FROM, KEY_OF_BRANCH, "Source Symbol", 0 },
	{ "symbol_to", KEY_SYM_TO, KEY_OF_BRANCH, "Target Symbol", 0 },
	{ "mispredict", KEY_MISPREDICT, KEY_OF_BRANCH, "Branch Mispredicted", 0 },
	{ "in_tx", KEY_IN_TX, KEY_OF_BRANCH, "Branch in transaction", 0 },
	{ "abort", KEY_ABORT, KEY_OF_BRANCH, "Transaction abort", 0 },
	{ "cycles", KEY_CYCLES, KEY_OF_BRANCH, "Basic Block Cycles", 0 },
	{ "srcline_from", KEY_SRCLINE_FROM, KEY_OF_BRANCH, "From Source:Line", 0 },
	{ "srcline_to", KEY_SRCLINE_TO, KEY_OF_BRANCH, "To Source:Line", 0 },
	{ "symbol_daddr", KEY_SYM_DADDR, KEY_OF_MEMORY, "Data Symbol", 0 },
	{ "symbol_iaddr", KEY_SYM_IADDR, KEY_OF_MEMORY, "Code Symbol", 0 },
	{ "dso_daddr", KEY_DSO_DADDR, KEY_OF_MEMORY, "Data Object", 0 },
	{ "locked", KEY_LOCKED, KEY_OF_MEMORY, "Locked", 6 },
	{ "tlb", KEY_TLB, KEY_OF_MEMORY, "TLB access", 22 },
	{ "mem", KEY_MEM, KEY_OF_MEMORY, "Memory access", 39 },
	{ "snoop", KEY_SNOOP, KEY_OF_MEMORY, "Snoop", 12 },
	{ "dcacheline", KEY_DCACHELINE, KEY_OF_MEMORY, "Data Cacheline", 0 },
	{ "phys_daddr", KEY_PHYS_DADDR, KEY_OF_MEMORY, "Data Physical Address", 22 },
	{ "data_page_size", KEY_DATA_PAGE_SIZE, KEY_OF_MEMORY, "Data Page Size", 22 },
	{ "blocked", KEY_BLOCKED, KEY_OF_MEMORY, "Blocked", 10 },
	{ "type", KEY_TYPE, KEY_OF_SAMPLE, "Data Type", 0 },
	{ "typeoff", KEY_TYPEOFF, KEY_OF_SAMPLE, "Data Type Offset", 0 },
	{ "typecln", KEY_TYPECLN, KEY_OF_SAMPLE, "Data Type Cacheline", 0 },
};
static const struct key_row field_row = { "field", KEY_FIELD, KEY_OF_SAMPLE, NULL, 0 };

static const struct { const char *name, *alias; enum column_kind kind; const char *header; } numbers[] = {
	{ "overhead", NULL, COLUMN_OVERHEAD, "Overhead" },
	{ "overhead_sys", NULL, COLUMN_SYS, "sys" },
	{ "overhead_us", NULL, COLUMN_USR, "usr" },
	{ "overhead_guest_sys", NULL, COLUMN_GUEST_SYS, "guest sys" },
	{ "overhead_guest_us", NULL, COLUMN_GUEST_USR, "guest usr" },
	{ "overhead_children", NULL, COLUMN_CHILDREN, "Children" },
	{ "sample", "samples", COLUMN_SAMPLES, "Samples" },
	{ "period", NULL, COLUMN_PERIOD, "Period" },
};

const char *column_header(const struct layout *l, const struct column *c)
{
	if (c->kind == COLUMN_OVERHEAD && l->self)
		return "Self";
	if (c->kind != COLUMN_KEY)
		return numbers[c->kind].header;
	return c->row->key == KEY_FIELD ? c->field : c->row->header;
}

static bool same_column(const struct column *a, const struct column *b)
{
	if (a->kind != b->kind || a->row != b->row)
		return false;
	if (!a->field || strcmp(a->field, b->field))
		return !a->field;
	return !a->event || (b->event && !strcmp(a->event, b->event)); /* that of any event is there for each */
}

static int add_column(struct layout *l, struct column c)
{
	for (size_t i = 0; i < l->col.n; i++) {
		if (!same_column(&l->col.at[i], &c))
			continue;
		free(c.field);
		free(c.event);
		return i;
	}
	c.slot = c.kind == COLUMN_KEY && c.row->of != KEY_OF_PLACE ? l->n_slot++ : -1;
	*vec_push(&l->col) = c;
	return l->col.n - 1;
}

static void add_order(column_order *o, int i)
{
	vec_each(o, at)
		if (*at == i)
			return;
	*vec_push(o) = i;
}

/* A name may be abbreviated, as perf allows: "sym", "dso". */
static bool name_is(const char *name, const char *word)
{
	return !strncasecmp(name, word, strlen(word));
}

static int find_field(struct layout *l, const char *word, const struct layout_options *o)
{
	char *event = NULL, *field = xstrdup(word), *dot = strchr(field, '.');
	if (dot) {
		event = field;
		*dot = 0;
		field = xstrdup(dot + 1);
	}
	char *slash = strchr(field, '/'); /* "next_pid/hex": as perf, the raw number */
	if (slash)
		*slash = 0;
	if (o->is_field && o->is_field(o->ctx, event, field))
		return add_column(l, (struct column){ .kind = COLUMN_KEY, .row = &field_row, .field = field, .event = event });
	free(field);
	free(event);
	return -1;
}

/* Keys of perf's that are known and not here, with the reason. */
static const struct { const char *name, *why; } absent[] = {
	{ "simd", "it tells of ARM's SPE, which is not decoded" },
	{ "symoff", "lines are functions: -s srcline or -g address tells places in them apart" },
	{ "transaction", "flags of aborted transactions are not shown" },
	{ "weight1", "-s weight shows the weights" }, { "weight2", "-s weight shows the weights" }, { "weight3", "-s weight shows the weights" },
	{ "ipc_lbr", "--total-cycles shows the cycles of straight pieces of code" },
	{ "addr_from", "-s srcline_from tells places in a function apart" }, { "addr_to", "-s srcline_to tells places in a function apart" },
};

static int unknown_key(const char *word, bool fields)
{
	struct nearest n;
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		if (!strcmp(absent[i].name, word)) {
			error_set(EINVAL, "'%s' is a key of perf's that sonde does not have: %s", word, absent[i].why);
			return error_hint("leave it out, or ask perf report for it: it reads the same file");
		}
	error_set(EINVAL, "'%s' is not a key to %s by", word, fields ? "show" : "sort");
	nearest_init(&n, word);
	struct str all = STR_INIT;
	for (size_t i = 0; fields && i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		nearest_offer(&n, numbers[i].name);
		str_addf(&all, "%s, ", numbers[i].name);
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		nearest_offer(&n, keys[i].name);
		str_addf(&all, "%s, ", keys[i].name);
	}
	nearest_hint(&n);
	error_hint("there are %sand the fields of the recorded tracepoints", all.buf);
	str_release(&all);
	return -EINVAL;
}

/* In full, or as everybody writes it: a field of an event of that name stands behind it. */
static bool is_key(const char *word)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcasecmp(keys[i].name, word))
			return true;
	return !strcmp(word, "sym");
}

static int find_column(struct layout *l, const char *word, const struct layout_options *o, bool fields)
{
	bool memory = false;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(numbers[i].name, word) || (numbers[i].alias && !strcmp(numbers[i].alias, word)))
			return add_column(l, (struct column){ .kind = numbers[i].kind });
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		if (!strcmp(absent[i].name, word)) /* not taken for the beginning of another's name */
			return unknown_key(word, fields);
	int field = is_key(word) ? -1 : find_field(l, word, o);
	if (field >= 0)
		return field;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!*word || !name_is(keys[i].name, word))
			continue;
		if (keys[i].of == KEY_OF_BRANCH && !o->branch && strcmp(keys[i].name, word))
			continue;
		if (keys[i].of == KEY_OF_BRANCH && !o->branch) {
			error_set(ENODATA, "'%s' needs branch records, and this recording has none", word);
			return error_hint("record with sonde record -b");
		}
		if (keys[i].of == KEY_OF_MEMORY && !o->memory) {
			memory |= !strcmp(keys[i].name, word);
			continue;
		}
		return add_column(l, (struct column){ .kind = COLUMN_KEY, .row = &keys[i] });
	}
	int i = find_field(l, word, o);
	if (i < 0 && memory) {
		error_set(EINVAL, "'%s' is about accesses to memory: it goes with --mem-mode", word);
		return error_hint("sonde report --mem-mode -s %s", word);
	}
	return i >= 0 ? i : unknown_key(word, fields);
}

static int add_words(struct layout *l, const char *text, const struct layout_options *o, bool fields, column_order *to)
{
	wordlist w = { 0 };
	int err = 0;
	wordlist_split(&w, text, ',');
	for (size_t i = 0; i < w.n && err >= 0; i++) {
		if (!*w.at[i])
			continue;
		if (!strcmp(w.at[i], "trace_fields") && o->field_at) {
			struct column c = { .kind = COLUMN_KEY, .row = &field_row };
			for (size_t k = 0; o->field_at(o->ctx, k, &c.event, &c.field); k++)
				add_order(to, add_column(l, c));
			continue;
		}
		err = find_column(l, w.at[i], o, fields);
		if (err < 0)
			break;
		add_order(to, err);
	}
	wordlist_release(&w);
	return err < 0 ? err : 0;
}

static void add_numbers(struct layout *l, const struct layout_options *o)
{
	/* -s that names it says itself how much it weighs */
	bool own = o->sort && !o->fields && strstr(o->sort, "overhead");
	const struct { bool on; enum column_kind kind; bool sorts; } first[] = {
		{ o->children, COLUMN_CHILDREN, !own }, { true, COLUMN_OVERHEAD, !own },
		{ o->utilization, COLUMN_SYS, false }, { o->utilization, COLUMN_USR, false },
		{ o->samples, COLUMN_SAMPLES, false }, { o->period, COLUMN_PERIOD, false },
	};
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		if (!first[i].on)
			continue;
		int c = add_column(l, (struct column){ .kind = first[i].kind });
		add_order(&l->out, c);
		if (first[i].sorts)
			add_order(&l->sort, c);
	}
}

/* Added to the usual columns, as in perf, it is there only where something is to be counted. */
static void drop_children(struct layout *l)
{
	size_t n = 0;
	vec_each(&l->out, c)
		if (l->col.at[*c].kind != COLUMN_CHILDREN)
			l->out.at[n++] = *c;
	l->out.n = n;
}

int layout_make(struct layout *l, const struct layout_options *o)
{
	const char *sort = o->sort, *fields = o->fields;
	bool add_sort = sort && *sort == '+', add_fields = fields && *fields == '+';
	int err = 0;
	memset(l, 0, sizeof(*l));
	l->self = o->children && (!fields || add_fields);
	if (!fields || add_fields)
		add_numbers(l, o);
	if (add_fields)
		err = add_words(l, fields + 1, o, true, &l->out);
	if (add_fields && !o->children && !o->no_children)
		drop_children(l);
	if (!err && (!fields || add_fields || sort)) {
		column_order order = { 0 };
		if (!sort || add_sort)
			err = add_words(l, o->def, o, false, &order);
		if (!err && sort)
			err = add_words(l, add_sort ? sort + 1 : sort, o, false, &order);
		if (!err && sort && strstr(sort, "symbol") && !o->branch) /* perf's IPC column comes with it */
			err = add_words(l, "ipc_null", o, false, &order);
		vec_each(&order, c) {
			add_order(&l->sort, *c);
			if (!fields || add_fields)
				add_order(&l->out, *c);
		}
		vec_release(&order);
	}
	if (!err && o->parent)
		err = add_words(l, "parent", o, false, &l->sort);
	if (!err && o->parent && (!fields || add_fields))
		err = add_words(l, "parent", o, false, &l->out);
	if (!err && fields && !add_fields)
		err = add_words(l, fields, o, true, &l->out);
	vec_each(&l->sort, c) /* what sorts is shown, what is shown sorts */
		if (l->col.at[*c].kind == COLUMN_KEY || sort)
			add_order(&l->out, *c);
	vec_each(&l->out, c)
		add_order(&l->sort, *c);
	int level = 0;
	vec_each(&l->out, c)
		if (l->col.at[*c].kind == COLUMN_KEY)
			l->col.at[*c].level = level++;
	if (!err && (layout_has(l, KEY_TYPE) || layout_has(l, KEY_TYPEOFF) || layout_has(l, KEY_TYPECLN)))
		err = data_types_possible();
	return err;
}

void layout_release(struct layout *l)
{
	vec_each(&l->col, c) {
		free(c->field);
		free(c->event);
	}
	vec_release(&l->col);
	vec_release(&l->out);
	vec_release(&l->sort);
}

bool layout_has(const struct layout *l, enum sort_key key)
{
	vec_each(&l->col, c)
		if (c->kind == COLUMN_KEY && c->row->key == key)
			return true;
	return false;
}
