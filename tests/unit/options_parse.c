// SPDX-License-Identifier: GPL-2.0-or-later
/* Words on a command line: what options_parse() makes of them, what it leaves, what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"

struct opts {
	bool all, graph_seen, inner;
	int loud, number;
	uint64_t size;
	double seconds;
	const char *name, *hidden;
	const char *graph; /* as given; NULL: without */
	char calls[64]; /* what the handler was told, a letter each */
};
#define OPTIONS struct opts

static int on_graph(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct opts *o = value;
	(void)opt;
	o->graph_seen = !unset;
	o->graph = arg;
	return 0;
}

static bool is_graph(const char *word)
{
	return !strcmp(word, "fp") || !strcmp(word, "dwarf");
}

static bool never(const char *word)
{
	(void)word;
	return false;
}

static int on_quiet(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct opts *o = value;
	(void)opt;
	strncat(o->calls, unset ? "u" : arg ? arg : "-", sizeof(o->calls) - strlen(o->calls) - 1);
	return 0;
}

static int on_list(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct opts *o = value;
	(void)unset;
	assert_ptr_equal(opt->call, on_list);
	if (!strcmp(arg, "bad"))
		return error_set(EINVAL, "no list is bad");
	strncat(o->calls, arg, sizeof(o->calls) - strlen(o->calls) - 1);
	return 0;
}

static const struct option_row second[] = {
	OPT_STRING('n', "number", "TEXT", hidden, "its names are taken"),
	OPT_FLAG('i', "inner", inner, "only here"),
	OPT_FLAG(0, "allow", inner, "begins as --all does"),
	OPT_END(),
};
static const struct option_row rows[] = {
	OPT_GROUP("Some"),
	OPT_FLAG('a', "all", all, "all of it"),
	OPT_COUNT('l', "loud", loud, "more each time"),
	OPT_INT('n', "number", "N", number, "an int"),
	OPT_U64(0, "size", "N", size, "64 bits"),
	OPT_DOUBLE(0, "seconds", "S", seconds, "a fraction"),
	OPT_STRING('o', "output|out-file", "FILE", name, "a word"),
	OPT_CALL_NEXT('g', "graph", "[MODE]", on_graph, is_graph, "may take the next word"),
	OPT_CALL_NEXT('q', "quiet", "[SET]", on_quiet, never, "bundles"),
	OPT_CALL('e', "list", "LIST", on_list, "adds up"),
	OPT_IGNORED(0, "foreign", "X", "sonde does without"),
	OPT_REFUSED(0, "foul", NULL, "that cannot be", "do this"),
	OPT_TABLE(second),
	OPT_END(),
};
static const char *const usage[] = { "sonde test [OPTIONS]", NULL };

enum { WORDS = 16 };
static struct opts o;
static char *left[WORDS + 1];

/* Words up to NULL. Returns what options_parse() does. */
static int parse_with(int flags, ...)
{
	va_list ap;
	int n = 0;
	va_start(ap, flags);
	left[n++] = "test";
	for (char *w; (w = va_arg(ap, char *));)
		left[n++] = w;
	va_end(ap);
	left[n] = NULL;
	memset(&o, 0, sizeof(o));
	error_clear();
	return options_parse(&o, n, left, rows, usage, flags);
}
#define parse(...) parse_with(0, __VA_ARGS__, NULL)
#define parse_command(...) parse_with(OPTIONS_STOP_AT_ARG, __VA_ARGS__, NULL)
#define refused(why, ...) (assert_int_equal(parse(__VA_ARGS__), -EINVAL), assert_says(why))

static void assert_says(const char *why)
{
	if (!strstr(error_message(), why))
		print_error("said: %s\n", error_message());
	assert_non_null(strstr(error_message(), why));
}

static void short_ones(void **state)
{
	(void)state;
	assert_int_equal(parse("-a", "-n", "5", "-o", "-"), 0);
	assert_true(o.all);
	assert_int_equal(o.number, 5);
	assert_string_equal(o.name, "-");
	assert_int_equal(parse("-alln5"), 0); /* bundled; the last takes the rest */
	assert_true(o.all);
	assert_int_equal(o.loud, 2);
	assert_int_equal(o.number, 5);
	assert_int_equal(parse("-aln", "-5"), 0); /* or the next word, whatever it looks like */
	assert_int_equal(o.number, -5);
	assert_int_equal(parse("-oa"), 0);
	assert_false(o.all);
	assert_string_equal(o.name, "a");
}

