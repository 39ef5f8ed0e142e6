// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/spec.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/words.h"
#include "probe/fetcharg.h"

enum { PROBE_TEXT_MAX = 4096, PROBE_ARGS_MAX = 128, PROBE_NAME_MAX = 63 };

/* Complains about the piece of text at `at`, with a caret under it. */
__attribute__((format(printf, 3, 4)))
static int complain(const char *text, const char *at, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;
	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	error_set(EINVAL, "%s", s.buf);
	if (at >= text && at <= text + strlen(text))
		error_caret(text, at - text, 1);
	str_release(&s);
	return -EINVAL;
}

static bool name_ok(const char *p, size_t n)
{
	if (!n || n > PROBE_NAME_MAX || isdigit((unsigned char)p[0]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)p[i]) && p[i] != '_')
			return false;
	return true;
}

static int set_name(char **slot, const char *text, const char *p, size_t n, const char *what)
{
	if (!name_ok(p, n))
		return complain(text, p, "'%.*s' cannot name %s: letters, digits and _ (at most %d)", (int)n,
				p, what, PROBE_NAME_MAX);
	free(*slot);
	*slot = xstrndup(p, n);
	return 0;
}

/* The first of the separators in [p, end), outside of C++'s "::" and of <> and (). */
static const char *find_sep(const char *p, const char *end, const char *seps)
{
	int depth = 0;
	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end) {
			p++;
			continue;
		}
		if (*p == ':' && p + 1 < end && p[1] == ':') {
			p++;
			continue;
		}
		if (*p == '<' || *p == '(')
			depth++;
		else if ((*p == '>' || *p == ')') && depth)
			depth--;
		else if (!depth && strchr(seps, *p))
			return p;
	}
	return NULL;
}

/* A place name with backslash escapes taken out. */
static char *unescape(const char *p, const char *end)
{
	struct str s = STR_INIT;
	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
		str_addc(&s, *p);
	}
	return str_detach(&s);
}

static int parse_count(const char *text, const char *p, const char *end, uint64_t max, const char *what,
		       uint64_t *v)
{
	char buf[32];
	size_t n = (size_t)(end - p);
	if (n && n < sizeof(buf)) {
		memcpy(buf, p, n);
		buf[n] = 0;
		if (isdigit((unsigned char)buf[0]) && !parse_u64(buf, v) && *v <= max)
			return 0;
	}
	return complain(text, p, "'%.*s' is not %s", (int)n, p, what);
}

/* GROUP:EVENT=, GROUP:, EVENT= in front of the place. Gives where the place starts. */
static int parse_event_name(struct probe_spec *s, const char **pp, const char *end)
{
	const char *p = *pp, *text = s->text;
	const char *stop = find_sep(p, end, ";=@+%");
	const char *colon;
	if (!stop || *stop != '=')
		return 0;
	colon = find_sep(p, stop, ":");
	if (colon) {
		int err = set_name(&s->group, text, p, (size_t)(colon - p), "a group");
		if (err)
			return err;
		p = colon + 1;
	}
	*pp = stop + 1;
	return set_name(&s->event, text, p, (size_t)(stop - p), "an event");
}

/* Does [p, end) name a source file ("fs/namei.c:120") rather than a function? */
static bool is_file(const char *p, const char *end)
{
	const char *sep;
	if (find_sep(p, end, "+@%"))
		return false;
	sep = find_sep(p, end, ";:");
	return sep && memchr(p, '.', (size_t)(sep - p));
}

/* puts@plt is no source file: it is how -F names the slot through which a library's function is called. */
static void take_plt(struct probe_spec *s)
{
	if (!s->function || strcmp(s->file, "plt"))
		return;
	char *name = xasprintf("%s@plt", s->function);
	free(s->function);
	free(s->file);
	s->function = name;
	s->file = NULL;
}

