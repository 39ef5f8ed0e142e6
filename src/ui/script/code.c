// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/script/code.h"
#include <stdlib.h>
#include <string.h>
#include "arch/insn.h"
#include "base/map.h"
#include "symbol/sourcetext.h"

struct shown_line { const char *file; int line; }; /* file: the symbols' */
struct script_code {
	struct source_texts *texts;
	VEC(struct shown_line) shown;
	struct u64map by_tid; /* to the place in shown, from 1 on */
};

static struct script_code *code_of(struct script *sc)
{
	if (!sc->code) {
		sc->code = xcalloc(1, sizeof(*sc->code));
		sc->code->texts = source_texts_new();
	}
	return sc->code;
}

void script_insn_add(struct script *sc, struct str *s, const struct perfdata_record *r, uint64_t fields)
{
	uint8_t code[INSN_MAX];
	struct frame f;
	symbols_resolve(sc->syms, r->pid, r->ip, sample_mode(r->misc), &f);
	size_t n = symbols_code(sc->syms, &f, code, sizeof(code));
	int length = insn_length(code, n);
	if (fields & FIELD_BIT(FIELD_INSNLEN))
		str_addf(s, " ilen: %d", length);
	if (!length || !(fields & FIELD_BIT(FIELD_INSN)))
		return;
	str_add(s, " insn:");
	for (int i = 0; i < length; i++)
		str_addf(s, " %02x", code[i]);
}

void script_srccode_add(struct script *sc, struct str *s, const struct perfdata_record *r)
{
	struct script_code *c = code_of(sc);
	struct frame f;
	size_t n;
	symbols_resolve(sc->syms, r->pid, r->ip, sample_mode(r->misc), &f);
	if (!f.dso || !symbols_source(sc->syms, &f) || !f.file)
		return;
	size_t at = (size_t)u64map_get(&c->by_tid, (uint32_t)r->tid);
	const struct shown_line *last = at ? &c->shown.at[at - 1] : NULL;
	if (last && last->line == f.line && !strcmp(last->file, f.file))
		return;
	const char *text = source_texts_line(c->texts, f.file, f.line, &n);
	if (!text)
		return;
	if (!at) {
		vec_push(&c->shown);
		at = c->shown.n;
		u64map_set(&c->by_tid, (uint32_t)r->tid, (void *)at);
	}
	c->shown.at[at - 1] = (struct shown_line){ f.file, f.line };
	str_addf(s, "|%-8d ", f.line);
	for (size_t i = 0; i < n; i++) { /* tabs stay */
		size_t k = strcspn(text + i, "\t\n");
		str_add_safe(s, text + i, k < n - i ? k : n - i);
		i += k;
		if (i < n)
			str_addc(s, '\t');
	}
	str_addc(s, '\n');
}

void script_code_release(struct script *sc)
{
	struct script_code *c = sc->code;
	if (!c)
		return;
	source_texts_free(c->texts);
	vec_release(&c->shown);
	u64map_release(&c->by_tid);
	free(c);
	sc->code = NULL;
}
