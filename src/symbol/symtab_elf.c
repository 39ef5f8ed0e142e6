// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols out of an ELF file: .symtab, .dynsym and the procedure linkage table. */
#include <stdlib.h>
#include <string.h>
#include "symbol/symtab.h"

struct raw_sym {
	uint32_t name;
	uint8_t info, other;
	uint16_t shndx;
	uint64_t value, size;
};

struct sym_table {
	uint8_t *raw;
	size_t n;
	bool is64;
	char *str;
	size_t str_len;
};

static bool sym_table_open(struct sym_table *st, const struct elf_file *e, const struct elf_section *s)
{
	*st = (struct sym_table){ .is64 = e->is64 };
	if (!s || s->link >= e->n_sec)
		return false;
	size_t len;
	st->raw = elf_contents(e, s, &len);
	st->n = len / (e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
	if (st->raw)
		st->str = elf_contents(e, &e->sec[s->link], &st->str_len);
	if (st->str)
		return true;
	free(st->raw);
	return false;
}

static struct raw_sym sym_table_at(const struct sym_table *st, size_t i)
{
	if (st->is64) {
		const Elf64_Sym *s = (const Elf64_Sym *)st->raw + i;
		return (struct raw_sym){ s->st_name, s->st_info, s->st_other, s->st_shndx, s->st_value, s->st_size };
	}
	const Elf32_Sym *s = (const Elf32_Sym *)st->raw + i;
	return (struct raw_sym){ s->st_name, s->st_info, s->st_other, s->st_shndx, s->st_value, s->st_size };
}

/* Functions and objects; labels only where they are visible and lie in text or data. */
static bool wanted(const struct raw_sym *s, const struct elf_file *e)
{
	int type = ELF64_ST_TYPE(s->info), vis = ELF64_ST_VISIBILITY(s->other);
	if (!s->name || s->shndx == SHN_UNDEF || s->shndx == SHN_ABS || s->shndx >= e->n_sec)
		return false;
	const struct elf_section *sec = &e->sec[s->shndx];
	if (!(sec->flags & SHF_ALLOC))
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
		return true;
	return type == STT_NOTYPE && vis != STV_HIDDEN && vis != STV_INTERNAL &&
	       (strstr(sec->name, "text") || strstr(sec->name, "data"));
}

static size_t load_table(struct symtab *t, const struct elf_file *e, const char *name, uint32_t type)
{
	const struct elf_section *s = elf_find(e, name);
	struct sym_table st;
	size_t before = t->sym.n;
	if (!s || s->type != type || !sym_table_open(&st, e, s))
		return 0;
	const char *file = NULL; /* each one's local symbols follow it */
	for (size_t i = 0; i < st.n; i++) {
		struct raw_sym r = sym_table_at(&st, i);
		if (r.name < st.str_len && ELF64_ST_TYPE(r.info) == STT_FILE)
			file = st.str[r.name] ? st.str + r.name : NULL;
		if (r.name >= st.str_len || !wanted(&r, e))
			continue;
		/* In an object file (a kernel module) values count from the section. */
		uint64_t base = e->type == ET_REL ? e->sec[r.shndx].offset : 0;
		if (e->laid_out && e->sec[r.shndx].addr == UINT64_MAX)
			continue;
		if (e->laid_out)
			base = e->sec[r.shndx].addr;
		symtab_add(t, base + r.value, r.size, st.str + r.name, ELF64_ST_BIND(r.info));
		if (file && ELF64_ST_BIND(r.info) == STB_LOCAL && ELF64_ST_TYPE(r.info) == STT_FUNC)
			*vec_push(&t->file) = (struct sym_file){ base + r.value, file };
	}
	free(st.raw);
	symtab_own(t, st.str);
	return t->sym.n - before;
}

static int by_address(const void *a, const void *b)
{
	const struct sym_file *x = a, *y = b;
	return x->start < y->start ? -1 : x->start > y->start;
}

const char *symtab_file(struct symtab *t, uint64_t start)
{
	struct sym_file key = { .start = start }, *found;
	if (!t->file_sorted && t->file.n)
		qsort(t->file.at, t->file.n, sizeof(*t->file.at), by_address);
	t->file_sorted = true;
	found = t->file.n ? bsearch(&key, t->file.at, t->file.n, sizeof(key), by_address) : NULL;
	return found ? found->file : NULL;
}

struct reloc { uint64_t at; int64_t sym; uint64_t addend; };

static struct reloc reloc_at(const struct elf_file *e, const struct elf_section *s, const uint8_t *p, size_t i)
{
	bool rela = s->type == SHT_RELA;
	if (e->is64) {
		uint64_t r[3] = { 0 };
		memcpy(r, p + i * (rela ? 24 : 16), rela ? 24 : 16);
		return (struct reloc){ r[0], ELF64_R_SYM(r[1]), r[2] };
	}
	uint32_t r[3] = { 0 };
	memcpy(r, p + i * (rela ? 12 : 8), rela ? 12 : 8);
	return (struct reloc){ r[0], ELF32_R_SYM(r[1]), r[2] };
}

static size_t reloc_size(const struct elf_file *e, const struct elf_section *s)
{
	return e->is64 ? (s->type == SHT_RELA ? 24 : 16) : (s->type == SHT_RELA ? 12 : 8);
}

/* Adds "name@plt" at addr; the text is made in a buffer that the table owns. A slot without a symbol
 * is an IFUNC's: its addend is the resolver, which carries the name. */
static void add_plt(struct symtab *t, const struct sym_table *dyn, struct reloc r, uint64_t addr, uint64_t size)
{
	struct sym bare = { .name = "" }, *resolver = !r.sym && r.addend ? symtab_find(t, r.addend) : NULL;
	if (r.sym < 0 || (size_t)r.sym >= dyn->n)
		return;
	struct raw_sym s = sym_table_at(dyn, r.sym);
	if (s.name >= dyn->str_len)
		return;
	bare.name = resolver ? resolver->name : dyn->str + s.name;
	const char *made_of = bare.name;
	char *name = xasprintf("%s@plt%c%s@plt", symtab_name(t, &bare), 0, made_of);
	if (bare.demangled)
		free((char *)bare.name);
	symtab_own(t, name);
	*vec_push(&t->plt) = (struct sym){ .start = addr, .end = addr + size, .name = name, .bind = STB_GLOBAL };
}

typedef VEC(struct reloc) reloclist;

static int by_slot(const void *a, const void *b)
{
	const struct reloc *x = a, *y = b;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* The relocations of a section; without_symbol: also those that carry only an addend (IFUNCs). */
static void read_relocs(const struct elf_file *e, const char *name, const struct elf_section *dynsym, bool without_symbol, reloclist *out)
{
	const struct elf_section *rel = elf_find(e, name);
	size_t len;
	if (!rel || rel->link != (size_t)(dynsym - e->sec))
		return;
	uint8_t *p = elf_contents(e, rel, &len);
	for (size_t i = 0; p && i < len / reloc_size(e, rel); i++) {
		struct reloc r = reloc_at(e, rel, p, i);
		if (r.sym || without_symbol)
			*vec_push(out) = r;
	}
	free(p);
}

/* Where the jump of a slot finds its target: the address in `jmp *disp(%rip)`, after endbr64 or a bnd
 * prefix. 0: no such jump. */
static uint64_t slot_target(const uint8_t *p, uint64_t addr)
{
	static const uint8_t at[] = { 0, 1, 4, 5 };
	for (size_t i = 0; i < sizeof(at); i++) {
		int32_t disp;
		if (p[at[i]] != 0xff || p[at[i] + 1] != 0x25)
			continue;
		memcpy(&disp, p + at[i] + 2, 4);
		return addr + at[i] + 6 + (int64_t)disp;
	}
	return 0;
}

static void name_slots(struct symtab *t, const struct elf_file *e, const char *name, const struct sym_table *dyn, const reloclist *rel)
{
	const struct elf_section *sec = elf_find(e, name);
	size_t len;
	uint8_t *p = elf_contents(e, sec, &len);
	uint64_t slot = sec && (sec->entsize == 8 || sec->entsize == 16) ? sec->entsize : 16;
	for (uint64_t off = 0; p && off + slot <= len && off + 12 <= len; off += slot) {
		struct reloc key = { .at = slot_target(p + off, sec->addr + off) };
		struct reloc *r = key.at && rel->n ? bsearch(&key, rel->at, rel->n, sizeof(key), by_slot) : NULL;
		if (r)
			add_plt(t, dyn, *r, sec->addr + off, slot);
	}
	free(p);
}

/* Elsewhere than on x86-64 slot i (after the header) is taken for relocation i. */
static void name_in_order(struct symtab *t, const struct elf_file *e, const struct sym_table *dyn, const reloclist *rel)
{
	const struct elf_section *plt = elf_find(e, ".plt");
	uint64_t slot = plt && plt->entsize >= 4 && plt->entsize <= 64 ? plt->entsize : 16;
	for (size_t i = 0; plt && i < rel->n && (i + 2) * slot <= plt->size; i++)
		add_plt(t, dyn, rel->at[i], plt->addr + (i + 1) * slot, slot);
}

static void load_plt(struct symtab *t, const struct elf_file *e)
{
	const struct elf_section *dynsym = elf_find(e, ".dynsym");
	struct sym_table dyn;
	reloclist rel = { 0 };
	if (!dynsym || !sym_table_open(&dyn, e, dynsym))
		return;
	read_relocs(e, ".rela.plt", dynsym, true, &rel);
	read_relocs(e, ".rel.plt", dynsym, true, &rel);
	if (e->machine != EM_X86_64) {
		name_in_order(t, e, &dyn, &rel);
	} else {
		if (elf_find(e, ".plt.got"))
			read_relocs(e, ".rela.dyn", dynsym, false, &rel);
		if (rel.n)
			qsort(rel.at, rel.n, sizeof(*rel.at), by_slot);
		name_slots(t, e, ".plt", &dyn, &rel);
		name_slots(t, e, ".plt.sec", &dyn, &rel);
		name_slots(t, e, ".plt.got", &dyn, &rel);
	}
	vec_release(&rel);
	free(dyn.raw);
	free(dyn.str);
}

size_t symtab_load_elf(struct symtab *t, const struct elf_file *syms, const struct elf_file *runtime)
{
	if (load_table(t, syms, ".symtab", SHT_SYMTAB))
		symtab_finish(t, false);
	size_t n = load_table(t, syms, ".dynsym", SHT_DYNSYM);
	if (!n && runtime && runtime != syms)
		n = t->sym.n ? 0 : load_table(t, runtime, ".dynsym", SHT_DYNSYM);
	if (n)
		symtab_finish(t, false);
	if (runtime && runtime->type != ET_REL) {
		load_plt(t, runtime);
		vec_each(&t->plt, s) { /* only now: resolvers were looked up in the sorted table */
			symtab_add(t, s->start, s->end - s->start, s->name, s->bind);
			if (t->sym.n && vec_last(&t->sym)->name == s->name)
				vec_last(&t->sym)->plt = true;
		}
		if (t->plt.n)
			symtab_finish(t, false);
		vec_release(&t->plt);
	}
	return t->sym.n;
}
