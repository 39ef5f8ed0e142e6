// SPDX-License-Identifier: GPL-2.0-or-later
/* The Common Trace Format 1.8: a folder with a text, "metadata", which describes the binary streams beside it, one for each
 * CPU. A stream is packets that begin with how large they are and which times they span; what is in a packet is packed
 * without gaps, little-endian. Streams are written a packet at a time, so that memory is a packet for each CPU. */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/version.h"
#include "ui/export/formats.h"
#include "ui/export/tracks.h"
#include "ui/export/walked.h"

enum { MAGIC = 0xc1fc1fc1, HEAD = 8 + 4 * 8 + 8 + 4 /* of a packet */, PACKET = 128 << 10, MOST_STREAMS = 1024 };

struct ctf_stream { int cpu; bool made; uint64_t begin, end; struct str text; };
struct ctf {
	struct tracks tracks;
	VEC(struct ctf_stream) stream;
	struct idmap index; /* CPU + 2 to stream */
	uint64_t lost;
};

static void put(struct str *s, uint64_t v, size_t bytes)
{
	v = htole64(v);
	str_add_bytes(s, &v, bytes);
}

static void put_text(struct str *s, const char *z)
{
	str_add_safez(s, z ? z : "");
	str_addc(s, '\0');
}

/* ---- streams ---- */

static int ctf_begin(struct exporter *x)
{
	int err = path_trusted(x->o->output);
	if (err || !mkdir(x->o->output, geteuid() ? 0777 : 0700))
		return err;
	if (errno != EEXIST)
		return error_sys(errno, "cannot make the folder %s", x->o->output);
	error_set(EEXIST, "%s is there already", x->o->output);
	return error_hint("a trace is a folder of its own: choose another name, or remove it");
}

static int append(const struct exporter *x, const char *name, struct str *text, bool more)
{
	struct out out;
	char *path = xasprintf("%s/%s", x->o->output, name);
	int err = out_open(&out, path, more);
	if (!err) {
		out_str(&out, text);
		err = out_close(&out);
	}
	free(path);
	return err;
}

static int write_packet(struct exporter *x, struct ctf_stream *t)
{
	struct ctf *c = x->state;
	struct str s = STR_INIT;
	char name[40];
	uint64_t bits = (HEAD + t->text.len) * 8;
	put(&s, MAGIC, 4);
	put(&s, 0, 4);
	put(&s, t->begin, 8);
	put(&s, t->end, 8);
	put(&s, bits, 8);
	put(&s, bits, 8);
	put(&s, c->lost, 8);
	put(&s, (uint32_t)t->cpu, 4);
	str_add_bytes(&s, t->text.buf, t->text.len);
	str_clear(&t->text);
	snprintf(name, sizeof(name), "cpu%d", t->cpu);
	int err = append(x, t->cpu < 0 ? "nowhere" : name, &s, t->made);
	t->made = true;
	str_release(&s);
	return err;
}

static struct ctf_stream *stream_of(struct ctf *c, const struct perfdata_record *r)
{
	int cpu = r->cpu >= 0 && (c->stream.n < MOST_STREAMS || idmap_get(&c->index, (uint64_t)r->cpu + 2)) ? r->cpu : -1;
	uint32_t *id = idmap_at(&c->index, (uint64_t)(cpu + 2));
	if (!*id) {
		*vec_push(&c->stream) = (struct ctf_stream){ .cpu = cpu, .text = STR_INIT };
		*id = c->stream.n;
	}
	return &c->stream.at[*id - 1];
}

/* ---- events ---- */

/* A number that CTF has a type for; else it is bytes. */
static bool is_number(const struct tp_field *fd)
{
	return fd->kind == TP_NUMBER && (fd->size == 1 || fd->size == 2 || fd->size == 4 || fd->size == 8);
}

