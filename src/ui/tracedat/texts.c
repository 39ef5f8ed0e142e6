// SPDX-License-Identifier: GPL-2.0-or-later
/* The texts that trace-cmd's plugins have for some events in place of their print formats, or in front of them. */
#include <linux/futex.h>
#include <string.h>
#include "ui/tracedat/inner.h"

/* Which also tells who has that number, where the file does not. */
static void add_task(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r, int comm, int pid,
		     int prio)
{
	size_t n;
	const char *z = tp_field_bytes(row->field[comm], r->data, r->size, &n);
	tracedat_learn_comm(v->t, (int32_t)view_number(row, pid, r), z, n);
	str_add_safe(out, z, n);
	str_addc(out, ':');
	str_add_s64(out, (int32_t)view_number(row, pid, r));
	str_add(out, " [");
	str_add_s64(out, (int32_t)view_number(row, prio, r));
	str_addc(out, ']');
}

/* The states that a thread is left in; the highest bit says that it was preempted. */
static void add_state(struct str *out, uint64_t state)
{
	static const char states[] = "SDTtXZPI";
	bool any = false;
	uint64_t v = state & 0xff;
	if (!v)
		str_addc(out, 'R');
	for (int i = 0; v && i < 8; i++)
		if (v & 1ull << i) {
			if (any)
				str_addc(out, '|');
			str_addc(out, states[i]);
			any = true;
		}
}

static bool sched_switch(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	add_task(v, row, out, r, 0, 1, 2);
	str_addc(out, ' ');
	add_state(out, view_number(row, 3, r));
	str_add(out, " ==> ");
	add_task(v, row, out, r, 4, 5, 6);
	return false;
}

static bool sched_wakeup(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	add_task(v, row, out, r, 0, 1, 2);
	str_addf(out, " CPU:%03d", (int)view_number(row, 3, r));
	return false;
}

static void add_address(struct tracedat_view *v, struct str *out, const char *what, uint64_t addr)
{
	uint64_t start = 0;
	const char *name = tracedat_function(v->t, addr, &start);
	str_add(out, what);
	if (name) {
		str_add_safez(out, name);
		str_addf(out, "/0x%llx", (unsigned long long)(addr - start));
	} else {
		str_addf(out, "0x%llx", (unsigned long long)addr);
	}
}

static bool hrtimer_expire(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	str_addf(out, "hrtimer=0x%llx now=%llu", (unsigned long long)view_number(row, 0, r), (unsigned long long)view_number(row, 1, r));
	add_address(v, out, " function=", view_number(row, 2, r));
	return false;
}

static bool hrtimer_start(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	str_addf(out, "hrtimer=0x%llx", (unsigned long long)view_number(row, 0, r));
	add_address(v, out, " function=", view_number(row, 1, r));
	str_addf(out, " expires=%llu softexpires=%llu", (unsigned long long)view_number(row, 2, r), (unsigned long long)view_number(row, 3, r));
	return false;
}

static bool call_site(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	uint64_t at = view_number(row, 0, r), start = 0;
	const char *name = tracedat_function(v->t, at, &start);
	if (name) {
		str_addc(out, '(');
		str_add_safez(out, name);
		str_addf(out, "+0x%x) ", (int)(at - start));
	}
	return true;
}

static bool tlb_flush(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	static const char *const reasons[] = { "flush on task switch", "remote shootdown", "local shootdown", "local mm shootdown" };
	uint64_t why = view_number(row, 1, r);
	(void)v;
	str_addf(out, "pages=%lld reason=", (long long)view_number(row, 0, r));
	if (why < sizeof(reasons) / sizeof(*reasons))
		str_add(out, reasons[why]);
	str_addf(out, " (%lld)", (long long)why);
	return false;
}

/* What each operation uses of its arguments: v, n (the value as an address or a count), t(imeout), 2 (the timeout as a number), u(addr2), 3. */
static const struct { const char *name, *uses; } futex_ops[] = {
	{ "WAIT", "vt" }, { "WAKE", "n" }, { "FD", "n" }, { "REQUEUE", "n2u" }, { "CMP_REQUEUE", "n2u3" }, { "WAKE_OP", "n2u3" }, { "LOCK_PI", "t" },
	{ "UNLOCK_PI", "" }, { "TRYLOCK_PI", "" }, { "WAIT_BITSET", "vt3" }, { "WAKE_BITSET", "n3" }, { "WAIT_REQUEUE_PI", "vtu3" },
	{ "CMP_REQUEUE_PI", "n2u3" },
};

