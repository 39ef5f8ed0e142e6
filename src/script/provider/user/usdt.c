// SPDX-License-Identifier: GPL-2.0-or-later
/* usdt:FILE:PROVIDER:NAME: markers that programs were built with. Where the arguments of one are, each of its places says by
 * itself, so that only those that say the same share a program. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "arch/dwarf_regs.h"
#include "arch/operand.h"
#include "base/error.h"
#include "script/list.h"
#include "script/provider/user/binary.h"
#include "script/provider/links.h"
#include "script/provider/regs.h"

enum { ARGS = 10 };

static int dwarf_of(const char *name)
{
	for (int i = 0; i < ARCH_DWARF_REGS; i++)
		if (!strcmp(arch_dwarf_regs[i], name))
			return i;
	return -1;
}

static bool read_operand(struct binary *b, const char *text, struct fetch *f)
{
	struct operand o;
	const struct elfsym *y;
	if (arch_operand_parse(text, &o))
		return false;
	switch (o.kind) {
	case OPERAND_REG: fetch_reg(f, dwarf_of(o.reg), 0, false); return true;
	case OPERAND_MEMORY: fetch_reg(f, dwarf_of(o.reg), o.num, true); return true;
	case OPERAND_CONST: fetch_const(f, (uint64_t)o.num); return true;
	case OPERAND_SYMBOL:
		y = probe_target_symbols(&b->target) ? NULL : elfsyms_data(&b->target.syms, o.symbol);
		if (y)
			fetch_addr(f, y->addr + (uint64_t)o.num);
		return y;
	}
	return false;
}

/* "-4@%edi 8@-16(%rbp)" */
static void read_operands(struct run_script *s, struct binary *b, struct point *pt, const char *text)
{
	char *copy = xstrdup(text), *save = NULL;
	pt->values = arena_get(&s->source->memory, ARGS * sizeof(*pt->values));
	for (char *w = strtok_r(copy, " ", &save); w && pt->n_values < ARGS; w = strtok_r(NULL, " ", &save)) {
		struct point_value *v = &pt->values[pt->n_values++];
		const char *at = strchr(w, '@');
		long size = at ? strtol(w, NULL, 10) : 8, bytes = labs(size);
		v->size = (uint8_t)(bytes == 1 || bytes == 2 || bytes == 4 ? bytes : 8);
		v->is_signed = size < 0;
		if (!read_operand(b, at ? at + 1 : w, &v->at))
			v->why = arena_text(&s->source->memory, w, strlen(w));
	}
	free(copy);
}

static void add(struct run_script *s, const struct attach *a, struct binary *b, const struct usdt_marker *m)
{
	struct arena *mem = &s->source->memory;
	uint64_t offset, ref = 0;
	if (probe_target_offset(&b->target, m->addr, &offset) || (m->semaphore && probe_target_offset(&b->target, m->semaphore, &ref)))
		return;
	char *name = xasprintf("usdt:%s:%s:%s", b->name, m->provider, m->name);
	struct point *pt = provider_point(s, &provider_usdt, a, name);
	free(name);
	pt->func = arena_text(mem, m->name, strlen(m->name));
	pt->path = b->target.path;
	pt->addr = m->addr;
	pt->offset = offset;
	pt->ref_ctr = ref;
	pt->operands = arena_text(mem, m->args, strlen(m->args));
	read_operands(s, b, pt, m->args);
}

static int in_file(struct run_script *s, const struct attach *a, const char *path, const char *provider, const char *name, bool wild)
{
	struct binary *b = binary_open(s, path);
	struct nearest near;
	size_t before = s->points.n;
	if (!b) {
		if (!wild || error_code() == -ESTALE)
			return source_blame(s->source, a->at);
		error_clear();
		return 0;
	}
	const usdt_markers *all = binary_markers(b);
	vec_each(all, m)
		if (glob_match(provider, m->provider) && glob_match(name, m->name))
			add(s, a, b, m);
	if (s->points.n > before || wild || probe_of(s, a)->attach->next)
		return 0;
	if (all->n)
		source_error(s->source, a->at, "there is no marker %s:%s in %s", provider, name, path);
	else
		source_error(s->source, a->at, "there are no markers (USDT) in %s", path);
	nearest_init(&near, name);
	vec_each(all, m)
		nearest_offer(&near, m->name);
	if (!nearest_hint(&near) && all->n)
		error_hint("sonde run -l 'usdt:%s:*' lists those that are there", path);
	else if (!all->n)
		error_hint("programs have them when they were built with sys/sdt.h; functions are probed by uprobe:%s:NAME", path);
	return -ENOENT;
}

