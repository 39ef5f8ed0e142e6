// SPDX-License-Identifier: GPL-2.0-or-later
/* Markers that programs were built with (USDT): a nop in the code and, in .note.stapsdt, where it
 * is, what it is called and where its arguments are. A marker may have a semaphore: a counter that
 * the kernel raises while somebody listens, so that the program prepares arguments only then.
 *
 * Addresses in a note count from the address that .stapsdt.base had when the note was made; prelink
 * and the like move the section, and the difference has to be added. */
#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "arch/operand.h"
#include "base/error.h"
#include "probe/fetcharg.h"
#include "probe/resolve.h"
#include "probe/usdt.h"

enum { NT_STAPSDT = 3, MARKERS_MAX = 1 << 20 };

static Elf_Scn *section(Elf *elf, const char *name, GElf_Shdr *sh)
{
	size_t names;
	Elf_Scn *scn = NULL;
	if (!elf || elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *n = gelf_getshdr(scn, sh) ? elf_strptr(elf, names, sh->sh_name) : NULL;
		if (n && !strcmp(n, name))
			return scn;
	}
	return NULL;
}

/* Three addresses, then provider, name and arguments, each with its NUL. */
static bool parse_note(const char *p, size_t n, uint64_t base, bool moved, usdt_markers *out)
{
	uint64_t at[3];
	const char *text[3], *end = p + n;
	if (n < sizeof(at))
		return false;
	memcpy(at, p, sizeof(at));
	p += sizeof(at);
	for (int i = 0; i < 3; i++) {
		const char *nul = memchr(p, 0, (size_t)(end - p));
		if (!nul)
			return false;
		text[i] = p;
		p = nul + 1;
	}
	uint64_t shift = moved && at[1] ? base - at[1] : 0;
	*vec_push(out) = (struct usdt_marker){
		.provider = xstrdup(text[0]), .name = xstrdup(text[1]), .args = xstrdup(text[2]),
		.addr = at[0] + shift, .semaphore = at[2] ? at[2] + shift : 0 };
	return true;
}

int usdt_read(struct probe_target *t, usdt_markers *out)
{
	GElf_Shdr sh, bsh;
	Elf_Scn *scn = section(t->elf, ".note.stapsdt", &sh);
	bool moved = section(t->elf, ".stapsdt.base", &bsh) != NULL;
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Nhdr nh;
	size_t off = 0, name, desc;
	if (gelf_getclass(t->elf) != ELFCLASS64)
		return -ENOTSUP;
	while (data && out->n < MARKERS_MAX && (off = gelf_getnote(data, off, &nh, &name, &desc)) > 0) {
		const char *buf = data->d_buf;
		if (nh.n_type == NT_STAPSDT && nh.n_namesz == 8 && !memcmp(buf + name, "stapsdt", 8))
			parse_note(buf + desc, nh.n_descsz, bsh.sh_addr, moved, out);
	}
	return out->n ? 0 : -ENOENT;
}

void usdt_release(usdt_markers *m)
{
	vec_each(m, i) {
		free(i->provider);
		free(i->name);
		free(i->args);
	}
	vec_release(m);
}

/* ---- arguments: "-4@%edi 8@-16(%rbp)" ---- */

static int operand_value(struct probe_target *t, struct probe_def *d, const struct operand *o, struct str *out)
{
	const struct elfsym *s;
	switch (o->kind) {
	case OPERAND_REG:
		str_add(out, o->reg);
		return 0;
	case OPERAND_CONST:
		str_addf(out, "\\%lld", (long long)o->num);
		return 0;
	case OPERAND_MEMORY:
		str_addf(out, "%+lld(%s)", (long long)o->num, o->reg);
		return 0;
	case OPERAND_SYMBOL:
		s = probe_target_symbols(t) ? NULL : elfsyms_data(&t->syms, o->symbol);
		if (!s)
			return -ENOENT;
		str_addf(out, "@+0x%llx", (unsigned long long)(s->addr + (uint64_t)o->num - (d->addr - d->offset)));
		return 0;
	}
	return -ENOTSUP;
}

struct marker_arg { char *value; /* NULL: no probe can fetch it */ char type[8]; char *word; bool is_const; };
typedef VEC(struct marker_arg) marker_args;

static void read_arg(struct probe_target *t, struct probe_def *d, const char *word, marker_args *out)
{
	struct marker_arg *m = vec_push(out);
	const char *at = strchr(word, '@');
	char *end;
	long size = at ? strtol(word, &end, 10) : 0;
	struct operand o;
	struct str value = STR_INIT;
	m->word = xstrdup(word);
	if (!at) { /* a size need not be told */
		size = 8;
		at = word - 1;
	}
	long bits = labs(size) * 8;
	snprintf(m->type, sizeof(m->type), "%c%d", size < 0 ? 's' : 'u', bits == 8 || bits == 16 || bits == 32 ? (int)bits : 64);
	if (!arch_operand_parse(at + 1, &o) && !operand_value(t, d, &o, &value)) {
		m->value = str_detach(&value);
		m->is_const = o.kind == OPERAND_CONST;
	}
	str_release(&value);
}

/* Where in what the user wrote the marker's argument is named, as in +8(arg2). 0: nowhere. */
static int names_arg(const struct probe_argspec *a, const char **from, size_t *n)
{
	const char *open = strrchr(a->var, '(');
	*from = open ? open + 1 : a->var;
	*n = strcspn(*from, ")");
	return a->fields.n ? 0 : fetcharg_marker(*from, *n);
}

