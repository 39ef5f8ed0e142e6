// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace/stats.h"
#include <stdio.h>
#include <time.h>
#include "base/json.h"

static void print_json(const struct trace_stats *s, double cpu, struct out *out)
{
	struct str line = STR_INIT;
	struct json k;
	json_init(&k, &line);
	json_open(&k, '{');
	json_kstr(&k, "type", "stats");
	json_kstr(&k, "engine", s->engine);
	json_ku64(&k, "events", s->of.events);
	json_ku64(&k, "lost", s->of.lost);
	json_ku64(&k, "waits", s->of.waits);
	json_ku64(&k, "wait_ns", s->of.wait_ns);
	json_ku64(&k, "bytes", s->of.bytes);
	json_ku64(&k, "looks", s->of.polls);
	json_ku64(&k, "sleeps", s->of.sleeps);
	json_kdouble(&k, "own_cpu_seconds", cpu);
	if (s->of.cost_ns)
		json_ku64(&k, "added_ns_per_call", s->of.cost_ns);
	json_close(&k, '}');
	str_addc(&line, '\n');
	out_str(out, &line);
	str_release(&line);
}

void trace_stats_print(const struct trace_stats *s, struct out *out)
{
	struct timespec cpu;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	double seconds = cpu.tv_sec + cpu.tv_nsec / 1e9;
	if (s->json) {
		print_json(s, seconds, out);
		return;
	}
	fprintf(stderr, "\n %12llu events by engine %s, %llu lost\n %12llu times held back, %.3f ms in all\n"
			" %12.1f MB through the rings, %llu looks, %llu sleeps\n %12.3f seconds of own CPU time\n",
		(unsigned long long)s->of.events, s->engine, (unsigned long long)s->of.lost, (unsigned long long)s->of.waits,
		s->of.wait_ns / 1e6, s->of.bytes / 1e6, (unsigned long long)s->of.polls, (unsigned long long)s->of.sleeps, seconds);
	if (s->of.cost_ns)
		fprintf(stderr, " %12llu ns added to a call without memory to copy\n", (unsigned long long)s->of.cost_ns);
}
