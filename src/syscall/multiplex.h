/* SPDX-License-Identifier: GPL-2.0-or-later */
/* i386's two calls that stand for many: socketcall and ipc, told as the calls they make. */
#ifndef SYSCALL_MULTIPLEX_H
#define SYSCALL_MULTIPLEX_H
#include "syscall/decode.h"
#include "syscall/sysevent.h"

enum { MULTIPLEX_WORDS = 6 };
/* The words that socketcall's second argument points to: where they are. 0: not that call. */
uint64_t multiplex_words_at(enum sys_abi abi, int nr, const uint64_t args[6]);
/* What the call really is. words: those, NULL when they could not be read (ipc has none). False: nothing else. */
bool multiplex_call(enum sys_abi abi, int *nr, uint64_t args[6], const uint32_t words[MULTIPLEX_WORDS]);
/* Adds those two where they may make a chosen call (what else they make is then taken too, and not asked for), and where they
 * alone are chosen what they make. */
void multiplex_choose(struct sysset *s);
/* Is that event a call that was chosen, or taken for such a one? */
bool multiplex_chosen(const struct sysset *s, const struct sysevent *e);
/* The same of an event whose words were copied; out is filled when true. */
bool multiplex_event(const struct sysevent *e, struct sysevent *out);
#endif
