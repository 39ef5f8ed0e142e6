// SPDX-License-Identifier: GPL-2.0-or-later
/* kstack, ustack, usym: a stack becomes a number. The stacks themselves are the keys of a map, so that the kernel compares
 * them whole: no two that differ ever get the same number. A stack that is new goes to the reader at once, so that it finds
 * names while the process is what it was; usym is a stack of one frame. */
#include <linux/bpf.h>
#include <stddef.h>
#include <string.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "script/load.h"
#include "script/provider/kernel/kfuncs.h"
#include "script/provider/provider.h"
#include "script/show/stack.h"
#include "script/show/value.h"

static bool mode(struct checker *c, const struct script_node *n, struct script_type *t)
{
	static const char *const names[] = { [STACK_PLAIN] = "bpftrace", [STACK_PERF] = "perf", [STACK_RAW] = "raw", [STACK_BUILD_ID] = "build_id",
		[STACK_FOLDED] = "folded" };
	for (unsigned i = 0; n->kind == NODE_WORD && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(n->name, names[i])) {
			t->mode = (enum stack_mode)i;
			return true;
		}
	if (n->kind == NODE_WORD) {
		check_fail(c, n->at, "the forms of a stack are bpftrace, perf, raw, build_id and folded");
		return false;
	}
	if (!check_constant(c, n, 1, STACK_DEPTH, "how many frames"))
		return false;
	t->depth = (unsigned)n->value;
	return true;
}

static bool large_keys(void)
{
	static int known = -1;
	if (known < 0) {
		known = load_takes_large_keys();
		if (!known)
			note(1, "stacks have at most %d frames on this kernel", STACK_DEPTH_OLD);
	}
	return known;
}

static struct script_type *check_stack(struct checker *c, struct script_node *n, enum type_kind kind)
{
	struct script_type *t = arena_get(&c->s->source->memory, sizeof(*t));
	*t = (struct script_type){ .kind = kind, .size = 8, .depth = STACK_DEPTH, .mode = (enum stack_mode)c->s->stack_mode };
	for (struct script_node *i = n->args; i; i = i->next)
		if (!mode(c, i, t))
			return &type_none;
	if (kind == TYPE_KSTACK && t->mode == STACK_BUILD_ID && !n->args)
		t->mode = STACK_RAW; /* a setting for all, which is meant for the others */
	if (kind == TYPE_KSTACK && t->mode == STACK_BUILD_ID)
		return check_fail(c, n->at, "only the frames of user programs have build-ids");
	if (t->depth > STACK_DEPTH_OLD && !large_keys())
		t->depth = STACK_DEPTH_OLD;
	if (t->depth > c->s->stack_frames)
		c->s->stack_frames = t->depth;
	c->s->needs_user_names |= kind == TYPE_USTACK;
	return t;
}

static struct script_type *check_kstack(struct checker *c, struct script_node *n) { return check_stack(c, n, TYPE_KSTACK); }
static struct script_type *check_ustack(struct checker *c, struct script_node *n) { return check_stack(c, n, TYPE_USTACK); }

static uint32_t key_size(const struct lower *l)
{
	return (1 + l->s->stack_frames) * 8;
}

/* A record in the frame with nothing in it yet, but whose process it is. */
static struct script_mem begin_stack(struct lower *l, bool user)
{
	struct script_mem m = low_frame(l, offsetof(struct stack_record, key) + key_size(l)), key = mem_at(m, offsetof(struct stack_record, key));
	l->s->needs_stacks = l->s->needs_names = true;
	low_store_k(l, m, 4, SITE_STACK);
	low_zero(l, key, key_size(l));
	if (user)
		low_store(l, key, 8, lower_pid(l));
	return m;
}

/* The number of the stack in the record, which is sent when it is new. 0: there was no room for it. The number is where
 * the map's entry lies: its own as long as there is the map, and nobody has to count. */
static int number_of(struct lower *l, struct script_mem m)
{
	struct ir_arg key = arg_mem(mem_at(m, offsetof(struct stack_record, key)));
	struct script_mem at = mem_at(m, offsetof(struct stack_record, id));
	int id = low_const(l, 0), have = ir_label(l->ir), there = ir_label(l->ir), none = ir_label(l->ir), entry = ir_reg(l->ir);
	low_move(l, entry, LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_STACKS), key));
	low_branch_k(l, IF_NE, entry, 0, have);
	low_store_k(l, at, 8, 0);
	int r = LOW_CALL(l, BPF_FUNC_map_update_elem, arg_map(LOAD_STACKS), key, arg_mem(at), arg_k(BPF_NOEXIST));
	low_move(l, entry, LOW_CALL(l, BPF_FUNC_map_lookup_elem, arg_map(LOAD_STACKS), key));
	low_branch_k(l, IF_NE, entry, 0, there);
	low_add_to(l, low_global(l, offsetof(struct globals, no_stack)), low_const(l, 1));
	low_jump(l, none);
	low_label(l, there);
	low_branch_k(l, IF_NE, r, 0, have); /* another CPU was first, and sends it */
	low_store(l, (struct script_mem){ entry, 0 }, 8, entry); /* for who finds it in the map */
	low_store(l, at, 8, entry);
	low_store(l, mem_at(m, offsetof(struct stack_record, time)), 8, LOW_CALL(l, BPF_FUNC_ktime_get_ns, { 0 }));
	lower_send(l, m, low_const(l, (int64_t)offsetof(struct stack_record, key) + key_size(l)));
	low_label(l, have);
	low_store(l, at, 8, entry);
	low_move(l, id, low_load(l, at, 8, false));
	low_label(l, none);
	return id;
}

