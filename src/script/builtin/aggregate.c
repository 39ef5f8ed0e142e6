// SPDX-License-Identifier: GPL-2.0-or-later
/* count, sum, avg, min, max, stats, hist, lhist: stored in maps that have an entry for each CPU; the reader adds up.
 * An entry: count, sum: the number. min, max: the value, and whether there is one. avg, stats: how many, and their sum.
 * hist: negative ones, zeros, then a bucket for each power of two, or 2^k of them: below 2^k there is one for each number. lhist: below, the steps, above. */
#include <errno.h>
#include "base/error.h"
#include "script/builtin/builtin.h"
#include "script/provider/provider.h"

static struct script_type *aggregate(struct checker *c, enum aggregate a, bool is_signed)
{
	struct script_type *t = arena_get(&c->s->source->memory, sizeof(*t));
	*t = (struct script_type){ TYPE_AGGREGATE, .size = 8, .aggregate = a, .is_signed = is_signed };
	return t;
}

static struct script_type *check_one(struct checker *c, struct script_node *n, enum aggregate a)
{
	if (a == AGG_COUNT)
		return aggregate(c, a, false);
	if (!check_number(c, n->args, "what is aggregated"))
		return &type_none;
	return aggregate(c, a, a != AGG_HIST && type_is_signed(n->args->type));
}

static struct script_type *check_count(struct checker *c, struct script_node *n) { return check_one(c, n, AGG_COUNT); }
static struct script_type *check_sum(struct checker *c, struct script_node *n) { return check_one(c, n, AGG_SUM); }
static struct script_type *check_avg(struct checker *c, struct script_node *n) { return check_one(c, n, AGG_AVG); }
static struct script_type *check_min(struct checker *c, struct script_node *n) { return check_one(c, n, AGG_MIN); }
static struct script_type *check_max(struct checker *c, struct script_node *n) { return check_one(c, n, AGG_MAX); }
static struct script_type *check_stats(struct checker *c, struct script_node *n) { return check_one(c, n, AGG_STATS); }

static struct script_type *check_hist(struct checker *c, struct script_node *n)
{
	if (n->n_args > 1 && !check_constant(c, n->args->next, 0, HIST_BITS, "how finely hist() divides (a power of two)"))
		return &type_none;
	struct script_type *t = check_one(c, n, AGG_HIST);
	if (n->n_args > 1 && t->kind == TYPE_AGGREGATE)
		t->step = (int64_t)n->args->next->value;
	return t;
}

static struct script_type *check_lhist(struct checker *c, struct script_node *n)
{
	struct script_node *min = n->args->next, *max = min->next, *step = max->next;
	if (!check_number(c, n->args, "what is aggregated") || !check_constant(c, min, INT32_MIN, INT32_MAX, "the least value of lhist()") ||
	    !check_constant(c, max, INT32_MIN, INT32_MAX, "the largest value of lhist()") ||
	    !check_constant(c, step, 1, INT32_MAX, "the step of lhist()"))
		return &type_none;
	struct script_type *t = aggregate(c, AGG_LHIST, false);
	t->min = min->kind == NODE_UNARY ? -(int64_t)min->a->value : (int64_t)min->value;
	t->max = max->kind == NODE_UNARY ? -(int64_t)max->a->value : (int64_t)max->value;
	t->step = (int64_t)step->value;
	if (t->max <= t->min || (t->max - t->min) / t->step > LHIST_MAX)
		return check_fail(c, n->at, "lhist() goes from a smaller to a larger number, in at most %d steps", LHIST_MAX);
	return t;
}

/* ---- code ---- */

/* 0 to 63. The verifier follows all of its 64 ways, but only to where the bucket is counted. */
static int log_of(struct lower *l, int value)
{
	int v = low_move(l, ir_reg(l->ir), value), log = low_const(l, 0);
	for (int bits = 32; bits; bits /= 2) {
		int below = ir_label(l->ir), above = low_alu_k(l, ALU_SHR, v, bits);
		low_branch_k(l, IF_EQ, above, 0, below);
		low_move(l, v, above);
		low_move(l, log, low_alu_k(l, ALU_OR, log, bits));
		low_label(l, below);
	}
	return low_alu_k(l, ALU_AND, log, 63);
}

static void add_bucket(struct lower *l, struct script_mem entry, int bucket)
{
	struct script_mem at = { low_alu(l, ALU_ADD, entry.base, low_alu_k(l, ALU_SHL, bucket, 3)), entry.off };
	low_add_to(l, at, low_const(l, 1));
}

