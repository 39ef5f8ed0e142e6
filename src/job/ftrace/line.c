// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/ftrace/line.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/json.h"

/* Tabs stay: columns are made of them. */
static void add_text(struct str *s, const char *p, size_t n)
{
	while (n) {
		const char *tab = memchr(p, '\t', n);
		size_t k = tab ? (size_t)(tab - p) : n;
		str_add_safe(s, p, k);
		if (tab)
			str_addc(s, '\t');
		k += tab != NULL;
		p += k;
		n -= k;
	}
}

/* "CPU:0 [LOST 12 EVENTS]" */
uint64_t ftrace_line_lost(const char *line)
{
	const char *p = strstr(line, " [LOST ");
	return str_starts(line, "CPU:") && p ? strtoull(p + 7, NULL, 10) : 0;
}

/* ---- graphs: " 1)   0.5 us    |  vfs_read() {" ---- */

struct graph_line {
	const char *marks; /* before the bar: CPU, duration, marks of long ones */
	size_t marks_len;
	const char *call; /* behind it, indented */
	unsigned depth;
};

static bool is_graph(const char *line, struct graph_line *g)
{
	const char *p = line, *bar = strchr(line, '|');
	while (*p == ' ')
		p++;
	if (!isdigit((unsigned char)*p))
		return false;
	while (isdigit((unsigned char)*p) || *p == '.')
		p++;
	if ((*p != ')' && *p != ' ') || !bar || !strchr(line, ')') || strchr(line, ')') > bar)
		return false;
	while (strchr(bar + 1, '|') && strchr(bar + 1, '|') < strpbrk(bar, "(}/\0")) /* with -a: time | CPU) task | duration | */
		bar = strchr(bar + 1, '|');
	g->marks = line;
	g->marks_len = (size_t)(bar - line);
	for (p = bar + 1; *p == ' '; p++)
		;
	g->depth = (unsigned)(p - bar - 1) / 2;
	g->call = p;
	return true;
}

static bool duration(const struct graph_line *g, double *us)
{
	for (size_t i = 0; i + 3 <= g->marks_len; i++) {
		if (strncmp(g->marks + i, " us", 3))
			continue;
		const char *start = g->marks + i;
		while (start > g->marks && (isdigit((unsigned char)start[-1]) || start[-1] == '.'))
			start--;
		if (start == g->marks + i)
			return false;
		*us = strtod(start, NULL);
		return true;
	}
	return false;
}

/* Where the function's name is, also at its end (with funcgraph-tail); "": it is not told. */
static const char *function_of(const struct graph_line *g)
{
	const char *end = *g->call == '}' ? strstr(g->call, "/* ") : NULL;
	return end ? end + 3 : *g->call == '}' ? "" : g->call;
}

bool ftrace_line_ends(const char *line, char *name, size_t size, double *us)
{
	struct graph_line g;
	if (!is_graph(line, &g) || !duration(&g, us))
		return false;
	const char *p = function_of(&g);
	size_t n = strcspn(p, "( ;");
	if (!n || n >= size || *p == '/')
		return false;
	memcpy(name, p, n);
	name[n] = 0;
	return true;
}

static void graph_json(struct json *j, const struct graph_line *g)
{
	double us;
	const char *function = *g->call == '/' ? "" : function_of(g);
	json_ks64(j, "cpu", strtol(g->marks, NULL, 10));
	json_ks64(j, "depth", (int)g->depth - 1);
	if (*g->call == '}')
		json_kstr(j, "kind", "return");
	else if (str_starts(g->call, "/*"))
		json_kstr(j, "kind", "comment");
	else
		json_kstr(j, "kind", strchr(g->call, '{') ? "enter" : "call");
	if (*function) {
		json_key(j, "function");
		json_str(j, function, strcspn(function, "(; "));
	} else {
		json_kstr(j, "text", g->call);
	}
	if (duration(g, &us))
		json_kdouble(j, "us", us);
}

/* ---- events: "            bash-1234    [001] d..1.   12.345678: vfs_read: (...) a=1" ---- */

struct event_line { const char *comm, *pid, *cpu, *flags, *time, *rest; size_t comm_len, flags_len, time_len; };

static bool is_event(const char *line, struct event_line *e)
{
	/* the task's name may hold anything, brackets too: the last " [NNN] " that has a time behind it */
	for (const char *at = line; (at = strstr(at, " [")); at++) {
		const char *p = at + 2, *flags, *time;
		size_t digits = strspn(p, "0123456789");
		if (!digits || p[digits] != ']' || p[digits + 1] != ' ')
			continue;
		flags = p + digits + 2;
		size_t nf = strcspn(flags, " ");
		time = flags + nf + strspn(flags + nf, " ");
		if (isdigit((unsigned char)*flags) && flags[nf - 1] == ':') /* without flags */
			time = flags, nf = 0;
		size_t nt = strspn(time, "0123456789.");
		if (!nt || time[nt] != ':')
			continue;
		const char *end = at;
		while (end > line && end[-1] == ' ')
			end--;
		if (end > line && end[-1] == ')') /* record-tgid: "(  123)" */
			while (end > line && *end != '(')
				end--;
		while (end > line && end[-1] == ' ')
			end--;
		const char *dash = end;
		while (dash > line && isdigit((unsigned char)dash[-1]))
			dash--;
		if (dash == line || dash[-1] != '-')
			continue;
		const char *comm = line + strspn(line, " ");
		*e = (struct event_line){ comm, dash, p, flags, time, time + nt + 1, (size_t)(dash - 1 - comm), nf, nt };
		return dash - 1 >= comm;
	}
	return false;
}

