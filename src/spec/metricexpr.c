// SPDX-License-Identifier: GPL-2.0-or-later
/* Recursive descent into nodes of one array; a node names its parts by their place. */
#include "spec/metricexpr.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "kernel/root.h"
#include "kernel/topology.h"

enum { DEPTH_MAX = 200, NODES_MAX = 100000 };
enum expr_op { OP_NUMBER, OP_ID, OP_IF, OP_MIN, OP_MAX, OP_RATIO, OP_HAS, OP_COUNT, OP_NEGATE, OP_BINARY };

struct expr_node { enum expr_op op; char sign; double number; char *id; int a, b, c; };
struct metric_expr {
	VEC(struct expr_node) nodes;
	int root;
	const char *text, *at; /* while it is read */
	int depth;
};

static int parse_if(struct metric_expr *e);

static int node(struct metric_expr *e, struct expr_node n)
{
	if (e->nodes.n >= NODES_MAX)
		return error_set(E2BIG, "a formula that is too long");
	*vec_push(&e->nodes) = n;
	return (int)e->nodes.n - 1;
}

static char peek(struct metric_expr *e)
{
	e->at += strspn(e->at, " \t\n");
	return *e->at;
}

static int wrong(struct metric_expr *e, const char *what)
{
	error_set(EINVAL, "wrong formula: %s", what);
	return error_caret(e->text, e->at - e->text, 1);
}

static bool take(struct metric_expr *e, char c)
{
	if (peek(e) != c)
		return false;
	e->at++;
	return true;
}

static bool is_name(const char *p)
{
	return isalnum((unsigned char)*p) || (*p && strchr("_.:@?#", *p)) || (*p == '\\' && p[1]);
}

/* As it is counted: @ is a slash, what stands behind a backslash stands for itself. */
static char *take_name(struct metric_expr *e)
{
	struct str s = STR_INIT;
	for (; is_name(e->at); e->at++) {
		if (*e->at == '\\')
			str_addc(&s, *++e->at);
		else
			str_addc(&s, *e->at == '@' ? '/' : *e->at);
	}
	return str_detach(&s);
}

/* A word that stands alone, "if" and "else". */
static bool take_word(struct metric_expr *e, const char *word)
{
	size_t n = strlen(word);
	peek(e);
	if (strncmp(e->at, word, n) || is_name(e->at + n))
		return false;
	e->at += n;
	return true;
}

struct machine_parts { int cpus, cores, dies, sockets; bool smt, known; };

/* Each core, die and socket is counted at the first CPU that is in it. */
static void count_machine(struct machine_parts *m)
{
	VEC(struct cpu_place) places = { 0 };
	m->known = true;
	m->cpus = topology_cpus();
	for (int c = 0; c < m->cpus; c++) {
		struct cpu_place p = topology_of(c);
		bool socket = true, die = true, core = true;
		vec_each(&places, q) {
			bool same = p.socket == q->socket;
			socket &= !same;
			die &= !(same && p.die == q->die);
			core &= !(same && p.die == q->die && p.core == q->core);
		}
		m->sockets += socket, m->dies += die, m->cores += core;
		m->smt |= !core;
		*vec_push(&places) = p;
	}
	vec_release(&places);
}

/* A figure of this machine; perf does not heed how it is written (Intel's tables have #SMT_on). False: there is none of that name. */
static bool literal(const char *name, double *v)
{
	static struct machine_parts m;
	if (!m.known)
		count_machine(&m);
	const struct { const char *name; double v; } figures[] = {
		{ "#smt_on", m.smt }, { "#core_wide", 0 }, { "#num_cpus", m.cpus }, { "#num_cpus_online", m.cpus }, { "#num_cores", m.cores },
		{ "#num_dies", m.dies }, { "#num_packages", m.sockets },
		{ "#has_pmem", file_exists(root_path(ROOT_SYS, "firmware/acpi/tables/NFIT")) },
		{ "#system_tsc_freq", NAN }, { "#slots", NAN }, /* perf has them; not known here */
	};
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		if (!strcasecmp(figures[i].name, name)) {
			*v = figures[i].v;
			return true;
		}
	return false;
}

static const struct { const char *name; enum expr_op op; int parts; } functions[] = {
	{ "min", OP_MIN, 2 }, { "max", OP_MAX, 2 }, { "d_ratio", OP_RATIO, 2 }, { "has_event", OP_HAS, 1 }, { "source_count", OP_COUNT, 1 },
};

static int parse_call(struct metric_expr *e, const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].name, name))
			continue;
		struct expr_node n = { .op = functions[i].op };
		n.a = parse_if(e);
		if (n.a >= 0 && functions[i].parts == 2)
			n.b = take(e, ',') ? parse_if(e) : wrong(e, "a comma is missing");
		if (n.a < 0 || n.b < 0)
			return -1;
		return take(e, ')') ? node(e, n) : wrong(e, "a bracket is not closed");
	}
	return wrong(e, "there is no such function");
}

