// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/elfsyms.h"
#include <ctype.h>
#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "base/words.h"
#include "symbol/dwarf/dwarf.h"
#include "kernel/root.h"

enum { SYMBOLS_MAX = 1 << 23 };

/* In a relocatable file (a module) values count from their section. */
static uint64_t section_base(Elf *elf, const GElf_Ehdr *eh, const GElf_Sym *sym)
{
	GElf_Shdr sh;
	Elf_Scn *scn = eh->e_type == ET_REL ? elf_getscn(elf, sym->st_shndx) : NULL;
	return scn && gelf_getshdr(scn, &sh) ? sh.sh_addr : 0;
}

/* A name without a type is a function of an assembler, or an end of data: its section tells. */
static bool is_data(Elf *elf, int type, const GElf_Sym *sym)
{
	GElf_Shdr sh;
	if (type != STT_NOTYPE || sym->st_shndx == SHN_XINDEX)
		return type == STT_OBJECT;
	return !gelf_getshdr(elf_getscn(elf, sym->st_shndx), &sh) || !(sh.sh_flags & SHF_EXECINSTR);
}

static void add_symbol(struct elfsyms *t, Elf *elf, const GElf_Ehdr *eh, const Elf_Data *names, const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);
	const char *name;
	if (sym->st_shndx == SHN_UNDEF || (sym->st_shndx >= SHN_LORESERVE && sym->st_shndx != SHN_XINDEX))
		return;
	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_OBJECT && type != STT_NOTYPE)
		return;
	if (sym->st_name >= names->d_size || t->syms.n >= SYMBOLS_MAX)
		return;
	name = (const char *)names->d_buf + sym->st_name;
	if (!*name)
		return;
	if (type == STT_NOTYPE && GELF_ST_BIND(sym->st_info) == STB_LOCAL)
		return; /* labels and mapping symbols */
	*vec_push(&t->syms) = (struct elfsym){
		.name = name, .addr = sym->st_value + section_base(elf, eh, sym), .size = sym->st_size,
		.ifunc = type == STT_GNU_IFUNC, .data = is_data(elf, type, sym),
		.global = GELF_ST_BIND(sym->st_info) != STB_LOCAL,
	};
}

static Elf_Data *version_table(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_GNU_versym)
			return elf_getdata(scn, NULL);
	return NULL;
}

static void add_table(struct elfsyms *t, Elf *elf, const GElf_Ehdr *eh, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *strings = elf_getscn(elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *names = strings ? elf_getdata(strings, NULL) : NULL;
	size_t n = data && sh->sh_entsize ? data->d_size / sh->sh_entsize : 0;
	GElf_Sym sym;
	if (!names || !names->d_buf || !names->d_size || ((char *)names->d_buf)[names->d_size - 1])
		return; /* every name must end */
	Elf_Data *versions = sh->sh_type == SHT_DYNSYM ? version_table(elf) : NULL;
	for (size_t i = 1; i < n && i < SYMBOLS_MAX; i++) {
		GElf_Versym v;
		size_t before = t->syms.n;
		if (gelf_getsym(data, (int)i, &sym))
			add_symbol(t, elf, eh, names, &sym);
		if (t->syms.n > before && versions && gelf_getversym(versions, (int)i, &v))
			vec_last(&t->syms)->old = v & 0x8000;
	}
}

/* Slots of the PLT are named after the relocation that fills them: puts@plt. */
struct plt { GElf_Shdr plt, sec; Elf_Scn *rel, *dynsym; bool has_plt, has_sec; };

static void plt_sections(Elf *elf, struct plt *p)
{
	size_t names;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
		if (!name || sh.sh_type == SHT_NOBITS)
			continue;
		if (!strcmp(name, ".plt"))
			p->plt = sh, p->has_plt = true;
		else if (!strcmp(name, ".plt.sec"))
			p->sec = sh, p->has_sec = true;
		else if (!strcmp(name, ".rela.plt"))
			p->rel = scn;
		else if (!strcmp(name, ".dynsym"))
			p->dynsym = scn;
	}
}

static void add_plt(struct elfsyms *t, Elf *elf)
{
	struct plt p = { 0 };
	GElf_Shdr rsh, dsh;
	plt_sections(elf, &p);
	if (!p.rel || !p.dynsym || (!p.has_plt && !p.has_sec) || !gelf_getshdr(p.rel, &rsh) ||
	    !gelf_getshdr(p.dynsym, &dsh))
		return;
	Elf_Data *rel = elf_getdata(p.rel, NULL), *dyn = elf_getdata(p.dynsym, NULL);
	size_t n = rel && rsh.sh_entsize ? rel->d_size / rsh.sh_entsize : 0;
	const GElf_Shdr *at = p.has_sec ? &p.sec : &p.plt;
	for (size_t i = 0; dyn && i < n && i < SYMBOLS_MAX; i++) {
		GElf_Rela r;
		GElf_Sym sym;
		uint64_t off = (i + (p.has_sec ? 0 : 1)) * 16;
		if (off + 16 > at->sh_size || !gelf_getrela(rel, (int)i, &r) ||
		    !gelf_getsym(dyn, (int)GELF_R_SYM(r.r_info), &sym))
			continue;
		const char *name = elf_strptr(elf, dsh.sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		char *full = xasprintf("%s@plt", name);
		*vec_push(&t->owned) = full;
		*vec_push(&t->syms) = (struct elfsym){ .name = full, .addr = at->sh_addr + off, .size = 16, .plt = true };
	}
}

void elfsyms_add_elf(struct elfsyms *t, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Ehdr eh;
	if (!gelf_getehdr(elf, &eh))
		return;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM))
			add_table(t, elf, &eh, scn, &sh);
	add_plt(t, elf);
}

