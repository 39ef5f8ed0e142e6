// SPDX-License-Identifier: GPL-2.0-or-later
/* Parts of the libraries that the static program (make static) has no use for: these stand in their place when it is
 * linked, so that they stay out. libdw's client of debuginfod and libtraceevent's plugins, of which sonde uses none,
 * would load shared libraries. The machines are those that sonde does not run on: libdw takes a file of theirs as one
 * of a machine that it does not know. */
#ifdef SONDE_STATIC
#include <errno.h>
#include <stddef.h>

int __libdwfl_debuginfod_find_debuginfo(void *dwfl, const unsigned char *id, size_t n);
int __libdwfl_debuginfod_find_executable(void *dwfl, const unsigned char *id, size_t n);
void __libdwfl_debuginfod_end(void *client);
void free_tep_plugin_paths(void *tep);

int __libdwfl_debuginfod_find_debuginfo(void *dwfl, const unsigned char *id, size_t n)
{
	(void)dwfl, (void)id, (void)n;
	return -ENOSYS;
}

int __libdwfl_debuginfod_find_executable(void *dwfl, const unsigned char *id, size_t n)
{
	(void)dwfl, (void)id, (void)n;
	return -ENOSYS;
}

void __libdwfl_debuginfod_end(void *client)
{
	(void)client;
}

void free_tep_plugin_paths(void *tep)
{
	(void)tep;
}

#define WITHOUT(machine)                                                       \
	void *machine##_init(void *elf, int number, void *backend);            \
	void *machine##_init(void *elf, int number, void *backend)             \
	{                                                                      \
		(void)elf, (void)number, (void)backend;                        \
		return NULL;                                                   \
	}
WITHOUT(aarch64) WITHOUT(alpha) WITHOUT(arm) WITHOUT(bpf) WITHOUT(csky) WITHOUT(ia64) WITHOUT(m68k)
WITHOUT(ppc) WITHOUT(ppc64) WITHOUT(riscv) WITHOUT(s390) WITHOUT(sh) WITHOUT(sparc)
#endif
