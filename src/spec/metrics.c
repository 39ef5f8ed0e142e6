// SPDX-License-Identifier: GPL-2.0-or-later
/* The metrics that are counted, and the events that they need. */
#include "spec/metrics.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/error.h"
#include "base/str.h"
#include "kernel/pmu.h"

enum { PARTS_MAX = 32 }; /* metrics in metrics */

static int add_use(struct metric_set *s, const struct metric_def *d, event_list *l, bool part, int depth);

/* ---- names of events ---- */

/* The terms between the slashes of an encoding. */
static char *inner(const char *encoding)
{
	const char *from = strchr(encoding, '/'), *to = from ? strrchr(encoding, '/') : NULL;
	return from && to > from ? xstrndup(from + 1, to - from - 1) : xstrdup(encoding);
}

/* What events_parse takes for the name in a formula: the tables' own names become codes. Owned. */
static char *event_text(const struct metric_set *s, const char *id)
{
	size_t n = strcspn(id, "/"), word = strcspn(id, ":");
	const struct metric_event *e = id[n] ? NULL : metric_event_find(&s->tables, id, word);
	if (e) { /* name, or name:u */
		const char *slash = strchr(e->encoding, '/');
		char *terms = inner(e->encoding);
		char *text = slash ? xasprintf("%.*s/%s,name=%s/%s", (int)(slash - e->encoding), e->encoding, terms, e->name,
					       id[word] ? id + word + 1 : "") : xasprintf("%s%s", e->encoding, id + word);
		free(terms);
		return text;
	}
	if (!id[n])
		return xstrdup(id);
	size_t name = strcspn(id + n + 1, ",/"); /* cpu/name,cmask=1/ */
	e = metric_event_find(&s->tables, id + n + 1, name);
	if (!e)
		return xstrdup(id);
	char *terms = inner(e->encoding), *text = xasprintf("%.*s/%s%s", (int)n, id, terms, id + n + 1 + name);
	free(terms);
	return text;
}

/* ---- the set ---- */

static const struct metric_def *find_metric(const struct metric_set *s, const char *name)
{
	const struct metric_def *found = NULL;
	vec_each(&s->tables.metrics, m)
		if (!strcasecmp(m->name, name))
			found = m; /* a table's own wins over the built-in one */
	return found;
}

static struct metric_id *find_id(const struct metric_set *s, const char *name)
{
	vec_each(&s->ids, i)
		if (!strcmp(i->name, name))
			return i;
	return NULL;
}

static void add_id(struct metric_set *s, const char *name, int event, int use)
{
	*vec_push(&s->ids) = (struct metric_id){ xstrdup(name), event, use };
}

/* A name in a formula that is no event yet: another metric, or an event, which goes into the group's text. */
static int add_name(struct metric_set *s, const char *id, event_list *l, struct str *group, wordlist *new, int depth)
{
	const struct metric_def *d = find_metric(s, id);
	if (find_id(s, id))
		return 0;
	if (d) {
		int use = add_use(s, d, l, true, depth + 1);
		if (use >= 0)
			add_id(s, id, -1, use);
		return use < 0 ? use : 0;
	}
	char *text = event_text(s, id);
	str_addf(group, "%s%s", group->len ? "," : "", text);
	free(text);
	wordlist_add(new, id);
	return 0;
}

/* Opens together what is worked out together, where the hardware has room for it (:W). */
static int add_events(struct metric_set *s, const struct metric_def *d, event_list *l, const struct str *group, const wordlist *new)
{
	size_t first = l->n;
	if (!new->n)
		return 0;
	char *text = new->n > 1 ? xasprintf("{%s}:W", group->buf) : xstrdup(group->buf);
	int err = events_parse(l, text);
	free(text);
	if (err) {
		error_context("metric %s", d->name);
		s->failed = d->name;
		return err;
	}
	if (l->n != first + new->n)
		return error_set(ENOTSUP, "metric %s: a name in '%s' stands for several events", d->name, d->expr);
	for (size_t i = 0; i < new->n; i++)
		add_id(s, new->at[i], (int)(first + i), -1);
	return 0;
}

