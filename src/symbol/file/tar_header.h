/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The 512 bytes in front of each file of a tar (POSIX ustar). */
#ifndef SYMBOL_FILE_TAR_HEADER_H
#define SYMBOL_FILE_TAR_HEADER_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100];
	char magic[6], version[2], uname[32], gname[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct tar_header) == 512, "a tar header is a block");

static inline unsigned tar_header_sum(const struct tar_header *h)
{
	struct tar_header blank = *h;
	const unsigned char *p = (const unsigned char *)&blank;
	unsigned sum = 0;
	memset(blank.sum, ' ', sizeof(blank.sum));
	for (size_t i = 0; i < sizeof(blank); i++)
		sum += p[i];
	return sum;
}

/* Sizes beyond 8 GB do not fit the octal digits; base 256 with the top bit set, as GNU tar writes. */
static inline void tar_header_make(struct tar_header *h, const char *name, uint64_t size)
{
	char digits[16];
	memset(h, 0, sizeof(*h));
	memcpy(h->name, name, strnlen(name, sizeof(h->name) - 1));
	memcpy(h->mode, "0000644", 8);
	memcpy(h->uid, "0000000", 8);
	memcpy(h->gid, "0000000", 8);
	memcpy(h->mtime, "00000000000", 12);
	if (size < (uint64_t)1 << 33) {
		snprintf(digits, sizeof(digits), "%011llo", (unsigned long long)size);
		memcpy(h->size, digits, 12);
	} else {
		h->size[0] = (char)0x80;
		for (int i = 0; i < 8; i++)
			h->size[11 - i] = (char)(size >> 8 * i);
	}
	h->type = '0';
	memcpy(h->magic, "ustar", 6);
	memcpy(h->version, "00", 2);
	snprintf(digits, sizeof(digits), "%06o", tar_header_sum(h));
	memcpy(h->sum, digits, 7);
	h->sum[7] = ' ';
}

static inline bool tar_header_check(const struct tar_header *h, uint64_t *size)
{
	char text[13] = "";
	unsigned sum = 0;
	memcpy(text, h->sum, 8);
	if (sscanf(text, "%o", &sum) != 1 || sum != tar_header_sum(h) || h->name[99])
		return false;
	*size = 0;
	if ((unsigned char)h->size[0] == 0x80) {
		for (int i = 4; i < 12; i++)
			*size = *size << 8 | (unsigned char)h->size[i];
		return *size < (uint64_t)1 << 48;
	}
	for (int i = 0; i < 11; i++) {
		if (h->size[i] < '0' || h->size[i] > '7')
			return false;
		*size = *size << 3 | (uint64_t)(h->size[i] - '0');
	}
	return true;
}
#endif
