// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace/table.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"

static const struct { const char *title; int width; } columns[] = {
	[TABLE_PERCENT] = { "% time", 6 }, [TABLE_TOTAL] = { "seconds", 11 }, [TABLE_MIN] = { "shortest", 8 },
	[TABLE_MAX] = { "longest", 8 }, [TABLE_AVG] = { "usecs/call", 11 }, [TABLE_CALLS] = { "calls", 9 },
	[TABLE_ERRORS] = { "errors", 9 }, [TABLE_NAME] = { "syscall", 16 },
};

/* '_' in a name is as good as '-'. */
static const struct { const char *name; enum table_column column; } names[] = {
	{ "time", TABLE_PERCENT }, { "time-percent", TABLE_PERCENT }, { "total-time", TABLE_TOTAL }, { "time-total", TABLE_TOTAL },
	{ "min-time", TABLE_MIN }, { "time-min", TABLE_MIN }, { "shortest", TABLE_MIN }, { "max-time", TABLE_MAX },
	{ "time-max", TABLE_MAX }, { "longest", TABLE_MAX }, { "avg-time", TABLE_AVG }, { "time-avg", TABLE_AVG },
	{ "calls", TABLE_CALLS }, { "count", TABLE_CALLS }, { "errors", TABLE_ERRORS }, { "error", TABLE_ERRORS },
	{ "name", TABLE_NAME }, { "syscall", TABLE_NAME }, { "syscall-name", TABLE_NAME }, { "nothing", TABLE_NOTHING },
	{ "none", TABLE_NOTHING },
};

static bool same(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(*a == '-' && *b == '_'))
			return false;
	return !*a && !*b;
}

int table_order_parse(enum table_column *order, const char *word)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (same(names[i].name, word)) {
			*order = names[i].column;
			return 0;
		}
	error_set(EINVAL, "'%s' is no column of the summary", word);
	return error_hint("time-percent, total-time, min-time, max-time, avg-time, calls, errors, name");
}

static bool has(const struct table_columns *c, enum table_column column)
{
	return c->n && memchr(c->at, column, c->n);
}

int table_columns_parse(struct table_columns *c, const char *text)
{
	wordlist w = { 0 };
	int err = 0;
	c->n = 0;
	wordlist_split(&w, text, ',');
	for (size_t i = 0; !err && i < w.n; i++) {
		enum table_column column;
		err = table_order_parse(&column, w.at[i]);
		if (!err && column == TABLE_NOTHING)
			err = error_set(EINVAL, "'%s' is an order, not a column", w.at[i]);
		if (!err && has(c, column))
			err = error_set(EINVAL, "the column '%s' is there twice", w.at[i]);
		if (!err)
			c->at[c->n++] = column;
	}
	if (!has(c, TABLE_NAME) && !err)
		c->at[c->n++] = TABLE_NAME;
	wordlist_release(&w);
	return err;
}

static const char *call_name(const struct engine_sum *r)
{
	const struct syscall_row *row = syscall_find(r->abi == ABI_32 ? ABI_32 : ABI_NATIVE, r->nr);
	return row ? syscall_name(row) : NULL;
}

static uint64_t average(const struct engine_sum *r)
{
	return r->count ? r->total / r->count : 0;
}

static uint64_t number(const struct engine_sum *r, enum table_column column)
{
	switch (column) {
	case TABLE_MIN: return r->min;
	case TABLE_MAX: return r->max;
	case TABLE_AVG: return average(r);
	case TABLE_CALLS: return r->count;
	case TABLE_ERRORS: return r->errors;
	default: return r->total;
	}
}

int table_compare(const struct engine_sum *a, const struct engine_sum *b, enum table_column order)
{
	const char *x = call_name(a), *y = call_name(b);
	int by = 0;
	if (order == TABLE_NAME)
		by = strcmp(x ? x : "", y ? y : "");
	else if (order != TABLE_NOTHING)
		by = (number(a, order) < number(b, order)) - (number(a, order) > number(b, order));
	return by ? by : a->abi != b->abi ? (int)a->abi - (int)b->abi : a->nr - b->nr;
}