static void add_futex_argument(struct str *out, const struct view_row *row, const struct tracedat_record *r, char which)
{
	unsigned long long val = view_number(row, 2, r), timeout = view_number(row, 3, r);
	switch (which) {
	case 'v': str_addf(out, " val=0x%08llx", val); break;
	case 'n': str_addf(out, " val=%llu", val); break;
	case 't': str_addf(out, " utime=0x%08llx", timeout); break;
	case '2': str_addf(out, " val2=%llu", timeout); break;
	case 'u': str_addf(out, " uaddr2=0x%08llx", (unsigned long long)view_number(row, 4, r)); break;
	default: str_addf(out, " val3=0x%08llx", (unsigned long long)view_number(row, 5, r));
	}
}

static bool futex_enter(struct tracedat_view *v, const struct view_row *row, struct str *out, const struct tracedat_record *r)
{
	uint64_t op = view_number(row, 1, r), flags = op & (FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME), what = op & ~flags;
	(void)v;
	if (what >= sizeof(futex_ops) / sizeof(*futex_ops))
		return true;
	str_addf(out, "op=FUTEX_%s%s%s", futex_ops[what].name, flags & FUTEX_PRIVATE_FLAG ? "|FUTEX_PRIVATE_FLAG" : "",
		 flags & FUTEX_CLOCK_REALTIME ? "|FUTEX_CLOCK_REALTIME" : "");
	str_addf(out, " uaddr=0x%08llx", (unsigned long long)view_number(row, 0, r));
	for (const char *use = futex_ops[what].uses; *use; use++)
		add_futex_argument(out, row, r, *use);
	return false;
}

static const struct { const char *system, *name; view_text *text; const char *fields[VIEW_FIELDS]; } texts[] = {
	{ "ftrace", "function", view_function, { "ip", "parent_ip" } },
	{ "ftrace", "funcgraph_entry", view_graph_entry, { "func", "depth" } },
	{ "ftrace", "funcgraph_exit", view_graph_exit, { "func", "depth", "calltime", "rettime" } },
	{ "ftrace", "kernel_stack", view_kernel_stack, { "caller" } },
	{ "ftrace", "user_stack", view_user_stack, { "caller" } },
	{ "sched", "sched_switch", sched_switch, { "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio" } },
	{ "sched", "sched_wakeup", sched_wakeup, { "comm", "pid", "prio", "target_cpu" } },
	{ "sched", "sched_wakeup_new", sched_wakeup, { "comm", "pid", "prio", "target_cpu" } },
	{ "timer", "hrtimer_expire_entry", hrtimer_expire, { "hrtimer", "now", "function" } },
	{ "timer", "hrtimer_start", hrtimer_start, { "hrtimer", "function", "expires", "softexpires" } },
	{ "kmem", "kfree", call_site, { "call_site" } },
	{ "kmem", "kmalloc", call_site, { "call_site" } },
	{ "kmem", "kmalloc_node", call_site, { "call_site" } },
	{ "kmem", "kmem_cache_alloc", call_site, { "call_site" } },
	{ "kmem", "kmem_cache_alloc_node", call_site, { "call_site" } },
	{ "kmem", "kmem_cache_free", call_site, { "call_site" } },
	{ "tlb", "tlb_flush", tlb_flush, { "pages", "reason" } },
	{ "syscalls", "sys_enter_futex", futex_enter, { "uaddr", "op", "val", "utime", "uaddr2", "val3" } },
};

void view_texts_find(struct view_row *row, const char *system, const char *name)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (strcmp(texts[i].name, name) || strcmp(texts[i].system, system))
			continue;
		for (int k = 0; k < VIEW_FIELDS && texts[i].fields[k]; k++) {
			row->field[k] = tp_format_field(row->format, texts[i].fields[k]);
			if (!row->field[k])
				return; /* another kernel's: its print format knows it better */
		}
		row->text = texts[i].text;
		return;
	}
}