/* The bucket of v >= 2^k: the k bits behind its highest one tell which of those with that power. */
static int fine_bucket(struct lower *l, int v, int k)
{
	int power = log_of(l, v);
	if (!k)
		return low_alu_k(l, ALU_ADD, power, 2);
	int shift = low_alu_k(l, ALU_SUB, power, k);
	int within = low_alu_k(l, ALU_AND, low_alu(l, ALU_SHR, v, low_alu_k(l, ALU_AND, shift, 63)), (1 << k) - 1);
	int first = low_alu_k(l, ALU_SHL, low_alu_k(l, ALU_ADD, shift, 1), k);
	return low_alu_k(l, ALU_ADD, low_alu(l, ALU_ADD, first, within), 1);
}

static void hist(struct lower *l, struct script_mem entry, int v, const struct script_type *t, bool is_signed, int none)
{
	int bucket = low_const(l, 0), end = ir_label(l->ir), more = ir_label(l->ir), k = (int)t->step;
	if (is_signed)
		low_branch_k(l, IF_SLT, v, 0, end);
	low_branch_k(l, IF_GE, v, 1 << k, more);
	low_move(l, bucket, low_alu_k(l, ALU_ADD, v, 1));
	low_jump(l, end);
	low_label(l, more);
	low_move(l, bucket, fine_bucket(l, v, k));
	if (k) /* which the kernel cannot see */
		low_branch_k(l, IF_GE, bucket, (int32_t)(type_room(t) / 8), none);
	low_label(l, end);
	add_bucket(l, entry, bucket);
}

static void lhist(struct lower *l, struct script_mem entry, int v, const struct script_type *t, int none)
{
	int64_t steps = (t->max - t->min) / t->step;
	int bucket = low_const(l, 0), end = ir_label(l->ir), below = ir_label(l->ir);
	low_branch_k(l, IF_SLT, v, (int32_t)t->min, end);
	low_branch_k(l, IF_SLT, v, (int32_t)t->max, below);
	low_move(l, bucket, low_const(l, steps + 1));
	low_jump(l, end);
	low_label(l, below);
	int from = low_alu_k(l, ALU_DIV, low_alu_k(l, ALU_SUB, v, t->min), t->step);
	low_move(l, bucket, low_alu_k(l, ALU_ADD, from, 1));
	low_branch_k(l, IF_GT, bucket, (int32_t)steps + 1, none);
	low_label(l, end);
	add_bucket(l, entry, bucket);
}

static void extreme(struct lower *l, struct script_mem entry, int v, const struct script_type *t, int none)
{
	int take = ir_label(l->ir);
	enum ir_cond keep = t->aggregate == AGG_MIN ? (t->is_signed ? IF_SLE : IF_LE) : (t->is_signed ? IF_SGE : IF_GE);
	low_branch_k(l, IF_EQ, low_load(l, mem_at(entry, 8), 8, false), 0, take);
	low_branch(l, keep, low_load(l, entry, 8, false), v, none);
	low_label(l, take);
	low_store(l, entry, 8, v);
	low_store_k(l, mem_at(entry, 8), 8, 1);
}

static void add_value(struct lower *l, struct script_mem entry, const struct script_type *t, int v, bool is_signed, int none)
{
	switch (t->aggregate) {
	case AGG_COUNT: low_add_to(l, entry, low_const(l, 1)); break;
	case AGG_SUM: low_add_to(l, entry, v); break;
	case AGG_AVG:
	case AGG_STATS:
		low_add_to(l, entry, low_const(l, 1));
		low_add_to(l, mem_at(entry, 8), v);
		break;
	case AGG_MIN:
	case AGG_MAX: extreme(l, entry, v, t, none); break;
	case AGG_HIST: hist(l, entry, v, t, is_signed, none); break;
	case AGG_LHIST: lhist(l, entry, v, t, none); break;
	}
}

void lower_aggregate(struct lower *l, struct script_node *map, struct script_node *call)
{
	const struct script_type *t = map->decl->type;
	map->decl->sampled |= !l->point->provider->own;
	int none = ir_label(l->ir), v = t->aggregate == AGG_COUNT ? IR_NO : lower_word(l, call->args);
	struct script_mem entry = { lower_map_make(l, map, none), (int32_t)map_value_at(map->decl) };
	add_value(l, entry, t, v, v != IR_NO && type_is_signed(call->args->type), none);
	low_label(l, none);
}

const struct builtin builtins_aggregate[] = {
	{ "count", true, 0, 0, .check = check_count },
	{ "sum", true, 1, 1, .check = check_sum },
	{ "avg", true, 1, 1, .check = check_avg },
	{ "min", true, 1, 1, .check = check_min },
	{ "max", true, 1, 1, .check = check_max },
	{ "stats", true, 1, 1, .check = check_stats },
	{ "hist", true, 1, 2, .check = check_hist },
	{ "lhist", true, 4, 4, .check = check_lhist },
	{ 0 },
};