static void long_ones(void **state)
{
	(void)state;
	assert_int_equal(parse("--all", "--number=7", "--size", "0x10", "--seconds=.5", "--out-file=", "--loud"), 0);
	assert_true(o.all);
	assert_int_equal(o.number, 7);
	assert_int_equal(o.size, 16);
	assert_true(o.seconds == .5);
	assert_string_equal(o.name, ""); /* empty is a value */
	assert_int_equal(parse("--num=1", "--si=2", "--se", "3", "--outp=x", "--ou=y"), 0); /* abbreviated; two names of one option do not collide */
	assert_int_equal(o.number, 1);
	assert_int_equal(o.size, 2);
	assert_string_equal(o.name, "y");
	refused("--s could be --size or --seconds", "--s=1");
	refused("--fo could be --foreign or --foul", "--fo");
	refused("unknown option --o-file", "--o-file=1");
	refused("unknown option --", "--=5");
	assert_int_equal(parse("--al"), 0); /* --allow of a later table does not make it ambiguous */
	assert_true(o.all);
	assert_int_equal(parse("--allo"), 0);
	assert_true(o.inner);
}

/* The first row of a name wins; what is left of the other can be reached by its other names. */
static void tables(void **state)
{
	(void)state;
	assert_int_equal(parse("-n", "3", "--number", "4", "-i"), 0);
	assert_int_equal(o.number, 4);
	assert_null(o.hidden);
	assert_true(o.inner);
}

static void turned_off(void **state)
{
	(void)state;
	assert_int_equal(parse("--all", "--no-all"), 0);
	assert_false(o.all);
	assert_int_equal(parse("-ll", "--no-loud", "-l"), 0);
	assert_int_equal(o.loud, 1);
	assert_int_equal(parse("-ox", "--no-output"), 0);
	assert_null(o.name);
	assert_int_equal(parse("-g", "--no-graph"), 0);
	assert_false(o.graph_seen);
	assert_int_equal(parse("--no-gr"), 0);
	refused("--no-number: --number takes a value", "--no-number");
	refused("takes a value", "--no-seconds");
	refused("takes a value", "--no-size");
	refused("takes a value", "--no-list");
	refused("--no- takes no value", "--no-number=5"); /* least of all the one that it would undo */
	refused("--no- takes no value", "--no-list=a");
	refused("--no- takes no value", "--no-all=1");
	assert_int_equal(parse("--no-foul"), 0); /* nobody wants it */
	refused("unknown option --no-nonsense", "--no-nonsense");
}

static void optional_values(void **state)
{
	(void)state;
	assert_int_equal(parse("-g", "dwarf", "-a"), 0);
	assert_string_equal(o.graph, "dwarf");
	assert_int_equal(parse("-g", "ls"), 1); /* not one of its words: an argument */
	assert_true(o.graph_seen);
	assert_null(o.graph);
	assert_string_equal(left[0], "ls");
	assert_int_equal(parse("-gfp"), 0);
	assert_string_equal(o.graph, "fp");
	assert_int_equal(parse("-ga"), 0); /* a letter that is none of its words is another option */
	assert_true(o.graph_seen && o.all);
	assert_null(o.graph);
	assert_int_equal(parse("--graph", "fp", "--graph"), 0);
	assert_null(o.graph);
	assert_int_equal(parse("--graph=anything"), 0); /* attached: its handler judges */
	assert_string_equal(o.graph, "anything");
	assert_int_equal(parse("-qqa", "--quiet=x", "--quiet", "y"), 1); /* one that never takes the next */
	assert_string_equal(o.calls, "--x-");
	assert_true(o.all);
	assert_string_equal(left[0], "y");
}

static void handlers(void **state)
{
	(void)state;
	assert_int_equal(parse("-e", "a", "--list=b", "-ec"), 0);
	assert_string_equal(o.calls, "abc");
	refused("no list is bad", "-e", "a", "-e", "bad", "-e", "c");
	assert_string_equal(o.calls, "a"); /* nothing after the mistake was done */
}

static void numbers(void **state)
{
	(void)state;
	refused("-n: 'x' is not a number", "-nx");
	refused("--number: '' is not a number", "--number=");
	refused("is not a number", "-n", "5x");
	refused("is not a number", "-n", "2147483648");
	refused("is not a number", "-n", "99999999999999999999999");
	assert_int_equal(parse("-n", "-2147483648"), 0);
	assert_int_equal(o.number, INT32_MIN);
	refused("is not a number", "--size=-1");
	refused("is not a number", "--size=18446744073709551616");
	assert_int_equal(parse("--size=18446744073709551615"), 0);
	assert_true(o.size == UINT64_MAX);
	refused("is not a number", "--seconds=");
	refused("is not a number", "--seconds=1s");
	refused("is not a number", "--seconds=nan");
	refused("is not a number", "--seconds=inf");
	refused("is not a number", "--seconds=1e999");
}

