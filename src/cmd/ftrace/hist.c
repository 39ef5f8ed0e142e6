// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde ftrace hist: which events a trace.dat has, by thread and by the calls that led to them, the most frequent first. With a
 * trigger ('hist:...') it is the kernel that counts (triggers.c). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/map.h"
#include "base/options.h"
#include "base/out.h"
#include "cmd/ftrace/triggers.h"
#include "cmd/ftrace/verbs.h"
#include "session/tpformat.h"
#include "tracedat/reader.h"

enum { CHAIN_MAX = 64, CPUS = 1024 };

struct hist_node { const char *name; uint64_t count; VEC(struct hist_node *) next; };
struct hist_group { int pid; const char *event; struct hist_node top; };
struct hist_pending { int pid; const char *event; }; /* an event whose stack may come */
struct hist_cmd {
	const char *input;
	bool all_pids;
	struct hist_triggers triggers;
	struct tracedat *t;
	VEC(struct hist_group *) group;
	struct strmap by_key;
	struct hist_pending *pending; /* by CPU */
	int stack_id, function_id;
	struct tp_format *stack, *function;
	uint64_t total;
};
#define OPTIONS struct hist_cmd

static int on_synth(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt; (void)unset;
	wordlist_add(value, arg);
	return 0;
}

static const struct option_row rows[] = {
	OPT_STRING('i', "input", "FILE", input, "the recording (trace.dat)"),
	OPT_FLAG('P', NULL, all_pids, "all threads together"),
	OPT_GROUP("counted by the kernel"),
	OPT_CALL_ON(0, "synth", "DEFINITION", triggers.synth, on_synth, "an event that triggers make: 'NAME TYPE FIELD; TYPE FIELD'"),
	OPT_MS(0, "timeout", triggers.timeout, "end after so long"),
	OPT_STRING('o', "output", "FILE", triggers.output, "write there"),
	OPT_FLAG(0, "json", triggers.json, "one JSON object an entry"),
	OPT_END(),
};
static const char *const usage[] = { "sonde ftrace hist [-P] [FILE]",
	"sonde ftrace hist [OPTIONS] 'hist:keys=FIELD,..[:vals=..][:sort=..]' EVENT ['hist:...' EVENT]... [--] [COMMAND [ARGS]]", NULL };

static struct hist_group *group_of(struct hist_cmd *h, int pid, const char *event)
{
	char *key = xasprintf("%d %s", h->all_pids ? 0 : pid, event);
	struct hist_group *g = strmap_get(&h->by_key, key);
	if (!g) {
		g = xcalloc(1, sizeof(*g));
		g->pid = pid;
		g->event = event;
		*vec_push(&h->group) = g;
		strmap_set(&h->by_key, key, g);
	}
	free(key);
	return g;
}

static struct hist_node *child(struct hist_node *n, const char *name)
{
	vec_each(&n->next, c)
		if (!strcmp((*c)->name, name))
			return *c;
	struct hist_node *new = xcalloc(1, sizeof(*new));
	new->name = name;
	*vec_push(&n->next) = new;
	return new;
}

static void count(struct hist_cmd *h, int pid, const char *event, const char *const *chain, int n)
{
	struct hist_node *at = &group_of(h, pid, event)->top;
	h->total++;
	at->count++;
	for (int i = 0; i < n; i++) {
		at = child(at, chain[i]);
		at->count++;
	}
}

static int chain_of(struct hist_cmd *h, const struct tracedat_record *r, const char **chain)
{
	const struct tp_field *caller = h->stack ? tp_format_field(h->stack, "caller") : NULL;
	struct tp_field one = { .size = tracedat_info(h->t)->long_size == 4 ? 4 : 8 };
	int n = 0;
	if (!caller)
		return 0;
	for (one.off = caller->off; one.off + one.size <= r->size && n < CHAIN_MAX; one.off += one.size) {
		uint64_t addr = tp_field_number(&one, r->data, r->size);
		if (addr == UINT64_MAX || (one.size == 4 && addr == UINT32_MAX))
			break;
		const char *name = tracedat_function(h->t, addr, NULL);
		chain[n++] = name ? name : "[unknown]";
	}
	return n;
}

