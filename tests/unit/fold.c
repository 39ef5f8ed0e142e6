// SPDX-License-Identifier: GPL-2.0-or-later
// Folding: places, stacks, call trees, lines and their order, without a recording.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "analysis/hist.h"
#include "analysis/order.h"
#include "base/error.h"
#include "ui/report/callgraph.h"
#include "ui/script/marshal.h"

static struct dso app = { .path = "/bin/app", .name = "app" };

struct world {
	struct places places;
	struct stacks stacks;
	struct layout layout;
	struct fold fold;
	struct hist *hist;
	uint32_t context;
};

static uint32_t place(struct world *w, const char *sym, uint64_t at)
{
	struct frame f = { .ip = at, .addr = at, .offset = at, .dso = &app, .sym = sym, .sym_addr = at, .sym_size = 16 };
	return places_get(&w->places, &f, at, '.');
}

static uint32_t main_at, work_at, leaf_at, other_at;

static void begin(struct world *w, bool children, bool caller)
{
	memset(w, 0, sizeof(*w));
	places_init(&w->places, NULL);
	stacks_init(&w->stacks);
	struct layout_options o = { .def = "symbol", .children = children };
	assert_int_equal(layout_make(&w->layout, &o), 0);
	fold_init(&w->fold, &w->places, &w->stacks, &w->layout);
	w->fold.children = children;
	w->fold.caller = caller;
	w->fold.chains = true;
	w->fold.mode = CHAIN_GRAPH;
	w->fold.min_percent = 0.5;
	w->hist = hist_new(&w->fold);
	struct hist_value none[4] = { { 0 } };
	w->context = fold_context(&w->fold, none);
	main_at = place(w, "main", 0x100);
	work_at = place(w, "work", 0x200);
	leaf_at = place(w, "leaf", 0x300);
	other_at = place(w, "other", 0x400);
}

static void end(struct world *w)
{
	hist_free(w->hist);
	fold_release(&w->fold);
	layout_release(&w->layout);
	stacks_release(&w->stacks);
	places_release(&w->places);
}

/* A sample whose stack is given outermost first, 0 at the end. */
static void sample(struct world *w, uint64_t period, const uint32_t *path)
{
	uint32_t stack = 0, last = 0;
	for (; *path; path++)
		stack = stacks_push(&w->stacks, stack, last = *path);
	struct hist_sample s = { .context = w->context, .place = last, .stack = stack, .period = period, .level = '.', .comm = "app" };
	hist_add(w->hist, &s);
}
#define SAMPLE(w, period, ...) sample(w, period, (const uint32_t[]){ __VA_ARGS__, 0 })

static const struct hist_entry *line(const struct world *w, uint32_t place)
{
	vec_each(&w->hist->entry, e)
		if ((*e)->place == place)
			return *e;
	return NULL;
}

static void test_same_number(void **state)
{
	struct world w;
	(void)state;
	begin(&w, false, false);
	assert_int_equal(place(&w, "main", 0x100), main_at);
	assert_int_not_equal(main_at, work_at);
	uint32_t a = stacks_push(&w.stacks, stacks_push(&w.stacks, 0, main_at), work_at);
	assert_int_equal(stacks_push(&w.stacks, stacks_push(&w.stacks, 0, main_at), work_at), a);
	assert_int_equal(stack_depth(&w.stacks, a), 2);
	uint32_t path[2];
	stacks_path(&w.stacks, a, path);
	assert_int_equal(path[0], main_at);
	assert_int_equal(path[1], work_at);
	end(&w);
}

static void test_children(void **state)
{
	struct world w;
	(void)state;
	begin(&w, true, true);
	SAMPLE(&w, 10, main_at, work_at, leaf_at);
	SAMPLE(&w, 10, main_at, work_at, leaf_at);
	SAMPLE(&w, 5, main_at, work_at);
	SAMPLE(&w, 3, main_at, main_at, main_at); /* recursion counts once */
	hist_lines(w.hist);
	hist_finish(w.hist, NULL);
	assert_int_equal(w.hist->samples, 4);
	assert_int_equal(hist_total(w.hist), 28);
	assert_int_equal(line(&w, main_at)->sum.period, 28);
	assert_int_equal(line(&w, main_at)->self.period, 3);
	assert_int_equal(line(&w, work_at)->sum.period, 25);
	assert_int_equal(line(&w, work_at)->self.period, 5);
	assert_int_equal(line(&w, leaf_at)->self.n, 2);
	assert_ptr_equal(w.hist->entry.at[0], line(&w, main_at));
	end(&w);
}