static void mistakes(void **state)
{
	(void)state;
	refused("unknown option -x", "-ax");
	assert_true(o.all); /* what came before it is done; the caller ends anyway */
	refused("unknown option --nonsense", "--nonsense=3");
	refused("unknown option --numbr", "--numbr");
	assert_non_null(strstr(error_hints(), "--number")); /* and what may have been meant */
	refused("-n needs a value (N)", "-n");
	refused("--output needs a value (FILE)", "--output");
	refused("--all: '1' is too much", "--all=1");
	refused("that cannot be", "--foul");
	assert_non_null(strstr(error_hints(), "do this"));
}

static void what_is_left(void **state)
{
	(void)state;
	assert_int_equal(parse("one", "-a", "-", "two", "--", "-n", "--all"), 5);
	assert_true(o.all);
	assert_string_equal(left[0], "one");
	assert_string_equal(left[1], "-");
	assert_string_equal(left[2], "two");
	assert_string_equal(left[3], "-n");
	assert_string_equal(left[4], "--all");
	assert_null(left[5]);
	assert_int_equal(parse_command("-a", "ls", "-n", "--", "--all"), 4); /* a command's own options are its own */
	assert_string_equal(left[0], "ls");
	assert_string_equal(left[2], "--");
	assert_int_equal(o.number, 0);
	assert_int_equal(parse_command("--", "-a"), 1);
	assert_false(o.all);
	assert_string_equal(left[0], "-a");
	assert_int_equal(parse_command("-a"), 0);
	assert_null(left[0]);
	assert_int_equal(parse_command(""), 1); /* an empty word is one */
	assert_string_equal(left[0], "");
}

/* What is written for --help is what the table says. */
static void help(void **state)
{
	char path[] = "/tmp/sonde-options-XXXXXX", text[4096];
	int fd = mkstemp(path), saved = dup(1);
	(void)state;
	assert_true(fd >= 0 && saved >= 0);
	unlink(path);
	fflush(stdout);
	dup2(fd, 1);
	int err = parse("-a", "--help", "--nonsense"), err2 = parse("--option-words");
	fflush(stdout);
	dup2(saved, 1);
	close(saved);
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	assert_int_equal(err, -ECANCELED);
	assert_int_equal(err2, -ECANCELED);
	assert_non_null(strstr(text, "usage: sonde test [OPTIONS]\n\nSome\n"));
	assert_non_null(strstr(text, "  -o, --output FILE"));
	assert_non_null(strstr(text, "  -g, --graph[MODE]"));
	assert_null(strstr(text, "its names are taken")); /* both of them, by the first table */
	assert_null(strstr(text, "sonde does without"));
	assert_non_null(strstr(text, "\n--output\n")); /* the words for the completion */
	assert_non_null(strstr(text, "\n-i\n--inner\n"));
	assert_int_equal(options_exit(-ECANCELED, usage), 0);
}

/* Words in any order: no crash, an error exactly when it says so, and the words left are from those given. */
static void any_words(void **state)
{
	static char *const words[] = { "-a", "-l", "-n", "5", "-n5", "--number", "--number=", "--size=7", "--seconds", "-g", "-gdwarf", "fp", "-q",
				       "-qq", "-e", "x", "bad", "--no-all", "--no-", "--no", "--", "-", "", "-x", "--n=3", "--foreign", "--no-list",
				       "--no-number=1", "-", "--=", "-\xff", "--\xff=1", "-an", "--graph=" };
	int good = 0, quiet = dup(2), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	(void)state;
	srand(4);
	dup2(null, 2); /* "changes nothing", each time */
	for (int i = 0; i < 20000; i++) {
		int n = 1 + rand() % 6;
		left[0] = "test";
		for (int k = 1; k <= n; k++)
			left[k] = words[rand() % (sizeof(words) / sizeof(*words))];
		left[n + 1] = NULL;
		memset(&o, 0, sizeof(o));
		error_clear();
		int r = options_parse(&o, n + 1, left, rows, usage, rand() % 2);
		assert_int_equal(r < 0, error_pending());
		assert_true(r == -EINVAL || (r >= 0 && r <= n && !left[r]));
		good += r >= 0;
	}
	dup2(quiet, 2);
	close(quiet);
	close(null);
	assert_true(good > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_ones), cmocka_unit_test(long_ones), cmocka_unit_test(tables), cmocka_unit_test(turned_off),
		cmocka_unit_test(optional_values), cmocka_unit_test(handlers), cmocka_unit_test(numbers), cmocka_unit_test(mistakes),
		cmocka_unit_test(what_is_left), cmocka_unit_test(help), cmocka_unit_test(any_words),
	};
	return cmocka_run_group_tests_name("options_parse", tests, NULL, NULL);
}
