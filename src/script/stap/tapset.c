// SPDX-License-Identifier: GPL-2.0-or-later
/* What SystemTap brings: aliases and functions, in its own language. Names of variables are SystemTap's; how they are come by is
 * ours. */
#include <string.h>
#include "base/error.h"
#include "script/stap/tree.h"

static const char tapset[] =
#include "script/stap/tapset.def"
	;

/* Probes of ours for scripts that need them: who asks for a process's family has its forks watched, since /proc forgets it when it ends. */
static const char family[] = "probe kernel.trace(\"sched_process_fork\") ? { _family($parent->tgid, $child->tgid) }\n";

static int parse(struct stap *st, const char *tap)
{
	struct script_source text = { .name = "tapset", .text = tap, .len = strlen(tap), .memory = st->source->memory };
	st->in_tapset = true;
	int err = stap_parse(st, &text);
	st->in_tapset = false;
	st->source->memory = text.memory;
	return err ? error_context("sonde's own tapset") : 0;
}

static bool asks_family(struct script_node *n, void *ctx)
{
	(void)ctx;
	return n->kind == NODE_CALL && !strcmp(n->name, "target_set_pid");
}

static bool needs_family(const struct stap *st)
{
	bool any = false;
	vec_each(&st->probes, p)
		any |= stap_visit(p->body, asks_family, NULL);
	vec_each(&st->functions, f)
		any |= stap_visit((*f)->body, asks_family, NULL);
	return any;
}

int stap_tapset(struct stap *st)
{
	bool own_probes = needs_family(st);
	int err = parse(st, tapset);
	return err || !own_probes ? err : parse(st, family);
}
