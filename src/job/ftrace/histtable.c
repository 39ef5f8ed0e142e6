// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel writes, for each trigger:
 *
 *	# trigger info: hist:keys=common_pid,prio:vals=hitcount:sort=hitcount:size=2048 [active]
 *	{ common_pid:       1234, prio:        120 } hitcount:          5
 *	Totals:
 *	    Hits: 5
 *
 * A stack as a key takes lines of its own, indented, and the brace comes behind them. A key may be a thread's name, which may
 * look like anything: keys are told apart by the names that the trigger has, from behind. */
#include "job/ftrace/histtable.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/json.h"
#include "base/words.h"

struct trigger_row { wordlist cells, stack; };
struct trigger_table {
	char *info; /* "keys=...": in the text */
	wordlist names; /* of the columns, keys first */
	size_t keys;
	VEC(struct trigger_row) rows;
	uint64_t hits, entries, dropped;
};

static void cell(wordlist *w, const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	while (end > p && end[-1] == ' ')
		end--;
	char *z = xstrndup(p, (size_t)(end - p)), *open = strrchr(z, '[');
	if (open && end[-1] == ']' && open > z) { /* "bash            [      1234]" */
		const char *number = open + 1 + strspn(open + 1, " ");
		char *name_end = open;
		while (name_end > z && name_end[-1] == ' ')
			name_end--;
		char *short_one = xasprintf("%.*s [%s", (int)(name_end - z), z, number);
		free(z);
		z = short_one;
	}
	wordlist_add(w, z);
	free(z);
}

/* The names of "keys=common_pid.execname,prio" or "vals=hitcount", without what says how they are shown. */
static void names_of(struct trigger_table *b, const char *what)
{
	char *p = strstr(b->info, what);
	if (!p)
		return;
	p += strlen(what);
	for (size_t n; n = strcspn(p, ",: "), n; p += n + (p[n] == ',')) {
		size_t plain = strcspn(p, "., :");
		char *z = xstrndup(p, plain < n ? plain : n);
		wordlist_add(&b->names, z);
		free(z);
		if (p[n] != ',')
			break;
	}
}

/* Where "NAME: " of the key with that number is, the last one before end; NULL: nowhere. */
static char *find_key(char *text, const char *end, const char *name, bool first)
{
	char *found = NULL, *want = xasprintf("%s%s:", first ? "" : ", ", name);
	for (char *p = text; (p = strstr(p, want)) && p < end; p++) {
		found = p;
		if (first)
			break;
	}
	free(want);
	return found;
}

static void take_keys(struct trigger_table *b, struct trigger_row *r, char *text, char *end)
{
	const char **from = xcalloc(b->keys + 1, sizeof(*from)), **to = xcalloc(b->keys + 1, sizeof(*to));
	for (size_t i = b->keys; i-- > 0;) {
		char *at = find_key(text, end, b->names.at[i], !i);
		if (!at)
			continue;
		from[i] = strchr(at, ':') + 1;
		to[i] = end;
		end = at;
	}
	for (size_t i = 0; i < b->keys; i++)
		cell(&r->cells, from[i] ? from[i] : "", from[i] ? to[i] : "");
	free(from);
	free(to);
}

/* "hitcount:          5  bytes:        100" */
static void take_values(struct trigger_table *b, struct trigger_row *r, const char *p)
{
	for (size_t i = b->keys; i < b->names.n; i++) {
		const char *colon = strchr(p, ':');
		if (!colon) {
			wordlist_add(&r->cells, "");
			continue;
		}
		const char *start = colon + 1 + strspn(colon + 1, " "), *end = strstr(start, "  ");
		end = end ? end : start + strlen(start);
		cell(&r->cells, start, end);
		p = end;
	}
}

/* An entry whose last line has come. */
static void take_entry(struct trigger_table *b, struct trigger_row *r, char *text)
{
	char *end = NULL;
	for (char *p = text; (p = strstr(p, "} hitcount:")); p++)
		end = p;
	if (!end)
		end = strrchr(text, '}');
	if (!end)
		end = text + strlen(text);
	char *values = *end ? end + 1 : end;
	*end = 0;
	take_keys(b, r, text + 2, end);
	take_values(b, r, values);
}

static void block_release(struct trigger_table *b)
{
	vec_each(&b->rows, r) {
		wordlist_release(&r->cells);
		wordlist_release(&r->stack);
	}
	vec_release(&b->rows);
	wordlist_release(&b->names);
	*b = (struct trigger_table){ 0 };
}

/* ---- printing ---- */

static bool numeric(const char *z)
{
	char *end;
	(void)strtod(z, &end);
	return end != z && !*end;
}

static void print_row(const struct trigger_row *r, const size_t *width, size_t n, struct str *line)
{
	for (size_t i = 0; i < n; i++) {
		struct str safe = STR_INIT;
		str_add_safez(&safe, i < r->cells.n ? r->cells.at[i] : "");
		size_t pad = safe.len < width[i] ? width[i] - safe.len : 0, last = i + 1 == n;
		str_addf(line, "%s", i ? "  " : "");
		if (numeric(safe.buf))
			str_addf(line, "%*s%s", (int)pad, "", safe.buf);
		else
			str_addf(line, "%s%*s", safe.buf, last ? 0 : (int)pad, "");
		str_release(&safe);
	}
	str_addc(line, '\n');
	vec_each(&r->stack, s) {
		str_add(line, "    ");
		str_add_safez(line, *s);
		str_addc(line, '\n');
	}
}

