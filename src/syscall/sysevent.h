/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One thing that the trace engines saw, before decoding. All three engines and the file reader make
 * these; everything after (decoder, thread and fd state, filters, views) knows nothing of engines. */
#ifndef SYSCALL_SYSEVENT_H
#define SYSCALL_SYSEVENT_H
#include <stdbool.h>
#include <stdint.h>

enum sys_type {
	SYS_CALL, /* a call that returned: enter and exit in one */
	SYS_UNFINISHED, /* a call still in progress (at the end, or interrupted in the output by another) */
	SYS_RESUMED, /* exit of a call whose SYS_UNFINISHED was given */
	SYS_SIGNAL, SYS_EXIT, SYS_EXEC, SYS_FORK,
	SYS_LOST, /* count events lost on that CPU before time; 0: nobody looked since enter_time */
	SYS_TRACEPOINT, /* --event: raw tracepoint record */
	SYS_RECORD, /* for a recording alone: a perf record of maps and names */
};
enum sys_abi { ABI_NATIVE, ABI_32, ABI_X32 };

struct copied { /* memory copied by the plan */
	uint8_t arg; /* which argument led there */
	uint8_t row; /* index into the plan's rows */
	bool at_exit; /* else at entry */
	bool late; /* should have been copied at entry but faulted there: read at exit */
	bool faulted; /* could not be read at all: len is 0 */
	bool truncated; /* the limit cut it */
	uint8_t part; /* 0: the thing itself; 1..: the buffers of an iovec, the strings of argv, in order */
	uint64_t addr; /* user address */
	uint32_t len; /* bytes at data */
	uint64_t full_len; /* what it would have been, if known; 0 otherwise */
	const uint8_t *data;
};

enum tamper_done { TAMPER_RESULT = 1, TAMPER_DELAY = 2, TAMPER_MEMORY = 4 }; /* -e inject= */

/* A socket's own address after the call (connect, bind, accept), which the call does not tell: a struct sockaddr. */
struct local_seen { int fd; uint8_t len, addr[28]; /* len 0: nothing is known */ };

struct file_seen { uint64_t dev, ino; int fd; }; /* what a descriptor was; dev as stat gives it */

struct sysevent {
	enum sys_type type;
	enum sys_abi abi;
	int pid, tid, cpu;
	uint64_t enter_time, time; /* CLOCK_MONOTONIC ns; time is the exit (or the only) one; enter_time 0: unknown */
	char comm[16];
	int nr; /* system call number of that abi; -1 unknown */
	uint64_t args[6]; /* of a SIGCHLD: the child's user and system time in ticks */
	int64_t ret;
	bool args_known; /* false: seen only at exit (in progress at attach) */
	bool no_return; /* the call never returns (exit) or its thread died in it: ret means nothing, "= ?" */
	uint8_t tampered; /* what was done to it: enum tamper_done */
	bool silent; /* a call that was not chosen: it tells what descriptors are, and is not shown */
	bool seen_enter; /* SYS_RESUMED: its SYS_UNFINISHED was given; false: it was under way at attach */
	struct copied *copied; unsigned n_copied;
	struct local_seen local;
	const struct file_seen *files; unsigned n_files; /* of this call's descriptors, where others' calls are not followed */
	/* other types */
	int sig; /* SYS_SIGNAL; SYS_EXIT: the signal it died of, or 0 */
	int exit_code; /* SYS_EXIT; -1 unknown */
	int sig_code, sig_pid, sig_uid, sig_status; uint64_t sig_addr; /* siginfo where known, else 0 */
	bool stops; /* SYS_SIGNAL: the process stops */
	bool sig_bare; /* only signal and code are known */
	bool core_dumped; /* SYS_EXIT */
	bool group_exit; /* SYS_EXIT: the whole process ended */
	int child_pid, child_tid; /* SYS_FORK */
	int old_tid; /* SYS_EXEC: the thread that called, when it was not the leader */
	int ppid; char parent[16]; /* SYS_EXEC, and the exec's SYS_CALL: whose child it is; 0 unknown */
	char old_comm[16]; /* the exec's SYS_CALL: the name that the thread had when it began; "": the same */
	uint64_t lost; /* SYS_LOST */
	const uint64_t *kstack, *ustack; unsigned n_kstack, n_ustack; /* --call-graph */
	/* --call-graph dwarf: registers in perf's x86 order without flags and segments (r15 r14 r13 r12 bp bx r11
	 * r10 r9 r8 ax cx dx si di ip sp), and the stack from sp on */
	const uint64_t *uregs; const uint8_t *ustack_data; uint32_t ustack_len;
	const void *record; /* SYS_TRACEPOINT, SYS_RECORD: the whole perf record, when it is to be recorded; NULL otherwise */
	const void *raw; uint32_t raw_size; int raw_event; /* SYS_TRACEPOINT: index into the event list */
	uint64_t ip, addr; bool ip_kernel; /* SYS_TRACEPOINT of an event that is none: where it was, and what was touched */
};
enum { FRAMES_MAX = 127 };
struct frames { uint64_t kernel[FRAMES_MAX], user[FRAMES_MAX]; };
/* A call chain as perf has it (n words, not aligned perhaps, with the kernel's marks), as the event's two stacks. */
void sysevent_chain(struct sysevent *e, struct frames *room, const void *chain, uint64_t n);
void sysevent_child_times(struct sysevent *e, const void *siginfo); /* of a SIGCHLD; else nothing */
void sysevent_lost(struct sysevent *e, uint64_t time, int cpu, uint64_t lost);
void sysevent_gap(struct sysevent *e, uint64_t from, uint64_t to); /* a SYS_LOST, of a number that nobody knows */

static inline bool is_stop(int sig) /* signals that stop a process, unless it catches them */
{
	return sig == 19 || sig == 20 || sig == 21 || sig == 22; /* STOP, TSTP, TTIN, TTOU */
}
#endif
