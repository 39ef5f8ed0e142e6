// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/dump.h"
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include "base/str.h"

static const char *kind_name(enum node_kind kind)
{
	static const struct { enum node_kind kind; const char *name; } names[] = {
		{ NODE_INT, "int" }, { NODE_STRING, "string" }, { NODE_WORD, "builtin" }, { NODE_VAR, "variable" }, { NODE_MAP, "map" },
		{ NODE_UNARY, "unary" }, { NODE_BINARY, "binary" }, { NODE_TERNARY, "?:" }, { NODE_CALL, "call" }, { NODE_CAST, "cast" },
		{ NODE_FIELD, "member" }, { NODE_ITEM, "item" }, { NODE_TUPLE, "tuple" }, { NODE_STEP, "step" }, { NODE_ASSIGN, "=" },
		{ NODE_EXPR, "value" }, { NODE_IF, "if" }, { NODE_UNROLL, "unroll" }, { NODE_WHILE, "while" }, { NODE_EACH, "for" }, { NODE_LET, "let" },
		{ NODE_BREAK, "break" }, { NODE_CONTINUE, "continue" }, { NODE_RETURN, "return" }, { NODE_BLOCK, "block" },
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].kind == kind)
			return names[i].name;
	return "node";
}

static void list(const struct script_node *n, unsigned depth, struct str *out);

static void node(const struct script_node *n, unsigned depth, struct str *out)
{
	str_pad(out, out->len + 2 * depth, ' ');
	str_add(out, kind_name(n->kind));
	if (n->kind == NODE_INT)
		str_addf(out, " %lld", (long long)n->value);
	if (n->op && n->kind != NODE_INT && n->op < 256)
		str_addf(out, " %c", n->op);
	else if (n->op && n->kind != NODE_INT)
		str_addf(out, " op%d", n->op);
	if (n->name) {
		str_addc(out, ' ');
		str_add_quoted(out, n->name, n->kind == NODE_STRING ? n->len : strlen(n->name));
	}
	if (n->type && n->type->kind != TYPE_NONE) {
		str_add(out, " :: ");
		type_describe(n->type, out);
	}
	str_addc(out, '\n');
	list(n->args, depth + 1, out);
	if (n->a)
		node(n->a, depth + 1, out);
	if (n->b && n->b != n->a)
		node(n->b, depth + 1, out);
	if (n->c)
		node(n->c, depth + 1, out);
	list(n->body, depth + 1, out);
	if (n->other) {
		str_pad(out, out->len + 2 * depth, ' ');
		str_add(out, "else\n");
		list(n->other, depth + 1, out);
	}
}

static void list(const struct script_node *n, unsigned depth, struct str *out)
{
	for (; n; n = n->next)
		node(n, depth, out);
}

static void print(struct str *text)
{
	fwrite(text->buf ? text->buf : "", 1, text->len, stdout);
	str_release(text);
}

void dump_tree(const struct run_script *s)
{
	struct str out = STR_INIT;
	for (const struct probe *p = s->probes; p; p = p->next) {
		for (const struct attach *a = p->attach; a; a = a->next)
			str_addf(&out, "%s%s\n", a->text, a->next ? "," : "");
		if (p->predicate) {
			str_add(&out, " predicate\n");
			node(p->predicate, 1, &out);
		}
		list(p->body, 1, &out);
	}
	print(&out);
}

void dump_ir(const struct script_unit *u)
{
	struct str out = STR_INIT;
	str_addf(&out, "%s\n", u->probe->attach->text);
	ir_print(&u->ir, &out);
	vec_each(&u->functions, f) {
		str_addf(&out, "function%zu:\n", (size_t)(f - u->functions.at));
		ir_print(f, &out);
	}
	print(&out);
}

void dump_code(const struct run_script *s, const struct script_unit *u)
{
	struct str out = STR_INIT;
	uint32_t last = UINT32_MAX;
	str_addf(&out, "%s: %zu instructions\n", u->probe->attach->text, u->code.n);
	for (size_t i = 0; i < u->code.n; i++) {
		struct bpf_insn x;
		struct span at = u->lines.at[i];
		memcpy(&x, &u->code.at[i], sizeof(x));
		str_addf(&out, "%5zu: %02x r%u r%u %+6d %11d", i, x.code, x.dst_reg, x.src_reg, x.off, x.imm);
		if (at.at != last && at.at < s->source->len) {
			str_add(&out, "   ; ");
			str_add_safe(&out, s->source->text + at.at, strcspn(s->source->text + at.at, "\n") < at.len ? strcspn(s->source->text + at.at, "\n") : at.len);
		}
		last = at.at;
		str_addc(&out, '\n');
	}
	print(&out);
}
