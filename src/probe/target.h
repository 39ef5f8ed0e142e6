/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is probed: a program or library, the kernel, or a module, with its symbols and, on demand,
 * its debug information. */
#ifndef PROBE_TARGET_H
#define PROBE_TARGET_H
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>
#include "probe/elfsyms.h"

struct dwarf_file;
struct btf_kernel;

struct probe_target_options {
	const char *exec; /* -x: a path, or a program's name looked up in $PATH */
	const char *module; /* -m: a loaded module's name, or a path to a .ko */
	const char *vmlinux; /* -k */
	const char *symfs;
	const char *source; /* -s: where source files are */
	int ns_pid; /* --target-ns: the file as this process sees it; 0: as we do */
	bool no_demangle; /* names as they are in the file */
};

struct probe_target {
	bool user;
	bool live; /* kernel: it is the running one (a module: it is loaded) */
	char *path; /* the file; NULL: the running kernel, known by kallsyms only */
	char *module; /* kernel: the module's name, or NULL */
	struct probe_target_options options;
	Elf *elf; /* of path; NULL when there is none */
	int fd;
	struct elfsyms syms;
	bool have_syms;
	struct elfsyms debug_syms; /* kernel: addresses as the debug information has them */
	bool have_debug_syms;
	struct dwarf_file *dwarf; /* after probe_target_dwarf */
	struct btf_kernel *btf; /* after probe_target_btf */
	int dwarf_err; /* why there is none; 0: not tried */
	char *dwarf_why; /* the sentence for it */
	char *dwarf_hint;
};

/* -errno with a pending error. */
int probe_target_open(struct probe_target *t, const struct probe_target_options *o);
void probe_target_release(struct probe_target *t);
int probe_target_symbols(struct probe_target *t);
/* Symbols in the address space of the debug information; NULL when there are none. */
struct elfsyms *probe_target_debug_symbols(struct probe_target *t);
/* Opens the debug information; quiet, so that callers can do without. 0 or -errno. */
int probe_target_dwarf(struct probe_target *t);
/* The kernel's own type information, for entry probes without debug information; quiet as well. */
int probe_target_btf(struct probe_target *t);
/* The pending error that says why there is no debug information and what would bring it. */
int probe_target_no_dwarf(struct probe_target *t);
struct probe_def;
/* The definition is in this program or library, as it is now. */
void probe_target_in(const struct probe_target *t, struct probe_def *d);
/* Address in the file's own space to offset in the file. */
int probe_target_offset(const struct probe_target *t, uint64_t addr, uint64_t *off);
int probe_target_addr(const struct probe_target *t, uint64_t off, uint64_t *addr);
bool probe_target_is_go(const struct probe_target *t);
#endif
