// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/recordtext.h"
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include "perfdata/body.h"

static const char *const kernel_names[] = {
	[PERF_RECORD_MMAP] = "MMAP", [PERF_RECORD_LOST] = "LOST", [PERF_RECORD_COMM] = "COMM",
	[PERF_RECORD_EXIT] = "EXIT", [PERF_RECORD_THROTTLE] = "THROTTLE", [PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PERF_RECORD_FORK] = "FORK", [PERF_RECORD_READ] = "READ", [PERF_RECORD_SAMPLE] = "SAMPLE",
	[PERF_RECORD_MMAP2] = "MMAP2", [PERF_RECORD_AUX] = "AUX", [PERF_RECORD_ITRACE_START] = "ITRACE_START",
	[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES", [PERF_RECORD_SWITCH] = "SWITCH",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE", [PERF_RECORD_NAMESPACES] = "NAMESPACES",
	[PERF_RECORD_KSYMBOL] = "KSYMBOL", [PERF_RECORD_BPF_EVENT] = "BPF_EVENT", [PERF_RECORD_CGROUP] = "CGROUP",
	[PERF_RECORD_TEXT_POKE] = "TEXT_POKE", [PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
};
static const char *const tool_names[] = { "ATTR", "EVENT_TYPE", "TRACING_DATA", "BUILD_ID", "FINISHED_ROUND", "ID_INDEX",
	"AUXTRACE_INFO", "AUXTRACE", "AUXTRACE_ERROR", "THREAD_MAP", "CPU_MAP", "STAT_CONFIG", "STAT", "STAT_ROUND",
	"EVENT_UPDATE", "TIME_CONV", "FEATURE", "COMPRESSED", "FINISHED_INIT" };
enum { TOOL_FIRST = 64 };

const char *record_name(uint32_t type)
{
	const char *z = NULL;
	if (type < sizeof(kernel_names) / sizeof(kernel_names[0]))
		z = kernel_names[type];
	else if (type >= TOOL_FIRST && type - TOOL_FIRST < sizeof(tool_names) / sizeof(tool_names[0]))
		z = tool_names[type - TOOL_FIRST];
	return z ? z : "UNKNOWN";
}

static void add_text(struct str *out, const struct body *b, size_t off)
{
	if (off < b->n)
		str_add_safe(out, (const char *)b->at + off, strnlen((const char *)b->at + off, b->n - off));
}

bool record_thread(const struct perfdata_record *r, int *pid, int *tid)
{
	struct body b = body_of(r);
	*pid = r->pid;
	*tid = r->tid;
	switch (r->header->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
		*pid = (int)u32_at(&b, 0);
		*tid = (int)u32_at(&b, 4);
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		*pid = (int)u32_at(&b, 0);
		*tid = (int)u32_at(&b, 8);
		return true;
	}
	return *tid != -1;
}

static void add_mmap2(struct str *out, const struct perfdata_record *r, const struct body *b)
{
	uint32_t prot = u32_at(b, 56), flags = u32_at(b, 60);
	if (r->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		str_add(out, " <");
		for (size_t i = 0; b->n >= 64 && i < b->at[32] && i < 20; i++)
			str_addf(out, "%02x", b->at[36 + i]);
		str_addc(out, '>');
	} else {
		str_addf(out, " %02x:%02x %" PRIu64 " %" PRIu64, u32_at(b, 32), u32_at(b, 36), u64_at(b, 40), u64_at(b, 48));
	}
	str_addf(out, "]: %c%c%c%c ", prot & PROT_READ ? 'r' : '-', prot & PROT_WRITE ? 'w' : '-',
		 prot & PROT_EXEC ? 'x' : '-', flags & MAP_SHARED ? 's' : 'p');
	add_text(out, b, 64);
}

static void add_mmap(struct str *out, const struct perfdata_record *r, const struct body *b)
{
	str_addf(out, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64, (int)u32_at(b, 0), (int)u32_at(b, 4),
		 u64_at(b, 8), u64_at(b, 16), u64_at(b, 24));
	if (r->header->type == PERF_RECORD_MMAP2) {
		add_mmap2(out, r, b);
		return;
	}
	str_addf(out, "]: %c ", r->misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
	add_text(out, b, 32);
}

static void add_namespaces(struct str *out, const struct body *b)
{
	static const char *const ns[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	uint64_t n = u64_at(b, 8);
	if (n > (b->n - 16) / 16)
		n = b->n < 16 ? 0 : (b->n - 16) / 16;
	str_addf(out, " %d/%d - nr_namespaces: %" PRIu64 "\n\t\t[", (int)u32_at(b, 0), (int)u32_at(b, 4), n);
	for (uint64_t i = 0; i < n; i++)
		str_addf(out, "%s%" PRIu64 "/%s: %" PRIu64 "/%#" PRIx64 "%s", i && i % 4 == 0 ? "\n\t\t " : "", i,
			 i < sizeof(ns) / sizeof(ns[0]) ? ns[i] : "unknown", u64_at(b, 16 + i * 16), u64_at(b, 24 + i * 16),
			 i + 1 != n ? ", " : "]");
}

static void add_switch(struct str *out, const struct perfdata_record *r, const struct body *b)
{
	bool leaves = r->misc & PERF_RECORD_MISC_SWITCH_OUT;
	str_addf(out, " %s", !leaves ? "IN         " : r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt" : "OUT        ");
	if (r->header->type == PERF_RECORD_SWITCH_CPU_WIDE)
		str_addf(out, "  %s pid/tid: %5d/%-5d", leaves ? "next" : "prev", (int)u32_at(b, 0), (int)u32_at(b, 4));
}

static void add_ksymbol(struct str *out, const struct body *b)
{
	str_addf(out, " addr %" PRIx64 " len %u type %u flags 0x%x name ", u64_at(b, 0), u32_at(b, 8),
		 u32_at(b, 12) & 0xffff, u32_at(b, 12) >> 16);
	add_text(out, b, 16);
}

void record_text(struct str *out, const struct perfdata_record *r)
{
	struct body b = body_of(r);
	str_addf(out, "PERF_RECORD_%s", record_name(r->header->type));
	switch (r->header->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		add_mmap(out, r, &b);
		break;
	case PERF_RECORD_COMM:
		str_add(out, r->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec: " : ": ");
		add_text(out, &b, 8);
		str_addf(out, ":%d/%d", (int)u32_at(&b, 0), (int)u32_at(&b, 4));
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		str_addf(out, "(%d:%d):(%d:%d)", (int)u32_at(&b, 0), (int)u32_at(&b, 8), (int)u32_at(&b, 4), (int)u32_at(&b, 12));
		break;
	case PERF_RECORD_LOST:
		str_addf(out, " lost %" PRIu64, u64_at(&b, 8));
		break;
	case PERF_RECORD_LOST_SAMPLES:
		str_addf(out, " lost %" PRIu64, u64_at(&b, 0));
		break;
	case PERF_RECORD_NAMESPACES:
		add_namespaces(out, &b);
		break;
	case PERF_RECORD_CGROUP:
		str_addf(out, " cgroup: %" PRIu64 " ", u64_at(&b, 0));
		add_text(out, &b, 8);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		add_switch(out, r, &b);
		break;
	case PERF_RECORD_KSYMBOL:
		add_ksymbol(out, &b);
		break;
	case PERF_RECORD_BPF_EVENT:
		str_addf(out, " type %u, flags %u, id %u", u32_at(&b, 0) & 0xffff, u32_at(&b, 0) >> 16, u32_at(&b, 4));
		break;
	}
	str_addc(out, '\n');
}

static void add_bytes(struct str *out, const uint8_t *p, size_t n)
{
	str_addf(out, ". ... raw event: size %zu bytes\n", n);
	for (size_t i = 0; i < n; i += 16) {
		str_addf(out, ".  %04zx: ", i);
		for (size_t j = 0; j < 16; j++) {
			if (i + j < n)
				str_addf(out, " %02x", p[i + j]);
			else
				str_add(out, "   ");
		}
		str_add(out, "  ");
		for (size_t j = 0; j < 16; j++)
			str_addc(out, i + j >= n ? ' ' : p[i + j] >= 0x20 && p[i + j] < 0x7f ? p[i + j] : '.');
		str_addc(out, '\n');
	}
	str_addc(out, '\n');
}

static void dump_sample(struct str *out, const struct perfdata_record *r)
{
	str_addf(out, "(IP, 0x%x): %d/%d: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64 "\n", r->misc, r->pid, r->tid, r->ip,
		 r->period, r->addr);
	if (r->n_chain)
		str_addf(out, "... FP chain: nr:%zu\n", r->n_chain);
	for (size_t i = 0; i < r->n_chain; i++)
		str_addf(out, "..... %2zu: %016" PRIx64 "\n", i, r->chain[i]);
	if (r->stack_size)
		str_addf(out, "... ustack: size %" PRIu64 "\n", r->stack_size);
}

void record_dump(struct str *out, const struct perfdata_record *r, const char *file)
{
	str_addf(out, "\n%#" PRIx64 "@", r->file_offset);
	str_add_safez(out, file);
	str_addf(out, " [%#x]: event: %u\n.\n", r->header->size, r->header->type);
	add_bytes(out, (const uint8_t *)r->header, r->header->size);
	if (r->cpu >= 0)
		str_addf(out, "%d ", r->cpu);
	str_addf(out, "%" PRIu64 " ", r->time);
	str_addf(out, "%#" PRIx64 " [%#x]: ", r->file_offset, r->header->size);
	if (r->header->type != PERF_RECORD_SAMPLE) {
		record_text(out, r);
		return;
	}
	str_add(out, "PERF_RECORD_SAMPLE");
	dump_sample(out, r);
}
