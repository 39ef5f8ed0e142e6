// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/stap/run.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/error.h"
#include "script/show/stack.h"
#include "script/show/value.h"
#include "script/stap/calls.h"
#include "syscall/decode.h"

enum { STEPS = 5000000, STRINGS = 4096, ENTRIES = 2048 * 64, SLOTS_MOST = 40 };

static uint64_t clock_ns(clockid_t which)
{
	struct timespec t;
	clock_gettime(which, &t);
	return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

/* ---- values out of a record ---- */

const struct interp_value *stap_slot_named(const struct stap_run *r, const char *name)
{
	const struct stap_block *b = r->block;
	for (size_t i = 0; b && b->kind == STAP_KERNEL && i < b->slots.n; i++)
		if (b->slots.at[i].name && !strcmp(b->slots.at[i].name, name) && i < r->ip.n_slots)
			return &r->ip.slots[i];
	return NULL;
}

static const char *point_name(const struct stap_run *r, uint64_t number)
{
	const struct run_script *s = r->st->s;
	return number < s->points.n ? s->points.at[number].name : "";
}

static struct interp_value text(struct stap_run *r, const char *z)
{
	return interp_text(&r->ip, z, strlen(z));
}

/* kprobe:vfs_read, tracepoint:syscalls:sys_enter_read: what stands behind the last colon, without an offset. */
/* Of an inlined copy it is the function's own name; else the one that the place is in. */
static struct interp_value function_name(struct stap_run *r, uint64_t number)
{
	const char *point = point_name(r, number), *colon = strrchr(point, ':'), *name = colon ? colon + 1 : point;
	const char *func = number < r->st->s->points.n && !strstr(point, ":=i:") ? r->st->s->points.at[number].func : NULL;
	return func ? text(r, func) : interp_text(&r->ip, name, strcspn(name, "+@"));
}

static struct interp_value call_of_point(struct stap_run *r, const char *point)
{
	const char *at = strstr(point, "sys_enter_");
	at = at ? at + 10 : (at = strstr(point, "sys_exit_")) ? at + 9 : point;
	return text(r, at);
}

/* A stack is a number whose frames are in a map: in SystemTap it is text. */
static struct interp_value stack_text(struct stap_run *r, const struct script_type *t, uint64_t word, int64_t how)
{
	struct str s = STR_INIT;
	struct interp_value v;
	struct script_type as = *t;
	as.mode = how == 'x' || how == 'a' ? STACK_RAW : how == 'p' ? STACK_STAP : STACK_PLAIN;
	show_stack(&s, r->runner->namer.stacks, &as, word, 0);
	const char *from = s.buf + (s.len && s.buf[0] == '\n');
	size_t len = s.len - (size_t)(from - s.buf);
	if (how == 'a') { /* the first one */
		v = value_number((int64_t)strtoull(from, NULL, 16));
		str_release(&s);
		return v;
	}
	if (how == 'x') { /* addresses in a line */
		struct str line = STR_INIT;
		for (const char *c = from; *c; c += strcspn(c, "\n") + 1)
			str_addf(&line, "%s0x%.*s", line.len ? " " : "", (int)strcspn(c, "\n"), c);
		v = interp_text(&r->ip, line.buf, line.len);
		str_release(&line);
		str_release(&s);
		return v;
	}
	if (how == 'c')
		len = strcspn(from, "\n");
	if (how == 'p' || how == 's')
		r->ip.text_max = 1 << 16;
	v = interp_text(&r->ip, from, len);
	r->ip.text_max = STRINGS;
	str_release(&s);
	return v;
}

void stap_words(struct str *out, const char *p, size_t len)
{
	while (len && !p[len - 1])
		len--;
	for (size_t n; len; p += n, len -= n) {
		n = strnlen(p, len);
		str_add_safe(out, p, n);
		if (n < len) {
			str_addc(out, ' ');
			n++;
		}
	}
}

/* Bytes, how many there are before them. */
static struct interp_value words_value(struct stap_run *r, const uint8_t *p, size_t room)
{
	struct str s = STR_INIT;
	uint64_t n;
	memcpy(&n, p, sizeof(n));
	stap_words(&s, (const char *)p + 8, n < room - 8 ? n : room - 8);
	struct interp_value v = interp_text(&r->ip, s.buf ? s.buf : "", s.len);
	str_release(&s);
	return v;
}

static struct interp_value text_value(struct stap_run *r, const struct stap_slot *slot, const char *p, size_t len)
{
	struct str s = STR_INIT;
	len = strnlen(p, len);
	if (slot && slot->form == SLOT_QUOTED)
		str_add_quoted(&s, p, len);
	else
		show_string(&s, &r->runner->namer, p, len, false);
	struct interp_value v = interp_text(&r->ip, s.buf, s.len);
	str_release(&s);
	return v;
}

/* As the script has it, a pattern of system calls with the one that it is. */
static struct interp_value script_name(struct stap_run *r, uint64_t number)
{
	const struct stap_block *b = r->block;
	if (!b->call || b->any_call || strcmp(b->call, "*"))
		return text(r, b->word_of_script);
	struct interp_value call = call_of_point(r, point_name(r, number));
	char *name = xasprintf("syscall.%.*s%s", (int)call.len, call.text, b->side == SIDE_RETURN ? ".return" : "");
	struct interp_value v = text(r, name);
	free(name);
	return v;
}

static struct interp_value number_value(struct stap_run *r, const struct stap_slot *slot, const struct script_type *t, uint64_t v)
{
	int64_t n = (int64_t)v;
	switch (slot->form) {
	case SLOT_REALTIME: return value_number((n + r->realtime) / slot->by);
	case SLOT_STACK: return stack_text(r, t, v, slot->by);
	case SLOT_PROBE: return text(r, r->block->call || r->st->s->points.n == 0 ? point_name(r, v) : r->block->name);
	case SLOT_NAME: return script_name(r, v);
	case SLOT_FUNC: return function_name(r, v);
	case SLOT_CALL_OF_PROBE: return call_of_point(r, point_name(r, v));
	case SLOT_CALL: {
		if (n == -1 && r->block->side == SIDE_RETURN) /* it has put back all registers, the call's number too */
			return text(r, "rt_sigreturn");
		const struct syscall_row *row = n >= 0 && n < 10000 ? syscall_find(ABI_NATIVE, (int)n) : NULL;
		return text(r, row ? syscall_name(row) : "unknown");
	}
	case SLOT_RESULT: {
		const char *error = n < 0 && n > -4096 ? strerrorname_np((int)-n) : NULL;
		char *z = error ? xasprintf("%lld (%s)", (long long)n, error) : xasprintf("%lld", (long long)n);
		struct interp_value out = text(r, z);
		free(z);
		return out;
	}
	default: return value_number(n);
	}
}

/* The fields of a payload, the first of which is the block's number. */
static unsigned decode(struct stap_run *r, const struct stap_block *b, const struct script_type *t, const uint8_t *p, size_t n, struct interp_value *out)
{
	size_t at = 8;
	unsigned k = 0;
	for (unsigned i = 1; i < t->n_fields && k < b->slots.n && k < SLOTS_MOST && at + 8 <= n; i++, k++) {
		const struct script_type *f = t->fields[i].type;
		uint64_t v;
		size_t len;
		memcpy(&v, p + at, sizeof(v));
		if (f->kind == TYPE_SHOWN && (type_room(f) < 8 || at + type_room(f) > n))
			break;
		if (f->kind == TYPE_SHOWN) {
			out[k] = words_value(r, p + at, type_room(f));
			at += type_room(f);
		} else if (f->kind == TYPE_STRING) {
			const char *z = payload_text(p, n, v, &len);
			out[k] = text_value(r, &b->slots.at[k], z, len);
			at += 8;
		} else {
			out[k] = number_value(r, &b->slots.at[k], f, v);
			at += type_room(f);
		}
	}
	return k;
}

/* ---- running ---- */

static void told(struct stap_run *r)
{
	out_str(r->out, &r->ip.out);
	if (r->ip.leaving)
		r->over = true;
}

/* An error ends the script, as there: what ends it still runs. */
static void failed(struct stap_run *r)
{
	out_flush(r->out);
	error_print();
	r->errors++;
	r->code = 1;
	r->over = true;
}

static void run_block(struct stap_run *r, const struct stap_block *b)
{
	r->block = b;
	if (b->condition) {
		struct interp_value v = interp_eval(&r->ip, b->condition);
		if (!error_pending() && !interp_number(&v))
			return;
	}
	int err = error_pending() ? error_code() : interp_run_on(&r->ip, b->body, (unsigned)b->locals.n);
	told(r);
	if (err)
		failed(r);
	if (b->last)
		r->over = true;
}

int stap_run_event(struct stap_run *r, const struct site *s, const uint8_t *payload, size_t n)
{
	uint64_t number;
	struct interp_value slots[SLOTS_MOST];
	if (n < sizeof(number))
		return error_set(EIO, "a program's record is damaged");
	memcpy(&number, payload, sizeof(number));
	if (number >= r->st->blocks.n)
		return error_set(EIO, "a program's record is damaged");
	if (r->over)
		return 0;
	const struct stap_block *b = r->st->blocks.at[number];
	r->block = b;
	interp_begin(&r->ip);
	r->ip.slots = slots;
	r->ip.n_slots = decode(r, b, s->payload, payload, n, slots);
	run_block(r, b);
	r->ip.slots = NULL;
	r->ip.n_slots = 0;
	if (r->over && r->runner)
		__atomic_store_n(&r->runner->load.shared->exiting, 1, __ATOMIC_RELEASE);
	return r->out->err;
}

static int by_order(const void *a, const void *b)
{
	const struct stap_block *x = *(const struct stap_block *const *)a, *y = *(const struct stap_block *const *)b;
	return x->order != y->order ? (x->order < y->order ? -1 : 1) : x->number < y->number ? -1 : 1;
}

/* All blocks of a kind, in their order. ends: also when the script is over. */
static void run_kind(struct stap_run *r, enum stap_kind kind, bool ends)
{
	const struct stap_block **list = xcalloc(r->st->blocks.n + 1, sizeof(*list));
	size_t n = 0;
	for (size_t i = 0; i < r->st->blocks.n; i++)
		if (r->st->blocks.at[i]->kind == kind)
			list[n++] = r->st->blocks.at[i];
	if (n)
		qsort(list, n, sizeof(*list), by_order);
	for (size_t i = 0; i < n && (ends || !r->over); i++) {
		interp_begin(&r->ip);
		run_block(r, list[i]);
	}
	free(list);
}

int stap_run_begin(struct stap_run *r)
{
	run_kind(r, STAP_BEGIN, false);
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	for (size_t i = 0; i < r->st->blocks.n; i++) {
		const struct stap_block *b = r->st->blocks.at[i];
		if (b->kind == STAP_TIMER)
			*vec_push(&r->timers) = (struct stap_timer){ b, now + b->period };
	}
	out_flush(r->out);
	return r->out->err;
}

int stap_run_timers(struct stap_run *r)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	for (size_t i = 0; i < r->timers.n && !r->over; i++) {
		struct stap_timer *t = &r->timers.at[i];
		if (now < t->due)
			continue;
		uint64_t jitter = t->block->jitter ? (uint64_t)random() % (2 * t->block->jitter) : t->block->jitter;
		t->due += t->block->period + jitter - t->block->jitter;
		if (t->due <= now) /* we were late: what was missed is not made up for */
			t->due = now + t->block->period;
		interp_begin(&r->ip);
		run_block(r, t->block);
		out_flush(r->out);
	}
	return r->out->err;
}

