// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/midway.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/file.h"
#include "kernel/root.h"
#include "syscall/decode.h"

enum { EI_CLASS_AT = 4, CLASS_32 = 1 };

enum sys_abi program_abi(int pid)
{
	return file_abi(root_path(ROOT_PROC, "%d/exe", pid));
}

enum sys_abi file_abi(const char *path)
{
	struct str s = STR_INIT;
	int err = file_read(path, &s, EI_CLASS_AT + 1);
	bool compat = (!err || err == -EFBIG) && s.len == EI_CLASS_AT + 1 && s.buf[EI_CLASS_AT] == CLASS_32;
	str_release(&s);
	return compat ? ABI_32 : ABI_NATIVE;
}

/* "0 0x3 0x7ffe.. 0x20 0x0 0x0 0x0 SP PC", "running", or "-1 SP PC" outside of a call. */
static bool read_call(struct midway *m, int tid, struct str *text)
{
	long nr;
	unsigned long long a[6], sp;
	str_clear(text);
	if (file_read(root_path(ROOT_PROC, "%d/syscall", tid), text, 512))
		return false;
	if (sscanf(text->buf, "%ld %llx %llx %llx %llx %llx %llx %llx", &nr, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &sp) != 8 || nr < 0)
		return false;
	m->nr = nr;
	for (int i = 0; i < 6; i++)
		m->args[i] = a[i];
	m->copy.sp = sp;
	return true;
}

bool midway_read(struct midway *m, int tid, const struct copier_limits *limits)
{
	struct str before = STR_INIT, after = STR_INIT;
	if (!m->copy.arena.buf)
		str_init(&m->copy.arena);
	bool in = read_call(m, tid, &before);
	if (in) {
		m->abi = program_abi(tid);
		if (m->abi == ABI_NATIVE && m->nr & 0x40000000) {
			m->abi = ABI_X32;
			m->nr &= ~0x40000000;
		}
		const struct syscall_row *row = syscall_find(m->abi, m->nr);
		copier_reset(&m->copy);
		if (row && limits)
			copier_take(&m->copy, tid, syscall_plan(row), m->args, 0, false, m->abi != ABI_32, limits);
		vec_each(&m->copy.list, piece)
			piece->late = true;
		/* it may have returned meanwhile, and its memory may be another call's */
		in = row && read_call(m, tid, &after) && !strcmp(before.buf, after.buf);
	}
	str_release(&before);
	str_release(&after);
	return in;
}

void midway_release(struct midway *m)
{
	copier_release(&m->copy);
}
