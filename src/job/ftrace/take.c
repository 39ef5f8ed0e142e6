// SPDX-License-Identifier: GPL-2.0-or-later
/* From an instance to a buffer of a trace.dat. */
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "job/ftrace/record.h"

/* "local [global] counter": the one in brackets. Owned. */
static char *clock_of(const struct ftrace_instance *i)
{
	struct str s = STR_INIT;
	(void)ftrace_get(i, "trace_clock", &s);
	const char *open = strchr(s.buf, '['), *close = open ? strchr(open, ']') : NULL;
	char *clock = close ? xstrndup(open + 1, (size_t)(close - open - 1)) : xstrdup("local");
	str_release(&s);
	return clock;
}

static void add_stats(struct tracedat_new *n, const struct collected *at, size_t cpus, const char *name)
{
	if (*name) {
		char *head = xasprintf("\nBuffer: %s\n\n", name);
		tracedat_new_option(n, OPTION_CPUSTAT, head, strlen(head) + 1);
		free(head);
	}
	for (size_t k = 0; k < cpus; k++) {
		char *text = xasprintf("CPU: %d\n%s", at[k].cpu, at[k].stats ? at[k].stats : "");
		tracedat_new_option(n, OPTION_CPUSTAT, text, strlen(text) + 1);
		free(text);
	}
}

int ftrace_take_buffer(struct tracedat_new *n, struct spools *c, const struct ftrace_instance *i, const char *name)
{
	const struct collected *at;
	size_t cpus = collect_cpus(c, &at);
	struct new_buffer *b = vec_push(&n->buffers);
	b->name = xstrdup(name);
	b->clock = clock_of(i);
	str_init(&b->text);
	for (size_t k = 0; k < cpus; k++) {
		*vec_push(&b->cpu) = (struct new_pages){ at[k].cpu, at[k].fd, at[k].from, at[k].size - at[k].from };
		n->cpus = n->cpus > at[k].cpu ? n->cpus : at[k].cpu + 1;
	}
	add_stats(n, at, cpus, name);
	return 0;
}

int ftrace_take_text(struct tracedat_new *n, const struct ftrace_instance *i, const char *name)
{
	struct new_buffer *b = vec_push(&n->buffers);
	b->name = xstrdup(name);
	b->clock = clock_of(i);
	b->is_text = true;
	str_init(&b->text);
	int err = ftrace_get(i, "trace", &b->text);
	return err < 0 ? ftrace_explain(err, i, "trace", NULL) : 0;
}

bool ftrace_is_latency(const char *tracer)
{
	static const char *const names[] = { "wakeup", "wakeup_rt", "wakeup_dl", "irqsoff", "preemptoff", "preemptirqsoff" };
	for (size_t k = 0; tracer && k < sizeof(names) / sizeof(*names); k++)
		if (!strcmp(tracer, names[k]))
			return true;
	return false;
}
