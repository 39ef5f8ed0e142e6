// SPDX-License-Identifier: GPL-2.0-or-later
/* OpenTelemetry's profiles (v1development): a dictionary of all that is referred to by number, whose entries 0 are nothing,
 * and a profile for each event, since a profile has one kind of value. The bytes are those of ProfilesData in a file and
 * of an export request alike. */
#include "base/version.h"
#include "symbol/file/debugfile.h"
#include "ui/export/formats.h"
#include "ui/export/pb.h"
#include "ui/export/sums.h"
#include "ui/export/tables.h"

/* Field numbers as profiles.proto, resource.proto and common.proto (github.com/open-telemetry/opentelemetry-proto) publish them. */
enum { DATA_RESOURCE = 1, DATA_DICTIONARY = 2 };
enum { RESOURCE_RESOURCE = 1, RESOURCE_SCOPE = 2, RESOURCE_ATTRIBUTE = 1, SCOPE_SCOPE = 1, SCOPE_PROFILE = 2, SCOPE_NAME = 1, SCOPE_VERSION = 2 };
enum { DICT_MAPPING = 1, DICT_LOCATION, DICT_FUNCTION, DICT_LINK, DICT_STRING, DICT_ATTRIBUTE, DICT_STACK };
enum { PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_TIME, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES = 2, SAMPLE_VALUES = 4 };
enum { MAP_START = 1, MAP_LIMIT, MAP_OFFSET, MAP_FILE, MAP_ATTRIBUTES };
enum { LOC_MAP = 1, LOC_ADDRESS, LOC_LINE, LOC_ATTRIBUTES, LINE_FUNCTION = 1, LINE_LINE = 2 };
enum { FUNC_NAME = 1, FUNC_SYSTEM_NAME, FUNC_FILE };
enum { STACK_LOCATIONS = 1 };
enum { ATTR_KEY = 1, ATTR_VALUE = 2, VALUE_STRING = 1, VALUE_INT = 3 }; /* of the dictionary's, and of a resource's */

struct otlp_attribute { uint32_t key, text; int64_t number; };
struct otlp {
	struct export_sums sums;
	struct export_tables t;
	VEC(struct otlp_attribute) attribute;
	struct idmap attributes, stacks;
	VEC(uint32_t) stack; /* by its number in the dictionary */
	VEC(uint32_t) path;
	uint32_t kernel, native; /* attributes of locations */
};

static int otlp_sample(struct exporter *x, const struct export_sample *s)
{
	struct otlp *o = x->state;
	sums_add(&o->sums, x, s);
	return 0;
}

/* The number of an attribute; text NULL: it is a number. */
static uint32_t attribute(struct otlp *o, const char *key, const char *text, int64_t number)
{
	struct otlp_attribute a = { tables_text(&o->t, key), text ? tables_text(&o->t, text) : 0, text ? 0 : number };
	uint64_t hash = idmap_mix((uint64_t)a.key << 32 | a.text, idmap_mix(a.number, text != NULL));
	uint32_t *id = idmap_at(&o->attributes, hash ? hash : 1);
	if (!*id) {
		*id = o->attribute.n;
		*vec_push(&o->attribute) = a;
	}
	return *id;
}

static uint32_t stack_number(struct otlp *o, uint32_t stack)
{
	uint32_t *id = idmap_at(&o->stacks, stack);
	if (!*id) {
		*id = o->stack.n;
		*vec_push(&o->stack) = stack;
	}
	return *id;
}

static void otlp_init(struct exporter *x, struct otlp *o)
{
	tables_init(&o->t, &x->profile->places, &x->profile->stacks);
	vec_push(&o->attribute);
	vec_push(&o->stack);
	o->kernel = attribute(o, "profile.frame.type", "kernel", 0);
	o->native = attribute(o, "profile.frame.type", "native", 0);
}

/* ---- the profiles ---- */

static void add_type(struct otlp *o, struct str *s, unsigned field, const struct export_event *e)
{
	size_t at = pb_open(s, field);
	pb_num(s, TYPE_NAME, tables_text(&o->t, e->name));
	pb_num(s, TYPE_UNIT, tables_text(&o->t, e->unit));
	pb_close(s, at);
}

