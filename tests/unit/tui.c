// SPDX-License-Identifier: GPL-2.0-or-later
/* The browser's model: keys go in, frames come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "tui/source.h"

enum { MOST = 500 };
struct list { struct tui_source base; int n, at[MOST], keys, chosen; char answer[64]; bool gone; };

static struct list *of(struct tui_source *s)
{
	return (struct list *)s;
}

static size_t rows(struct tui_source *s)
{
	return of(s)->n;
}

static void line(struct tui_source *s, size_t row, struct tui_line *l)
{
	tui_line_add(l, TUI_PLAIN, "row %d", of(s)->at[row]);
}

static uint64_t id(struct tui_source *s, size_t row)
{
	return of(s)->at[row] + 1;
}

static void title(struct tui_source *s, struct str *out)
{
	(void)s;
	str_add(out, "a list");
}

static void head(struct tui_source *s, struct str *out)
{
	(void)s;
	str_add(out, "names");
}

static enum tui_did answer(struct tui *t, struct tui_source *s, const char *text)
{
	(void)t;
	snprintf(of(s)->answer, sizeof(of(s)->answer), "%s", text);
	return TUI_DONE;
}

static enum tui_did chosen(struct tui *t, struct tui_source *s, int number, void *with)
{
	(void)t;
	(void)with;
	of(s)->chosen = number;
	return TUI_DONE;
}

static enum tui_did key(struct tui *t, struct tui_source *s, int k)
{
	struct tui_menu m = { 0 };
	of(s)->keys++;
	if (k == 'x') {
		for (int i = 0; i < 40; i++)
			tui_menu_add(&m, i + 100, NULL, "choice \033[31m%d", i);
		tui_choose(t, "choose", &m, chosen);
	} else if (k == '/') {
		tui_ask(t, "what", "a", answer);
	} else if (k == 'Q') {
		return TUI_QUIT;
	} else {
		return TUI_NOT_MINE;
	}
	return TUI_DONE;
}

static void free_list(struct tui_source *s)
{
	of(s)->gone = true;
}

static const struct tui_source_ops ops = { .kind = TUI_REPORT, .rows = rows, .line = line, .id = id, .title = title, .head = head, .key = key, .free = free_list };

static void fill(struct list *l, int n)
{
	*l = (struct list){ .base.ops = &ops, .n = n };
	for (int i = 0; i < n; i++)
		l->at[i] = i;
}

static struct tui *begin(struct list *l, int n, int height)
{
	struct tui *t = tui_new(40, height);
	fill(l, n);
	tui_push(t, &l->base);
	return t;
}

/* The line of the screen that is selected, and the one at the bottom. */
static void selected_is(struct tui *t, const char *text)
{
	struct tui_frame f = { 0 };
	tui_draw(t, &f);
	assert_true(f.cursor >= 0);
	assert_string_equal(f.line[f.cursor].text.buf, text);
	tui_frame_release(&f);
}

static void bottom_has(struct tui *t, const char *text)
{
	struct tui_frame f = { 0 };
	tui_draw(t, &f);
	if (!strstr(f.line[f.height - 1].text.buf, text))
		fail_msg("'%s' is not in '%s'", text, f.line[f.height - 1].text.buf);
	tui_frame_release(&f);
}

static void moves(void **state)
{
	struct list l;
	struct tui *t = begin(&l, 100, 13); /* ten rows, a title, a head, a status */
	(void)state;
	selected_is(t, "row 0");
	tui_key(t, TUI_UP);
	selected_is(t, "row 0");
	tui_key(t, TUI_DOWN);
	selected_is(t, "row 1");
	tui_key(t, ' ');
	selected_is(t, "row 10");
	tui_key(t, TUI_END);
	selected_is(t, "row 99");
	tui_key(t, TUI_PAGE_UP);
	selected_is(t, "row 90");
	tui_key(t, TUI_HOME);
	selected_is(t, "row 0");
	tui_mouse(t, TUI_WHEEL_DOWN, 0, 5);
	selected_is(t, "row 3");
	tui_mouse(t, TUI_CLICK, 3, 4); /* the third row on the screen */
	selected_is(t, "row 5");
	tui_mouse(t, TUI_CLICK, 3, 0);
	tui_mouse(t, TUI_CLICK, 3, 12);
	selected_is(t, "row 5");
	assert_false(tui_key(t, 'q'));
	tui_free(t);
	assert_true(l.gone);
}

static void stays_on_its_row(void **state)
{
	struct list l;
	struct tui *t = begin(&l, 50, 13);
	(void)state;
	for (int i = 0; i < 7; i++)
		tui_key(t, TUI_DOWN);
	for (int i = 0; i < 50; i++)
		l.at[i] = 49 - i;
	tui_refresh(t);
	selected_is(t, "row 7");
	tui_resize(t, 20, 5);
	selected_is(t, "row 7");
	tui_resize(t, 1, 1);
	tui_resize(t, 200, 60);
	selected_is(t, "row 7");
	l.n = 3; /* it is gone */
	tui_refresh(t);
	selected_is(t, "row 47");
	l.n = 0;
	tui_refresh(t);
	struct tui_frame f = { 0 };
	tui_draw(t, &f);
	assert_int_equal(f.cursor, -1);
	tui_frame_release(&f);
	tui_key(t, TUI_DOWN);
	tui_key(t, TUI_END);
	tui_key(t, TUI_ENTER);
	tui_free(t);
}

