// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/sched/locks.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"

static const struct lock_column { const char *name, *head; int width; } columns[LOCK_N_FIELDS] = {
	[LOCK_CONTENDED] = { "contended", "contended", 10 }, [LOCK_TOTAL] = { "wait_total", "total wait", 12 },
	[LOCK_MAX] = { "wait_max", "max wait", 12 }, [LOCK_MIN] = { "wait_min", "min wait", 12 }, [LOCK_AVG] = { "avg_wait", "avg wait", 12 },
};

static const struct lock_kind { uint32_t flags; const char *name; } kinds[] = {
	{ 0, "semaphore" }, { LOCKWAIT_SPIN, "spinlock" }, { LOCKWAIT_SPIN | LOCKWAIT_READ, "rwlock:R" },
	{ LOCKWAIT_SPIN | LOCKWAIT_WRITE, "rwlock:W" }, { LOCKWAIT_READ, "rwsem:R" }, { LOCKWAIT_WRITE, "rwsem:W" },
	{ LOCKWAIT_RT, "rt-mutex" }, { LOCKWAIT_RT | LOCKWAIT_READ, "rwlock-rt:R" }, { LOCKWAIT_RT | LOCKWAIT_WRITE, "rwlock-rt:W" },
	{ LOCKWAIT_PERCPU | LOCKWAIT_READ, "pcpu-sem:R" }, { LOCKWAIT_PERCPU | LOCKWAIT_WRITE, "pcpu-sem:W" },
	{ LOCKWAIT_MUTEX, "mutex" }, { LOCKWAIT_MUTEX | LOCKWAIT_SPIN, "mutex" },
	{ LOCKWAIT_RT, "rtmutex" }, /* as perf-lock(1) has it for -Y */
};

int lock_field(const char *name, enum lock_field *f)
{
	for (size_t i = 0; i < LOCK_N_FIELDS; i++)
		if (!strcmp(name, columns[i].name)) {
			*f = (enum lock_field)i;
			return 0;
		}
	error_set(EINVAL, "'%s' is not a field of lock contention", name);
	return error_hint("contended, wait_total, wait_max, wait_min, avg_wait");
}

static const char *lock_type(uint32_t flags)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].flags == flags)
			return kinds[i].name;
	return "unknown";
}

/* "rwsem" is both of its kinds. */
static bool is_kind(const char *kind, const char *word)
{
	size_t n = strlen(word);
	return !strncmp(kind, word, n) && (!kind[n] || kind[n] == ':');
}

int lock_types(const char *list, uint64_t *types)
{
	wordlist words = { 0 };
	int err = 0;
	wordlist_split(&words, list, ',');
	*types = 0;
	vec_each(&words, w) {
		uint64_t before = *types;
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (is_kind(kinds[i].name, *w))
				*types |= 1ull << kinds[i].flags;
		if (*types != before || err)
			continue;
		error_set(EINVAL, "-Y: '%s' is not a type of lock", *w);
		err = error_hint("spinlock, rwlock, rwsem, mutex, semaphore, pcpu-sem, rt-mutex, rwlock-rt; :R and :W for one side");
	}
	wordlist_release(&words);
	return err;
}

/* Functions in which every waiter stands: those of the locks, and those by which our program came there. */
static bool of_a_lock(const char *name)
{
	static const char *const starts[] = { "bpf_", "__bpf_", "__traceiter_", "__probestub_", "trace_contention", "mutex_", "__mutex_", "ww_mutex_",
		"down_", "__down", "up_", "rwsem_", "_raw_spin_", "_raw_read_", "_raw_write_", "native_queued_", "__pv_queued_",
		"queued_", "percpu_down", "percpu_rwsem", "__percpu_", "rt_mutex_", "__rt_mutex", "rtlock_", "osq_", "do_raw_", "rt_spin_", "rt_read_",
		"rt_write_", "pv_", "xen_", "kvm_" };
	static const char *const whole[] = { "down", "up", "__contention_begin" };
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (str_starts(name, starts[i]))
			return true;
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		if (!strcmp(name, whole[i]))
			return true;
	return false;
}

uint64_t lock_caller(struct symbols *syms, const uint64_t *stack, size_t n)
{
	struct frame f;
	for (size_t i = 0; i < n; i++) {
		symbols_resolve(syms, -1, stack[i], SYM_KERNEL, &f);
		/* the programs' own addresses have no names there */
		if (f.sym && !of_a_lock(f.sym))
			return stack[i];
	}
	return 0;
}

static uint64_t value(const struct lock_row *r, enum lock_field f)
{
	switch (f) {
	case LOCK_CONTENDED: return r->count;
	case LOCK_TOTAL: return r->total;
	case LOCK_MAX: return r->max;
	case LOCK_MIN: return r->min;
	default: return r->count ? r->total / r->count : 0;
	}
}

static int largest_first(const void *a, const void *b, void *table)
{
	const struct lock_table *t = table;
	const struct lock_row *x = a, *y = b;
	uint64_t m = value(x, t->key), n = value(y, t->key);
	return m < n ? 1 : m > n ? -1 : x->id < y->id ? -1 : x->id > y->id;
}

