// SPDX-License-Identifier: GPL-2.0-or-later
#include "syscall/multiplex.h"
#include <string.h>

enum { SOCKETCALL = 102, IPC = 117 };

/* By number of linux/net.h: the call of its own that i386 has had since, and how many words are its. */
static const struct { uint16_t nr; uint8_t n; } socket_calls[] = {
	{ 0, 0 }, { 359, 3 } /* socket */, { 361, 3 } /* bind */, { 362, 3 } /* connect */, { 363, 2 } /* listen */,
	{ 364, 3 } /* accept: accept4 without flags */, { 367, 3 } /* getsockname */, { 368, 3 } /* getpeername */,
	{ 360, 4 } /* socketpair */, { 369, 4 } /* send: sendto nobody */, { 371, 4 } /* recv */, { 369, 6 } /* sendto */,
	{ 371, 6 } /* recvfrom */, { 373, 2 } /* shutdown */, { 366, 5 } /* setsockopt */, { 365, 5 } /* getsockopt */,
	{ 370, 3 } /* sendmsg */, { 372, 3 } /* recvmsg */, { 364, 4 } /* accept4 */, { 337, 5 } /* recvmmsg */, { 345, 4 } /* sendmmsg */,
};

/* ipc(call, first, second, third, ptr, fifth): which of those are the arguments of the real one, by number of linux/ipc.h. */
static const struct { uint8_t call; uint16_t nr; uint8_t from[5]; } ipc_calls[] = {
	{ 2, 393, { 1, 2, 3 } } /* semget */, { 3, 394, { 1, 2, 3, 4 } } /* semctl */, { 11, 400, { 1, 4, 2, 3 } } /* msgsnd */,
	{ 13, 399, { 1, 2 } } /* msgget */, { 14, 402, { 1, 2, 4 } } /* msgctl */, { 21, 397, { 1, 4, 2 } } /* shmat */,
	{ 22, 398, { 4 } } /* shmdt */, { 23, 395, { 1, 2, 3 } } /* shmget */, { 24, 396, { 1, 2, 4 } } /* shmctl */,
};

uint64_t multiplex_words_at(enum sys_abi abi, int nr, const uint64_t args[6])
{
	return abi == ABI_32 && nr == SOCKETCALL ? args[1] : 0;
}

static bool ipc_call(int *nr, uint64_t args[6])
{
	uint64_t in[6];
	memcpy(in, args, sizeof(in));
	for (size_t i = 0; i < sizeof(ipc_calls) / sizeof(ipc_calls[0]); i++) {
		if (ipc_calls[i].call != (in[0] & 0xffff))
			continue;
		for (int k = 0; k < 5; k++)
			args[k] = ipc_calls[i].from[k] ? in[ipc_calls[i].from[k]] : 0;
		args[5] = 0;
		*nr = ipc_calls[i].nr;
		return true;
	}
	return false;
}

bool multiplex_call(enum sys_abi abi, int *nr, uint64_t args[6], const uint32_t words[MULTIPLEX_WORDS])
{
	if (abi != ABI_32 || (*nr != SOCKETCALL && *nr != IPC))
		return false;
	if (*nr == IPC)
		return ipc_call(nr, args);
	uint32_t call = args[0];
	if (!words || !call || call >= sizeof(socket_calls) / sizeof(socket_calls[0]))
		return false;
	*nr = socket_calls[call].nr;
	for (int i = 0; i < 6; i++)
		args[i] = i < socket_calls[call].n ? words[i] : 0;
	return true;
}

/* The number of the call that one of the two really is, as far as the arguments tell. */
static int real_number(int nr, const uint64_t args[6])
{
	uint64_t copy[6];
	if (nr == SOCKETCALL)
		return args[0] && args[0] < sizeof(socket_calls) / sizeof(socket_calls[0]) ? socket_calls[args[0]].nr : nr;
	memcpy(copy, args, sizeof(copy));
	ipc_call(&nr, copy);
	return nr;
}

/* Call i of those that `of` makes; -1: there are no more. */
static int made_by(int of, size_t i)
{
	if (of == SOCKETCALL)
		return i + 1 < sizeof(socket_calls) / sizeof(socket_calls[0]) ? socket_calls[i + 1].nr : -1;
	return i < sizeof(ipc_calls) / sizeof(ipc_calls[0]) ? ipc_calls[i].nr : -1;
}

static void add(struct sysset *s, int nr)
{
	s->compat[nr / 64] |= 1ull << nr % 64;
}

void multiplex_choose(struct sysset *s)
{
	static const int both[] = { SOCKETCALL, IPC };
	for (int k = 0; k < 2; k++) {
		bool asked = sysset_has(s, ABI_32, both[k]), some = false;
		for (size_t i = 0; made_by(both[k], i) >= 0; i++)
			some |= sysset_has(s, ABI_32, made_by(both[k], i));
		if (!asked && some) {
			add(s, both[k]);
			s->for_others[k] = true;
		}
		for (size_t i = 0; asked && !some && made_by(both[k], i) >= 0; i++)
			add(s, made_by(both[k], i));
	}
}

bool multiplex_chosen(const struct sysset *s, const struct sysevent *e)
{
	if (!s || e->abi != ABI_32 || !((e->nr == SOCKETCALL && s->for_others[0]) || (e->nr == IPC && s->for_others[1])))
		return true;
	int nr = e->args_known ? real_number(e->nr, e->args) : e->nr;
	return nr != e->nr && sysset_has(s, ABI_32, nr);
}

bool multiplex_event(const struct sysevent *e, struct sysevent *out)
{
	uint32_t words[MULTIPLEX_WORDS];
	bool have = false;
	if (e->abi != ABI_32 || !e->args_known)
		return false;
	uint64_t at = multiplex_words_at(e->abi, e->nr, e->args);
	for (unsigned i = 0; at && !have && i < e->n_copied; i++) {
		have = e->copied[i].addr == at && e->copied[i].len >= sizeof(words) && !e->copied[i].faulted;
		if (have)
			memcpy(words, e->copied[i].data, sizeof(words));
	}
	*out = *e;
	return multiplex_call(e->abi, &out->nr, out->args, have ? words : NULL);
}
