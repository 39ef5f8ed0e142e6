/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and libraries that probes are in (and the kernel, of which only the debug information is asked): found by what a script calls them, opened once, with their functions and
 * markers. They stay open until the script is forgotten. */
#ifndef SCRIPT_PROVIDER_BINARY_H
#define SCRIPT_PROVIDER_BINARY_H
#include "base/words.h"
#include "probe/target.h"
#include "probe/usdt.h"
#include "script/script.h"

struct binary {
	const char *name; /* as probes show it */
	struct probe_target target;
	usdt_markers markers;
	bool have_markers, have_more;
	VEC(struct binary_image { Elf *elf; void *memory; int fd; }) images; /* of further symbol tables, whose names are used */
	struct binary *next;
};

/* The paths that a word means: itself, a program of $PATH, a library by its short name; all that match, of those that the
 * process of -p has mapped too, when it holds wildcards. None, when it has no wildcards: -errno and a pending error. */
int binary_paths(struct run_script *s, const struct attach *a, const char *word, wordlist *paths);
/* NULL: pending error. */
struct binary *binary_open(struct run_script *s, const char *path);
/* The running kernel, or a module of it (NULL: none): only its target is used. NULL: pending error. */
struct binary *binary_kernel(struct run_script *s, const char *module);
/* Functions that the file itself does not name any more: of its debug file, or packed into it. Once. */
void binary_more_symbols(struct binary *b);
const usdt_markers *binary_markers(struct binary *b);
void binaries_release(struct run_script *s);

/* "FILE:REST" of a probe: file is owned by the caller, with its quotes taken off; NULL: there is no colon. */
char *binary_split(const char *word, const char **rest);
char *word_unquoted(const char *word);
#endif
