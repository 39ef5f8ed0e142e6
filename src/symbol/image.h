/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies behind a map: a file, the kernel, a module, the vdso, JIT code. One for each (path,
 * build-id), shared by all processes; its tables are read when a frame first falls into it. */
#ifndef SYMBOL_IMAGE_H
#define SYMBOL_IMAGE_H
#include <stdint.h>
#include "symbol/symtab.h"

enum { JIT_FILE_MAX = 512 << 20 }; /* perf-PID.map, jit-PID.dump */
enum image_kind { IMAGE_FILE, IMAGE_KERNEL, IMAGE_MODULE, IMAGE_NAMED, IMAGE_VDSO, IMAGE_JIT, IMAGE_NONE };

struct image {
	struct dso dso; /* first: what users see */
	struct symbols *owner;
	struct image *next; /* of the same path */
	enum image_kind kind;
	int pid; /* that mapped it first: for /proc/PID/root and perf-PID.map */
	bool loaded;
	struct symtab tab;
	struct elf_segment *seg; /* PT_LOAD of the running file, to get from offsets to addresses */
	size_t n_seg;
	bool seg_guess; /* seg is a debug file's: its offsets mean nothing */
	char *jitdump; /* of a JIT image: the dump its process mapped; NULL: none */
	uint64_t now; /* of a JIT image: the time of what is asked; UINT64_MAX: not known */
	size_t changed; /* how many of tab.change are past */
	char *runtime_path, *symbol_path; /* files found; NULL: none */
	struct elf_file vdso; /* image in memory; fd -1 and no sections otherwise */
	bool partial; /* kernel: its table has neither modules nor BPF programs */
	uint64_t reloc; /* kernel: run-time address minus the table's */
	char *why;
	struct cfi *cfi;
	bool cfi_tried;
	struct elf_file code; /* what was mapped, for its bytes */
	bool code_tried;
	struct lines *lines;
	bool lines_tried;
};

struct image *image_new(struct symbols *owner, enum image_kind kind, const char *path, const struct build_id *id, int pid);
void image_free(struct image *im);
/* Whose word about its code counts besides ours and root's (file_read_foreign): the process's user, while it lives. */
int64_t image_owner(const struct image *im);
/* Reads the symbol table (once). Sets dso.why_no_symbols. */
void image_load(struct image *im);
/* Leaves the reason in why_no_symbols: looked has the places, one a line. */
void image_explain(struct image *im, const struct str *looked);
/* Run-time address to the file's own: offset is ip - map start + pgoff. */
uint64_t image_address(const struct image *im, uint64_t ip, uint64_t start, uint64_t pgoff);
/* Opens the file that was mapped (for CFI): -errno. */
int image_open_runtime(struct image *im, struct elf_file *e);

/* From symbols.c. */
const struct symbols_options *symbols_options_of(const struct symbols *s);
/* The recording's own address of _text; 0 when not known. */
uint64_t symbols_kernel_text(const struct symbols *s);
/* The recording's own `uname -r`; NULL when not known. */
const char *symbols_kernel_release(const struct symbols *s);
#endif