static int one_suffix(struct probe_spec *s, char kind, const char *p, const char *end)
{
	uint64_t v;
	int err;
	switch (kind) {
	case ':':
		err = parse_count(s->text, p, end, INT_MAX, "a line number", &v);
		s->line = err ? 0 : (int)v;
		s->has_line = true;
		return err;
	case '+':
		s->has_offset = true;
		return parse_count(s->text, p, end, INT64_MAX, "an offset in bytes", &s->offset);
	case '@':
		if (s->file)
			return complain(s->text, p, "a source file is given twice");
		if (p == end)
			return complain(s->text, p, "a source file is missing after '@'");
		s->file = unescape(p, end);
		take_plt(s);
		return 0;
	case '%':
		if (end - p != 6 || strncmp(p, "return", 6))
			return complain(s->text, p, "'%%%.*s' is not known; only %%return is", (int)(end - p), p);
		s->ret = true;
		return 0;
	}
	return 0;
}

static int check_place(struct probe_spec *s, const char *at)
{
	if (s->has_line && s->has_offset)
		return complain(s->text, at, "a line and an offset cannot both be given");
	if (s->pattern && (s->has_line || s->has_offset))
		return complain(s->text, at, "a pattern cannot be combined with a line or an offset");
	if (s->ret && (s->has_line || (s->has_offset && s->offset) || s->pattern))
		return complain(s->text, at, "a return probe is on a whole function: no line, offset or pattern");
	if (!s->function && s->has_offset)
		return complain(s->text, at, "an offset needs a function");
	if (!s->function && !s->has_line && !s->pattern)
		return complain(s->text, at, "a source file needs a line (%s:LINE) or a pattern (%s;PATTERN)",
				s->file ? s->file : "FILE", s->file ? s->file : "FILE");
	return 0;
}

/* A pattern keeps its backslashes, but for those before blanks. */
static char *copy_pattern(const char *p, const char *end)
{
	struct str s = STR_INIT;
	for (; p < end; p++)
		if (*p != '\\' || p + 1 == end || !isspace((unsigned char)p[1]))
			str_addc(&s, *p);
	return str_detach(&s);
}

static int parse_place(struct probe_spec *s, const char *p, const char *end)
{
	const char *start = p;
	bool file = is_file(p, end);
	const char *sep = find_sep(p, end, ";:+@%");
	if (!sep)
		sep = end;
	if (sep == p)
		return complain(s->text, p, "a function or a source file is wanted here");
	char *name = unescape(p, sep);
	if (file) {
		s->file = name;
	} else {
		s->function = name;
		if (!strncmp(name, "0x", 2)) {
			if (parse_u64(name, &s->addr))
				return complain(s->text, p, "'%s' is not an address", name);
			s->is_addr = true;
		}
	}
	while (sep < end) {
		char kind = *sep;
		p = sep + 1;
		if (kind == ';') {
			if (p == end)
				return complain(s->text, p, "a pattern is missing after ';'");
			s->pattern = copy_pattern(p, end);
			break;
		}
		sep = find_sep(p, end, ";:+@%");
		if (!sep)
			sep = end;
		int err = one_suffix(s, kind, p, sep);
		if (err)
			return err;
	}
	return check_place(s, start);
}

