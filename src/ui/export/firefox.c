// SPDX-License-Identifier: GPL-2.0-or-later
/* The Firefox Profiler's processed profile, in a version of which every newer profiler knows what has changed since. Each
 * thread has tables of its own, as columns; samples keep their times and their weights. Threads with several events
 * have several tracks, one each. Tracepoints and system calls are markers. */
#include <stdio.h>
#include "base/json.h"
#include "base/version.h"
#include "ui/export/formats.h"
#include "ui/export/lanes.h"
#include "ui/export/tables.h"
#include "ui/export/tracks.h"

enum { VERSION = 48, GECKO_VERSION = 27, CATEGORY_USER = 0, CATEGORY_KERNEL, CATEGORY_JIT, CATEGORY_EVENTS, RESOURCE_LIBRARY = 1,
       PHASE_INSTANT = 0, PHASE_INTERVAL = 1 };

struct firefox_numbers { uint32_t *at; size_t n, cap; };
struct firefox {
	struct lanes lanes;
	struct export_tables t; /* of all threads */
	struct tracks tracks;
	struct json j;
	/* of the thread that is written */
	struct firefox_numbers stack, place, function, mapping, string; /* global numbers, by local ones */
	struct firefox_numbers stack_at, place_at, function_at, mapping_at, string_at; /* and the way back, plus 1 */
	struct firefox_numbers function_file, path; /* function_file: in which mapping a function is, both local */
	const struct export_lane *lane;
	struct str room;
};

static int send(struct exporter *x)
{
	return sink_str(&x->sink, &x->text);
}

static int firefox_begin(struct exporter *x)
{
	struct firefox *f = x->state;
	f->lanes.times = true;
	str_init(&f->room);
	tables_init(&f->t, &x->profile->places, &x->profile->stacks);
	return 0;
}

/* ---- samples and markers come in ---- */

static void add_mark(struct firefox *f, struct export_lane *n, uint64_t from, uint64_t to, const char *name, const char *text)
{
	*vec_push(&n->mark) = (struct lane_mark){ from, to, tables_text(&f->t, name), n->data.len };
	str_add(&n->data, text);
	str_addc(&n->data, '\0');
}

static void add_point(struct firefox *f, struct export_lane *n, const struct track *k, const struct perfdata_record *r)
{
	str_clear(&f->room);
	tp_format_print(k->format, &f->room, r->raw, r->raw_size, r->cpu);
	add_mark(f, n, r->time, r->time, r->event->name, f->room.buf);
}

static void end_call(struct firefox *f, struct export_lane *n, const struct track *k, const struct perfdata_record *r)
{
	char ret[32];
	if (!n->open.n)
		return; /* it began before the recording */
	snprintf(ret, sizeof(ret), "= %lld", (long long)track_number(k, r, CALL_RESULT));
	add_mark(f, n, *vec_last(&n->open), r->time, track_call(k, r), ret);
	n->open.n--;
}

static void add_call(struct firefox *f, struct export_lane *n, const struct perfdata_record *r)
{
	struct sysevent e;
	const char *name;
	char ret[32];
	if (!track_whole_call(r, &e, &name))
		return;
	snprintf(ret, sizeof(ret), "= %lld", (long long)e.ret);
	add_mark(f, n, e.enter_time ? e.enter_time : e.time, e.time, name, e.no_return ? "" : ret);
}

static int firefox_sample(struct exporter *x, const struct export_sample *s)
{
	struct firefox *f = x->state;
	const struct track *k = track_of(&f->tracks, x, s->r->event_index);
	if (k->kind == TRACK_SAMPLE || s->r->n_chain || s->r->stack_size)
		lanes_add(&f->lanes, x, s);
	if (k->kind == TRACK_SAMPLE)
		return 0;
	struct export_lane *n = lanes_of(&f->lanes, x, s, -1);
	if (k->kind == TRACK_ENTER)
		*vec_push(&n->open) = s->r->time;
	else if (k->kind == TRACK_EXIT)
		end_call(f, n, k, s->r);
	else if (k->kind == TRACK_CALL)
		add_call(f, n, s->r);
	else if (s->r->raw)
		add_point(f, n, k, s->r);
	return 0;
}

/* ---- numbers of one thread ---- */

