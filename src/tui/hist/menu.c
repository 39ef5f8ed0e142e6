// SPDX-License-Identifier: GPL-2.0-or-later
/* Enter: what can be done with a line; and what it offers, which has keys of its own as well. */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>
#include "kernel/plain.h"
#include "tui/hist/inner.h"

enum { DO_ANNOTATE, DO_THREAD, DO_DSO, DO_KERNEL, DO_SOCKET, DO_FOLD, DO_MAP, DO_SCRIPTS, DO_OTHER, DO_EXIT };

static const struct hist_row *row_of(struct tui *t, struct hist_view *v)
{
	return hist_row_at(v, tui_cursor(t));
}

/* Of a frame its own function, of a line the line's. */
static const struct place *place_of(struct hist_view *v, const struct hist_row *r)
{
	return place_at(&v->b->pr->places, r->node && r->frame >= 0 ? r->node->place[r->frame] : r->e->place);
}

static enum tui_did shown_anew(struct hist_view *v)
{
	hist_rows_make(v);
	return TUI_DONE;
}

static bool has_thread_key(const struct hist_view *v)
{
	const struct layout *l = v->b->pr->fold.layout;
	return layout_has(l, KEY_COMM) || layout_has(l, KEY_PID) || layout_has(l, KEY_TID);
}

/* Threads that are told apart by their names alone are one where they have the same. */
static bool by_number(const struct hist_view *v)
{
	const struct layout *l = v->b->pr->fold.layout;
	return layout_has(l, KEY_PID) || layout_has(l, KEY_TID);
}

static char *thread_name(const struct hist_view *v, const struct hist_entry *e)
{
	const struct thread *th = e->thread;
	return by_number(v) ? xasprintf("%s(%d)", th->comm, th->tid) : xstrdup(e->comm ? e->comm : th->comm);
}

enum tui_did hist_zoom_thread(struct tui *t, struct hist_view *v)
{
	const struct hist_row *r = row_of(t, v);
	if (hist_filter_drop_kind(v, HIST_FILTER_THREAD))
		return shown_anew(v);
	if (!r)
		return TUI_DONE;
	if (!has_thread_key(v)) {
		tui_say(t, "threads are not told apart here: -s comm, pid or tid does that");
		return TUI_DONE;
	}
	char *name = thread_name(v, r->e);
	hist_filter_add(v, HIST_FILTER_THREAD, r->e->thread, by_number(v), name);
	free(name);
	return shown_anew(v);
}

enum tui_did hist_zoom_dso(struct tui *t, struct hist_view *v)
{
	const struct hist_row *r = row_of(t, v);
	if (hist_filter_drop_kind(v, HIST_FILTER_DSO))
		return shown_anew(v);
	const struct place *p = r ? place_of(v, r) : NULL;
	if (!p || !p->dso || !layout_has(v->b->pr->fold.layout, KEY_DSO)) {
		tui_say(t, p && !p->dso ? "this line is in no file" : "files are not told apart here: -s dso does that");
		return TUI_DONE;
	}
	hist_filter_add(v, HIST_FILTER_DSO, p->dso, 0, place_dso_name(p, true));
	return shown_anew(v);
}

enum tui_did hist_zoom_kernel(struct tui *t, struct hist_view *v)
{
	if (hist_filter_drop_kind(v, HIST_FILTER_KERNEL))
		return shown_anew(v);
	if (!layout_has(v->b->pr->fold.layout, KEY_DSO) && !layout_has(v->b->pr->fold.layout, KEY_SYM)) {
		tui_say(t, "the kernel is not told apart here: -s dso does that");
		return TUI_DONE;
	}
	hist_filter_add(v, HIST_FILTER_KERNEL, NULL, 0, "the kernel");
	return shown_anew(v);
}