static void type(struct tui *t, const char *text)
{
	for (; *text; text++)
		tui_key(t, *text);
	tui_key(t, TUI_ENTER);
}

static void searches(void **state)
{
	struct list l;
	struct tui *t = begin(&l, 100, 13);
	(void)state;
	tui_key(t, 'n');
	bottom_has(t, "nothing was searched for yet");
	tui_key(t, TUI_CTRL('f'));
	type(t, "ROW 9");
	selected_is(t, "row 9");
	bottom_has(t, "1 of 11");
	tui_key(t, 'n');
	selected_is(t, "row 90");
	tui_key(t, 'N');
	tui_key(t, 'N');
	selected_is(t, "row 99");
	bottom_has(t, "11 of 11, round the end");
	tui_key(t, 'n');
	selected_is(t, "row 9");
	tui_key(t, TUI_CTRL('f'));
	type(t, "none such");
	bottom_has(t, "no line has 'none such'");
	selected_is(t, "row 9");
	tui_free(t);
}

static void asks(void **state)
{
	struct list l;
	struct tui *t = begin(&l, 3, 13);
	(void)state;
	tui_key(t, '/');
	bottom_has(t, "what: a");
	tui_key(t, TUI_BACKSPACE);
	tui_key(t, TUI_BACKSPACE);
	tui_key(t, 0x20ac);
	tui_key(t, 0xd800); /* no character */
	tui_key(t, 'q');
	bottom_has(t, "what: \xe2\x82\xacq");
	tui_key(t, TUI_ENTER);
	assert_string_equal(l.answer, "\xe2\x82\xacq");
	tui_key(t, '/');
	tui_key(t, TUI_ESC);
	assert_string_equal(l.answer, "\xe2\x82\xacq");
	tui_free(t);
}

static void menus(void **state)
{
	struct list l;
	struct tui *t = begin(&l, 3, 13);
	struct tui_frame f = { 0 };
	(void)state;
	tui_key(t, 'x');
	tui_draw(t, &f);
	assert_int_equal(f.box.height, 9 + 2);
	assert_string_equal(f.box.line[1].text.buf, "choice \\x1b[31m0"); /* nothing reaches the terminal as it is */
	tui_frame_release(&f);
	tui_key(t, TUI_UP); /* round */
	tui_draw(t, &f);
	assert_string_equal(f.box.line[f.box.cursor].text.buf, "choice \\x1b[31m39");
	tui_frame_release(&f);
	tui_key(t, TUI_ENTER);
	assert_int_equal(l.chosen, 139);
	tui_key(t, 'x');
	tui_key(t, TUI_ESC);
	assert_int_equal(l.chosen, 139);
	assert_true(tui_key(t, TUI_DOWN));
	selected_is(t, "row 1");
	tui_free(t);
}

/* Live: a menu is about a line; when that is gone, so is the menu. */
static void menu_of_a_line(void **state)
{
	struct list l;
	struct tui *t = begin(&l, 10, 13);
	(void)state;
	for (int i = 0; i < 7; i++)
		tui_key(t, TUI_DOWN);
	tui_key(t, 'x');
	for (int i = 0; i < 10; i++)
		l.at[i] = 9 - i;
	tui_refresh(t);
	tui_key(t, TUI_ENTER);
	assert_int_equal(l.chosen, 100);
	selected_is(t, "row 7");
	l.chosen = 0;
	tui_key(t, 'x');
	l.n = 2; /* rows 9 and 8 */
	tui_refresh(t);
	bottom_has(t, "the line is gone");
	tui_key(t, TUI_ENTER);
	assert_int_equal(l.chosen, 0);
	tui_free(t);
}

static void stacks(void **state)
{
	struct list l, m;
	struct tui *t = begin(&l, 30, 13);
	(void)state;
	tui_key(t, TUI_DOWN);
	fill(&m, 5);
	tui_push(t, &m.base);
	selected_is(t, "row 0");
	tui_key(t, '?');
	struct tui_frame f = { 0 };
	tui_draw(t, &f);
	assert_string_equal(f.line[0].text.buf, "Keys");
	tui_frame_release(&f);
	tui_key(t, TUI_ESC);
	assert_false(m.gone);
	assert_true(tui_key(t, TUI_LEFT));
	assert_true(m.gone);
	selected_is(t, "row 1");
	fill(&m, 5);
	tui_replace(t, &m.base);
	assert_true(tui_key(t, TUI_NO_KEY));
	assert_false(tui_key(t, 'Q'));
	assert_true(l.gone);
	assert_false(tui_key(t, TUI_DOWN));
	tui_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves), cmocka_unit_test(stays_on_its_row), cmocka_unit_test(searches),
		cmocka_unit_test(asks), cmocka_unit_test(menus), cmocka_unit_test(menu_of_a_line), cmocka_unit_test(stacks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
