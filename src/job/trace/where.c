// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/trace/where.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "syscall/xlat.h"

enum kind { NODE_AND, NODE_OR, NODE_NOT, NODE_NUMBER, NODE_STRING };
enum string_op { STRING_EQ, STRING_NE, STRING_GLOB, STRING_NOT_GLOB };
struct node {
	enum kind kind;
	struct node *a, *b;
	char *call; /* NULL: any */
	char *arg;
	int op; /* enum where_op or string_op */
	int64_t number;
	char *text;
};

struct trace_where {
	struct node *root;
	VEC(struct engine_where) tests;
	char *call; /* the only call that can pass, or NULL */
};

struct parser { const char *text, *p; };
enum { DEPTH_MAX = 64 };

static int complain(struct parser *p, const char *what)
{
	error_set(EINVAL, "--where: %s", what);
	error_caret(p->text, p->p - p->text, 1);
	return error_hint("an example: --where 'openat.filename ~ \"*.conf\" && retval < 0'");
}

static void node_free(struct node *n)
{
	if (!n)
		return;
	node_free(n->a);
	node_free(n->b);
	free(n->call);
	free(n->arg);
	free(n->text);
	free(n);
}

static struct node *node_new(enum kind kind, struct node *a, struct node *b)
{
	struct node *n = xcalloc(1, sizeof(*n));
	n->kind = kind;
	n->a = a;
	n->b = b;
	return n;
}

static void blanks(struct parser *p)
{
	while (isspace((unsigned char)*p->p))
		p->p++;
}

static bool take(struct parser *p, const char *word)
{
	blanks(p);
	if (!str_starts(p->p, word))
		return false;
	p->p += strlen(word);
	return true;
}

static char *take_name(struct parser *p)
{
	const char *start;
	blanks(p);
	start = p->p;
	while (isalnum((unsigned char)*p->p) || *p->p == '_')
		p->p++;
	return p->p > start ? xstrndup(start, p->p - start) : NULL;
}

/* ---- values ---- */

static int take_text(struct parser *p, struct node *n)
{
	struct str s = STR_INIT;
	char quote = *p->p;
	if (quote == '"' || quote == '\'') {
		for (p->p++; *p->p && *p->p != quote; p->p++) {
			if (*p->p == '\\' && p->p[1])
				p->p++;
			str_addc(&s, *p->p);
		}
		if (!*p->p) {
			str_release(&s);
			return complain(p, "the string has no end");
		}
		p->p++;
	} else {
		while (*p->p && !isspace((unsigned char)*p->p) && *p->p != ')' && *p->p != '&' && *p->p != '|')
			str_addc(&s, *p->p++);
	}
	if (!s.len && quote != '"' && quote != '\'') {
		str_release(&s);
		return complain(p, "a string or a pattern is missing here");
	}
	n->text = str_detach(&s);
	return 0;
}

static bool take_constant(struct parser *p, uint64_t *v)
{
	char *word = take_name(p);
	bool here = word && (!strcmp(word, "AT_FDCWD") || !strcmp(word, "CWD")); /* as strace's and perf's lines have it */
	bool good = here || (word && (!parse_u64(word, v) || xlat_value(word, v)));
	if (here)
		*v = AT_FDCWD;
	free(word);
	return good;
}

/* Numbers and named constants, one or several joined by |; a minus in front of an error's name. */
static int take_number(struct parser *p, struct node *n)
{
	bool minus = *p->p == '-';
	const char *start;
	uint64_t v = 0, one;
	p->p += minus;
	do {
		blanks(p);
		start = p->p;
		if (!take_constant(p, &one)) {
			p->p = start;
			return complain(p, "a number or a constant's name (O_CREAT, PROT_READ, ENOENT) is missing here");
		}
		v |= one;
		blanks(p);
	} while (*p->p == '|' && p->p[1] != '|' && p->p++);
	n->number = minus ? -(int64_t)v : (int64_t)v;
	return 0;
}

