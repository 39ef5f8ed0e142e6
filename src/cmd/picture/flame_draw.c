// SPDX-License-Identifier: GPL-2.0-or-later
/* Folds first, then the tree, then the file. A fold of a recording needs it open, so the picture is drawn inside of
 * reading_run; of two recordings inside of the second's, which is run inside of the first's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "analysis/recorded.h"
#include "base/error.h"
#include "base/file.h"
#include "cmd/picture/flame.h"
#include "job/flame.h"
#include "tracedat/reader.h"

enum { SPANS = 300, NODES_MAX = 2000000 };

struct drawing {
	struct flame_cmd *c;
	struct reading *reading; /* the one under way */
	struct stackfold *fold[2]; /* [1]: before */
	int n, want; /* folds there are; that there are to be */
	int err;
};

/* ---- forms ---- */

enum flame_form flame_form_of(const char *word)
{
	static const char *const words[] = { [FLAME_FORM_NONE] = "", [FLAME_FORM_SVG] = "svg", [FLAME_FORM_HTML] = "html",
					     [FLAME_FORM_FOLDED] = "folded" };
	for (size_t i = 1; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(words[i], word))
			return i;
	return FLAME_FORM_NONE;
}

enum flame_form flame_form_of_name(const char *path)
{
	const char *dot = strrchr(path, '.');
	if (!strcmp(path, "-"))
		return FLAME_FORM_SVG;
	if (dot && (!strcasecmp(dot, ".txt") || !strcasecmp(dot, ".collapsed")))
		return FLAME_FORM_FOLDED;
	return dot && !strcasecmp(dot, ".htm") ? FLAME_FORM_HTML : dot ? flame_form_of(dot + 1) : FLAME_FORM_NONE;
}

/* ---- what is drawn ---- */

/* The event that a fold is drawn of; -1: pending error. */
static int choose_event(struct flame_cmd *c, const struct stackfold *f, const char *word)
{
	int event = word ? stackfold_event(f, word) : -1;
	if (word && event < 0 && !f->profile)
		event = 0;
	for (size_t i = 0; !word && event < 0 && i < f->event.n; i++)
		if (f->event.at[i].weight)
			event = i;
	if (word && event < 0) {
		error_set(ENODATA, "the recording has no event %s", word);
		if (strcmp(word, "offcpu-time"))
			error_hint("sonde evlist -i FILE lists its events");
		else
			error_hint("record with --off-cpu, or straight: sonde flame --off-cpu -p PID sleep 5");
	} else if (event < 0 || !f->event.at[event].weight) {
		error_set(ENODATA, "there are no samples to draw%s", c->in.filter.times.n || c->in.filter.comms.n || c->in.filter.pids.n ||
			  c->in.filter.tids.n || c->in.filter.cpus.n || c->in.symbols.n ? ": the choice of samples leaves none" : "");
		c->nothing = c->recorded;
		return -1;
	}
	return event;
}

static const char *wanted_event(const struct flame_cmd *c)
{
	return c->event.n ? c->event.at[0] : c->off_cpu ? "offcpu-time" : NULL;
}

static bool is_waiting(const struct stackfold *f, int event)
{
	return !strcmp(f->event.at[event].unit, "ms blocked");
}

static int pick_one(const struct drawing *d, struct flame_source *s, size_t *n)
{
	struct flame_cmd *c = d->c;
	int event = choose_event(c, d->fold[0], wanted_event(c));
	if (event < 0)
		return error_code();
	s[(*n)++] = (struct flame_source){ .fold = d->fold[0], .event = event, .waiting = is_waiting(d->fold[0], event) };
	return 0;
}

/* One of them may be all there is; make_note() tells. */
static int pick_hot_and_cold(const struct drawing *d, struct flame_source *s, size_t *n)
{
	const struct stackfold *f = d->fold[0];
	int cold = stackfold_event(f, "offcpu-time");
	int hot = choose_event(d->c, f, cold < 0 ? "offcpu-time" : d->c->event.n ? d->c->event.at[0] : NULL);
	if (cold < 0 || hot < 0)
		return error_code();
	bool waited = f->event.at[cold].weight;
	if (hot != cold && waited && f->event.at[hot].scale != f->event.at[cold].scale) {
		error_set(EINVAL, "%s does not measure time, so it does not go into one picture with waits", f->event.at[hot].name);
		return error_hint("record -e cpu-clock --off-cpu -g, or straight: sonde flame --hot-cold -e cpu-clock -p PID sleep 5");
	}
	if (hot != cold)
		s[(*n)++] = (struct flame_source){ .fold = f, .event = hot, .root = "on CPU" };
	if (waited)
		s[(*n)++] = (struct flame_source){ .fold = f, .event = cold, .root = "off CPU", .waiting = true };
	return 0;
}

