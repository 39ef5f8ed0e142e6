/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address to name, for processes seen in a recording or alive now.
 *
 * The session tells what it sees (mmap, fork, exec, comm); a frame is resolved lazily: map, then file
 * (by build-id or path), then symbol. Symbol tables are loaded on first use and shared by all
 * processes that map the same file. All returned pointers live as long as the struct symbols. */
#ifndef SYMBOL_SYMBOLS_H
#define SYMBOL_SYMBOLS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"

struct symbols;
struct symbols_options {
	const char *symfs; /* prefix for every file looked up */
	const char *vmlinux; /* -k */
	const char *kallsyms; /* --kallsyms; NULL: /proc/kallsyms if the build-id is the running kernel's */
	const char *archive; /* folder of an unpacked archive: files by build-id; NULL: none */
	bool no_vmlinux; /* do not look for one */
	bool no_demangle, force; /* force: use files of other owners (perf-PID.map) */
	bool live; /* what is resolved has just happened: BPF programs are those that are loaded now */
	bool offline; /* the recording is from another machine: live /proc and paths without build-id match do not count */
};
struct symbols *symbols_new(const struct symbols_options *o);
void symbols_free(struct symbols *s);

struct build_id { uint8_t id[20]; uint8_t n; };

/* What the session sees. pid -1: the kernel (start, len, name "[kernel.kallsyms]_text" or a module's). */
void symbols_map(struct symbols *s, int pid, uint64_t start, uint64_t len, uint64_t pgoff,
		 uint32_t prot, const char *path, const struct build_id *id /* may be NULL */);
void symbols_fork(struct symbols *s, int pid, int parent);
void symbols_exec(struct symbols *s, int pid); /* forgets its maps */
void symbols_exit(struct symbols *s, int pid);
/* The time, on CLOCK_MONOTONIC, of what is resolved next in that process. Only JITs depend on it. True: addresses of the
 * process may mean something else than before. */
bool symbols_time(struct symbols *s, int pid, uint64_t time);
void symbols_ksymbol(struct symbols *s, uint64_t addr, uint64_t len, const char *name, bool unregister);
void symbols_build_id(struct symbols *s, const char *path, const struct build_id *id, bool kernel);
void symbols_set_release(struct symbols *s, const char *release); /* `uname -r` of the recording */
/* Reads /proc/PID/maps (live use: trace, top). */
int symbols_live(struct symbols *s, int pid);

struct dso {
	const char *path; /* as mapped: "/usr/bin/ls", "[kernel.kallsyms]", "[vdso]", "[nf_tables]", "//anon" */
	const char *name; /* the short one: "ls", "[kernel.kallsyms]" */
	struct build_id build_id;
	bool kernel;
	bool jit; /* code that a process made: an address may have several names, one after the other */
	bool hit; /* a frame was resolved in it */
	struct build_id other; /* of the file that is at its path now, when it is another one; n 0: none is */
	const char *why_no_symbols; /* NULL when all are there; else the sentence for -v (also for mere .dynsym) */
};
struct frame {
	uint64_t ip; /* run-time address */
	uint64_t addr; /* in the file's own address space (what addr2line takes) */
	uint64_t offset; /* in the file: the ip for the kernel */
	const struct dso *dso; /* NULL: no map there */
	const char *sym; /* NULL: none; demangled */
	uint64_t sym_addr, sym_size; /* in the file's address space */
	uint64_t map_size; /* of the map it lies in; 0: not known */
	bool inlined;
	const char *file; int line; /* only after symbols_source() */
};
enum { SYM_USER, SYM_KERNEL, SYM_GUEST };
/* Always fills ip; dso/sym as far as known. Cheap after the first time (cached by page/ip). */
void symbols_resolve(struct symbols *s, int pid, uint64_t ip, int mode, struct frame *out);
/* Inlined functions at that frame, innermost first, at most max, the physical function last; each with
 * file and line, names as perf has them. 0: nothing is inlined there, or no DWARF says so. */
int symbols_inline(struct symbols *s, const struct frame *f, struct frame *out, int max);
/* Fills file (the whole path; perf shows its last part) and line from DWARF; false when there is none. */
bool symbols_source(struct symbols *s, struct frame *f);
/* Up to max bytes of the code at a frame, from the file that was mapped; how many. 0: the file is not to be had, or the
 * code is not in one (the kernel's, a JIT's). */
size_t symbols_code(struct symbols *s, const struct frame *f, void *out, size_t max);
/* The file that the symbol table names for a function that no other file sees (STT_FILE); NULL: none. */
const char *symbols_file(const struct frame *f);

/* User-stack unwinding from registers and a stack copy (PERF_SAMPLE_REGS_USER/STACK_USER), by
 * compiled CFI tables. regs in perf's order with the given mask (regs[0] is the lowest bit's).
 * ips[0] is the registers' own ip, callers follow as return address less one, which is what perf
 * shows and what symbols_resolve should be asked for; where a signal handler returns to, the address itself.
 * Returns how many were written.
 * *truncated: the copied stack ended before the chain did; then the last ip is UINT64_MAX, as perf has it. */
int symbols_unwind(struct symbols *s, int pid, uint64_t abi, uint64_t mask, const uint64_t *regs,
		   const void *stack, size_t stack_len, uint64_t *ips, int max, bool *truncated);

/* Walk over all dsos met: for buildid-list and the header. Cursor starts at 0. */
const struct dso *symbols_next(struct symbols *s, size_t *cursor);
#endif
