// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/shared/sampling.h"
#include <errno.h>
#include <string.h>
#include "base/config.h"
#include "base/error.h"
#include "base/str.h"
#include "spec/ring_size.h"

int sampling_on_event(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	return events_parse(value, arg);
}

int sampling_on_filter(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	return events_sample_filter(value, arg);
}

int sampling_on_freq(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct sampling *s = value;
	(void)opt, (void)unset;
	s->freq_max = !strcmp(arg, "max");
	if (s->freq_max)
		return 0;
	if (!parse_u64(arg, &s->freq) && s->freq)
		return 0;
	error_set(EINVAL, "-F: '%s' is not a number of samples a second", arg);
	return error_hint("-F 99, -F 999, or -F max");
}

int sampling_on_period(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct sampling *s = value;
	(void)opt, (void)unset;
	if (!parse_u64(arg, &s->period) && s->period)
		return 0;
	error_set(EINVAL, "-c: '%s' is not a number of events", arg);
	return error_hint("-c 10000 takes a sample at every 10,000th event");
}

bool sampling_is_method(const char *word)
{
	struct sampling s = { 0 };
	return sampling_call_graph(&s, word);
}

int sampling_on_graph(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	struct sampling *s = value;
	(void)opt;
	if (unset) {
		s->call_graph = CALL_GRAPH_NONE;
		return 0;
	}
	if (!arg && s->call_graph != CALL_GRAPH_NONE)
		return 0;
	if (!arg)
		arg = config_get("record.call-graph") ?: config_get("call-graph.record-mode") ?: "fp";
	if (sampling_call_graph(s, arg))
		return 0;
	error_set(EINVAL, "--call-graph: '%s' is not a way to record call chains", arg);
	return error_hint("fp (frame pointers), dwarf or dwarf,BYTES of stack (8 to 65528), lbr (the CPU's branch records)");
}

int sampling_on_branches(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt, (void)unset;
	return sampling_branch(value, arg);
}

int sampling_on_target(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	(void)unset;
	switch (opt->short_name) {
	case 'p': return target_pids(value, arg);
	case 't': return target_tids(value, arg);
	case 'G': return target_cgroups(value, arg);
	default: return target_cpus(value, arg);
	}
}

int sampling_on_ring(void *value, const struct option_row *opt, const char *arg, bool unset)
{
	uint64_t bytes;
	(void)opt, (void)unset;
	int err = ring_size_parse(arg, &bytes);
	if (!err)
		*(size_t *)value = bytes;
	return err;
}

void sampling_set_cgroups(event_list *events, const struct target *t)
{
	for (size_t i = 0; i < events->n && t->cgroups.n; i++)
		events->at[i].cgroup = 1 + (int)(i < t->cgroups.n ? i : t->cgroups.n - 1);
}

int sampling_check(const struct sampling *s)
{
	if (!s->freq || !s->period)
		return 0;
	error_set(EINVAL, "-F and -c exclude each other");
	return error_hint("-F: so many samples a second; -c: a sample every so many events");
}
