/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input of a script that reads what is typed: on a terminal of ours each key at once, if that is asked for, until the end,
 * however that comes. */
#ifndef JOB_TYPED_H
#define JOB_TYPED_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "tui/term/keys.h"

struct typed { int fd; /* to poll; -1: nothing is to come */ struct keys keys; };
void typed_open(struct typed *t, bool keys);
ssize_t typed_read(struct typed *t, char *buf, size_t max); /* 0: there was nothing */
#endif
