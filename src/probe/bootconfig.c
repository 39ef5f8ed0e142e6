// SPDX-License-Identifier: GPL-2.0-or-later
/* Definitions in the form that the kernel reads when it boots: ftrace.event.kprobes.EVENT.probes = 'PLACE ARGS', ... */
#include <errno.h>
#include <string.h>
#include "base/error.h"
#include "probe/events.h"

static int refuse(const struct probe_def *d)
{
	if (d->user) {
		error_set(ENOTSUP, "a bootconfig has no probes in programs: there are none when the kernel boots");
		return error_hint("-D without --bootconfig prints the lines for uprobe_events");
	}
	error_set(ENOTSUP, "a bootconfig has no probes in modules: none is loaded when it is read");
	return error_hint("-D without --bootconfig prints the lines for kprobe_events");
}

/* In the key the group does not count: it is always kprobes. */
static int check_names(const probe_defs *defs)
{
	for (size_t i = 0; i < defs->n; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(defs->at[i].event, defs->at[j].event) && strcmp(defs->at[i].group, defs->at[j].group)) {
				error_set(EEXIST, "two events are called '%s': a bootconfig puts all into one group", defs->at[i].event);
				return error_hint("name one of them: 'NEWNAME=...'");
			}
	return 0;
}

int probe_bootconfig(const probe_defs *defs, struct str *out)
{
	const struct probe_def *last = NULL;
	int err = check_names(defs);
	if (err)
		return err;
	vec_each(defs, d) {
		struct str body = STR_INIT;
		if (d->user || d->target)
			return refuse(d);
		bool more = last && !strcmp(last->event, d->event);
		if (more)
			str_add(out, ", ");
		else
			str_addf(out, "%sftrace.event.kprobes.%s.probes = ", last ? "\n" : "", d->event);
		probe_def_body(d, d->ret ? "%return" : "", &body);
		char quote = strchr(body.buf, '\'') ? '"' : '\'';
		str_addc(out, quote);
		str_add_safez(out, body.buf);
		str_addc(out, quote);
		str_release(&body);
		last = d;
	}
	str_addc(out, '\n');
	return 0;
}
