// SPDX-License-Identifier: GPL-2.0-or-later
/* -e inject=: a call that is not to be made gets the number -1 at its entry, which the kernel answers with ENOSYS, and
 * its result is replaced at its exit. */
#include <string.h>
#include <sys/uio.h>
#include "arch/ptraceregs.h"
#include "engine/inject.h"

enum { NO_CALL = -1 };

/* The last rule that names the call. */
static const struct inject *find(const inject_list *l, enum sys_abi abi, int nr)
{
	for (size_t i = l->n; i-- > 0;)
		if (sysset_has(&l->at[i].calls, abi, nr))
			return &l->at[i];
	return NULL;
}

static bool due(const struct inject *i, unsigned count)
{
	if (count < i->first || (i->last && count > i->last))
		return false;
	return (count - i->first) % i->step == 0;
}

static void poke(const poke_list *l, int tid, const uint64_t args[6])
{
	vec_each(l, p) {
		struct iovec from = { p->data, p->n }, to = { (void *)(uintptr_t)args[p->arg], p->n };
		process_vm_writev(tid, &from, 1, &to, 1, 0);
	}
}

static int number_of(const struct inject *i, enum sys_abi abi)
{
	int nr = NO_CALL;
	if (i->instead)
		syscall_named(abi == ABI_32 ? ABI_32 : ABI_NATIVE, i->instead, &nr);
	return nr;
}

static unsigned counted(struct tamper *m, enum sys_abi abi, int nr)
{
	uint64_t key = (uint64_t)abi << 32 | (uint32_t)nr;
	uintptr_t n = (uintptr_t)u64map_get(&m->counts, key) + 1;
	u64map_set(&m->counts, key, (void *)n);
	return n;
}

bool tamper_enter(struct tamper *m, const inject_list *l, int tid, enum sys_abi abi, int nr, const uint64_t args[6])
{
	const struct inject *i = find(l, abi, nr);
	m->rule = NULL;
	m->done = 0;
	if (!i || !due(i, counted(m, abi, nr)))
		return false;
	m->rule = i;
	m->sig = i->sig;
	m->delay = i->delay_enter;
	if (i->delay_enter || i->delay_exit)
		m->done |= TAMPER_DELAY;
	if (i->enter.n) {
		poke(&i->enter, tid, args);
		m->done |= TAMPER_MEMORY;
	}
	if (i->returns && !ptrace_set_call(tid, number_of(i, abi)))
		m->done |= TAMPER_RESULT;
	return i->enter.n;
}

int64_t tamper_exit(struct tamper *m, int tid, const uint64_t args[6], int64_t ret)
{
	const struct inject *i = m->rule;
	m->rule = NULL;
	if (!i)
		return ret;
	m->delay = i->delay_exit;
	if (i->exit.n && (uint64_t)ret < (uint64_t)-4095) {
		poke(&i->exit, tid, args);
		m->done |= TAMPER_MEMORY;
	}
	if (!(m->done & TAMPER_RESULT) || ptrace_set_result(tid, i->ret))
		return ret;
	return i->ret;
}

void tamper_release(struct tamper *m)
{
	u64map_release(&m->counts);
}