static const struct hist_value *socket_value(const struct hist_view *v, const struct hist_entry *e)
{
	const struct layout *l = v->b->pr->fold.layout;
	vec_each(&l->col, c)
		if (c->kind == COLUMN_KEY && c->row->key == KEY_SOCKET)
			return &v->b->pr->fold.value.at[(size_t)(e->context - 1) * l->n_slot + c->slot];
	return NULL;
}

enum tui_did hist_zoom_socket(struct tui *t, struct hist_view *v)
{
	const struct hist_row *r = row_of(t, v);
	if (hist_filter_drop_kind(v, HIST_FILTER_SOCKET))
		return shown_anew(v);
	const struct hist_value *at = r ? socket_value(v, r->e) : NULL;
	if (!at) {
		tui_say(t, "sockets are not told apart here: -s socket,... does that");
		return TUI_DONE;
	}
	struct str s = STR_INIT;
	str_add_s64(&s, (int64_t)at->v);
	hist_filter_add(v, HIST_FILTER_SOCKET, NULL, at->v, s.buf);
	str_release(&s);
	return shown_anew(v);
}

enum tui_did hist_annotate(struct tui *t, struct hist_view *v)
{
	const struct hist_row *r = row_of(t, v);
	if (!r)
		return TUI_DONE;
	if (v->b->annotate)
		return v->b->annotate(t, v->b, v->event, place_of(v, r));
	tui_say(t, "instructions cannot be shown here");
	return TUI_DONE;
}

static enum tui_did show_map(struct tui *t, struct hist_view *v)
{
	const struct hist_row *r = row_of(t, v);
	const struct place *p = r ? place_of(v, r) : NULL;
	struct str s = STR_INIT;
	if (!p || !p->dso) {
		tui_say(t, "this line is in no file");
		return TUI_DONE;
	}
	str_addf(&s, "file      %s\n", p->dso->path);
	str_add(&s, "build-id  ");
	for (int i = 0; i < p->dso->build_id.n; i++)
		str_addf(&s, "%02x", p->dso->build_id.id[i]);
	str_addf(&s, "%s\nkind      %s\n", p->dso->build_id.n ? "" : "none", p->dso->kernel ? "kernel" : p->dso->jit ? "code made at run time" : "program or library");
	if (p->sym)
		str_addf(&s, "function  %s\naddress   %#llx, %llu bytes\n", p->sym, (unsigned long long)p->start, (unsigned long long)p->size);
	if (p->dso->why_no_symbols)
		str_addf(&s, "symbols   %s\n", p->dso->why_no_symbols);
	tui_page(t, p->dso->name, s.buf);
	str_release(&s);
	return TUI_DONE;
}

enum tui_did hist_scripts(struct tui *t)
{
	tui_page(t, "Scripts", "sonde script             the samples as text\n"
			       "sonde script -s FILE.py  the samples by a script in Python, as perf runs them\n"
			       "sonde run FILE           a script in sonde's own language, on what is alive\n");
	return TUI_DONE;
}

/* ---- another recording ---- */

/* Others may have put anything there: a link to a device, a FIFO. */
static bool is_recording(const char *name)
{
	char magic[8];
	int fd = plain_open(name, 0);
	ssize_t n = fd < 0 ? -1 : read(fd, magic, sizeof(magic));
	if (fd >= 0)
		close(fd);
	return n == sizeof(magic) && !memcmp(magic, "PERFILE2", sizeof(magic));
}

static enum tui_did take_file(struct tui *t, struct tui_source *s, int number, void *name)
{
	struct hist_view *v = (struct hist_view *)s;
	(void)t;
	(void)number;
	v->b->ops->other(v->b->ctx, name);
	free(name);
	return TUI_QUIT;
}

