/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script in a file, with what it needs of its programs' symbols and debug information: it runs on a machine that has the
 * programs and nothing else. What it needs of the kernel is found there, in that kernel.
 *
 *   head    magic, version, length of the body, CRC-32 of the body
 *   body    compressed (zstd): the script, its parameters, the programs: build-id, path, debug files (symbol/file/slim.h)
 *
 * The compiler is in sonde, so that it is the text which is saved. When it runs, the debug files are given to whoever looks for
 * those of that build-id (debugfile_give): the compiler, and later what names the addresses of a stack. */
#ifndef SCRIPT_SAVED_H
#define SCRIPT_SAVED_H
#include "base/str.h"
#include "base/words.h"
#include "symbol/symbols.h"

struct run_script;
struct saved;
/* A script as its user gave it, whatever language it is in. */
struct script_given {
	const char *name, *text; /* name: what messages call it */
	uint64_t length;
	char **params; unsigned n_params; /* $1 and so on */
	const struct saved *saved; /* it comes from there; NULL: it does not */
};
enum { SAVED_MOST = 1 << 30 }; /* bytes of a body */
enum saved_dialect { SAVED_NONE, SAVED_BPFTRACE, SAVED_STAP };

struct saved_image { bool symbols, dwarf; struct str elf; }; /* what it is asked for */
struct saved_program {
	char *path; /* where it was */
	struct build_id id;
	struct saved_image images[2]; unsigned n_images;
};
struct saved {
	enum saved_dialect dialect;
	bool guru; /* stap -g */
	uint64_t max_entries; /* of stap's arrays; 0: as always */
	struct str name, text; /* the script */
	wordlist params;
	VEC(struct saved_program) programs;
};
#define SAVED_INIT { .name = STR_INIT, .text = STR_INIT }
void saved_release(struct saved *v);

/* ---- format.c ---- */
void saved_encode_body(const struct saved *v, struct str *out);
int saved_decode_body(struct saved *v, const void *p, size_t n); /* -EBADMSG, no pending error; v is to be released in any case */
int saved_encode(const struct saved *v, struct str *out); /* -errno, pending error */
/* name: for messages. -errno, pending error. */
int saved_decode(struct saved *v, const void *p, size_t n, const char *name);

/* ---- file.c ---- */
/* By the first bytes of a file; SAVED_NONE: it is no saved script, or cannot be read. */
enum saved_dialect saved_kind(const char *path);
/* Reads one: out is the script that is in it, with these parameters, or its own when there are none (n 0). From here on its
 * debug files are found. v keeps what out refers to. force: whoever owns the file. -errno, pending error. */
int saved_take(struct saved *v, const char *path, bool force, char **params, unsigned n, struct script_given *out);
/* The script with the programs that compiling it has opened; v has the dialect and what goes with it, and is released.
 * -errno, pending error. */
int saved_write(struct saved *v, const struct script_given *given, struct run_script *s, const char *path);
/* Is it one of the programs, the same to the letter? v NULL: all are. -ESTALE and a pending error. */
int saved_check(const struct saved *v, const char *path);
#endif