static void put_fields(struct str *s, const struct track *k, const struct perfdata_record *r)
{
	size_t n = 0, len;
	const struct tp_field *fd = k->format ? tp_format_fields(k->format, &n) : NULL;
	for (size_t i = 0; i < n; i++, fd++) {
		if (fd->common)
			continue;
		if (is_number(fd)) {
			put(s, tp_field_number(fd, r->raw, r->raw_size), fd->size);
			continue;
		}
		const char *p = tp_field_bytes(fd, r->raw, r->raw_size, &len);
		if (fd->kind == TP_STRING) {
			str_add_safe(s, p, len);
			str_addc(s, '\0');
		} else {
			put(s, len, 4);
			str_add_bytes(s, p, len);
		}
	}
}

static void put_chain(struct exporter *x, struct str *s, const struct perfdata_record *r)
{
	struct frame frame[CALLCHAIN_MAX];
	int n = export_walked(x, r, frame);
	put(s, n, 4);
	for (int i = 0; i < n; i++)
		put(s, frame[i].ip, 8);
	put(s, n, 4);
	for (int i = 0; i < n; i++)
		put_text(s, frame[i].sym ? frame[i].sym : frame[i].dso ? frame[i].dso->name : "");
}

static int ctf_sample(struct exporter *x, const struct export_sample *sample)
{
	struct ctf *c = x->state;
	const struct perfdata_record *r = sample->r;
	const struct track *k = track_of(&c->tracks, x, r->event_index);
	struct ctf_stream *t = stream_of(c, r);
	struct str *s = &t->text;
	if (!s->len)
		t->begin = r->time;
	t->end = r->time;
	put(s, r->event_index, 4);
	put(s, r->time, 8);
	put(s, r->ip, 8);
	put(s, (uint32_t)sample->t->pid, 4);
	put(s, (uint32_t)sample->t->tid, 4);
	put_text(s, sample->t->comm);
	put(s, r->period, 8);
	put_chain(x, s, r);
	put_fields(s, k, r->raw ? r : &(struct perfdata_record){ .raw = "" });
	return s->len >= PACKET ? write_packet(x, t) : 0;
}

static int ctf_record(struct exporter *x, const struct perfdata_record *r)
{
	struct ctf *c = x->state;
	(void)r;
	c->lost = perfdata_lost(x->data);
	return 0;
}

/* ---- metadata ---- */

static void add_string(struct str *s, const char *z)
{
	str_addc(s, '"');
	str_add_slashed(s, z ? z : "");
	str_addc(s, '"');
}

static void add_env(struct exporter *x, struct str *s)
{
	const struct perfdata_info *i = perfdata_info(x->data);
	struct { const char *key, *value; } env[] = { { "tracer_name", "sonde" }, { "tracer_version", SONDE_VERSION }, { "sysname", "Linux" },
		{ "hostname", i->hostname }, { "release", i->osrelease }, { "machine", i->arch } };
	str_add(s, "env {\n");
	for (size_t k = 0; k < sizeof(env) / sizeof(env[0]); k++) {
		str_addf(s, "\t%s = ", env[k].key);
		add_string(s, env[k].value);
		str_add(s, ";\n");
	}
	str_add(s, "};\n");
}

static void add_head(struct exporter *x, struct str *s)
{
	str_add(s, "/* CTF 1.8 */\n");
	for (int bits = 8; bits <= 64; bits *= 2)
		str_addf(s, "typealias integer { size = %d; align = 8; signed = false; } := uint%d_t;\n"
			    "typealias integer { size = %d; align = 8; signed = true; } := int%d_t;\n"
			    "typealias integer { size = %d; align = 8; signed = false; base = 16; } := hex%d_t;\n", bits, bits, bits, bits, bits, bits);
	str_add(s, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n"
		   "\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n};\n");
	add_env(x, s);
	/* whole seconds, and the rest in ns */
	uint64_t wall = export_wall(x, 0);
	str_addf(s, "clock {\n\tname = perf_clock;\n\tfreq = 1000000000;\n\toffset_s = %" PRIu64 ";\n\toffset = %" PRIu64 ";\n};\n",
		 wall / 1000000000, wall % 1000000000);
	str_add(s, "typealias integer { size = 64; align = 8; signed = false; map = clock.perf_clock.value; } := perf_time_t;\n"
		   "stream {\n\tid = 0;\n\tpacket.context := struct {\n\t\tperf_time_t timestamp_begin;\n\t\tperf_time_t timestamp_end;\n"
		   "\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n\t\tuint64_t events_discarded;\n\t\tint32_t cpu_id;\n\t};\n"
		   "\tevent.header := struct { uint32_t id; perf_time_t timestamp; };\n};\n");
}