enum tui_did hist_other_file(struct tui *t, struct hist_view *v)
{
	struct tui_menu m = { 0 };
	DIR *d = v->b->ops && v->b->ops->other ? opendir(".") : NULL;
	struct dirent *e;
	while (d && m.at.n < 1000 && (e = readdir(d)))
		if ((e->d_type == DT_REG || e->d_type == DT_LNK || e->d_type == DT_UNKNOWN) && is_recording(e->d_name))
			tui_menu_add(&m, 0, xstrdup(e->d_name), "%s", e->d_name);
	if (d)
		closedir(d);
	if (m.at.n)
		tui_choose(t, "recordings of this folder", &m, take_file);
	else
		tui_say(t, "there is no recording in this folder");
	vec_release(&m.at);
	return TUI_DONE;
}

/* ---- the menu ---- */

static enum tui_did chosen(struct tui *t, struct tui_source *s, int number, void *with)
{
	struct hist_view *v = (struct hist_view *)s;
	(void)with;
	switch (number) {
	case DO_ANNOTATE: return hist_annotate(t, v);
	case DO_THREAD: return hist_zoom_thread(t, v);
	case DO_DSO: return hist_zoom_dso(t, v);
	case DO_KERNEL: return hist_zoom_kernel(t, v);
	case DO_SOCKET: return hist_zoom_socket(t, v);
	case DO_FOLD: hist_rows_toggle(v, tui_cursor(t)); return TUI_DONE;
	case DO_MAP: return show_map(t, v);
	case DO_SCRIPTS: return hist_scripts(t);
	case DO_OTHER: return hist_other_file(t, v);
	default: return TUI_QUIT;
	}
}

static bool has_filter(const struct hist_view *v, enum hist_filter_kind k)
{
	vec_each(&v->filter, f)
		if (f->kind == k)
			return true;
	return false;
}

static void offer_zooms(struct tui_menu *m, struct hist_view *v, const struct hist_row *r, const struct place *p)
{
	const char *way[] = { "Zoom into", "Zoom out of" };
	if (has_thread_key(v) && r->e->thread) {
		char *name = thread_name(v, r->e);
		tui_menu_add(m, DO_THREAD, NULL, "%s %s thread", way[has_filter(v, HIST_FILTER_THREAD)], name);
		free(name);
	}
	if (p->dso && layout_has(v->b->pr->fold.layout, KEY_DSO))
		tui_menu_add(m, DO_DSO, NULL, "%s %s DSO", way[has_filter(v, HIST_FILTER_DSO)], place_dso_name(p, false));
	if (p->dso && p->dso->kernel)
		tui_menu_add(m, DO_KERNEL, NULL, "%s the Kernel DSO", way[has_filter(v, HIST_FILTER_KERNEL)]);
	if (socket_value(v, r->e))
		tui_menu_add(m, DO_SOCKET, NULL, "%s Processor Socket %lld", way[has_filter(v, HIST_FILTER_SOCKET)], (long long)socket_value(v, r->e)->v);
}

enum tui_did hist_menu(struct tui *t, struct hist_view *v)
{
	struct hist_row *r = hist_row_at(v, tui_cursor(t));
	struct tui_menu m = { 0 };
	if (r) {
		const struct place *p = place_of(v, r);
		if (p->sym && v->b->annotate)
			tui_menu_add(&m, DO_ANNOTATE, NULL, "Annotate %s", p->sym);
		offer_zooms(&m, v, r, p);
		if (hist_row_sign(v, r) != ' ')
			tui_menu_add(&m, DO_FOLD, NULL, "%s [%s] callchain", r->sign == '+' ? "Expand" : "Collapse", p->sym ? p->sym : "unknown");
		if (p->dso)
			tui_menu_add(&m, DO_MAP, NULL, "Browse map details");
	}
	if (!v->b->live) {
		tui_menu_add(&m, DO_SCRIPTS, NULL, "Run scripts for all samples");
		tui_menu_add(&m, DO_OTHER, NULL, "Switch to another data file in PWD");
	}
	tui_menu_add(&m, DO_EXIT, NULL, "Exit");
	tui_choose(t, "what to do", &m, chosen);
	vec_release(&m.at);
	return TUI_DONE;
}
