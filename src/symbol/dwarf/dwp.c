// SPDX-License-Identifier: GPL-2.0-or-later
/* Split debug information packed into one file, PROGRAM.dwp.
 *
 * A unit of a split build is a skeleton in the program and the rest in a .dwo file; a .dwp file holds many of these, with an
 * index from the unit's number to its pieces of each section. libdw before 0.191 knows .dwo files only, and finds them by
 * the name in the skeleton, below the folder of the program. So each unit is cut out of the package into a .dwo file that
 * exists in memory alone (a memfd), the skeleton's name for it is overwritten in our private copy of the strings by "fd/N",
 * and the program passes for a file in /proc/PID: then libdw opens /proc/PID/fd/N, which is that very file. Strings are
 * copied along one by one, since a package has those of all units in one section. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/error.h"
#include "kernel/plain.h"
#include "kernel/root.h"
#include "symbol/dwarf/inner.h"

enum { DW_COLUMNS_MAX = 16, PACKAGE_MAX = 1 << 30, INDEX_HEAD = 16 };
/* What a column of the index holds; numbers 2, 5, 7 and 8 mean other things in GNU's first version. */
enum { COL_INFO = 1, COL_ABBREV = 3, COL_LINE = 4, COL_LOC = 5, COL_STR_OFFSETS = 6, COL_MACRO = 7, COL_RNGLISTS = 8 };

struct dwarf_package {
	int fd;
	Elf *elf;
	bool v5;
	GElf_Half machine;
	struct dwarf_bytes section[DW_COLUMNS_MAX], str, index;
	uint32_t columns, units, slots;
};

static uint32_t u32_at(struct dwarf_bytes b, uint64_t at)
{
	uint32_t v;
	if (b.n < 4 || at > b.n - 4)
		return 0;
	memcpy(&v, b.p + at, 4);
	return v;
}

static uint64_t u64_at(struct dwarf_bytes b, uint64_t at)
{
	return u32_at(b, at) | (uint64_t)u32_at(b, at + 4) << 32;
}

static const char *section_name(bool v5, int column)
{
	switch (column) {
	case COL_INFO:
		return ".debug_info.dwo";
	case COL_ABBREV:
		return ".debug_abbrev.dwo";
	case COL_LINE:
		return ".debug_line.dwo";
	case COL_LOC:
		return v5 ? ".debug_loclists.dwo" : ".debug_loc.dwo";
	case COL_STR_OFFSETS:
		return ".debug_str_offsets.dwo";
	case COL_RNGLISTS:
		return v5 ? ".debug_rnglists.dwo" : NULL;
	}
	return NULL;
}

/* ---- the index ---- */

static bool read_index(struct dwarf_package *k)
{
	uint32_t first = u32_at(k->index, 0);
	k->v5 = (first & 0xffff) == 5;
	if (!k->v5 && first != 2)
		return false;
	k->columns = u32_at(k->index, 4);
	k->units = u32_at(k->index, 8);
	k->slots = u32_at(k->index, 12);
	if (!k->columns || k->columns > DW_COLUMNS_MAX || k->units > k->slots || k->slots > k->index.n / 12)
		return false;
	return INDEX_HEAD + 12ull * k->slots + 4ull * k->columns + 8ull * k->columns * k->units <= k->index.n;
}

/* The piece of a section that a unit has: row counts from 1. */
static struct dwarf_bytes piece(const struct dwarf_package *k, uint32_t row, int column)
{
	uint64_t ids = INDEX_HEAD + 12ull * k->slots, table = ids + 4ull * k->columns, size = 4ull * k->columns * k->units;
	for (uint32_t c = 0; c < k->columns; c++) {
		if (u32_at(k->index, ids + 4ull * c) != (uint32_t)column)
			continue;
		uint64_t cell = 4ull * ((uint64_t)(row - 1) * k->columns + c);
		uint32_t off = u32_at(k->index, table + cell), n = u32_at(k->index, table + size + cell);
		const struct dwarf_bytes *s = &k->section[column];
		/* a section may be missing: then there is nothing to count from */
		return n && off <= s->n && n <= s->n - off ? (struct dwarf_bytes){ s->p + off, n } : (struct dwarf_bytes){ 0 };
	}
	return (struct dwarf_bytes){ 0 };
}

static uint32_t row_of(const struct dwarf_package *k, uint64_t id)
{
	for (uint32_t i = 0; i < k->slots; i++) {
		uint32_t row = u32_at(k->index, INDEX_HEAD + 8ull * k->slots + 4ull * i);
		if (row && row <= k->units && u64_at(k->index, INDEX_HEAD + 8ull * i) == id)
			return row;
	}
	return 0;
}

/* ---- one unit as a file ---- */

/* The unit's own strings, and its table with their new offsets. */
static void take_strings(const struct dwarf_package *k, struct dwarf_bytes offsets, struct str *table, struct str *strings)
{
	size_t head = k->v5 ? 8 : 0; /* length, version, padding */
	if (offsets.n < head)
		return;
	str_addn(table, offsets.p, head);
	for (size_t at = head; at + 4 <= offsets.n; at += 4) {
		uint32_t old = u32_at(offsets, at), now = (uint32_t)strings->len;
		const char *s = old < k->str.n ? (const char *)k->str.p + old : "";
		size_t n = old < k->str.n ? strnlen(s, k->str.n - old) : 0;
		str_addn(table, &now, 4);
		str_addn(strings, s, n);
		str_addc(strings, 0);
	}
}

struct dwp_part { const char *name; struct dwarf_bytes bytes; };

