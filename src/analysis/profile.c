// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/profile.h"
#include <errno.h>
#include <stdlib.h>
#include "analysis/memory.h"
#include "analysis/recorded.h"
#include "base/error.h"
#include "perfdata/body.h"
#include "session/callchain.h"
#include "symbol/dwarf/datatype.h"

enum { TAILS_MAX = 1 << 18 };
struct expansion { uint32_t first, n; };

/* What addresses of one process mean. */
struct space {
	struct idmap chain, leaf; /* ip to expansion; ip to place */
	uint32_t generation;
};

struct profile *profile_new(struct perfdata *data, struct symbols *syms, const struct layout *l,
			    const struct profile_options *o)
{
	struct profile *p = xcalloc(1, sizeof(*p));
	p->data = data;
	p->syms = syms;
	p->session = session_new(syms);
	p->o = *o;
	places_init(&p->places, syms);
	p->places.by_line = layout_has(l, KEY_SRCLINE) || layout_has(l, KEY_SRCFILE) ||
			    layout_has(l, KEY_SRCLINE_FROM) || layout_has(l, KEY_SRCLINE_TO);
	stacks_init(&p->stacks);
	fold_init(&p->fold, &p->places, &p->stacks, l);
	p->fold.children = o->children;
	p->fold.caller = o->caller;
	p->fold.chains = o->chains;
	p->kernel = xcalloc(1, sizeof(*p->kernel));
	vec_push(&p->expansion);
	str_init(&p->text);
	return p;
}

static void space_free(struct space *s)
{
	if (!s)
		return;
	idmap_release(&s->chain);
	idmap_release(&s->leaf);
	free(s);
}

static void spaces_free(struct profile *p)
{
	size_t cursor = 0;
	void *v;
	while (u64map_next(&p->spaces, &cursor, NULL, &v))
		space_free(v);
	u64map_release(&p->spaces);
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	spaces_free(p);
	space_free(p->kernel);
	vec_each(&p->hist, h)
		hist_free(*h);
	vec_release(&p->hist);
	vec_each(&p->blocks, b)
		blocks_release(b);
	vec_release(&p->blocks);
	vec_each(&p->format, f)
		tp_format_free(*f);
	vec_release(&p->format);
	vec_release(&p->expansion);
	vec_release(&p->expanded);
	vec_release(&p->alone);
	vec_release(&p->leaf);
	vec_release(&p->end);
	idmap_release(&p->tails);
	idmap_release(&p->files);
	fold_release(&p->fold);
	stacks_release(&p->stacks);
	places_release(&p->places);
	data_types_free(p->types);
	session_free(p->session);
	thread_counts_release(&p->threads);
	str_release(&p->text);
	free(p);
}

struct hist *profile_hist(struct profile *p, int event)
{
	while (p->hist.n <= (size_t)event)
		*vec_push(&p->hist) = NULL;
	if (!p->hist.at[event])
		p->hist.at[event] = hist_new(&p->fold);
	return p->hist.at[event];
}

struct blocks *profile_blocks(struct profile *p, int event)
{
	while (p->blocks.n <= (size_t)event)
		vec_push(&p->blocks);
	return &p->blocks.at[event];
}

struct tp_format *profile_format(struct profile *p, int event)
{
	while (p->format.n <= (size_t)event)
		*vec_push(&p->format) = NULL;
	const struct perfdata_event *e = perfdata_event_at(p->data, event);
	if (!p->format.at[event] && e && e->tep)
		p->format.at[event] = tp_format_new(perfdata_tep(p->data), e->tep, p->syms);
	return p->format.at[event];
}

/* ---- addresses ---- */

static struct space *space_of(struct profile *p, int pid)
{
	struct space *s = u64map_get(&p->spaces, (uint32_t)pid);
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		s->generation = ++p->generations;
		u64map_set(&p->spaces, (uint32_t)pid, s);
	}
	return s;
}

static void space_forget(struct profile *p, struct space *s)
{
	idmap_clear(&s->chain);
	idmap_clear(&s->leaf);
	s->generation = ++p->generations;
}

/* The process is gone; should something of it come late, it gets another. */
static void space_drop(struct profile *p, uint32_t pid)
{
	space_free(u64map_del(&p->spaces, pid));
}

static bool ends_process(const struct perfdata_record *r)
{
	struct body b = body_of(r);
	return u32_at(&b, 0) == u32_at(&b, 8);
}

