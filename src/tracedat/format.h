/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.dat's numbers, as trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5) have them. */
#ifndef TRACEDAT_FORMAT_H
#define TRACEDAT_FORMAT_H

#define TRACEDAT_MAGIC "\027\010\104tracing"
enum { TRACEDAT_MAGIC_LEN = 10 };

enum tracedat_part {
	PART_OPTIONS = 0, PART_FLYRECORD = 3, PART_STRINGS = 15, PART_HEADER = 16, PART_FTRACE_FORMATS, PART_FORMATS, PART_KALLSYMS,
	PART_PRINTK, PART_CMDLINES, PART_TEXT, /* section ids, and the options that tell where these are */
};
enum tracedat_option_id {
	OPTION_DONE, OPTION_DATE, OPTION_CPUSTAT, OPTION_BUFFER, OPTION_TRACECLOCK, OPTION_UNAME, OPTION_HOOK, OPTION_OFFSET,
	OPTION_CPUCOUNT, OPTION_VERSION, OPTION_PROCMAPS, OPTION_TRACEID, OPTION_TIME_SHIFT, OPTION_GUEST, OPTION_TSC2NSEC,
};
enum { SECTION_PACKED = 1, SECTION_HEAD = 16 };
enum dat_packing { PACKING_NONE, PACKING_ZSTD, PACKING_ZLIB };
enum {
	TRACEDAT_CPUS_MAX = 65536, TRACEDAT_BUFFERS_MAX = 4096, TRACEDAT_PAGE_MAX = 1 << 20,
	TRACEDAT_PIECE_MAX = 16 << 20, /* what one piece of packed pages may become */
	TRACEDAT_PART_MAX = 256 << 20, /* the same for what describes them (kallsyms is 10 MB) */
	TRACEDAT_OPTIONS_MAX = 1 << 20, /* options in all */
	TRACEDAT_REELS_MAX = 1 << 18, /* CPUs of all buffers */
};
/* What is in memory of all CPUs at once: 16384 of them have room, two blocks of 64 KiB each. */
#define TRACEDAT_BLOCKS_MAX (2ull << 30)
#endif
