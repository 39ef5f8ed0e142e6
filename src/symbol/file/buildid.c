// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/file.h"
#include "kernel/root.h"
#include "symbol/file/debugfile.h"
#include "symbol/file/elffile.h"

int build_id_of_file(const char *path, struct build_id *id)
{
	struct elf_file e;
	int err = elf_open(&e, path);
	if (err)
		return err;
	err = elf_build_id(&e, id);
	elf_close(&e);
	return err;
}

static int build_id_of_note_file(const char *path, struct build_id *id)
{
	struct str s = STR_INIT;
	int err = file_read(path, &s, 1 << 20) ?: build_id_of_notes(s.buf, s.len, id);
	str_release(&s);
	return err;
}

int build_id_of_kernel(struct build_id *id)
{
	return build_id_of_note_file(root_path(ROOT_SYS, "kernel/notes"), id);
}

int build_id_of_module(const char *name, struct build_id *id)
{
	if (strlen(name) > 128 || strchr(name, '/'))
		return -EINVAL;
	return build_id_of_note_file(root_path(ROOT_SYS, "module/%s/notes/.note.gnu.build-id", name), id);
}

int build_id_parse(const char *hex, struct build_id *id)
{
	size_t n = strlen(hex);
	*id = (struct build_id){ 0 };
	if (!n || n % 2 || n / 2 > sizeof(id->id))
		return -EINVAL;
	for (size_t i = 0; i < n; i += 2) {
		unsigned v;
		if (!isxdigit((unsigned char)hex[i]) || !isxdigit((unsigned char)hex[i + 1]) || sscanf(hex + i, "%2x", &v) != 1)
			return -EINVAL;
		id->id[id->n++] = v;
	}
	return 0;
}

void build_id_hex(const struct build_id *id, char out[41])
{
	static const char digit[] = "0123456789abcdef";
	size_t n = id->n <= sizeof(id->id) ? id->n : sizeof(id->id);
	for (size_t i = 0; i < n; i++) {
		out[2 * i] = digit[id->id[i] >> 4];
		out[2 * i + 1] = digit[id->id[i] & 15];
	}
	out[2 * n] = 0;
}

bool build_id_same(const struct build_id *a, const struct build_id *b)
{
	if (!a || !b || !a->n || !b->n)
		return false;
	/* Some producers pad a short id with zeros to 20 bytes. */
	size_t n = a->n < b->n ? a->n : b->n;
	static const uint8_t zero[20];
	const struct build_id *longer = a->n > b->n ? a : b;
	return !memcmp(a->id, b->id, n) && !memcmp(longer->id + n, zero, longer->n - n);
}
