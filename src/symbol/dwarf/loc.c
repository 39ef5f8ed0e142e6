// SPDX-License-Identifier: GPL-2.0-or-later
/* DWARF location expressions, run on symbolic values instead of numbers.
 *
 * The stack holds struct fetch: a register plus a constant, a constant, an address, or what lies in
 * memory there. Additions of constants and dereferences stay inside of what a probe can fetch;
 * anything else (multiplying registers, masks wider than a type) makes the value one that cannot be
 * fetched, and the caller says so. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "arch/dwarf_regs.h"
#include "symbol/dwarf/inner.h"

enum { STACK_MAX = 16, NESTING_MAX = 8 };

struct eval {
	struct dwarf_file *f;
	const struct dwarf_place *p;
	Dwarf_Attribute *attr;
	struct fetch stack[STACK_MAX];
	int n;
	bool reg_only; /* the location is a register itself */
	bool value; /* DW_OP_stack_value: the number, not its address */
	int frame; /* the register that the frame base is, as clang has it; -1: none */
	int depth;
	const char *why;
};

static int run(struct eval *e, Dwarf_Op *ops, size_t n, struct dwarf_pieces *pieces);

static int push(struct eval *e, struct fetch f)
{
	if (e->n == STACK_MAX)
		return -E2BIG;
	e->stack[e->n++] = f;
	return 0;
}

static int push_reg(struct eval *e, int reg, int64_t add)
{
	struct fetch f;
	fetch_reg(&f, reg, add, false);
	return push(e, f);
}

static int push_const(struct eval *e, uint64_t v)
{
	struct fetch f;
	fetch_const(&f, v);
	return push(e, f);
}

static int unsupported(struct eval *e, const char *why)
{
	e->why = why;
	return -ENOTSUP;
}

static Dwarf_CFI *cfi(struct eval *e, bool debug)
{
	struct dwarf_file *f = e->f;
	if (!f->cfi_tried) {
		f->cfi_tried = true;
		f->cfi_eh = dwarf_getcfi_elf(f->text ? f->text : f->elf);
		f->cfi_debug = dwarf_getcfi(f->dw);
	}
	return debug ? f->cfi_debug : f->cfi_eh;
}

/* The canonical frame address. At a function's entry the machine's convention says it. */
static int push_cfa(struct eval *e)
{
	if (e->p->addr == e->p->func_addr)
		return push_reg(e, ARCH_SP, ARCH_ENTRY_CFA);
	for (int debug = 0; debug < 2; debug++) {
		Dwarf_Frame *frame = NULL;
		Dwarf_Op *ops;
		size_t n;
		Dwarf_CFI *c = cfi(e, debug);
		if (!c || dwarf_cfi_addrframe(c, e->p->addr, &frame))
			continue;
		int err = -ENOTSUP;
		if (!dwarf_frame_cfa(frame, &ops, &n) && n && e->depth < NESTING_MAX) {
			e->depth++;
			err = run(e, ops, n, NULL);
			e->depth--;
			e->value = false;
		}
		free(frame);
		if (!err)
			return 0;
	}
	return unsupported(e, "the call frame information of that address is missing");
}

/* The canonical frame address at another place, as a register and a distance. */
static bool cfa_at(const struct eval *e, uint64_t addr, struct fetch *out)
{
	struct dwarf_place p = *e->p;
	struct eval there = { .f = e->f, .p = &p };
	p.addr = addr;
	if (push_cfa(&there) || !there.n)
		return false;
	*out = there.stack[there.n - 1];
	return out->base == FETCH_REG && !out->n_deref;
}

/* A register that is the frame base means nothing before the function has made its frame. */
static bool frame_is_made(const struct eval *e)
{
	struct fetch here, made;
	if (e->frame < 0)
		return true;
	if (!cfa_at(e, e->p->addr, &here))
		return e->p->addr != e->p->func_addr;
	if (e->frame != ARCH_SP)
		return here.reg == e->frame;
	Dwarf_Die cu = e->p->cu, func = e->p->func;
	uint64_t end = dwarf_prologue_end(&cu, &func, e->p->func_addr);
	if (e->p->addr >= end || !cfa_at(e, end, &made))
		return true;
	return here.reg == made.reg && here.add == made.add;
}

static int add_const(struct eval *e, int64_t v)
{
	if (!e->n)
		return -EINVAL;
	if (e->stack[e->n - 1].bit_size)
		return unsupported(e, "it is computed, not kept");
	e->stack[e->n - 1].add += v;
	return 0;
}

