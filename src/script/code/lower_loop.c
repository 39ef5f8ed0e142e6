// SPDX-License-Identifier: GPL-2.0-or-later
/* Loops. The verifier follows every path of a program, so that a loop must be one whose end it sees:
 *
 *   straight   a range of constants that is short: the body as often as it is meant
 *   called     the body is a function of its own, which bpf_loop (or, for a map, bpf_for_each_map_elem) calls. It has its
 *              own registers and stack: what it takes from outside is handed over in words on the caller's stack
 *   bounded    where there is no bpf_loop: jumps back, by a count that the verifier walks through, and so a low one
 *
 * In a unit that has a loop of the last two kinds variables are in the frame, not in registers: functions share it, and
 * the verifier, which does not know what is in there, sees after one round that the next is like it. A loop that is cut by
 * the count is told at the end (globals.cut). */
#include "script/code/lower_loop.h"
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "script/code/able.h"

enum {
	STRAIGHT = 64, STRAIGHT_NODES = 800, /* rounds; rounds times nodes of the tree */
	ROUNDS = 1 << 20, /* of a called loop */
	BOUND = 1000, BOUND_WORK = 500000, BOUND_JUMPS = 6000, /* of a bounded one: the kernel takes a million instructions, 8192 jumps */
	JUMP_WORK = 130, /* what the other way of a jump costs, before the verifier sees that it has been there */
	BOUND_INSIDE = 16, /* of one inside of another */
	HANDED = 16, /* words */
};

/* ---- which kind ---- */

enum { HEAVY = 1 << 20 }; /* more than that nobody asks */

/* The rounds of a range of constants; UINT64_MAX: it is none. */
static uint64_t trips(const struct script_node *n)
{
	if (n->kind != NODE_EACH || !n->c || n->b->kind != NODE_INT || n->c->kind != NODE_INT)
		return UINT64_MAX;
	int64_t from = (int64_t)n->b->value, to = (int64_t)n->c->value;
	return from >= to ? 0 : (uint64_t)to - (uint64_t)from;
}

static bool is_short(uint64_t rounds, uint64_t body)
{
	return rounds <= STRAIGHT && rounds * body <= STRAIGHT_NODES;
}

/* How many nodes a list comes to once what is straight in it is written out. */
static uint64_t count_nodes(const struct script_node *n)
{
	uint64_t k = 0;
	for (; n && k < HEAVY; n = n->next) {
		uint64_t body = count_nodes(n->body), rounds = n->kind == NODE_UNROLL ? n->a->value : trips(n);
		k += 1 + count_nodes(n->args) + count_nodes(n->other);
		k += (n->a ? count_nodes(n->a) : 0) + (n->b && n->b != n->a ? count_nodes(n->b) : 0) + (n->c ? count_nodes(n->c) : 0);
		k += n->kind == NODE_UNROLL || is_short(rounds, body) ? rounds * body : body;
	}
	return k < HEAVY ? k : HEAVY;
}

static bool is_straight(const struct script_node *n)
{
	uint64_t rounds = trips(n);
	return !rounds || (rounds <= STRAIGHT && is_short(rounds, count_nodes(n->body)));
}

bool lower_has_loop(const struct script_node *n)
{
	for (; n; n = n->next)
		if (n->kind == NODE_WHILE || (n->kind == NODE_EACH && !is_straight(n)) || lower_has_loop(n->body) || lower_has_loop(n->other))
			return true;
	return false;
}

/* ---- a function ---- */

struct callee {
	struct lower outer; /* as it was */
	struct ir ir;
	struct script_mem returned; /* a word of the frame: `return`, or exit(), was in the body */
	int context; /* the words that are handed over */
};

static void begin_function(struct lower *l, struct callee *f, unsigned context)
{
	f->returned = low_frame(l, 8);
	low_store_k(l, f->returned, 8, 0);
	f->outer = *l;
	f->ir = (struct ir){ .n_regs = l->ir->n_regs, .n_labels = l->ir->n_labels, .depth = l->ir->depth + 1 };
	l->ir = &f->ir;
	l->stack_used = 0;
	f->context = low_param(l, context);
	l->loop_next = ir_label(l->ir);
	l->loop_break = ir_label(l->ir);
	l->end = ir_label(l->ir);
}

