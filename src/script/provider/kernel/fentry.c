// SPDX-License-Identifier: GPL-2.0-or-later
/* fentry:[MODULE:]FUNCTION and fexit, which bpftrace also calls kfunc and kretfunc: a program for each function, called with its
 * arguments as BTF has them, at the end with its result too. Where the kernel refuses them it is kprobes, with the same
 * arguments by name, but for those at a return. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/words.h"
#include "kernel/features/features.h"
#include "kernel/pmu.h"
#include "script/provider/user/binary.h"
#include "script/list.h"
#include "script/provider/kernel/kargs.h"
#include "script/provider/kernel/kfuncs.h"
#include "script/provider/kernel/kprobe.h"

struct traced { struct run_script *s; const struct provider *provider; const struct attach *a; const char *module; bool module_given; size_t found; };

static bool add(const struct kfunc *k, void *ctx)
{
	struct traced *t = ctx;
	struct arena *m = &t->s->source->memory;
	struct ctype_function f;
	if (!ctype_function(t->s->types, k->module, k->name, &f))
		return true;
	size_t kind = strcspn(t->a->text, ":");
	char *name = t->module_given ? xasprintf("%.*s:%s:%s", (int)kind, t->a->text, f.module ? f.module : "vmlinux", k->name) :
				       xasprintf("%.*s:%s", (int)kind, t->a->text, k->name);
	struct point *pt = provider_point(t->s, t->provider, t->a, name);
	free(name);
	pt->func = arena_text(m, k->name, strlen(k->name));
	pt->path = f.module ? arena_text(m, f.module, strlen(f.module)) : NULL;
	pt->args = kargs_record(t->s, &f);
	pt->number = f.id;
	pt->config = f.n_params;
	pt->result = f.result;
	t->found++;
	return true;
}

static int none(struct traced *t, const char *function)
{
	struct probe *p = probe_of(t->s, t->a);
	if (glob_has(function) || p->attach != t->a || t->a->next)
		return 0;
	(void)kfuncs_listed(); /* reads the names */
	source_error(t->s->source, t->a->at, "the kernel's types (BTF) have no function '%s', or several that differ", function);
	kfuncs_near(function);
	return -ENOENT;
}

static int by_types(struct traced *t, const char *function)
{
	struct kfunc one = { .name = function, .module = t->module };
	if (glob_has(function) || (t->module && glob_has(t->module))) {
		int err = kfuncs_each(t->module, function, add, t);
		return err;
	}
	add(&one, t);
	return t->found ? 0 : none(t, function);
}

/* The kernel does not let us: a kprobe, and that is told. */
static int instead(struct run_script *s, const struct provider *provider, const struct attach *a, const char *rest)
{
	bool ret = provider == &provider_fexit;
	const struct feature_state *why = feature_state(FEATURE_BPF_FENTRY);
	if (!pmu_find("kprobe")) {
		source_error(s->source, a->at, "the kernel takes no program at %s: %s; and it has no kprobes, which would do", a->text, why->detail);
		return error_hint("%s", why->remedy);
	}
	if (ret && probe_uses(probe_of(s, a), "args")) {
		source_error(s->source, a->at, "args at a function's end need %s: %s", "fexit", why->detail);
		return error_hint("keep them in a map where it begins: kprobe:FUNCTION { @x[tid] = args.NAME }");
	}
	source_warn(s->source, a->at, "%s is a %s here: %s", a->text, ret ? "kretprobe" : "kprobe", why->detail);
	return kprobe_points(s, ret ? &provider_kretprobe : &provider_kprobe, a, rest);
}

static int expand(struct run_script *s, const struct provider *provider, const struct attach *a, const char *rest)
{
	struct traced t = { .s = s, .provider = provider, .a = a };
	if (!feature_works(FEATURE_BPF_FENTRY))
		return instead(s, provider, a, rest);
	char *word = word_unquoted(rest), *colon = strrchr(word, ':');
	if (colon)
		*colon = 0;
	t.module_given = colon;
	t.module = colon && strcmp(word, "vmlinux") ? word : NULL;
	int err = by_types(&t, colon ? colon + 1 : word);
	free(word);
	return err;
}

static int expand_fentry(struct run_script *s, const struct attach *a, const char *rest)
{
	return expand(s, &provider_fentry, a, rest);
}

static int expand_fexit(struct run_script *s, const struct attach *a, const char *rest)
{
	return expand(s, &provider_fexit, a, rest);
}

static void plan(struct run_script *s, struct script_unit *u)
{
	const struct point *p = &s->points.at[u->points.at[0]];
	u->attach_type = u->provider == &provider_fexit ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
	u->attach_btf = (uint32_t)p->number;
	u->attach_module = p->path;
}

/* What is a pointer to the kernel's verifier, and could not be computed with, is a number when it is read from memory. */
static int word_at(struct lower *l, unsigned n, const struct script_type *t)
{
	if (t->kind == TYPE_INT)
		return low_cut(l, low_load(l, (struct script_mem){ l->context, (int32_t)n * 8 }, 8, false), t->size, t->is_signed);
	struct script_mem m = low_stack(l, 8);
	LOW_CALL(l, BPF_FUNC_probe_read_kernel, arg_mem(m), arg_k(8), arg_mem((struct script_mem){ l->context, (int32_t)n * 8 }));
	return low_load(l, m, 8, false);
}

static int field(struct lower *l, const struct type_field *f)
{
	return word_at(l, f->at, f->type);
}

static int retval(struct lower *l)
{
	return word_at(l, l->point->config, l->point->result ? l->point->result : &type_u64);
}

static int arg(struct lower *l, unsigned n)
{
	return n < l->point->config ? word_at(l, n, &type_ksym) : low_const(l, 0);
}

static struct script_type *arg_type(const struct point *p, unsigned n)
{
	if (n < p->config)
		return &type_u64;
	error_set(EINVAL, p->config ? "%s has arg0 to arg%u" : "%s has no arguments", p->name, p->config - 1);
	return &type_none;
}

static int attach(struct run_script *s, struct script_unit *u)
{
	const struct point *p = &s->points.at[u->points.at[0]];
	int fd = bpf_raw_tracepoint_open(NULL, u->fd);
	if (fd < 0)
		return error_sys(errno, "cannot attach a program to %s", p->name);
	*vec_push(&u->links) = fd;
	return 0;
}

static int list_fentry(struct probe_list *l) { return list_rest(l, &provider_fentry) ? kprobe_list(l, &provider_fentry) : 0; }
static int list_fexit(struct probe_list *l) { return list_rest(l, &provider_fexit) ? kprobe_list(l, &provider_fexit) : 0; }

const struct provider provider_fentry = { "fentry", "f kfunc", .prog_type = BPF_PROG_TYPE_TRACING, .expand = expand_fentry, .field = field, .arg = arg,
	.arg_type = arg_type, .space = SPACE_KERNEL, .plan = plan, .attach = attach, .list = list_fentry };
const struct provider provider_fexit = { "fexit", "fr kretfunc", .prog_type = BPF_PROG_TYPE_TRACING, .expand = expand_fexit, .field = field, .arg = arg,
	.arg_type = arg_type, .retval = retval, .space = SPACE_KERNEL, .plan = plan, .attach = attach, .list = list_fexit };
