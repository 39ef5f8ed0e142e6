// SPDX-License-Identifier: GPL-2.0-or-later
/* uprobe:FILE:FUNCTION[+OFFSET], FILE:0xADDRESS, FILE:cpp:"ns::name", FILE@SOURCE:LINE, and uretprobe. A function is looked
 * up in the file's symbols first, which is quick; in its debug file, and among what is inlined, when it is not there. */
#include <bpf/bpf.h>
#include <errno.h>
#include <gelf.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "arch/insn.h"
#include "base/error.h"
#include "base/map.h"
#include "probe/resolve.h"
#include "probe/source.h"
#include "script/ctype/ctype.h"
#include "script/list.h"
#include "script/provider/user/binary.h"
#include "script/provider/links.h"
#include "script/provider/user/locals.h"
#include "script/provider/regs.h"
#include "symbol/demangle.h"
#include "symbol/dwarf/dwarf.h"

/* A word taken apart. */
struct user_place {
	struct run_script *s;
	const struct provider *provider;
	const struct attach *a;
	struct probe *probe;
	struct binary *b;
	char *function; /* NULL: by address or line */
	bool by_source_name; /* cpp: only names as the source has them */
	char only; /* of SystemTap's front: 'i' inlined copies, 'c' where functions begin; 0: what there is */
	bool in_source; /* function is a place that debug information knows: f@file.c */
	uint64_t offset, addr;
	bool has_addr, wants_locals, names_types;
	size_t found, unfit; /* unfit: of wildcards, functions that no probe can be on */
	int err;
};

static bool is_return(const struct user_place *p)
{
	return p->provider == &provider_uretprobe;
}

/* The kernel may say yes now and leave it out where the file is mapped later; and one that it refuses costs as much as all that
 * it had taken before. */
static bool is_unfit(struct user_place *p, const char *func, uint64_t offset)
{
	uint8_t code[INSN_MAX];
	ssize_t n = pread(p->b->target.fd, code, sizeof(code), (off_t)offset);
	if (n <= 0 || insn_copied(code, (size_t)n))
		return false;
	note(1, "the kernel takes no probe at %s+%llu: an instruction with lock, or of vectors", func ? func : "?", (unsigned long long)p->offset);
	p->unfit++;
	return true;
}

static bool is_narrow(const struct binary *b)
{
	return gelf_getclass(b->target.elf) == ELFCLASS32;
}

/* The pointer that the function returns. */
static void result_of(const struct user_place *p, struct point *pt)
{
	Dwarf_Die die;
	if (!dwarf_result_type(pt->dwarf, pt->addr, &die))
		return;
	struct script_type *t = ctype_of_die(p->s->types, pt->dwarf, &die);
	if (t->kind == TYPE_POINTER)
		pt->result = t;
}

static struct point *add(struct user_place *p, const char *func, const char *shown, uint64_t addr)
{
	struct arena *m = &p->s->source->memory;
	uint64_t offset, back;
	if (probe_target_offset(&p->b->target, addr, &offset) || probe_target_addr(&p->b->target, offset, &back))
		return NULL; /* nothing that is loaded as code */
	if (is_unfit(p, func, offset))
		return NULL;
	char *name = p->offset ? xasprintf("%s:%s:%s+%llu", p->provider->name, p->b->name, shown, (unsigned long long)p->offset) :
				 xasprintf("%s:%s:%s", p->provider->name, p->b->name, shown);
	struct point *pt = provider_point(p->s, p->provider, p->a, name);
	free(name);
	pt->func = func ? arena_text(m, func, strlen(func)) : NULL;
	pt->path = p->b->target.path;
	pt->narrow = is_narrow(p->b);
	pt->addr = addr;
	pt->offset = offset;
	if (p->names_types && !probe_target_dwarf(&p->b->target))
		pt->dwarf = p->b->target.dwarf;
	if (is_return(p) && pt->dwarf && probe_follows(p->probe, "retval"))
		result_of(p, pt);
	p->found++;
	return pt;
}

/* ---- with debug information ---- */

static const struct probe_options how = { .nested = true, .max_probes = 4096 };