/* Live: what comes is added at the next settling, what is old weighs less each time, and is gone before it is nothing. */
static void test_fades(void **state)
{
	struct world w;
	int refreshes = 0;
	(void)state;
	begin(&w, false, false);
	w.hist->live = true;
	SAMPLE(&w, 1000000, main_at, work_at);
	assert_int_equal(w.hist->samples, 0);
	hist_settle(w.hist, 7, 8);
	assert_int_equal(w.hist->samples, 1);
	assert_int_equal(w.hist->bucket.at[0].period, 1000000);
	while (w.hist->bucket.n != 1 || w.hist->bucket.at[0].place != leaf_at) {
		uint64_t before = w.hist->bucket.at[0].period;
		SAMPLE(&w, 1000000, main_at, leaf_at);
		hist_settle(w.hist, 7, 8);
		if (w.hist->bucket.n == 2)
			assert_int_equal(w.hist->bucket.at[0].period, before * 7 / 8);
		assert_true(++refreshes < 30); /* 7/8 of it 26 times is less than a thirty-second part */
	}
	assert_true(refreshes > 20);
	for (int i = 0; i < 30; i++) /* nothing comes any more */
		hist_settle(w.hist, 7, 8);
	hist_settle(w.hist, 0, 1);
	assert_int_equal(w.hist->bucket.n, 0);
	end(&w);
}

static void test_forgets(void **state)
{
	struct world w;
	(void)state;
	begin(&w, true, false);
	SAMPLE(&w, 10, main_at, work_at);
	hist_lines(w.hist);
	hist_finish(w.hist, NULL);
	hist_forget(w.hist);
	fold_forget(&w.fold);
	assert_int_equal(w.hist->samples, 0);
	assert_int_equal(w.hist->entry.n, 0);
	struct hist_value none[4] = { { 0 } };
	assert_int_equal(w.context = fold_context(&w.fold, none), 1);
	SAMPLE(&w, 5, main_at, leaf_at);
	hist_lines(w.hist);
	hist_finish(w.hist, NULL);
	assert_int_equal(hist_total(w.hist), 5);
	assert_null(line(&w, work_at));
	end(&w);
}

/* Inlined in two functions: two lines, but one branch of a graph, as perf has it. */
static void test_inlined_in_two(void **state)
{
	struct world w;
	(void)state;
	begin(&w, true, true);
	struct frame f = { .ip = 0x204, .addr = 0x204, .dso = &app, .sym = "twice", .sym_addr = 0x200, .sym_size = 16, .inlined = true };
	uint32_t in_work = places_get(&w.places, &f, 0x204, '.');
	f.ip = f.addr = 0x304;
	f.sym_addr = 0x300;
	uint32_t in_leaf = places_get(&w.places, &f, 0x304, '.');
	assert_int_not_equal(in_work, in_leaf);
	SAMPLE(&w, 10, main_at, in_work, other_at);
	SAMPLE(&w, 5, main_at, in_leaf, other_at);
	hist_lines(w.hist);
	hist_finish(w.hist, NULL);
	assert_int_equal(line(&w, in_work)->sum.period, 10);
	assert_int_equal(line(&w, in_leaf)->sum.period, 5);
	struct chain_tree *t = hist_chains(w.hist, line(&w, main_at));
	assert_int_equal(t->root->n_child, 1);
	assert_int_equal(t->root->child[0]->n_place, 3);
	chain_tree_free(t);
	end(&w);
}

static void test_graph(void **state)
{
	struct world w;
	struct str s = STR_INIT;
	(void)state;
	begin(&w, true, true);
	SAMPLE(&w, 60, main_at, work_at, leaf_at);
	SAMPLE(&w, 40, main_at, other_at);
	hist_lines(w.hist);
	hist_finish(w.hist, NULL);
	const struct callgraph_style style = { .mode = CHAIN_GRAPH };
	struct chain_tree *t = hist_chains(w.hist, line(&w, main_at));
	callgraph_print(&s, &w.places, t, &style, 100, 100);
	assert_string_equal(s.buf, "            |\n"
				   "            ---main\n"
				   "               |          \n"
				   "               |--60.00%--work\n"
				   "               |          leaf\n"
				   "               |          \n"
				   "                --40.00%--other\n\n");
	chain_tree_free(t);
	str_clear(&s);
	w.fold.mode = CHAIN_FOLDED;
	const struct callgraph_style folded = { .mode = CHAIN_FOLDED, .value = VALUE_COUNT };
	t = hist_chains(w.hist, line(&w, main_at));
	callgraph_print(&s, &w.places, t, &folded, 100, 100);
	assert_string_equal(s.buf, "1 main;work;leaf\n1 main;other\n");
	chain_tree_free(t);
	str_release(&s);
	end(&w);
}

