/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and arguments of system calls. One decoder for all engines and all forms of output. */
#ifndef SYSCALL_DECODE_H
#define SYSCALL_DECODE_H
#include "base/json.h"
#include "base/str.h"
#include "syscall/sysevent.h"
#include "syscall/plan.h"

/* What each call is, by abi and number. NULL for a number the kernel does not have. */
enum sys_class { CLASS_FILE = 1, CLASS_DESC = 2, CLASS_NETWORK = 4, CLASS_PROCESS = 8, CLASS_SIGNAL = 16,
	CLASS_MEMORY = 32, CLASS_IPC = 64, CLASS_STAT = 128, CLASS_CREDS = 256, CLASS_CLOCK = 512, CLASS_PURE = 1024 };
struct syscall_row;
const struct syscall_row *syscall_find(enum sys_abi abi, int nr);
const struct syscall_row *syscall_named(enum sys_abi abi, const char *name, int *nr);
int syscall_of_tracepoint(const char *name); /* the native call behind syscalls:sys_enter_NAME; -1: none */
/* The native call that the kernel does for i386's of that number, -1: none; same_args: each argument is where the native one's is. */
int syscall_as_native(int nr32, bool *same_args);
const char *syscall_name(const struct syscall_row *r);
unsigned syscall_classes(const struct syscall_row *r);
int syscall_n_args(const struct syscall_row *r);
const char *syscall_arg_name(const struct syscall_row *r, int i);
unsigned syscall_fds(const struct syscall_row *r); /* a bit for each argument that is a descriptor; bit 6: the result */
/* What else of an argument is about files: a path (*dir: the argument with the directory it starts from, -1 the current one),
 * poll's descriptors, select's. */
enum file_arg { FILE_NONE, FILE_PATH, FILE_POLL, FILE_BITS };
enum file_arg syscall_file_arg(const struct syscall_row *r, int i, int *dir);
/* Whose own address the kernel may have chosen in this call: SOCKET_ARG its first argument's, SOCKET_RESULT that of the
 * socket it has made, SOCKET_TO its first argument's if it sends to an address (the fifth); 0 nobody's. */
unsigned syscall_socket(const struct syscall_row *r);
int syscall_max(enum sys_abi abi); /* highest number known + 1 */
/* The capture plan; engines load it at start. */
const struct copy_plan *syscall_plan(const struct syscall_row *r);
/* "%file", "open,close", "!futex", "/regex/", "all", "none": sets bits per number. -errno, pending error. */
struct sysset {
	uint64_t native[16], compat[16];
	bool asks_compat; /* 32-bit calls were asked for by name (open@32) */
	bool for_others[2]; /* i386's socketcall, ipc: it is among them only for what it makes, see syscall/multiplex.h */
};
int sysset_parse(struct sysset *s, const char *text);
void sysset_add_named(struct sysset *s, const char *name);
void sysset_add(struct sysset *s, const struct sysset *more);
bool sysset_has(const struct sysset *s, enum sys_abi abi, int nr);

enum hex_strings { HEX_NONE, HEX_CHARS /* \x1b instead of \33 */, HEX_NOT_TEXT /* all of a string that is not text */, HEX_ALL };
enum const_style { CONST_NAMES, CONST_NUMBERS, CONST_BOTH };
enum fd_info { FD_PATH = 1, FD_SOCKET = 2, FD_DEV = 4, FD_PIDFD = 8, FD_ALL = 15 }; /* 3</etc/passwd> */
/* How values look. */
struct decode_style {
	bool strace; /* strace's form instead of perf trace's */
	bool verbose; /* -v: environment, whole structs */
	bool raw; /* numbers only */
	/* The same for some calls, as strace's -e raw=, abbrev=, verbose= choose them; NULL: for none, all, all. */
	const struct sysset *raw_calls, *abbrev_calls, *verbose_calls;
	enum hex_strings hex;
	enum const_style constants; /* named constants and flags, in text */
	unsigned string_limit; /* payload bytes shown; 0: whole */
	unsigned path_limit; /* the same of paths and names */
	unsigned fd_info; /* strace's form: enum fd_info; perf's form always shows what is known */
	bool pid_names; /* 1234<sh> */
	bool ask_proc; /* /proc may be asked: no recording */
};
/* The state that names descriptors: followed by trace, asked by the decoder. fd -> "path" or
 * "socket:[tcp 127.0.0.1:80->...]"; NULL unknown. See syscall/fdstate.h for the keeper. */
struct fd_state;
struct decoder;
struct decoder *decoder_new(const struct decode_style *style, struct fd_state *fds /* may be NULL */);
void decoder_free(struct decoder *d);
/* Appends "name(arg: value, ...)" or strace's "name(value, ...)": without the result. */
void decode_call(struct decoder *d, const struct sysevent *e, struct str *out);
/* After a SYS_UNFINISHED was shown in strace's form: the arguments that had to wait for the result, and ")". */
void decode_rest(struct decoder *d, const struct sysevent *e, struct str *out);
/* Appends the result: "3</etc/passwd>", "-1 ENOENT (No such file or directory)". */
void decode_result(struct decoder *d, const struct sysevent *e, struct str *out);
/* Typed arguments: an object with one member per argument, and the result. */
void decode_json(struct decoder *d, const struct sysevent *e, struct json *j);
/* "--- SIGCHLD {si_signo=SIGCHLD, ...} ---", "+++ exited with 0 +++" */
void decode_other(struct decoder *d, const struct sysevent *e, struct str *out);
void decode_parent(const struct sysevent *e, struct str *out); /* of an exec: " (parent: make/1234)"; nothing if it is not known */
const char *decoder_comm(struct decoder *d, int pid); /* the name of a process or thread, NULL unknown; valid until the next call */
const char *errno_name(int err); /* "ENOENT"; NULL unknown */
const char *signal_name(int sig); /* "SIGCHLD" */
int signal_number(const char *word); /* "SIGTERM", "term", "15", "SIGRTMIN+2", "SIGRT_2"; 0: none */
#endif
