// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/buildinfo.h"
#include <string.h>
#include <strings.h>
#include "symbol/file/debuginfod.h"

/* perf's rows, in its order. What sonde does without is OFF, also where it does the same by itself: it reads DWARF call
 * frames by itself, without libdw or libunwind, and runs scripts with the python3 that is installed. */
static struct build_feature features[] = {
	{ "aio", "HAVE_AIO_SUPPORT", false },
	{ "bpf", "HAVE_LIBBPF_SUPPORT", true },
	{ "bpf_skeletons", "HAVE_BPF_SKEL", true },
	{ "debuginfod", "HAVE_DEBUGINFOD_SUPPORT", true },
	{ "dwarf", "HAVE_DWARF_SUPPORT", true },
	{ "dwarf_getlocations", "HAVE_DWARF_GETLOCATIONS_SUPPORT", true },
	{ "dwarf-unwind", "HAVE_DWARF_UNWIND_SUPPORT", true },
	{ "auxtrace", "HAVE_AUXTRACE_SUPPORT", false },
	{ "libaudit", "HAVE_LIBAUDIT_SUPPORT", false },
	{ "libbfd", "HAVE_LIBBFD_SUPPORT", false },
	{ "libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", false },
	{ "libcrypto", "HAVE_LIBCRYPTO_SUPPORT", false },
	{ "libdw-dwarf-unwind", "HAVE_DWARF_SUPPORT", false },
	{ "libelf", "HAVE_LIBELF_SUPPORT", true },
	{ "libnuma", "HAVE_LIBNUMA_SUPPORT", false },
	{ "libopencsd", "HAVE_CSTRACE_SUPPORT", false },
	{ "libperl", "HAVE_LIBPERL_SUPPORT", false },
	{ "libpfm4", "HAVE_LIBPFM", false },
	{ "libpython", "HAVE_LIBPYTHON_SUPPORT", false },
	{ "libslang", "HAVE_SLANG_SUPPORT", false },
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", true },
	{ "libunwind", "HAVE_LIBUNWIND_SUPPORT", false },
	{ "lzma", "HAVE_LZMA_SUPPORT", true },
	{ "numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", false },
	{ "syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", true },
	{ "zlib", "HAVE_ZLIB_SUPPORT", true },
	{ "zstd", "HAVE_ZSTD_SUPPORT", true },
	{ NULL, NULL, false },
};

const struct build_feature *build_features(void)
{
	for (struct build_feature *f = features; f->name; f++)
		if (!strcmp(f->name, "debuginfod"))
			f->there = debuginfod_loads(); /* a static program cannot */
	return features;
}

const struct build_feature *build_feature_find(const char *word)
{
	for (const struct build_feature *f = build_features(); f->name; f++)
		if (!strcasecmp(f->name, word) || !strcasecmp(f->macro, word))
			return f;
	return NULL;
}

void build_feature_print(struct out *o, const struct build_feature *f)
{
	out_printf(o, "%22s: [ %s%s%s ]  # %s\n", f->name, out_colour(o, f->there ? OUT_GREEN : OUT_RED), f->there ? "on " : "OFF",
		   out_colour(o, OUT_PLAIN), f->macro);
}
