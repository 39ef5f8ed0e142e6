// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/samplefilter.h"
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"

struct value_word { const char *name; uint64_t value; };

static const struct value_word ops[] = { { "na", 1 }, { "load", 2 }, { "store", 4 }, { "pfetch", 8 }, { "exec", 16 }, { 0 } };
static const struct value_word levels[] = { { "l1", 1 }, { "l2", 2 }, { "l3", 3 }, { "l4", 4 }, { "cxl", 9 }, { "io", 10 },
	{ "any_cache", 11 }, { "lfb", 12 }, { "ram", 13 }, { "pmem", 14 }, { "na", 15 }, { 0 } };
static const struct value_word snoops[] = { { "na", 1 }, { "none", 2 }, { "hit", 4 }, { "miss", 8 }, { "hitm", 16 }, { "fwd", 1 << 5 },
	{ "peer", 2 << 5 }, { 0 } };
static const struct value_word remotes[] = { { "remote", 1 }, { 0 } };
static const struct value_word locks[] = { { "na", 1 }, { "locked", 2 }, { 0 } };
static const struct value_word tlbs[] = { { "na", 1 }, { "l1_hit", 8 | 2 }, { "l1_miss", 8 | 4 }, { "l2_hit", 16 | 2 },
	{ "l2_miss", 16 | 4 }, { "any_hit", 2 }, { "any_miss", 4 }, { "walk", 32 }, { "fault", 64 }, { 0 } };
static const struct value_word blocks[] = { { "na", 1 }, { "by_data", 2 }, { "by_addr", 4 }, { 0 } };
static const struct value_word hops[] = { { "hops0", 1 }, { "hops1", 2 }, { "hops2", 3 }, { "hops3", 4 }, { 0 } };

static const struct filter_field {
	const char *name;
	enum samplefilter_field field;
	uint64_t needs; /* bits of sample_type, one of which must be there */
	const char *option; /* that brings them */
	const struct value_word *words;
} fields[] = {
#define PLAIN(name, field) { name, field, 0, NULL, NULL }
#define WEIGHTS (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)
#define SOURCE PERF_SAMPLE_DATA_SRC, "-d"
	PLAIN("ip", SF_IP), PLAIN("id", SF_ID), PLAIN("tid", SF_TID), PLAIN("pid", SF_PID), PLAIN("cpu", SF_CPU),
	PLAIN("time", SF_TIME),
	{ "addr", SF_ADDR, PERF_SAMPLE_ADDR, "-d", NULL }, PLAIN("period", SF_PERIOD),
	{ "txn", SF_TXN, PERF_SAMPLE_TRANSACTION, "--transaction", NULL }, { "weight", SF_WEIGHT, WEIGHTS, "-W", NULL },
	{ "phys_addr", SF_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, "--phys-data", NULL },
	{ "code_pgsz", SF_CODE_PAGE, PERF_SAMPLE_CODE_PAGE_SIZE, "--code-page-size", NULL },
	{ "data_pgsz", SF_DATA_PAGE, PERF_SAMPLE_DATA_PAGE_SIZE, "--data-page-size", NULL },
	{ "weight1", SF_WEIGHT1, WEIGHTS, "-W", NULL }, { "weight2", SF_WEIGHT2, WEIGHTS, "-W", NULL },
	{ "weight3", SF_WEIGHT3, WEIGHTS, "-W", NULL },
	{ "ins_lat", SF_WEIGHT2, WEIGHTS, "-W", NULL }, { "retire_lat", SF_WEIGHT3, WEIGHTS, "-W", NULL },
	{ "p_stage_cyc", SF_WEIGHT3, WEIGHTS, "-W", NULL },
	{ "mem_op", SF_MEM_OP, SOURCE, ops }, { "mem_lvl", SF_MEM_LEVEL, SOURCE, levels },
	{ "mem_lvlnum", SF_MEM_LEVEL, SOURCE, levels },
	{ "mem_snoop", SF_MEM_SNOOP, SOURCE, snoops }, { "mem_remote", SF_MEM_REMOTE, SOURCE, remotes },
	{ "mem_lock", SF_MEM_LOCK, SOURCE, locks }, { "mem_dtlb", SF_MEM_DTLB, SOURCE, tlbs },
	{ "mem_blk", SF_MEM_BLK, SOURCE, blocks }, { "mem_hops", SF_MEM_HOPS, SOURCE, hops },
	PLAIN("uid", SF_UID), PLAIN("gid", SF_GID),
#undef PLAIN
#undef WEIGHTS
#undef SOURCE
};
#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

static const struct { const char *text; enum samplefilter_op op; } operators[] = {
	{ "==", SF_EQ }, { "!=", SF_NE }, { ">=", SF_GE }, { "<=", SF_LE }, { ">", SF_GT }, { "<", SF_LT }, { "&", SF_AND },
};