/* Two weights a line of text are a comparison as well. */
static int pick_two(const struct drawing *d, struct flame_source *s, size_t *n)
{
	const struct stackfold *now = d->fold[0], *before = d->fold[1] ? d->fold[1] : d->fold[0];
	int a = d->fold[1] ? choose_event(d->c, before, wanted_event(d->c)) : 0;
	int b = a < 0 ? -1 : d->fold[1] ? choose_event(d->c, now, wanted_event(d->c)) : 1;
	if (a < 0 || b < 0)
		return error_code();
	const struct fold_event *was = &before->event.at[a], *is = &now->event.at[b];
	if (strcmp(was->unit, is->unit)) {
		error_set(EINVAL, "the first counts %s, the second %s: that is no comparison", was->unit, is->unit);
		return error_hint("--event NAME chooses an event that both have");
	}
	double scale = was->scale / is->scale;
	if (d->c->normalize && was->weight)
		scale = (double)is->weight / was->weight;
	s[(*n)++] = (struct flame_source){ .fold = now, .event = b, .waiting = is_waiting(now, b) };
	s[(*n)++] = (struct flame_source){ .fold = before, .event = a, .waiting = is_waiting(before, a), .before = true,
					   .factor = scale == 1 ? 0 : scale };
	return 0;
}

/* ---- the words around it ---- */

