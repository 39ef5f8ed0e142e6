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
