/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rights that sonde has and its caller has not: capabilities of sonde's file. What is done with them is the
 * administrator's word, what they must never do is help the caller against others (doc/SECURITY.md). So none is in
 * effect but around the single calls of the kernel that take them, and every path, every process and every signal
 * is judged by the kernel as if the caller himself had asked. */
#ifndef KERNEL_RIGHTS_LENT_H
#define KERNEL_RIGHTS_LENT_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* First thing in main: notes whether rights are lent, gives up those that sonde never uses for its caller for good,
 * and takes the others out of effect. -errno with a pending error: sonde is set-uid or set-gid. */
int lent_begin(void);
bool lent(void);
/* For commands that need none of it: gone for good, whatever the files that they read make of them. */
void lent_give_up(void);
bool lent_once(void); /* they are lent, or were until they were given up: for what is said of a refusal */

/* Puts the lent rights in effect for this thread, and takes them out again; with nothing lent both do nothing.
 * May be nested: what was in effect before is what lower gets. */
uint64_t lent_raise(void);
void lent_lower(uint64_t before);

/* Might the caller trace this process or thread himself, as the kernel judges it now? True when nothing is lent: then
 * the kernel is asked by the call itself. Ask after the thread is attached to: it may exec in between. */
bool lent_may_see(pid_t tid);
int lent_refuse(pid_t tid); /* the sentence about it, as pending error: -EPERM */

/* fork(), for a child that is to be the caller's program: it has given up all that is lent, and may be traced by the caller,
 * when this returns. Before anything is opened with lent rights: the caller gets at its descriptors. */
pid_t lent_fork(void);
#endif
