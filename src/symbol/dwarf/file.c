// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "kernel/plain.h"
#include "symbol/file/debugfile.h"
#include "symbol/dwarf/inner.h"

static Elf_Scn *section(Elf *elf, const char *name, GElf_Shdr *sh)
{
	size_t names;
	Elf_Scn *scn = NULL;
	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *n = gelf_getshdr(scn, sh) ? elf_strptr(elf, names, sh->sh_name) : NULL;
		if (!n || sh->sh_type == SHT_NOBITS)
			continue;
		if (!strcmp(n, name) || (n[0] == '.' && n[1] == 'z' && !strcmp(n + 2, name + 1)))
			return scn;
	}
	return NULL;
}

struct dwarf_bytes dwarf_elf_bytes(Elf *elf, const char *name)
{
	GElf_Shdr sh;
	Elf_Scn *scn = section(elf, name, &sh);
	Elf_Data *d = scn ? elf_getdata(scn, NULL) : NULL;
	return d && d->d_buf ? (struct dwarf_bytes){ d->d_buf, d->d_size } : (struct dwarf_bytes){ 0 };
}

struct dwarf_bytes dwarf_section_bytes(struct dwarf_file *f, const char *name)
{
	return dwarf_elf_bytes(dwarf_getelf(f->dw), name);
}

/* Attribute values point into libdw's own view of .debug_info: search that very memory. */
static struct dwarf_bytes info_of(Dwarf *dw, Elf *elf)
{
	struct dwarf_bytes b = dwarf_elf_bytes(elf, ".debug_info");
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	if (dwarf_get_units(dw, NULL, &cu, NULL, NULL, &die, NULL) || !die.addr)
		return (struct dwarf_bytes){ 0 };
	b.p = (const uint8_t *)die.addr - dwarf_dieoffset(&die);
	return b;
}

static int open_module(struct dwarf_file *f)
{
	static const Dwfl_Callbacks callbacks = {
		.section_address = dwfl_offline_section_address,
		.find_debuginfo = dwarf_find_debuginfo,
	};
	Dwarf_Addr bias;
	f->dwfl = dwfl_begin(&callbacks);
	if (!f->dwfl)
		return -ENOMEM;
	dwfl_report_begin(f->dwfl);
	int fd = dup(f->fd);
	Dwfl_Module *m = fd >= 0 ? dwfl_report_offline(f->dwfl, "", f->path, fd) : NULL;
	if (!m && fd >= 0)
		close(fd);
	dwfl_report_end(f->dwfl, NULL, NULL);
	f->dw = m ? dwfl_module_getdwarf(m, &bias) : NULL;
	f->elf = m ? dwfl_module_getelf(m, &bias) : NULL;
	if (f->dw)
		dwarf_new_oom_handler(f->dw, out_of_memory);
	return f->dw && f->elf && dwarf_names_plain(f->dw, f->path) ? 0 : -ENODATA;
}

static int open_plain(struct dwarf_file *f)
{
	struct dwarf_package *k = dwarf_package_open(f->path);
	int err = 0;
	f->elf = elf_begin(f->fd, k ? ELF_C_READ_MMAP_PRIVATE : ELF_C_READ_MMAP, NULL);
	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF)
		err = -ENOEXEC;
	else if (k)
		err = dwarf_package_disguise(f->fd);
	if (!err) {
		f->dw = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
		if (f->dw)
			dwarf_new_oom_handler(f->dw, out_of_memory);
		err = f->dw && dwarf_names_plain(f->dw, f->path) ? 0 : -ENODATA;
	}
	if (!err && k)
		dwarf_package_provide(k, f->dw);
	f->packed = k != NULL;
	dwarf_package_close(k);
	return err;
}

static bool is_relocatable(int fd)
{
	Elf *e = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	GElf_Ehdr eh;
	bool yes = e && gelf_getehdr(e, &eh) && eh.e_type == ET_REL;
	if (e)
		elf_end(e);
	return yes;
}

static const char *alt_link(Dwarf *dw, struct build_id *id)
{
	const char *name;
	const void *bytes;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(dw, &name, &bytes);
	id->n = 0;
	if (n < 2 || n > (ssize_t)sizeof(id->id))
		return NULL;
	id->n = (uint8_t)n;
	memcpy(id->id, bytes, n);
	return name;
}

char *dwarf_file_alt(struct dwarf_file *f, struct build_id *id)
{
	struct debugfile d;
	const char *name = alt_link(f->dw, id), *slash = strrchr(f->path, '/');
	if (!name)
		return NULL;
	char *whole = *name == '/' || !slash ? xstrdup(name) : xasprintf("%.*s/%s", (int)(slash - f->path), f->path, name);
	struct debugfile_query q = { .binary = whole, .id = id, .want = 'd' };
	(void)debugfile_search(&d, &q);
	char *found = d.path;
	d.path = NULL;
	debugfile_release(&d);
	free(whole);
	return found;
}