bool stap_run_reads(const struct stap_run *r, enum stap_kind kind)
{
	for (size_t i = 0; i < r->st->blocks.n; i++)
		if (r->st->blocks.at[i]->kind == kind)
			return true;
	return false;
}

static void run_typed(struct stap_run *r, enum stap_kind kind, const char *p, size_t n)
{
	r->typed = p;
	r->n_typed = n;
	run_kind(r, kind, false);
}

/* A line comes before the character that ends it: scripts that look at both count on that. */
int stap_run_input(struct stap_run *r, const char *p, size_t n)
{
	for (size_t i = 0; i < n && !r->over; i++) {
		if (r->line.len + 1 < STRINGS || p[i] == '\n')
			str_addc(&r->line, p[i]);
		if (p[i] == '\n') {
			run_typed(r, STAP_LINE, r->line.buf, r->line.len);
			str_clear(&r->line);
		}
		run_typed(r, STAP_CHAR, p + i, 1);
	}
	r->n_typed = 0;
	out_flush(r->out);
	return r->out->err;
}

int stap_run_sleep(const struct stap_run *r, int ms)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	vec_each(&r->timers, t) {
		uint64_t left = t->due > now ? (t->due - now + 999999) / 1000000 : 0;
		if (ms < 0 || left < (uint64_t)ms)
			ms = (int)(left > 1000000 ? 1000000 : left);
	}
	return ms;
}

