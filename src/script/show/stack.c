// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/stack.h"
#include <bpf/bpf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "script/globals.h"
#include "script/show/follow.h"
#include "symbol/symbols.h"

struct known_frame { const char *sym; uint64_t off; const struct dso *dso; uint64_t file_off, size; }; /* sym NULL: none */
struct known_stack { struct stack_key key; struct known_frame *frames; unsigned n; /* frames: of a user's, resolved; else NULL */ };

static struct symbols *names(struct stack_names *n)
{
	static const struct symbols_options live = { .live = true };
	if (!n->symbols)
		n->symbols = symbols_new(&live);
	return n->symbols;
}

void stack_names_follow(struct stack_names *n)
{
	n->follow = follow_open(names(n));
}

void stack_names_pass(struct stack_names *n, uint64_t time)
{
	if (n->follow)
		follow_until(n->follow, time);
}

void stack_names_release(struct stack_names *n)
{
	size_t cursor = 0;
	uint64_t id;
	void *stack;
	while (u64map_next(&n->known, &cursor, &id, &stack)) {
		free(((struct known_stack *)stack)->frames);
		free(stack);
	}
	u64map_release(&n->known);
	follow_close(n->follow);
	if (n->symbols)
		symbols_free(n->symbols);
	*n = (struct stack_names){ .map = -1 };
}

/* ---- numbers to stacks ---- */

static struct known_stack *keep(struct stack_names *n, uint64_t id, const struct stack_key *key)
{
	struct known_stack *k = u64map_get(&n->known, id);
	if (k)
		return k;
	k = xcalloc(1, sizeof(*k));
	k->key = *key;
	while (k->n < STACK_DEPTH && key->frame[k->n])
		k->n++;
	u64map_set(&n->known, id, k);
	return k;
}

static void process_known(struct stack_names *n, int pid)
{
	if (n->follow)
		follow_know(n->follow, pid);
	else
		(void)symbols_live(names(n), pid); /* of one that has ended addresses are all there is */
}

static void resolve_user(struct stack_names *n, struct known_stack *k)
{
	k->frames = xcalloc(k->n + 1, sizeof(*k->frames));
	process_known(n, (int)k->key.pid);
	for (unsigned i = 0; i < k->n; i++) {
		struct frame f;
		symbols_resolve(names(n), (int)k->key.pid, k->key.frame[i], SYM_USER, &f);
		k->frames[i] = (struct known_frame){ f.sym, f.addr - f.sym_addr, f.dso, f.offset, f.sym_size };
	}
}

void stack_names_take(struct stack_names *n, const void *record, size_t size)
{
	struct stack_record r = { 0 }; /* keys are as long as the script's deepest stack */
	memcpy(&r, record, size < sizeof(r) ? size : sizeof(r));
	struct known_stack *k = keep(n, r.id, &r.key);
	stack_names_pass(n, r.time);
	if (k->key.pid && !k->frames)
		resolve_user(n, k);
}

/* All stacks that are there and not known yet: their records were lost. They are never deleted, so that a walk over the map
 * comes to its end. */
static void read_stacks(struct stack_names *n)
{
	struct stack_key key = { 0 }, next = { 0 };
	const void *from = NULL;
	uint64_t id;
	while (n->map >= 0 && !bpf_map_get_next_key(n->map, from, &next)) {
		if (!bpf_map_lookup_elem(n->map, &next, &id) && id)
			keep(n, id, &next);
		key = next;
		from = &key;
	}
}

static struct known_stack *stack_of(struct stack_names *n, uint64_t word)
{
	struct known_stack *k = u64map_get(&n->known, word);
	if (!k && word) {
		read_stacks(n);
		k = u64map_get(&n->known, word);
	}
	if (k && k->key.pid && !k->frames)
		resolve_user(n, k);
	return k;
}

/* ---- text ---- */

static void show_frame(struct str *out, const struct known_frame *f, uint64_t ip, bool offset)
{
	if (!f->sym) {
		str_addf(out, ip ? "0x%" PRIx64 : "%" PRIx64, ip);
		return;
	}
	str_add_safez(out, f->sym);
	if (offset)
		str_addf(out, "+%" PRIu64, f->off);
}

static struct known_frame kernel_frame(struct stack_names *n, uint64_t ip)
{
	struct frame f;
	symbols_resolve(names(n), -1, ip, SYM_KERNEL, &f);
	return (struct known_frame){ f.sym, f.addr - f.sym_addr, f.dso, f.offset, f.sym_size };
}

void show_ksym(struct str *out, struct stack_names *n, uint64_t address, bool offset)
{
	struct known_frame f = kernel_frame(n, address);
	show_frame(out, &f, address, offset);
}

