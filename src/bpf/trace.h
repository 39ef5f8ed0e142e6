/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What trace.bpf.c and its reader share: the records in the rings (lane.h), and the tables that steer the program. */
#ifndef BPF_TRACE_H
#define BPF_TRACE_H
#include <linux/types.h>
#include "bpf/lane.h"
#include "syscall/plan.h"

enum {
	PIECE_MAX = 4096, /* bytes copied from one place */
	CALLS = 512, /* numbers per abi in the table; the last stands for all others */
	TESTS = 4, /* --where */
	QUICK_MAX = 32, /* bytes that go by way of the stack */
	OWNERS = 32768, /* entries of the cache from kernel stack to thread */
	STACK_MAX = 127, /* frames */
	STACK_COPY = 16384, /* bytes of user stack for DWARF unwinding */
	EXEC_WORDS = 16384, /* bytes of a new program's arguments and environment */
};

/* What most traces do not ask for: constants that trace_plain.bpf.c does not have. One with a 0 in all of them is plain. */
#define TRACE_OPTIONS(OPTION) \
	OPTION(__u32, pid_space) /* the pid namespace that numbers are of, by its inode; 0: the first one */ \
	OPTION(__u32, pid_level) OPTION(__u32, pid_numbers) OPTION(__u32, pid_space_inode) /* see attach/pid_space.h */ \
	OPTION(__u32, use_uid) OPTION(__u32, want_uid) \
	OPTION(__u32, use_cgroup) OPTION(__u32, cgroup_level) OPTION(__u64, cgroup_id) \
	OPTION(__u32, use_comm) OPTION(__u64, want_comm) OPTION(__u64, want_comm_rest) /* the name's 16 bytes */ \
	OPTION(__u32, use_cpus) \
	OPTION(__u32, summary) /* enum engine_summary */ \
	OPTION(__u32, summary_only) \
	OPTION(__u32, graph_user) OPTION(__u32, graph_kernel) /* frames; graph_user 2: registers and stack */ \
	OPTION(__u32, use_tests) /* --where */ \
	OPTION(__u32, see_files) /* what descriptors are is told by each call that has some */ \
	OPTION(__u32, own_only) /* with lent rights: who execs what the caller might not trace is left alone */

enum rec_type { REC_PAD, REC_CALL, REC_ENTER, REC_BLOCKED, REC_SIGNAL, REC_EXIT, REC_EXEC, REC_FORK, REC_COMM };
enum { REC_ENTERED = 1, /* CALL: an ENTER record went before */
	REC_DIED = 2, /* BLOCKED: the thread ended in this call */
	REC_MIDWAY = 4, /* CALL: was under way at attach */
	REC_NORETURN = 8, /* ENTER: the call does not come back */
	REC_GROUP = 16, /* EXIT, BLOCKED: the last thread */
	REC_ANNOUNCED = 32, /* CALL: a BLOCKED record went before */
	REC_FOREIGN = 64, /* EXEC: not followed any more */
	REC_EXEC_UNTOLD = 64, /* CALL: an exec; should it have succeeded, no EXEC record told of it */
	REC_GONE = 128, /* BLOCKED: the thread ended, the result is its code; a call only with REC_DIED */
	REC_MISNAMED = 128, /* ENTER, EXEC: the thread has not the name of --comm; it may have it before or after */
};

struct rec {
	__u32 size; /* with what follows, a multiple of 8; 0: go to the next block */
	__u8 type, flags, abi, nargs;
	__s32 nr;
	__u32 tid, pid;
	__u32 lost; /* events lost on this CPU just before this one */
	__u64 time;
};
struct rec_call { /* CALL, ENTER, BLOCKED; then the pieces */
	struct rec h;
	__u64 enter; /* 0: unknown */
	__s64 ret;
	__u64 args[6];
};
enum { SIGNAL_FATAL = 2 };
struct rec_other { /* the rest */
	struct rec h;
	__u32 a, b; /* FORK: child tid, pid; EXIT: code; EXEC: old tid, the parent's pid; SIGNAL: number, whether its action is the
			* default, or SIGNAL_FATAL: sent, and it ends the process */
	__u8 info[48]; /* SIGNAL: the siginfo's start; COMM, EXEC: the name; EXEC: then the parent's */
};
/* Behind an EXEC whose call's strings could not be read at entry: as the new program has got them. */
struct exec_words {
	__u32 args, total; /* bytes of the arguments; with the environment that follows */
	char filename[PIECE_MAX];
	char words[EXEC_WORDS]; /* each ends with a NUL */
};