/* %provider:name, sdt_provider:name, optionally with EVENT= or GROUP:EVENT= in front. */
static int parse_sdt(struct probe_spec *s, const char *p, const char *end)
{
	const char *colon = memchr(p, ':', (size_t)(end - p));
	int err;
	if (!colon)
		return complain(s->text, p, "a marker is written %%provider:name");
	s->sdt = true;
	const char *prov = p + (*p == '%');
	if (end - prov > 4 && !strncmp(prov, "sdt_", 4))
		prov += 4;
	if (prov == colon)
		return complain(s->text, p, "a marker is written %%provider:name");
	err = set_name(&s->file, s->text, prov, (size_t)(colon - prov), "a provider");
	if (err)
		return err;
	if (colon + 1 == end)
		return complain(s->text, end, "the marker's name is missing");
	for (const char *c = colon + 1; c < end; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_*?[]-", *c))
			return complain(s->text, c, "'%c' cannot be in a marker's name", *c);
	s->function = xstrndup(colon + 1, (size_t)(end - colon - 1));
	return 0;
}

static bool is_sdt(const char *p, const char *end)
{
	if (*p == '%')
		return true;
	return end - p > 4 && !strncmp(p, "sdt_", 4) && memchr(p, ':', (size_t)(end - p)) &&
	       !memchr(p, '=', (size_t)(end - p)) && !memchr(p, '.', (size_t)(end - p));
}

static int parse_point(struct probe_spec *s, const char *p, const char *end)
{
	int err = parse_event_name(s, &p, end);
	if (err)
		return err;
	if (p == end)
		return complain(s->text, p, "the place of the probe is missing");
	if (is_sdt(p, end))
		return parse_sdt(s, p, end);
	return parse_place(s, p, end);
}

/* ---- arguments ---- */

static bool var_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

/* Variables may be C++ or Rust names too: a::b. */
static size_t var_len(const char *p)
{
	size_t n = 0;
	while (isalnum((unsigned char)p[n]) || p[n] == '_' || (p[n] == ':' && p[n + 1] == ':' && ++n))
		n++;
	return n;
}

static int parse_index(struct probe_spec *s, struct fetch_step *f, const char **pp)
{
	const char *p = *pp + 1, *end = strchr(p, ']');
	char buf[24];
	if (!end)
		return complain(s->text, s->text + strlen(s->text), "']' is missing");
	size_t n = (size_t)(end - p);
	if (!n || n >= sizeof(buf))
		return complain(s->text, p, "an index is a number");
	memcpy(buf, p, n);
	buf[n] = 0;
	if (parse_s64(buf, &f->index) || f->index < INT_MIN || f->index > INT_MAX)
		return complain(s->text, p, "'%s' cannot be an index: a number is wanted", buf);
	*pp = end + 1;
	return 0;
}

static int parse_fields(struct probe_spec *s, struct probe_argspec *a, const char *var, const char *at)
{
	size_t n = var_len(var);
	const char *p = var + n;
	a->var = xstrndup(var, n);
	while (*p) {
		struct fetch_step *f = vec_push(&a->fields);
		if (a->fields.n > 64)
			return complain(s->text, at, "the chain of members is too long");
		if (*p == '[') {
			int err = parse_index(s, f, &p);
			if (err)
				return err;
			continue;
		}
		f->arrow = p[0] == '-' && p[1] == '>';
		if (!f->arrow && *p != '.')
			return complain(s->text, at + (p - var), "'%c' is not understood: . -> or [ is wanted", *p);
		p += f->arrow ? 2 : 1;
		n = 0;
		while (isalnum((unsigned char)p[n]) || p[n] == '_')
			n++;
		if (!n)
			return complain(s->text, at + (p - var), "a member's name is missing");
		f->name = xstrndup(p, n);
		p += n;
	}
	return 0;
}

static bool type_ok(const char *t)
{
	static const char *const words[] = { "string", "ustring", "symbol", "symstr", "char", "u", "s", "x", NULL };
	char base[32];
	size_t n = strcspn(t, "[");
	unsigned w, o, c;
	int used = 0;
	if (!n || n >= sizeof(base))
		return false;
	memcpy(base, t, n);
	base[n] = 0;
	if (t[n]) { /* [N] */
		char *end;
		long k = strtol(t + n + 1, &end, 10);
		if (k < 1 || k > 64 || end[0] != ']' || end[1])
			return false;
	}
	for (int i = 0; words[i]; i++)
		if (!strcmp(base, words[i]))
			return true;
	if (strchr("usx", base[0]) && (!strcmp(base + 1, "8") || !strcmp(base + 1, "16") ||
				       !strcmp(base + 1, "32") || !strcmp(base + 1, "64")))
		return true;
	return sscanf(base, "b%u@%u/%u%n", &w, &o, &c, &used) == 3 && !base[used] && w && w + o <= c &&
	       (c == 8 || c == 16 || c == 32 || c == 64);
}

/* Where the type starts: the last ':' that is not half of a "::". */
static char *type_colon(char *word)
{
	for (char *p = word + strlen(word); p-- > word;) {
		if (*p != ':')
			continue;
		if (p > word && p[-1] == ':')
			return NULL;
		return p;
	}
	return NULL;
}

/* A text may hold colons: its type is behind its end. */
static char *type_of_word(char *at)
{
	if (strncmp(at, "\\\"", 2))
		return type_colon(at);
	char *end = strrchr(at + 2, '"');
	return end && end[1] == ':' ? end + 1 : NULL;
}

static bool is_string(const char *type)
{
	return !strcmp(type, "string") || !strcmp(type, "ustring");
}

static int parse_arg(struct probe_spec *s, const char *p, const char *end)
{
	struct probe_argspec *a = vec_push(&s->args);
	char *word = xstrndup(p, (size_t)(end - p)), *at = word, *colon, *eq;
	int err = 0;
	a->text = xstrdup(word);
	eq = strchr(word, '=');
	if (eq && eq != word && word[0] != '\\') {
		err = set_name(&a->name, s->text, p, (size_t)(eq - word), "an argument");
		at = eq + 1;
	}
	colon = type_of_word(at);
	if (!err && colon && colon > at) {
		if (!type_ok(colon + 1)) {
			complain(s->text, p + (colon + 1 - word), "'%s' is not a type", colon + 1);
			err = error_hint("types: string, ustring, symbol, symstr, char, u8 to u64, s8 to s64, x8 to x64, bWIDTH@OFFSET/SIZE; [N] behind one: an array");
		}
		a->type = xstrdup(colon + 1);
		*colon = 0;
	}
	size_t n = strlen(at);
	if (n > 5 && !strcmp(at + n - 5, "@user")) {
		a->user = true;
		at[n - 5] = 0;
	}
	if (!err && !*at)
		err = complain(s->text, p + (at - word), "an argument is missing");
	if (!err) {
		const char *where, *wrong;
		a->fetcharg = !var_start(*at) && strcmp(at, "$params") && strcmp(at, "$vars");
		if (a->fetcharg && (wrong = fetcharg_check(at, s->sdt, &where)))
			err = complain(s->text, p + (where - word), "'%s': %s", at, wrong);
		else if (a->fetcharg && a->type && is_string(a->type) && strchr("%$", *at) && strcmp(at, "$comm"))
			err = complain(s->text, p + (at - word), "%s is a number; the string that it points to is +0(%s):%s", at, at, a->type);
		else if (a->fetcharg && a->type && strchr(a->type, '[') && !strchr("@+-", *at))
			err = complain(s->text, p + (at - word), "an array is in memory: +0(%s):%s", at, a->type);
		else if (a->fetcharg || *at == '$')
			a->var = xstrdup(at);
		else
			err = parse_fields(s, a, at, p + (at - word));
	}
	free(word);
	return err;
}

static int check_args(struct probe_spec *s)
{
	vec_each(&s->args, a) {
		if (!a->fetcharg && s->ret)
			return complain(s->text, s->text, "'%s': local variables are gone when a function returns; "
					"a return probe has $retval", a->text);
		if (a->fetcharg && !strcmp(a->var, "$retval") && !s->ret)
			return complain(s->text, s->text, "$retval is only there in a return probe: %s%%return",
					s->function ? s->function : "FUNC");
	}
	return 0;
}

/* As perf has it, a pattern ends at a blank too; blanks count for nothing in it, so it needs none ("\\ " is one). */
static const char *pattern_end(const char *p)
{
	for (; *p && !isspace((unsigned char)*p); p++)
		if (*p == '\\' && p[1])
			p++;
	return p;
}

static const char *point_end(const char *p)
{
	const char *end = p + strcspn(p, " \t\n");
	const char *semi = find_sep(p, end, ";");
	if (semi)
		return pattern_end(semi);
	/* C++ names have blanks inside () and <>: taken as part of the place */
	int depth = 0;
	for (const char *c = p; *c; c++) {
		if (*c == '<' || *c == '(')
			depth++;
		else if ((*c == '>' || *c == ')') && depth)
			depth--;
		else if (!depth && isspace((unsigned char)*c))
			return c;
	}
	return depth ? end : p + strlen(p);
}

static int parse(struct probe_spec *s, const char *text, bool place_only)
{
	memset(s, 0, sizeof(*s));
	s->text = xstrdup(text);
	if (strlen(text) > PROBE_TEXT_MAX)
		return error_set(EINVAL, "a probe definition of more than %d bytes", PROBE_TEXT_MAX);
	const char *p = s->text + strspn(s->text, " \t\n");
	const char *end = point_end(p);
	int err = parse_point(s, p, end);
	for (p = end + strspn(end, " \t\n"); !err && *p; p = end + strspn(end, " \t\n")) {
		end = p + strcspn(p, " \t\n");
		if (place_only)
			return complain(s->text, p, "only a place is wanted here, no arguments");
		if (s->args.n >= PROBE_ARGS_MAX)
			return complain(s->text, p, "more than %d arguments", PROBE_ARGS_MAX);
		err = parse_arg(s, p, end);
	}
	if (err && s->args.n && s->pattern)
		return error_hint("a pattern ends at a blank: write it without, blanks do not count in it");
	return err ? err : check_args(s);
}

int probe_spec_parse(struct probe_spec *s, const char *text)
{
	return parse(s, text, false);
}

int probe_spec_parse_place(struct probe_spec *s, const char *text)
{
	return parse(s, text, true);
}

void probe_spec_release(struct probe_spec *s)
{
	vec_each(&s->args, a) {
		vec_each(&a->fields, f)
			free(f->name);
		vec_release(&a->fields);
		free(a->text);
		free(a->name);
		free(a->var);
		free(a->type);
	}
	vec_release(&s->args);
	free(s->text);
	free(s->group);
	free(s->event);
	free(s->function);
	free(s->file);
	free(s->pattern);
	memset(s, 0, sizeof(*s));
}

void probe_spec_place(const struct probe_spec *s, struct str *out)
{
	if (s->sdt) {
		str_addf(out, "%%%s:%s", s->file, s->function);
		return;
	}
	if (s->function)
		str_add(out, s->function);
	if (s->has_offset && s->offset)
		str_addf(out, "+%llu", (unsigned long long)s->offset);
	if (s->ret)
		str_add(out, "%return");
	if (s->pattern)
		str_addf(out, "%s;%s", s->function ? "" : s->file, s->pattern);
	else if (s->has_line)
		str_addf(out, "%s:%d", s->function ? "" : s->file, s->line);
	if (s->file && s->function)
		str_addf(out, "@%s", s->file);
}

bool probe_spec_needs_source(const struct probe_spec *s)
{
	if (s->sdt)
		return false;
	if (s->has_line || s->pattern || s->file)
		return true;
	vec_each(&s->args, a)
		if (!a->fetcharg)
			return true;
	return false;
}

/* ---- LINEDESC ---- */

static int parse_range(struct probe_lines *l, const char *text, const char *p)
{
	const char *sep = p + strcspn(p, "-+"), *end = p + strlen(p);
	uint64_t a, b = 0;
	int err = parse_count(text, p, sep, INT_MAX - 1, "a line number", &a);
	if (err)
		return err;
	l->ranged = true;
	l->first = (int)a;
	l->last = INT_MAX;
	if (!*sep)
		return 0;
	err = parse_count(text, sep + 1, end, INT_MAX - 1, "a line number", &b);
	if (err)
		return err;
	if (*sep == '+')
		b = a + b > INT_MAX - 1 ? INT_MAX - 1 : a + b;
	if (b < a)
		return complain(text, sep + 1, "the range ends before it starts");
	l->last = (int)b;
	return 0;
}

int probe_lines_parse(struct probe_lines *l, const char *text)
{
	const char *end = text + strlen(text), *colon, *at;
	memset(l, 0, sizeof(*l));
	l->last = INT_MAX;
	colon = find_sep(text, end, ":");
	const char *stop = colon ? colon : end;
	if (stop == text)
		return complain(text, text, "a function or a source file is wanted here");
	at = find_sep(text, stop, "@");
	if (at) {
		l->function = unescape(text, at);
		l->file = unescape(at + 1, stop);
	} else if (memchr(text, '.', (size_t)(stop - text)) || memchr(text, '/', (size_t)(stop - text))) {
		l->file = unescape(text, stop);
	} else {
		l->function = unescape(text, stop);
	}
	if (!colon)
		return 0;
	/* FUNC:1-3@SRC is also written */
	const char *late = find_sep(colon, end, "@");
	if (late && !at) {
		char *range = xstrndup(colon + 1, (size_t)(late - colon - 1));
		int err = parse_range(l, range, range);
		free(range);
		if (!l->function && !err)
			err = complain(text, late, "a source file is given twice");
		free(l->file);
		l->file = unescape(late + 1, end);
		return err;
	}
	return parse_range(l, text, colon + 1);
}

void probe_lines_release(struct probe_lines *l)
{
	free(l->function);
	free(l->file);
	memset(l, 0, sizeof(*l));
}
