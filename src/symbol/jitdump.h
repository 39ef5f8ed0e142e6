/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jit-PID.dump: what a JIT wrote of its code (the format of perf's jitdump specification, version 1).
 *
 * Another process wrote it and may still be writing: a record that is cut or says more than it holds ends the reading
 * (or lacks that part), and nothing is looked at beyond a record's own bytes. All pointers are into the dump. */
#ifndef SYMBOL_JITDUMP_H
#define SYMBOL_JITDUMP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "symbol/symtab.h"

struct jitdump {
	char *bytes;
	size_t len, at;
	uint32_t machine, pid; /* EM_*; the process that wrote it */
	uint64_t time; /* when it was opened */
	bool own_clock; /* times are the CPU's counter, not CLOCK_MONOTONIC */
};

enum jit_kind { JIT_LOAD, JIT_MOVE, JIT_DEBUG, JIT_CLOSE, JIT_UNWIND };
struct jit_lines { const char *at, *end, *file; uint64_t left; }; /* a cursor: see jit_lines_next() */
struct jit_record {
	enum jit_kind kind;
	uint64_t time;
	uint32_t pid, tid; /* LOAD and MOVE, as are: */
	uint64_t vma, addr, size, index; /* addr: also of DEBUG, the code that its lines are of */
	uint64_t old; /* MOVE: where it was */
	const char *name; /* LOAD */
	const uint8_t *code; /* LOAD: size bytes; NULL: the record does not hold them */
	struct jit_lines lines; /* DEBUG */
	const uint8_t *unwind; /* UNWIND: .eh_frame with its header behind it, of the LOAD that follows; NULL: none */
	uint64_t unwind_size, header_size, mapped_size;
};
struct jit_line { uint64_t addr; const char *file; int line, discriminator; };

/* owner: as for file_read_foreign(). -EBADMSG: not such a file, or one of another byte order; -errno. */
int jitdump_open(struct jitdump *d, const char *path, int64_t owner);
int jitdump_take(struct jitdump *d, char *bytes, size_t n); /* the same of bytes, which belong to d then, whatever it returns */
bool jitdump_next(struct jitdump *d, struct jit_record *r); /* false: the end, or what follows is not whole. Unknown kinds are passed over */
void jitdump_close(struct jitdump *d);
bool jit_lines_next(struct jit_lines *l, struct jit_line *out);

/* Adds every function; a later one takes the place of what it overwrote, from its time on where times are told. -errno. */
int symtab_load_jitdump(struct symtab *t, const char *path, int64_t owner);
void symtab_take_jitdump(struct symtab *t, struct jitdump *d); /* the same; d is closed then, its bytes are the table's */
#endif