/* arg1:string and +0(arg1):string take the place of the number. */
static bool replaces(const struct probe_argspec *a, int index)
{
	const char *from;
	size_t n;
	bool string = a->type && strstr(a->type, "string");
	return !a->name && names_arg(a, &from, &n) == index && (from == a->var || (string && !strncmp(a->var, "+0(arg", 6)));
}

static int no_arg(const struct probe_argspec *a, const marker_args *m)
{
	error_set(ENOENT, m->n ? "'%s': this marker has arg1 to arg%zu" : "'%s': this marker has no arguments", a->text, m->n);
	return error_hint("registers (%%di) and what they point to (+0(%%di):string) can be fetched too");
}

static int add_asked(struct probe_target *t, struct probe_def *d, const marker_args *m, const struct probe_argspec *a)
{
	const char *from;
	size_t n;
	int index = names_arg(a, &from, &n);
	char name[32];
	if (!index && a->fetcharg)
		return fetcharg_add(t, d, a, false);
	if (!index || (size_t)index > m->n)
		return no_arg(a, m);
	const struct marker_arg *of = &m->at[index - 1];
	bool string = a->type && strstr(a->type, "string"), direct = from == a->var;
	bool pointer = !of->is_const && !strcmp(of->type + 1, "64");
	if (!of->value || (!pointer && (string || !direct)))
		return error_set(ENOTSUP, "'%s': arg%d of the marker (%s) %s", a->text, index, of->word,
				 of->value ? "points to nothing: it is a constant, or too short for an address" : "cannot be fetched by a probe");
	struct str value = STR_INIT;
	str_addf(&value, "%.*s%s%s%s", (int)(from - a->var), a->var, string && direct ? "+0(" : "", of->value, string && direct ? ")" : "");
	str_add(&value, from + n);
	snprintf(name, sizeof(name), replaces(a, index) ? "arg%d" : "arg%d_%zu", index, d->args.n);
	probe_def_arg(d, a->name ? a->name : name, value.buf, a->type ? a->type : direct ? of->type : NULL);
	str_release(&value);
	return 0;
}

/* All that the marker has, then what was asked for besides. */
static int add_args(struct probe_target *t, struct probe_def *d, const marker_args *m, const struct probe_spec *s)
{
	int err = 0;
	for (size_t i = 0; i < m->n && !err; i++) {
		char name[32];
		const struct probe_argspec *instead = NULL;
		vec_each(&s->args, a)
			instead = replaces(a, (int)i + 1) ? a : instead;
		snprintf(name, sizeof(name), "arg%zu", i + 1);
		if (instead)
			err = add_asked(t, d, m, instead);
		else if (m->at[i].value)
			probe_def_arg(d, name, m->at[i].value, m->at[i].type);
		else
			warn("%s of the marker (%s) cannot be fetched by a probe: left out", name, m->at[i].word);
	}
	for (size_t i = 0; i < s->args.n && !err; i++) {
		const char *from;
		size_t n;
		int index = names_arg(&s->args.at[i], &from, &n);
		if (!index || (size_t)index > m->n || !replaces(&s->args.at[i], index))
			err = add_asked(t, d, m, &s->args.at[i]);
	}
	return err;
}

static int read_args(struct probe_target *t, struct probe_def *d, const struct usdt_marker *m, const struct probe_spec *s)
{
	char *copy = xstrdup(m->args), *save = NULL;
	marker_args args = { 0 };
	for (char *w = strtok_r(copy, " ", &save); w && args.n < 64; w = strtok_r(NULL, " ", &save))
		read_arg(t, d, w, &args);
	free(copy);
	int err = add_args(t, d, &args, s);
	vec_each(&args, a) {
		free(a->value);
		free(a->word);
	}
	vec_release(&args);
	return err;
}

/* ---- definitions ---- */

static int add_marker(struct probe_target *t, const struct probe_spec *s, const struct usdt_marker *m, probe_defs *out)
{
	struct probe_def *d = vec_push(out);
	probe_target_in(t, d);
	d->func = xstrdup(m->name);
	d->addr = m->addr;
	if (probe_target_offset(t, m->addr, &d->offset) || (m->semaphore && probe_target_offset(t, m->semaphore, &d->ref_ctr)))
		return error_set(ERANGE, "marker %s:%s lies outside of the loaded parts of %s", m->provider, m->name, t->path);
	return read_args(t, d, m, s);
}

static int no_marker(struct probe_target *t, const struct probe_spec *s, const usdt_markers *all)
{
	struct nearest near;
	if (!all->n) {
		error_set(ENOENT, "%s has no markers (no .note.stapsdt)", t->path);
		return -ENOENT;
	}
	error_set(ENOENT, "%s has no marker %s:%s", t->path, s->file, s->function);
	nearest_init(&near, s->function);
	vec_each(all, m)
		nearest_offer(&near, m->name);
	if (!nearest_hint(&near))
		error_hint("'sonde probe -x %s -F %%*' lists its markers", t->path);
	return -ENOENT;
}

int probe_resolve_sdt(struct probe_target *t, const struct probe_spec *s, probe_defs *out)
{
	usdt_markers all = { 0 };
	size_t before = out->n;
	int err = 0;
	if (!t->user || !t->elf) {
		error_set(EINVAL, "markers are in programs and libraries");
		return error_hint("name the file: sonde probe -x FILE %%%s:%s", s->file, s->function);
	}
	(void)usdt_read(t, &all);
	for (size_t i = 0; i < all.n && !err; i++)
		if (!strcmp(all.at[i].provider, s->file) && glob_match(s->function, all.at[i].name))
			err = add_marker(t, s, &all.at[i], out);
	if (!err && out->n == before)
		err = no_marker(t, s, &all);
	usdt_release(&all);
	return err;
}