static bool jumps_to(const struct ir *ir, int label)
{
	vec_each(&ir->ins, i)
		if ((i->op == IR_JUMP || i->op == IR_BRANCH) && i->imm == label)
			return true;
	return false;
}

static void mark_used(const struct ir_ins *i, uint8_t *regs)
{
	if (i->a != IR_NO)
		regs[i->a] |= 1;
	if (i->b != IR_NO)
		regs[i->b] |= 1;
	if (i->c != IR_NO)
		regs[i->c] |= 1;
	for (int k = 0; i->op == IR_CALL && k < IR_ARGS; k++)
		if (i->arg[k].kind == ARG_REG || i->arg[k].kind == ARG_SUM)
			regs[i->arg[k].reg] |= 1;
	if (i->d != IR_NO)
		regs[i->d] |= 2;
}

/* What the body uses and does not set goes from register to stack in the caller, and back into a register in the function. */
static struct script_mem hand_over(struct lower *l, struct callee *f)
{
	uint8_t *regs = xcalloc((size_t)f->ir.n_regs + 1, 1);
	struct ir whole = f->ir;
	struct ir_ins *body = f->ir.ins.at;
	size_t n = f->ir.ins.n, params = 0;
	unsigned handed = 0;
	vec_each(&f->ir.ins, i)
		mark_used(i, regs);
	for (int r = 0; r < f->ir.n_regs; r++)
		handed += regs[r] == 1;
	struct script_mem words = low_own_stack(l, 8 * (handed ? handed : 1));
	memset(&whole.ins, 0, sizeof(whole.ins));
	for (; params < n && body[params].op == IR_PARAM; params++)
		*vec_push(&whole.ins) = body[params];
	if (!handed)
		low_store_k(l, words, 8, 0);
	for (int r = 0, at = 0; r < f->ir.n_regs; r++)
		if (regs[r] == 1) {
			low_store(l, mem_at(words, at), 8, r);
			struct ir_ins *i = ir_add(&whole, IR_LOAD);
			*i = (struct ir_ins){ .op = IR_LOAD, .d = r, .a = f->context, .b = IR_NO, .c = IR_NO, .off = at, .size = 8, .at = l->at };
			at += 8;
		}
	for (size_t k = params; k < n; k++)
		*vec_push(&whole.ins) = body[k];
	vec_release(&f->ir.ins);
	f->ir = whole;
	free(regs);
	return words;
}

/* Ends the function's code; then the caller's is at hand again. Gives the words for it. */
static struct script_mem end_function(struct lower *l, struct callee *f, unsigned *number)
{
	bool returns = jumps_to(&f->ir, l->end);
	low_label(l, l->loop_next);
	low_exit(l, 0);
	if (returns) {
		low_label(l, l->end);
		low_store_k(l, f->returned, 8, 1);
	}
	low_label(l, l->loop_break);
	low_exit(l, 1);
	struct ir *outer = f->outer.ir;
	outer->n_regs = f->ir.n_regs;
	outer->n_labels = f->ir.n_labels;
	struct lower inner = *l;
	*l = f->outer;
	l->frame_max = inner.frame_max;
	l->wants_frame = inner.wants_frame;
	l->err = inner.err;
	struct script_mem words = hand_over(l, f);
	ir_prune(&f->ir);
	*number = (unsigned)l->u->functions.n;
	*vec_push(&l->u->functions) = f->ir;
	if (!returns)
		f->returned.base = IR_NO;
	return words;
}

/* Behind the loop: a `return` in it ends what is around it, too. */
static void after_function(struct lower *l, const struct callee *f)
{
	if (f->returned.base != IR_NO)
		low_branch_k(l, IF_NE, low_load(l, f->returned, 8, false), 0, l->end);
}

static void count_cut(struct lower *l, const struct script_node *n, unsigned rounds)
{
	size_t k = 0;
	while (k < l->s->loops.n && (l->s->loops.at[k].at.at != n->at.at || l->s->loops.at[k].rounds != rounds))
		k++;
	if (k == LOOPS_MAX) /* all others are counted with the last */
		k--;
	else if (k == l->s->loops.n)
		*vec_push(&l->s->loops) = (struct cut_loop){ n->at, rounds };
	low_add_to(l, low_global(l, (uint32_t)(offsetof(struct globals, cut) + 8 * k)), low_const(l, 1));
}