/* "name=value" pieces: numbers as numbers, quoted text as text. */
static void fields_json(struct json *j, const char *p)
{
	json_key(j, "fields");
	json_open(j, '{');
	while (*p) {
		size_t word = strcspn(p, " =\"");
		if (p[word] != '=' || !word) {
			p += word + !!p[word];
			continue;
		}
		char *name = xstrndup(p, word), *end;
		json_key(j, name);
		free(name);
		p += word + 1;
		const char *close = *p == '"' ? strstr(p + 1, "\" ") : NULL;
		if (*p == '"' && !close && strlen(p) > 1 && p[strlen(p) - 1] == '"')
			close = p + strlen(p) - 1;
		if (close) {
			json_str(j, p + 1, (size_t)(close - p - 1));
			p = close + 1;
			continue;
		}
		size_t n = strcspn(p, " ");
		unsigned long long u = strtoull(p, &end, 0);
		if (end == p + n && *p != '-')
			json_u64(j, u);
		else if (end == p + n)
			json_s64(j, strtoll(p, NULL, 0));
		else
			json_str(j, p, n);
		p += n;
	}
	json_close(j, '}');
}

static void event_json(struct json *j, const struct event_line *e)
{
	const char *text = e->rest + strspn(e->rest, " "), *colon = strstr(text, ": ");
	bool call = text[strcspn(text, ":( ")] == '('; /* sys_openat(dfd: ... */
	size_t name = call || !colon ? strcspn(text, "( ") : (size_t)(colon - text);
	json_key(j, "comm");
	json_str(j, e->comm, e->comm_len);
	json_ks64(j, "tid", strtol(e->pid, NULL, 10));
	json_ks64(j, "cpu", strtol(e->cpu, NULL, 10));
	if (e->flags_len) {
		json_key(j, "flags");
		json_str(j, e->flags, e->flags_len);
	}
	json_key(j, "time"); /* as the kernel has it: a double would cut nanoseconds */
	json_str(j, e->time, e->time_len);
	if (strstr(text, " <-") && !colon) {
		json_key(j, "function");
		json_str(j, text, name);
		json_kstr(j, "caller", strstr(text, " <-") + 3);
		return;
	}
	json_key(j, "event");
	json_str(j, text, name);
	json_kstr(j, "text", call ? text + name : colon ? colon + 2 : "");
	if (colon && !call)
		fields_json(j, colon + 2);
}

static void put_json(struct ftrace_lines *l, const char *line, uint64_t lost)
{
	struct json j;
	struct graph_line g;
	struct event_line e;
	json_init(&j, &l->text);
	json_open(&j, '{');
	if (lost) {
		json_ks64(&j, "cpu", strtol(line + 4, NULL, 10));
		json_ku64(&j, "lost", lost);
	} else if (is_event(line, &e)) {
		event_json(&j, &e);
	} else if (is_graph(line, &g)) {
		graph_json(&j, &g);
	} else {
		json_kstr(&j, "text", line);
	}
	json_close(&j, '}');
}

/* Functions in bold, what took long in the colour that it deserves, the rest as it is. */
static void put_coloured(struct ftrace_lines *l, const char *line, struct out *o)
{
	struct graph_line g;
	if (!is_graph(line, &g)) {
		add_text(&l->text, line, strlen(line));
		return;
	}
	const char *mark = memchr(g.marks, '+', g.marks_len) ? out_colour(o, OUT_GREEN) : "";
	for (const char *c = "!#*@$"; *c; c++)
		if (memchr(g.marks, *c, g.marks_len))
			mark = out_colour(o, *c == '!' ? OUT_YELLOW : OUT_RED);
	str_add(&l->text, mark);
	add_text(&l->text, g.marks, g.marks_len);
	if (*mark)
		str_add(&l->text, out_colour(o, OUT_PLAIN));
	size_t name = strcspn(g.call, "(; ");
	add_text(&l->text, g.marks + g.marks_len, (size_t)(g.call - g.marks) - g.marks_len);
	str_add(&l->text, out_colour(o, *g.call == '}' || *g.call == '/' ? OUT_GREY : OUT_BOLD));
	add_text(&l->text, g.call, *g.call == '}' || *g.call == '/' ? strlen(g.call) : name);
	str_add(&l->text, out_colour(o, OUT_PLAIN));
	if (*g.call != '}' && *g.call != '/')
		add_text(&l->text, g.call + name, strlen(g.call + name));
}

void ftrace_line_put(struct ftrace_lines *l, const char *line, size_t n, struct out *o)
{
	char *z = xstrndup(line, n);
	uint64_t lost = ftrace_line_lost(z);
	l->lost += lost;
	str_clear(&l->text);
	if (l->json)
		put_json(l, z, lost);
	else if (o->colour)
		put_coloured(l, z, o);
	else
		add_text(&l->text, z, strlen(z));
	str_addc(&l->text, '\n');
	out_write(o, l->text.buf, l->text.len);
	free(z);
}
