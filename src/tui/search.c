// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/inner.h"

const char *search_in(const char *text, const char *wanted)
{
	return *wanted ? strcasestr(text, wanted) : NULL;
}

static bool matches(struct tui_source *s, size_t row, const char *wanted, struct tui_line *l)
{
	tui_line_clear(l);
	s->ops->line(s, row, l);
	return search_in(l->text.buf, wanted);
}

void tui_search(struct tui *t, const char *text, bool back)
{
	struct tui_source *s = tui_top(t);
	struct tui_line l = { .text = STR_INIT };
	size_t n = s->ops->rows(s), at = tui_cursor(t), found = n, count = 0, which = 0;
	if (text) {
		str_clear(&t->wanted);
		str_add(&t->wanted, text);
	}
	if (!t->wanted.len) {
		tui_say(t, "nothing was searched for yet: Ctrl-F asks what");
		return;
	}
	size_t first = n, last = n, next = n, before = n;
	for (size_t i = 0; i < n; i++) {
		if (!matches(s, i, t->wanted.buf, &l))
			continue;
		count++;
		first = first == n ? i : first;
		last = i;
		if (i < at)
			before = i;
		if (next == n && (i > at || (text && i == at)))
			next = i;
	}
	found = back ? (before != n ? before : last) : next != n ? next : first;
	for (size_t i = 0; found != n && i <= found; i++)
		which += matches(s, i, t->wanted.buf, &l);
	tui_line_release(&l);
	if (found == n) {
		tui_say(t, "no line has '%s'", t->wanted.buf);
		return;
	}
	bool round = back ? before == n : next == n;
	tui_go_to(t, found);
	tui_say(t, "'%s': %zu of %zu%s", t->wanted.buf, which, count, round ? ", round the end" : "");
}

static enum tui_did wanted(struct tui *t, struct tui_source *s, const char *text)
{
	(void)s;
	if (*text)
		tui_search(t, text, false);
	else
		str_clear(&t->wanted);
	return TUI_DONE;
}

enum tui_did search_ask(struct tui *t)
{
	tui_ask(t, "search", "", wanted);
	return TUI_DONE;
}