static const struct { const char *text; int number, string; } operators[] = {
	{ "==", WHERE_EQ, STRING_EQ }, { "!=", WHERE_NE, STRING_NE }, { "!~", -1, STRING_NOT_GLOB },
	{ "~", -1, STRING_GLOB }, { "<=", WHERE_LE, -1 }, { ">=", WHERE_GE, -1 }, { "<", WHERE_LT, -1 },
	{ ">", WHERE_GT, -1 }, { "&", WHERE_MASK, -1 }, { "=", WHERE_EQ, STRING_EQ },
};

static int take_value(struct parser *p, struct node *n)
{
	size_t i;
	blanks(p);
	for (i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (str_starts(p->p, operators[i].text) && !str_starts(p->p, "&&"))
			break;
	if (i == sizeof(operators) / sizeof(operators[0]))
		return complain(p, "an operator is missing here (== != < <= > >= & ~ !~)");
	p->p += strlen(operators[i].text);
	blanks(p);
	bool text = operators[i].number < 0 || *p->p == '"' || *p->p == '\'';
	if (text && operators[i].string < 0)
		return complain(p, "this operator compares numbers");
	n->kind = text ? NODE_STRING : NODE_NUMBER;
	n->op = text ? operators[i].string : operators[i].number;
	return text ? take_text(p, n) : take_number(p, n);
}

static bool known_arg(const char *call, const char *arg)
{
	if (!strcmp(arg, "retval") || !strcmp(arg, "ret") || !strcmp(arg, "errno"))
		return true;
	for (int nr = 0; nr < syscall_max(ABI_NATIVE); nr++) {
		const struct syscall_row *r = syscall_find(ABI_NATIVE, nr);
		if (!r || (call && strcmp(syscall_name(r), call)))
			continue;
		for (int i = 0; i < syscall_n_args(r); i++)
			if (!strcmp(syscall_arg_name(r, i), arg))
				return true;
	}
	return false;
}

/* errno == ENOENT is retval == -ENOENT. */
static int as_retval(struct parser *p, const char *start, struct node *n)
{
	if (strcmp(n->arg, "errno"))
		return 0;
	if (n->kind != NODE_NUMBER || (n->op != WHERE_EQ && n->op != WHERE_NE)) {
		p->p = start;
		return complain(p, "errno takes == or != and an error's name");
	}
	free(n->arg);
	n->arg = xstrdup("retval");
	n->number = -n->number;
	return 0;
}

/* ---- the grammar ---- */

static struct node *parse_or(struct parser *p, int depth);

static struct node *parse_test(struct parser *p)
{
	const char *start;
	blanks(p);
	start = p->p;
	struct node *n = node_new(NODE_NUMBER, NULL, NULL);
	int nr;
	n->arg = take_name(p);
	if (n->arg && *p->p == '.') {
		p->p++;
		n->call = n->arg;
		n->arg = take_name(p);
		if (!syscall_named(ABI_NATIVE, n->call, &nr) && !syscall_named(ABI_32, n->call, &nr)) {
			p->p = start;
			complain(p, "there is no system call of that name");
			goto fail;
		}
	}
	if (!n->arg) {
		complain(p, "an argument's name is missing here");
		goto fail;
	}
	if (!known_arg(n->call, n->arg)) {
		p->p = start;
		complain(p, n->call ? "that call has no argument of this name" : "no call has an argument of this name");
		goto fail;
	}
	if (!take_value(p, n) && !as_retval(p, start, n))
		return n;
fail:
	node_free(n);
	return NULL;
}

static struct node *parse_unary(struct parser *p, int depth)
{
	struct node *n;
	if (depth > DEPTH_MAX) {
		complain(p, "too deep");
		return NULL;
	}
	blanks(p);
	if (*p->p == '!' && p->p[1] != '=' && p->p[1] != '~') {
		p->p++;
		n = parse_unary(p, depth + 1);
		return n ? node_new(NODE_NOT, n, NULL) : NULL;
	}
	if (!take(p, "("))
		return parse_test(p);
	n = parse_or(p, depth + 1);
	if (n && !take(p, ")")) {
		complain(p, "a ) is missing here");
		node_free(n);
		return NULL;
	}
	return n;
}

static struct node *parse_and(struct parser *p, int depth)
{
	struct node *n = parse_unary(p, depth), *b;
	while (n && take(p, "&&")) {
		b = parse_unary(p, depth);
		if (!b) {
			node_free(n);
			return NULL;
		}
		n = node_new(NODE_AND, n, b);
	}
	return n;
}

static struct node *parse_or(struct parser *p, int depth)
{
	struct node *n = parse_and(p, depth), *b;
	while (n && take(p, "||")) {
		b = parse_and(p, depth);
		if (!b) {
			node_free(n);
			return NULL;
		}
		n = node_new(NODE_OR, n, b);
	}
	return n;
}

/* ---- what the engine can do ---- */

/* Which argument that is for the call; 6: the result; -1: none. */
static int arg_index(const struct syscall_row *r, const char *arg)
{
	if (!strcmp(arg, "retval") || !strcmp(arg, "ret"))
		return 6;
	for (int i = 0; r && i < syscall_n_args(r) && i < 6; i++)
		if (!strcmp(syscall_arg_name(r, i), arg))
			return i;
	return -1;
}

static void add_tests(struct trace_where *w, const struct node *n)
{
	int nr = -1;
	if (n->kind == NODE_AND) {
		add_tests(w, n->a);
		add_tests(w, n->b);
		return;
	}
	if (n->kind != NODE_NUMBER && n->kind != NODE_STRING)
		return;
	if (n->call && !w->call)
		w->call = xstrdup(n->call);
	if (n->kind != NODE_NUMBER)
		return;
	const struct syscall_row *r = n->call ? syscall_named(ABI_NATIVE, n->call, &nr) : NULL;
	int arg = arg_index(r, n->arg);
	if (arg < 0 || (!r && arg != 6))
		return; /* a name that is another argument in each call */
	if (arg != 6 && n->number <= 0)
		return; /* an int may or may not be sign-extended in its register */
	*vec_push(&w->tests) = (struct engine_where){ .nr = r ? nr : -1, .abi = ABI_NATIVE, .arg = arg, .op = n->op,
						      .is_signed = true, .value = n->number };
}

struct trace_where *trace_where_parse(const char *text)
{
	struct parser p = { text, text };
	struct node *n = parse_or(&p, 0);
	blanks(&p);
	if (n && *p.p) {
		complain(&p, "&& or || is missing here");
		node_free(n);
		n = NULL;
	}
	if (!n)
		return NULL;
	struct trace_where *w = xcalloc(1, sizeof(*w));
	w->root = n;
	add_tests(w, n);
	return w;
}

void trace_where_free(struct trace_where *w)
{
	if (!w)
		return;
	node_free(w->root);
	vec_release(&w->tests);
	free(w->call);
	free(w);
}

const struct engine_where *trace_where_tests(const struct trace_where *w, unsigned *n)
{
	*n = w->tests.n;
	return w->tests.at;
}

bool trace_where_calls(const struct trace_where *w, struct sysset *set)
{
	if (!w->call)
		return false;
	memset(set, 0, sizeof(*set));
	sysset_parse(set, w->call);
	return true;
}

/* ---- judging an event ---- */

static bool number_holds(const struct node *n, int64_t v)
{
	switch ((enum where_op)n->op) {
	case WHERE_EQ: return v == n->number;
	case WHERE_NE: return v != n->number;
	case WHERE_LT: return v < n->number;
	case WHERE_LE: return v <= n->number;
	case WHERE_GT: return v > n->number;
	case WHERE_GE: return v >= n->number;
	case WHERE_MASK: return v & n->number;
	}
	return false;
}

static bool text_holds(const struct node *n, const char *text)
{
	bool glob = n->op == STRING_GLOB || n->op == STRING_NOT_GLOB;
	bool hit = glob ? glob_match(n->text, text) : !strcmp(n->text, text);
	return hit == (n->op == STRING_EQ || n->op == STRING_GLOB);
}

static bool name_holds(const struct node *n, const struct sysevent *e, int fd, struct fd_state *fds)
{
	const char *name = fds && fd >= 0 ? fd_state_name(fds, e->pid, fd) : NULL;
	return name && text_holds(n, name);
}

static bool string_holds(const struct node *n, const struct sysevent *e, int arg)
{
	const struct copied *c = NULL;
	for (unsigned i = 0; i < e->n_copied && !c; i++)
		if (e->copied[i].arg == arg && !e->copied[i].part && !e->copied[i].faulted)
			c = &e->copied[i];
	if (!c)
		return false;
	char *text = xstrndup((const char *)c->data, c->len);
	bool hit = text_holds(n, text);
	free(text);
	return hit;
}

static bool holds(const struct node *n, const struct sysevent *e, const struct syscall_row *r, struct fd_state *fds)
{
	switch (n->kind) {
	case NODE_AND: return holds(n->a, e, r, fds) && holds(n->b, e, r, fds);
	case NODE_OR: return holds(n->a, e, r, fds) || holds(n->b, e, r, fds);
	case NODE_NOT: return !holds(n->a, e, r, fds);
	default: break;
	}
	if (n->call && (!r || strcmp(syscall_name(r), n->call)))
		return false;
	int arg = arg_index(r, n->arg);
	if (arg < 0 || (arg == 6 && e->no_return))
		return false;
	if (n->kind == NODE_STRING && arg < 6 && syscall_fds(r) >> arg & 1)
		return name_holds(n, e, (int)e->args[arg], fds);
	if (n->kind == NODE_STRING)
		return arg < 6 && string_holds(n, e, arg);
	if (arg == 6)
		return number_holds(n, e->ret);
	uint64_t v = e->args[arg];
	return number_holds(n, n->number <= 0 && v <= UINT32_MAX ? (int32_t)v : (int64_t)v);
}

bool trace_where_holds(const struct trace_where *w, const struct sysevent *e, struct fd_state *fds)
{
	return holds(w->root, e, syscall_find(e->abi == ABI_32 ? ABI_32 : ABI_NATIVE, e->nr), fds);
}

static bool is_descriptor(const char *call, const char *arg)
{
	for (int nr = 0; nr < syscall_max(ABI_NATIVE); nr++) {
		const struct syscall_row *r = syscall_find(ABI_NATIVE, nr);
		int i = !r || (call && strcmp(syscall_name(r), call)) ? -1 : arg_index(r, arg);
		if (i >= 0 && i < 6 && syscall_fds(r) >> i & 1)
			return true;
	}
	return false;
}

static bool has_file(const struct node *n)
{
	if (!n)
		return false;
	return n->kind == NODE_STRING ? is_descriptor(n->call, n->arg) : has_file(n->a) || has_file(n->b);
}

bool trace_where_files(const struct trace_where *w)
{
	return has_file(w->root);
}

static bool has_string(const struct node *n)
{
	return n && (n->kind == NODE_STRING || has_string(n->a) || has_string(n->b));
}

bool trace_where_strings(const struct trace_where *w)
{
	return has_string(w->root);
}

static bool has_result(const struct node *n)
{
	if (!n)
		return false;
	bool result = n->arg && arg_index(NULL, n->arg) == 6;
	return result || has_result(n->a) || has_result(n->b);
}

bool trace_where_results(const struct trace_where *w)
{
	return has_result(w->root);
}