/* Records after which addresses may mean something else. */
static void forget_addresses(struct profile *p, const struct perfdata_record *r)
{
	const uint32_t *pid = (const void *)(r->header + 1);
	switch (r->header->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_COMM:
		if (r->header->size < sizeof(*r->header) + 8)
			return;
		if (*pid == UINT32_MAX)
			space_forget(p, p->kernel);
		else if (r->header->type == PERF_RECORD_EXIT && ends_process(r))
			space_drop(p, *pid);
		else if (u64map_get(&p->spaces, *pid))
			space_forget(p, u64map_get(&p->spaces, *pid));
		return;
	case PERF_RECORD_KSYMBOL:
		space_forget(p, p->kernel);
	}
}

static char frame_level(const struct frame *f, int mode)
{
	return mode == SYM_KERNEL || (f->dso && f->dso->kernel) ? 'k' : mode == SYM_GUEST ? 'g' : '.';
}

/* Addresses are resolved again after each map of their process; what they stand for stays the same. */
static uint32_t expansion_of_one(struct profile *p, uint32_t place)
{
	while (p->alone.n <= place)
		*vec_push(&p->alone) = 0;
	if (!p->alone.at[place]) {
		*vec_push(&p->expansion) = (struct expansion){ p->expanded.n, 1 };
		*vec_push(&p->expanded) = place;
		p->alone.at[place] = p->expansion.n - 1;
	}
	return p->alone.at[place];
}

static uint32_t place_in_chain(struct profile *p, const struct frame *f, uint64_t ip, char level)
{
	uint32_t id = places_get(&p->places, f, ip, level);
	struct place *at = &p->places.at.at[id];
	if (!at->called_at)
		at->called_at = ip;
	return id;
}

static uint32_t expand(struct profile *p, int pid, const struct chain_ip *c)
{
	enum { MAX = 64 };
	struct frame f, in[MAX];
	int n = 0;
	symbols_resolve(p->syms, pid, c->ip, c->mode, &f);
	char level = frame_level(&f, c->mode);
	uint64_t addr = c->ip;
	if (p->places.locations) {
		f.addr -= c->caller && !c->unwound && f.addr > f.sym_addr;
		addr = f.dso ? f.addr : c->ip;
	}
	if (chain_inlines(c, p->o.inlines) && f.dso && f.sym && !f.dso->kernel)
		n = symbols_inline(p->syms, &f, in, MAX);
	if (!n && p->places.locations && f.dso && !f.dso->kernel)
		symbols_source(p->syms, &f);
	if (!n)
		return expansion_of_one(p, place_in_chain(p, &f, addr, level));
	*vec_push(&p->expansion) = (struct expansion){ p->expanded.n, n };
	uint32_t id = p->expansion.n - 1;
	for (int i = 0; i < n; i++) {
		uint32_t place = place_in_chain(p, &in[i], addr, level);
		*vec_push(&p->expanded) = place;
	}
	return id;
}

static uint32_t expansion_of(struct profile *p, struct space *user, int pid, const struct chain_ip *c)
{
	struct space *s = c->mode == SYM_KERNEL ? p->kernel : user;
	uint64_t key = c->unwound ? ~c->ip : c->ip; /* the two may differ in what is inlined */
	key ^= (uint64_t)c->caller << 62; /* no address has that bit unlike its highest one */
	uint32_t id = idmap_get(&s->chain, key);
	if (id)
		return id;
	id = expand(p, pid, c);
	*idmap_at(&s->chain, key) = id;
	return id;
}

static uint32_t leaf_of(struct profile *p, struct space *user, const struct perfdata_record *r)
{
	int mode = sample_mode(r->misc);
	struct space *s = mode == SYM_KERNEL ? p->kernel : user;
	uint32_t id = idmap_get(&s->leaf, r->ip);
	if (id)
		return id;
	struct frame f;
	symbols_resolve(p->syms, r->pid, r->ip, mode, &f);
	id = places_get(&p->places, &f, f.dso ? f.offset : r->ip, sample_level(r->misc));
	*idmap_at(&s->leaf, r->ip) = id;
	return id;
}

/* As -v shows it. */
static uint64_t leaf_address(struct profile *p, const struct perfdata_record *r)
{
	struct frame f;
	symbols_resolve(p->syms, r->pid, r->ip, sample_mode(r->misc), &f);
	return f.dso ? f.offset : r->ip;
}

