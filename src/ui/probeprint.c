// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/probeprint.h"

static void add_args(struct out *o, const struct probe_spec *s)
{
	struct str text = STR_INIT;
	for (size_t i = 0; i < s->args.n; i++) {
		str_add(&text, i ? " " : " with ");
		str_add_safez(&text, s->args.at[i].text);
	}
	out_str(o, &text);
	str_release(&text);
}

void probe_print_added(struct out *o, const struct probe_added *a, bool dry)
{
	const probe_defs *defs = &a->defs;
	const struct probe_spec *specs = a->specs.at;
	struct str place = STR_INIT, line = STR_INIT;
	out_printf(o, "%s new event%s:\n", dry ? "Would add" : "Added", defs->n > 1 ? "s" : "");
	vec_each(defs, d) {
		str_clear(&place);
		probe_spec_place(&specs[d->spec], &place);
		str_addf(&line, "  %s:%s", d->group, d->event);
		str_pad(&line, 22, ' ');
		str_add(&line, " (on ");
		str_add_safez(&line, place.buf);
		if (d->target) {
			str_add(&line, " in ");
			str_add_safez(&line, d->target);
		}
		out_str(o, &line);
		add_args(o, &specs[d->spec]);
		out_puts(o, ")\n");
	}
	const struct probe_def *last = vec_last(defs);
	if (!dry)
		out_printf(o, "\nYou can now use it in all sonde tools, such as:\n\n"
			   "\tsonde record -e %s:%s -aR sleep 1\n\n", last->group, last->event);
	str_release(&place);
	str_release(&line);
}

int probe_print_definitions(struct out *o, const probe_defs *defs, bool bootconfig)
{
	struct str line = STR_INIT, safe = STR_INIT;
	int err = bootconfig ? probe_bootconfig(defs, &safe) : 0;
	if (bootconfig && !err)
		out_str(o, &safe);
	for (const struct probe_def *d = defs->at; !bootconfig && d < defs->at + defs->n; d++) {
		str_clear(&line);
		probe_def_line(d, &line);
		str_add_safe(&safe, line.buf, line.len);
		str_addc(&safe, '\n');
		out_str(o, &safe);
	}
	str_release(&line);
	str_release(&safe);
	return err;
}