/* ---- the end ---- */

static void show_cell(struct str *out, const struct stap_global *g, const struct interp_global *v, const struct interp_cell *c)
{
	if (c->statistics) {
		const struct statistics *s = c->statistics;
		str_addf(out, " @count=%#llx @min=%#llx @max=%#llx @sum=%#llx @avg=%#llx\n", (long long)s->count, (long long)s->min, (long long)s->max,
			 (long long)s->sum, (long long)(s->count ? s->sum / s->count : 0));
		if (g->log)
			statistics_show_log(s, out);
		if (g->linear)
			statistics_show_linear(s, &v->form, out);
	} else if (c->value.kind == VALUE_TEXT) {
		str_add(out, "=");
		str_add_quoted(out, c->value.text, c->value.len);
		str_addc(out, '\n');
	} else {
		str_addf(out, "=%#llx\n", (long long)c->value.number);
	}
}

static int larger_first(const void *x, const void *y)
{
	const struct interp_cell *a = *(const struct interp_cell *const *)x, *b = *(const struct interp_cell *const *)y;
	if (a->statistics && b->statistics && a->statistics->count != b->statistics->count)
		return a->statistics->count > b->statistics->count ? -1 : 1;
	int c = value_compare(&b->value, &a->value);
	return c ? c : a->age < b->age ? -1 : 1;
}