/* One cell without its padding; all: the time of the whole table. */
static int cell(const struct engine_sum *r, enum table_column column, uint64_t all, char *text, size_t size)
{
	switch (column) {
	case TABLE_PERCENT:
		return snprintf(text, size, "%.2f", all ? 100.0 * r->total / all : 0);
	case TABLE_TOTAL:
	case TABLE_MIN:
	case TABLE_MAX:
		return snprintf(text, size, "%.6f", number(r, column) / 1e9);
	case TABLE_AVG:
		return snprintf(text, size, "%llu", (unsigned long long)average(r) / 1000);
	case TABLE_ERRORS:
		return r->errors ? snprintf(text, size, "%llu", (unsigned long long)r->errors) : snprintf(text, size, "%s", "");
	case TABLE_CALLS:
		return snprintf(text, size, "%llu", (unsigned long long)r->count);
	default:
		return call_name(r) ? snprintf(text, size, "%s", call_name(r)) : r->nr < 0 ? snprintf(text, size, "total") :
		       snprintf(text, size, "syscall_%#x", r->nr);
	}
}

struct table { struct table_columns c; int width[TABLE_COLUMNS]; struct engine_sum sum; struct out *out; };

static void put_line(const struct table *t, const struct engine_sum *r)
{
	char text[64];
	for (unsigned i = 0; i < t->c.n; i++) {
		enum table_column column = t->c.at[i];
		int width = t->width[column];
		if (r)
			cell(r, column, t->sum.total, text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%s", columns[column].title);
		if (column == TABLE_NAME)
			width = i + 1 == t->c.n ? 0 : -width;
		out_printf(t->out, "%s%*s", i ? " " : "", width, text);
	}
	out_puts(t->out, "\n");
}

static void put_rule(const struct table *t)
{
	static const char dashes[] = "----------------------------------------------------------------";
	for (unsigned i = 0; i < t->c.n; i++)
		out_printf(t->out, "%s%.*s", i ? " " : "", t->width[t->c.at[i]], dashes);
	out_puts(t->out, "\n");
}

static void add_up(struct engine_sum *sum, const struct engine_sum *r)
{
	sum->min = !sum->count || r->min < sum->min ? r->min : sum->min;
	sum->max = r->max > sum->max ? r->max : sum->max;
	sum->count += r->count;
	sum->errors += r->errors;
	sum->total += r->total;
}

static void fit(struct table *t, const struct engine_sum *r)
{
	char text[64];
	for (int column = 0; column < TABLE_COLUMNS; column++) {
		int n = cell(r, column, t->sum.total, text, sizeof(text)) + (column == TABLE_NAME);
		if (n > t->width[column])
			t->width[column] = n;
	}
}

static void print_kind(struct table *t, const struct engine_sum *rows, size_t n, enum sys_abi abi)
{
	t->sum = (struct engine_sum){ .nr = -1 };
	for (int i = 0; i < TABLE_COLUMNS; i++)
		t->width[i] = columns[i].width;
	for (size_t i = 0; i < n; i++)
		if (rows[i].abi == abi)
			add_up(&t->sum, &rows[i]);
	if (!t->sum.count)
		return;
	for (size_t i = 0; i < n; i++)
		if (rows[i].abi == abi)
			fit(t, &rows[i]);
	fit(t, &t->sum);
	if (abi != ABI_NATIVE)
		out_printf(t->out, "System call usage summary for %s mode:\n", abi == ABI_32 ? "32 bit" : "x32");
	put_line(t, NULL);
	put_rule(t);
	for (size_t i = 0; i < n; i++)
		if (rows[i].abi == abi)
			put_line(t, &rows[i]);
	put_rule(t);
	put_line(t, &t->sum);
}

void table_print(const struct table_columns *c, const struct engine_sum *rows, size_t n, struct out *out)
{
	static const struct table_columns usual = { 6, { TABLE_PERCENT, TABLE_TOTAL, TABLE_AVG, TABLE_CALLS, TABLE_ERRORS, TABLE_NAME } };
	struct table t = { .c = c->n ? *c : usual, .out = out };
	for (enum sys_abi abi = ABI_NATIVE; abi <= ABI_X32; abi++)
		print_kind(&t, rows, n, abi);
}
