/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCRIPT_SAVED_INNER_H
#define SCRIPT_SAVED_INNER_H
#include "script/saved/saved.h"

enum { SAVED_VERSION = 1 };
struct saved_head {
	char magic[8];
	uint32_t version, dialect;
	uint64_t length, plain; /* of the body, compressed and not */
	uint32_t check; /* CRC-32 of the compressed body */
	uint32_t check_head; /* of all above */
};
uint32_t saved_head_check(const struct saved_head *h);
enum saved_dialect saved_head_kind(const struct saved_head *h); /* by its magic; the rest is to be checked yet */
#endif
