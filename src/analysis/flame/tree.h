/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree that a flame graph draws: the stacks of folds, frames of the same name and kind under the same parent merged.
 * What is too narrow to be seen is cut, and how much that is is told. */
#ifndef ANALYSIS_FLAME_TREE_H
#define ANALYSIS_FLAME_TREE_H
#include "analysis/flame/stackfold.h"

enum flame_by { FLAME_BY_NONE, FLAME_BY_COMM, FLAME_BY_PROCESS, FLAME_BY_THREAD, FLAME_BY_CPU };

/* An event of a fold, and what it is in the picture. */
struct flame_source {
	const struct stackfold *fold;
	int event;
	const char *root; /* all its stacks stand on a frame of that name; NULL: they do not */
	bool waiting; /* not on a CPU */
	bool before; /* of a comparison: the recording that the picture's is compared with */
	double factor; /* weights are multiplied by it; 0: as they are */
};
struct flame_shape {
	const struct flame_source *source;
	size_t n_source;
	enum flame_by by;
	bool reverse; /* callees at the bottom, their callers above */
	bool chart; /* in the order of time, only neighbours are merged */
	bool all; /* nothing is cut */
	double min; /* frames below this share of the total are cut; 0: FLAME_MIN, and less if that would cut more than
		     * FLAME_CUT of the weight, as long as at most max_nodes frames are left */
	size_t max_nodes;
	bool rows; /* by thread and time too */
};
#define FLAME_MIN 1e-4
#define FLAME_CUT 0.05

struct flame_node {
	uint32_t parent, frame, depth;
	uint32_t end; /* its callees are the nodes from the next one up to here */
	uint64_t self, cut, total; /* cut: of callees that are not in the tree; total = self + cut + its callees' */
	uint64_t before_self, before; /* the same of the recording before; before: its total */
};
/* What one thread spent in one span of time in a node; cut: in callees of it that are not in the tree. */
struct flame_row { uint32_t node, thread, span; bool cut; uint64_t weight; };
struct flame_thread { int pid, tid; const char *comm; };
struct flame_gap { uint32_t from, to; };
struct flame_gone { uint32_t stack; uint64_t before; };

struct flame_tree {
	VEC(struct flame_node) node; /* callers before their callees, callees by name; 0 is the root, which stands for all */
	VEC(struct fold_frame) frame; /* those of the nodes; names are the folds' or the tree's */
	uint32_t depth; /* of the deepest node */
	uint64_t limit; /* frames below that weight were cut */
	uint64_t cut; /* the weight of stacks that are not in the tree up to their end */
	uint64_t cut_nodes; /* how many frames are not in it */
	VEC(struct flame_row) row; /* with shape.rows; by node */
	VEC(struct flame_thread) thread;
	uint64_t first, quantum; /* the span i of rows begins at first + i * quantum; quantum 0: there are no spans */
	uint32_t spans;
	VEC(struct flame_gap) gap; /* the spans in which events were lost */
	VEC(struct flame_gone) gone; /* of a comparison: the stacks that there are no more, the heaviest first ... */
	struct stacks stacks; /* ... whose frames are here */
	/* its own */
	VEC(char *) owned;
	struct idmap frames;
};
/* The folds must live as long. Never fails. */
struct flame_tree *flame_tree_new(const struct flame_shape *o);
void flame_tree_free(struct flame_tree *t);
/* "comm;outer;inner" of a node or a gone stack, as in folded text: ';' and line ends in names become ':' and ' '. */
void flame_tree_path(const struct flame_tree *t, uint32_t node, struct str *s);
void flame_tree_gone_path(const struct flame_tree *t, uint32_t stack, struct str *s);
#endif