static void add_sample(struct otlp *o, struct str *s, const struct export_sum *sum)
{
	const struct export_who *w = &o->sums.who.at[sum->who];
	size_t at = pb_open(s, PROFILE_SAMPLE), list;
	pb_u64(s, SAMPLE_STACK, stack_number(o, sum->stack));
	list = pb_open(s, SAMPLE_ATTRIBUTES);
	pb_varint(s, attribute(o, "thread.name", w->comm, 0));
	pb_varint(s, attribute(o, "thread.id", NULL, w->tid));
	pb_varint(s, attribute(o, "process.pid", NULL, w->pid));
	pb_varint(s, attribute(o, "process.executable.name", w->command, 0));
	if (w->cpu >= 0)
		pb_varint(s, attribute(o, "cpu.logical_number", NULL, w->cpu));
	pb_close(s, list);
	list = pb_open(s, SAMPLE_VALUES);
	pb_varint(s, sum->weight);
	pb_close(s, list);
	pb_close(s, at);
}

static void add_profile(struct exporter *x, struct otlp *o, int event)
{
	const struct export_event *e = &x->event.at[event];
	const struct perf_event_attr *a = &perfdata_event_at(x->data, event)->attr;
	uint64_t wall = export_wall(x, x->first);
	struct str *s = &x->text;
	size_t at = pb_open(s, SCOPE_PROFILE);
	add_type(o, s, PROFILE_TYPE, e);
	vec_each(&o->sums.sum, sum)
		if (sum->event == event)
			add_sample(o, s, sum);
	pb_fixed64(s, PROFILE_TIME, wall ? wall : perfdata_info(x->data)->captured_at * 1000000000);
	pb_u64(s, PROFILE_DURATION, x->last - x->first);
	add_type(o, s, PROFILE_PERIOD_TYPE, e);
	pb_num(s, PROFILE_PERIOD, !a->freq ? a->sample_period : a->sample_freq && export_clock_unit(e) ? 1000000000 / a->sample_freq : 1);
	pb_close(s, at);
}

static void add_resource_text(struct str *s, const char *key, const char *text)
{
	if (!text)
		return;
	size_t at = pb_open(s, RESOURCE_ATTRIBUTE);
	pb_text(s, ATTR_KEY, key);
	size_t value = pb_open(s, ATTR_VALUE);
	pb_text(s, VALUE_STRING, text);
	pb_close(s, value);
	pb_close(s, at);
}

static int add_profiles(struct exporter *x, struct otlp *o)
{
	const struct perfdata_info *i = perfdata_info(x->data);
	struct str *s = &x->text;
	size_t resources = pb_open(s, DATA_RESOURCE), at = pb_open(s, RESOURCE_RESOURCE);
	add_resource_text(s, "service.name", "sonde");
	add_resource_text(s, "host.name", i->hostname);
	add_resource_text(s, "host.arch", i->arch);
	add_resource_text(s, "os.type", "linux");
	add_resource_text(s, "os.version", i->osrelease);
	pb_close(s, at);
	size_t scope = pb_open(s, RESOURCE_SCOPE);
	at = pb_open(s, SCOPE_SCOPE);
	pb_text(s, SCOPE_NAME, "sonde");
	pb_text(s, SCOPE_VERSION, SONDE_VERSION);
	pb_close(s, at);
	for (size_t k = 0; k < x->event.n; k++)
		if (x->event.at[k].samples)
			add_profile(x, o, k);
	pb_close(s, scope);
	pb_close(s, resources);
	return sink_str(&x->sink, s);
}

/* ---- the dictionary ---- */

static void add_numbers(struct str *s, unsigned field, const uint32_t *v, size_t n)
{
	size_t at = pb_open(s, field);
	for (size_t i = 0; i < n; i++)
		pb_varint(s, v[i]);
	pb_close(s, at);
}

/* Stacks first: they bring the locations. */
static void add_stacks(struct otlp *o, struct str *s)
{
	pb_close(s, pb_open(s, DICT_STACK));
	for (size_t i = 1; i < o->stack.n; i++) {
		uint32_t n = stack_depth(o->t.stacks, o->stack.at[i]);
		while (o->path.n < n)
			vec_push(&o->path);
		n = tables_stack(&o->t, o->stack.at[i], o->path.at);
		size_t at = pb_open(s, DICT_STACK);
		add_numbers(s, STACK_LOCATIONS, o->path.at, n);
		pb_close(s, at);
	}
}

