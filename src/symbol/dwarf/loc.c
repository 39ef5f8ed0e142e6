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

static int add_const(struct eval *e, int64_t v)
{
	if (!e->n)
		return -EINVAL;
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
	if (e->p->addr != e->p->func_addr)
		return unsupported(e, "only its value at the function's entry is known");
	if (!e->attr || dwarf_getlocation_attr(e->attr, op, &inner) || dwarf_getlocation(&inner, &ops, &n) || !n)
		return unsupported(e, "its description is not understood");
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
	if (op == DW_OP_plus) {
		a->add += v;
		return 0;
	}
	if (op == DW_OP_minus) {
		a->add -= v;
		return 0;
	}
	if (op == DW_OP_and && (v == 0xffffffff || v == -1) && !a->add)
		return 0; /* the type cuts it to size anyway */
	return unsupported(e, "it is computed, not kept");
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
	case DW_OP_plus: case DW_OP_minus: case DW_OP_and:
		return arithmetic(e, op->atom);
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

/* The top of the stack as a location. */
static void finish(struct eval *e, struct fetch *out)
{
	*out = e->stack[e->n - 1];
	out->memory = !e->reg_only && !e->value;
	if (out->base == FETCH_CONST && out->memory)
		out->memory = false;
}

static int end_piece(struct eval *e, const Dwarf_Op *op, struct dwarf_pieces *pieces, int64_t *off)
{
	int64_t size = (int64_t)op->number;
	if (!pieces || op->atom != DW_OP_piece || pieces->n == 16 || size <= 0 || size > 1 << 20)
		return unsupported(e, "it is scattered over several places");
	if (e->n) {
		finish(e, &pieces->piece[pieces->n].at);
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

/* Parameter number among those that travel in integer registers; -1 when the convention is not that
 * simple (structures, floats before it are fine: they use other registers). */
static int register_of_param(struct dwarf_file *f, Dwarf_Die *func, Dwarf_Die *param)
{
	Dwarf_Die die, type, t;
	int index = 0;
	(void)f;
	if (dwarf_type_of(func, &type) && dwarf_strip(&type, &t)) {
		int tag = dwarf_tag(&t); /* a structure returned may take the first register for its address */
		if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type || tag == DW_TAG_array_type)
			return -1;
	}
	if (dwarf_child(func, &die))
		return -1;
	do {
		Dwarf_Attribute a;
		Dwarf_Word enc = 0, size;
		if (dwarf_tag(&die) != DW_TAG_formal_parameter)
			continue;
		if (!dwarf_type_of(&die, &type) || !dwarf_strip(&type, &t))
			return -1;
		int tag = dwarf_tag(&t);
		bool is_float = false;
		if (tag == DW_TAG_base_type) {
			if (dwarf_attr(&t, DW_AT_encoding, &a))
				(void)dwarf_formudata(&a, &enc);
			is_float = enc == DW_ATE_float;
			if (dwarf_aggregate_size(&t, &size) || size > 8 || enc == DW_ATE_complex_float)
				return -1;
		} else if (tag != DW_TAG_pointer_type && tag != DW_TAG_enumeration_type && tag != DW_TAG_reference_type) {
			return -1;
		}
		if (die.addr == param->addr)
			return is_float || index >= ARCH_ARG_REGS ? -1 : arch_arg_regs[index];
		index += !is_float;
	} while (!dwarf_siblingof(&die, &die));
	return -1;
}

/* At the entry of a function that others may call, the calling convention says where parameters are.
 * Debug information of optimized code often describes only the place they are moved to later. */
static bool by_convention(struct dwarf_file *f, const struct dwarf_place *p, Dwarf_Die *var, struct fetch *out)
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
	int reg = register_of_param(f, &func, var);
	if (reg < 0)
		return false;
	fetch_reg(out, reg, 0, false);
	return true;
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
	struct eval e = { .f = f, .p = p };
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n = 0;
	*why = NULL;
	pieces->n = 0;
	if (!dwarf_location(var, &a)) {
		if (!const_attr(var, out) || by_convention(f, p, var, out))
			return 0;
		return -ENOENT;
	}
	e.attr = &a;
	bool list = dwarf_whatform(&a) != DW_FORM_exprloc && dwarf_whatform(&a) != DW_FORM_block1 &&
		    dwarf_whatform(&a) != DW_FORM_block;
	if (dwarf_getlocation_addr(&a, p->addr, &ops, &n, 1) <= 0 || !n)
		return by_convention(f, p, var, out) ? 0 : list ? -ERANGE : -ENOENT;
	int err = run(&e, ops, n, pieces);
	*why = e.why;
	if (err)
		return by_convention(f, p, var, out) ? 0 : err;
	if (pieces->n) {
		*out = pieces->piece[0].at;
		return 0;
	}
	if (!e.n)
		return -ENOENT;
	finish(&e, out);
	/* one place for the whole function, in the frame: not yet stored there at the very entry */
	if (!list && out->memory && out->base == FETCH_REG && out->add < ARCH_ENTRY_CFA)
		(void)by_convention(f, p, var, out);
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
