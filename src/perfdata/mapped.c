// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that are mapped while others may cut them. Touching a page behind the new end raises SIGBUS; the handler
 * puts zeros there, up to the end of the mapping, and says so in a flag that the reader looks at when it stumbles. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "perfdata/internal.h"

/* Written by one thread only, with the count last. */
static struct { uintptr_t start, end; volatile bool *shrunk; } maps[8];
static volatile size_t n_maps;
static uintptr_t page;
static struct sigaction before;

static void on_bus(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr & ~(page - 1);
	(void)context;
	for (size_t i = 0; i < n_maps; i++) {
		if (at < maps[i].start || at >= maps[i].end)
			continue;
		if (mmap((void *)at, maps[i].end - at, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			break;
		*maps[i].shrunk = true;
		return;
	}
	sigaction(sig, &before, NULL); /* not ours: it comes again, for whom it is meant */
}

void mapped_add(const void *map, size_t len, volatile bool *shrunk)
{
	struct sigaction act = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };
	if (n_maps == sizeof(maps) / sizeof(maps[0]))
		return;
	page = sysconf(_SC_PAGESIZE);
	maps[n_maps].start = (uintptr_t)map;
	maps[n_maps].end = (uintptr_t)map + len;
	maps[n_maps].shrunk = shrunk;
	n_maps = n_maps + 1;
	if (n_maps == 1)
		sigaction(SIGBUS, &act, &before);
}

void mapped_remove(const void *map)
{
	for (size_t i = 0; i < n_maps; i++) {
		if (maps[i].start != (uintptr_t)map)
			continue;
		maps[i] = maps[n_maps - 1];
		n_maps = n_maps - 1;
		if (!n_maps)
			sigaction(SIGBUS, &before, NULL);
		return;
	}
}