static int add_place(struct user_place *p, const struct dwarf_place *d, const char *shown)
{
	struct point *pt = add(p, d->func_name, shown, d->addr);
	if (!pt)
		return 0;
	if (p->in_source)
		locals_keep_place(p->s, pt, p->b->target.dwarf, d);
	if (!p->wants_locals)
		return 0;
	return locals_fill(p->s, pt, p->probe, &(struct locals_from){ p->b->target.dwarf, d, SPACE_USER, 0 });
}

static bool is_meant(const struct user_place *p, const struct dwarf_place *d)
{
	bool inlined = d->scope.addr != d->func.addr;
	return !p->only || (p->only == 'i' ? inlined : !inlined);
}

/* Where the function, or the line, is by debug information. -ENOENT, pending error: nowhere. */
static int add_by_source(struct user_place *p, const struct probe_spec *spec, const char *shown, uint64_t only)
{
	dwarf_places places = { 0 };
	int err = probe_source_places(&p->b->target, spec, &how, false, &places);
	for (size_t i = 0; i < places.n && !err; i++)
		if ((!only || places.at[i].addr == only) && is_meant(p, &places.at[i]))
			err = add_place(p, &places.at[i], shown ? shown : places.at[i].func_name);
	vec_release(&places);
	return err;
}

static int no_debug_information(struct user_place *p, const char *for_what)
{
	probe_target_no_dwarf(&p->b->target);
	char *why = xstrdup(error_message()), *hints = xstrdup(error_hints());
	source_error(p->s->source, p->a->at, "%s: %s", for_what, why);
	if (*hints)
		error_hint("%s", hints);
	free(why);
	free(hints);
	return -ENODATA;
}

static int by_line(struct user_place *p, const char *text)
{
	struct probe_spec spec = { 0 };
	int err = probe_spec_parse_place(&spec, text);
	if (!err && (spec.function || !spec.has_line))
		err = error_set(EINVAL, "a place in the source is FILE:LINE, as in uprobe:./prog@main.c:12");
	if (err) {
		char *why = xstrdup(error_message());
		error_clear();
		err = source_error(p->s->source, p->a->at, "%s", why);
		free(why);
	} else if (is_return(p)) {
		err = source_error(p->s->source, p->a->at, "only functions return: uretprobe:FILE:FUNCTION");
	} else if (probe_target_dwarf(&p->b->target)) {
		err = no_debug_information(p, "lines");
	} else {
		err = add_by_source(p, &spec, text, 0);
		if (err == -ENOENT && error_pending())
			err = source_blame(p->s->source, p->a->at);
	}
	probe_spec_release(&spec);
	return err;
}

/* ---- by symbols ---- */

static void one_symbol(const struct elfsym *y, void *ctx)
{
	struct user_place *p = ctx;
	if (p->err)
		return;
	if (p->offset && y->size && p->offset >= y->size) {
		p->err = source_error(p->s->source, p->a->at, "%s has %llu bytes: +%llu is outside of it", y->name, (unsigned long long)y->size, (unsigned long long)p->offset);
		return;
	}
	char *plain = demangle_wanted(y->name) ? demangle(y->name, false) : NULL;
	if (y->ifunc && !glob_has(p->function))
		source_warn(p->s->source, p->a->at, "%s is chosen when a program starts (an IFUNC): the probe is on the chooser", y->name);
	if (p->wants_locals && !p->offset && !is_return(p) && !probe_target_dwarf(&p->b->target)) {
		struct probe_spec spec = { .function = (char *)y->name };
		size_t before = p->found;
		p->err = add_by_source(p, &spec, y->name, y->addr);
		if (p->err == -ENOENT) { /* a part of the file without debug information */
			error_clear();
			p->err = 0;
		}
		if (p->err || p->found > before) {
			free(plain);
			return;
		}
	}
	add(p, plain ? plain : y->name, y->name, y->addr + p->offset);
	free(plain);
}

static bool source_name_fits(const struct user_place *p, const char *mangled, bool glob)
{
	bool params = strchr(p->function, '(') != NULL;
	char *plain = demangle_wanted(mangled) ? demangle(mangled, params) : NULL;
	bool fits = plain && (glob ? glob_match(p->function, plain) : !strcmp(p->function, plain));
	free(plain);
	return fits;
}

static bool has_data(const struct elfsym *y)
{
	return y->data || y->plt;
}