/* One that somebody brought along is not where libdw looks. */
static void open_given_alt(struct dwarf_file *f)
{
	struct build_id id;
	const char *path = alt_link(f->dw, &id) ? debugfile_given(&id) : NULL;
	int fd = path ? plain_open(path, 0) : -1;
	f->given_alt = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
	f->alt_fd = fd;
	if (f->given_alt)
		dwarf_setalt(f->dw, f->given_alt);
	else if (fd >= 0)
		close(fd);
}

static void open_alt(struct dwarf_file *f)
{
	open_given_alt(f);
	f->alt = dwarf_getalt(f->dw);
	if (!f->alt)
		return;
	dwarf_new_oom_handler(f->alt, out_of_memory);
	Elf *e = dwarf_getelf(f->alt);
	f->alt_info = info_of(f->alt, e);
	f->alt_str = dwarf_elf_bytes(e, ".debug_str");
}

int dwarf_file_open(struct dwarf_file **out, const char *path, Elf *text)
{
	struct dwarf_file *f = xcalloc(1, sizeof(*f));
	GElf_Shdr sh;
	int err = 0;
	elf_version(EV_CURRENT);
	f->path = xstrdup(path);
	f->text = text;
	f->fd = plain_open(path, 0);
	if (f->fd < 0)
		err = f->fd;
	else if (is_relocatable(f->fd))
		err = open_module(f);
	else
		err = open_plain(f);
	if (!err && !(f->info = info_of(f->dw, dwarf_getelf(f->dw))).n)
		err = -ENODATA;
	if (err) {
		dwarf_file_close(f);
		return err;
	}
	f->str = dwarf_elf_bytes(dwarf_getelf(f->dw), ".debug_str");
	/* .debug_addr: split units, whose names are in files of their own */
	f->has_str_offsets = section(dwarf_getelf(f->dw), ".debug_str_offsets", &sh) ||
			     section(dwarf_getelf(f->dw), ".debug_addr", &sh);
	if (section(dwarf_getelf(f->dw), ".gnu_debugaltlink", &sh) || section(dwarf_getelf(f->dw), ".debug_sup", &sh))
		open_alt(f);
	(void)build_id_of_file(path, &f->id);
	*out = f;
	return 0;
}

void dwarf_file_close(struct dwarf_file *f)
{
	if (!f)
		return;
	if (f->cfi_eh)
		dwarf_cfi_end(f->cfi_eh);
	if (f->dwfl) {
		dwfl_end(f->dwfl);
	} else {
		if (f->dw)
			dwarf_end(f->dw);
		if (f->elf)
			elf_end(f->elf);
	}
	if (f->given_alt) {
		dwarf_end(f->given_alt);
		close(f->alt_fd);
	}
	free(f->missing_dwo);
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	free(f);
}

bool dwarf_file_is_whole(struct dwarf_file *f)
{
	Dwarf_CU *cu = NULL;
	GElf_Shdr sh;
	uint8_t type;
	Elf *elf = dwarf_getelf(f->dw);
	if (f->packed || section(elf, ".debug_sup", &sh))
		return false;
	while (!dwarf_get_units(f->dw, cu, &cu, NULL, &type, NULL, NULL))
		if (type == DW_UT_skeleton)
			return false;
	return true;
}

Elf *dwarf_file_elf(struct dwarf_file *f)
{
	return f->dwfl ? f->elf : dwarf_getelf(f->dw);
}

Dwarf_Die dwarf_unit_root(Dwarf_Die *skeleton)
{
	uint8_t type;
	Dwarf_Die sub;
	if (!dwarf_cu_info(skeleton->cu, NULL, &type, NULL, &sub, NULL, NULL, NULL) && type == DW_UT_skeleton && sub.addr)
		return sub;
	return *skeleton;
}

bool dwarf_unit_next(struct dwarf_file *f, Dwarf_CU **cursor, Dwarf_Die *skeleton, Dwarf_Die *root)
{
	uint8_t type;
	Dwarf_Die sub;
	for (;;) {
		if (dwarf_get_units(f->dw, *cursor, cursor, NULL, &type, skeleton, &sub))
			return false;
		if (type != DW_UT_compile && type != DW_UT_skeleton && type != DW_UT_partial)
			continue;
		*root = type == DW_UT_skeleton && sub.addr ? sub : *skeleton;
		if (type == DW_UT_skeleton && !sub.addr && !f->missing_dwo) {
			Dwarf_Attribute a;
			const char *name = dwarf_attr(skeleton, DW_AT_dwo_name, &a) || dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &a) ?
					   dwarf_formstring(&a) : NULL;
			const char *dir = dwarf_attr(skeleton, DW_AT_comp_dir, &a) ? dwarf_formstring(&a) : NULL;
			if (name)
				f->missing_dwo = *name == '/' || !dir ? xstrdup(name) : xasprintf("%s/%s", dir, name);
		}
		return true;
	}
}
