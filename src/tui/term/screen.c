// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/term/screen.h"
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>
#include "base/error.h"
#include "base/signals.h"
#include "kernel/clock.h"
#include "tui/term/guard.h"
#include "tui/term/terminfo.h"

enum { KEY_SGR_MOUSE = 0x1000, DOUBLE_MS = 400, ESC_MS = 50 };

struct screen {
	SCREEN *curses;
	struct termios before;
	struct guard_post guard;
	bool mouse, colour, wide, all;
	attr_t attr[TUI_ROLES];
	short pair[TUI_ROLES];
	uint64_t clicked; /* when, ms */
	int click_x, click_y;
	char *locale; /* before */
};

static const char mouse_on[] = "\033[?1000h\033[?1006h", mouse_off[] = "\033[?1006l\033[?1000l";

static void send(const char *z)
{
	size_t n = strlen(z);
	fflush(stdout);
	while (n) {
		ssize_t k = write(STDOUT_FILENO, z, n);
		if (k <= 0)
			return;
		z += k;
		n -= k;
	}
}

bool screen_possible(void)
{
	const char *term = getenv("TERM");
	return isatty(0) && isatty(1) && term && *term && strcmp(term, "dumb") && terminfo_find(term);
}

/* ---- colours ---- */

static const struct { attr_t attr, plain; short colour; } looks[TUI_ROLES] = {
	[TUI_TITLE] = { A_BOLD, A_BOLD, -1 }, [TUI_HEAD] = { A_REVERSE, A_REVERSE, -1 }, [TUI_STATUS] = { A_BOLD, A_BOLD, -1 },
	[TUI_HOT] = { A_NORMAL, A_BOLD, COLOR_RED }, [TUI_WARM] = { A_NORMAL, A_NORMAL, COLOR_GREEN }, [TUI_DIM] = { A_NORMAL, A_NORMAL, COLOR_CYAN },
	[TUI_MATCH] = { A_BOLD | A_UNDERLINE, A_BOLD | A_UNDERLINE, COLOR_MAGENTA }, [TUI_GOOD] = { A_NORMAL, A_NORMAL, COLOR_GREEN },
	[TUI_BAD] = { A_BOLD, A_BOLD, COLOR_RED }, [TUI_NAME] = { A_NORMAL, A_NORMAL, COLOR_BLUE }, [TUI_KERNEL] = { A_NORMAL, A_NORMAL, COLOR_MAGENTA },
	[TUI_SELECTED] = { A_REVERSE, A_REVERSE, -1 }, [TUI_PLAIN] = { A_NORMAL, A_NORMAL, -1 },
};

/* The terminal's own foreground and background stay, so that light and dark are both right. */
static void make_colours(struct screen *s)
{
	const char *no = getenv("NO_COLOR");
	s->colour = !(no && *no) && has_colors() && start_color() == OK && use_default_colors() == OK;
	for (int i = 0; i < TUI_ROLES; i++) {
		s->attr[i] = s->colour ? looks[i].attr : looks[i].plain;
		if (s->colour && looks[i].colour >= 0 && init_pair(i + 1, looks[i].colour, -1) == OK)
			s->pair[i] = i + 1;
	}
}

/* ---- open and close ---- */

static void add_capability(struct str *s, const char *name)
{
	const char *z = tigetstr(name);
	for (; z && z != (char *)-1 && *z; z++) {
		if (z[0] == '$' && z[1] == '<') { /* a delay, for terminals that need one no more */
			z += strcspn(z, ">");
			if (!*z)
				return;
			continue;
		}
		str_addc(s, *z);
	}
}

static void post_guard(struct screen *s)
{
	struct str reset = STR_INIT;
	str_add(&reset, s->mouse ? mouse_off : "");
	add_capability(&reset, "sgr0");
	add_capability(&reset, "rmkx");
	add_capability(&reset, "cnorm");
	add_capability(&reset, "rmcup");
	str_add(&reset, "\r");
	guard_post_open(&s->guard, &s->before, reset.buf);
	str_release(&reset);
}

static void hold(struct screen *s, bool ours)
{
	struct termios now;
	if (ours)
		tcgetattr(1, &now);
	else
		guard_post_tell(&s->guard, NULL);
	if (ours)
		guard_post_tell(&s->guard, &now);
	if (s->mouse)
		send(ours ? mouse_on : mouse_off);
}

/* Of terminals that do not do as they are told and stay in the other mode of their keypads; else they would be an Esc. */
static const struct { const char *seen; int key; } arrows[] = {
	{ "\033[A", KEY_UP }, { "\033[B", KEY_DOWN }, { "\033[C", KEY_RIGHT }, { "\033[D", KEY_LEFT }, { "\033[H", KEY_HOME }, { "\033[F", KEY_END },
};