static void find_source_names(struct user_place *p)
{
	struct u64map seen = { 0 };
	bool glob = function_is_glob(p->function);
	struct elfsyms *t = &p->b->target.syms;
	for (size_t i = 0; i < t->syms.n; i++) {
		const struct elfsym *y = &t->syms.at[i];
		if (has_data(y) || u64map_get(&seen, y->addr) || !source_name_fits(p, y->name, glob))
			continue;
		u64map_set(&seen, y->addr, p);
		one_symbol(y, p);
	}
	u64map_release(&seen);
}

static void find_symbols(struct user_place *p)
{
	if (!p->by_source_name)
		elfsyms_find(&p->b->target.syms, p->function, one_symbol, p);
	if (!p->found && !p->err && (p->by_source_name || strstr(p->function, "::")))
		find_source_names(p);
}

/* Of what is inlined everywhere no symbol is left. */
static int inlined(struct user_place *p)
{
	struct probe_spec spec = { .function = p->function, .offset = p->offset, .has_offset = p->offset };
	if (is_return(p) || function_is_glob(p->function) || probe_target_dwarf(&p->b->target))
		return 0;
	int err = add_by_source(p, &spec, p->function, 0);
	if (err != -ENOENT)
		return err;
	error_clear();
	return 0;
}

/* =i:f: the copies of what is inlined; =c:f@file.c: functions that begin in a file. */
static int by_place(struct user_place *p)
{
	struct probe_spec spec = { 0 };
	if (probe_target_dwarf(&p->b->target))
		return no_debug_information(p, p->only == 'i' ? "inlined functions" : "files of the source");
	int err = probe_spec_parse_place(&spec, p->function) ?: add_by_source(p, &spec, NULL, 0);
	if (!err && !p->found)
		err = error_set(ENOENT, p->only == 'i' ? "%s is inlined nowhere" : "%s is only inlined", p->function);
	if (err && error_pending() && !str_starts(error_message(), p->s->source->name))
		err = source_blame(p->s->source, p->a->at);
	probe_spec_release(&spec);
	return err;
}

static int by_function(struct user_place *p)
{
	if (probe_target_symbols(&p->b->target)) {
		error_clear();
		return source_error(p->s->source, p->a->at, "cannot read the symbols of %s", p->b->name);
	}
	bool glob = function_is_glob(p->function);
	if (glob)
		binary_more_symbols(p->b);
	find_symbols(p);
	if (!p->found && !p->unfit && !p->err && !glob) {
		binary_more_symbols(p->b);
		find_symbols(p);
	}
	return p->err || p->found || p->unfit || glob || p->only ? p->err : inlined(p);
}

/* "func", "func+16", "0x1234", "cpp:\"ns::f\"" */
static int parse_place(struct user_place *p, const char *rest)
{
	static const char *const languages[] = { "cpp:", "c++:" };
	for (size_t i = 0; i < 2; i++)
		if (str_starts(rest, languages[i])) {
			p->by_source_name = true;
			rest += strlen(languages[i]);
		}
	if (rest[0] == '=' && rest[1] && rest[2] == ':') {
		p->only = rest[1];
		rest += 3;
		p->in_source = p->only == 'i' || strchr(rest, '@');
	}
	char *word = word_unquoted(rest), *plus = p->in_source ? NULL : strrchr(word, '+');
	if (!parse_u64(word, &p->addr)) {
		p->has_addr = true;
		free(word);
		return 0;
	}
	if (plus && plus > word && !parse_u64(plus + 1, &p->offset))
		*plus = 0;
	if (!*word) {
		free(word);
		return source_error(p->s->source, p->a->at, "a function is missing behind the file");
	}
	p->function = word;
	return 0;
}

static int by_address(struct user_place *p)
{
	char shown[32];
	snprintf(shown, sizeof(shown), "0x%llx", (unsigned long long)p->addr);
	const struct elfsym *y = probe_target_symbols(&p->b->target) ? NULL : elfsyms_at(&p->b->target.syms, p->addr, NULL);
	if (!add(p, y ? y->name : shown, shown, p->addr) && !p->unfit)
		return source_error(p->s->source, p->a->at, "there is no code at %s in %s", shown, p->b->name);
	return 0;
}

