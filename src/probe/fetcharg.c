// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/fetcharg.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "arch/dwarf_regs.h"
#include "base/error.h"
#include "kernel/dynevents.h"
#include "symbol/dwarf/dwarf.h"

enum { NESTING_MAX = 16 };

static bool is_number(const char *p, size_t n)
{
	size_t i = 0;
	bool hex = n > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	for (i = hex ? 2 : 0; i < n; i++)
		if (hex ? !isxdigit((unsigned char)p[i]) : !isdigit((unsigned char)p[i]))
			return false;
	return n > 0;
}

static bool word_is(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !strncmp(p, word, n);
}

static const char *check_register(const char *p, size_t n)
{
	static const char *const more[] = { "%ip", "%flags", "%cs", "%ss", "%ds", "%es", "%fs", "%gs", "%orig_ax", "%pc", "%pstate" };
	for (int i = 0; i < ARCH_DWARF_REGS; i++)
		if (word_is(p, n, arch_dwarf_regs[i]))
			return NULL;
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (word_is(p, n, more[i]))
			return NULL;
	if (n > 2 && (p[1] == 'r' || p[1] == 'e') && !isdigit((unsigned char)p[2]))
		return "no register of this name; they are written %ax, %di, %sp";
	return "no register of this name";
}

static const char *check_dollar(const char *p, size_t n)
{
	if (word_is(p, n, "$retval") || word_is(p, n, "$comm") || word_is(p, n, "$stack") || word_is(p, n, "$arg*"))
		return NULL;
	if (n > 6 && !strncmp(p, "$stack", 6) && is_number(p + 6, n - 6))
		return NULL;
	if (n > 4 && !strncmp(p, "$arg", 4) && is_number(p + 4, n - 4) && p[4] != '0')
		return NULL;
	return "not known; there are $argN, $comm, $params, $retval, $stack, $stackN and $vars";
}

static const char *check_memory(const char *p, size_t n)
{
	size_t name = 1;
	if (n > 1 && (p[1] == '+' || p[1] == '-')) /* an offset in the file */
		return is_number(p + 2, n - 2) ? NULL : "an offset in the file is a number";
	if (n > 1 && isdigit((unsigned char)p[1]))
		return is_number(p + 1, n - 1) ? NULL : "an address is a number";
	while (name < n && (isalnum((unsigned char)p[name]) || strchr("_.$:", p[name])))
		name++;
	if (name == 1)
		return "a symbol or an address is missing after '@'";
	if (name == n)
		return NULL;
	return strchr("+-", p[name]) && is_number(p + name + 1, n - name - 1) ? NULL : "@SYMBOL is followed by +OFFSET or -OFFSET";
}

static const char *check_constant(const char *p, size_t n)
{
	if (n > 1 && p[1] == '"')
		return n > 2 && p[n - 1] == '"' ? NULL : "the text has no end: '\"' is missing";
	size_t sign = n > 1 && p[1] == '-';
	return is_number(p + 1 + sign, n - 1 - sign) ? NULL : "a constant is a number (\\5) or a text (\\\"abc\\\")";
}

int fetcharg_marker(const char *p, size_t n)
{
	return n > 3 && n < 6 && !strncmp(p, "arg", 3) && p[3] != '0' && is_number(p + 3, n - 3) ? atoi(p + 3) : 0;
}

static const char *check(const char *p, size_t n, int depth, bool marker, const char **at)
{
	*at = p;
	if (!n)
		return "something to fetch is missing";
	if (marker && fetcharg_marker(p, n))
		return NULL;
	switch (*p) {
	case '%':
		return check_register(p, n);
	case '$':
		return check_dollar(p, n);
	case '@':
		return check_memory(p, n);
	case '\\':
		return check_constant(p, n);
	case '+':
	case '-':
		break;
	default:
		return marker ? "arg1 and so on, %REGISTER, $NAME, @SYMBOL or +OFFSET(...) is wanted" :
				"a variable, %REGISTER, $NAME, @SYMBOL or +OFFSET(...) is wanted";
	}
	const char *open = memchr(p, '(', n);
	const char *num = p + 1 + (n > 1 && p[1] == 'u');
	if (!open)
		return "'(' is missing: memory is written +OFFSET(ADDRESS)";
	if (open < num || !is_number(num, (size_t)(open - num)))
		return "the offset is a number";
	if (p[n - 1] != ')') {
		*at = p + n;
		return "')' is missing";
	}
	if (depth >= NESTING_MAX)
		return "memory is nested too deep";
	return check(open + 1, (size_t)(p + n - 1 - (open + 1)), depth + 1, marker, at);
}

const char *fetcharg_check(const char *p, bool marker, const char **at)
{
	return check(p, strlen(p), 0, marker, at);
}