/* ---- stacks ---- */

static uint32_t push_frames(struct profile *p, uint32_t stack, uint32_t expansion)
{
	struct expansion e = p->expansion.at[expansion];
	for (uint32_t i = e.n; i-- > 0;) {
		uint32_t place = p->expanded.at[e.first + i];
		if (p->o.hide_unresolved && !place_at(&p->places, place)->sym)
			continue;
		stack = stacks_push(&p->stacks, stack, place);
	}
	return stack;
}

/* perf keeps max_stack addresses, counted from the end it shows first. */
static struct chain_limit limit_of(const struct profile *p)
{
	return (struct chain_limit){ p->o.max_stack, p->o.caller };
}

/* leaf: the first of them is where the sample was taken, and no address to return to. */
static uint32_t stack_of_ips(struct profile *p, struct space *user, int pid, struct chain_ip *c, int n, bool leaf)
{
	uint32_t stack = 0;
	for (int i = n; i-- > 0;) {
		c[i].caller = p->places.locations && !(leaf && !i);
		stack = push_frames(p, stack, expansion_of(p, user, pid, &c[i]));
	}
	return stack;
}

/* --ignore-callees: the innermost frames up to the outermost function that matches are left out, and that function is
 * where the sample was taken. */
static uint32_t ignore_callees(struct profile *p, uint32_t stack, uint32_t *leaf)
{
	uint32_t keep = stack;
	for (uint32_t at = stack; at; at = p->stacks.at.at[at].parent) {
		const char *sym = place_at(&p->places, p->stacks.at.at[at].place)->sym;
		if (sym && !regexec(p->o.ignore_callees, sym, 0, NULL, 0))
			keep = at;
	}
	if (keep && keep != stack)
		*leaf = p->stacks.at.at[keep].place;
	return keep;
}

/* Frame-pointer chains: the callers of the innermost frame are looked up as a whole. */
static uint32_t stack_by_tail(struct profile *p, struct space *user, const struct perfdata_record *r)
{
	size_t first = 0, n = r->n_chain;
	uint64_t marker = 0;
	struct chain_ip ips[CALLCHAIN_MAX];
	bool truncated;
	if (r->chain[0] >= (uint64_t)PERF_CONTEXT_MAX) {
		marker = r->chain[0];
		first = 1;
	}
	if (first >= n || r->chain[first] >= (uint64_t)PERF_CONTEXT_MAX || n > (size_t)p->o.max_stack)
		return UINT32_MAX;
	uint64_t key = hash_bytes(r->chain + first + 1, (n - first - 1) * 8,
				  idmap_mix((uint64_t)(uint32_t)r->pid << 32 | user->generation, marker ^ p->kernel->generation));
	if (p->tails.n > TAILS_MAX) /* most are of processes that are gone */
		idmap_clear(&p->tails);
	uint32_t *tail = idmap_at(&p->tails, key ? key : 1);
	if (!*tail) {
		int k = callchain_ips(p->syms, r, limit_of(p), ips, &truncated);
		*tail = k > 1 ? stack_of_ips(p, user, r->pid, ips + 1, k - 1, false) + 1 : 1;
		if (k < 1) {
			*tail = UINT32_MAX;
			return 0;
		}
	}
	if (*tail == UINT32_MAX)
		return 0;
	uint32_t stack = *tail - 1;
	struct chain_ip leaf = { r->chain[first], marker == (uint64_t)PERF_CONTEXT_KERNEL || marker == (uint64_t)PERF_CONTEXT_HV ? SYM_KERNEL :
				 !marker || marker == (uint64_t)PERF_CONTEXT_USER ? SYM_USER : SYM_GUEST, false, false };
	return push_frames(p, stack, expansion_of(p, user, r->pid, &leaf));
}

static uint32_t stack_of(struct profile *p, struct space *user, const struct perfdata_record *r)
{
	struct chain_ip ips[CALLCHAIN_MAX];
	bool truncated, unwinds = r->regs && r->stack && r->stack_size;
	if (!r->n_chain && !unwinds)
		return 0;
	uint32_t stack = unwinds ? UINT32_MAX : stack_by_tail(p, user, r);
	if (stack != UINT32_MAX)
		return stack;
	int n = callchain_ips(p->syms, r, limit_of(p), ips, &truncated);
	p->truncated_stacks += truncated;
	return stack_of_ips(p, user, r->pid, ips, n, true);
}

