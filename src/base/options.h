/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command-line options as tables. Short options bundle (-ag), long ones may be abbreviated
 * while unambiguous, take --name=value or --name value, and booleans take --no-name.
 * -h/--help and usage come from the same table. Parsing stops at "--" and, with
 * OPTIONS_STOP_AT_ARG, at the first word that is not an option (the traced command). */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H
#include <stdbool.h>
#include <stddef.h>

enum option_kind {
	OPTION_END,
	OPTION_GROUP, /* a heading in the usage */
	OPTION_TABLE, /* another table (which has no tables in it); the first row of a name wins */
	OPTION_FLAG, /* bool *value */
	OPTION_COUNT, /* int *value, +1 each time */
	OPTION_INT, /* int *value */
	OPTION_U64, /* uint64_t *value */
	OPTION_DOUBLE, /* double *value */
	OPTION_STRING, /* const char **value; points into argv */
	OPTION_CALL, /* call(opt, arg, unset); arg is NULL for a missing optional one */
};

struct option_row;
typedef int option_call(const struct option_row *opt, const char *arg, bool unset);

struct option_row {
	enum option_kind kind;
	char short_name; /* 0: none */
	const char *long_name; /* NULL: none; several names: "filter|expr" */
	const char *arg; /* "N", "EVENT"; NULL: takes none; "[FMT]": optional, only as --x=FMT or -xFMT */
	void *value;
	const char *help;
	option_call *call;
	/* For an OPTION_CALL with an optional argument: may the NEXT word be taken as the argument?
	 * (perf's `-g dwarf`.) NULL: never. */
	bool (*takes_next)(const char *word);
};

#define OPT_END() { .kind = OPTION_END }
#define OPT_TABLE(rows) { .kind = OPTION_TABLE, .value = (void *)(rows) }
#define OPT_GROUP(h) { .kind = OPTION_GROUP, .help = (h) }
#define OPT_FLAG(s, l, v, h) { .kind = OPTION_FLAG, .short_name = (s), .long_name = (l), .value = (v), .help = (h) }
#define OPT_COUNT(s, l, v, h) { .kind = OPTION_COUNT, .short_name = (s), .long_name = (l), .value = (v), .help = (h) }
#define OPT_INT(s, l, a, v, h) { .kind = OPTION_INT, .short_name = (s), .long_name = (l), .arg = (a), .value = (v), .help = (h) }
#define OPT_U64(s, l, a, v, h) { .kind = OPTION_U64, .short_name = (s), .long_name = (l), .arg = (a), .value = (v), .help = (h) }
#define OPT_DOUBLE(s, l, a, v, h) { .kind = OPTION_DOUBLE, .short_name = (s), .long_name = (l), .arg = (a), .value = (v), .help = (h) }
#define OPT_STRING(s, l, a, v, h) { .kind = OPTION_STRING, .short_name = (s), .long_name = (l), .arg = (a), .value = (v), .help = (h) }
#define OPT_CALL(s, l, a, v, f, h) { .kind = OPTION_CALL, .short_name = (s), .long_name = (l), .arg = (a), .value = (v), .call = (f), .help = (h) }

/* Options of perf and strace that sonde does without; the usage does not show them. NEEDLESS: taken, since it is done
 * anyway (-v tells); IGNORED: taken, and told that it is not done; REFUSED: an error with another way. */
struct option_foreign { const char *why, *hint; };
option_call option_needless, option_ignored, option_refused;
#define OPT_FOREIGN(s, l, a, f, ...) \
	{ .kind = OPTION_CALL, .short_name = (s), .long_name = (l), .arg = (a), .call = (f), .value = (void *)&(const struct option_foreign){ __VA_ARGS__ } }
#define OPT_NEEDLESS(s, l, a, why) OPT_FOREIGN(s, l, a, option_needless, why, NULL)
#define OPT_IGNORED(s, l, a, why) OPT_FOREIGN(s, l, a, option_ignored, why, NULL)
#define OPT_REFUSED(s, l, a, ...) OPT_FOREIGN(s, l, a, option_refused, __VA_ARGS__) /* why, hint */

enum {
	OPTIONS_STOP_AT_ARG = 1, /* the first non-option starts a command */
};

/* argv[0] is the sub-command's name. On success returns how many words are left,
 * moved to argv[0..n-1] (argv[n] is NULL). Returns -EINVAL with a pending error on a usage error,
 * -ECANCELED when help was asked for and printed: see options_exit(). */
int options_parse(int argc, char **argv, const struct option_row *rows, const char *const *usage,
		  int flags);
/* The exit code for a negative return: prints the pending error with the usage line; 129 or 0. */
int options_exit(int err, const char *const *usage);
void options_usage(const struct option_row *rows, const char *const *usage);
/* Writes "--long -s ..." words, for the completion script. */
void options_words(const struct option_row *rows);
#endif