static void add_note(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_note(struct str *s, const char *fmt, ...)
{
	va_list ap;
	if (s->len)
		str_add(s, "; ");
	va_start(ap, fmt);
	str_vaddf(s, fmt, ap);
	va_end(ap);
}

static void make_note(struct str *s, const struct drawing *d, const struct flame_source *src, size_t n, const struct flame_tree *t)
{
	const struct stackfold *f = d->fold[0], *before = d->fold[1];
	double total = t->node.at[0].total;
	if (t->cut_nodes)
		add_note(s, "%llu frames below %.2g %% are cut, with the ends of stacks that are %.*f %% of the weight (--all keeps them)",
			 (unsigned long long)t->cut_nodes, t->limit * 100 / total, t->cut * 1000 < total ? 3 : 1, t->cut * 100 / total);
	if (f->lost)
		add_note(s, "%llu events were lost while recording", (unsigned long long)f->lost);
	if (before && before->lost)
		add_note(s, "%llu events were lost while the first was recorded", (unsigned long long)before->lost);
	if (f->profile && !recorded_has_chains(f->profile->data))
		add_note(s, "the recording has no call chains: record with -g for stacks");
	if (f->truncated)
		add_note(s, "%llu stacks were cut where the copied memory ended", (unsigned long long)f->truncated);
	if (f->unread)
		add_note(s, "%llu lines were no stacks", (unsigned long long)f->unread);
	for (size_t i = 0; f->profile && i < f->event.n; i++) {
		bool drawn = false;
		for (size_t k = 0; k < n; k++)
			drawn |= src[k].event == (int)i && src[k].fold == f;
		if (!drawn && f->event.at[i].weight)
			add_note(s, "--event %s draws another event", f->event.at[i].name);
	}
	if (d->c->hot_cold && n == 1)
		add_note(s, src->waiting ? "nothing was sampled on a CPU: only waits are drawn (-F 999 samples more often)" : "no wait ended meanwhile: there is no cold part");
	if (d->c->diff && d->c->normalize)
		add_note(s, "the first is scaled to the total of the second (--no-normalize: as it is)");
}

static char *make_title(const struct flame_cmd *c, const struct flame_source *src, size_t n)
{
	const char *event = src->fold->event.at[src->event].name;
	if (c->title)
		return xstrdup(c->title);
	if (c->diff)
		return xasprintf("Flame graph: what changed from %s to %s", c->before_file ? c->before_file : "the first", c->in.input);
	if (n > 1)
		return xstrdup("Flame graph: on and off the CPU");
	if (src->waiting)
		return xstrdup("Flame graph: off the CPU");
	return src->fold->keyed ? xasprintf("%s: %s", c->chart ? "Flame chart" : "Flame graph", event) : xstrdup(c->chart ? "Flame chart" : "Flame graph");
}

static void say_done(const struct drawing *d, const struct flame_source *src, const struct flame_picture *p)
{
	struct str s = STR_INIT;
	uint64_t samples = src->fold->event.at[src->event].samples;
	flame_amount(&s, p->t->node.at[0].total, p->scale);
	str_addc(&s, ' ');
	str_add_safez(&s, p->unit);
	if (src->fold->profile && strcmp(p->unit, "samples"))
		str_addf(&s, ", %llu samples", (unsigned long long)samples);
	str_add(&s, " in ");
	str_add_safez(&s, d->c->output);
	fprintf(stderr, "[ sonde flame: %s ]\n", s.buf);
	str_clear(&s);
	if (p->note) {
		str_add_safez(&s, p->note);
		fprintf(stderr, "[ sonde flame: %s ]\n", s.buf);
	}
	if (strcmp(d->c->output, "-"))
		file_say_private(d->c->output);
	str_release(&s);
}

/* ---- drawing ---- */

static int write_picture(const struct drawing *d, const struct flame_picture *p)
{
	struct out o;
	int err = out_open(&o, d->c->output, false);
	if (err)
		return err;
	switch (d->c->form) {
	case FLAME_FORM_SVG: flame_svg(p, &o); break;
	case FLAME_FORM_FOLDED: flame_folded(p, &o); break;
	default: flame_html(p, &o);
	}
	return out_close(&o);
}

static struct flame_shape make_shape(const struct drawing *d, const struct flame_source *src, size_t n)
{
	const struct flame_cmd *c = d->c;
	bool html = c->form == FLAME_FORM_HTML, keys = d->fold[0]->keyed;
	enum flame_by by = c->by_given ? c->by : !keys ? FLAME_BY_NONE : c->chart ? FLAME_BY_THREAD : FLAME_BY_COMM;
	/* Below a tenth of a pixel nothing is seen in SVG, so less is not cut for that. */
	double min = c->min > 0 ? c->min / 100 : html ? 0 : FLAME_MIN;
	return (struct flame_shape){ .source = src, .n_source = n, .by = by, .reverse = c->reverse, .chart = c->chart,
		.all = c->all || c->form == FLAME_FORM_FOLDED, .min = min, .max_nodes = NODES_MAX, .rows = html && keys && n == 1 && !c->chart };
}

static int draw(struct drawing *d)
{
	struct flame_cmd *c = d->c;
	struct flame_source src[2];
	size_t n = 0;
	bool two = c->diff || (!d->fold[0]->profile && d->fold[0]->event.n > 1);
	int err = c->hot_cold ? pick_hot_and_cold(d, src, &n) : two ? pick_two(d, src, &n) : pick_one(d, src, &n);
	if (!err && !d->fold[0]->keyed && c->by_given && c->by != FLAME_BY_NONE) {
		err = error_set(EINVAL, "--by: folded text does not tell threads and CPUs");
		error_hint("its outermost frames may: stackcollapse-perf.pl puts the command there");
	}
	if (err)
		return err;
	struct flame_shape shape = make_shape(d, src, n);
	struct flame_tree *t = flame_tree_new(&shape);
	struct str note = STR_INIT;
	const struct fold_event *e = &src->fold->event.at[src->event];
	char *title = make_title(c, src, n);
	make_note(&note, d, src, n, t);
	struct flame_picture p = { .t = t, .title = title, .unit = c->hot_cold ? "ms" : e->unit, .scale = e->scale, .note = note.len ? note.buf : NULL,
		.colours = c->colours, .width = c->width, .inverted = c->inverted, .compared = two, .chart = c->chart };
	err = write_picture(d, &p);
	if (!err && !c->quiet)
		say_done(d, src, &p);
	free(title);
	str_release(&note);
	flame_tree_free(t);
	return err;
}

/* ---- reading ---- */

static int read_next(struct drawing *d);

enum flame_file { FLAME_FILE_RECORDING, FLAME_FILE_TEXT, FLAME_FILE_TRACEDAT };

static bool is_standard_input(const char *path)
{
	struct stat st;
	return path ? !strcmp(path, "-") : !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode);
}

/* What standard input begins with, which stays there to be read. */
static ssize_t peek_input(char *b, size_t n)
{
	int copy[2];
	off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (at >= 0)
		return pread(STDIN_FILENO, b, n, at);
	if (pipe2(copy, O_CLOEXEC))
		return 0;
	ssize_t got = tee(STDIN_FILENO, copy[1], n, 0);
	if (got > 0)
		got = read(copy[0], b, got);
	close(copy[0]);
	close(copy[1]);
	return got;
}