/* The latest branches are the innermost frames. */
static uint32_t stack_of_history(struct profile *p, struct space *user, const struct perfdata_record *r)
{
	struct chain_ip ip[HISTORY_MAX];
	struct branch_end end[HISTORY_MAX];
	uint32_t stack = 0;
	vec_clear(&p->end);
	for (int i = history_ips(r, p->o.max_stack, ip, end); i-- > 0;) {
		uint32_t below = stack;
		stack = push_frames(p, stack, expansion_of(p, user, r->pid, &ip[i]));
		if (stack != below)
			*vec_push(&p->end) = end[i];
	}
	return stack;
}

/* ---- keys of a sample ---- */

static const char *parent_of(struct profile *p, uint32_t stack)
{
	const char *found = NULL;
	for (; stack; stack = p->stacks.at.at[stack].parent) {
		const char *sym = place_at(&p->places, p->stacks.at.at[stack].place)->sym;
		if (!sym || regexec(p->o.parent, sym, 0, NULL, 0))
			continue;
		found = sym;
		if (!p->o.caller)
			break;
	}
	return found ? places_intern(&p->places, found, strlen(found)) : NULL;
}

static struct hist_value text_value(struct profile *p, const char *z, size_t n)
{
	const char *text = places_intern(&p->places, z, n);
	return (struct hist_value){ (uintptr_t)text, text, false, 0 };
}

static struct hist_value trace_value(struct profile *p, const struct perfdata_record *r)
{
	struct tp_format *f = profile_format(p, r->event_index);
	if (!f || !r->raw)
		return (struct hist_value){ 0 };
	str_clear(&p->text);
	if (p->o.raw_trace)
		tp_format_raw(f, &p->text, r->raw, r->raw_size);
	else
		tp_format_print(f, &p->text, r->raw, r->raw_size, r->cpu);
	return text_value(p, p->text.buf, p->text.len);
}

/* "name=value" of the printed text, up to the blank; NULL: the text does not have it. */
static const char *printed_field(const char *text, const char *name, size_t *n)
{
	size_t len = strlen(name);
	for (const char *s = text; s;) {
		const char *end = strchrnul(s, ' ');
		if (!strncmp(s, name, len) && (s[len] == '=' || s[len] == ':')) {
			*n = end - s - len - 1;
			return s + len + 1;
		}
		s = *end ? end + 1 : NULL;
	}
	return NULL;
}

static void add_array(struct str *out, const uint8_t *b, size_t n)
{
	str_add(out, "ARRAY[");
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%02x", i ? ", " : "", b[i]);
	str_addc(out, ']');
}

static struct hist_value field_value(struct profile *p, const struct perfdata_record *r, const struct column *c)
{
	struct tp_format *f = profile_format(p, r->event_index);
	const struct tp_field *fd = f ? tp_format_field(f, c->field) : NULL;
	size_t n;
	if (!fd || !r->raw || (c->event && !recorded_is_event(p->data, r->event_index, c->event)))
		return (struct hist_value){ 0 };
	str_clear(&p->text);
	if (!p->o.raw_trace)
		tp_format_print(f, &p->text, r->raw, r->raw_size, r->cpu);
	const char *z = printed_field(p->text.buf, c->field, &n);
	uint64_t v = fd->kind == TP_NUMBER ? tp_field_number(fd, r->raw, r->raw_size) : 0;
	if (z && fd->kind == TP_NUMBER)
		return (struct hist_value){ v, places_intern(&p->places, z, n), true, 0 };
	if (z)
		return text_value(p, z, n);
	str_clear(&p->text);
	if (fd->kind == TP_NUMBER)
		str_addf(&p->text, fd->is_signed ? "%lld" : "%llu", (long long)v);
	else if ((z = tp_field_bytes(fd, r->raw, r->raw_size, &n)) && fd->kind == TP_STRING)
		str_add_safe(&p->text, z, n);
	else
		add_array(&p->text, (const uint8_t *)z, n);
	struct hist_value out = text_value(p, p->text.buf, p->text.len);
	if (fd->kind == TP_NUMBER) {
		out.v = v;
		out.number = true;
	}
	return out;
}