/* "100%": a hundred times as much, and the sign. */
static void set_label(struct metric_use *u, const struct metric_def *d)
{
	const char *text = d->scale_unit ? d->scale_unit : "";
	char *end = NULL;
	u->scale = *text ? strtod(text, &end) : 1;
	if (end == text || !(u->scale > 0))
		u->scale = 1;
	struct str label = STR_INIT; /* it goes to the screen, and tables are anybody's */
	str_add_safez(&label, end ? end : "");
	str_add(&label, *text ? "  " : "");
	str_add_safez(&label, d->name);
	u->label = str_detach(&label);
}

static int leader_of(const struct metric_set *s, const wordlist *ids)
{
	int first = -1;
	vec_each(ids, w) {
		const struct metric_id *i = find_id(s, *w);
		int event = !i ? -1 : i->event >= 0 ? i->event : s->uses.at[i->use].leader;
		if (event >= 0 && (first < 0 || event < first))
			first = event;
	}
	return first;
}

/* How many metrics are in one another below these names. */
static int levels_of(const struct metric_set *s, const wordlist *ids)
{
	int most = 0;
	vec_each(ids, w) {
		const struct metric_id *i = find_id(s, *w);
		int levels = i && i->event < 0 ? s->uses.at[i->use].levels + 1 : 0;
		most = levels > most ? levels : most;
	}
	return most;
}

static int too_deep(const struct metric_def *d)
{
	error_set(ELOOP, "metric %s needs itself, or more than %d metrics in one another", d->name, PARTS_MAX);
	return error_hint("sonde list --details metric shows the formulas; correct them in the file of the tables");
}

/* The use's place in the set; -errno. */
static int add_use(struct metric_set *s, const struct metric_def *d, event_list *l, bool part, int depth)
{
	struct metric_use u = { .def = (size_t)(d - s->tables.metrics.at), .part = part };
	wordlist ids = { 0 }, new = { 0 };
	struct str group = STR_INIT;
	for (size_t i = 0; i < s->uses.n; i++)
		if (s->uses.at[i].def == u.def) {
			s->uses.at[i].part &= part;
			return (int)i;
		}
	int err = depth > PARTS_MAX ? too_deep(d) : 0;
	if (!err && !(u.expr = metric_expr_parse(d->expr))) {
		error_context("metric %s", d->name);
		err = error_code();
	}
	if (!err)
		metric_expr_ids(u.expr, &ids);
	for (size_t i = 0; i < ids.n && !err; i++)
		err = add_name(s, ids.at[i], l, &group, &new, depth);
	if (!err)
		err = add_events(s, d, l, &group, &new);
	if (!err && (u.levels = levels_of(s, &ids)) > PARTS_MAX)
		err = too_deep(d);
	if (!err) {
		u.leader = leader_of(s, &ids);
		set_label(&u, d);
		*vec_push(&s->uses) = u;
	} else {
		metric_expr_free(u.expr);
	}
	wordlist_release(&ids);
	wordlist_release(&new);
	str_release(&group);
	return err ? err : (int)s->uses.n - 1;
}

static int unknown(const struct metric_set *s, const char *name)
{
	struct nearest n;
	error_set(ENOENT, "there is no metric and no group of metrics '%s'", name);
	nearest_init(&n, name);
	vec_each(&s->tables.metrics, m)
		nearest_offer(&n, m->name);
	nearest_hint(&n);
	error_hint("sonde list metric lists them");
	return error_hint("those of this CPU come from perf's tables: perf list -j >~/.config/sonde/metrics.json");
}

