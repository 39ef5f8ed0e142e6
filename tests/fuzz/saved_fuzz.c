// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a saved script: as the whole file, as what its head promises with the right checksums, and as what is packed in
 * there. What is taken must come out again as it went in. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include "base/error.h"
#include "script/saved/inner.h"

enum { PLAIN_MOST = 1 << 22 };

static void whole(const uint8_t *data, size_t n)
{
	struct saved v = SAVED_INIT;
	if (saved_decode(&v, data, n, "fuzz") && !error_pending())
		abort(); /* a refusal without a sentence */
	error_clear();
	saved_release(&v);
}

/* The same bytes behind a head that fits them. */
static void packed(const uint8_t *data, size_t n)
{
	struct str file = STR_INIT;
	struct saved_head h = { .magic = { (char)0x89, 'S', 'o', 'n', 'd', 'e', 'R', '\n' }, .version = SAVED_VERSION, .dialect = SAVED_STAP, .length = n };
	h.plain = ZSTD_getFrameContentSize(data, n);
	if (h.plain > PLAIN_MOST)
		return;
	h.check = (uint32_t)crc32_z(crc32_z(0, NULL, 0), data, n);
	h.check_head = saved_head_check(&h);
	str_addn(&file, &h, sizeof(h));
	str_addn(&file, data, n);
	whole((const uint8_t *)file.buf, file.len);
	str_release(&file);
}

static void body(const uint8_t *data, size_t n)
{
	struct saved v = SAVED_INIT, again = SAVED_INIT;
	struct str plain = STR_INIT, file = STR_INIT;
	if (!saved_decode_body(&v, data, n)) {
		saved_encode_body(&v, &plain);
		if (plain.len != n || memcmp(plain.buf, data, n))
			abort();
		v.dialect = SAVED_BPFTRACE;
		if (saved_encode(&v, &file) || saved_decode(&again, file.buf, file.len, "fuzz"))
			abort();
	}
	str_release(&plain);
	str_release(&file);
	saved_release(&v);
	saved_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	whole(data, n);
	packed(data, n);
	body(data, n);
	return 0;
}
