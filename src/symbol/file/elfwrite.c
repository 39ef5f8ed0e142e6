// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/file/elfwrite.h"
#include <dwarf.h>
#include <elf.h>
#include <string.h>
#include "base/map.h"
#include "base/words.h"

enum { PART_NONE, PART_TEXT, PART_SYMTAB, PART_STRTAB, PART_NOTE, PART_NAMES, PART_LINE, PART_INFO, PART_ABBREV, PARTS };
static const char *const names[PARTS] = { "", ".text", ".symtab", ".strtab", ".note.gnu.build-id", ".shstrtab", ".debug_line",
					  ".debug_info", ".debug_abbrev" };

static void put(struct str *s, uint64_t v, size_t bytes) /* what reads it has our byte order */
{
	str_addn(s, &v, bytes);
}

static void put_uleb(struct str *s, uint64_t v)
{
	do {
		str_addc(s, (char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0)));
		v >>= 7;
	} while (v);
}

static void put_sleb(struct str *s, int64_t v)
{
	for (bool more = true; more; v >>= 7) {
		more = !((v >> 6 == 0 || v >> 6 == -1));
		str_addc(s, (char)((v & 0x7f) | (more ? 0x80 : 0)));
	}
}

static void put_text(struct str *s, const char *z)
{
	str_addn(s, z, strlen(z) + 1);
}

/* ---- source lines: one unit, one sequence ---- */

static size_t file_number(wordlist *files, const char *file)
{
	for (size_t i = 0; i < files->n; i++)
		if (!strcmp(files->at[i], file))
			return i + 1;
	wordlist_add(files, file);
	return files->n;
}

/* The rows of the table; false: there is none within the function. */
static bool put_rows(struct str *s, const struct elf_function *f, wordlist *files)
{
	enum { FILES_MAX = 256 }; /* a function is of few */
	struct jit_lines cursor = *f->lines;
	struct jit_line l;
	uint64_t at = 0, n = 0;
	int64_t line = 1;
	size_t file = 1;
	str_addn(s, "\0\x09\x02", 3); /* DW_LNE_set_address */
	put(s, ELF_FUNCTION_AT, 8);
	while (jit_lines_next(&cursor, &l)) {
		uint64_t off = l.addr - f->addr;
		if (off >= f->size || off < at || !l.file || files->n >= FILES_MAX)
			continue;
		size_t number = file_number(files, l.file);
		if (number != file) {
			str_addc(s, DW_LNS_set_file);
			put_uleb(s, file = number);
		}
		if (off > at) {
			str_addc(s, DW_LNS_advance_pc);
			put_uleb(s, off - at);
		}
		str_addc(s, DW_LNS_advance_line);
		put_sleb(s, l.line - line);
		str_addc(s, DW_LNS_copy);
		line = l.line;
		at = off;
		n++;
	}
	str_addc(s, DW_LNS_advance_pc);
	put_uleb(s, f->size - at);
	str_addn(s, "\0\x01\x01", 3); /* DW_LNE_end_sequence */
	return n;
}

static bool make_line_table(struct str *s, const struct elf_function *f)
{
	struct str head = STR_INIT, rows = STR_INIT;
	wordlist files = { 0 };
	bool some = put_rows(&rows, f, &files);
	str_addn(&head, "\x01\x01\xfb\x0e\x0a", 5); /* instructions of 1 byte, statements, lines from -5 in steps of 14, 9 opcodes: */
	str_addn(&head, "\0\x01\x01\x01\x01\0\0\0\x01", 9);
	str_addc(&head, 0); /* no folders */
	vec_each(&files, z) {
		put_text(&head, *z);
		str_addn(&head, "\0\0\0", 3);
	}
	str_addc(&head, 0);
	put(s, 2 + 4 + head.len + rows.len, 4);
	put(s, 2, 2); /* the version */
	put(s, head.len, 4);
	str_addn(s, head.buf, head.len);
	str_addn(s, rows.buf, rows.len);
	wordlist_release(&files);
	str_release(&head);
	str_release(&rows);
	return some;
}

static void make_unit(struct str *info, struct str *abbrev, const struct elf_function *f)
{
	const unsigned char shape[] = { 1, DW_TAG_compile_unit, DW_CHILDREN_no, DW_AT_stmt_list, DW_FORM_sec_offset, DW_AT_low_pc, DW_FORM_addr,
					DW_AT_high_pc, DW_FORM_data8, 0, 0, 0 };
	struct str body = STR_INIT;
	put(&body, 4, 2); /* the version */
	put(&body, 0, 4);
	put(&body, 8, 1);
	put_uleb(&body, 1);
	put(&body, 0, 4);
	put(&body, ELF_FUNCTION_AT, 8);
	put(&body, f->size, 8);
	put(info, body.len, 4);
	str_addn(info, body.buf, body.len);
	str_addn(abbrev, shape, sizeof(shape));
	str_release(&body);
}

/* ---- the file ---- */