/* The local number of a global one. */
static uint32_t local(struct firefox_numbers *l, struct firefox_numbers *b, uint32_t global)
{
	while (b->n <= global)
		*vec_push(b) = 0;
	if (!b->at[global]) {
		*vec_push(l) = global;
		b->at[global] = l->n;
	}
	return b->at[global] - 1;
}
#define LOCAL(f, what, global) local(&(f)->what, &(f)->what##_at, global)

static void forget(struct firefox_numbers *l, struct firefox_numbers *b)
{
	vec_each(l, g)
		b->at[*g] = 0;
	l->n = 0;
}

/* A caller comes before those that it calls. */
static void take_stack(struct firefox *f, uint32_t stack)
{
	vec_clear(&f->path);
	for (; stack && !(stack < f->stack_at.n && f->stack_at.at[stack]); stack = f->t.stacks->at.at[stack].parent)
		*vec_push(&f->path) = stack;
	for (size_t i = f->path.n; i-- > 0;)
		LOCAL(f, stack, f->path.at[i]);
}

static void take_all(struct firefox *f)
{
	vec_each(&f->lane->sample, s)
		take_stack(f, s->stack);
	for (size_t i = 0; i < f->stack.n; i++)
		LOCAL(f, place, f->t.stacks->at.at[f->stack.at[i]].place);
	for (size_t i = 0; i < f->place.n; i++) {
		const struct place *at = place_at(f->t.places, f->place.at[i]);
		uint32_t mapping = LOCAL(f, mapping, tables_mapping(&f->t, at->dso));
		if (LOCAL(f, function, tables_function(&f->t, at)) == f->function_file.n)
			*vec_push(&f->function_file) = mapping;
	}
	for (size_t i = 0; i < f->function.n; i++) {
		LOCAL(f, string, f->t.function.at[f->function.at[i]].name);
		LOCAL(f, string, f->t.function.at[f->function.at[i]].file);
	}
	for (size_t i = 0; i < f->mapping.n; i++)
		LOCAL(f, string, f->t.mapping.at[f->mapping.at[i]].path);
	vec_each(&f->lane->mark, m)
		LOCAL(f, string, m->name);
}

static void forget_all(struct firefox *f)
{
	forget(&f->stack, &f->stack_at);
	forget(&f->place, &f->place_at);
	forget(&f->function, &f->function_at);
	forget(&f->mapping, &f->mapping_at);
	forget(&f->string, &f->string_at);
	vec_clear(&f->function_file);
}

/* ---- columns ---- */

typedef void add_cell(struct exporter *x, struct firefox *f, size_t i);

static void column(struct exporter *x, const char *name, size_t n, add_cell *add)
{
	struct firefox *f = x->state;
	json_key(&f->j, name);
	json_open(&f->j, '[');
	for (size_t i = 0; i < n; i++)
		add(x, f, i);
	json_close(&f->j, ']');
	send(x);
}

static void open_table(struct firefox *f, const char *name, size_t n)
{
	json_key(&f->j, name);
	json_open(&f->j, '{');
	json_ku64(&f->j, "length", n);
}

static void close_table(struct firefox *f)
{
	json_close(&f->j, '}');
}

#define CELL(name) static void name(struct exporter *x, struct firefox *f, size_t i)
#define UNUSED (void)x, (void)f, (void)i
CELL(cell_null) { UNUSED; json_null(&f->j); }
CELL(cell_zero) { UNUSED; json_u64(&f->j, 0); }
CELL(cell_none) { UNUSED; json_s64(&f->j, -1); }
CELL(cell_false) { UNUSED; json_bool(&f->j, false); }

static double since(const struct exporter *x, uint64_t time)
{
	return x->first == UINT64_MAX || time < x->first ? 0 : (time - x->first) / 1e6;
}

CELL(sample_stack) { (void)x; json_u64(&f->j, LOCAL(f, stack, f->lane->sample.at[i].stack)); }
CELL(sample_time) { json_double(&f->j, since(x, f->lane->sample.at[i].time)); }
CELL(sample_weight)
{
	uint64_t w = f->lane->sample.at[i].weight;
	if (export_clock_unit(&x->event.at[f->lane->event]))
		json_double(&f->j, w / 1e6);
	else
		json_u64(&f->j, w);
}