static void test_callee_graph_and_limit(void **state)
{
	struct world w;
	struct str s = STR_INIT;
	(void)state;
	begin(&w, false, false);
	SAMPLE(&w, 900, main_at, work_at, leaf_at);
	SAMPLE(&w, 97, other_at, leaf_at);
	SAMPLE(&w, 3, leaf_at, leaf_at); /* below half a percent: not drawn */
	hist_lines(w.hist);
	hist_finish(w.hist, NULL);
	assert_int_equal(w.hist->entry.n, 1);
	const struct callgraph_style style = { .mode = CHAIN_GRAPH };
	struct chain_tree *t = hist_chains(w.hist, w.hist->entry.at[0]);
	callgraph_print(&s, &w.places, t, &style, 1000, 1000);
	assert_string_equal(s.buf, "            |\n"
				   "            ---leaf\n"
				   "               |          \n"
				   "               |--90.00%--work\n"
				   "               |          main\n"
				   "               |          \n"
				   "                --9.70%--other\n\n");
	chain_tree_free(t);
	str_release(&s);
	end(&w);
}

static void test_ties_by_name(void **state)
{
	struct world w;
	(void)state;
	begin(&w, false, false);
	SAMPLE(&w, 5, work_at);
	SAMPLE(&w, 5, main_at);
	SAMPLE(&w, 5, leaf_at);
	hist_lines(w.hist);
	hist_finish(w.hist, NULL);
	assert_int_equal(w.hist->entry.at[0]->place, leaf_at);
	assert_int_equal(w.hist->entry.at[1]->place, main_at);
	assert_int_equal(w.hist->entry.at[2]->place, work_at);
	end(&w);
}

static bool before(const void *a, const void *b, void *ctx)
{
	(void)ctx;
	return *(const int *)a / 10 > *(const int *)b / 10;
}

static void test_tree_order(void **state)
{
	enum { N = 1000 };
	int v[N];
	void *p[N];
	unsigned seed = 7;
	(void)state;
	for (int i = 0; i < N; i++) {
		v[i] = (seed = seed * 1103515245 + 12345) >> 16 & 1023;
		p[i] = &v[i];
	}
	order_by_tree(p, N, before, NULL);
	for (int i = 1; i < N; i++) {
		int a = *(int *)p[i - 1], b = *(int *)p[i];
		assert_true(a / 10 >= b / 10);
		if (a / 10 == b / 10)
			assert_true(p[i - 1] < p[i]); /* equals stay in order */
	}
}

static void test_wrong_keys(void **state)
{
	struct layout l;
	struct layout_options o = { .sort = "nosuch", .def = "symbol" };
	(void)state;
	assert_int_equal(layout_make(&l, &o), -22);
	assert_non_null(strstr(error_message(), "nosuch"));
	error_clear();
	layout_release(&l);
	o.sort = "sym,dso,cpu";
	assert_int_equal(layout_make(&l, &o), 0);
	assert_true(layout_has(&l, KEY_DSO) && layout_has(&l, KEY_CPU) && !layout_has(&l, KEY_COMM));
	layout_release(&l);
}

static void test_marshal(void **state)
{
	struct str s = STR_INIT;
	(void)state;
	marshal_s64(&s, -2);
	assert_memory_equal(s.buf, "i\xfe\xff\xff\xff", 5);
	str_clear(&s);
	marshal_u64(&s, 1ull << 31);
	assert_memory_equal(s.buf, "l\x03\0\0\0\0\0\0\0\x02\0", 11);
	str_clear(&s);
	marshal_text(&s, "a\xff", 2);
	assert_memory_equal(s.buf, "u\x04\0\0\0a\xed\xb3\xbf", 9);
	str_release(&s);
}

/* An address without a symbol: the kernel's is another row than a program's, be it the same number, in one file or in none. */
static void test_unresolved_levels(void **state)
{
	(void)state;
	struct world w;
	begin(&w, false, false);
	struct frame f = { .ip = 0x700, .addr = 0x700, .offset = 0x700 };
	uint32_t user = places_get(&w.places, &f, 0x700, '.'), kernel = places_get(&w.places, &f, 0x700, 'k');
	assert_true(user != kernel);
	assert_int_equal(places_get(&w.places, &f, 0x700, '.'), user);
	assert_int_equal(places_get(&w.places, &f, 0x700, 'k'), kernel);
	struct hist_sample s = { .period = 1, .place = user, .level = '.', .context = w.context };
	hist_add(w.hist, &s);
	s.place = kernel;
	s.level = 'k';
	hist_add(w.hist, &s);
	hist_add(w.hist, &s);
	hist_lines(w.hist);
	hist_finish(w.hist, NULL);
	assert_int_equal(w.hist->entry.n, 2);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fades), cmocka_unit_test(test_forgets), cmocka_unit_test(test_same_number), cmocka_unit_test(test_children), cmocka_unit_test(test_graph),
		cmocka_unit_test(test_inlined_in_two), cmocka_unit_test(test_unresolved_levels),
		cmocka_unit_test(test_callee_graph_and_limit), cmocka_unit_test(test_ties_by_name),
		cmocka_unit_test(test_tree_order), cmocka_unit_test(test_wrong_keys), cmocka_unit_test(test_marshal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
