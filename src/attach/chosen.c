// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/chosen.h"
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "bpf/chosen.h"
#include "attach/pid_space.h"
#include "kernel/rights/lent.h"
#include "kernel/root.h"

enum { TIDS = 32768, TIDS_MAX = 4 << 20 };

bool chosen_possible(void)
{
	uint32_t space;
	/* lent rights: with perf's own events the kernel lets go of programs with more rights than their user's */
	return !lent() && pid_space_own(&space) && !space;
}

uint32_t chosen_size(struct chosen *c, struct bpf_map *tasks, bool by_task)
{
	int64_t max = TIDS;
	*c = (struct chosen){ 0 };
	if (!by_task)
		return TIDS;
	file_read_s64(root_path(ROOT_PROC, "sys/kernel/pid_max"), &max);
	c->size = max > 0 && max < TIDS_MAX ? (size_t)max + 1 : TIDS_MAX;
	bpf_map__set_value_size(tasks, (uint32_t)c->size);
	return (uint32_t)c->size;
}

int chosen_map(struct chosen *c, struct bpf_map *tasks)
{
	if (c->size)
		c->tasks = bpf_map_memory(tasks, &c->size, PROT_READ | PROT_WRITE);
	return c->size && !c->tasks ? -errno : 0;
}

void chosen_mark(struct chosen *c, const struct target *t, uint8_t state)
{
	vec_each(&t->threads, th)
		if (c->tasks && !th->gone && th->tid > 0 && (size_t)th->tid < c->size)
			c->tasks[th->tid] = state;
}

void chosen_clear(struct chosen *c)
{
	if (c->tasks)
		memset(c->tasks, TASK_OFF, c->size);
}

void chosen_release(struct chosen *c)
{
	if (c->tasks)
		munmap(c->tasks, c->size);
	c->tasks = NULL;
}

void *bpf_map_memory(struct bpf_map *m, size_t *size, int prot)
{
	size_t page = sysconf(_SC_PAGESIZE);
	*size = (*size + page - 1) / page * page;
	void *p = mmap(NULL, *size, prot, MAP_SHARED, bpf_map__fd(m), 0);
	return p == MAP_FAILED ? NULL : p;
}

static int tell(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	struct str s = STR_INIT;
	if (verbosity < 2 || level == LIBBPF_DEBUG)
		return 0;
	str_vaddf(&s, fmt, ap);
	note(2, "%s", s.buf);
	str_release(&s);
	return 0;
}

void libbpf_hushed(bool hush)
{
	static libbpf_print_fn_t before;
	if (hush)
		before = libbpf_set_print(tell);
	else
		libbpf_set_print(before);
}