static const struct place *place_of(struct firefox *f, size_t i)
{
	return place_at(f->t.places, f->place.at[i]);
}

static const struct stack_node *node_of(struct firefox *f, size_t i)
{
	return &f->t.stacks->at.at[f->stack.at[i]];
}

static int category_of(const struct place *at)
{
	return at->level == 'k' ? CATEGORY_KERNEL : at->dso && at->dso->jit ? CATEGORY_JIT : CATEGORY_USER;
}

CELL(stack_prefix)
{
	(void)x;
	if (node_of(f, i)->parent)
		json_u64(&f->j, LOCAL(f, stack, node_of(f, i)->parent));
	else
		json_null(&f->j);
}
CELL(stack_frame) { (void)x; json_u64(&f->j, LOCAL(f, place, node_of(f, i)->place)); }
CELL(stack_category) { (void)x; json_u64(&f->j, category_of(place_at(f->t.places, node_of(f, i)->place))); }
CELL(frame_address) { (void)x; json_u64(&f->j, place_of(f, i)->addr); }
CELL(frame_inlined) { (void)x; json_u64(&f->j, place_of(f, i)->inlined); }
CELL(frame_category) { (void)x; json_u64(&f->j, category_of(place_of(f, i))); }
CELL(frame_function) { (void)x; json_u64(&f->j, LOCAL(f, function, tables_function(&f->t, place_of(f, i)))); }
CELL(frame_line)
{
	(void)x;
	if (place_of(f, i)->lineno)
		json_s64(&f->j, place_of(f, i)->lineno);
	else
		json_null(&f->j);
}
CELL(function_name) { (void)x; json_u64(&f->j, LOCAL(f, string, f->t.function.at[f->function.at[i]].name)); }
CELL(function_file)
{
	(void)x;
	uint32_t file = f->t.function.at[f->function.at[i]].file;
	if (file)
		json_u64(&f->j, LOCAL(f, string, file));
	else
		json_null(&f->j);
}
CELL(function_resource) { (void)x; json_u64(&f->j, f->function_file.at[i]); }
CELL(resource_name) { (void)x; json_u64(&f->j, LOCAL(f, string, f->t.mapping.at[f->mapping.at[i]].path)); }
CELL(resource_type) { UNUSED; json_u64(&f->j, RESOURCE_LIBRARY); }
CELL(string_text) { (void)x; json_strz(&f->j, f->t.string.at[f->string.at[i]]); }
CELL(mark_name) { (void)x; json_u64(&f->j, LOCAL(f, string, f->lane->mark.at[i].name)); }
CELL(mark_start) { json_double(&f->j, since(x, f->lane->mark.at[i].from)); }
CELL(mark_end)
{
	const struct lane_mark *m = &f->lane->mark.at[i];
	if (m->to > m->from)
		json_double(&f->j, since(x, m->to));
	else
		json_null(&f->j);
}
CELL(mark_phase) { (void)x; json_u64(&f->j, f->lane->mark.at[i].to > f->lane->mark.at[i].from ? PHASE_INTERVAL : PHASE_INSTANT); }
CELL(mark_category) { UNUSED; json_u64(&f->j, CATEGORY_EVENTS); }
CELL(mark_data)
{
	(void)x;
	const char *text = f->lane->data.buf + f->lane->mark.at[i].data;
	str_clear(&f->room);
	str_add_safez(&f->room, text);
	json_open(&f->j, '{');
	json_kstr(&f->j, "type", "event");
	json_kstr(&f->j, "text", f->room.buf);
	json_close(&f->j, '}');
}

/* ---- a thread ---- */

static void add_stacks(struct exporter *x, struct firefox *f)
{
	open_table(f, "stackTable", f->stack.n);
	column(x, "prefix", f->stack.n, stack_prefix);
	column(x, "frame", f->stack.n, stack_frame);
	column(x, "category", f->stack.n, stack_category);
	column(x, "subcategory", f->stack.n, cell_zero);
	close_table(f);
	open_table(f, "frameTable", f->place.n);
	column(x, "address", f->place.n, frame_address);
	column(x, "inlineDepth", f->place.n, frame_inlined);
	column(x, "category", f->place.n, frame_category);
	column(x, "subcategory", f->place.n, cell_zero);
	column(x, "func", f->place.n, frame_function);
	column(x, "nativeSymbol", f->place.n, cell_null);
	column(x, "innerWindowID", f->place.n, cell_null);
	column(x, "implementation", f->place.n, cell_null);
	column(x, "line", f->place.n, frame_line);
	column(x, "column", f->place.n, cell_null);
	close_table(f);
}

