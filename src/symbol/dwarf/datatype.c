// SPDX-License-Identifier: GPL-2.0-or-later
/* The operand in memory is a register and a distance, or a fixed address. A fixed address is a global variable's; a register
 * that the frame counts from leads to a variable of the function; any other one is a pointer. What it points to is told by a variable
 * that is in the register there, or by the instruction that made the register's value: a load of a pointer, the address of a variable,
 * another register, the result of a function. Where ways through the code join, all of them have to say the same. */
#include "symbol/dwarf/datatype.h"
#include <errno.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "arch/dwarf_regs.h"
#include "base/error.h"
#include "base/map.h"
#include "kernel/plain.h"
#include "symbol/disasm/code.h"
#include "symbol/disasm/disasm.h"
#include "symbol/dwarf/memory.h"
#include "symbol/file/debugfile.h"
#include "symbol/inner.h"

enum { REG_RAX = 0, REG_RDX = 1, REG_RBP = 6, DEPTH_MAX = 8, STEPS_MAX = 400, OPEN_MAX = 8, CANARY = 40, FUNCTION_MAX = 1 << 20 };

/* What is kept of an instruction. */
struct step {
	uint64_t addr, target, data;
	struct insn_memory mem;
	struct insn_flow flow;
	enum insn_kind kind;
	bool has_target, stack;
	bool joined; /* another way through the code leads here, too */
};
struct jump { size_t to, from; };

struct type_image {
	struct dwarf_file *dwarf; /* NULL: none */
	struct dwarf_globals *globals;
	int fd; /* of the file that ran, whose frames the debug file counts on */
	Elf *text;
	struct u64map function; /* by its start */
	struct u64map at; /* by address: struct data_type * */
};
struct type_function {
	struct step *step;
	size_t n;
	VEC(struct jump) jump; /* within the function, by where they lead */
	struct dwarf_place place;
	bool placed; /* the debug information has it */
};
struct data_types {
	struct symbols *syms;
	struct u64map image; /* by struct dso * */
	struct strmap made; /* by text: struct data_type * */
};
/* One function, while its registers are followed. */
struct following {
	struct type_image *im;
	const struct type_function *fn;
	int steps, n_open;
	struct { size_t i; int reg; } open[OPEN_MAX]; /* joins that are being asked */
};
struct pointed {
	Dwarf_Die type;
	int64_t offset;
	bool again; /* what it is at a join that is being asked already, whatever that is */
};

/* ---- answers ---- */

static const struct data_type *make(struct data_types *t, const char *name, int64_t offset, const char *field)
{
	char *text = offset ? xasprintf("%s +0x%llx (%s)", name, (unsigned long long)offset, field) : xasprintf("%s +0 (%s)", name, field);
	struct data_type *d = strmap_get(&t->made, text);
	if (d) {
		free(text);
		return d;
	}
	d = xmalloc(sizeof(*d));
	*d = (struct data_type){ .name = xstrdup(name), .offset = offset, .text = text };
	strmap_set(&t->made, text, d);
	return d;
}

static const struct data_type *plain_name(struct data_types *t, const char *name)
{
	return make(t, name, 0, "no field");
}

/* ---- files ---- */

static void open_dwarf(struct type_image *ti, struct image *im)
{
	const struct symbols_options *o = symbols_options_of(im->owner);
	struct debugfile d;
	struct debugfile_query q = { .binary = im->dso.path, .id = &im->dso.build_id, .want = 'd',
		.symfs = o->symfs, .archive = o->archive, .pid = im->pid, .offline = o->offline };
	elf_version(EV_CURRENT);
	ti->fd = im->runtime_path ? plain_open(im->runtime_path, 0) : -1;
	ti->text = ti->fd >= 0 ? elf_begin(ti->fd, ELF_C_READ_MMAP, NULL) : NULL;
	if (!debugfile_search(&d, &q) && !dwarf_file_open(&ti->dwarf, d.path, ti->text))
		ti->globals = dwarf_globals_new(ti->dwarf);
	debugfile_release(&d);
	error_clear();
}