static void print_text(const struct trigger_table *b, const char *event, struct out *o)
{
	size_t n = b->names.n, *width = xcalloc(n + 1, sizeof(*width));
	struct str line = STR_INIT;
	str_add(&line, "# ");
	str_add_safez(&line, event);
	str_addc(&line, ' ');
	str_add_safez(&line, b->info);
	str_addc(&line, '\n');
	for (size_t i = 0; i < n; i++)
		width[i] = strlen(b->names.at[i]);
	vec_each(&b->rows, r)
		for (size_t i = 0; i < n && i < r->cells.n; i++) {
			struct str safe = STR_INIT;
			str_add_safez(&safe, r->cells.at[i]);
			width[i] = safe.len > width[i] ? safe.len : width[i];
			str_release(&safe);
		}
	for (size_t i = 0; i < n; i++) {
		bool right = b->rows.n && i < b->rows.at[0].cells.n && numeric(b->rows.at[0].cells.at[i]);
		str_addf(&line, right ? "%s%*s" : "%s%-*s", i ? "  " : "", right || i + 1 < n ? (int)width[i] : 0, b->names.at[i]);
	}
	str_addc(&line, '\n');
	vec_each(&b->rows, r)
		print_row(r, width, n, &line);
	str_addf(&line, "# hits %llu, entries %llu, dropped %llu\n", (unsigned long long)b->hits, (unsigned long long)b->entries,
		 (unsigned long long)b->dropped);
	out_str(o, &line);
	str_release(&line);
	free(width);
}

static void json_cell(struct json *j, const char *name, const char *z)
{
	char *end;
	unsigned long long v = strtoull(z, &end, 10);
	if (isdigit((unsigned char)*z) && !*end)
		json_ku64(j, name, v);
	else
		json_kstr(j, name, z);
}

static void print_json(const struct trigger_table *b, const char *event, struct out *o)
{
	struct str line = STR_INIT;
	vec_each(&b->rows, r) {
		struct json j;
		json_init(&j, &line);
		json_open(&j, '{');
		json_kstr(&j, "event", event);
		json_kstr(&j, "trigger", b->info);
		json_key(&j, "keys");
		json_open(&j, '{');
		for (size_t i = 0; i < b->names.n && i < r->cells.n; i++) {
			if (i == b->keys) {
				json_close(&j, '}');
				json_key(&j, "values");
				json_open(&j, '{');
			}
			json_cell(&j, b->names.at[i], r->cells.at[i]);
		}
		json_close(&j, '}');
		if (r->stack.n) {
			json_key(&j, "stack");
			json_open(&j, '[');
			vec_each(&r->stack, s)
				json_strz(&j, *s);
			json_close(&j, ']');
		}
		json_close(&j, '}');
		str_addc(&line, '\n');
		out_str(o, &line);
	}
	str_release(&line);
}

static uint64_t finish(struct trigger_table *b, const char *event, bool json, struct out *o)
{
	uint64_t dropped = b->dropped;
	if (b->info && json)
		print_json(b, event, o);
	else if (b->info)
		print_text(b, event, o);
	block_release(b);
	return dropped;
}

static void begin(struct trigger_table *b, char *info)
{
	char *state = strstr(info, " [active]");
	if (state)
		*state = 0;
	b->info = info;
	names_of(b, "keys=");
	b->keys = b->names.n;
	names_of(b, "vals=");
}

/* ---- reading ---- */

static bool total(const char *line, const char *word, uint64_t *n)
{
	line += strspn(line, " ");
	if (strncmp(line, word, strlen(word)))
		return false;
	*n = strtoull(line + strlen(word), NULL, 10);
	return true;
}

uint64_t ftrace_hist_table(char *text, const char *event, bool json, struct out *o)
{
	struct trigger_table b = { 0 };
	struct str entry = STR_INIT;
	bool open = false;
	uint64_t dropped = 0;
	char *save = NULL, *info;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!open && (info = strstr(line, "trigger info: ")) && *line == '#') {
			dropped += finish(&b, event, json, o);
			begin(&b, info + 14);
		} else if (!open && str_starts(line, "{ ")) {
			*vec_push(&b.rows) = (struct trigger_row){ 0 };
			open = true;
		} else if (!open && b.info && !total(line, "Hits: ", &b.hits) && !total(line, "Entries: ", &b.entries)) {
			(void)total(line, "Dropped: ", &b.dropped);
		}
		if (!open)
			continue;
		if (str_starts(line, "  ")) {
			wordlist_add(&vec_last(&b.rows)->stack, line + strspn(line, " "));
			continue;
		}
		str_add(&entry, line);
		if (!strstr(line, "} ")) /* the brace is behind the stack */
			continue;
		take_entry(&b, vec_last(&b.rows), entry.buf);
		str_clear(&entry);
		open = false;
	}
	dropped += finish(&b, event, json, o);
	str_release(&entry);
	return dropped;
}