static void add_value(struct str *s, const struct lock_row *r, enum lock_field f, bool plain)
{
	static const struct { double base; const char *unit; } units[] = {
		{ 3600e9, "h " }, { 60e9, "m " }, { 1e9, "s " }, { 1e6, "ms" }, { 1e3, "us" },
	};
	uint64_t v = value(r, f);
	int width = columns[f].width;
	if (plain || f == LOCK_CONTENDED) {
		str_addf(s, "%*" PRIu64, plain ? 0 : width, v);
		return;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if ((double)v >= units[i].base) {
			str_addf(s, "%*.2f %s", width - 3, (double)v / units[i].base, units[i].unit);
			return;
		}
	str_addf(s, "%*" PRIu64 " ns", width - 3, v);
}

static void add_symbol(struct lock_table *t, struct str *s, uint64_t ip)
{
	struct frame f;
	symbols_resolve(t->syms, -1, ip, SYM_KERNEL, &f);
	if (f.sym) {
		str_add_safez(s, f.sym);
		str_addf(s, "+0x%" PRIx64, f.addr - f.sym_addr);
	} else {
		str_addf(s, "%#" PRIx64, ip);
	}
}

/* The last columns: what the row is of. */
static void add_what(struct lock_table *t, const struct lock_row *r, struct str *s)
{
	const char *sep = t->separator;
	if (t->by == LOCKWAIT_BY_CALLER) {
		str_addf(s, sep ? "%s" : "  %10s", lock_type(r->flags));
		str_add(s, sep ? sep : "   ");
		if (r->ip)
			add_symbol(t, s, r->ip);
		else
			str_add(s, "[unknown]");
	} else if (t->by == LOCKWAIT_BY_LOCK) {
		str_addf(s, sep ? "%" PRIx64 : "  %016" PRIx64, r->id);
		str_add(s, sep ? sep : "   ");
		struct frame f;
		symbols_resolve(t->syms, -1, r->id, SYM_KERNEL, &f);
		str_add_safez(s, f.sym && f.addr == f.sym_addr ? f.sym : "");
		str_addf(s, sep ? "%s%s" : "%s(%s)", sep ? sep : " ", lock_type(r->flags));
	} else {
		str_addf(s, sep ? "%d" : "  %10d", r->id ? (int)r->id : -1);
		str_add(s, sep ? sep : "   ");
		str_add_safez(s, *r->name ? r->name : "[unknown]");
	}
}

static void add_stack(struct lock_table *t, const struct lock_row *r, struct str *s)
{
	struct frame f;
	size_t i = 0;
	for (; i < r->n_stack; i++) { /* not how our program came there */
		symbols_resolve(t->syms, -1, r->stack[i], SYM_KERNEL, &f);
		if (!f.sym || !(str_starts(f.sym, "bpf_") || str_starts(f.sym, "__bpf_") || str_starts(f.sym, "__traceiter_")))
			break;
	}
	for (; i < r->n_stack; i++) {
		str_addf(s, "\t\t\t%#" PRIx64 "  ", r->stack[i]);
		add_symbol(t, s, r->stack[i]);
		str_addc(s, '\n');
	}
}

static void add_head(const struct lock_table *t, struct str *s)
{
	static const char *const what[][2] = {
		[LOCKWAIT_BY_CALLER] = { "type", "caller" }, [LOCKWAIT_BY_THREAD] = { "pid", "comm" },
		[LOCKWAIT_BY_LOCK] = { "address", "symbol" }, [LOCKWAIT_BY_OWNER] = { "pid", "owner" },
	};
	const char *sep = t->separator;
	if (sep)
		str_add(s, "# output: ");
	for (size_t i = 0; i < t->n_fields; i++) {
		const struct lock_column *c = &columns[t->field[i]];
		str_addf(s, "%*s", sep ? 0 : c->width, c->head);
		str_add(s, sep ? sep : " ");
	}
	str_addf(s, "%s%*s", sep ? "" : "  ", sep ? 0 : t->by == LOCKWAIT_BY_LOCK ? 16 : 10, what[t->by][0]);
	str_add(s, sep ? sep : "   ");
	str_add(s, what[t->by][1]);
	if (sep && t->by == LOCKWAIT_BY_LOCK)
		str_addf(s, "%stype", sep);
	str_add(s, sep ? "\n" : "\n\n");
}

void lock_table_print(struct lock_table *t)
{
	struct str s = STR_INIT;
	size_t n = t->most && t->most < t->rows.n ? t->most : t->rows.n;
	if (t->rows.n)
		qsort_r(t->rows.at, t->rows.n, sizeof(t->rows.at[0]), largest_first, t);
	add_head(t, &s);
	for (size_t i = 0; i < n; i++) {
		const struct lock_row *r = &t->rows.at[i];
		for (size_t k = 0; k < t->n_fields; k++) {
			add_value(&s, r, t->field[k], t->separator);
			str_add(&s, t->separator ? t->separator : " ");
		}
		add_what(t, r, &s);
		str_addc(&s, '\n');
		if (t->stacks)
			add_stack(t, r, &s);
	}
	out_str(t->out, &s);
	str_release(&s);
}
