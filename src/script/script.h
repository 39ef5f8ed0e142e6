/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script from its text to programs in the kernel, and what is read back from them. The stages, in this order:
 *
 *   parse     text to tree (ast.h)
 *   expand    words before a block to places (provider/provider.h): a unit for each program
 *             declarations of C's types (ctype/ctype.h)
 *   check     types of everything, over all units until nothing changes; then errors
 *   fold      constants
 *   lower     a unit to instructions on virtual registers (ir.h)
 *   alloc     virtual registers to those of the machine
 *   emit      bytes
 *   load      maps and programs into the kernel (load.h), attached last
 *   run       records that the programs make, to the screen (run.h, show/)
 */
#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H
#include "base/vec.h"
#include "script/front/ast.h"
#include "script/code/ir.h"
#include "script/type.h"

struct provider;
struct ctypes;
struct dwarf_file;

/* A place that a program is attached to. */
struct point {
	const struct provider *provider;
	const struct attach *attach;
	const char *name; /* "tracepoint:sched:sched_switch", as `probe` gives it */
	const char *func; /* of functions: as `func` gives it; NULL: none */
	const char *system, *event; /* of tracepoints */
	const char *path; /* of probes in programs: the file; of those in the kernel: the module, or NULL */
	uint64_t offset, ref_ctr; /* in the file: of the place, and of a counter that says that somebody listens (0: none) */
	uint64_t addr; /* of the place in the file's own address space, or the kernel's */
	bool narrow; /* in a 32-bit program: words have four bytes, arguments are on the stack */
	const char *operands; /* of a marker: where its arguments are */
	struct point_value *values; unsigned n_values; /* provider/regs.h: what `args` and a marker's argN are */
	uint64_t number; /* of a tracepoint its id; of a timer the period; of a system call its number */
	unsigned config; /* the provider's own */
	struct script_type *args; /* a record; NULL: `args` means nothing here */
	const struct dwarf_place *place; /* in the source; NULL: not by debug information */
	struct dwarf_file *dwarf; /* of the program that it is in: whose types names mean before the kernel's; NULL: none; the provider's */
	struct script_type *result; /* of functions: what `retval` is; NULL: a number */
	int opened; /* a descriptor of perf's that was opened to see whether the place is there; -1: none */
	unsigned id; /* in script.points */
};

/* One program: a block at one place, or at several that it can serve alike. */
struct script_unit {
	struct probe *probe;
	const struct provider *provider;
	VEC(unsigned) points; /* script.points; the first one's types are those of all */
	unsigned type; /* of the program: enum bpf_prog_type */
	unsigned attach_type; /* enum bpf_attach_type where that is to be known when it is loaded; 0 */
	uint32_t attach_btf; const char *attach_module; /* the function, by its number in BTF, of a module if that is not NULL; 0 */
	struct ir ir;
	ir_list functions; /* bodies of loops that a helper calls */
	VEC(uint64_t) code; /* instructions; the functions stand behind the program */
	VEC(unsigned) starts; /* of the functions */
	VEC(struct span) lines; /* of each */
	bool no_swap; /* the kernel (before 5.12) has no instruction for IR_SWAP */
	bool bounded; /* it has loops by a count that the verifier walks through, */
	unsigned smaller; /* which is halved so often since that took it too long */
	int fd;
	VEC(int) links; /* descriptors that hold it at its places */
	uint64_t left_out; /* hits of links that were closed for which the kernel had no room: kretprobes of many at a time */
};

/* A call that makes records, of one unit, since `args` are others in each: the program writes a struct script_record and then
 * a value of that type, the strings' bytes behind it. */
struct site {
	const struct builtin *builtin;
	struct script_node *call;
	const struct script_unit *unit;
	struct script_type *payload; /* a tuple; NULL: nothing */
	unsigned number;
	struct plan *plan; /* of a printf: show/format.h */
};

struct cut_loop { struct span at; unsigned rounds; }; /* one that may be, after so many */
struct stap;
struct stap_run;
struct saved;
struct run_script {
	struct stap *stap; /* the caller's; NULL: the script is in bpftrace's language */
	struct stap_run *stap_run; /* what runs it */
	struct script_source *source;
	struct probe *probes;
	struct ctypes *types; /* C's: ctype/ctype.h */
	VEC(struct point) points;
	VEC(struct script_unit) units;
	struct binary *binaries; /* files that probes are in: provider/user/binary.h */
	VEC(struct decl *) maps; /* in the order of their names once checked */
	VEC(struct site *) sites;
	unsigned stack_frames; /* of the deepest stack that the script keeps; 0: none */
	VEC(struct cut_loop) loops; /* globals.cut has how often each was cut */
	unsigned able_known, able_yes; /* code/able.h */
	unsigned room; /* the caller's: entries of maps where the script does not say; 0: as always */
	unsigned max_keys, max_string;
	const char *trailer; /* behind a string that was cut; NULL: nothing */
	unsigned sample; /* let one hit of so many through; 0, 1: all */
	unsigned n_cpus; /* possible ones */
	unsigned dump; /* stages to print: dump.h */
	unsigned ring_pages, print_maps, stack_mode, missing_probes /* 0: warn, 1: error, 2: say nothing */, license, max_cat; /* settings.h; 0: as always */
	const struct saved *saved; /* it is run from: saved/saved.h; NULL: from its text */
	int pid, cpid; /* -p: only this process; -c: the command's; 0: none */
	bool dry; /* nothing will be attached */
	bool unsafe; /* what changes the machine is allowed */
	bool needs_frame, needs_stacks, needs_names, needs_user_names, needs_remains; /* of any unit */
	unsigned n_slots; /* maps that have their entries in slots: code/slots.h */
	uint32_t frame_size; /* of the largest */
	uint32_t record_max;
};

static inline unsigned map_entries(const struct run_script *s, const struct decl *d) { return d->entries ? d->entries : s->max_keys; }

/* Stages parse to emit. -errno and a pending error. What the script takes from source lives as long as that. */
int script_compile(struct run_script *s, struct script_source *source, char **params, unsigned n_params);
/* The unit once more, with shorter loops, for a verifier that lost its patience; -E2BIG: there are none. */
int script_shorten(struct run_script *s, struct script_unit *u);
void script_forget(struct run_script *s);
#endif