static int push_frame_base(struct eval *e, int64_t off)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	Dwarf_Die func = e->p->func;
	Dwarf_Block block;
	bool have = dwarf_attr_integrate(&func, DW_AT_frame_base, &a);
	if (have && !dwarf_formblock(&a, &block) && block.length == 1 && block.data[0] == DW_OP_call_frame_cfa) {
		int err = push_cfa(e); /* libdw refuses Go's form of it */
		return err ? err : add_const(e, off);
	}
	if (!have || dwarf_getlocation_addr(&a, e->p->addr, &ops, &n, 1) <= 0 || !n)
		return unsupported(e, "the function has no frame base there");
	if (++e->depth > NESTING_MAX)
		return -ELOOP;
	bool was_reg = e->reg_only;
	int err = run(e, ops, n, NULL);
	e->depth--;
	if (!err && e->reg_only && e->n)
		e->frame = e->stack[e->n - 1].reg;
	e->reg_only = was_reg; /* "in register 6" means its contents here */
	if (!err && e->n)
		e->stack[e->n - 1].add += off;
	return err;
}

/* The value that a register had on entry is at hand only there. */
static int push_entry_value(struct eval *e, Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t n;
	if (!e->attr || dwarf_getlocation_attr(e->attr, op, &inner) || dwarf_getlocation(&inner, &ops, &n) || !n)
		return unsupported(e, "its description is not understood");
	if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31 && !fetch_reg_name(ops[0].atom - DW_OP_reg0))
		return unsupported(e, fetch_no_register);
	if (e->p->addr != e->p->func_addr)
		return unsupported(e, "only its value at the function's entry is known");
	if (++e->depth > NESTING_MAX)
		return -ELOOP;
	int err = run(e, ops, n, NULL);
	e->depth--;
	e->reg_only = false;
	return err;
}

static int push_implicit(struct eval *e, Dwarf_Op *op)
{
	Dwarf_Block block;
	uint64_t v = 0;
	if (!e->attr || dwarf_getlocation_implicit_value(e->attr, op, &block) || block.length > 8)
		return unsupported(e, "it is a constant too long for a probe");
	memcpy(&v, block.data, block.length);
	e->value = true;
	return push_const(e, v);
}

static int deref(struct eval *e)
{
	struct fetch *t = e->n ? &e->stack[e->n - 1] : NULL;
	if (!t)
		return -EINVAL;
	if (t->base == FETCH_CONST)
		return unsupported(e, "it is behind a fixed number");
	if (t->bit_size)
		return unsupported(e, "it is computed, not kept");
	t->memory = true;
	return fetch_load(t);
}

static int64_t const_value(const struct fetch *f)
{
	return (int64_t)f->num + f->add;
}

static int arithmetic(struct eval *e, int op)
{
	if (e->n < 2)
		return -EINVAL;
	struct fetch b = e->stack[--e->n], *a = &e->stack[e->n - 1];
	if (op == DW_OP_plus && a->base == FETCH_CONST && b.base != FETCH_CONST) {
		struct fetch t = *a;
		*a = b;
		b = t;
	}
	if (b.base != FETCH_CONST || b.n_deref)
		return unsupported(e, "it is computed from several values");
	int64_t v = const_value(&b);
	if (op == DW_OP_shr || op == DW_OP_shra || op == DW_OP_and) {
		bool mask = op == DW_OP_and, low = v && !((uint64_t)v & ((uint64_t)v + 1)); /* ones, then no more */
		if ((!mask || low) && v >= (mask ? INT64_MIN : 0) && (mask || v < 64) &&
		    !fetch_cut(a, mask ? 0 : (int)v, mask ? __builtin_popcountll((uint64_t)v) : 64))
			return 0;
		return unsupported(e, "it is computed, not kept");
	}
	if (a->bit_size)
		return unsupported(e, "it is computed, not kept");
	if (op == DW_OP_plus) {
		a->add += v;
		return 0;
	}
	if (op == DW_OP_minus) {
		a->add -= v;
		return 0;
	}
	return unsupported(e, "it is computed, not kept");
}

/* To another base type: the wider one has the same bits, the narrower one fewer. */
static int convert(struct eval *e, Dwarf_Op *op)
{
	Dwarf_Die type;
	Dwarf_Word size = 8;
	struct fetch *t = e->n ? &e->stack[e->n - 1] : NULL;
	if (!t)
		return -EINVAL;
	if (op->number && (!e->attr || dwarf_getlocation_die(e->attr, op, &type) || dwarf_aggregate_size(&type, &size)))
		return unsupported(e, "its description is not understood");
	if (size >= 8)
		return 0;
	return size && !fetch_cut(t, 0, (int)size * 8) ? 0 : unsupported(e, "it is computed, not kept");
}

static int constant_op(struct eval *e, const Dwarf_Op *op, bool *took)
{
	*took = true;
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push_const(e, op->atom - DW_OP_lit0);
	switch (op->atom) {
	case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s:
	case DW_OP_const4u: case DW_OP_const4s: case DW_OP_const8u: case DW_OP_const8s:
	case DW_OP_constu: case DW_OP_consts:
		return push_const(e, op->number);
	}
	*took = false;
	return 0;
}

