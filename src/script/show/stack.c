// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/show/stack.h"
#include <bpf/bpf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "script/globals.h"
#include "symbol/symbols.h"

void stack_names_release(struct stack_names *n)
{
	size_t cursor = 0;
	uint64_t id;
	void *stack;
	while (u64map_next(&n->known, &cursor, &id, &stack))
		free(stack);
	u64map_release(&n->known);
	u64map_release(&n->pids);
	if (n->symbols)
		symbols_free(n->symbols);
	n->symbols = NULL;
}

/* All stacks that are there and not known yet. They are never deleted, so that a walk over the map comes to its end. */
static void read_stacks(struct stack_names *n)
{
	struct stack_key key, next;
	const void *from = NULL;
	uint64_t id;
	while (n->map >= 0 && !bpf_map_get_next_key(n->map, from, &next)) {
		if (!bpf_map_lookup_elem(n->map, &next, &id) && !u64map_get(&n->known, (uint32_t)id)) {
			struct stack_key *copy = xmalloc(sizeof(*copy));
			*copy = next;
			u64map_set(&n->known, (uint32_t)id, copy);
		}
		key = next;
		from = &key;
	}
}

static struct symbols *names(struct stack_names *n)
{
	static const struct symbols_options plain;
	if (!n->symbols)
		n->symbols = symbols_new(&plain);
	return n->symbols;
}

static void show_frame(struct str *out, const struct frame *f, bool offset)
{
	if (!f->sym) {
		str_addf(out, "0x%" PRIx64, f->ip);
		return;
	}
	str_add_safez(out, f->sym);
	if (offset)
		str_addf(out, "+%" PRIu64, f->addr - f->sym_addr);
}

void show_ksym(struct str *out, struct stack_names *n, uint64_t address, bool offset)
{
	struct frame f;
	symbols_resolve(names(n), -1, address, SYM_KERNEL, &f);
	show_frame(out, &f, offset);
}

/* Of programs at raw tracepoints: the stack begins in what the kernel called to get there. */
static bool is_tracing(const struct frame *f)
{
	static const char *const begin[] = { "bpf_prog_", "bpf_trace_run", "__bpf_trace_", "bpf_test_run", "__bpf_prog_test_run" };
	for (size_t i = 0; f->sym && i < sizeof(begin) / sizeof(begin[0]); i++)
		if (str_starts(f->sym, begin[i]))
			return true;
	return false;
}

static void resolve(struct stack_names *n, bool user, int pid, uint64_t ip, struct frame *f)
{
	if (user && !u64map_get(&n->pids, (uint64_t)pid)) {
		u64map_set(&n->pids, (uint64_t)pid, n);
		(void)symbols_live(names(n), pid); /* of one that has ended addresses are all there is */
	}
	symbols_resolve(names(n), user ? pid : -1, ip, user ? SYM_USER : SYM_KERNEL, f);
}

void show_stack(struct str *out, struct stack_names *n, const struct script_type *t, uint64_t word, unsigned indent)
{
	bool user = t->kind == TYPE_USTACK, begun = user;
	const struct stack_key *k = u64map_get(&n->known, (uint32_t)word);
	if (!k && (uint32_t)word) {
		read_stacks(n);
		k = u64map_get(&n->known, (uint32_t)word);
	}
	str_addc(out, '\n');
	for (unsigned i = 0; k && i < t->depth && k->frame[i]; i++) {
		struct frame f;
		resolve(n, user, (int)(word >> 32), k->frame[i], &f);
		begun |= !is_tracing(&f);
		if (!begun)
			continue;
		str_pad(out, out->len + indent, ' ');
		if (t->raw)
			str_addf(out, "%" PRIx64, k->frame[i]);
		else
			show_frame(out, &f, true);
		str_addc(out, '\n');
	}
}