static void set_modes(void)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESC_MS);
	define_key("\033[<", KEY_SGR_MOUSE);
	for (size_t i = 0; i < sizeof(arrows) / sizeof(*arrows); i++)
		define_key(arrows[i].seen, arrows[i].key);
}

static bool has_capability(const char *name)
{
	const char *z = tigetstr(name);
	return z && z != (char *)-1;
}

struct screen *screen_open(void)
{
	struct screen *s = xcalloc(1, sizeof(*s));
	const char *old = setlocale(LC_CTYPE, NULL);
	s->locale = xstrdup(old ? old : "C");
	if (!setlocale(LC_CTYPE, ""))
		setlocale(LC_CTYPE, "C.UTF-8");
	s->wide = MB_CUR_MAX > 1;
	tcgetattr(0, &s->before);
	signals_arm();
	signals_hold_stop(true);
	s->curses = newterm(NULL, stdout, stdin);
	if (!s->curses) {
		const char *term = getenv("TERM");
		error_set(ENODEV, "the terminal '%s' is not known here", term ? term : "");
		error_hint("set TERM to xterm or vt100, or use --stdio");
		signals_hold_stop(false);
		free(s->locale);
		free(s);
		return NULL;
	}
	s->mouse = has_capability("kmous");
	post_guard(s);
	set_modes();
	make_colours(s);
	curs_set(0);
	refresh();
	hold(s, true);
	return s;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	if (s->mouse)
		send(mouse_off);
	endwin();
	tcsetattr(0, TCSADRAIN, &s->before);
	guard_post_close(&s->guard);
	delscreen(s->curses);
	signals_hold_stop(false);
	setlocale(LC_CTYPE, s->locale);
	free(s->locale);
	free(s);
}

static void screen_redraw(struct screen *s)
{
	s->all = true;
}

void screen_suspend(struct screen *s)
{
	hold(s, false);
	endwin();
	tcsetattr(0, TCSADRAIN, &s->before);
	if (!signals_stop_held()) /* typed: in raw mode it is for us to stop all of our job, as the kernel would have */
		kill(0, SIGTSTP);
	signals_stand_still();
	screen_redraw(s);
	refresh();
	hold(s, true);
}

void screen_size(const struct screen *s, int *width, int *height)
{
	(void)s;
	*width = COLS;
	*height = LINES;
}

/* ---- drawing ---- */

static enum tui_role role_at(const struct tui_line *l, size_t at, bool *selected)
{
	enum tui_role role = TUI_PLAIN;
	vec_each(&l->span, p) {
		if (at < p->start || at - p->start >= p->n)
			continue;
		if (p->role == TUI_SELECTED)
			*selected = true;
		else
			role = p->role;
	}
	return role;
}

/* One character; the columns that it took. What this terminal's characters do not have is a question mark. */
static int put(const struct screen *s, int y, int x, int right, const char *z, size_t n, attr_t attr, short pair)
{
	wchar_t wc[2] = { L'?', 0 };
	uint32_t code = (unsigned char)*z;
	cchar_t c;
	if (utf8_length(z, n, &code) && (s->wide || code < 0x80))
		wc[0] = (wchar_t)code;
	int w = wcwidth(wc[0]);
	if (w == 0)
		return 0; /* what combines with the one before */
	if (w < 0) {
		wc[0] = L'?';
		w = 1;
	}
	if (x + w > right)
		return right - x;
	setcchar(&c, wc, attr, pair, NULL);
	mvadd_wch(y, x, &c);
	return w;
}

static int draw_line(const struct screen *s, const struct tui_line *l, int y, int x, int right, bool fill, int cursor_at)
{
	bool selected = false;
	int typed = x;
	for (size_t i = 0; i < l->text.len && x < right;) {
		size_t n = utf8_length(l->text.buf + i, l->text.len - i, NULL);
		selected = false;
		enum tui_role role = role_at(l, i, &selected);
		x += put(s, y, x, right, l->text.buf + i, l->text.len - i, s->attr[role] | (selected ? A_REVERSE : 0), s->pair[role]);
		i += n ? n : 1;
		if ((int)i == cursor_at)
			typed = x;
	}
	enum tui_role rest = role_at(l, UINT32_MAX - 1, &selected);
	attr_t attr = s->attr[rest] | (selected ? A_REVERSE : 0);
	for (; fill && x < right; x++)
		put(s, y, x, right, " ", 1, attr, s->pair[rest]);
	return typed;
}

