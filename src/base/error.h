/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a failure reaches the user.
 *
 * A function that fails returns -errno and leaves one sentence (and, where a
 * remedy is known, a hint) in the thread's pending error; callers above may
 * add context or clear it and try another way. The command prints it once,
 * with error_print(), as
 *     sonde: cannot open tracefs: Permission denied
 *     hint: run as root, or: sudo mount -o remount,mode=750,gid=100 /sys/kernel/tracing
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H
#include <stdbool.h>
#include <stddef.h>

/* Exit codes every sub-command shares. */
enum { EXIT_SONDE = 255, EXIT_USAGE = 129 };

/* Sets the pending error; returns -abs(err) so that one can `return error_set(ENOENT, ...)`.
 * err 0 is turned into EINVAL. The text has no newline and no "sonde:" prefix.
 * Names that came from outside are escaped on printing, so plain %s is fine. */
int error_set(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same with ": strerror(err)" after it. */
int error_sys(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds a hint (several may be added, a line each). Returns what error_set returned. */
int error_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Puts "context: " in front of the pending message. */
int error_context(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A block printed verbatim between message and hints (caret under the wrong word). Copied. */
int error_detail(const char *text);
/* The detail is the text, as far as it fits a line, with a caret under [at, at+len). Returns the code. */
int error_caret(const char *text, size_t at, size_t len);
bool error_pending(void);
const char *error_message(void); /* "" when none */
const char *error_hints(void); /* "" when none; one per line */
int error_code(void); /* -errno, 0 when none */
void error_clear(void);
/* Prints the pending error to stderr, clears it; returns EXIT_SONDE for `return error_print();` */
int error_print(void);

/* Not failures: printed at once to stderr. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Printed only when verbosity (-v) is at least level. */
extern int verbosity;
void note_to(int fd); /* from now on they go there, not to standard error */
void note(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#endif