static void take_function(struct hist_cmd *h, const struct tracedat_record *r)
{
	const struct tp_field *ip = tp_format_field(h->function, "ip"), *from = tp_format_field(h->function, "parent_ip");
	const char *name = ip ? tracedat_function(h->t, tp_field_number(ip, r->data, r->size), NULL) : NULL;
	const char *parent = from ? tracedat_function(h->t, tp_field_number(from, r->data, r->size), NULL) : NULL;
	count(h, r->pid, name ? name : "[unknown]", &parent, parent ? 1 : 0);
}

static void settle(struct hist_cmd *h, struct hist_pending *p)
{
	if (p->event)
		count(h, p->pid, p->event, NULL, 0);
	p->event = NULL;
}

static void take(struct hist_cmd *h, const struct tracedat_record *r, const char *const *names)
{
	const char *chain[CHAIN_MAX];
	struct hist_pending *p = &h->pending[r->cpu % CPUS];
	if (r->type < 0)
		return;
	if (r->type == h->stack_id && p->event && p->pid == r->pid) {
		count(h, p->pid, p->event, chain, chain_of(h, r, chain));
		p->event = NULL;
		return;
	}
	settle(h, p);
	if (r->type == h->function_id && h->function)
		take_function(h, r);
	else
		*p = (struct hist_pending){ r->pid, names[r->type] ? names[r->type] : "[unknown]" };
}

/* ---- printing ---- */

static int by_count(const void *a, const void *b)
{
	const struct hist_node *x = *(struct hist_node *const *)a, *y = *(struct hist_node *const *)b;
	return x->count != y->count ? x->count < y->count ? 1 : -1 : strcmp(x->name, y->name);
}

static int groups_by_count(const void *a, const void *b)
{
	const struct hist_group *x = *(struct hist_group *const *)a, *y = *(struct hist_group *const *)b;
	return x->top.count != y->top.count ? x->top.count < y->top.count ? 1 : -1 : x->pid - y->pid;
}

static double percent(uint64_t n, uint64_t of)
{
	return of ? 100.0 * (double)n / (double)of : 0;
}

static void show(struct str *out, struct hist_node *n, struct str *indent)
{
	while (n->next.n == 1 && n->next.at[0]->count == n->count) {
		n = n->next.at[0];
		str_addf(out, "%s  ", indent->buf);
		str_add_safez(out, n->name);
		str_addc(out, '\n');
	}
	if (n->next.n)
		qsort(n->next.at, n->next.n, sizeof(*n->next.at), by_count);
	vec_each(&n->next, c) {
		size_t was = indent->len;
		str_addf(out, "%s  |\n%s  |--%%%.2f-- ", indent->buf, indent->buf, percent((*c)->count, n->count));
		str_add_safez(out, (*c)->name);
		str_addf(out, "  # %llu\n", (unsigned long long)(*c)->count);
		str_add(indent, c + 1 < n->next.at + n->next.n ? "  |        " : "           ");
		show(out, *c, indent); /* as deep as a chain, at most */
		indent->len = was;
		indent->buf[was] = 0;
	}
}

static void print(struct hist_cmd *h, struct out *o)
{
	struct str line = STR_INIT, indent = STR_INIT;
	if (h->group.n)
		qsort(h->group.at, h->group.n, sizeof(*h->group.at), groups_by_count);
	vec_each(&h->group, p) {
		struct hist_group *g = *p;
		str_addf(&line, "%s  %%%3.2f ", p > h->group.at ? "\n" : "", percent(g->top.count, h->total));
		if (h->all_pids) {
			str_add(&line, "<all pids>");
		} else {
			str_addf(&line, " (%d) ", g->pid);
			str_add_safez(&line, tracedat_comm(h->t, g->pid));
		}
		str_addc(&line, ' ');
		for (size_t n = strlen(g->event); n < 30; n++)
			str_addc(&line, ' ');
		str_add_safez(&line, g->event);
		str_addf(&line, " #%llu\n         |\n         --- *", (unsigned long long)g->top.count);
		str_add_safez(&line, g->event);
		str_add(&line, "*\n");
		str_clear(&indent);
		str_add(&indent, "        ");
		show(&line, &g->top, &indent);
		out_str(o, &line);
	}
	str_release(&line);
	str_release(&indent);
}

/* ---- wiring ---- */

static void node_release(struct hist_node *n)
{
	vec_each(&n->next, c) {
		node_release(*c);
		free(*c);
	}
	vec_release(&n->next);
}

