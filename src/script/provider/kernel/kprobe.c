// SPDX-License-Identifier: GPL-2.0-or-later
/* kprobe:[MODULE:]FUNCTION[+OFFSET], kprobe:0xADDRESS, and kretprobe. A function by its plain name is given to the kernel as it
 * is, which knows whether it is there; only wildcards, and names that several functions have, take a look at all names. */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/words.h"
#include "kernel/features/features.h"
#include "kernel/perf.h"
#include "kernel/pmu.h"
#include "kernel/settings.h"
#include "script/list.h"
#include "script/load.h"
#include "script/provider/user/binary.h"
#include "script/provider/kernel/kargs.h"
#include "script/provider/kernel/kfuncs.h"
#include "script/provider/kernel/kprobe.h"
#include "script/provider/kernel/ksource.h"
#include "script/provider/links.h"
#include "script/provider/user/locals.h"
#include "script/provider/regs.h"

enum { AT_LINE = 1 }; /* of a point: not where a function begins */

/* A word taken apart. */
struct kernel_place {
	struct run_script *s;
	const struct provider *provider;
	const struct attach *a;
	struct probe *probe;
	char *module, *function; /* module NULL: any; function NULL: by address */
	uint64_t offset, addr;
	bool alone; /* no other word stands before the block */
	char only; /* of places in the source, those: 'i' inlined copies, 'c' where functions begin, 's' in this function; 0: all */
	char *in_function;
	size_t found;
	int err;
};

static bool is_return(const struct point *p)
{
	return p->provider == &provider_kretprobe;
}

/* ---- points ---- */

static bool is_return_kind(const struct kernel_place *k)
{
	return k->provider == &provider_kretprobe;
}

struct kernel_entry { struct kernel_place *k; struct point *pt; };

static int entry_spot(const struct kernel_spot *spot, void *ctx)
{
	struct kernel_entry *e = ctx;
	bool here = e->pt->addr ? spot->addr == e->pt->addr : spot->place->addr == spot->place->func_addr;
	return here ? ksource_locals(e->k->s, e->pt, e->k->probe, spot) : 0;
}

/* What BTF does not have: variables of the kernel, arguments of functions that the compiler has changed. Without debug information
 * there are none, and the check tells. */
static int by_debug_information(struct kernel_place *k, struct point *pt)
{
	struct binary *b = ksource_open(k->s, pt->path);
	struct probe_spec spec = { .function = (char *)pt->func };
	int err = b ? ksource_each(b, &spec, entry_spot, &(struct kernel_entry){ k, pt }) : 0;
	if (err != -ENOENT && err != -EPERM && b)
		return err;
	error_clear(); /* the check tells what there is instead */
	return 0;
}

static int args_of(struct kernel_place *k, struct point *pt)
{
	int err = probe_uses(k->probe, "args") ? kargs_at_entry(k->s, pt, pt->path, pt->func) : 0;
	return err || !locals_wanted(k->probe) || (pt->args && !locals_unset(k->probe)) ? err : by_debug_information(k, pt);
}

static struct point *add(struct kernel_place *k, const char *module, const char *function, uint64_t addr)
{
	struct arena *m = &k->s->source->memory;
	struct str name = STR_INIT;
	size_t kind = strcspn(k->a->text, ":");
	str_addn(&name, k->a->text, kind);
	str_addc(&name, ':');
	if (k->module)
		str_addf(&name, "%s:", module ? module : "vmlinux");
	str_add(&name, function);
	if (k->offset)
		str_addf(&name, "+%llu", (unsigned long long)k->offset);
	struct point *pt = provider_point(k->s, k->provider, k->a, name.buf);
	str_release(&name);
	pt->func = arena_text(m, function, strlen(function));
	pt->path = module ? arena_text(m, module, strlen(module)) : NULL;
	pt->addr = addr;
	pt->offset = k->offset;
	k->found++;
	if (!is_return(pt) && !k->offset)
		k->err = args_of(k, pt);
	if (is_return(pt) && probe_follows(k->probe, "retval"))
		kargs_result(k->s, pt, module, function);
	return pt;
}

