// SPDX-License-Identifier: GPL-2.0-or-later
/* --stdio: a table at each refresh. */
#include <errno.h>
#include <poll.h>
#include <unistd.h>
#include "base/error.h"
#include "base/out.h"
#include "job/top/inner.h"
#include "kernel/clock.h"

enum { LINES = 25, WIDTH = 79 };

static int room(const struct top *t, const struct out *out)
{
	int lines = t->o->entries;
	if (lines > 0)
		return lines;
	lines = out->tty ? (int)out_height(out) - 6 : LINES; /* what is around them */
	return lines > 5 ? lines : 5;
}

static void print_head(struct top *t, struct out *out)
{
	const struct perfdata_stats *s = perfdata_stats(t->data);
	if (out->tty)
		out_puts(out, "\033[H\033[J"); /* over the last one */
	out_printf(out, "   sonde top: %7.0f samples/s  kernel:%5.1f%%  lost: %llu  sonde:%5.1f%% of a CPU\n", t->rate, t->kernel_share * 100,
		   (unsigned long long)s->lost_events, t->share * 100);
	for (int i = 0; i < WIDTH; i++)
		out_puts(out, "-");
	out_puts(out, "\n");
}

/* Columns are as wide as the widest of all lines, of which not all are shown: blanks at the end would only break the line. */
static void end_line(struct str *s)
{
	while (s->len && s->buf[s->len - 1] == ' ')
		s->len--;
	str_addc(s, '\n');
}

static void print_event(struct top *t, struct out *out, size_t event)
{
	struct hist *h = profile_hist(t->pr, event);
	struct report_table *table = report_table_new(t->pr, h, event, &t->browse.style);
	struct str s = STR_INIT;
	int left = room(t, out);
	str_add(&s, "# ");
	report_event_name(&t->report, t->pr, event, &s);
	str_addf(&s, ": %llu samples\n# ", (unsigned long long)h->samples);
	report_table_head(table, &s);
	end_line(&s);
	str_addc(&s, '\n');
	out_str(out, &s);
	vec_each(&h->entry, e) {
		if (!hist_browse_shows(&t->browse, table, *e, t->o->page.min_percent))
			continue;
		if (left-- <= 0)
			break;
		report_table_line(table, &s, *e);
		end_line(&s);
		report_table_graph(table, &s, *e);
		out_str(out, &s);
	}
	out_puts(out, "\n");
	str_release(&s);
	report_table_free(table);
}

static int print_all(struct top *t, struct out *out)
{
	pthread_mutex_lock(&t->lock);
	top_refresh(t);
	print_head(t, out);
	for (size_t i = 0; !t->shown && i < perfdata_n_events(t->data); i++)
		if (!report_event_hidden(&t->report, t->pr, i) && (t->only_event < 0 || (size_t)t->only_event == i))
			print_event(t, out, i);
	if (t->shown)
		top_instructions(t, room(t, out), out);
	pthread_mutex_unlock(&t->lock);
	return out_flush(out);
}

/* Sleeps until the next table is due, or a key asks for one; false: it is the last. */
static bool sleep_until(struct top *t, uint64_t due, struct out *out, struct keys *keys)
{
	struct pollfd p[3] = { { .fd = t->over_fd, .events = POLLIN }, { .fd = signals_fd(), .events = POLLIN }, { .fd = keys->on ? 0 : -1, .events = POLLIN } };
	for (;;) {
		uint64_t now = clock_ns();
		if (life_over(&t->life) || out_unread(out))
			return false;
		if (now >= due)
			return true;
		keys_pause(keys);
		int n = poll(p, 3, life_sleep(&t->life, (int)((due - now) / 1000000) + 1));
		if (n > 0 && p[1].revents)
			signals_drain();
		if (n > 0 && p[0].revents)
			return false;
		if (n > 0 && p[2].revents)
			return top_prompt_key(t, keys);
	}
}

/* A table that comes late is not made up for: then samples would find no time to be read in between. */
static uint64_t next_due(uint64_t due, uint64_t delay)
{
	uint64_t now = clock_ns();
	due += delay;
	return due > now + delay / 2 ? due : now + delay;
}

int top_tables(struct top *t)
{
	struct keys keys = { 0 };
	struct out out;
	int err = out_open(&out, NULL, false);
	uint64_t due = clock_ns();
	bool more = true;
	if (out.tty)
		keys_open(&keys);
	while (!err && more) {
		due = next_due(keys.on ? clock_ns() : due, t->o->delay * 1e9);
		more = sleep_until(t, due, &out, &keys);
		if (more || !life_over(&t->life)) /* the target's end: what it did last is seen, too */
			err = print_all(t, &out);
	}
	keys_close(&keys);
	int closed = out_close(&out);
	return err == -EPIPE ? 0 : err ? err : closed;
}