static void add_mappings(struct otlp *o, struct str *s)
{
	pb_close(s, pb_open(s, DICT_MAPPING));
	for (size_t i = 1; i < o->t.mapping.n; i++) {
		const struct table_mapping *m = &o->t.mapping.at[i];
		size_t at = pb_open(s, DICT_MAPPING);
		pb_u64(s, MAP_LIMIT, m->limit);
		pb_num(s, MAP_FILE, m->path);
		if (m->build_id) {
			uint32_t id = attribute(o, "process.executable.build_id.gnu", o->t.string.at[m->build_id], 0);
			add_numbers(s, MAP_ATTRIBUTES, &id, 1);
		}
		pb_close(s, at);
	}
}

static void add_locations(struct otlp *o, struct str *s)
{
	pb_close(s, pb_open(s, DICT_LOCATION));
	for (size_t i = 1; i < o->t.location.n; i++) {
		const struct table_location *l = &o->t.location.at[i];
		size_t at = pb_open(s, DICT_LOCATION);
		pb_num(s, LOC_MAP, l->mapping);
		pb_num(s, LOC_ADDRESS, l->address);
		for (uint32_t k = 0; k < l->n_lines; k++) {
			size_t line = pb_open(s, LOC_LINE);
			pb_u64(s, LINE_FUNCTION, o->t.line.at[l->line + k].function);
			pb_num(s, LINE_LINE, o->t.line.at[l->line + k].line);
			pb_close(s, line);
		}
		add_numbers(s, LOC_ATTRIBUTES, l->kernel ? &o->kernel : &o->native, 1);
		pb_close(s, at);
	}
}

static void add_functions(struct otlp *o, struct str *s)
{
	pb_close(s, pb_open(s, DICT_FUNCTION));
	for (size_t i = 1; i < o->t.function.n; i++) {
		const struct table_function *f = &o->t.function.at[i];
		size_t at = pb_open(s, DICT_FUNCTION);
		pb_num(s, FUNC_NAME, f->name);
		pb_num(s, FUNC_SYSTEM_NAME, f->name);
		pb_num(s, FUNC_FILE, f->file);
		pb_close(s, at);
	}
	pb_close(s, pb_open(s, DICT_LINK));
}

static void add_attributes(struct otlp *o, struct str *s)
{
	pb_close(s, pb_open(s, DICT_ATTRIBUTE));
	for (size_t i = 1; i < o->attribute.n; i++) {
		const struct otlp_attribute *a = &o->attribute.at[i];
		size_t at = pb_open(s, DICT_ATTRIBUTE), value;
		pb_u64(s, ATTR_KEY, a->key);
		value = pb_open(s, ATTR_VALUE);
		if (a->text)
			pb_bytes(s, VALUE_STRING, o->t.string.at[a->text], strlen(o->t.string.at[a->text]));
		else
			pb_u64(s, VALUE_INT, a->number);
		pb_close(s, value);
		pb_close(s, at);
	}
}

static int add_dictionary(struct exporter *x, struct otlp *o)
{
	struct str *s = &x->text;
	size_t at = pb_open(s, DATA_DICTIONARY);
	add_stacks(o, s);
	add_locations(o, s);
	add_functions(o, s);
	add_mappings(o, s);
	add_attributes(o, s);
	vec_each(&o->t.string, z)
		pb_bytes(s, DICT_STRING, *z, strlen(*z));
	pb_close(s, at);
	return sink_str(&x->sink, s);
}

static int otlp_end(struct exporter *x, bool write)
{
	struct otlp *o = x->state;
	int err = 0;
	otlp_init(x, o);
	if (write)
		err = add_profiles(x, o) ?: add_dictionary(x, o);
	tables_release(&o->t);
	sums_release(&o->sums);
	vec_release(&o->attribute);
	vec_release(&o->stack);
	vec_release(&o->path);
	idmap_release(&o->attributes);
	idmap_release(&o->stacks);
	return err;
}

const struct export_format export_otlp = { .name = "otlp", .what = "OpenTelemetry's profiles (v1development), as protobuf",
	.suffix = "pb", .binary = true, .pushed = true, .state = sizeof(struct otlp), .sample = otlp_sample, .end = otlp_end };