static void make_id(struct build_id *id, const struct elf_function *f, const struct str *lines)
{
	uint64_t h[3];
	for (int i = 0; i < 3; i++) {
		h[i] = hash_bytes(f->code, f->size, 2 * i + 1);
		h[i] = hash_bytes(f->name, strlen(f->name), h[i]);
		h[i] = hash_bytes(lines->buf, lines->len, h[i] ^ f->addr);
	}
	id->n = sizeof(id->id);
	memcpy(id->id, h, sizeof(id->id));
}

static void make_symbols(struct str *part, const struct elf_function *f)
{
	Elf64_Sym none = { 0 }, s = { .st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = PART_TEXT, .st_value = ELF_FUNCTION_AT,
				      .st_size = f->size };
	str_addn(&part[PART_SYMTAB], &none, sizeof(none));
	str_addn(&part[PART_SYMTAB], &s, sizeof(s));
	str_addc(&part[PART_STRTAB], 0);
	put_text(&part[PART_STRTAB], f->name);
}

static void make_note(struct str *s, const struct build_id *id)
{
	put(s, 4, 4);
	put(s, id->n, 4);
	put(s, NT_GNU_BUILD_ID, 4);
	str_addn(s, "GNU", 4);
	str_addn(s, id->id, id->n);
}

static void put_heads(struct str *out, const struct elf_function *f, uint64_t sections, unsigned n)
{
	Elf64_Ehdr e = { .e_type = ET_DYN, .e_machine = f->machine, .e_version = EV_CURRENT, .e_phoff = sizeof(e), .e_shoff = sections,
			 .e_ehsize = sizeof(e), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = n,
			 .e_shstrndx = PART_NAMES, .e_entry = ELF_FUNCTION_AT };
	Elf64_Phdr p = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = ELF_FUNCTION_AT + f->size, .p_memsz = ELF_FUNCTION_AT + f->size,
			 .p_align = 4096 };
	memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = ELFCLASS64;
	e.e_ident[EI_DATA] = ELFDATA2LSB;
	e.e_ident[EI_VERSION] = EV_CURRENT;
	str_addn(out, &e, sizeof(e));
	str_addn(out, &p, sizeof(p));
	while (out->len < ELF_FUNCTION_AT)
		str_addc(out, 0);
}

static Elf64_Shdr section_of(int i, uint64_t offset, uint64_t size)
{
	Elf64_Shdr h = { .sh_type = SHT_PROGBITS, .sh_offset = offset, .sh_size = size, .sh_addralign = 1 };
	if (i == PART_TEXT) {
		h.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
		h.sh_addr = ELF_FUNCTION_AT;
	} else if (i == PART_SYMTAB) {
		h.sh_type = SHT_SYMTAB;
		h.sh_link = PART_STRTAB;
		h.sh_info = 1;
		h.sh_entsize = sizeof(Elf64_Sym);
		h.sh_addralign = 8;
	} else if (i == PART_STRTAB || i == PART_NAMES) {
		h.sh_type = SHT_STRTAB;
	} else if (i == PART_NOTE) {
		h.sh_type = SHT_NOTE;
		h.sh_addralign = 4;
	}
	return h;
}

static void align(struct str *s)
{
	while (s->len % 8)
		str_addc(s, 0);
}

void elf_function_make(struct str *out, const struct elf_function *f, struct build_id *id)
{
	struct str part[PARTS], heads = STR_INIT, file = STR_INIT;
	Elf64_Shdr none = { 0 };
	for (int i = 0; i < PARTS; i++)
		str_init(&part[i]);
	bool lines = f->lines && make_line_table(&part[PART_LINE], f);
	int n = lines ? PARTS : PART_LINE;
	if (lines)
		make_unit(&part[PART_INFO], &part[PART_ABBREV], f);
	make_id(id, f, &part[PART_LINE]);
	str_addn(&part[PART_TEXT], f->code, f->size);
	make_symbols(part, f);
	make_note(&part[PART_NOTE], id);
	str_addn(&heads, &none, sizeof(none));
	for (int i = 0; i < n; i++) { /* behind the heads, which are as long as what comes before the code */
		Elf64_Shdr h = section_of(i, ELF_FUNCTION_AT + file.len, part[i].len);
		if (i == PART_NAMES) {
			for (int k = 0; k < n; k++)
				put_text(&part[i], names[k]);
			h.sh_size = part[i].len;
		}
		for (int k = 0; k < i; k++)
			h.sh_name += strlen(names[k]) + 1;
		if (i)
			str_addn(&heads, &h, sizeof(h));
		str_addn(&file, part[i].buf, part[i].len);
		align(&file);
	}
	put_heads(out, f, ELF_FUNCTION_AT + file.len, n);
	str_addn(out, file.buf, file.len);
	str_addn(out, heads.buf, heads.len);
	for (int i = 0; i < PARTS; i++)
		str_release(&part[i]);
	str_release(&heads);
	str_release(&file);
}
