// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/file/slim.h"
#include <errno.h>
#include <gelf.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/file.h"
#include "kernel/plain.h"

struct slimmer { Elf *from, *to; size_t names, symtab_names; bool symbols, dwarf; uint64_t at, max; };

static bool is_wanted(const struct slimmer *s, Elf_Scn *scn, const GElf_Shdr *h)
{
	const char *name = elf_strptr(s->from, s->names, h->sh_name);
	size_t i = elf_ndxscn(scn);
	if (!name || h->sh_type == SHT_NOBITS)
		return false;
	if (i == s->names || h->sh_type == SHT_NOTE)
		return true;
	if (s->symbols && (h->sh_type == SHT_SYMTAB || i == s->symtab_names || !strcmp(name, ".gnu_debugdata")))
		return true;
	return s->dwarf && (str_starts(name, ".debug_") || str_starts(name, ".zdebug_") || !strcmp(name, ".gnu_debugaltlink"));
}

/* One section: its header, and its bytes as they are in the file (compressed, if they are). */
static int copy_section(struct slimmer *s, Elf_Scn *scn)
{
	GElf_Shdr h;
	Elf_Scn *new = elf_newscn(s->to);
	if (!new || !gelf_getshdr(scn, &h))
		return -EBADMSG;
	uint64_t align = h.sh_addralign && h.sh_addralign <= 4096 ? h.sh_addralign : 1;
	s->at = (s->at + align - 1) / align * align;
	h.sh_offset = s->at;
	if (is_wanted(s, scn, &h)) {
		Elf_Data *raw = elf_rawdata(scn, NULL), *d = elf_newdata(new);
		if (!raw || !d)
			return -EBADMSG;
		*d = (Elf_Data){ .d_buf = raw->d_buf, .d_type = ELF_T_BYTE, .d_version = EV_CURRENT, .d_size = raw->d_size, .d_align = align };
		h.sh_size = raw->d_size;
		s->at += raw->d_size;
	} else {
		h.sh_type = SHT_NOBITS;
		h.sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	}
	return s->at > s->max ? -EFBIG : gelf_update_shdr(new, &h) ? 0 : -EBADMSG;
}

static int copy_header(struct slimmer *s)
{
	GElf_Ehdr e;
	if (!gelf_getehdr(s->from, &e) || !gelf_newehdr(s->to, gelf_getclass(s->from)))
		return -EBADMSG;
	s->at = (s->at + 7) / 8 * 8;
	e.e_shoff = s->at;
	e.e_phoff = e.e_phnum = e.e_phentsize = 0;
	return gelf_update_ehdr(s->to, &e) ? 0 : -EBADMSG;
}

static int copy(struct slimmer *s)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;
	if (elf_kind(s->from) != ELF_K_ELF || elf_getshdrstrndx(s->from, &s->names))
		return -ENOEXEC;
	while ((scn = elf_nextscn(s->from, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
			s->symtab_names = h.sh_link;
	s->at = gelf_fsize(s->from, ELF_T_EHDR, 1, EV_CURRENT);
	int err = copy_header(s); /* sections need one to be added to */
	while (!err && (scn = elf_nextscn(s->from, scn)))
		err = copy_section(s, scn);
	if (!err)
		err = copy_header(s);
	(void)elf_flagelf(s->to, ELF_C_SET, ELF_F_LAYOUT);
	return err ? err : elf_update(s->to, ELF_C_WRITE) < 0 ? -EBADMSG : 0;
}

int elf_slim(const char *path, bool symbols, bool dwarf, size_t max, struct str *out)
{
	elf_version(EV_CURRENT);
	int in = plain_open(path, 0), to = memfd_create("sonde-slim", MFD_CLOEXEC);
	struct slimmer s = { .symbols = symbols, .dwarf = dwarf, .max = max };
	s.from = in >= 0 ? elf_begin(in, ELF_C_READ_MMAP, NULL) : NULL;
	s.to = to >= 0 ? elf_begin(to, ELF_C_WRITE, NULL) : NULL;
	int err = in < 0 ? in : s.from && s.to ? copy(&s) : -ENOEXEC;
	if (s.to)
		elf_end(s.to);
	if (s.from)
		elf_end(s.from);
	if (!err)
		err = lseek(to, 0, SEEK_SET) ? -errno : file_read_fd(to, out, max + (1 << 20)); /* headers of sections */
	if (in >= 0)
		close(in);
	if (to >= 0)
		close(to);
	return err;
}
