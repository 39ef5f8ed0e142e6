// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a mapped binary: symbols, lines, inlining, and unwinding by its call frame information. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/error.h"
#include "memory.h"
#include "symbol/unwind/cfi.h"
#include "symbol/file/elffile.h"
#include "symbol/symbols.h"

enum { BASE = 0x400000, LEN = 0x10000 };
/* The table of addresses already asked for takes 1 MiB; a compressed section may unpack to 256 KiB whatever its size
 * (beyond: to 64 times its own); xz has a window, of 16 MiB at most here. */
enum { FIXED = 1536 << 10, SECTIONS = 2 << 20, XZ = 17 << 20 };


/* Registers that point into the binary and a stack that holds addresses of it. */
static void unwind(struct symbols *s, const uint8_t *data, size_t n, uint64_t pc)
{
	uint64_t regs[17], stack[256], ips[64];
	bool truncated;
	for (int i = 0; i < 256; i++)
		stack[i] = i & 1 ? BASE + (pc + i * 16) % LEN : 0x7000 + 8 * i + (i < (int)n ? data[i] & 0xf8 : 0);
	for (int i = 0; i < 17; i++)
		regs[i] = 0x7000 + i * 64;
	regs[7] = 0x7000;
	regs[8] = pc;
	symbols_unwind(s, 1, PERF_SAMPLE_REGS_ABI_64, 0xff01ff, regs, stack, sizeof(stack), ips, 64, &truncated);
}

static void ask(struct symbols *s, const uint8_t *data, size_t n, uint64_t ip)
{
	struct frame f, in[8];
	symbols_resolve(s, 1, ip, SYM_USER, &f);
	symbols_inline(s, &f, in, 8);
	symbols_source(s, &f);
	unwind(s, data, n, ip);
}

static void all_functions(const uint8_t *data, size_t n)
{
	struct elf_file e;
	void *copy = xmalloc(n);
	memcpy(copy, data, n);
	if (elf_open_memory(&e, copy, n))
		return;
	struct cfi *c = cfi_open(&e, NULL);
	for (size_t i = 0; i < e.n_seg && i < 8; i++)
		for (uint64_t a = 0; a < e.seg[i].memsz && a < 0x4000; a += 123)
			cfi_find(c, e.seg[i].vaddr + a);
	cfi_free(c);
	elf_close(&e);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	memory_watch();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	int fd = n ? memfd_create("fuzz", MFD_CLOEXEC) : -1;
	if (fd < 0 || write(fd, data, n) != (ssize_t)n) {
		close(fd);
		return 0;
	}
	memory_begin();
	all_functions(data, n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct symbols *s = symbols_new(NULL);
	symbols_map(s, 1, BASE, LEN, 0, PROT_EXEC, path, NULL);
	for (uint64_t a = 0; a < LEN; a += 0x531)
		ask(s, data, n, BASE + a);
	symbols_free(s);
	error_clear();
	close(fd);
	bool xz = memmem(data, n, ".gnu_debugdata", 14);
	memory_check(2, n, FIXED + SECTIONS + (xz ? XZ : 0));
	return 0;
}