static struct tp_format *format_of(struct tracedat *t, int id)
{
	struct tep_event *e = id >= 0 ? tracedat_event(t, id) : NULL;
	return e ? tp_format_new(tracedat_tep(t), e, NULL) : NULL;
}

static int hist(struct hist_cmd *h, struct out *o)
{
	const struct tracedat_format *f;
	struct tracedat_record r;
	const char **names = xcalloc(65536, sizeof(*names));
	int got;
	h->pending = xcalloc(CPUS, sizeof(*h->pending));
	h->stack_id = h->function_id = -1;
	for (size_t i = 0; (f = tracedat_format_at(h->t, i)); i++) {
		if (f->id < 0)
			continue;
		names[f->id] = f->name;
		if (!strcmp(f->system, "ftrace") && !strcmp(f->name, "kernel_stack"))
			h->stack_id = f->id;
		if (!strcmp(f->system, "ftrace") && !strcmp(f->name, "function"))
			h->function_id = f->id;
	}
	h->stack = format_of(h->t, h->stack_id);
	h->function = format_of(h->t, h->function_id);
	while ((got = tracedat_next(h->t, &r)) > 0)
		take(h, &r, names);
	for (int i = 0; i < CPUS; i++)
		settle(h, &h->pending[i]);
	if (!got)
		print(h, o);
	tp_format_free(h->stack);
	tp_format_free(h->function);
	vec_each(&h->group, g) {
		node_release(&(*g)->top);
		free(*g);
	}
	vec_release(&h->group);
	strmap_release(&h->by_key);
	free(h->pending);
	free(names);
	return got;
}

static int hist_of_file(struct hist_cmd *h)
{
	struct out o;
	h->t = tracedat_open(h->input);
	int err = h->t ? out_open(&o, h->triggers.output, false) : error_code();
	if (!err) {
		err = hist(h, &o);
		int closed = out_close(&o);
		err = err ? err : closed;
	}
	tracedat_close(h->t);
	return err ? error_print() : 0;
}

static int take_triggers(struct hist_triggers *t, int *n, char ***words)
{
	while (*n && str_starts(**words, "hist:")) {
		if (*n < 2) {
			error_set(EINVAL, "'%s': the event that it counts is missing", **words);
			return error_hint("sonde ftrace hist 'hist:keys=common_pid' sched:sched_switch");
		}
		wordlist_add(&t->triggers, (*words)[0]);
		wordlist_add(&t->events, (*words)[1]);
		*words += 2;
		*n -= 2;
	}
	return 0;
}

/* Options may stand before and behind a file or triggers; behind triggers may then stand a command. */
static int parse(struct hist_cmd *h, int argc, char ***words)
{
	int n = options_parse(h, argc, *words, rows, usage, OPTIONS_STOP_AT_ARG), err = n > 0 ? take_triggers(&h->triggers, &n, words) : 0;
	if (err || n <= 0)
		return err ? err : n;
	if (h->triggers.triggers.n && ***words != '-')
		return n;
	if (h->triggers.triggers.n)
		(*words)--, n++; /* in place of the sub-command's name */
	else if (!h->input)
		h->input = **words;
	else
		return error_set(EINVAL, "'%s' is one word too many", **words);
	return options_parse(h, n, *words, rows, usage, OPTIONS_STOP_AT_ARG);
}

int ftrace_cmd_hist(int argc, char **argv)
{
	struct hist_cmd h = { 0 };
	char **words = argv;
	int n = parse(&h, argc, &words), code;
	bool live = h.triggers.triggers.n > 0;
	if (n >= 0 && !live && (h.triggers.synth.n || h.triggers.timeout || h.triggers.json))
		n = error_set(EINVAL, "--synth, --timeout and --json belong to a trigger: 'hist:keys=...' EVENT");
	if (n >= 0 && live && (h.input || h.all_pids))
		n = error_set(EINVAL, "-i and -P belong to a recording, and 'hist:...' counts what happens now");
	if (n > 0 && !live)
		n = error_set(EINVAL, "'%s' is one word too many", words[0]);
	if (n < 0)
		code = options_exit(n, usage);
	else
		code = live ? hist_triggers_run(&h.triggers, n ? words : NULL) : hist_of_file(&h);
	hist_triggers_release(&h.triggers);
	return code;
}