static int in_file(struct user_place *p, const char *path, const char *rest, bool line, bool wild)
{
	p->b = binary_open(p->s, path);
	if (!p->b && wild && error_code() != -ESTALE) { /* not a program */
		error_clear();
		return 0;
	}
	if (!p->b)
		return source_blame(p->s->source, p->a->at);
	if (is_return(p) && probe_target_is_go(&p->b->target)) {
		source_error(p->s->source, p->a->at, "%s is a Go program, which a probe at a return can crash", p->b->name);
		return error_hint("Go moves its stacks and finds the changed return address; probe the lines of its return statements instead");
	}
	if (is_narrow(p->b) && p->wants_locals) {
		source_error(p->s->source, p->a->at, "%s is a 32-bit program, whose variables are not found by name", p->b->name);
		return error_hint("arg0, arg1 and so on are its arguments");
	}
	if (line)
		return by_line(p, rest);
	return p->has_addr ? by_address(p) : p->in_source ? by_place(p) : by_function(p);
}

static int only_unfit(const struct user_place *p)
{
	source_error(p->s->source, p->a->at, "the kernel takes no probe at %s: the instruction there has a lock prefix, or is one of vectors", p->a->text);
	return error_hint("a place behind it can be probed: FUNCTION+OFFSET, or a line, FILE@SOURCE:LINE; objdump -d shows the instructions");
}

/* The nearest names of a file that has no such function. */
static int no_function(const struct user_place *p)
{
	struct nearest near;
	source_error(p->s->source, p->a->at, "there is no function '%s' in %s", p->function, p->b->name);
	nearest_init(&near, p->function);
	vec_each(&p->b->target.syms.syms, y)
		if (!has_data(y))
			nearest_offer(&near, y->name);
	if (!nearest_hint(&near))
		error_hint("sonde run -l '%s:%s:*' lists what there is", p->provider->name, p->b->name);
	return -ENOENT;
}

/* FILE@SOURCE:LINE, unless there is a file of that very name. */
static char *split_line(const char *rest, const char **line)
{
	size_t n = strcspn(rest, ":");
	char *file = xstrndup(rest, n), *at = strrchr(file, '@');
	if (!at || !rest[n] || !access(file, F_OK)) {
		free(file);
		return NULL;
	}
	*line = rest + (at - file) + 1;
	*at = 0;
	return file;
}

static int expand(struct run_script *s, const struct provider *provider, const struct attach *a, const char *rest)
{
	struct user_place p = { .s = s, .provider = provider, .a = a, .probe = probe_of(s, a) };
	wordlist paths = { 0 };
	const char *place = NULL;
	char *file = split_line(rest, &place);
	bool line = file != NULL;
	if (!file)
		file = binary_split(rest, &place);
	if (!file || !*file) {
		free(file);
		source_error(s->source, a->at, "a probe in a program is %s:FILE:FUNCTION", provider->name);
		return error_hint("for example %s:/usr/bin/bash:readline, %s:libc:malloc", provider->name, provider->name);
	}
	p.names_types = probe_names_types(p.probe) || probe_follows(p.probe, "retval");
	p.wants_locals = provider == &provider_uprobe && locals_wanted(p.probe);
	int err = line ? 0 : parse_place(&p, place);
	if (!err)
		err = binary_paths(s, a, file, &paths);
	for (size_t i = 0; i < paths.n && !err; i++)
		err = in_file(&p, paths.at[i], place, line, glob_has(file));
	if (!err && !p.found && p.unfit && !a->next && p.probe->attach == a)
		err = only_unfit(&p);
	else if (!err && !p.found && p.function && p.b && !glob_has(file) && !function_is_glob(p.function) && !a->next && p.probe->attach == a)
		err = no_function(&p);
	if (!err && p.unfit)
		source_warn(s->source, a->at, "%zu of these places left out: the kernel takes no probe at the instruction there (-v names them)", p.unfit);
	wordlist_release(&paths);
	free(p.function);
	free(file);
	return err ? err : p.unfit > 0;
}

static int expand_uprobe(struct run_script *s, const struct attach *a, const char *rest)
{
	return expand(s, &provider_uprobe, a, rest);
}

static int expand_uretprobe(struct run_script *s, const struct attach *a, const char *rest)
{
	return expand(s, &provider_uretprobe, a, rest);
}

static bool together(const struct run_script *s, const struct probe *p, const struct point *a, const struct point *b)
{
	(void)s;
	return !a->args && !b->args && !a->result && !b->result && (regs_have_cookies() || !regs_where(p));
}

