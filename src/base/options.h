/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command-line options as tables. Short options bundle (-ag), long ones may be abbreviated
 * while unambiguous, take --name=value or --name value, and those that can be without take --no-name.
 * -h/--help and usage come from the same table. Parsing stops at "--" and, with
 * OPTIONS_STOP_AT_ARG, at the first word that is not an option (the traced command).
 *
 * What is given lands in one struct of the command. Its file says which one before its table
 * (#define OPTIONS struct stat_options), and the rows name fields of it: OPT_FLAG('a', "all", target.all, "..."). */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
	OPTION_END,
	OPTION_GROUP, /* a heading in the usage */
	OPTION_TABLE, /* another table (which has no tables in it); the first row of a name wins */
	OPTION_FLAG, /* bool */
	OPTION_COUNT, /* int, +1 each time */
	OPTION_INT, /* int */
	OPTION_U64, /* uint64_t */
	OPTION_DOUBLE, /* double */
	OPTION_STRING, /* const char *; points into argv */
	OPTION_CALL, /* call() */
};

/* A handler, by convention on_NAME. value: the whole options, or the row's own field (OPT_CALL_ON); arg is NULL for a
 * missing optional one. -errno and a pending error when it is wrong. */
struct option_row;
typedef int option_call(void *value, const struct option_row *opt, const char *arg, bool unset);

struct option_row {
	enum option_kind kind;
	char short_name; /* 0: none */
	const char *long_name; /* NULL: none; several names: "filter|expr" */
	const char *arg; /* "N", "EVENT"; NULL: takes none; "[FMT]": optional, only as --x=FMT or -xFMT */
	size_t at; /* of its field in the options */
	void *value; /* not in the options, but there */
	const void *data; /* of a table its rows; of a foreign option what to say */
	const char *help;
	option_call *call;
	/* For an OPTION_CALL with an optional argument: may the NEXT word be taken as the argument?
	 * (perf's `-g dwarf`.) NULL: never. */
	bool (*takes_next)(const char *word);
	bool has_no; /* an OPTION_CALL with a value that knows --no-NAME as well */
};

/* Where a field is; one of another type does not compile. */
#define OPTION_AT(type, field) (offsetof(OPTIONS, field) + 0 * sizeof(_Generic(&((OPTIONS *)0)->field, type *: 1)))
#define OPTION_ROW(k, s, l, a, h, ...) { .kind = (k), .short_name = (s), .long_name = (l), .arg = (a), .help = (h), __VA_ARGS__ }

#define OPT_END() { .kind = OPTION_END }
#define OPT_TABLE(rows) { .kind = OPTION_TABLE, .data = (rows) }
#define OPT_GROUP(h) { .kind = OPTION_GROUP, .help = (h) }
#define OPT_FLAG(s, l, f, h) OPTION_ROW(OPTION_FLAG, s, l, NULL, h, .at = OPTION_AT(bool, f))
#define OPT_COUNT(s, l, f, h) OPTION_ROW(OPTION_COUNT, s, l, NULL, h, .at = OPTION_AT(int, f))
#define OPT_INT(s, l, a, f, h) OPTION_ROW(OPTION_INT, s, l, a, h, .at = OPTION_AT(int, f))
#define OPT_U64(s, l, a, f, h) OPTION_ROW(OPTION_U64, s, l, a, h, .at = OPTION_AT(uint64_t, f))
#define OPT_DOUBLE(s, l, a, f, h) OPTION_ROW(OPTION_DOUBLE, s, l, a, h, .at = OPTION_AT(double, f))
#define OPT_STRING(s, l, a, f, h) OPTION_ROW(OPTION_STRING, s, l, a, h, .at = OPTION_AT(const char *, f))
#define OPT_CALL(s, l, a, c, h) OPTION_ROW(OPTION_CALL, s, l, a, h, .call = (c))
#define OPT_CALL_OR_NO(s, l, a, c, h) OPTION_ROW(OPTION_CALL, s, l, a, h, .call = (c), .has_no = true)
#define OPT_CALL_ON(s, l, a, f, c, h) OPTION_ROW(OPTION_CALL, s, l, a, h, .call = (c), .at = offsetof(OPTIONS, f))
#define OPT_CALL_NEXT(s, l, a, c, n, h) OPTION_ROW(OPTION_CALL, s, l, a, h, .call = (c), .takes_next = (n))
#define OPT_CALL_NEXT_ON(s, l, a, f, c, n, h) OPTION_ROW(OPTION_CALL, s, l, a, h, .call = (c), .takes_next = (n), .at = offsetof(OPTIONS, f))
#define OPT_CALL_OR_NO_ON(s, l, a, f, c, h) OPTION_ROW(OPTION_CALL, s, l, a, h, .call = (c), .has_no = true, .at = offsetof(OPTIONS, f))
#define OPT_VERBOSE(h) OPTION_ROW(OPTION_COUNT, 'v', "verbose", NULL, h, .value = &verbosity) /* base/error.h */

/* An int field that takes a number of milliseconds, not a negative one. */
option_call option_ms;
#define OPT_MS(s, l, f, h) OPTION_ROW(OPTION_CALL, s, l, "MS", h, .call = option_ms, .at = OPTION_AT(int, f))

/* Options of perf and strace that sonde does without; the usage does not show them. NEEDLESS: taken, since it is done
 * anyway (-v tells); IGNORED: taken, and told that it is not done; REFUSED: an error with another way. */
struct option_foreign { const char *why, *hint; };
option_call option_needless, option_ignored, option_refused;
#define OPT_FOREIGN(s, l, a, f, ...) \
	OPTION_ROW(OPTION_CALL, s, l, a, NULL, .call = (f), .data = &(const struct option_foreign){ __VA_ARGS__ })
#define OPT_NEEDLESS(s, l, a, why) OPT_FOREIGN(s, l, a, option_needless, why, NULL)
#define OPT_IGNORED(s, l, a, why) OPT_FOREIGN(s, l, a, option_ignored, why, NULL)
#define OPT_REFUSED(s, l, a, ...) OPT_FOREIGN(s, l, a, option_refused, __VA_ARGS__) /* why, hint */

enum {
	OPTIONS_STOP_AT_ARG = 1, /* the first non-option starts a command */
};

/* Fills in the options. argv[0] is the sub-command's name. On success returns how many words are left,
 * moved to argv[0..n-1] (argv[n] is NULL). Returns -EINVAL with a pending error on a usage error,
 * -ECANCELED when help was asked for and printed: see options_exit(). */
int options_parse(void *options, int argc, char **argv, const struct option_row *rows, const char *const *usage, int flags);
/* The exit code for a negative return: prints the pending error with the usage line; 129 or 0. */
int options_exit(int err, const char *const *usage);
#endif