static void show_array(struct str *out, const struct stap_global *g, struct interp_global *v)
{
	size_t n = 0;
	struct interp_cell **list = xcalloc(v->items.live + 1, sizeof(*list));
	for (size_t i = 0; i < v->items.cells.n; i++)
		if (!v->items.cells.at[i]->dead)
			list[n++] = v->items.cells.at[i];
	if (n)
		qsort(list, n, sizeof(*list), larger_first);
	for (size_t i = 0; i < n; i++) {
		str_addf(out, "%s[", g->name);
		for (unsigned k = 0; k < v->items.n_keys; k++) {
			const struct interp_value *key = &list[i]->key[k];
			str_add(out, k ? "," : "");
			if (key->kind == VALUE_TEXT)
				str_add_quoted(out, key->text, key->len);
			else
				str_addf(out, "%#llx", (long long)key->number);
		}
		str_addc(out, ']');
		show_cell(out, g, v, list[i]);
	}
	free(list);
}

/* Globals that are written and never read are shown at the end, as there. */
static void show_unread(struct stap_run *r)
{
	struct str out = STR_INIT;
	for (size_t i = 0; i < r->st->globals.n; i++) {
		const struct stap_global *g = r->st->globals.at[i];
		struct interp_global *v = &r->ip.globals[i];
		if (!g->own || g->read || !g->written)
			continue;
		if (v->array) {
			show_array(&out, g, v);
		} else {
			str_add(&out, g->name);
			show_cell(&out, g, v, &v->cell);
		}
	}
	out_str(r->out, &out);
	str_release(&out);
}