static void add_functions(struct exporter *x, struct firefox *f)
{
	open_table(f, "funcTable", f->function.n);
	column(x, "name", f->function.n, function_name);
	column(x, "isJS", f->function.n, cell_false);
	column(x, "relevantForJS", f->function.n, cell_false);
	column(x, "resource", f->function.n, function_resource);
	column(x, "fileName", f->function.n, function_file);
	column(x, "lineNumber", f->function.n, cell_null);
	column(x, "columnNumber", f->function.n, cell_null);
	close_table(f);
	open_table(f, "resourceTable", f->mapping.n);
	column(x, "lib", f->mapping.n, cell_null);
	column(x, "name", f->mapping.n, resource_name);
	column(x, "host", f->mapping.n, cell_null);
	column(x, "type", f->mapping.n, resource_type);
	close_table(f);
	open_table(f, "nativeSymbols", 0);
	column(x, "address", 0, cell_none);
	column(x, "functionSize", 0, cell_none);
	column(x, "libIndex", 0, cell_none);
	column(x, "name", 0, cell_none);
	close_table(f);
	column(x, "stringArray", f->string.n, string_text);
}

static void add_samples(struct exporter *x, struct firefox *f)
{
	size_t n = f->lane->sample.n, marks = f->lane->mark.n;
	bool time = f->lane->event >= 0 && export_clock_unit(&x->event.at[f->lane->event]);
	open_table(f, "samples", n);
	json_kstr(&f->j, "weightType", time ? "tracing-ms" : "samples");
	column(x, "stack", n, sample_stack);
	column(x, "time", n, sample_time);
	column(x, "weight", n, sample_weight);
	close_table(f);
	open_table(f, "markers", marks);
	column(x, "name", marks, mark_name);
	column(x, "startTime", marks, mark_start);
	column(x, "endTime", marks, mark_end);
	column(x, "phase", marks, mark_phase);
	column(x, "category", marks, mark_category);
	column(x, "data", marks, mark_data);
	close_table(f);
}

static void add_thread(struct exporter *x, const struct export_lane *n)
{
	struct firefox *f = x->state;
	struct str s = STR_INIT;
	f->lane = n;
	take_all(f);
	json_open(&f->j, '{');
	lane_name(n, x, &s);
	json_kstr(&f->j, "name", s.buf);
	str_clear(&s);
	str_add_safez(&s, n->command);
	json_kstr(&f->j, "processName", s.buf);
	str_clear(&s);
	str_addf(&s, "%d", n->pid);
	json_kstr(&f->j, "pid", s.buf);
	str_release(&s);
	json_kstr(&f->j, "processType", "default");
	json_ks64(&f->j, "tid", n->tid);
	json_kbool(&f->j, "isMainThread", n->pid == n->tid);
	json_ku64(&f->j, "processStartupTime", 0);
	json_kstr(&f->j, "processShutdownTime", NULL);
	json_ku64(&f->j, "registerTime", 0);
	json_kstr(&f->j, "unregisterTime", NULL);
	column(x, "pausedRanges", 0, cell_none);
	add_samples(x, f);
	add_stacks(x, f);
	add_functions(x, f);
	json_close(&f->j, '}');
	forget_all(f);
}

/* ---- the head ---- */