/* What the sampled instruction does to memory. */
static struct hist_value type_value(struct profile *p, const struct perfdata_record *r, enum sort_key key)
{
	enum { LINE = 64 };
	struct frame f;
	if (!p->types)
		p->types = data_types_new(p->syms);
	symbols_resolve(p->syms, r->pid, r->ip, sample_mode(r->misc), &f);
	const struct data_type *d = data_type_at(p->types, &f);
	if (key == KEY_TYPE)
		return text_value(p, d->name, strlen(d->name));
	if (key == KEY_TYPEOFF)
		return (struct hist_value){ (uintptr_t)d, d->text, false, 0 };
	str_clear(&p->text);
	str_addf(&p->text, "%s: cache-line %lld", d->name, (long long)(d->offset / LINE));
	return text_value(p, p->text.buf, p->text.len);
}

static struct hist_value sample_value(struct profile *p, const struct perfdata_record *r, const struct thread *t,
				      const struct column *c, uint32_t stack)
{
	const char *z;
	char size[24];
	switch (c->row->key) {
	case KEY_COMM:
		return (struct hist_value){ (uintptr_t)t->comm, t->comm, false, 0 };
	case KEY_PID:
	case KEY_TID:
		return (struct hist_value){ (uint32_t)r->tid, t->comm, false, 0 };
	case KEY_CPU:
		return (struct hist_value){ (uint64_t)(int64_t)r->cpu, NULL, false, 0 };
	case KEY_SOCKET:
		return (struct hist_value){ (uint64_t)(int64_t)recorded_socket(p->data, r->cpu), NULL, false, 0 };
	case KEY_CGROUP_ID:
		str_clear(&p->text);
		str_addf(&p->text, "%llu/0x%llx", (unsigned long long)t->cgroup_dev, (unsigned long long)t->cgroup_ino);
		return text_value(p, p->text.buf, p->text.len);
	case KEY_CODE_PAGE_SIZE:
		z = recorded_page_size(r->code_page_size, size, sizeof(size));
		return (struct hist_value){ r->code_page_size, places_intern(&p->places, z, strlen(z)), false, 0 };
	case KEY_TIME:
		return (struct hist_value){ p->o.time_quantum ? r->time / p->o.time_quantum * p->o.time_quantum : r->time, NULL, false, 0 };
	case KEY_CGROUP:
		z = r->cgroup ? session_cgroup(p->session, r->cgroup) : "N/A";
		return (struct hist_value){ r->cgroup, z ? places_intern(&p->places, z, strlen(z)) : "unknown", false, 0 };
	case KEY_PARENT:
		z = p->o.parent ? parent_of(p, stack) : NULL;
		return (struct hist_value){ (uintptr_t)z, z, false, 0 };
	case KEY_TRACE:
		return trace_value(p, r);
	case KEY_FIELD:
		return field_value(p, r, c);
	case KEY_TYPE:
	case KEY_TYPEOFF:
	case KEY_TYPECLN:
		return type_value(p, r, c->row->key);
	case KEY_WEIGHT:
	case KEY_LOCAL_WEIGHT:
		return (struct hist_value){ sample_weights(r).cost, NULL, false, 0 };
	case KEY_INS_LAT:
	case KEY_LOCAL_INS_LAT:
		return (struct hist_value){ sample_weights(r).latency, NULL, false, 0 };
	case KEY_RETIRE_LAT:
	case KEY_LOCAL_RETIRE_LAT:
		return (struct hist_value){ sample_weights(r).retire, NULL, false, 0 };
	case KEY_ADDR:
		return (struct hist_value){ r->ip, NULL, false, 0 };
	default:
		return (struct hist_value){ 0 };
	}
}

/* ---- accesses to memory ---- */

enum { CACHE_LINE = 64, HEX_WIDTH = 16 };

static struct hist_value text_of(struct profile *p, uint64_t v, int width)
{
	return (struct hist_value){ v, places_intern(&p->places, p->text.buf, p->text.len), false, width };
}

static void find_data(struct profile *p, const struct perfdata_record *r, uint64_t addr, struct frame *f)
{
	int mode = sample_mode(r->misc);
	if (mode != SYM_GUEST)
		mode = (int64_t)addr < 0 ? SYM_KERNEL : SYM_USER;
	symbols_resolve(p->syms, r->pid, addr, mode, f);
}