static struct type_image *image_of(struct data_types *t, const struct frame *f)
{
	struct type_image *ti = u64map_get(&t->image, (uintptr_t)f->dso);
	if (ti)
		return ti;
	ti = xcalloc(1, sizeof(*ti));
	ti->fd = -1;
	u64map_set(&t->image, (uintptr_t)f->dso, ti);
	struct image *im = (struct image *)f->dso; /* dso is an image's first member */
	if (im->kind == IMAGE_FILE)
		open_dwarf(ti, im);
	return ti;
}

/* ---- code ---- */

static int64_t index_of(const struct type_function *fn, uint64_t addr)
{
	size_t low = 0, high = fn->n;
	while (low < high) {
		size_t mid = (low + high) / 2;
		if (fn->step[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < fn->n && fn->step[low].addr == addr ? (int64_t)low : -1;
}

static bool is_stack_operation(const struct instruction *i)
{
	return i->kind == INSN_CALL || i->kind == INSN_RET || str_starts(i->text, "push") || str_starts(i->text, "pop ");
}

static int by_target(const void *a, const void *b)
{
	const struct jump *x = a, *y = b;
	return (x->to > y->to) - (x->to < y->to);
}

/* The first of the jumps that lead to instruction i. */
static size_t jumps_to(const struct type_function *fn, size_t i)
{
	size_t low = 0, high = fn->jump.n;
	while (low < high) {
		size_t mid = (low + high) / 2;
		if (fn->jump.at[mid].to < i)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void keep(struct type_function *fn, const insns *v)
{
	fn->step = xcalloc(v->n + 1, sizeof(*fn->step));
	vec_each(v, i)
		fn->step[fn->n++] = (struct step){ .addr = i->addr, .target = i->target, .data = i->data, .mem = i->mem, .flow = i->flow, .kind = i->kind,
						   .has_target = i->has_target, .stack = is_stack_operation(i) };
	for (size_t i = 0; i < fn->n; i++) {
		const struct step *j = &fn->step[i];
		int64_t to = j->has_target && j->kind != INSN_CALL ? index_of(fn, j->target) : -1;
		if (to < 0)
			continue;
		fn->step[to].joined = true;
		*vec_push(&fn->jump) = (struct jump){ (size_t)to, i };
	}
	if (fn->jump.n)
		qsort(fn->jump.at, fn->jump.n, sizeof(*fn->jump.at), by_target);
}

static void take_apart(struct data_types *t, const struct frame *f, struct type_function *fn)
{
	struct disasm_options o = { .is32 = false };
	insns v = { 0 };
	struct code c;
	if (!capstone_there() || f->sym_size > FUNCTION_MAX || code_of(t->syms, f, f->sym_addr, f->sym_size, &c))
		return;
	if (!c.is32 && !disasm_run(&o, &(struct disasm_code){ .bytes = c.bytes, .n = c.n, .addr = c.addr }, &v))
		keep(fn, &v);
	vec_release(&v);
	code_release(&c);
}

static const struct type_function *function_of(struct data_types *t, struct type_image *ti, const struct frame *f)
{
	struct type_function *fn = u64map_get(&ti->function, f->sym_addr);
	if (fn)
		return fn;
	fn = xcalloc(1, sizeof(*fn));
	u64map_set(&ti->function, f->sym_addr, fn);
	take_apart(t, f, fn);
	fn->placed = fn->n && ti->dwarf && dwarf_memory_place(ti->dwarf, f->sym_addr, &fn->place);
	error_clear();
	return fn;
}

static struct dwarf_place place_of(const struct type_function *fn, size_t i)
{
	struct dwarf_place p = fn->place;
	p.addr = fn->step[i].addr;
	return p;
}

/* ---- registers ---- */

static bool in_memory(struct following *w, size_t i, int depth, struct pointed *out);

static bool variable_in(const struct following *w, size_t i, int reg, struct pointed *out)
{
	struct dwarf_place p = place_of(w->fn, i);
	Dwarf_Die type;
	*out = (struct pointed){ .offset = 0 };
	return dwarf_in_register(w->im->dwarf, &p, reg, &type) && dwarf_behind_pointer(&type, &out->type);
}

/* Results are in these two. Who reads another register after a call knows that the function left it alone: by the convention, or,
 * as gcc does within a unit, by having seen it. */
static bool survives_calls(int reg)
{
	return reg != REG_RAX && reg != REG_RDX;
}

static bool result_of(const struct following *w, const struct step *call, struct pointed *out)
{
	Dwarf_Die type;
	*out = (struct pointed){ .offset = 0 };
	return call->has_target && dwarf_result_type(w->im->dwarf, call->target, &type) && dwarf_behind_pointer(&type, &out->type);
}

static bool points_to(struct following *w, size_t i, int reg, int depth, struct pointed *out);

/* The value that instruction i puts into reg. */
static bool made_by(struct following *w, size_t i, int reg, int depth, struct pointed *out)
{
	const struct step *n = &w->fn->step[i];
	const struct insn_flow *f = &n->flow;
	struct pointed from;
	Dwarf_Die part;
	if (f->dst != reg || !f->whole || depth > DEPTH_MAX)
		return false;
	if (f->lea)
		return in_memory(w, i, depth, out);
	if (f->adds_constant) {
		if (!points_to(w, i, reg, depth, out) || out->again)
			return false;
		out->offset += f->constant;
		return true;
	}
	if (!f->move)
		return false;
	if (f->src != INSN_NO_REG)
		return points_to(w, i, f->src, depth, out);
	out->offset = 0;
	out->again = false;
	return n->mem.there && in_memory(w, i, depth, &from) && dwarf_part_at(&from.type, from.offset, &part, NULL) &&
	       dwarf_behind_pointer(&part, &out->type);
}

static bool before(struct following *w, size_t i, int reg, int depth, struct pointed *out);

/* What the value of reg points to, after instruction i. */
static bool after(struct following *w, size_t i, int reg, int depth, struct pointed *out)
{
	const struct step *n = &w->fn->step[i];
	if (++w->steps > STEPS_MAX)
		return false;
	if (n->kind == INSN_CALL && !survives_calls(reg))
		return reg == REG_RAX && result_of(w, n, out);
	if (n->flow.writes >> reg & 1)
		return made_by(w, i, reg, depth + 1, out);
	return points_to(w, i, reg, depth, out);
}

/* all: what the ways asked so far say; false: this one says something else. */
static bool agree(struct pointed *all, const struct pointed *one)
{
	if (one->again)
		return true;
	if (all->again)
		*all = *one;
	return all->type.addr == one->type.addr && all->offset == one->offset;
}

static bool goes_on(const struct step *n)
{
	return n->kind != INSN_JUMP && n->kind != INSN_RET;
}

static bool all_ways(struct following *w, size_t i, int reg, int depth, struct pointed *out)
{
	struct pointed one;
	const struct step *step = w->fn->step;
	*out = (struct pointed){ .again = true };
	if (!i || (goes_on(&step[i - 1]) && (!after(w, i - 1, reg, depth, &one) || !agree(out, &one))))
		return false;
	for (size_t k = jumps_to(w->fn, i); k < w->fn->jump.n && w->fn->jump.at[k].to == i; k++)
		if (!after(w, w->fn->jump.at[k].from, reg, depth, &one) || !agree(out, &one))
			return false;
	return true;
}

static bool at_join(struct following *w, size_t i, int reg, int depth, struct pointed *out)
{
	*out = (struct pointed){ .again = true };
	for (int k = 0; k < w->n_open; k++)
		if (w->open[k].i == i && w->open[k].reg == reg)
			return true;
	if (w->n_open == OPEN_MAX)
		return false;
	w->open[w->n_open].i = i;
	w->open[w->n_open++].reg = reg;
	bool found = all_ways(w, i, reg, depth, out);
	w->n_open--;
	return found && (!out->again || w->n_open);
}

static bool before(struct following *w, size_t i, int reg, int depth, struct pointed *out)
{
	if (w->fn->step[i].joined)
		return at_join(w, i, reg, depth, out);
	return i && goes_on(&w->fn->step[i - 1]) && after(w, i - 1, reg, depth, out);
}

/* What the value of reg points to, before instruction i. */
static bool points_to(struct following *w, size_t i, int reg, int depth, struct pointed *out)
{
	if (reg == INSN_NO_REG)
		return false;
	return variable_in(w, i, reg, out) || before(w, i, reg, depth, out);
}

/* The operand of instruction i that is in memory. */
static bool in_memory(struct following *w, size_t i, int depth, struct pointed *out)
{
	const struct step *n = &w->fn->step[i];
	const struct insn_memory *m = &n->mem;
	struct dwarf_place p = place_of(w->fn, i);
	*out = (struct pointed){ .offset = 0 };
	if (!m->there || m->fs)
		return false;
	if (m->rip || m->base == INSN_NO_REG)
		return dwarf_global_at(w->im->dwarf, w->im->globals, &p, m->rip ? n->data : (uint64_t)m->disp, &out->type, &out->offset);
	if ((m->base == ARCH_SP || m->base == REG_RBP) && dwarf_in_frame(w->im->dwarf, &p, m->base, m->disp, &out->type, &out->offset))
		return true;
	if (!points_to(w, i, m->base, depth, out) && (m->scale != 1 || !points_to(w, i, m->index, depth, out)))
		return false;
	out->offset += m->disp;
	return !out->again;
}

/* ---- all ---- */

static bool is_canary(const struct insn_memory *m)
{
	return m->there && m->fs && m->base == INSN_NO_REG && m->disp == CANARY;
}

static const struct data_type *type_of(struct data_types *t, struct type_image *ti, const struct type_function *fn, size_t i)
{
	const struct step *n = &fn->step[i];
	struct following w = { .im = ti, .fn = fn };
	struct pointed at;
	Dwarf_Die part;
	struct str name = STR_INIT, field = STR_INIT;
	const struct data_type *d = NULL;
	if (n->stack)
		return plain_name(t, "(stack operation)");
	if (is_canary(&n->mem))
		return plain_name(t, "(stack canary)");
	if (fn->placed && (n->mem.load || n->mem.store) && in_memory(&w, i, 0, &at) && dwarf_type_name(&at.type, at.offset, &name)) {
		(void)dwarf_part_at(&at.type, at.offset, &part, &field);
		d = make(t, name.buf, at.offset, field.len ? field.buf : "no field");
	}
	str_release(&name);
	str_release(&field);
	return d;
}

const struct data_type *data_type_at(struct data_types *t, const struct frame *f)
{
	const struct data_type *d = NULL;
	if (!f->dso || !f->sym || f->dso->kernel || f->dso->jit)
		return plain_name(t, "(unknown)");
	struct type_image *ti = image_of(t, f);
	if ((d = u64map_get(&ti->at, f->addr)))
		return d;
	const struct type_function *fn = function_of(t, ti, f);
	int64_t i = index_of(fn, f->addr);
	if (i >= 0)
		d = type_of(t, ti, fn, (size_t)i);
	if (!d)
		d = plain_name(t, "(unknown)");
	u64map_set(&ti->at, f->addr, (void *)d);
	return d;
}

int data_types_possible(void)
{
	if (capstone_there())
		return 0;
	error_set(ENOTSUP, "types of data take libcapstone, which tells the operands of instructions and is not there");
	return error_hint("apt install libcapstone4; the static sonde has no types of data");
}

struct data_types *data_types_new(struct symbols *s)
{
	struct data_types *t = xcalloc(1, sizeof(*t));
	t->syms = s;
	return t;
}

static void image_release(struct type_image *ti)
{
	size_t cursor = 0;
	void *fn;
	while (u64map_next(&ti->function, &cursor, NULL, &fn)) {
		vec_release(&((struct type_function *)fn)->jump);
		free(((struct type_function *)fn)->step);
		free(fn);
	}
	u64map_release(&ti->function);
	u64map_release(&ti->at);
	dwarf_globals_free(ti->globals);
	dwarf_file_close(ti->dwarf);
	if (ti->text)
		elf_end(ti->text);
	if (ti->fd >= 0)
		close(ti->fd);
	free(ti);
}

void data_types_free(struct data_types *t)
{
	size_t cursor = 0;
	void *v;
	if (!t)
		return;
	while (u64map_next(&t->image, &cursor, NULL, &v))
		image_release(v);
	cursor = 0;
	while (strmap_next(&t->made, &cursor, NULL, &v)) {
		free((char *)((struct data_type *)v)->name);
		free((char *)((struct data_type *)v)->text);
		free(v);
	}
	u64map_release(&t->image);
	strmap_release(&t->made);
	free(t);
}