static void write_elf(const struct dwp_part *parts, int n, GElf_Half machine, struct str *out)
{
	Elf64_Ehdr eh = { .e_type = ET_REL, .e_machine = machine, .e_version = EV_CURRENT, .e_ehsize = sizeof(eh),
			  .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = (Elf64_Half)(n + 2), .e_shstrndx = (Elf64_Half)(n + 1) };
	Elf64_Shdr sh[DW_COLUMNS_MAX + 3] = { 0 };
	struct str names = STR_INIT;
	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_ident[EI_VERSION] = EV_CURRENT;
	str_addn(out, &eh, sizeof(eh));
	str_addc(&names, 0);
	for (int i = 0; i <= n; i++) {
		const char *name = i < n ? parts[i].name : ".shstrtab";
		sh[i + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)names.len, .sh_type = i < n ? SHT_PROGBITS : SHT_STRTAB,
					  .sh_addralign = 1, .sh_offset = out->len };
		str_addn(&names, name, strlen(name) + 1);
		str_addn(out, i < n ? (const void *)parts[i].bytes.p : names.buf, i < n ? parts[i].bytes.n : names.len);
		sh[i + 1].sh_size = out->len - sh[i + 1].sh_offset;
	}
	while (out->len % 8)
		str_addc(out, 0);
	eh.e_shoff = out->len;
	memcpy(out->buf, &eh, sizeof(eh));
	str_addn(out, sh, sizeof(sh[0]) * (size_t)(n + 2));
	str_release(&names);
}

/* A memfd with the unit as a .dwo file, or -errno. */
static int unit_file(const struct dwarf_package *k, uint32_t row)
{
	struct dwp_part parts[DW_COLUMNS_MAX];
	struct str table = STR_INIT, strings = STR_INIT, file = STR_INIT;
	int n = 0, fd = memfd_create("dwo", MFD_CLOEXEC);
	take_strings(k, piece(k, row, COL_STR_OFFSETS), &table, &strings);
	for (int c = COL_INFO; c <= COL_RNGLISTS; c++) {
		const char *name = section_name(k->v5, c);
		struct dwarf_bytes b = c == COL_STR_OFFSETS ? (struct dwarf_bytes){ (uint8_t *)table.buf, table.len } : piece(k, row, c);
		if (name && b.n)
			parts[n++] = (struct dwp_part){ name, b };
	}
	parts[n++] = (struct dwp_part){ ".debug_str.dwo", { (uint8_t *)strings.buf, strings.len } };
	write_elf(parts, n, k->machine, &file);
	if (fd >= 0 && write(fd, file.buf, file.len) != (ssize_t)file.len) {
		close(fd);
		fd = -EIO;
	}
	str_release(&table);
	str_release(&strings);
	str_release(&file);
	return fd < 0 && fd != -EIO ? -errno : fd;
}

/* ---- in place of the .dwo files ---- */

struct dwarf_package *dwarf_package_open(const char *program)
{
	struct dwarf_package *k = xcalloc(1, sizeof(*k));
	char *path = xasprintf("%s.dwp", program);
	k->fd = plain_open(path, 0);
	free(path);
	if (k->fd >= 0 && lseek(k->fd, 0, SEEK_END) <= PACKAGE_MAX)
		k->elf = elf_begin(k->fd, ELF_C_READ_MMAP, NULL);
	GElf_Ehdr eh;
	if (k->elf && elf_kind(k->elf) == ELF_K_ELF && gelf_getehdr(k->elf, &eh)) {
		k->machine = eh.e_machine;
		k->index = dwarf_elf_bytes(k->elf, ".debug_cu_index");
		k->str = dwarf_elf_bytes(k->elf, ".debug_str.dwo");
		if (read_index(k)) {
			for (int c = COL_INFO; c <= COL_RNGLISTS; c++)
				if (section_name(k->v5, c))
					k->section[c] = dwarf_elf_bytes(k->elf, section_name(k->v5, c));
			return k;
		}
	}
	dwarf_package_close(k);
	return NULL;
}

void dwarf_package_close(struct dwarf_package *k)
{
	if (!k)
		return;
	if (k->elf)
		elf_end(k->elf);
	if (k->fd >= 0)
		close(k->fd);
	free(k);
}

int dwarf_package_disguise(int fd)
{
	int proc = open(root_own("status"), O_RDONLY | O_CLOEXEC);
	int err = proc >= 0 && dup3(proc, fd, O_CLOEXEC) == fd ? 0 : -errno;
	if (proc >= 0)
		close(proc);
	return err;
}

/* Gives the skeleton its other half; the name in it is in our private memory. */
static void provide(const struct dwarf_package *k, Dwarf_CU *cu, Dwarf_Die *skeleton, uint64_t id)
{
	Dwarf_Attribute a;
	Dwarf_Die sub;
	uint32_t row = row_of(k, id);
	const char *name = NULL;
	char proc[16];
	if (row && (dwarf_attr(skeleton, DW_AT_dwo_name, &a) || dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &a)))
		name = dwarf_formstring(&a);
	int fd = name ? unit_file(k, row) : -1;
	if (fd < 0)
		return;
	snprintf(proc, sizeof(proc), "fd/%d", fd);
	if (strlen(name) >= strlen(proc)) {
		memcpy((char *)name, proc, strlen(proc) + 1);
		(void)dwarf_cu_info(cu, NULL, NULL, NULL, &sub, NULL, NULL, NULL); /* libdw looks for it now */
	}
	close(fd);
}

void dwarf_package_provide(const struct dwarf_package *k, Dwarf *dw)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die skeleton;
	uint8_t type;
	uint64_t id;
	while (!dwarf_get_units(dw, cu, &cu, NULL, &type, &skeleton, NULL))
		if (type == DW_UT_skeleton && !dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &id, NULL, NULL))
			provide(k, cu, &skeleton, id);
}