/* "[.] variable+0x10", as far as it is known. of: the address that is shown, in the file's own terms. */
static struct hist_value address_value(struct profile *p, const struct perfdata_record *r, uint64_t addr, uint64_t v, bool code)
{
	struct frame f;
	int64_t off;
	find_data(p, r, addr, &f);
	str_clear(&p->text);
	if (p->fold.full_dso)
		str_addf(&p->text, "%-#18llx %c ", (unsigned long long)v, f.dso && f.sym ? 'd' : '!');
	str_addf(&p->text, "[%c] ", addr != v && !f.dso ? 'X' : sample_level(r->misc));
	if (f.sym) {
		str_add_safez(&p->text, f.sym);
		off = f.addr - f.sym_addr - (addr - v);
		if (!code)
			str_addf(&p->text, "%c0x%llx", off < 0 ? '-' : '+', (unsigned long long)(off < 0 ? -off : off));
	} else {
		str_addf(&p->text, "%-#.16llx", (unsigned long long)v);
	}
	return text_of(p, v, 4 + HEX_WIDTH + 2 + (f.sym ? strlen(f.sym) : 0));
}

static struct hist_value word_value(struct profile *p, uint64_t v, void (*add)(struct str *, uint64_t), uint64_t data_src)
{
	str_clear(&p->text);
	add(&p->text, data_src);
	return text_of(p, v << 32 | (uint32_t)hash_bytes(p->text.buf, p->text.len, 0), 0);
}

/* Accesses are told apart by their words, in the order of perf's bits. (perf knows the bits alone, and shows the words of one for all.) */
static struct hist_value memory_value(struct profile *p, const struct perfdata_record *r, enum sort_key k)
{
	union perf_mem_data_src d = { .val = r->data_src };
	struct frame f;
	char size[24];
	switch (k) {
	case KEY_SYM_DADDR:
		return address_value(p, r, r->addr, r->addr, false);
	case KEY_SYM_IADDR:
		return address_value(p, r, r->ip, r->ip, true);
	case KEY_DCACHELINE:
		return address_value(p, r, r->addr, r->addr & -(uint64_t)CACHE_LINE, false);
	case KEY_DSO_DADDR:
		find_data(p, r, r->addr, &f);
		return (struct hist_value){ (uintptr_t)f.dso, !f.dso ? NULL : p->fold.full_dso ? f.dso->path : f.dso->name, false, 0 };
	case KEY_LOCKED:
		return word_value(p, d.mem_lock, memory_lock_add, d.val);
	case KEY_TLB:
		return word_value(p, d.mem_dtlb, memory_tlb_add, d.val);
	case KEY_MEM:
		return word_value(p, d.mem_lvl, memory_level_add, d.val);
	case KEY_SNOOP:
		return word_value(p, d.mem_snoop, memory_snoop_add, d.val);
	case KEY_BLOCKED:
		return word_value(p, d.mem_blk, memory_blocked_add, d.val);
	case KEY_PHYS_DADDR:
		str_clear(&p->text);
		str_addf(&p->text, "[%c] %-#.16llx", sample_level(r->misc), (unsigned long long)r->phys_addr);
		return text_of(p, r->phys_addr, 0);
	default:
		str_clear(&p->text);
		str_add(&p->text, recorded_page_size(r->data_page_size, size, sizeof(size)));
		return text_of(p, r->data_page_size, 0);
	}
}

static bool is_filtered(struct profile *p, const struct thread *t, const struct place *at)
{
	if (!filter_thread(p->o.filter, t))
		return true;
	if (p->o.dsos && !(at->dso && (wordlist_has(p->o.dsos, at->dso->name) || wordlist_has(p->o.dsos, at->dso->path))))
		return true;
	return p->o.symbols && !wordlist_has(p->o.symbols, at->sym);
}

/* ---- branches ---- */

/* An end that lies nowhere is marked as perf does, which has then tried every mode in vain. */
static uint32_t branch_place(struct profile *p, struct space *user, int pid, uint64_t ip)
{
	struct chain_ip c = { ip, (int64_t)ip < 0 ? SYM_KERNEL : SYM_USER, false, false };
	uint32_t id = expansion_of(p, user, pid, &c); /* may move the array */
	struct expansion e = p->expansion.at[id];
	uint32_t place = p->expanded.at[e.first + e.n - 1];
	if (!place_at(&p->places, place)->dso)
		p->places.at.at[place].level = 'H';
	return place;
}