/* ---- while ---- */

static void called_while(struct lower *l, struct script_node *n)
{
	struct callee f;
	unsigned number;
	int whole = ir_label(l->ir);
	struct script_mem more = low_frame(l, 8); /* the body has not come to its end */
	low_store_k(l, more, 8, 1);
	begin_function(l, &f, 2);
	int over = ir_label(l->ir), last = l->loop_break;
	l->loop_break = over;
	lower_condition(l, n->a, over);
	lower_statements(l, n->body);
	low_jump(l, l->loop_next);
	low_label(l, over);
	low_store_k(l, more, 8, 0);
	l->loop_break = last;
	low_jump(l, last);
	struct script_mem words = end_function(l, &f, &number);
	LOW_CALL(l, BPF_FUNC_loop, arg_k(ROUNDS), { ARG_FUNC, IR_NO, number }, arg_mem(words), arg_k(0));
	after_function(l, &f);
	low_branch_k(l, IF_EQ, low_load(l, more, 8, false), 0, whole);
	count_cut(l, n, ROUNDS);
	low_label(l, whole);
}

struct bounded { int next, last, cut, count, was_break, was_next; size_t branch, begin; uint64_t work, jumps; };

static void begin_bounded(struct lower *l, struct bounded *b)
{
	*b = (struct bounded){ .next = ir_label(l->ir), .last = ir_label(l->ir), .cut = ir_label(l->ir), .count = low_const(l, 0),
		.was_break = l->loop_break, .was_next = l->loop_next, .work = l->bounded_work, .jumps = l->bounded_jumps };
	l->loop_next = b->next;
	l->loop_break = b->last;
	l->bounded++;
	low_label(l, b->next);
	b->begin = l->ir->ins.n;
}

/* Once it is clear that there is one more round: is it one too many? */
static void count_bounded(struct lower *l, struct bounded *b)
{
	b->branch = l->ir->ins.n;
	low_branch_k(l, IF_GE, b->count, 0, b->cut);
	low_move(l, b->count, low_alu_k(l, ALU_ADD, b->count, 1));
}

/* How many rounds the verifier has the patience for. */
static void end_bounded(struct lower *l, struct bounded *b, const struct script_node *n)
{
	low_jump(l, b->next);
	uint64_t work = 2 * (l->ir->ins.n - b->begin) + l->bounded_work - b->work, jumps = l->bounded_jumps - b->jumps, rounds = BOUND;
	for (size_t i = b->begin; i < l->ir->ins.n; i++)
		if (l->ir->ins.at[i].op == IR_BRANCH && i != b->branch) {
			work += JUMP_WORK;
			jumps++;
		}
	jumps += !jumps;
	if (BOUND_WORK / work < rounds)
		rounds = BOUND_WORK / work;
	if (BOUND_JUMPS / jumps < rounds)
		rounds = BOUND_JUMPS / jumps;
	if (l->bounded > 1 && rounds > BOUND_INSIDE)
		rounds = BOUND_INSIDE;
	rounds >>= l->u->smaller;
	l->u->bounded = true;
	if (!rounds && !l->err)
		l->err = source_error(l->s->source, n->at, "this loop is too large for a kernel without bpf_loop, which came with Linux 5.17");
	l->ir->ins.at[b->branch].k = (int32_t)rounds;
	l->bounded_work = b->work + work * rounds;
	l->bounded_jumps = b->jumps + jumps * rounds;
	l->bounded--;
	low_label(l, b->cut);
	count_cut(l, n, (unsigned)rounds);
	low_label(l, b->last);
	l->loop_break = b->was_break;
	l->loop_next = b->was_next;
}

static void bounded_while(struct lower *l, struct script_node *n)
{
	struct bounded b;
	begin_bounded(l, &b);
	lower_condition(l, n->a, b.last);
	count_bounded(l, &b);
	lower_statements(l, n->body);
	end_bounded(l, &b, n);
}

void lower_while(struct lower *l, struct script_node *n)
{
	if (able(l->s, ABLE_LOOP))
		called_while(l, n);
	else
		bounded_while(l, n);
}

/* ---- for: a range ---- */