static const char *skip_space(const char *p)
{
	return p + strspn(p, " \t\n");
}

static size_t word_len(const char *p)
{
	size_t n = 0;
	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static int wrong_field(const char *word, size_t n)
{
	char *name = xstrndup(word, n);
	struct nearest near;
	nearest_init(&near, name);
	for (size_t i = 0; i < N_FIELDS; i++)
		nearest_offer(&near, fields[i].name);
	if (n)
		error_set(EINVAL, "--filter: '%s' is not a field of samples", name);
	else
		error_set(EINVAL, "--filter: there is no condition where '%s' stands", *word ? word : "its end");
	bool hinted = n && nearest_hint(&near);
	free(name);
	if (hinted)
		return -EINVAL;
	return error_hint("ip, id, tid, pid, cpu, time, addr, period, txn, weight[1-3], phys_addr, code_pgsz, data_pgsz, ins_lat, "
			  "retire_lat, p_stage_cyc, mem_op, mem_lvl, mem_snoop, mem_remote, mem_lock, mem_dtlb, mem_blk, mem_hops, "
			  "uid, gid: 'period > 1000, cpu == 1 || cpu == 2'");
}

static int wrong_value(const struct filter_field *f, const char *word)
{
	struct str all = STR_INIT;
	char *name = xstrndup(word, strcspn(word, " ,|"));
	for (const struct value_word *w = f->words; w && w->name; w++)
		str_addf(&all, "%s%s", all.len ? ", " : "", w->name);
	error_set(EINVAL, "--filter: '%s' is not a value of %s", name, f->name);
	free(name);
	if (all.len)
		error_hint("a number, or %s", all.buf);
	else
		error_hint("a number: 4096 or 0x1000");
	str_release(&all);
	return -EINVAL;
}

static const struct filter_field *field_at(const char *p, size_t n)
{
	for (size_t i = 0; i < N_FIELDS; i++)
		if (strlen(fields[i].name) == n && !strncasecmp(fields[i].name, p, n))
			return &fields[i];
	return NULL;
}

/* The end of the value at p; NULL: it is none. */
static const char *read_value(const struct filter_field *f, const char *p, uint64_t *value)
{
	size_t n = word_len(p);
	char *word = xstrndup(p, n);
	bool ok = n && !parse_u64(word, value);
	for (const struct value_word *w = f->words; w && w->name && !ok; w++)
		if (!strcasecmp(w->name, word)) {
			*value = w->value;
			ok = true;
		}
	free(word);
	return ok ? p + n : NULL;
}

/* One condition; the place behind it, or NULL with a pending error. */
static const char *read_term(samplefilter *out, const char *p)
{
	size_t n = word_len(p = skip_space(p));
	const struct filter_field *f = field_at(p, n);
	if (!f) {
		wrong_field(p, n);
		return NULL;
	}
	struct samplefilter_term t = { .field = f->field };
	uint64_t value;
	const char *op = skip_space(p + n);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (str_starts(op, operators[i].text)) {
			t.op = operators[i].op;
			p = read_value(f, skip_space(op + strlen(operators[i].text)), &value);
			if (!p) {
				wrong_value(f, skip_space(op + strlen(operators[i].text)));
				return NULL;
			}
			t.value = value;
			*vec_push(out) = t;
			return skip_space(p);
		}
	error_set(EINVAL, "--filter: %s is compared with nothing", f->name);
	error_hint("by ==, !=, >, >=, <, <= or & (some of these bits): '%s == 1'", f->name);
	return NULL;
}

int samplefilter_parse(samplefilter *f, const char *text)
{
	for (const char *p = text;; p++) {
		if (f->n >= SAMPLEFILTER_MAX)
			return error_set(E2BIG, "--filter: more than %d conditions", SAMPLEFILTER_MAX);
		if (!(p = read_term(f, p)))
			return -EINVAL;
		if (!*p)
			return 0;
		if (str_starts(p, "||")) {
			vec_last(f)->or_next = 1;
			p++;
		} else if (*p != ',') {
			error_set(EINVAL, "--filter: '%s' does not go on from the condition before it", p);
			return error_hint("a comma when both must hold, || when one is enough: 'period > 1000, cpu == 1 || cpu == 2'");
		}
	}
}

int samplefilter_check(const samplefilter *f, uint64_t sample_type, const char *event)
{
	vec_each(f, t)
		for (size_t i = 0; i < N_FIELDS; i++)
			if (fields[i].field == t->field && fields[i].needs && !(fields[i].needs & sample_type)) {
				error_set(EINVAL, "--filter: samples of %s have no %s", event, fields[i].name);
				return error_hint("with %s they do", fields[i].option);
			}
	return 0;
}
