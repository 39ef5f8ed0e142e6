/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How build-ids are listed: a line each, the file behind it. All return -errno with a pending error. */
#ifndef UI_IDLIST_H
#define UI_IDLIST_H
#include <stdbool.h>
#include "base/out.h"
int idlist_kernel(struct out *o); /* the running kernel's, bare */
int idlist_kernel_maps(struct out *o); /* its text and its modules, with where they are */
/* Of a binary its own, of a recording (NULL: perf.data) those of its files; hits: only of those in which samples fell. force: a
 * recording of another user too. */
int idlist_file(struct out *o, const char *input, bool hits, bool force);
#endif