static void straight(struct lower *l, struct script_node *n)
{
	int was_break = l->loop_break, was_next = l->loop_next;
	l->loop_break = ir_label(l->ir);
	for (int64_t i = (int64_t)n->b->value; i < (int64_t)n->c->value && !l->err; i++) {
		l->loop_next = ir_label(l->ir);
		low_set(l, n->a->decl, low_const(l, i));
		lower_statements(l, n->body);
		low_label(l, l->loop_next);
	}
	low_label(l, l->loop_break);
	l->loop_break = was_break;
	l->loop_next = was_next;
}

/* The index that the helper gives, and where the range began. */
static void called_range(struct lower *l, struct script_node *n, int from, int to)
{
	struct callee f;
	unsigned number;
	int trips = ir_reg(l->ir), few = ir_label(l->ir), whole = ir_label(l->ir), fine = ir_label(l->ir);
	struct script_mem first = low_frame(l, 8), most = low_frame(l, 8);
	low_store(l, first, 8, from);
	low_branch(l, IF_SGE, from, to, whole);
	low_move(l, trips, low_alu(l, ALU_SUB, to, from));
	low_store(l, most, 8, trips);
	low_branch_k(l, IF_LE, trips, ROUNDS, few);
	low_move(l, trips, low_const(l, ROUNDS));
	low_label(l, few);
	begin_function(l, &f, 2);
	int index = low_param(l, 1);
	low_set(l, n->a->decl, low_alu(l, ALU_ADD, low_load(l, first, 8, false), low_cut(l, index, 4, false)));
	lower_statements(l, n->body);
	struct script_mem words = end_function(l, &f, &number);
	int done = LOW_CALL(l, BPF_FUNC_loop, arg_reg(trips), { ARG_FUNC, IR_NO, number }, arg_mem(words), arg_k(0));
	after_function(l, &f);
	low_branch_k(l, IF_NE, done, ROUNDS, fine);
	low_branch_k(l, IF_LE, low_load(l, most, 8, false), ROUNDS, fine);
	count_cut(l, n, ROUNDS);
	low_label(l, fine);
	low_label(l, whole);
}

static void bounded_range(struct lower *l, struct script_node *n, int from, int to)
{
	struct bounded b;
	struct script_mem at = low_frame(l, 8), end = low_frame(l, 8);
	low_store(l, at, 8, from);
	low_store(l, end, 8, to);
	begin_bounded(l, &b);
	int i = low_load(l, at, 8, false);
	low_branch(l, IF_SGE, i, low_load(l, end, 8, false), b.last);
	count_bounded(l, &b);
	low_store(l, at, 8, low_alu_k(l, ALU_ADD, i, 1));
	low_set(l, n->a->decl, i);
	lower_statements(l, n->body);
	end_bounded(l, &b, n);
}

/* ---- for: a map ---- */

/* Bytes of a key or value of the map to the variable's place in the frame. */
static void copy(struct lower *l, struct script_mem to, int from, uint32_t size)
{
	for (uint32_t i = 0; i < size && size <= 64; i += 8)
		low_store(l, mem_at(to, (int32_t)i), 8, low_load(l, (struct script_mem){ from, (int32_t)i }, 8, false));
	if (size > 64)
		LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(to), arg_k(size), arg_reg(from));
}

static void each_entry(struct lower *l, struct script_node *n)
{
	struct callee f;
	unsigned number;
	const struct decl *map = n->b->decl;
	const struct script_type *pair = n->a->decl->type;
	struct script_mem kv = { l->frame, (int32_t)n->a->decl->number };
	begin_function(l, &f, 4);
	int key = low_param(l, 2), value = low_param(l, 3);
	copy(l, mem_at(kv, (int32_t)pair->fields[0].at), key, map->key->size);
	struct script_mem to = mem_at(kv, (int32_t)pair->fields[1].at);
	if (map->type->kind == TYPE_AGGREGATE)
		low_store(l, to, 8, lower_aggregate_read(l, map, mem_at(kv, (int32_t)pair->fields[0].at)));
	else
		copy(l, to, value, type_room(map->type));
	lower_statements(l, n->body);
	struct script_mem words = end_function(l, &f, &number);
	LOW_CALL(l, BPF_FUNC_for_each_map_elem, arg_map(LOAD_MAPS + map->number), { ARG_FUNC, IR_NO, number }, arg_mem(words), arg_k(0));
	after_function(l, &f);
}