/* A metric of that name, or all of a group. How many; -errno. */
static int add_word(struct metric_set *s, const char *word, event_list *l)
{
	const struct metric_def *d = find_metric(s, word);
	int n = 0, err = 0;
	if (d)
		return (err = add_use(s, d, l, false, 0)) < 0 ? err : 1;
	for (size_t i = 0; i < s->tables.metrics.n && err >= 0; i++) {
		const struct metric_def *m = &s->tables.metrics.at[i];
		if (metric_in_group(m, word) && find_metric(s, m->name) == m) {
			err = add_use(s, m, l, false, 0);
			n++;
		}
	}
	return err < 0 ? err : n;
}

int metric_set_add(struct metric_set *s, const char *names, event_list *l)
{
	wordlist words = { 0 };
	int err = 0;
	wordlist_split(&words, names, ',');
	for (size_t i = 0; i < words.n && err >= 0; i++) {
		err = add_word(s, words.at[i], l);
		if (!err)
			err = unknown(s, words.at[i]);
	}
	wordlist_release(&words);
	return err < 0 ? err : 0;
}

void metric_set_release(struct metric_set *s)
{
	vec_each(&s->uses, u) {
		metric_expr_free(u->expr);
		free(u->label);
	}
	vec_each(&s->ids, i)
		free(i->name);
	vec_release(&s->uses);
	vec_release(&s->ids);
	metric_tables_release(&s->tables);
}

/* ---- worked out ---- */

struct part_value { bool known; double v; };
struct metric_run { const struct metric_set *s; double (*value)(void *ctx, int event); void *ctx; struct part_value *parts; };

/* A part is worked out once, however often it is named: m0 = m1 + m1, m1 = m2 + m2, ... Never more than PARTS_MAX deep. */
static double value_of(void *ctx, const char *name)
{
	struct metric_run *r = ctx;
	const struct metric_id *i = find_id(r->s, name);
	if (!i)
		return NAN;
	if (i->event >= 0)
		return r->value(r->ctx, i->event);
	struct part_value *p = &r->parts[i->use];
	if (!p->known)
		*p = (struct part_value){ true, metric_expr_eval(r->s->uses.at[i->use].expr, value_of, r) };
	return p->v;
}

double metric_set_eval(const struct metric_set *s, size_t use, double (*value)(void *ctx, int event), void *ctx)
{
	struct metric_run r = { s, value, ctx, xcalloc(s->uses.n, sizeof(*r.parts)) };
	const struct metric_use *u = &s->uses.at[use];
	double v = metric_expr_eval(u->expr, value_of, &r) * u->scale;
	free(r.parts);
	return v;
}

/* ---- what the kernel says of this CPU ---- */

struct own_metric { const char *name, *expr, *help; };

/* Intel since Ice Lake: the CPU shares out its slots by itself; the first event must lead. */
static const char *const slots_events = "{cpu/slots/,cpu/topdown-retiring/,cpu/topdown-bad-spec/,cpu/topdown-fe-bound/,cpu/topdown-be-bound/}";
#define SLOTS "(cpu@topdown\\-retiring@ + cpu@topdown\\-bad\\-spec@ + cpu@topdown\\-fe\\-bound@ + cpu@topdown\\-be\\-bound@)"
static const struct own_metric by_slots[] = {
	{ "retiring", "cpu@topdown\\-retiring@ / " SLOTS, "slots of instructions that were finished" },
	{ "bad_speculation", "cpu@topdown\\-bad\\-spec@ / " SLOTS, "slots of work that was thrown away" },
	{ "frontend_bound", "cpu@topdown\\-fe\\-bound@ / " SLOTS, "slots that the front end left empty" },
	{ "backend_bound", "cpu@topdown\\-be\\-bound@ / " SLOTS, "slots that the back end held up" },
};
/* Before: slots are counted, and what is left over is the back end's. */
static const char *const bubbles_events = "{cpu/topdown-total-slots/,cpu/topdown-slots-issued/,cpu/topdown-slots-retired/,"
	"cpu/topdown-fetch-bubbles/,cpu/topdown-recovery-bubbles/}:W";