void stap_run_end(struct stap_run *r)
{
	bool failed_before = r->errors;
	r->over = false;
	r->ip.leaving = false;
	run_kind(r, failed_before ? STAP_ERROR : STAP_END, true);
	if (!failed_before)
		show_unread(r);
	out_flush(r->out);
}

/* ---- open and close ---- */

/* argc and argv[1] to argv[argc], which the script may change. */
static void give_parameters(const struct stap *st, struct interp_global *globals)
{
	const struct params *p = &st->params;
	for (size_t i = 0; i < st->globals.n; i++) {
		const struct stap_global *v = st->globals.at[i];
		if (v->own)
			continue;
		if (!v->array && !strcmp(v->name, "argc"))
			cell_set(&globals[i].cell, value_number(p->n));
		for (unsigned k = 0; v->array && !strcmp(v->name, "argv") && k < p->n; k++) {
			struct interp_value key = value_number(k + 1);
			cell_set(array_make(&globals[i].items, &key), value_text(p->at[k], strlen(p->at[k])));
		}
	}
}

int stap_run_open(struct stap_run *r, struct stap *st, struct out *out)
{
	*r = (struct stap_run){ .st = st, .out = out, .line = STR_INIT };
	struct interp_global *g = xcalloc(st->globals.n + 1, sizeof(*g));
	struct interp_code *code = xcalloc(st->functions.n + 1, sizeof(*code));
	for (size_t i = 0; i < st->globals.n; i++) {
		const struct stap_global *v = st->globals.at[i];
		g[i] = (struct interp_global){ .array = v->array, .name = v->name, .limit = v->limit ? (size_t)v->limit : st->max_entries ? st->max_entries : ENTRIES,
			.wrap = v->wrap, .form = { v->log, v->linear, v->low, v->high, v->width }, .items.n_keys = v->n_keys };
		if (v->first)
			cell_set(&g[i].cell, v->first->kind == NODE_INT ? value_number((int64_t)v->first->value) : value_text(v->first->name, v->first->len));
	}
	give_parameters(st, g);
	for (size_t i = 0; i < st->functions.n; i++) {
		const struct stap_function *f = st->functions.at[i];
		code[i] = (struct interp_code){ f->run, f->n_params, (unsigned)f->locals.n, f->name };
	}
	r->ip = (struct interp){ .source = st->source, .globals = g, .n_globals = st->globals.n, .code = code, .n_code = st->functions.n,
		.find = stap_call_find, .host = r, .text_max = STRINGS, .steps_max = STEPS };
	r->realtime = (int64_t)clock_ns(CLOCK_REALTIME) - (int64_t)clock_ns(CLOCK_BOOTTIME);
	return 0;
}

void stap_run_close(struct stap_run *r)
{
	size_t cursor = 0;
	uint64_t key;
	void *v;
	for (size_t i = 0; i < r->ip.n_globals; i++)
		interp_global_release(&r->ip.globals[i]);
	while (u64map_next(&r->indents, &cursor, &key, &v))
		free(v);
	u64map_release(&r->indents);
	u64map_release(&r->family);
	str_release(&r->line);
	free(r->ip.globals);
	free((void *)r->ip.code);
	interp_release(&r->ip);
	vec_release(&r->timers);
	*r = (struct stap_run){ 0 };
}