/* A line of kallsyms: "ffffffff81000000 T _text" or "... t ovs_init\t[openvswitch]". */
static void add_kallsyms_line(struct elfsyms *t, char *line, const char *module, bool *hidden)
{
	char *end, *name, *mod;
	uint64_t addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return;
	char type = end[1];
	name = end + 3;
	mod = strchr(name, '\t');
	if (mod) {
		*mod++ = 0;
		size_t n = strlen(mod);
		if (n > 2 && mod[0] == '[' && mod[n - 1] == ']') {
			mod[n - 1] = 0;
			mod++;
		}
	}
	if (module ? !mod || strcmp(mod, module) : mod != NULL)
		return;
	*hidden &= addr == 0;
	*vec_push(&t->syms) = (struct elfsym){
		.name = name, .addr = addr, .data = !strchr("tTwW", type), .global = isupper((unsigned char)type) };
}

int elfsyms_add_kallsyms(struct elfsyms *t, const char *module)
{
	FILE *f = fopen(root_path(ROOT_PROC, "kallsyms"), "re");
	char *text = NULL, *line, *save = NULL;
	size_t n, before = t->syms.n;
	bool hidden = true;
	if (!f)
		return error_sys(errno, "cannot read /proc/kallsyms");
	struct str s = STR_INIT;
	char buf[65536];
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0 && s.len < (1u << 28))
		str_addn(&s, buf, n);
	fclose(f);
	text = str_detach(&s);
	*vec_push(&t->owned) = text;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		add_kallsyms_line(t, line, module, &hidden);
	if (t->syms.n == before)
		return -ENOENT;
	return hidden ? -EPERM : 0;
}

void elfsyms_release(struct elfsyms *t)
{
	vec_each(&t->owned, p)
		free(*p);
	vec_release(&t->owned);
	vec_release(&t->syms);
}

static int by_addr(const void *a, const void *b)
{
	const struct elfsym *x = a, *y = b;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (x->old != y->old)
		return x->old ? 1 : -1;
	int d = strcmp(x->name, y->name);
	return d ? d : (x->size < y->size) - (x->size > y->size);
}

static int by_place(const void *a, const void *b)
{
	return by_addr(*(const struct elfsym *const *)a, *(const struct elfsym *const *)b);
}

/* No table is sorted for it: one look at each name is cheaper. */
size_t elfsyms_find(struct elfsyms *t, const char *name, void (*fn)(const struct elfsym *s, void *ctx), void *ctx)
{
	bool glob = function_is_glob(name);
	VEC(const struct elfsym *) hits = { 0 };
	size_t n = 0;
	vec_each(&t->syms, s)
		if (!s->data && (glob ? !s->plt && glob_match(name, s->name) : !strcmp(s->name, name)))
			*vec_push(&hits) = s;
	if (hits.n)
		qsort(hits.at, hits.n, sizeof(*hits.at), by_place);
	for (size_t i = 0; i < hits.n; i++) {
		if (i && hits.at[i]->addr == hits.at[i - 1]->addr)
			continue;
		n++;
		fn(hits.at[i], ctx);
	}
	vec_release(&hits);
	return n;
}

const struct elfsym *elfsyms_first(struct elfsyms *t, const char *name)
{
	vec_each(&t->syms, s)
		if (!s->data && !strcmp(s->name, name))
			return s;
	return NULL;
}

size_t elfsyms_count(const struct elfsyms *t, const char *name)
{
	size_t n = 0;
	vec_each(&t->syms, s)
		n += !s->data && !strcmp(s->name, name);
	return n;
}

const struct elfsym *elfsyms_data(struct elfsyms *t, const char *name)
{
	vec_each(&t->syms, s)
		if (s->data && !strcmp(s->name, name))
			return s;
	return NULL;
}

const struct elfsym *elfsyms_data_at(struct elfsyms *t, uint64_t addr)
{
	const struct elfsym *best = NULL;
	vec_each(&t->syms, s)
		if (s->data && addr >= s->addr && addr - s->addr < (s->size ? s->size : 1) && (!best || s->global > best->global))
			best = s;
	return best;
}

/* Among names of one address: the one wanted, then a plain global one, then any. */
static int rank(const struct elfsym *s, const char *want)
{
	if (want && !strcmp(s->name, want))
		return 4;
	return (s->global ? 2 : 0) + (s->name[0] != '_');
}

const struct elfsym *elfsyms_at(struct elfsyms *t, uint64_t addr, const char *name_hint)
{
	const struct elfsym *best = NULL;
	vec_each(&t->syms, s) {
		if (s->data || s->addr > addr || (s->size && addr - s->addr >= s->size))
			continue;
		if (!best || s->addr > best->addr ||
		    (s->addr == best->addr && rank(s, name_hint) > rank(best, name_hint)))
			best = s;
	}
	return best;
}
