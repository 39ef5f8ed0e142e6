// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/run.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/signals.h"
#include "kernel/clock.h"
#include "tui/term/screen.h"

bool tui_possible(void)
{
	return screen_possible();
}

static struct screen *shown; /* while the browser runs: what waits within it shows that there */
static bool resized_meanwhile; /* while something waited */

static void fit(struct screen *s, struct tui *t)
{
	int width, height;
	screen_size(s, &width, &height);
	tui_resize(t, width, height);
}

static bool take_keys(struct screen *s, struct tui *t)
{
	int x, y;
	for (;;) {
		bool resized = false;
		int key = screen_key(s, &x, &y, &resized);
		if (resized)
			fit(s, t);
		if (key == TUI_NO_KEY && !resized)
			return true;
		bool mouse = key == TUI_CLICK || key == TUI_DOUBLE_CLICK || key == TUI_WHEEL_UP || key == TUI_WHEEL_DOWN;
		if (key != TUI_NO_KEY && !(mouse ? tui_mouse(t, key, x, y) : tui_key(t, key)))
			return false;
	}
}

static int doze(struct pollfd *p, const struct tui_live *live, uint64_t due)
{
	uint64_t now = clock_ms();
	int ms = !live || !live->ms ? -1 : due > now ? (int)(due - now) : 0;
	if (live && live->hold)
		live->hold(live->ctx, false);
	int n = poll(p, 3, ms), err = errno;
	if (live && live->hold)
		live->hold(live->ctx, true);
	errno = err;
	return n;
}

/* False: the browser is to end. */
static bool round_of(struct screen *s, struct tui *t, const struct tui_live *live, uint64_t *due)
{
	struct pollfd p[3] = { { .fd = 0, .events = POLLIN }, { .fd = signals_fd(), .events = POLLIN }, { .fd = live ? live->fd : -1, .events = POLLIN } };
	int n = doze(p, live, *due);
	if (n < 0 && errno != EINTR)
		return false;
	if (n > 0 && p[1].revents)
		signals_drain();
	if (signals_stop() || (n > 0 && p[0].revents & (POLLHUP | POLLERR)))
		return false;
	if (signals_stop_held())
		screen_suspend(s);
	if (live && live->beat && ((live->ms && clock_ms() >= *due) || (n > 0 && p[2].revents))) {
		bool goes_on = live->beat(live->ctx);
		*due = clock_ms() + live->ms; /* from its end: who waits for hold() comes in between, however long a beat takes */
		if (!goes_on)
			return false;
	}
	struct tui_source *top = tui_top(t);
	if (live && top && top->ops->tick && top->ops->tick(top))
		tui_refresh(t);
	return take_keys(s, t);
}

int tui_run(struct tui_source *src, const struct tui_live *live)
{
	struct tui_frame f = { 0 };
	struct screen *s = screen_open();
	uint64_t due = clock_ms() + (live ? live->ms : 0);
	int width, height;
	if (!s) {
		if (src->ops->free)
			src->ops->free(src);
		return error_code();
	}
	if (live && live->hold)
		live->hold(live->ctx, true);
	screen_size(s, &width, &height);
	struct tui *t = tui_new(width, height);
	tui_push(t, src);
	shown = s;
	do {
		if (resized_meanwhile)
			fit(s, t);
		resized_meanwhile = false;
		tui_draw(t, &f);
		screen_draw(s, &f);
	} while (round_of(s, t, live, &due));
	if (live && live->hold)
		live->hold(live->ctx, false);
	tui_frame_release(&f);
	shown = NULL;
	screen_close(s);
	tui_free(t);
	return 0;
}

/* ---- long work ---- */

enum { SHOW_AFTER_MS = 100, SHOW_EACH_MS = 50 };

struct tui_wait { struct screen *screen; char *what; uint64_t shown; bool stopped; };

struct tui_wait *tui_wait_begin(const char *what)
{
	if (!shown && !screen_possible())
		return NULL;
	struct tui_wait *w = xcalloc(1, sizeof(*w));
	w->what = xstrdup(what);
	w->shown = clock_ms() + SHOW_AFTER_MS - SHOW_EACH_MS; /* what is quick does not flicker */
	return w;
}

static void show(struct tui_wait *w, double done)
{
	struct tui_frame f = { .cursor = -1, .input = -1 };
	screen_size(w->screen, &f.width, &f.height);
	f.line = xcalloc(f.height, sizeof(*f.line));
	for (int i = 0; i < f.height; i++)
		str_init(&f.line[i].text);
	struct tui_line *l = &f.line[f.height / 2];
	int room = f.width > 44 ? 40 : f.width - 4, k = done < 0 ? 0 : done > 1 ? room : (int)(done * room);
	str_add(&l->text, "  ");
	for (int i = 0; i < room; i++)
		str_addc(&l->text, i < k ? '#' : '.');
	if (f.height > 2) {
		tui_line_add(&f.line[f.height / 2 - 1], TUI_TITLE, "  %s: %.0f %%", w->what, done * 100);
		tui_line_add(&f.line[f.height / 2 + 1], TUI_PLAIN, "  q shows what there is by now");
	}
	screen_draw(w->screen, &f);
	tui_frame_release(&f);
}

bool tui_wait_go_on(struct tui_wait *w, double done)
{
	int x, y, key;
	if (!w || w->stopped)
		return !w;
	uint64_t now = clock_ms();
	if (now < w->shown + SHOW_EACH_MS)
		return true;
	w->shown = now;
	if (!w->screen && !(w->screen = shown ? shown : screen_open())) {
		error_clear();
		return true;
	}
	bool resized = false;
	while ((key = screen_key(w->screen, &x, &y, &resized)) != TUI_NO_KEY || resized) {
		w->stopped |= key == 'q' || key == TUI_ESC || key == TUI_CTRL('c');
		resized_meanwhile |= resized && w->screen == shown;
		resized = false;
	}
	if (signals_stop_held())
		screen_suspend(w->screen);
	w->stopped |= signals_stop();
	show(w, done);
	return !w->stopped;
}

bool tui_wait_stopped(const struct tui_wait *w)
{
	return w->stopped;
}

void tui_wait_end(struct tui_wait *w)
{
	if (!w)
		return;
	if (w->screen != shown)
		screen_close(w->screen);
	free(w->what);
	free(w);
}