static void add_categories(struct json *j)
{
	static const char *const category[][2] = { { "User", "blue" }, { "Kernel", "orange" }, { "JIT", "green" }, { "Events", "grey" } };
	json_key(j, "categories");
	json_open(j, '[');
	for (size_t i = 0; i < sizeof(category) / sizeof(category[0]); i++) {
		json_open(j, '{');
		json_kstr(j, "name", category[i][0]);
		json_kstr(j, "color", category[i][1]);
		json_key(j, "subcategories");
		json_open(j, '[');
		json_strz(j, "Other");
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void add_strings(struct json *j, const char *key, const char *const *z, size_t n)
{
	json_key(j, key);
	json_open(j, '[');
	for (size_t i = 0; i < n; i++)
		json_strz(j, z[i]);
	json_close(j, ']');
}

static void add_schema(struct json *j)
{
	static const char *const display[] = { "marker-chart", "marker-table" };
	json_key(j, "markerSchema");
	json_open(j, '[');
	json_open(j, '{');
	json_kstr(j, "name", "event");
	json_kstr(j, "tableLabel", "{marker.data.text}");
	add_strings(j, "display", display, 2);
	json_key(j, "data");
	json_open(j, '[');
	json_open(j, '{');
	json_kstr(j, "key", "text");
	json_kstr(j, "label", "Fields");
	json_kstr(j, "format", "string");
	json_kbool(j, "searchable", true);
	json_close(j, '}');
	json_close(j, ']');
	json_close(j, '}');
	json_close(j, ']');
}

static void add_meta(struct exporter *x, struct json *j)
{
	const struct perfdata_info *i = perfdata_info(x->data);
	uint64_t wall = x->samples ? export_wall(x, x->first) : 0;
	json_key(j, "meta");
	json_open(j, '{');
	json_ku64(j, "preprocessedProfileVersion", VERSION);
	json_ku64(j, "version", GECKO_VERSION);
	json_kdouble(j, "startTime", wall ? wall / 1e6 : i->captured_at * 1e3);
	json_ku64(j, "interval", 1);
	json_ku64(j, "processType", 0);
	json_kstr(j, "product", x->o->input);
	json_kstr(j, "importedFrom", "sonde " SONDE_VERSION);
	json_kstr(j, "oscpu", i->osrelease ? i->osrelease : "Linux");
	json_ku64(j, "stackwalk", 1);
	json_kbool(j, "debug", false);
	json_kbool(j, "symbolicated", true);
	json_kbool(j, "symbolicationNotSupported", true);
	json_kbool(j, "usesOnlyOneStackType", true);
	json_kbool(j, "doesNotUseFrameImplementation", true);
	json_kbool(j, "sourceCodeIsNotOnSearchfox", true);
	add_categories(j);
	add_schema(j);
	json_key(j, "extensions");
	json_open(j, '{');
	json_ku64(j, "length", 0);
	add_strings(j, "baseURL", NULL, 0);
	add_strings(j, "id", NULL, 0);
	add_strings(j, "name", NULL, 0);
	json_close(j, '}');
	json_close(j, '}');
}

static int firefox_write(struct exporter *x)
{
	struct firefox *f = x->state;
	json_init(&f->j, &x->text);
	json_open(&f->j, '{');
	add_meta(x, &f->j);
	add_strings(&f->j, "libs", NULL, 0);
	add_strings(&f->j, "pages", NULL, 0);
	json_key(&f->j, "threads");
	json_open(&f->j, '[');
	for (size_t i = 0; i < f->lanes.at.n; i++)
		add_thread(x, f->lanes.at.at[i]);
	json_close(&f->j, ']');
	json_close(&f->j, '}');
	str_addc(&x->text, '\n');
	return send(x);
}

static int firefox_end(struct exporter *x, bool write)
{
	struct firefox *f = x->state;
	int err = write ? firefox_write(x) : 0;
	lanes_release(&f->lanes);
	tracks_release(&f->tracks);
	tables_release(&f->t);
	vec_release(&f->stack);
	vec_release(&f->place);
	vec_release(&f->function);
	vec_release(&f->mapping);
	vec_release(&f->string);
	vec_release(&f->stack_at);
	vec_release(&f->place_at);
	vec_release(&f->function_at);
	vec_release(&f->mapping_at);
	vec_release(&f->string_at);
	vec_release(&f->function_file);
	vec_release(&f->path);
	str_release(&f->room);
	return err;
}

const struct export_format export_firefox = { .name = "firefox", .what = "the Firefox Profiler's profile, packed, for profiler.firefox.com",
	.suffix = "json.gz", .binary = true, .gzip = true, .state = sizeof(struct firefox), .begin = firefox_begin,
	.sample = firefox_sample, .end = firefox_end };