static int attach_uprobe(struct run_script *s, struct script_unit *u)
{
	return links_uprobes(s, u, false);
}

static int attach_uretprobe(struct run_script *s, struct script_unit *u)
{
	return links_uprobes(s, u, true);
}

/* ---- listing ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In the order of the source, which the list of variables does not have. */
static void list_in_order(struct probe_list *l, struct binary *b, const struct dwarf_place *place, const dwarf_vars *vars)
{
	wordlist names = { 0 };
	dwarf_var_names(b->target.dwarf, place, true, &names);
	vec_each(&names, n)
		vec_each(vars, v)
			if (v->param && !strcmp(v->name, *n)) {
				char *text = xasprintf("%s %s", v->type, v->name);
				list_arg(l, text);
				free(text);
			}
	wordlist_release(&names);
}

/* Parameters, where debug information has the function. */
static void list_params(struct probe_list *l, struct binary *b, const char *function)
{
	struct probe_spec spec = { .function = (char *)function };
	dwarf_places places = { 0 };
	dwarf_vars vars = { 0 };
	if (!probe_target_dwarf(&b->target) && !probe_source_places(&b->target, &spec, &how, false, &places) && places.n &&
	    !dwarf_list_vars(b->target.dwarf, &places.at[0], false, true, &vars))
		list_in_order(l, b, &places.at[0], &vars);
	error_clear();
	dwarf_vars_release(&vars);
	vec_release(&places);
}

/* The file may have been found by another name: all of `names` are meant. */
static void list_names(struct probe_list *l, const struct provider *p, struct binary *b, const wordlist *names)
{
	struct probe_list all = *l;
	all.pattern = "*";
	for (size_t i = 0; i < names->n; i++) {
		if (i && !strcmp(names->at[i], names->at[i - 1]))
			continue;
		char *name = xasprintf("%s:%s:%s", p->name, b->name, names->at[i]);
		if (list_probe(&all, name))
			list_params(&all, b, names->at[i]);
		free(name);
	}
	l->shown = all.shown;
}

static void list_file(struct probe_list *l, const struct provider *p, const char *path, const char *function)
{
	struct binary *b = binary_open(l->s, path);
	wordlist names = { 0 };
	if (b && !probe_target_symbols(&b->target)) {
		binary_more_symbols(b);
		vec_each(&b->target.syms.syms, y)
			if (!has_data(y) && glob_match(function, y->name))
				wordlist_add(&names, y->name);
	}
	error_clear();
	if (names.n) {
		qsort(names.at, names.n, sizeof(*names.at), by_name);
		list_names(l, p, b, &names);
	}
	wordlist_release(&names);
}

static int list(struct probe_list *l, const struct provider *p)
{
	const char *rest = list_rest(l, p), *function = "*";
	struct attach whole = { .text = l->pattern, .at = { 0, (uint32_t)strlen(l->pattern) } };
	wordlist paths = { 0 };
	if (!rest)
		return 0;
	char *file = binary_split(rest, &function);
	if (!file)
		file = xstrdup(rest);
	int err = *file ? binary_paths(l->s, &whole, file, &paths) : 0;
	for (size_t i = 0; i < paths.n; i++)
		list_file(l, p, paths.at[i], function);
	wordlist_release(&paths);
	free(file);
	return err;
}

static int list_uprobe(struct probe_list *l) { return list(l, &provider_uprobe); }
static int list_uretprobe(struct probe_list *l) { return list(l, &provider_uretprobe); }

const struct provider provider_uprobe = { "uprobe", "u", .prog_type = BPF_PROG_TYPE_KPROBE, .expand = expand_uprobe, .together = together,
	.enter = regs_enter, .field = regs_field, .arg = regs_arg, .registers = true, .space = SPACE_USER, .plan = links_plan_uprobes, .attach = attach_uprobe, .list = list_uprobe };
const struct provider provider_uretprobe = { "uretprobe", "ur", .prog_type = BPF_PROG_TYPE_KPROBE, .expand = expand_uretprobe, .together = together,
	.enter = regs_enter, .retval = regs_retval, .registers = true, .space = SPACE_USER, .plan = links_plan_uprobes, .attach = attach_uretprobe, .list = list_uretprobe };