#define TOTAL "cpu@topdown\\-total\\-slots@"
#define RETIRING "cpu@topdown\\-slots\\-retired@ / " TOTAL
#define BAD "(cpu@topdown\\-slots\\-issued@ - cpu@topdown\\-slots\\-retired@ + cpu@topdown\\-recovery\\-bubbles@) / " TOTAL
#define FRONTEND "cpu@topdown\\-fetch\\-bubbles@ / " TOTAL
static const struct own_metric by_bubbles[] = {
	{ "retiring", RETIRING, "slots of instructions that were finished" },
	{ "bad_speculation", BAD, "slots of work that was thrown away" },
	{ "frontend_bound", FRONTEND, "slots that the front end left empty" },
	{ "backend_bound", "1 - (" RETIRING ") - " BAD " - (" FRONTEND ")", "slots that the back end held up" },
};
static const char *const transaction_events = "{cycles,cpu/cycles-t/,cpu/tx-start/,cpu/cycles-ct/}:W";
static const struct own_metric of_transactions[] = {
	{ "transactional_cycles", "cpu@cycles\\-t@ / cycles", "cycles in transactions" },
	{ "aborted_cycles", "(cpu@cycles\\-t@ - cpu@cycles\\-ct@) / cycles", "cycles in transactions that were aborted" },
	{ "cycles_per_transaction", "cpu@cycles\\-t@ / cpu@tx\\-start@", "length of a transaction" },
};

static int use_own(struct metric_set *s, event_list *l, const char *events, const struct own_metric *m, size_t n, const char *group)
{
	size_t first = l->n;
	int err = events_parse(l, events);
	for (size_t i = first; i < l->n && !err; i++)
		if (!find_id(s, l->at[i].name))
			add_id(s, l->at[i].name, (int)i, -1);
	for (size_t i = 0; i < n && !err; i++)
		*vec_push(&s->tables.metrics) = (struct metric_def){ .name = xstrdup(m[i].name), .expr = xstrdup(m[i].expr),
			.groups = xstrdup(group), .scale_unit = strstr(m[i].name, "_per_") ? NULL : xstrdup("100%"), .help = xstrdup(m[i].help) };
	return err ? err : metric_set_add(s, group, l);
}

static bool has(const char *alias)
{
	const struct pmu *cpu = pmu_find("cpu");
	return cpu && pmu_alias_find(cpu, alias);
}

static bool has_group(const struct metric_set *s, const char *group)
{
	vec_each(&s->tables.metrics, m)
		if (metric_in_group(m, group))
			return true;
	return false;
}

#define OWN(m) m, sizeof(m) / sizeof(m[0])
int metric_set_topdown(struct metric_set *s, event_list *l)
{
	if (has("slots") && has("topdown-retiring"))
		return use_own(s, l, slots_events, OWN(by_slots), "sonde-topdown");
	if (has("topdown-total-slots") && has("topdown-slots-issued"))
		return use_own(s, l, bubbles_events, OWN(by_bubbles), "sonde-topdown");
	if (has_group(s, "TopdownL1"))
		return metric_set_add(s, "TopdownL1", l);
	if (has_group(s, "PipelineL1")) /* AMD's word for it */
		return metric_set_add(s, "PipelineL1", l);
	error_set(ENODEV, "--topdown: this machine's PMU has no topdown events");
	error_hint("virtual machines mostly have no PMU: sonde doctor tells");
	return error_hint("of CPUs whose kernel names none they are in perf's tables: perf list -j >~/.config/sonde/metrics.json");
}

int metric_set_transaction(struct metric_set *s, event_list *l)
{
	if (has("tx-start") && has("cycles-t") && has("cycles-ct"))
		return use_own(s, l, transaction_events, OWN(of_transactions), "sonde-transaction");
	if (has_group(s, "transaction"))
		return metric_set_add(s, "transaction", l);
	error_set(ENODEV, "--transaction: this machine's PMU has no events of transactional memory");
	return error_hint("Intel CPUs with TSX have them (cpu/tx-start/ in sonde list pmu)");
}