/* Names of fields as identifiers, with an underscore in front, which readers take off again: so none is a keyword. */
static void add_field(struct str *s, const char *type, const char *name, size_t number)
{
	str_addf(s, "\t\t%s _", type);
	for (const char *c = name; *c; c++)
		str_addc(s, (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ? *c : '_');
	if (!*name)
		str_addf(s, "%zu", number);
}

static void add_fields(struct str *s, const struct track *k)
{
	size_t n = 0;
	char type[32];
	const struct tp_field *fd = k->format ? tp_format_fields(k->format, &n) : NULL;
	for (size_t i = 0; i < n; i++, fd++) {
		if (fd->common)
			continue;
		if (is_number(fd)) {
			snprintf(type, sizeof(type), "%s%u_t", fd->pointer ? "hex" : fd->is_signed ? "int" : "uint", fd->size * 8);
			add_field(s, type, fd->name, i);
		} else if (fd->kind == TP_STRING) {
			add_field(s, "string", fd->name, i);
		} else {
			str_addf(s, "\t\tuint32_t __length%zu;\n", i);
			add_field(s, "hex8_t", fd->name, i);
			str_addf(s, "[__length%zu]", i);
		}
		str_add(s, ";\n");
	}
}

static void add_event(struct exporter *x, struct str *s, int event)
{
	struct ctf *c = x->state;
	const struct export_event *e = export_event_of(x, event);
	const struct track *k = track_of(&c->tracks, x, event);
	str_add(s, "event {\n\tname = ");
	add_string(s, perfdata_event_at(x->data, event)->name);
	str_addf(s, ";\n\tid = %d;\n\tstream_id = 0;\n\tfields := struct {\n\t\thex64_t perf_ip;\n\t\tint32_t perf_pid;\n\t\tint32_t perf_tid;\n"
		    "\t\tstring perf_comm;\n\t\tuint64_t perf_period; /* %s */\n\t\tuint32_t perf_callchain_size;\n"
		    "\t\thex64_t perf_callchain[perf_callchain_size];\n\t\tuint32_t perf_symbols_size;\n"
		    "\t\tstring perf_symbols[perf_symbols_size];\n", event, e->unit);
	add_fields(s, k);
	str_add(s, "\t};\n};\n");
}

static int ctf_write(struct exporter *x)
{
	struct ctf *c = x->state;
	int err = 0;
	for (size_t i = 0; i < c->stream.n && !err; i++)
		if (c->stream.at[i].text.len)
			err = write_packet(x, &c->stream.at[i]);
	add_head(x, &x->text);
	for (size_t i = 0; i < x->event.n; i++)
		if (x->event.at[i].samples)
			add_event(x, &x->text, i);
	return err ? err : append(x, "metadata", &x->text, false);
}

static int ctf_end(struct exporter *x, bool write)
{
	struct ctf *c = x->state;
	int err = write ? ctf_write(x) : 0;
	vec_each(&c->stream, t)
		str_release(&t->text);
	vec_release(&c->stream);
	idmap_release(&c->index);
	tracks_release(&c->tracks);
	return err;
}

const struct export_format export_ctf = { .name = "ctf", .what = "a folder in the Common Trace Format 1.8, for babeltrace2, Trace Compass",
	.suffix = "ctf", .folder = true, .state = sizeof(struct ctf), .begin = ctf_begin, .sample = ctf_sample, .record = ctf_record,
	.end = ctf_end };