/* One place stands for all of a file. */
static uint32_t place_of_file(struct profile *p, uint32_t place)
{
	const struct dso *d = place_at(&p->places, place)->dso;
	uint32_t *first = idmap_at(&p->files, d ? (uintptr_t)d : 1);
	if (!*first)
		*first = place + 1;
	return *first - 1;
}

static uint64_t branch_value(struct profile *p, enum sort_key k, const struct perf_branch_entry *b, uint32_t from, uint32_t to)
{
	switch (k) {
	case KEY_DSO_FROM:
		return place_of_file(p, from);
	case KEY_SYM_FROM:
	case KEY_SRCLINE_FROM:
		return from;
	case KEY_DSO_TO:
		return place_of_file(p, to);
	case KEY_SYM_TO:
	case KEY_SRCLINE_TO:
		return to;
	case KEY_MISPREDICT:
		return b->mispred * 2 + b->predicted;
	case KEY_IN_TX:
		return b->in_tx;
	case KEY_ABORT:
		return b->abort;
	case KEY_CYCLES:
		return b->cycles;
	default:
		return 0;
	}
}

static void add_branches(struct profile *p, const struct perfdata_record *r, struct hist_sample *s,
			 struct space *user, struct hist_value *v)
{
	for (uint64_t i = 0; i < r->n_branch; i++) {
		const struct perf_branch_entry *b = &r->branch[i];
		uint32_t from = branch_place(p, user, r->pid, b->from), to = branch_place(p, user, r->pid, b->to);
		vec_each(&p->fold.layout->col, c) {
			if (c->kind != COLUMN_KEY || c->row->of != KEY_OF_BRANCH)
				continue;
			v[c->slot].v = branch_value(p, c->row->key, b, from, to);
		}
		s->context = fold_context(&p->fold, v);
		s->place = to;
		s->period = 1;
		s->stack = 0;
		hist_add(profile_hist(p, r->event_index), s);
	}
}

/* ---- records ---- */

/* Not to be folded. */
static int hand_on(struct profile *p, struct space *user, const struct perfdata_record *r, const struct thread *t)
{
	uint32_t place = leaf_of(p, user, r), stack = 0;
	if (is_filtered(p, t, place_at(&p->places, place)))
		return 0;
	if (p->o.chains)
		stack = stack_of(p, user, r);
	if (!stack) {
		struct chain_ip at = { r->ip, sample_mode(r->misc), false, false };
		stack = push_frames(p, 0, expansion_of(p, user, r->pid, &at));
	}
	return p->o.sink->sample(p->o.sink->ctx, r, t, stack);
}

static int add_sample(struct profile *p, const struct perfdata_record *r)
{
	struct hist_value v[64] = { { 0 } };
	const struct layout *l = p->fold.layout;
	struct thread *t = session_thread(p->session, r->pid, r->tid);
	struct space *user = space_of(p, r->pid);
	if (session_time(p->session, r))
		space_forget(p, user);
	struct hist_sample s = { .period = r->period, .level = sample_level(r->misc), .thread = t,
				 .pid = r->pid, .tid = r->tid, .comm = t->comm, .time = r->time };
	if (!filter_time(p->o.filter, r->time) || !filter_event(p->o.filter, r->event_index) || !filter_cpu(p->o.filter, r->cpu))
		return 0;
	if (p->o.sink)
		return hand_on(p, user, r, t);
	if (p->o.memory) /* what it cost */
		s.period = sample_weights(r).cost ? sample_weights(r).cost : 1;
	s.place = leaf_of(p, user, r);
	if (p->fold.full_dso)
		s.addr = leaf_address(p, r);
	while (p->leaf.n <= s.place)
		*vec_push(&p->leaf) = 0;
	p->leaf.at[s.place]++;
	if (p->o.hide_unresolved && !place_at(&p->places, s.place)->sym)
		return 0;
	if (p->o.chains || p->o.children || p->o.parent || p->o.ignore_callees)
		s.stack = p->o.history ? stack_of_history(p, user, r) : stack_of(p, user, r);
	s.filtered = is_filtered(p, t, place_at(&p->places, s.place)) ||
		     (p->o.socket && recorded_socket(p->data, r->cpu) != *p->o.socket);
	if (p->o.ignore_callees)
		s.stack = ignore_callees(p, s.stack, &s.place);
	vec_each(&l->col, c) {
		if (c->slot < 0 || c->slot >= 64 || c->row->of == KEY_OF_BRANCH)
			continue;
		v[c->slot] = c->row->of == KEY_OF_MEMORY ? memory_value(p, r, c->row->key) : sample_value(p, r, t, c, s.stack);
	}
	s.filtered |= p->o.exclude_other && !parent_of(p, s.stack);
	if (p->o.cycles)
		blocks_feed(profile_blocks(p, r->event_index), p->syms, r);
	if (p->o.branch) {
		add_branches(p, r, &s, user, v);
		return 0;
	}
	if (!p->o.chains && !p->o.children)
		s.stack = 0;
	s.context = fold_context(&p->fold, v);
	if (p->o.history && s.stack && stack_depth(&p->stacks, s.stack) == p->end.n)
		s.end = p->end.at;
	hist_add(profile_hist(p, r->event_index), &s);
	return 0;
}

