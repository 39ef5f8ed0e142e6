// SPDX-License-Identifier: GPL-2.0-or-later
/* The recorded machine in the header that -I prints: CPUs, nodes, caches, memory. The text is made of the features' bytes and
 * ends where they do. */
#include <inttypes.h>
#include "perfdata/internal.h"

static void add_text(struct perfdata *p, struct str *s, struct feature_bytes *b)
{
	const char *z = feature_string(p, b);
	str_add_safez(s, z ? z : "");
}

static uint64_t add_lists(struct perfdata *p, struct str *s, struct feature_bytes *b, const char *what)
{
	uint64_t n = feature_number(b, 4);
	for (uint64_t i = 0; i < n && !b->bad && b->n; i++) {
		str_addf(s, "# sibling %s : ", what);
		add_text(p, s, b);
		str_addc(s, '\n');
	}
	return n;
}

static void add_cpus(struct perfdata *p, struct str *s, struct feature_bytes *b)
{
	struct feature_bytes ids;
	uint64_t n = p->info.nr_cpus_avail > 0 ? p->info.nr_cpus_avail : 0, dies = 0;
	add_lists(p, s, b, "sockets");
	struct str threads = STR_INIT;
	add_lists(p, &threads, b, "threads");
	ids = *b;
	if (n * 8 > b->n)
		n = b->n / 8;
	b->at += n * 8;
	b->n -= n * 8;
	if (b->n >= 4)
		dies = add_lists(p, s, b, "dies   ");
	str_addn(s, threads.buf, threads.len);
	str_release(&threads);
	for (uint64_t c = 0; c < n; c++) {
		int core = (int)feature_number(&ids, 4), socket = (int)feature_number(&ids, 4);
		str_addf(s, "# CPU %" PRIu64 ": Core ID %d, ", c, core);
		if (dies)
			str_addf(s, "Die ID %d, ", (int)feature_number(b, 4));
		str_addf(s, "Socket ID %d\n", socket);
	}
}

static void add_nodes(struct perfdata *p, struct str *s, struct feature_bytes *b)
{
	for (uint64_t n = feature_number(b, 4); n && !b->bad && b->n; n--) {
		uint32_t node = feature_number(b, 4);
		uint64_t total = feature_number(b, 8), free = feature_number(b, 8);
		str_addf(s, "# node%u meminfo  : total = %" PRIu64 " kB, free = %" PRIu64 " kB\n# node%u cpu list : ", node, total, free, node);
		add_text(p, s, b);
		str_addc(s, '\n');
	}
}

static void add_caches(struct perfdata *p, struct str *s, struct feature_bytes *b)
{
	feature_number(b, 4); /* the version */
	str_add(s, "# CPU cache info:\n");
	for (uint64_t n = feature_number(b, 4); n && !b->bad && b->n; n--) {
		uint32_t level = feature_number(b, 4);
		for (int i = 0; i < 3; i++) /* line size, sets, ways */
			feature_number(b, 4);
		const char *type = feature_string(p, b), *size = feature_string(p, b);
		size_t start;
		str_addf(s, "#  L%u ", level);
		start = s->len;
		str_add_safez(s, type ? type : "");
		str_pad(s, start + 15, ' ');
		str_addf(s, " %8s [", size ? size : "");
		add_text(p, s, b);
		str_add(s, "]\n");
	}
}

/* The bits that are set, as "0-23,32"; how many. */
static uint64_t add_bits(struct str *s, const struct feature_bytes *b, uint64_t bits)
{
	uint64_t n = 0, first = 0;
	bool within = false, some = false;
	for (uint64_t i = 0; i <= bits; i++) {
		bool on = i < bits && get64(b->at + i / 64 * 8, b->swap) >> (i % 64) & 1;
		n += on;
		if (on && !within)
			first = i;
		if (!on && within) {
			str_addf(s, "%s%" PRIu64, some ? "," : "", first);
			if (i - 1 > first)
				str_addf(s, "-%" PRIu64, i - 1);
			some = true;
		}
		within = on;
	}
	return n;
}

static void add_memory(struct str *s, struct feature_bytes *b)
{
	feature_number(b, 8); /* the version */
	uint64_t block = feature_number(b, 8), n = feature_number(b, 8);
	str_addf(s, "# memory nodes (nr %" PRIu64 ", block size 0x%" PRIx64 "):\n", n, block);
	for (; n && !b->bad && b->n; n--) {
		uint64_t node = feature_number(b, 8), size;
		struct str blocks = STR_INIT;
		feature_number(b, 8); /* how many there may be: told with the bits too */
		uint64_t bits = feature_number(b, 8), words = bits / 64 + (bits % 64 != 0);
		if (words > b->n / 8)
			return;
		size = add_bits(&blocks, b, bits) * block;
		const char *unit = "BKMG";
		for (; size / 1024 > 1 && unit[1]; unit++)
			size /= 1024;
		str_addf(s, "#  %3" PRIu64 " [%" PRIu64 "%c]: %s\n", node, size, *unit, blocks.buf);
		str_release(&blocks);
		b->at += words * 8;
		b->n -= words * 8;
	}
}

void machine_text(struct perfdata *p, unsigned feature, struct str *out)
{
	struct str bytes = STR_INIT;
	perfdata_feature_bytes(p, feature, &bytes);
	struct feature_bytes b = { (const uint8_t *)bytes.buf, bytes.len, p->info.other_endian, false };
	if (!b.n)
		;
	else if (feature == FEATURE_CPU_TOPOLOGY)
		add_cpus(p, out, &b);
	else if (feature == FEATURE_NUMA_TOPOLOGY)
		add_nodes(p, out, &b);
	else if (feature == FEATURE_CACHE)
		add_caches(p, out, &b);
	else
		add_memory(out, &b);
	str_release(&bytes);
}