void lower_for(struct lower *l, struct script_node *n)
{
	if (!n->c && !able(l->s, ABLE_FOR_EACH)) {
		if (!l->err) {
			source_error(l->s->source, n->at, "this kernel cannot go through a map: bpf_for_each_map_elem came with Linux 5.13");
			l->err = error_hint("print(@%s) shows it all", n->b->name);
		}
	} else if (!n->c) {
		each_entry(l, n);
	} else if (is_straight(n)) {
		straight(l, n);
	} else {
		int from = lower_word(l, n->b), to = lower_word(l, n->c);
		if (able(l->s, ABLE_LOOP))
			called_range(l, n, from, to);
		else
			bounded_range(l, n, from, to);
	}
}

/* ---- the entries of all CPUs ---- */

/* 0 to the last possible CPU: the body of the function is between begin and end. */
static void add_cpu(struct lower *l, const struct decl *map, struct script_mem key, struct script_mem sum)
{
	const struct script_type *t = map->type;
	bool extreme = t->aggregate == AGG_MIN || t->aggregate == AGG_MAX;
	int cpu = low_cut(l, low_param(l, 1), 4, false), take = ir_label(l->ir);
	int entry = LOW_CALL(l, BPF_FUNC_map_lookup_percpu_elem, arg_map(LOAD_MAPS + map->number), arg_mem(key), arg_reg(cpu));
	low_branch_k(l, IF_EQ, entry, 0, l->loop_next);
	struct script_mem from = { entry, (int32_t)map_value_at(map) };
	int first = low_load(l, from, 8, false);
	if (extreme) {
		enum ir_cond keep = t->aggregate == AGG_MIN ? (t->is_signed ? IF_SLE : IF_LE) : (t->is_signed ? IF_SGE : IF_GE);
		low_branch_k(l, IF_EQ, low_load(l, mem_at(from, 8), 8, false), 0, l->loop_next);
		low_branch_k(l, IF_EQ, low_load(l, mem_at(sum, 8), 8, false), 0, take);
		low_branch(l, keep, low_load(l, sum, 8, false), first, l->loop_next);
		low_label(l, take);
		low_store(l, sum, 8, first);
		low_store_k(l, mem_at(sum, 8), 8, 1);
		return;
	}
	low_store(l, sum, 8, low_alu(l, ALU_ADD, low_load(l, sum, 8, false), first));
	if (t->aggregate == AGG_AVG || t->aggregate == AGG_STATS)
		low_store(l, mem_at(sum, 8), 8, low_alu(l, ALU_ADD, low_load(l, mem_at(sum, 8), 8, false), low_load(l, mem_at(from, 8), 8, false)));
}

int lower_aggregate_read(struct lower *l, const struct decl *map, struct script_mem key)
{
	struct callee f;
	unsigned number;
	struct script_mem sum = low_frame(l, 16);
	low_store_k(l, sum, 8, 0);
	low_store_k(l, mem_at(sum, 8), 8, 0);
	begin_function(l, &f, 2);
	add_cpu(l, map, key, sum);
	struct script_mem words = end_function(l, &f, &number);
	LOW_CALL(l, BPF_FUNC_loop, arg_k(l->s->n_cpus), { ARG_FUNC, IR_NO, number }, arg_mem(words), arg_k(0));
	int v = low_load(l, sum, 8, false);
	if (map->type->aggregate == AGG_AVG || map->type->aggregate == AGG_STATS)
		return lower_operator(l, '/', map->type->is_signed, low_load(l, mem_at(sum, 8), 8, false), v);
	return v;
}

/* The kernel tells through how many it went. */
int lower_map_len(struct lower *l, const struct script_node *map)
{
	struct callee f;
	unsigned number;
	if (!able(l->s, ABLE_FOR_EACH)) {
		if (!l->err) {
			source_error(l->s->source, map->at, "this kernel cannot count the entries of a map: bpf_for_each_map_elem came with Linux 5.13");
			l->err = error_hint("count them as they come: @n = count()");
		}
		return low_const(l, 0);
	}
	begin_function(l, &f, 4);
	struct script_mem words = end_function(l, &f, &number);
	return LOW_CALL(l, BPF_FUNC_for_each_map_elem, arg_map(LOAD_MAPS + map->decl->number), { ARG_FUNC, IR_NO, number }, arg_mem(words), arg_k(0));
}