static int register_op(struct eval *e, const Dwarf_Op *op, bool *took)
{
	*took = true;
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_reg(e, op->atom - DW_OP_breg0, (int64_t)op->number);
	if (op->atom == DW_OP_bregx)
		return push_reg(e, (int)op->number, (int64_t)op->number2);
	e->reg_only = true;
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return push_reg(e, op->atom - DW_OP_reg0, 0);
	if (op->atom == DW_OP_regx)
		return push_reg(e, (int)op->number, 0);
	e->reg_only = false;
	*took = false;
	return 0;
}

static int push_addr(struct eval *e, Dwarf_Op *op)
{
	Dwarf_Attribute a;
	Dwarf_Addr addr = op->number;
	struct fetch f;
	if (op->atom != DW_OP_addr && (!e->attr || dwarf_getlocation_attr(e->attr, op, &a) || dwarf_formaddr(&a, &addr)))
		return unsupported(e, "its address is not understood");
	fetch_addr(&f, addr);
	f.memory = false;
	return push(e, f);
}

static int other_op(struct eval *e, Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_addr: case DW_OP_addrx: case DW_OP_GNU_addr_index:
		return push_addr(e, op);
	case DW_OP_fbreg:
		return push_frame_base(e, (int64_t)op->number);
	case DW_OP_call_frame_cfa:
		return push_cfa(e);
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		return push_entry_value(e, op);
	case DW_OP_implicit_value:
		return push_implicit(e, op);
	case DW_OP_plus_uconst:
		return add_const(e, (int64_t)op->number);
	case DW_OP_plus: case DW_OP_minus: case DW_OP_and: case DW_OP_shr: case DW_OP_shra:
		return arithmetic(e, op->atom);
	case DW_OP_convert: case DW_OP_GNU_convert:
		return convert(e, op);
	case DW_OP_deref:
		return deref(e);
	case DW_OP_deref_size:
		return op->number == 8 ? deref(e) : unsupported(e, "it is behind a narrow pointer");
	case DW_OP_stack_value:
		e->value = true;
		return 0;
	case DW_OP_nop:
		return 0;
	case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
		return unsupported(e, "what it points to was optimized away");
	case DW_OP_GNU_push_tls_address: case DW_OP_form_tls_address:
		return unsupported(e, "it is a thread's own variable (TLS)");
	}
	return unsupported(e, "it is computed, not kept");
}

/* The top of the stack as a location of something with so many bytes, 0: unknown. */
static int finish(struct eval *e, uint64_t size, struct fetch *out)
{
	*out = e->stack[e->n - 1];
	out->memory = !e->reg_only && !e->value;
	if (out->base == FETCH_CONST && out->memory)
		out->memory = false;
	if (!out->bit_size)
		return 0;
	if (out->memory)
		return unsupported(e, "its address is computed");
	out->zero_above = !size || (uint64_t)out->bit_size < size * 8;
	if (!out->zero_above)
		(void)fetch_cut(out, 0, (int)size * 8);
	return 0;
}

static int end_piece(struct eval *e, const Dwarf_Op *op, struct dwarf_pieces *pieces, int64_t *off)
{
	int64_t size = (int64_t)op->number;
	if (!pieces || op->atom != DW_OP_piece || pieces->n == 16 || size <= 0 || size > 1 << 20)
		return unsupported(e, "it is scattered over several places");
	if (e->n) {
		int err = finish(e, (uint64_t)size, &pieces->piece[pieces->n].at);
		if (err)
			return err;
		pieces->piece[pieces->n].off = *off;
		pieces->piece[pieces->n++].size = size;
	}
	*off += size;
	e->n = 0;
	e->reg_only = e->value = false;
	return 0;
}

static int run(struct eval *e, Dwarf_Op *ops, size_t n, struct dwarf_pieces *pieces)
{
	int64_t off = 0;
	int err = 0;
	for (size_t i = 0; i < n && !err; i++) {
		bool took;
		if (ops[i].atom == DW_OP_piece || ops[i].atom == DW_OP_bit_piece) {
			err = end_piece(e, &ops[i], pieces, &off);
			continue;
		}
		err = constant_op(e, &ops[i], &took);
		if (!took)
			err = register_op(e, &ops[i], &took);
		if (!took)
			err = other_op(e, &ops[i]);
	}
	return err;
}

