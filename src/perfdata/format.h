/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf.data on disk: what the kernel's header does not define. See doc/FORMAT.md. */
#ifndef PERFDATA_FORMAT_H
#define PERFDATA_FORMAT_H
#include <linux/perf_event.h>
#include <stdint.h>

#define PERFDATA_MAGIC 0x32454c4946524550ull /* "PERFILE2" */
enum { PERFDATA_PIPE_HEADER = 16, PERFDATA_FILE_HEADER = 104 };

struct perfdata_section { uint64_t offset, size; };

struct perfdata_file_header {
	uint64_t magic, size, attr_size;
	struct perfdata_section attrs, data, event_types;
	uint64_t features[4];
};

/* Records that perf (not the kernel) makes. */
enum {
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_EVENT_TYPE = 65,
	RECORD_HEADER_TRACING_DATA = 66,
	RECORD_HEADER_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_AUXTRACE_ERROR = 72,
	RECORD_THREAD_MAP = 73,
	RECORD_CPU_MAP = 74,
	RECORD_STAT_CONFIG = 75,
	RECORD_STAT = 76,
	RECORD_STAT_ROUND = 77,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV = 79,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_FINISHED_INIT = 82,
	RECORD_COMPRESSED2 = 83,
	RECORD_BPF_METADATA = 84,
	RECORD_USER_FIRST = 64,
	RECORD_USER_END = 85,
};
/* Kernel records newer than the header that sonde is built with may know. */
enum { RECORD_CALLCHAIN_DEFERRED = 22, RECORD_KERNEL_END = 23 };

/* A table of features that is also a record (checkpoint.c): sections follow, then 4 words of bits. It has a type
 * that perf steps over without a word; the misc field tells it from others. */
enum { PERFDATA_MARK = 0x5344 };
struct perfdata_mark { struct perf_event_header header; uint64_t zero; };

enum { MISC_LOST_BY_FILTER = 1 << 15 }; /* of LOST_SAMPLES: a BPF filter left them out */
enum { MISC_BUILD_ID_SIZE = 1 << 15 }; /* of HEADER_BUILD_ID: the size byte is valid */

enum {
	FEATURE_MARK = 0, /* set while the file is written */
	FEATURE_TRACING_DATA = 1, FEATURE_BUILD_ID, FEATURE_HOSTNAME, FEATURE_OSRELEASE, FEATURE_VERSION,
	FEATURE_ARCH, FEATURE_NRCPUS, FEATURE_CPUDESC, FEATURE_CPUID, FEATURE_TOTAL_MEM, FEATURE_CMDLINE,
	FEATURE_EVENT_DESC, FEATURE_CPU_TOPOLOGY, FEATURE_NUMA_TOPOLOGY, FEATURE_BRANCH_STACK,
	FEATURE_PMU_MAPPINGS, FEATURE_GROUP_DESC, FEATURE_AUXTRACE, FEATURE_STAT, FEATURE_CACHE,
	FEATURE_SAMPLE_TIME, FEATURE_MEM_TOPOLOGY, FEATURE_CLOCKID, FEATURE_DIR_FORMAT,
	FEATURE_BPF_PROG_INFO, FEATURE_BPF_BTF, FEATURE_COMPRESSED, FEATURE_CPU_PMU_CAPS,
	FEATURE_CLOCK_DATA, FEATURE_HYBRID_TOPOLOGY, FEATURE_PMU_CAPS,
	FEATURE_END, FEATURE_BITS = 256,
};
extern const char *const perfdata_feature_names[FEATURE_END];

/* HEADER_BUILD_ID, in the feature and as a record. The file name follows. */
struct perfdata_build_id_record {
	struct perf_event_header header;
	int32_t pid;
	uint8_t id[20], size, pad[3];
};

/* EVENT_UPDATE's kinds. */
enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME, UPDATE_CPUS };

enum { COMPRESSED_ZSTD = 1 };
/* Newer than linux-libc-dev 6.1. */
#ifndef PERF_SAMPLE_BRANCH_COUNTERS
#define PERF_SAMPLE_BRANCH_COUNTERS (1u << 19)
#endif
#endif
