// SPDX-License-Identifier: GPL-2.0-or-later
/* libdw opens the files that debugging information names by itself, whatever they are: that a file for several programs (dwz) and
 * split units (.dwo) are plain files is seen to before it gets to see them. */
#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include "kernel/plain.h"
#include "symbol/dwarf/inner.h"

/* below: the folder of the program */
static bool harmless(const char *below, const char *folder, const char *name)
{
	char *path = *name == '/'	      ? xstrdup(name) :
		     folder && *folder == '/' ? xasprintf("%s/%s", folder, name) :
						xasprintf("%s/%s%s%s", below, folder ? folder : "", folder ? "/" : "", name);
	bool yes = plain_or_absent(path);
	free(path);
	return yes;
}

static bool split_harmless(Dwarf_Die *skeleton, const char *below)
{
	Dwarf_Attribute a;
	const char *name = dwarf_attr(skeleton, DW_AT_dwo_name, &a) || dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &a) ?
			   dwarf_formstring(&a) : NULL;
	const char *folder = dwarf_attr(skeleton, DW_AT_comp_dir, &a) ? dwarf_formstring(&a) : NULL;
	return !name || (harmless(below, NULL, name) && (!folder || harmless(below, folder, name)));
}

bool dwarf_names_plain(Dwarf *dw, const char *path)
{
	const char *slash = strrchr(path, '/'), *name;
	char *below = slash ? xstrndup(path, slash - path) : xstrdup(".");
	const void *id;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	bool ok = dwelf_dwarf_gnu_debugaltlink(dw, &name, &id) <= 0 || harmless(below, NULL, name);
	if (dwarf_elf_bytes(dwarf_getelf(dw), ".debug_addr").n) /* split units need it */
		while (ok && !dwarf_get_units(dw, cu, &cu, NULL, &type, &die, NULL))
			ok = type != DW_UT_skeleton || split_harmless(&die, below);
	free(below);
	return ok;
}

int dwarf_find_debuginfo(Dwfl_Module *m, void **user, const char *module, Dwarf_Addr base, const char *file, const char *link,
			 GElf_Word crc, char **found)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	char *below = slash ? xstrndup(file, slash - file) : xstrdup(".");
	bool ok = !link || (!strchr(link, '/') && harmless(below, NULL, link) && harmless(below, ".debug", link));
	free(below);
	return ok ? dwfl_standard_find_debuginfo(m, user, module, base, file, link, crc, found) : -1;
}
