/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What memory an engine copies for each system call: which argument, when, and how long it is.
 * The table (a few rows per syscall) is data; engine 1 loads it into a BPF map, engine 3 interprets
 * it with process_vm_readv. Kept small and flat: the BPF program reads these very bytes.
 *
 * The decoder finds nested memory (an iovec's buffers, argv's strings, a msghdr's name and control
 * data) by its user address, so the order of the parts is the engine's business; only part 0 must be
 * the thing that the argument itself points to. A thing that was copied in part counts as copied.
 * A plan is made for one abi: sizes are already those of a 32-bit call where that is meant, only the
 * width of nested pointers needs COPY_COMPAT_WORDS. */
#ifndef SYSCALL_PLAN_H
#define SYSCALL_PLAN_H
#include <stdint.h>

enum copy_when { COPY_ENTER = 1, COPY_EXIT = 2, COPY_BOTH = 3 }; /* EXIT: only if the call succeeded, unless COPY_EVEN_IF_FAILED */

enum copy_kind {
	COPY_NONE,
	COPY_STRING, /* NUL-terminated, up to the string limit (4096 default) */
	COPY_FIXED, /* size bytes */
	COPY_LEN_ARG, /* args[len_arg] * size bytes (size is the element's; 1 for buffers), bounded by the limit below */
	COPY_LEN_RET, /* retval * size bytes (buffers filled by read, getdents, epoll_wait events) */
	COPY_LEN_PTR, /* *(u32 *)args[len_arg] bytes: sockaddr of accept, getsockopt */
	COPY_IOVEC, /* iovec array of args[len_arg] elements, then the buffers it points to */
	COPY_MSGHDR, /* struct msghdr: name, iovec with buffers, control */
	COPY_MMSGHDR, /* args[len_arg] (enter) or retval (exit) of them */
	COPY_STRV, /* NULL-terminated array of strings: argv, envp */
	COPY_SIZED, /* a struct that says its size: args[len_arg] bytes, or with len_arg COPY_SIZE_INSIDE
		     * what its first u32 says; at most `size` (0: COPY_STRUCT_MAX) */
	COPY_IOCTL, /* args[len_arg] is an ioctl command: _IOC_SIZE bytes, at entry with _IOC_WRITE, at exit with
		     * _IOC_READ; a command without a size (cmd >> 16 == 0): copy_unsized() bytes, both */
	COPY_VIA, /* args[arg] + len_arg holds a pointer: `size` bytes from there */
	COPY_FPROG, /* struct sock_fprog { u16 len; struct sock_filter *f; }: it, then len * 8 bytes from f */
	COPY_PTRV, /* args[len_arg] pointers, each to a struct of `size` bytes (io_submit) */
	COPY_DENTS, /* retval bytes of directory entries, each with its length (u16) at len_arg; those beyond the bound are
		     * counted: the copy's full length is then COPY_COUNTED and their number */
	COPY_STACK, /* `size` bytes at the user's stack pointer + 8 * len_arg; arg means nothing (rt_sigreturn) */
};
enum { COPY_SIZE_INSIDE = 0xff };
#define COPY_COUNTED 0x80000000u

enum {
	COPY_EVEN_IF_FAILED = 1, /* at exit whatever the result */
	COPY_DATA = 2, /* a payload: bounded by --string-limit (32 by default), not by the struct bound */
	COPY_ENVIRON = 4, /* COPY_STRV: the strings only with -v, the array of pointers always (it is counted) */
	COPY_COMPAT_WORDS = 8, /* pointers and longs are 4 bytes in a 32-bit call */
	COPY_LEN_IS_RET_LIMIT = 16, /* COPY_LEN_PTR: the length after the call */
	COPY_PLUS_WORD = 64, /* COPY_LEN_ARG, COPY_LEN_RET: and 8 bytes more (4 with COPY_COMPAT_WORDS): a msgbuf's type */
	COPY_NETLINK = 128, /* COPY_DATA of a socket: netlink messages are copied whole, as far as COPY_STRUCT_MAX */
	COPY_BITS = 32, /* COPY_LEN_ARG: args[len_arg] counts bits; (n + 63) / 64 * 8 bytes (fd_set) */
};

struct copy_row {
	uint8_t kind; /* enum copy_kind */
	uint8_t arg; /* which argument is the pointer */
	uint8_t when; /* enum copy_when */
	uint8_t flags;
	uint8_t len_arg; /* for kinds that need it */
	uint8_t only_arg; /* the row holds only if only_mask is 0 or has bit (args[only_arg] & 63): */
	uint16_t size; /* fixed size or element size */
	uint64_t only_mask; /* F_GETLK of fcntl, PR_SET_NAME of prctl, FUTEX_WAIT's timeout */
};
enum { COPY_ROWS = 6, COPY_STRUCT_MAX = 4096, COPY_SIZED_MAX = 256 };

/* Old ioctl commands do not say how long their struct is: those of loop devices are long. */
static inline uint32_t copy_unsized(uint32_t cmd, uint32_t size)
{
	return cmd >> 8 == 'L' ? 304 : size;
}

enum { SOCKET_ARG = 1, SOCKET_RESULT, SOCKET_TO }; /* syscall_socket() */

struct copy_plan { struct copy_row row[COPY_ROWS]; }; /* kind COPY_NONE ends it */
#endif
