/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the histogram's view share. */
#ifndef TUI_HIST_INNER_H
#define TUI_HIST_INNER_H
#include "analysis/chaintree.h"
#include "base/map.h"
#include "tui/hist/browse.h"

enum hist_filter_kind { HIST_FILTER_THREAD, HIST_FILTER_DSO, HIST_FILTER_KERNEL, HIST_FILTER_SOCKET, HIST_FILTER_SYMBOL };
struct hist_filter {
	enum hist_filter_kind kind;
	const void *what; /* a thread, or a file */
	uint64_t number; /* a socket; of a thread 0: all with that name */
	char *text; /* what is shown of it; of SYMBOL what is looked for */
};

/* A line, or a frame of its call graph. */
struct hist_row {
	struct hist_entry *e;
	const struct chain_node *node; /* NULL: the line itself */
	int frame, depth;
	uint64_t id, total; /* total: what the shares of the node are of */
	char sign; /* + can be opened, - can be folded, blank: neither */
	bool share; /* of the first frame of a node */
};

struct hist_view {
	struct tui_source base;
	struct hist_browse *b;
	struct hist *h;
	size_t event;
	struct report_table *table;
	VEC(struct hist_row) row;
	VEC(struct hist_filter) filter;
	struct u64map open; /* by id: is open */
	struct u64map tree; /* by id: call graph of a line, as far as it was wanted */
	bool all_open, no_head, show_dso;
	int sort_member; /* 0-9: by that event of a group; -1: as it came */
	double min_percent;
	unsigned generation, epoch;
};

/* rows.c */
void hist_rows_make(struct hist_view *v);
void hist_rows_toggle(struct hist_view *v, size_t row); /* one level */
void hist_rows_open_entry(struct hist_view *v, size_t row); /* opens or folds all of the line; of a frame one level */
void hist_rows_fold(struct hist_view *v, size_t row);
char hist_row_sign(struct hist_view *v, struct hist_row *r); /* as it is seen: a line may turn out to have no call graph */
void hist_rows_all(struct hist_view *v, bool open);
void hist_rows_line(struct hist_view *v, size_t row, struct tui_line *l);
void hist_rows_anew(struct hist_view *v); /* the lines of the histogram are others */
void hist_rows_release(struct hist_view *v);
/* filter.c */
bool hist_filter_passes(const struct hist_view *v, const struct hist_entry *e);
void hist_filter_add(struct hist_view *v, enum hist_filter_kind kind, const void *what, uint64_t number, const char *text);
bool hist_filter_drop(struct hist_view *v); /* the last one; false: there is none */
bool hist_filter_drop_kind(struct hist_view *v, enum hist_filter_kind kind);
void hist_filter_say(const struct hist_view *v, struct str *out);
void hist_filter_release(struct hist_view *v);
/* menu.c */
enum tui_did hist_menu(struct tui *t, struct hist_view *v);
enum tui_did hist_zoom_thread(struct tui *t, struct hist_view *v);
enum tui_did hist_zoom_dso(struct tui *t, struct hist_view *v);
enum tui_did hist_zoom_kernel(struct tui *t, struct hist_view *v);
enum tui_did hist_zoom_socket(struct tui *t, struct hist_view *v);
enum tui_did hist_annotate(struct tui *t, struct hist_view *v);
enum tui_did hist_scripts(struct tui *t);
enum tui_did hist_other_file(struct tui *t, struct hist_view *v);
/* strip.c, flame.c: NULL when there is nothing to show, which is said */
struct tui_source *hist_strip_view(struct tui *t, struct hist_browse *b, size_t event);
struct tui_source *hist_flame_view(struct tui *t, struct hist_view *v);
/* write.c */
enum tui_did hist_write(struct tui *t, struct hist_view *v);

static inline bool hist_has_signs(const struct hist_view *v)
{
	return v->b->style.hierarchy || (v->b->style.graphs && v->h->has_chains);
}

static inline struct hist_row *hist_row_at(struct hist_view *v, size_t i)
{
	return i < v->row.n ? &v->row.at[i] : NULL;
}
#endif