int profile_feed(struct profile *p, const struct perfdata_record *r)
{
	if (r->header->type == PERF_RECORD_SAMPLE)
		return r->event && r->event_index >= 0 ? add_sample(p, r) : 0;
	forget_addresses(p, r);
	thread_counts_feed(&p->threads, r);
	session_feed(p->session, r);
	if (p->o.sink)
		p->o.sink->record(p->o.sink->ctx, r);
	return 0;
}

int profile_read(struct profile *p)
{
	struct perfdata_record r;
	int err, fed = 0;
	while (!fed && (err = perfdata_next(p->data, &r)) > 0)
		fed = profile_feed(p, &r);
	return fed ? fed : err;
}

int profile_read_while(struct profile *p, bool (*go_on)(void *ctx, double done), void *ctx)
{
	enum { EACH = 2048 };
	struct perfdata_record r;
	int err, fed = 0;
	for (uint64_t n = 0; !fed && (err = perfdata_next(p->data, &r)) > 0; n++) {
		if (n % EACH == EACH - 1 && !go_on(ctx, perfdata_done(p->data, r.file_offset)))
			return 0;
		fed = profile_feed(p, &r);
	}
	return fed ? fed : err;
}

bool profile_is_large(const struct profile *p)
{
	enum { STACKS = 1 << 20, PLACES = 1 << 18, CONTEXTS = 1 << 18, BUCKETS = 1 << 19 };
	bool large = p->stacks.at.n > STACKS || p->places.at.n > PLACES || p->fold.n_context > CONTEXTS;
	vec_each(&p->hist, h)
		large |= *h && (*h)->bucket.n > BUCKETS;
	return large;
}

static void places_anew(struct places *p)
{
	struct places old = *p;
	places_release(p);
	places_init(p, old.syms);
	p->by_line = old.by_line;
	p->by_address = old.by_address;
	p->full_path = old.full_path;
	p->locations = old.locations;
}

void profile_forget(struct profile *p)
{
	vec_each(&p->hist, h)
		if (*h)
			hist_forget(*h);
	spaces_free(p);
	space_forget(p, p->kernel);
	stacks_release(&p->stacks);
	stacks_init(&p->stacks);
	idmap_release(&p->tails);
	idmap_release(&p->files);
	fold_forget(&p->fold);
	places_anew(&p->places);
	vec_release(&p->expansion);
	vec_push(&p->expansion);
	vec_release(&p->expanded);
	vec_release(&p->alone);
	vec_release(&p->leaf);
	session_forget_ended(p->session);
}

void profile_finish(struct profile *pr, bool groups, const char *symbol_filter)
{
	size_t n = perfdata_n_events(pr->data);
	for (size_t i = 0; i < n; i++)
		hist_lines(profile_hist(pr, i));
	for (size_t i = 0; i < n; i++) {
		VEC(struct hist *) members = { 0 };
		for (size_t k = i + 1; groups && recorded_leads(pr->data, i) && k < n; k++)
			if (perfdata_event_at(pr->data, k)->group_leader == (int)i && !(pr->o.skip_empty && !profile_hist(pr, k)->samples))
				*vec_push(&members) = profile_hist(pr, k);
		if (members.n)
			hist_group(profile_hist(pr, i), members.at, members.n);
		vec_release(&members);
		hist_finish(profile_hist(pr, i), symbol_filter);
	}
}