void fetcharg_address(struct probe_target *t, const struct probe_def *d, uint64_t addr, struct str *out)
{
	if (t->user) { /* a program's data lies at a fixed distance from the probed code; the kernel's has symbols */
		str_addf(out, "@+0x%llx", (unsigned long long)(addr - (d->addr - d->offset)));
		return;
	}
	const struct elfsym *s = elfsyms_data_at(&t->debug_syms, addr);
	if (s)
		str_addf(out, "@%s+%llu", s->name, (unsigned long long)(addr - s->addr));
	else
		str_addf(out, "@0x%llx", (unsigned long long)addr);
}

static int only_on_entry(const struct probe_argspec *a)
{
	error_set(EINVAL, "%s is known only on a function's first instruction", a->text);
	return error_hint("behind it, and in inlined copies, the registers may hold other things: name the parameter, or "
			  "leave the copies out with --no-inlines");
}

/* Where $argN is, by the calling convention: of those that the debug information tells, or else of integers. */
static int write_parameter(struct probe_target *t, const struct probe_def *d, const struct probe_argspec *a, const char *number,
			   struct str *out)
{
	long n = strtol(number, NULL, 10);
	struct fetch f;
	if (n > 64)
		return error_set(EINVAL, "%s: no function has so many parameters", a->text);
	int known = probe_target_dwarf(t) ? 0 : dwarf_fetch_param(t->dwarf, d->addr, (int)n, &f);
	if (known < 0)
		return known;
	if (known)
		return fetch_write(&f, NULL, NULL, out);
	if (n <= ARCH_ARG_REGS)
		str_add(out, arch_dwarf_regs[arch_arg_regs[n - 1]]);
	else
		str_addf(out, "+%ld(%s)", ARCH_ENTRY_CFA + 8 * (n - 1 - ARCH_ARG_REGS), arch_dwarf_regs[ARCH_SP]);
	return 0;
}

static int write_symbol(struct probe_target *t, const struct probe_def *d, const char *text, size_t n, struct str *out)
{
	size_t len = 1 + strcspn(text + 1, "+-)");
	char *name = xstrndup(text + 1, (len < n ? len : n) - 1);
	const struct elfsym *s = probe_target_symbols(t) ? NULL : elfsyms_data(&t->syms, name);
	int err = 0;
	if (s)
		fetcharg_address(t, d, s->addr + (len < n ? (uint64_t)strtoll(text + len, NULL, 0) : 0), out);
	else
		err = error_set(ENOENT, "there is no variable '%s' in the symbol table of %s", name, t->path);
	free(name);
	return err;
}

/* The innermost part of +8(+0(@sym)) is all that may need a translation. */
static int translate(struct probe_target *t, const struct probe_def *d, const struct probe_argspec *a, struct str *out)
{
	const char *p = a->var, *open = strrchr(p, '(');
	int err = 0;
	if (open) {
		str_addn(out, p, (size_t)(open + 1 - p));
		p = open + 1;
	}
	size_t n = strcspn(p, ")");
	if (!strncmp(p, "$arg", 4) && isdigit((unsigned char)p[4]))
		err = write_parameter(t, d, a, p + 4, out);
	else if (p[0] == '@' && (isalpha((unsigned char)p[1]) || p[1] == '_'))
		err = write_symbol(t, d, p, n, out);
	else
		str_addn(out, p, n);
	str_add(out, p + n);
	return err;
}

int fetcharg_check_type(const struct probe_target *t, const struct probe_argspec *a)
{
	if (!a->type || strncmp(a->type, "sym", 3))
		return 0;
	if (t->user) {
		error_set(EINVAL, "%s: symbols are the kernel's own, and %s is a program", a->text, t->path);
		return error_hint("take the number (:x64); 'sonde script' names addresses of programs");
	}
	if (!strncmp(a->type, "symstr", 6) && t->live && dynevents_readme_has("symbol") && !dynevents_readme_has("symstr")) {
		error_set(EINVAL, "%s: this kernel does not know the type symstr", a->text);
		return error_hint("the type symbol shows the name too");
	}
	return 0;
}

/* The result as the kernel knows it is one integer register. */
static int check_result(struct probe_target *t, const struct probe_def *d, const struct probe_argspec *a)
{
	if (!d->ret || !t->user || !strstr(a->var, "$retval") || probe_target_dwarf(t))
		return 0;
	return dwarf_check_result(t->dwarf, d->addr);
}

int fetcharg_add(struct probe_target *t, struct probe_def *d, const struct probe_argspec *a, bool entry)
{
	struct str value = STR_INIT;
	int err = fetcharg_check_type(t, a);
	if (!err)
		err = check_result(t, d, a);
	const char *arg = strstr(a->var, "$arg");
	if (!err && arg && isdigit((unsigned char)arg[4]) && (!entry || (d->ret && t->user)))
		err = only_on_entry(a);
	else if (!err && t->user)
		err = translate(t, d, a, &value);
	else if (!err)
		str_add(&value, a->var);
	if (!err)
		probe_def_arg(d, a->name, value.buf, a->type);
	str_release(&value);
	return err;
}
