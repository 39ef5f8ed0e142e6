// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "analysis/flame/stackfold.h"
#include "base/error.h"
#include "picture/escape.h"

static struct stackfold *of(const char *text)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	struct stackfold *f = stackfold_of_text(in, "text", NULL, false);
	fclose(in);
	return f;
}

/* "a;b 3/1|..." */
static const char *rows(const struct stackfold *f)
{
	static char out[4096];
	uint32_t path[64];
	char *at = out, *end = out + sizeof(out);
	*out = 0;
	vec_each(&f->row, r) {
		uint32_t n = stack_depth(f->stacks, r->stack);
		stacks_path(f->stacks, r->stack, path);
		for (uint32_t i = 0; i < n; i++)
			at += snprintf(at, end - at, "%s%s", i ? ";" : "", f->frame.at[path[i]].name);
		at += snprintf(at, end - at, " %g@%d|", r->weight * f->event.at[f->key.at[r->key].event].scale, f->key.at[r->key].event);
	}
	return out;
}

static void folded_lines(void **state)
{
	(void)state;
	struct stackfold *f = of("a;b 3\na;b;c_[k] 2\r\n# comment\n\na;b 1\nno weight\na;;d 7");
	assert_string_equal(rows(f), "a;b 4@0|a;b;c 2@0|a;d 7@0|");
	assert_int_equal(f->unread, 1);
	assert_int_equal(f->event.at[0].weight, 13);
	assert_string_equal(f->event.at[0].unit, "samples");
	assert_int_equal(f->frame.at[stackfold_frame(f, "c", 1, FRAME_KERNEL)].kind, FRAME_KERNEL);
	stackfold_free(f);
}

static void names_with_blanks_and_two_weights(void **state)
{
	(void)state;
	struct stackfold *f = of("my thread;f(int, char) 3 5\nx 0 2\n");
	assert_string_equal(rows(f), "my thread;f(int, char) 3@0|my thread;f(int, char) 5@1|x 0@0|x 2@1|");
	stackfold_free(f);
}

static void decimals(void **state)
{
	(void)state;
	struct stackfold *f = of("a 3\nb 1.25\na 0.5\n");
	assert_string_equal(rows(f), "a 3.5@0|b 1.25@0|");
	stackfold_free(f);
}

static void maps_of_run(void **state)
{
	(void)state;
	struct stackfold *f = of("Attaching 1 probe...\n\n@x[\n    inner+12\n    outer+3\n, cat]: 5\n@x[\n    outer+7\n]: 2\n"
				 "{\"type\": \"map\", \"data\": {\"@\": {\"\\n    in+1\\n    out\\n,cat\": 4, \"cat\": 9}}}\n");
	assert_string_equal(rows(f), "cat;outer;inner 5@0|outer 2@0|cat;out;in 4@0|"); /* the words of a key below the stack */
	stackfold_free(f);
}

static void nothing_in_it(void **state)
{
	(void)state;
	assert_null(of("hello\nworld 99999999999999999999999\n"));
	assert_non_null(strstr(error_message(), "has no folded stacks"));
	error_clear();
}

static void hostile_names(void **state)
{
	(void)state;
	struct str s = STR_INIT;
	escape_markupz(&s, "a<b>&\"'\x1b[2J\xe2\x80\xae\xff");
	assert_string_equal(s.buf, "a&lt;b&gt;&amp;&quot;&#39;\\x1b[2J\\xe2\\x80\\xae\\xff");
	str_clear(&s);
	escape_scriptz(&s, "</script><!--\\\"\n\xe2\x80\xa8");
	assert_string_equal(s.buf, "\"\\u003c/script\\u003e\\u003c!--\\\\\\\"\\\\n\\\\xe2\\\\x80\\\\xa8\"");
	str_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folded_lines), cmocka_unit_test(names_with_blanks_and_two_weights), cmocka_unit_test(decimals),
		cmocka_unit_test(maps_of_run), cmocka_unit_test(nothing_in_it), cmocka_unit_test(hostile_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