static int open_event(const struct point *p, const char *symbol)
{
	const struct pmu *pmu = pmu_find("kprobe");
	struct perf_event_attr attr = { .config = is_return(p), .sample_period = 1, .wakeup_events = 1, .disabled = 1 };
	if (!pmu)
		return -ENODEV;
	attr.type = pmu->type;
	attr.kprobe_func = (uintptr_t)symbol;
	if (symbol)
		attr.probe_offset = p->offset;
	else
		attr.kprobe_addr = p->addr + p->offset;
	return perf_open(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

/* By name, so that the kernel finds it; by address where that is known. */
static int event_of(const struct point *p)
{
	char *symbol = p->addr ? NULL : p->path ? xasprintf("%s:%s", p->path, p->func) : xstrdup(p->func);
	int fd = open_event(p, symbol);
	free(symbol);
	return fd;
}

static int no_kprobes(struct run_script *s, struct span at, const char *text)
{
	source_error(s->source, at, "this kernel has no kprobes: %s", text);
	feature_hint(FEATURE_KPROBES);
	return -ENOTSUP;
}

static int refused(struct run_script *s, const struct point *p, int err)
{
	if (links_refused(err)) {
		source_error(s->source, p->attach->at, "the kernel takes no probe at %s", p->name);
		return error_hint(p->offset ? "an offset is to be at the begin of an instruction; objdump -d vmlinux shows them" :
				  "it keeps some of its functions free of probes (notrace, NOKPROBE, __init)");
	}
	error_sys(-err, "cannot attach a program to %s", p->name);
	if (err == -EMFILE)
		return files_limit_hint();
	if (!feature_hint(FEATURE_KPROBES) && is_return(p))
		feature_hint(FEATURE_KRETPROBES);
	return err;
}

/* ---- lines, and what is only inlined ---- */

/* Is the place one of those that are meant? */
static bool is_meant(const struct kernel_place *k, const struct dwarf_place *d)
{
	Dwarf_Die scope = d->scope;
	bool inlined = d->scope.addr != d->func.addr;
	const char *name = dwarf_diename(&scope);
	switch (k->only) {
	case 'i': return inlined;
	case 'c': return !inlined && d->addr == d->func_addr;
	case 's': return (name && glob_match(k->in_function, name)) || glob_match(k->in_function, d->func_name);
	default: return true;
	}
}

static int add_spot(const struct kernel_spot *spot, void *ctx)
{
	struct kernel_place *k = ctx;
	struct arena *m = &k->s->source->memory;
	if (!is_meant(k, spot->place))
		return 0;
	struct point *pt = provider_point(k->s, k->provider, k->a, k->a->text);
	pt->func = arena_text(m, spot->symbol, strlen(spot->symbol));
	pt->path = k->module ? arena_text(m, k->module, strlen(k->module)) : NULL;
	pt->addr = spot->addr;
	pt->offset = spot->offset;
	pt->config = spot->place->addr == spot->place->func_addr ? 0 : AT_LINE;
	k->found++;
	locals_keep_place(k->s, pt, spot->binary->target.dwarf, spot->place);
	if (is_return_kind(k) && probe_follows(k->probe, "retval"))
		kargs_result(k->s, pt, k->module, pt->func);
	return !is_return_kind(k) && locals_wanted(k->probe) ? ksource_locals(k->s, pt, k->probe, spot) : 0;
}

static int nothing_meant(struct kernel_place *k, const char *text)
{
	if (k->found || !k->alone)
		return 0;
	if (k->only == 's')
		return error_set(ENOENT, "%s is no place in %s", text, k->in_function);
	return error_set(ENOENT, k->only == 'i' ? "%s is inlined nowhere" : "%s is only inlined", text);
}

static int by_source(struct kernel_place *k, const char *text)
{
	struct binary *b = ksource_open(k->s, k->module);
	struct probe_spec spec = { 0 };
	int err = b ? probe_spec_parse_place(&spec, text) : ksource_none(k->s, k->a, k->module);
	if (b && !err && is_return_kind(k) && (spec.has_line || !spec.function))
		err = source_error(k->s->source, k->a->at, "only a function as a whole returns: kretprobe:FUNCTION");
	else if (b && !err)
		err = ksource_each(b, &spec, add_spot, k) ?: nothing_meant(k, text);
	if (b && err && error_pending() && !k->err)
		err = source_blame(k->s->source, k->a->at);
	probe_spec_release(&spec);
	return err;
}

/* "fs/read_write.c:450", "vfs_read:3", "vfs_read@fs/read_write.c:3", "*@net/socket.c", each with "MODULE:" before it: behind that a place
 * of the source, as sonde probe has it; NULL: it is none. Before it SystemTap's front puts =i: or =c: (`only`), or =s:FUNCTION=. */
static const char *source_place(struct kernel_place *k, const char *rest)
{
	const char *line = strrchr(rest, ':'), *at = strchr(rest, '@'), *first = strchr(rest, ':'), *only = strstr(rest, "=");
	if (only && only[1] && only[2] == ':' && (only == rest || only[-1] == ':')) {
		k->only = only[1];
		k->module = only == rest ? NULL : xstrndup(rest, (size_t)(only - rest - 1));
		const char *place = only + 3, *is = k->only == 's' ? strchr(place, '=') : NULL;
		k->in_function = is ? xstrndup(place, (size_t)(is - place)) : NULL;
		return is ? is + 1 : place;
	}
	bool module = first && (at ? first < at : first != line);
	if (!at && !(line && line[1] >= '0' && line[1] <= '9'))
		return NULL;
	k->only = is_return_kind(k) ? 'c' : 0;
	if (module)
		k->module = xstrndup(rest, (size_t)(first - rest));
	return module ? first + 1 : rest;
}

/* ---- names ---- */

static bool take(const struct kfunc *f, void *ctx)
{
	struct kernel_place *k = ctx;
	if (!f->traceable && glob_has(k->function))
		return true;
	add(k, f->module, f->name, f->addr);
	return !k->err;
}

/* All that fit: of wildcards, and where a name means several. */
static int by_list(struct kernel_place *k)
{
	int err = kfuncs_each(k->module, k->function, take, k);
	return err ? err : k->err;
}

static int none(struct kernel_place *k)
{
	struct kernel_place nobody = *k;
	if (!k->alone)
		return 0;
	struct binary *b = is_return_kind(k) || k->offset ? NULL : ksource_open(k->s, k->module);
	struct probe_spec spec = { .function = k->function };
	if (b && !ksource_each(b, &spec, add_spot, k) && k->found) /* inlined wherever it is called, it has no symbol */
		return 0;
	if (k->found)
		return source_blame(k->s->source, k->a->at);
	error_clear();
	(void)by_list(&nobody); /* reads the names */
	error_clear();
	source_error(k->s->source, k->a->at, "there is no function '%s' in %s%s", k->function, k->module ? "module " : "the kernel", k->module ? k->module : "");
	kfuncs_near(k->function);
	return -ENOENT;
}

static int by_name(struct kernel_place *k)
{
	size_t id = k->s->points.n;
	add(k, k->module && strcmp(k->module, "vmlinux") ? k->module : NULL, k->function, 0);
	if (k->err || k->s->dry)
		return k->err;
	struct point *p = &k->s->points.at[id];
	int fd = event_of(p);
	if (fd >= 0) {
		p->opened = fd;
		return 0;
	}
	if (fd != -ENOENT && fd != -EADDRNOTAVAIL && !(links_refused(fd) && !k->alone))
		return refused(k->s, p, fd);
	k->s->points.n = id; /* there is none, or there are several */
	k->found = 0;
	if (fd == -EADDRNOTAVAIL)
		return by_list(k);
	return fd == -ENOENT ? none(k) : 0;
}

/* "mod:func+0x10", "func", "0xffff..." */
static int parse_place(struct kernel_place *k, const char *rest)
{
	char *word = word_unquoted(rest), *colon = strrchr(word, ':'), *name = colon ? colon + 1 : word, *plus = strrchr(name, '+');
	int err = 0;
	if (!parse_u64(word, &k->addr)) {
		free(word);
		return 0;
	}
	if (plus && parse_u64(plus + 1, &k->offset))
		err = source_error(k->s->source, k->a->at, "'%.40s' is not an offset", plus + 1);
	if (plus)
		*plus = 0;
	if (colon)
		*colon = 0;
	if (!err && (!*name || (colon && !*word)))
		err = source_error(k->s->source, k->a->at, "the name of a function is missing");
	k->function = xstrdup(name);
	k->module = colon ? xstrdup(word) : NULL;
	free(word);
	return err;
}

static int by_address(struct kernel_place *k)
{
	char shown[32];
	snprintf(shown, sizeof(shown), "0x%llx", (unsigned long long)k->addr);
	add(k, NULL, shown, k->addr);
	return 0;
}

int kprobe_points(struct run_script *s, const struct provider *provider, const struct attach *a, const char *rest)
{
	struct kernel_place k = { .s = s, .provider = provider, .a = a, .probe = probe_of(s, a) };
	bool ret = provider == &provider_kretprobe;
	k.alone = k.probe->attach == a && !a->next;
	const char *place = source_place(&k, rest);
	int err = place ? 0 : parse_place(&k, rest);
	if (!err && place)
		err = pmu_find("kprobe") ? by_source(&k, place) : no_kprobes(s, a->at, a->text);
	else if (!err && ret && k.offset)
		err = source_error(s->source, a->at, "only a function as a whole returns: kretprobe:FUNCTION, without an offset");
	else if (!err && !pmu_find("kprobe"))
		err = no_kprobes(s, a->at, a->text);
	else if (!err && !k.function)
		err = by_address(&k);
	else if (!err)
		err = glob_has(k.function) || (k.module && glob_has(k.module)) ? by_list(&k) : by_name(&k);
	free(k.function);
	free(k.module);
	free(k.in_function);
	return err;
}

static int expand_kprobe(struct run_script *s, const struct attach *a, const char *rest)
{
	return kprobe_points(s, &provider_kprobe, a, rest);
}

static int expand_kretprobe(struct run_script *s, const struct attach *a, const char *rest)
{
	return kprobe_points(s, &provider_kretprobe, a, rest);
}

/* ---- attaching ---- */

static bool together(const struct run_script *s, const struct probe *p, const struct point *a, const struct point *b)
{
	(void)s;
	return !a->args && !b->args && !a->result && !b->result && !a->addr == !b->addr && (regs_have_cookies() || !regs_where(p));
}

static void plan(struct run_script *s, struct script_unit *u)
{
	bool entries = u->points.n > 1;
	vec_each(&u->points, i)
		entries &= s->points.at[*i].addr && !s->points.at[*i].offset && s->points.at[*i].config != AT_LINE;
	if (entries)
		u->attach_type = BPF_TRACE_KPROBE_MULTI;
}

static int each_event(struct run_script *s, struct script_unit *u)
{
	size_t missing = 0;
	int err = 0;
	for (size_t i = 0; i < u->points.n && !err; i++) {
		struct point *p = &s->points.at[u->points.at[i]];
		int fd = p->opened >= 0 ? p->opened : event_of(p);
		while (fd == -EMFILE && files_limit_raise())
			fd = event_of(p);
		p->opened = -1;
		if (fd >= 0)
			err = links_event(u, p, fd);
		else if (u->points.n > 1 && links_refused(fd) && ++missing < u->points.n)
			note(1, "the kernel takes no probe at %s", p->name);
		else
			err = refused(s, p, fd);
	}
	if (!err && u->points.n > 1)
		note(1, "%zu functions, a kprobe each: this kernel has no kprobe_multi that would do", u->points.n - missing);
	if (!err && missing)
		source_warn(s->source, u->probe->at, "the kernel takes no probe at %zu of these %zu functions (-v names them)", missing, u->points.n);
	return err;
}

static int attach(struct run_script *s, struct script_unit *u)
{
	bool ret = u->provider == &provider_kretprobe;
	if (u->attach_type) {
		if (!links_kprobes(s, u, ret))
			return 0;
		u->attach_type = 0;
		int err = load_again(s, u, u->type);
		if (err)
			return err;
	}
	return each_event(s, u);
}

struct kernel_list { struct probe_list *l; const struct provider *provider; };

static bool list_one(const struct kfunc *f, void *ctx)
{
	struct kernel_list *k = ctx;
	struct ctype_function t;
	if (!f->traceable)
		return true;
	char *name = xasprintf("%s:%s", k->provider->name, f->name);
	if (list_probe(k->l, name) && ctype_function(k->l->s->types, f->module, f->name, &t))
		for (unsigned i = 0; i < t.n_params; i++)
			list_field(k->l, &t.params[i]);
	free(name);
	return true;
}

int kprobe_list(struct probe_list *l, const struct provider *p)
{
	struct kernel_list k = { l, p };
	if (pmu_find("kprobe"))
		return kfuncs_each(NULL, "*", list_one, &k);
	if (!list_rest(l, p))
		return 0;
	error_set(ENOTSUP, "this kernel has no kprobes: %s", l->pattern);
	feature_hint(FEATURE_KPROBES);
	return -ENOTSUP;
}

static int list_kprobe(struct probe_list *l) { return kprobe_list(l, &provider_kprobe); }
static int list_kretprobe(struct probe_list *l) { return list_rest(l, &provider_kretprobe) ? kprobe_list(l, &provider_kretprobe) : 0; }

const struct provider provider_kprobe = { "kprobe", "k", .prog_type = BPF_PROG_TYPE_KPROBE, .expand = expand_kprobe, .together = together,
	.enter = regs_enter, .field = regs_field, .arg = regs_arg, .registers = true, .space = SPACE_KERNEL, .plan = plan, .attach = attach, .list = list_kprobe };
const struct provider provider_kretprobe = { "kretprobe", "kr", .prog_type = BPF_PROG_TYPE_KPROBE, .expand = expand_kretprobe, .together = together,
	.enter = regs_enter, .retval = regs_retval, .registers = true, .space = SPACE_KERNEL, .plan = plan, .attach = attach, .list = list_kretprobe };