/* ---- where the kernel's stack begins ---- */

struct code_span { uint64_t from, to; };

static bool take_code(const struct kfunc *f, void *ctx)
{
	struct code_span *k = ctx;
	k->from = !k->from || f->addr < k->from ? f->addr : k->from;
	k->to = f->addr > k->to ? f->addr : k->to;
	return true;
}

static bool take_next(const struct kfunc *f, void *ctx)
{
	struct code_span *k = ctx; /* from: the end that is looked for, beyond the address in `to` */
	if (f->addr > k->to && (!k->from || f->addr < k->from))
		k->from = f->addr;
	return true;
}

/* What the kernel has called to get to a program at a raw tracepoint, or to that of a BEGIN. Nothing where it hides addresses. */
static struct code_span code_before(const struct lower *l)
{
	struct code_span k = { 0 };
	bool special = !strcmp(l->point->provider->name, "BEGIN") || !strcmp(l->point->provider->name, "END");
	if (kfuncs_each("vmlinux", special ? "*bpf_prog_test_run_raw_tp" : "bpf_trace_run*", take_code, &k))
		error_clear();
	struct code_span next = { 0, k.to };
	if (k.to && !kfuncs_each("vmlinux", "*", take_next, &next))
		k.to = next.from;
	return k;
}

/* How many frames of a kernel's stack are not of what is traced: at raw tracepoints it begins with the program's own. */
static int frames_before(struct lower *l)
{
	enum { LOOK = 12 };
	struct script_mem m = low_frame(l, LOOK * 8);
	struct code_span k = code_before(l);
	int skip = low_const(l, 0), from = low_const(l, (int64_t)k.from), to = low_const(l, (int64_t)k.to);
	low_zero(l, m, LOOK * 8);
	LOW_CALL(l, BPF_FUNC_get_stack, arg_reg(l->context), arg_mem(m), arg_k(LOOK * 8), arg_k(0));
	for (int i = 0; i < LOOK; i++) {
		int other = ir_label(l->ir), at = low_load(l, mem_at(m, i * 8), 8, false);
		low_branch(l, IF_LT, at, from, other);
		low_branch(l, IF_GE, at, to, other);
		low_move(l, skip, low_const(l, i + 1));
		low_label(l, other);
	}
	return skip;
}

int lower_read_stack(struct lower *l, const struct script_type *t, struct script_mem to, bool exact)
{
	bool user = t->kind == TYPE_USTACK, begins_later = exact && !user && l->u->type == BPF_PROG_TYPE_RAW_TRACEPOINT;
	int flags = begins_later ? frames_before(l) : low_const(l, user ? BPF_F_USER_STACK : 0);
	return LOW_CALL(l, BPF_FUNC_get_stack, arg_reg(l->context), arg_mem(to), arg_k(t->depth * 8), arg_reg(flags));
}

static int lower_stack(struct lower *l, struct script_node *n)
{
	bool user = n->type->kind == TYPE_USTACK;
	int id = low_const(l, 0), none = ir_label(l->ir);
	struct script_mem m = begin_stack(l, user);
	/* all of a stack can be cut where it is shown */
	int got = lower_read_stack(l, n->type, mem_at(m, offsetof(struct stack_record, key.frame)), n->type->depth < STACK_DEPTH_OLD);
	low_branch_k(l, IF_SLE, got, 0, none);
	low_move(l, id, number_of(l, m));
	low_label(l, none);
	return id;
}

/* ---- names of addresses ---- */

static struct script_type *check_ksym(struct checker *c, struct script_node *n)
{
	return check_number(c, n->args, "an address") ? &type_ksym : &type_none;
}

static int lower_ksym(struct lower *l, struct script_node *n)
{
	l->s->needs_names = true;
	return lower_word(l, n->args);
}

static void usym_text(struct str *out, const struct namer *nm, const struct script_type *t, const uint8_t *value)
{
	uint64_t id;
	(void)t;
	memcpy(&id, value, sizeof(id));
	show_usym(out, nm->stacks, id);
}

static const struct shown shown_usym = { "usym", usym_text };

static struct script_type *check_usym(struct checker *c, struct script_node *n)
{
	if (!check_number(c, n->args, "an address"))
		return &type_none;
	c->s->needs_user_names = true;
	if (!c->s->stack_frames)
		c->s->stack_frames = 1;
	return type_shown(&c->s->source->memory, &shown_usym, 8);
}

static int lower_usym(struct lower *l, struct script_node *n)
{
	int address = lower_word(l, n->args);
	struct script_mem m = begin_stack(l, true);
	low_store(l, mem_at(m, offsetof(struct stack_record, key.frame)), 8, address);
	return number_of(l, m);
}

const struct builtin builtins_stack[] = {
	{ "kstack", .check = check_kstack, .lower = lower_stack },
	{ "ustack", .check = check_ustack, .lower = lower_stack },
	{ "kstack", true, 0, 2, .check = check_kstack, .lower = lower_stack },
	{ "ustack", true, 0, 2, .check = check_ustack, .lower = lower_stack },
	{ "usym", true, 1, 1, .check = check_usym, .lower = lower_usym },
	{ "ksym", true, 1, 1, .check = check_ksym, .lower = lower_ksym },
	{ 0 },
};