/* FILE:PROVIDER:NAME, or FILE:NAME of any provider */
static int expand(struct run_script *s, const struct attach *a, const char *rest)
{
	const char *words = NULL, *colon;
	char *file = binary_split(rest, &words), *provider = NULL;
	wordlist paths = { 0 };
	if (!file || !*words) {
		free(file);
		source_error(s->source, a->at, "a marker is usdt:FILE:PROVIDER:NAME");
		return error_hint("for example usdt:libc:libc:setjmp; sonde run -l 'usdt:libc:*' lists those of a file");
	}
	colon = strchr(words, ':');
	provider = colon ? xstrndup(words, (size_t)(colon - words)) : xstrdup("*");
	int err = binary_paths(s, a, file, &paths);
	for (size_t i = 0; i < paths.n && !err; i++)
		err = in_file(s, a, paths.at[i], provider, colon ? colon + 1 : words, glob_has(file));
	wordlist_release(&paths);
	free(provider);
	free(file);
	return err;
}

static bool uses_args(const struct probe *p)
{
	char name[16];
	for (int i = 0; i < ARGS; i++) {
		snprintf(name, sizeof(name), "arg%d", i);
		if (probe_uses(p, name))
			return true;
	}
	return false;
}

static bool together(const struct run_script *s, const struct probe *p, const struct point *a, const struct point *b)
{
	(void)s;
	return (!uses_args(p) || (!strcmp(a->operands, b->operands) && !strstr(a->operands, "%rip"))) && (regs_have_cookies() || !regs_where(p));
}

static struct script_type *arg_type(const struct point *p, unsigned n)
{
	if (n >= p->n_values) {
		error_set(EINVAL, p->n_values ? "%s has arg0 to arg%u" : "%s has no arguments", p->name, p->n_values - 1);
		return &type_none;
	}
	if (p->values[n].why) {
		error_set(EINVAL, "arg%u of %s is at '%s', which a program cannot reach", n, p->name, p->values[n].why);
		return &type_none;
	}
	return p->values[n].is_signed ? &type_s64 : &type_u64;
}

static int arg(struct lower *l, unsigned n)
{
	return regs_value(l, &l->point->values[n]);
}

static int attach(struct run_script *s, struct script_unit *u)
{
	return links_uprobes(s, u, false);
}

static void list_file(struct probe_list *l, const char *path, const char *marker)
{
	struct binary *b = binary_open(l->s, path);
	struct probe_list all = *l;
	wordlist seen = { 0 };
	error_clear();
	all.pattern = "*";
	if (b)
		vec_each(binary_markers(b), m) {
			char *own = xasprintf("%s:%s", m->provider, m->name), *name = xasprintf("usdt:%s:%s", path, own);
			if (glob_match(marker, own) && !wordlist_has(&seen, own) && list_probe(&all, name) && *m->args)
				list_arg(&all, m->args);
			wordlist_add(&seen, own);
			free(own);
			free(name);
		}
	l->shown = all.shown;
	wordlist_release(&seen);
}

static int list(struct probe_list *l)
{
	const char *rest = list_rest(l, &provider_usdt), *marker = "*";
	struct attach whole = { .text = l->pattern, .at = { 0, (uint32_t)strlen(l->pattern) } };
	wordlist paths = { 0 };
	if (!rest)
		return 0;
	char *file = binary_split(rest, &marker);
	if (!file)
		file = xstrdup(rest);
	int err = *file ? binary_paths(l->s, &whole, file, &paths) : 0;
	for (size_t i = 0; i < paths.n; i++)
		list_file(l, paths.at[i], marker);
	wordlist_release(&paths);
	free(file);
	return err;
}

const struct provider provider_usdt = { "usdt", "U", .prog_type = BPF_PROG_TYPE_KPROBE, .expand = expand, .together = together, .enter = regs_enter,
	.arg = arg, .arg_type = arg_type, .registers = true, .space = SPACE_USER, .plan = links_plan_uprobes, .attach = attach, .list = list };
