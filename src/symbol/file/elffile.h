/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files, read with every offset and count checked against the file.
 *
 * Nothing is mapped: a file that shrinks while it is read gives a short read, never SIGBUS. Headers are
 * brought into one 64-bit form; section contents are read when asked for and decompressed. Only the
 * machine's own byte order is taken. */
#ifndef SYMBOL_FILE_ELFFILE_H
#define SYMBOL_FILE_ELFFILE_H
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "symbol/symbols.h"

struct elf_section {
	const char *name; /* "" when the file lies about it */
	uint32_t type, link, info;
	uint64_t flags, addr, offset, size, entsize, align;
};
struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, vaddr, filesz, memsz;
};
struct elf_file {
	int fd; /* -1: an image in memory */
	uint8_t *mem; /* owned */
	uint64_t size;
	bool is64;
	uint16_t type, machine;
	struct elf_section *sec;
	size_t n_sec;
	struct elf_segment *seg;
	size_t n_seg;
	char *names; /* .shstrtab */
	bool laid_out; /* a kernel module whose sections have the addresses of a loaded one, counted from its base */
};

/* 0, or -errno: -ENOEXEC (not ELF), -ENOTSUP (byte order), -EBADMSG (damaged). No pending error. */
int elf_open(struct elf_file *e, const char *path);
int elf_open_fd(struct elf_file *e, int fd); /* fd is owned from here on */
int elf_open_memory(struct elf_file *e, void *owned, size_t n);
void elf_close(struct elf_file *e); /* accepts one that failed to open */

/* Gives the code of an ET_REL file the places that the kernel gives it; all else is at UINT64_MAX. */
void elf_lay_out_module(struct elf_file *e);

const struct elf_section *elf_find(const struct elf_file *e, const char *name);
/* The contents, decompressed, with a NUL behind; the caller frees. NULL: absent, NOBITS or damaged. */
void *elf_contents(const struct elf_file *e, const struct elf_section *s, size_t *len);
/* n bytes of what would be loaded at that address (of a module: of its code, as it was laid out). -EFAULT: it is not in the file. */
int elf_loaded(const struct elf_file *e, uint64_t addr, void *out, size_t n);
int elf_build_id(const struct elf_file *e, struct build_id *id);
/* Walks the notes of one block: 0 and the id when the GNU build-id is among them. */
int build_id_of_notes(const void *p, size_t n, struct build_id *id);
/* .symtab with entries; .debug_info with contents. */
bool elf_has_symtab(const struct elf_file *e);
bool elf_has_dwarf(const struct elf_file *e);
/* The image held in .gnu_debugdata (xz), opened as a file of its own. */
int elf_open_debugdata(const struct elf_file *e, struct elf_file *inner);
#endif