static int const_attr(Dwarf_Die *var, struct fetch *out)
{
	Dwarf_Attribute a;
	Dwarf_Word u;
	Dwarf_Sword s;
	Dwarf_Block b;
	uint64_t v = 0;
	if (!dwarf_attr_integrate(var, DW_AT_const_value, &a))
		return -ENOENT;
	if (!dwarf_formblock(&a, &b)) {
		if (b.length > 8)
			return -ENOTSUP;
		memcpy(&v, b.data, b.length);
	} else if (!dwarf_formsdata(&a, &s)) {
		v = (uint64_t)s;
	} else if (!dwarf_formudata(&a, &u)) {
		v = u;
	} else {
		return -ENOTSUP;
	}
	fetch_const(out, v);
	return 0;
}

/* At the entry of a function that others may call, the calling convention says where parameters are.
 * Debug information of optimized code often describes only the place they are moved to later. */
static bool by_convention(const struct dwarf_place *p, Dwarf_Die *var, struct fetch *out, struct dwarf_pieces *pieces)
{
	Dwarf_Attribute a;
	Dwarf_Die func = p->func, cu;
	bool external = false;
	if (p->addr != p->func_addr || dwarf_tag(var) != DW_TAG_formal_parameter || p->scope.addr != p->func.addr)
		return false;
	if (!dwarf_attr_integrate(&func, DW_AT_external, &a) || dwarf_formflag(&a, &external) || !external)
		return false;
	if (!dwarf_diecu(&func, &cu, NULL, NULL) || !dwarf_is_c(&cu) || strchr(p->func_name, '.'))
		return false;
	return dwarf_abi_param(&func, var, out, pieces);
}

static bool has_gaps(const struct dwarf_pieces *p, uint64_t size)
{
	int64_t all = 0;
	for (int i = 0; i < p->n; i++)
		all += p->piece[i].size;
	return (uint64_t)all < size;
}

/* Go writes the expression as a block, which libdw refuses in DWARF 4; a short block and an expression are encoded alike. */
bool dwarf_location(Dwarf_Die *var, Dwarf_Attribute *a)
{
	Dwarf_Block block;
	if (!dwarf_attr(var, DW_AT_location, a))
		return false;
	if (dwarf_whatform(a) == DW_FORM_block1 && !dwarf_formblock(a, &block) && block.length < 128)
		a->form = DW_FORM_exprloc;
	return true;
}

int dwarf_locate(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *var, struct fetch *out,
		 struct dwarf_pieces *pieces, const char **why)
{
	struct eval e = { .f = f, .p = p, .frame = -1 };
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n = 0;
	*why = NULL;
	pieces->n = 0;
	if (!dwarf_location(var, &a)) {
		if (!const_attr(var, out) || by_convention(p, var, out, pieces))
			return 0;
		return -ENOENT;
	}
	e.attr = &a;
	bool list = dwarf_whatform(&a) != DW_FORM_exprloc && dwarf_whatform(&a) != DW_FORM_block1 &&
		    dwarf_whatform(&a) != DW_FORM_block;
	if (dwarf_getlocation_addr(&a, p->addr, &ops, &n, 1) <= 0 || !n)
		return by_convention(p, var, out, pieces) ? 0 : list ? -ERANGE : -ENOENT;
	uint64_t size = dwarf_var_size(var);
	int err = run(&e, ops, n, pieces);
	if (!err && !pieces->n)
		err = e.n ? finish(&e, size, out) : -ENOENT;
	*why = e.why;
	if (err || (pieces->n && has_gaps(pieces, size) && p->addr == p->func_addr)) {
		struct dwarf_pieces told = *pieces;
		if (by_convention(p, var, out, pieces))
			return 0;
		*pieces = told;
	}
	if (err || pieces->n) {
		*out = pieces->n ? pieces->piece[0].at : *out;
		return err;
	}
	/* one place for the whole function, in the frame: a parameter is not yet stored there at the very entry */
	bool param = dwarf_tag(var) == DW_TAG_formal_parameter, made = !out->memory || out->base != FETCH_REG || frame_is_made(&e);
	bool framed = !list && p->addr == p->func_addr && out->memory && out->base == FETCH_REG && out->add < ARCH_ENTRY_CFA;
	if ((!made || (framed && param)) && !by_convention(p, var, out, pieces)) {
		*why = "the function has yet to put it there";
		return -ENOTSUP;
	}
	return 0;
}

bool dwarf_var_ranges(Dwarf_Die *var, int (*fn)(uint64_t start, uint64_t end, void *ctx), void *ctx)
{
	Dwarf_Attribute a;
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	size_t n;
	ptrdiff_t at = 0;
	bool any = false;
	if (!dwarf_location(var, &a))
		return false;
	for (int i = 0; i < 4096 && (at = dwarf_getlocations(&a, at, &base, &start, &end, &ops, &n)) > 0; i++) {
		if (!n || start >= end)
			continue;
		any = true;
		if (fn(start, end, ctx))
			break;
	}
	return any;
}