static ssize_t peek_file(const char *path, char *b, size_t n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = fd < 0 ? 0 : read(fd, b, n);
	if (fd >= 0)
		close(fd);
	return got;
}

/* Text has neither a NUL nor what recordings begin with. path NULL: perf.data. */
static enum flame_file kind_of_file(const char *path)
{
	char b[512];
	bool input = is_standard_input(path);
	ssize_t n = input ? peek_input(b, sizeof(b)) : path ? peek_file(path, b, sizeof(b)) : 0;
	if (n > 0 && !input && tracedat_is(b, n))
		return FLAME_FILE_TRACEDAT;
	return n > 0 && !memchr(b, 0, n) && memcmp(b, "PERF", 4) && memcmp(b, "\x28\xb5\x2f\xfd", 4) ? FLAME_FILE_TEXT : FLAME_FILE_RECORDING;
}

static int have_fold(struct drawing *d, struct stackfold *f)
{
	if (!f)
		return error_code() ? error_code() : -EINVAL;
	d->fold[d->want - 1 - d->n] = f;
	d->n++;
	int err = d->n < d->want ? read_next(d) : draw(d);
	d->n--;
	stackfold_free(f);
	return err;
}

static int read_text(struct drawing *d, const char *path)
{
	FILE *in = !strcmp(path, "-") ? stdin : fopen(path, "re");
	if (!in)
		return error_sys(errno, "cannot open %s", path);
	struct stackfold *f = stackfold_of_text(in, in == stdin ? "standard input" : path, d->c->unit, d->c->chart);
	if (in != stdin)
		fclose(in);
	return have_fold(d, f);
}

static int read_tracedat(struct drawing *d, const char *path)
{
	struct flame_cmd *c = d->c;
	struct stackfold_options o = { .filter = &c->in.filter, .symbols = &c->in.symbols, .quantum = c->chart ? QUANTUM_EXACT : QUANTUM_NONE };
	vec_clear(&c->in.filter.times);
	if (c->in.time) {
		struct perfdata *p = perfdata_open(path, c->in.force);
		int err = p ? filter_times_of(&c->in.filter, c->in.time, p, path, false) : error_code();
		perfdata_close(p);
		if (err)
			return err;
	}
	return have_fold(d, stackfold_of_tracedat(path, c->in.force, &o));
}

static int fold_recording(struct perfdata *p, void *ctx)
{
	struct drawing *d = ctx;
	struct flame_cmd *c = d->c;
	struct reading *r = d->reading;
	bool spans = c->form == FLAME_FORM_HTML && !c->diff && !c->hot_cold;
	if (c->recorded)
		flame_recorded(r->input);
	vec_clear(&c->in.filter.times);
	d->err = reading_filters(r, p);
	if (d->err)
		return 0;
	c->in.filter = r->filter; /* with the times of this one */
	struct stackfold_options o = { .max_stack = r->max_stack, .inlines = r->inlines, .filter = &r->filter, .symbols = &r->symbols,
		.quantum = c->chart ? QUANTUM_EXACT : spans ? stackfold_quantum(p, SPANS) : QUANTUM_NONE };
	struct symbols *syms = reading_symbols(r);
	d->err = have_fold(d, stackfold_of_recording(p, syms, &o));
	symbols_free(syms);
	return 0;
}

static int read_recording(struct drawing *d, const char *path)
{
	struct reading r = d->c->in, *outer = d->reading;
	r.borrowed = true;
	r.input = path;
	r.own_kallsyms = NULL;
	d->reading = &r;
	d->err = 0;
	int code = reading_run(&r, fold_recording, d);
	d->reading = outer;
	return d->err ? d->err : code ? -EALREADY : 0; /* told already */
}

static int read_next(struct drawing *d)
{
	const struct flame_cmd *c = d->c;
	const char *path = d->want == 2 && !d->n ? c->before_file : c->in.input;
	if (c->folded)
		return read_text(d, c->folded);
	enum flame_file kind = kind_of_file(path);
	if (kind == FLAME_FILE_RECORDING)
		return read_recording(d, path);
	return kind == FLAME_FILE_TEXT ? read_text(d, path ? path : "-") : read_tracedat(d, path);
}

int flame_draw(struct flame_cmd *c)
{
	struct drawing d = { .c = c, .want = c->before_file ? 2 : 1 };
	return read_next(&d);
}
