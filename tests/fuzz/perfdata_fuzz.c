// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a recording: in a file, and where they have the form of a pipe also through one. It is also written anew. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/error.h"
#include "job/inject.h"
#include "session/session.h"
#include "memory.h"
#include "quiet.h"
#include "perfdata/format.h"

/* Blocks, tables and scratch memory; of a compressed recording what is unpacked and waits for its turn, and zstd's
 * window (8 MiB, or 128 when the recording says that it was made with one of the last three levels). */
enum { FIXED = 512 << 10, UNPACKED = (64 << 20) + (10 << 20), WINDOW = 130 << 20 };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	memory_watch();
	quiet_init();
	return 0;
}

/* All that was handed out must be readable. */
static uint64_t touch(const struct perfdata_record *r)
{
	uint64_t sum = r->header->size;
	for (size_t i = 0; i < r->header->size; i++)
		sum += ((const uint8_t *)r->header)[i];
	for (size_t i = 0; i < r->n_chain; i++)
		sum += r->chain[i];
	for (uint32_t i = 0; i < r->raw_size; i++)
		sum += ((const uint8_t *)r->raw)[i];
	for (uint64_t i = 0; i < r->stack_size; i++)
		sum += ((const uint8_t *)r->stack)[i];
	for (uint64_t i = 0; i < r->n_branch; i++)
		sum += r->branch[i].from;
	for (int i = 0; r->regs && i < __builtin_popcountll(r->regs_mask); i++)
		sum += r->regs[i];
	for (size_t i = 0; i < r->read_size; i++)
		sum += ((const uint8_t *)r->read_values)[i];
	return sum;
}

static void read_all(const char *path, size_t n)
{
	size_t allowance = FIXED;
	memory_begin();
	struct perfdata *p = perfdata_open(path, true);
	struct perfdata_record r;
	struct session *s = session_new(NULL);
	struct str text = STR_INIT;
	uint64_t sum = 0;
	while (p && perfdata_next(p, &r) > 0) {
		session_feed(s, &r);
		sum += touch(&r);
		if (r.tid >= 0)
			sum += session_thread(s, r.pid, r.tid)->comm[0];
	}
	__asm__ volatile("" : : "r"(sum)); /* so that all is read */
	if (p && perfdata_info(p)->compressed)
		allowance += UNPACKED + (perfdata_info(p)->compress_level >= 20 ? WINDOW : 0);
	memory_check(err_fd, n, allowance);
	if (p)
		perfdata_print_header(p, &text, true); /* asked for by itself, a line for each event */
	str_release(&text);
	session_free(s);
	perfdata_close(p);
	error_clear();
}

/* The same bytes through inject, which looks for no file. */
static void rewrite(const char *path, bool sched_stat)
{
	struct inject_options o = { .input = path, .output = "/dev/null", .force = true, .hits = true, .all = true,
				    .sched_stat = sched_stat, .symbols = { .offline = true } };
	inject_run(&o);
	error_clear();
}

static void through_pipe(const uint8_t *data, size_t n)
{
	int fd[2], saved = dup(0);
	if (pipe(fd))
		return;
	if (fcntl(fd[1], F_SETPIPE_SZ, 1 << 20) >= (int)n && write(fd[1], data, n) == (ssize_t)n) {
		close(fd[1]);
		dup2(fd[0], 0);
		read_all("-", n);
	} else {
		close(fd[1]);
	}
	close(fd[0]);
	dup2(saved, 0);
	close(saved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	int fd = n ? memfd_create("fuzz", MFD_CLOEXEC) : -1;
	if (fd < 0 || write(fd, data, n) != (ssize_t)n) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	quiet(true);
	read_all(path, n);
	rewrite(path, n & 1);
	if (n > 16 && (data[8] == 16 || data[15] == 16))
		through_pipe(data, n);
	quiet(false);
	close(fd);
	return 0;
}