bool show_address(struct str *out, struct stack_names *n, int pid, uint64_t address, enum address_form form)
{
	struct frame f;
	if (pid >= 0)
		process_known(n, pid);
	symbols_resolve(names(n), pid, address, pid >= 0 ? SYM_USER : SYM_KERNEL, &f);
	if (form == ADDRESS_MODULE && f.dso)
		str_add_safez(out, f.dso->path);
	else if (form == ADDRESS_LINE && symbols_source(names(n), &f)) {
		str_add_safez(out, f.file);
		str_addf(out, ":%d", f.line);
	} else if (form <= ADDRESS_DATA && f.sym) {
		str_add_safez(out, f.sym);
		if (form == ADDRESS_DATA) {
			str_addf(out, "+0x%" PRIx64 "/0x%" PRIx64, f.addr - f.sym_addr, f.sym_size);
			str_add(out, f.dso ? " [" : "");
			str_add_safez(out, f.dso ? f.dso->path : "");
			str_add(out, f.dso ? "]" : "");
		}
	} else {
		return false;
	}
	return true;
}

void show_usym(struct str *out, struct stack_names *n, uint64_t word)
{
	const struct known_stack *k = stack_of(n, word);
	if (k && k->n)
		show_frame(out, &k->frames[0], k->key.frame[0], false);
	else
		str_add(out, k ? "0" : "?");
}

/* Of programs at raw tracepoints: the stack begins in what the kernel called to get there. */
static bool is_tracing(const struct known_frame *f)
{
	static const char *const begin[] = { "bpf_prog_", "bpf_trace_run", "__bpf_trace_", "bpf_test_run", "__bpf_prog_test_run" };
	for (size_t i = 0; f->sym && i < sizeof(begin) / sizeof(begin[0]); i++)
		if (str_starts(f->sym, begin[i]))
			return true;
	return false;
}

static void show_build_id(struct str *out, const struct known_frame *f, uint64_t ip)
{
	if (!f->dso || !f->dso->build_id.n) {
		str_addf(out, "%" PRIx64, ip);
		return;
	}
	for (unsigned i = 0; i < sizeof(f->dso->build_id.id); i++)
		str_addf(out, "%02x", i < f->dso->build_id.n ? f->dso->build_id.id[i] : 0);
	str_addf(out, " 0x%02" PRIx64, f->file_off);
}

static void show_stap(struct str *out, const struct script_type *t, const struct known_frame *f, uint64_t ip)
{
	str_addf(out, " 0x%" PRIx64 " : ", ip);
	show_frame(out, f, ip, false);
	if (f->sym)
		str_addf(out, "+0x%" PRIx64 "/0x%" PRIx64, f->off, f->size);
	if (!f->sym || !f->dso)
		return;
	bool module = t->kind == TYPE_KSTACK && f->dso->path[0] == '[' && !str_starts(f->dso->path, "[kernel");
	str_add(out, t->kind == TYPE_KSTACK && !module ? " [kernel]" : module ? " " : " [");
	if (t->kind != TYPE_KSTACK || module)
		str_add_safez(out, f->dso->path);
	str_add(out, t->kind == TYPE_KSTACK ? "" : "]");
}

static void show_line(struct str *out, const struct script_type *t, const struct known_frame *f, uint64_t ip, unsigned indent)
{
	switch (t->mode) {
	case STACK_PLAIN:
		str_pad(out, out->len + indent, ' ');
		show_frame(out, f, ip, true);
		break;
	case STACK_RAW:
		str_pad(out, out->len + indent, ' ');
		str_addf(out, "%" PRIx64, ip);
		break;
	case STACK_PERF:
		str_addf(out, "\t%" PRIx64 " ", ip);
		show_frame(out, f, ip, true);
		if (t->kind == TYPE_USTACK) {
			str_add(out, " (");
			str_add_safez(out, f->dso ? f->dso->path : "[unknown]");
			str_addc(out, ')');
		}
		break;
	case STACK_BUILD_ID: show_build_id(out, f, ip); break;
	case STACK_STAP: show_stap(out, t, f, ip); break;
	case STACK_FOLDED: break; /* is no lines */
	}
	str_addc(out, '\n');
}

static struct known_frame frame_of(struct stack_names *n, const struct known_stack *k, unsigned i)
{
	return k->key.pid && k->frames ? k->frames[i] : kernel_frame(n, k->key.frame[i]);
}

/* In one line, who called first: what flame graphs are made of. */
static void show_folded(struct str *out, struct stack_names *n, const struct known_stack *k, unsigned most)
{
	unsigned first = 0, end = k->n < most ? k->n : most;
	for (; !k->key.pid && first < end; first++) {
		struct known_frame f = frame_of(n, k, first);
		if (!is_tracing(&f))
			break;
	}
	for (unsigned i = end; i-- > first;) {
		struct known_frame f = frame_of(n, k, i);
		show_frame(out, &f, k->key.frame[i], false);
		str_add(out, i > first ? ";" : "");
	}
}

void show_stack(struct str *out, struct stack_names *n, const struct script_type *t, uint64_t word, unsigned indent)
{
	bool user = t->kind == TYPE_USTACK, begun = user;
	const struct known_stack *k = stack_of(n, word);
	if (t->mode == STACK_FOLDED) {
		if (k)
			show_folded(out, n, k, t->depth);
		return;
	}
	str_addc(out, '\n');
	for (unsigned i = 0; k && i < t->depth && i < k->n; i++) {
		struct known_frame f = frame_of(n, k, i);
		begun |= !is_tracing(&f);
		if (begun)
			show_line(out, t, &f, k->key.frame[i], indent);
	}
}
