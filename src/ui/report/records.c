// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/report/records.h"
#include "ui/recordtext.h"

enum { TYPES = 128 }; /* the last stands for all above */
typedef VEC(uint64_t) u64list;

static void print_stats(const struct perfdata *p, struct out *out, const uint64_t *count, uint64_t total, const u64list *samples)
{
	struct str name = STR_INIT;
	out_printf(out, "\nAggregated stats:\n%20s events: %10llu\n", "TOTAL", (unsigned long long)total);
	for (uint32_t i = 0; i < TYPES; i++)
		if (count[i])
			out_printf(out, "%20s events: %10llu  (%4.1f%%)\n", record_name(i), (unsigned long long)count[i],
				   100.0 * count[i] / total);
	for (size_t i = 0; i < samples->n; i++)
		if (samples->at[i]) {
			str_add_safez(&name, perfdata_event_at(p, i)->name);
			out_str(out, &name);
			out_printf(out, " stats:\n%20s events: %10llu\n", "SAMPLE", (unsigned long long)samples->at[i]);
		}
	str_release(&name);
}

int records_print(struct perfdata *p, struct out *out, const char *dump, bool stats)
{
	struct perfdata_record r;
	uint64_t count[TYPES] = { 0 }, total = 0;
	u64list samples = { 0 };
	int err;
	perfdata_keep_groups(p);
	while ((err = perfdata_next(p, &r)) > 0) {
		total++;
		count[r.header->type < TYPES ? r.header->type : TYPES - 1]++;
		while (r.event && samples.n <= (size_t)r.event_index)
			*vec_push(&samples) = 0;
		if (r.event && r.header->type == PERF_RECORD_SAMPLE)
			samples.at[r.event_index]++;
		if (dump) {
			record_dump(&out->buf, &r, dump);
			out_write(out, "", 0);
		}
	}
	if (stats)
		print_stats(p, out, count, total, &samples);
	vec_release(&samples);
	return err;
}