/* Memory or a stack, behind a call. Data is padded to 8. */
struct piece {
	__u64 addr;
	__u32 full; /* what it would have been; 0: unknown */
	__u16 len;
	__u8 place; /* row | arg << 4 */
	__u8 flags;
};
enum { PIECE_EXIT = 1, PIECE_LATE = 2, PIECE_FAULTED = 4, PIECE_CUT = 8, PIECE_NESTED = 16, PIECE_STRING = 32,
	PIECE_STACK = 64, /* addr: 0 kernel frames, 1 user frames, 2 user registers, 3 a struct file_id, 4 a struct local_id,
			   * more: stack bytes from addr */
	PIECE_NETLINK = 128 /* asked of take(): messages whole */ };
/* What a descriptor was at the call's end. */
struct file_id { __u64 dev, ino; __u32 fd, pad; };
/* A socket's own address then: a struct sockaddr of so many bytes. */
struct local_id { __u32 fd; __u16 len, pad; __u16 family, port; __u32 addr[5]; };

/* Where a thread is. Claimed by tid; ts is 0 outside of a call. */
struct slot {
	__u64 ts;
	__u32 tid, pid;
	__u16 call;
	__u8 flags, late; /* late: a bit per row that faulted at entry */
	__u8 quick, compat, pad[2]; /* quick: 1 + the bytes of data; 0: none. compat: the call is a 32-bit one */
	__u64 data[QUICK_MAX / 8]; /* a short buffer as it was at the call's entry, for its record at the exit */
	__u64 born; /* by its task's start_time; 0: unknown */
};
enum { SLOT_TRACED = 1, SLOT_NEWBORN = 2, SLOT_NOWAIT = 4, SLOT_ENTERED = 8, SLOT_ANNOUNCED = 16,
	SLOT_UNTIL_EXEC = 32, /* the command before its exec: only that is of interest */
	SLOT_MISNAMED = 64, /* the call is an exec, and the thread has not the name of --comm yet */
	SLOT_EXECED = 128 /* the exec that it is in was told */ };

struct test { __u8 on, arg, op, is_signed; __u32 pad; __s64 value; };
struct call_plan { /* one for each number and abi */
	__u8 on; /* selected */
	__u8 nargs;
	__u8 flags;
	__u8 rows;
	__u8 fds; /* a bit for each argument that is a descriptor; bit 6: the result */
	__u8 silent; /* taken for its descriptors alone, no summary counts it */
	__u8 local; /* SOCKET_*: whose own address may be new with the call; 0: nobody's */
	__u8 pad;
	__u32 max; /* the longest record, bounded by BLOCK */
	struct copy_plan plan;
	struct test test[TESTS];
};
enum { DEF_ENTER = 1, DEF_EXIT = 2, DEF_ARGS_AT_ENTER = 4, DEF_NORETURN = 8, DEF_TESTS = 16,
	DEF_EXEC = 32, DEF_QUICK_ENTER = 64, DEF_QUICK_EXIT = 128 /* the only row is a plain buffer */ };

/* A lane, and what its owner keeps there while it makes a record: functions are called with the lane's number. */
struct lane_frame {
	struct lane lane;
	__u64 args[8]; /* 6: the result, 7: the stack pointer */
	__u32 word, call; /* word: bytes of a pointer */
	__u64 scratch[2];
	__u64 not_summed; /* calls for which the summary had no row left */
	__u64 idle_ns, idle_since; /* of a CPU's first: how long the CPU was idle before, since when it is; 0: it is not */
	__u64 pad[2]; /* whole cache lines */
};

/* One call by its own tracepoints: what becomes of 32-bit calls, which do not pass there. */
struct compat_calls {
	__u32 on; /* they are seen */
	__u32 alone; /* there is one CPU: who attaches for them is sure to run before the program that needs it */
	__u32 waits; /* the first process that needs it */
	__u32 stopped; /* the same, once it cannot get to its program before that is done */
	__u32 late; /* one that may have gone on too early */
	__u32 odd; /* one that makes such calls as a 64-bit program, first seen in the midst of one */
};

/* A summary has a row for each octave of durations that occurred: few of them do, so a fine histogram of each costs
 * little memory, and a call still touches one row only. The reader adds up the rows of a call.
 * Rows live in an array, each at the place its key hashes to; those whose place is taken, in a hash map. A row belongs to
 * one thread, or to who owns that lane: no two programs add to it at once. */
enum { SUMS = 16384, SUM_STEPS = 32 };
enum { SUM_FREE, SUM_CLAIMED, SUM_USED };
struct sum_key { __u64 id; __u16 call, octave; __u32 lane; };
struct sum { struct sum_key key; __u64 state, count, errors, total, min, max; __u32 pid, tid; __u64 comm[2]; __u64 hist[SUM_STEPS]; };
#endif