static void draw_box(const struct screen *s, const struct tui_frame *f)
{
	const struct tui_box *b = &f->box;
	struct tui_line blank = { .text = STR_INIT };
	int x = (f->width - b->width) / 2, y = (f->height - b->height) / 2;
	x = x < 0 ? 0 : x;
	y = y < 0 ? 0 : y;
	for (int i = 0; i < b->height && y + i < f->height; i++) {
		bool edge = i == 0 || i == b->height - 1;
		draw_line(s, &blank, y + i, x, x + b->width, true, -1);
		if (edge) {
			for (int k = 0; k < b->width; k++)
				mvaddch(y + i, x + k, k == 0 || k == b->width - 1 ? '+' : '-');
		} else {
			mvaddch(y + i, x, '|');
			mvaddch(y + i, x + b->width - 1, '|');
		}
		if (!b->line[i].text.len)
			continue;
		if (i == b->cursor)
			tui_line_mark(&b->line[i], 0, UINT32_MAX, TUI_SELECTED);
		draw_line(s, &b->line[i], y + i, x + (edge ? 1 : 2), x + b->width - (edge ? 1 : 2), !edge, -1);
	}
}

void screen_draw(struct screen *s, const struct tui_frame *f)
{
	int x = 0;
	if (s->all)
		clear();
	else
		erase();
	s->all = false;
	for (int i = 0; i < f->height && i < LINES; i++) {
		int at = draw_line(s, &f->line[i], i, 0, f->width < COLS ? f->width : COLS, i == f->cursor || i == 1, i == f->height - 1 ? f->input : -1);
		if (i == f->height - 1)
			x = at;
	}
	if (f->box.height)
		draw_box(s, f);
	curs_set(f->input >= 0);
	move(f->height - 1, x < COLS ? x : COLS - 1);
	refresh();
}

/* ---- keys ---- */

/* The rest of ESC [ < button ; column ; line M */
static int mouse_key(struct screen *s, int *px, int *py)
{
	int v[3] = { 0 }, n = 0, c = 0;
	for (int i = 0; i < 24 && n < 3; i++) {
		struct pollfd p = { .fd = 0, .events = POLLIN };
		while ((c = getch()) == ERR && poll(&p, 1, ESC_MS) > 0)
			;
		if (c >= '0' && c <= '9' && v[n] < 100000)
			v[n] = v[n] * 10 + c - '0';
		else if (c == ';')
			n++;
		else
			break;
	}
	*px = v[1] - 1;
	*py = v[2] - 1;
	if (c != 'M')
		return TUI_NO_KEY;
	if (v[0] == 64 || v[0] == 65)
		return v[0] == 64 ? TUI_WHEEL_UP : TUI_WHEEL_DOWN;
	if (v[0] & 3 || v[0] > 31)
		return TUI_NO_KEY;
	bool twice = clock_ms() - s->clicked < DOUBLE_MS && s->click_x == *px && s->click_y == *py;
	s->clicked = twice ? 0 : clock_ms();
	s->click_x = *px;
	s->click_y = *py;
	return twice ? TUI_DOUBLE_CLICK : TUI_CLICK;
}

static int function_key(struct screen *s, int c, int *x, int *y, bool *resized)
{
	switch (c) {
	case KEY_UP: return TUI_UP;
	case KEY_DOWN: return TUI_DOWN;
	case KEY_LEFT: return TUI_LEFT;
	case KEY_RIGHT: return TUI_RIGHT;
	case KEY_PPAGE: return TUI_PAGE_UP;
	case KEY_NPAGE: return TUI_PAGE_DOWN;
	case KEY_HOME:
	case KEY_FIND: return TUI_HOME;
	case KEY_END:
	case KEY_SELECT: return TUI_END;
	case KEY_BTAB: return TUI_BACK_TAB;
	case KEY_F(1): return TUI_F1;
	case KEY_BACKSPACE: return TUI_BACKSPACE;
	case KEY_DC: return TUI_DELETE;
	case KEY_ENTER: return TUI_ENTER;
	case KEY_SGR_MOUSE: return mouse_key(s, x, y);
	case KEY_RESIZE: *resized = true; return TUI_NO_KEY;
	default: return TUI_NO_KEY;
	}
}

int screen_key(struct screen *s, int *x, int *y, bool *resized)
{
	wint_t c;
	for (;;) {
		int how = get_wch(&c);
		if (how == ERR)
			return TUI_NO_KEY;
		int key = how == KEY_CODE_YES ? function_key(s, (int)c, x, y, resized) : c == '\n' ? TUI_ENTER : (int)c;
		if (key == TUI_CTRL('z'))
			screen_suspend(s);
		else if (key == TUI_CTRL('l'))
			screen_redraw(s);
		else if (key != TUI_NO_KEY || *resized)
			return key;
	}
}