static int parse_atom(struct metric_expr *e)
{
	if (take(e, '(')) {
		int n = parse_if(e);
		return n < 0 || take(e, ')') ? n : wrong(e, "a bracket is not closed");
	}
	if (take(e, '-')) {
		int n = ++e->depth > DEPTH_MAX ? wrong(e, "too deep") : parse_atom(e);
		e->depth--;
		return n < 0 ? n : node(e, (struct expr_node){ .op = OP_NEGATE, .a = n });
	}
	char c = peek(e), *end;
	if (isdigit((unsigned char)c) || c == '.') {
		double v = strtod(e->at, &end);
		if (end > e->at && !is_name(end)) {
			e->at = end;
			return node(e, (struct expr_node){ .op = OP_NUMBER, .number = v });
		}
	}
	if (!is_name(e->at))
		return wrong(e, c ? "a name or a number is wanted here" : "it ends too early");
	char *name = take_name(e);
	if (take(e, '(')) {
		int n = parse_call(e, name);
		free(name);
		return n;
	}
	if (*name == '#') {
		struct expr_node n = { .op = OP_NUMBER };
		bool known = literal(name, &n.number);
		free(name);
		return known ? node(e, n) : wrong(e, "there is no such figure of the machine before this");
	}
	int n = node(e, (struct expr_node){ .op = OP_ID, .id = name });
	if (n < 0)
		free(name);
	return n;
}

/* Binary signs, by how tightly they bind. */
static int parse_binary(struct metric_expr *e, int level)
{
	static const char *const signs[] = { "|", "^", "&", "<>", "+-", "*/%" };
	if (level == 6)
		return parse_atom(e);
	int left = parse_binary(e, level + 1);
	while (left >= 0 && peek(e) && strchr(signs[level], *e->at)) {
		char sign = *e->at++;
		int right = parse_binary(e, level + 1);
		left = right < 0 ? right : node(e, (struct expr_node){ .op = OP_BINARY, .sign = sign, .a = left, .b = right });
	}
	return left;
}

static int parse_if(struct metric_expr *e)
{
	int n = ++e->depth > DEPTH_MAX ? wrong(e, "too deep") : parse_binary(e, 0);
	if (n >= 0 && take_word(e, "if")) {
		struct expr_node i = { .op = OP_IF, .a = n, .b = parse_binary(e, 0) };
		if (i.b >= 0)
			i.c = take_word(e, "else") ? parse_if(e) : wrong(e, "'else' is missing");
		n = i.b < 0 || i.c < 0 ? -1 : node(e, i);
	}
	e->depth--;
	return n;
}

struct metric_expr *metric_expr_parse(const char *text)
{
	struct metric_expr *e = xcalloc(1, sizeof(*e));
	e->text = e->at = text;
	e->root = parse_if(e);
	if (e->root >= 0 && peek(e))
		e->root = wrong(e, "this does not belong to it");
	if (e->root >= 0)
		return e;
	metric_expr_free(e);
	return NULL;
}

void metric_expr_free(struct metric_expr *e)
{
	if (!e)
		return;
	vec_each(&e->nodes, n)
		free(n->id);
	vec_release(&e->nodes);
	free(e);
}

void metric_expr_ids(const struct metric_expr *e, wordlist *ids)
{
	vec_each(&e->nodes, n)
		if (n->op == OP_ID && !wordlist_has(ids, n->id))
			wordlist_add(ids, n->id);
}

static double bits(char sign, double a, double b)
{
	if (!(fabs(a) < 9e18 && fabs(b) < 9e18))
		return NAN;
	long long x = (long long)a, y = (long long)b;
	return (double)(sign == '&' ? x & y : sign == '|' ? x | y : x ^ y);
}

static double binary(char sign, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN; /* nor is it smaller than anything */
	switch (sign) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '/': return b < 0 || b > 0 ? a / b : NAN;
	case '%': return b < 0 || b > 0 ? fmod(a, b) : NAN;
	case '<': return a < b;
	case '>': return a > b;
	default: return bits(sign, a, b);
	}
}

static double choose(enum expr_op op, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	return op == OP_MIN ? fmin(a, b) : op == OP_MAX ? fmax(a, b) : b < 0 || b > 0 ? a / b : 0;
}

/* Of a node whose parts, which stand before it, have theirs. */
static double value_of_node(const struct expr_node *n, const double *v, metric_value *value, void *ctx)
{
	switch (n->op) {
	case OP_NUMBER: return n->number;
	case OP_ID: return value(ctx, n->id);
	case OP_IF: return isnan(v[n->b]) ? NAN : v[n->b] < 0 || v[n->b] > 0 ? v[n->a] : v[n->c];
	case OP_MIN:
	case OP_MAX:
	case OP_RATIO: return choose(n->op, v[n->a], v[n->b]);
	case OP_HAS:
	case OP_COUNT: return !isnan(v[n->a]);
	case OP_NEGATE: return -v[n->a];
	default: return binary(n->sign, v[n->a], v[n->b]);
	}
}

/* By the order of the nodes, not by recursion: a sum of 50000 parts is 50000 deep. */
double metric_expr_eval(const struct metric_expr *e, metric_value *value, void *ctx)
{
	double *v = xcalloc(e->nodes.n, sizeof(*v));
	for (size_t i = 0; i < e->nodes.n; i++)
		v[i] = value_of_node(&e->nodes.at[i], v, value, ctx);
	double result = v[e->root];
	free(v);
	return result;
}
