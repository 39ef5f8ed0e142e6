// SPDX-License-Identifier: GPL-2.0-or-later
/* What was found once is remembered: name -> DIEs and units, in a file named after the build-id in
 * the user's cache folder. The file is only a hint. It counts when it is the user's own, its checksum
 * is right and it was made from debug information of the same sizes and start; each offset taken from
 * it is checked again against the debug information; anything else and the search is simply done. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/map.h"
#include "symbol/file/debugfile.h"
#include "symbol/dwarf/inner.h"

enum { CACHE_MAX = 4 << 20, NAMES_KEPT = 4096, DIES_KEPT = 4096, SMALL = 1 << 20, HEAD = 4096 };
static const char magic[8] = { 'S', 'O', 'N', 'D', 'E', 'P', 'I', '1' };

struct header {
	char magic[8];
	uint64_t info_size, str_size, head; /* of what it was made from */
};

static bool worth_it(const struct dwarf_file *f)
{
	return f->id.n >= 8 && f->info.n >= SMALL && !f->has_str_offsets && !f->alt && !f->dwfl;
}

static void make_header(const struct dwarf_file *f, struct header *h)
{
	memcpy(h->magic, magic, sizeof(magic));
	h->info_size = f->info.n;
	h->str_size = f->str.n;
	h->head = hash_bytes(f->info.p, f->info.n < HEAD ? f->info.n : HEAD, 1);
}

static int cache_path(const struct dwarf_file *f, struct str *dir, struct str *path)
{
	char hex[41];
	int err = dir_cache(dir);
	if (err)
		return err;
	str_add(dir, "/probe");
	build_id_hex(&f->id, hex);
	str_addf(path, "%s/%s.index", dir->buf, hex);
	return 0;
}

/* The file's bytes without the checksum at their end; empty when it does not count. */
static void load(const struct dwarf_file *f, const char *path, struct str *out)
{
	struct header want;
	struct stat st;
	uint64_t sum;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !file_read_fd(fd, out, CACHE_MAX) &&
	    out->len >= sizeof(want) + sizeof(sum)) {
		make_header(f, &want);
		memcpy(&sum, out->buf + out->len - sizeof(sum), sizeof(sum));
		out->len -= sizeof(sum);
		if (memcmp(out->buf, &want, sizeof(want)) || hash_bytes(out->buf, out->len, 2) != sum)
			str_clear(out);
	} else {
		str_clear(out);
	}
	close(fd);
}

/* An entry: length of the name, numbers of functions and units, the name, their offsets. */
struct kept_entry { uint32_t name_len, n_found, n_walk; };

static bool next_entry(const struct str *s, size_t *at, struct kept_entry *e, const char **name, const char **offsets)
{
	if (s->len - *at < sizeof(*e))
		return false;
	memcpy(e, s->buf + *at, sizeof(*e));
	size_t dies = (size_t)e->n_found + e->n_walk;
	if (e->name_len > 4096 || dies > DIES_KEPT || s->len - *at - sizeof(*e) < e->name_len + dies * 8)
		return false;
	*name = s->buf + *at + sizeof(*e);
	*offsets = *name + e->name_len;
	*at += sizeof(*e) + e->name_len + dies * 8;
	return true;
}

static bool take(struct dwarf_file *f, const char *offset, bool unit, dwarf_dies *out)
{
	uint64_t off;
	Dwarf_Die die;
	memcpy(&off, offset, 8);
	if (off >= f->info.n || !dwarf_offdie(f->dw, off, &die))
		return false;
	int tag = dwarf_tag(&die);
	if (unit ? tag != DW_TAG_compile_unit && tag != DW_TAG_partial_unit : tag != DW_TAG_subprogram)
		return false;
	*vec_push(out) = die;
	return true;
}

static bool read_entry(struct dwarf_file *f, const char *name, const struct kept_entry *e, const char *offsets,
		       struct dwarf_hits *out)
{
	bool good = true;
	for (uint32_t i = 0; i < e->n_found && good; i++)
		good = take(f, offsets + i * 8, false, &out->found) && dwarf_name_is(vec_last(&out->found), name);
	offsets += (size_t)e->n_found * 8;
	for (uint32_t i = 0; i < e->n_walk && good; i++)
		good = take(f, offsets + i * 8, true, &out->walk);
	if (!good) {
		vec_clear(&out->found);
		vec_clear(&out->walk);
	}
	return good;
}

bool dwarf_cache_get(struct dwarf_file *f, const char *name, struct dwarf_hits *out)
{
	struct str dir = STR_INIT, path = STR_INIT, s = STR_INIT;
	const char *own, *offsets;
	struct kept_entry e;
	size_t at = sizeof(struct header), n = strlen(name);
	bool hit = false;
	if (worth_it(f) && !cache_path(f, &dir, &path))
		load(f, path.buf, &s);
	while (!hit && s.len && next_entry(&s, &at, &e, &own, &offsets))
		if (e.name_len == n && !memcmp(own, name, n))
			hit = read_entry(f, name, &e, offsets, out);
	str_release(&dir);
	str_release(&path);
	str_release(&s);
	return hit;
}

static void add_offsets(struct str *s, dwarf_dies *dies)
{
	vec_each(dies, d) {
		uint64_t off = dwarf_dieoffset(d);
		str_addn(s, &off, sizeof(off));
	}
}

/* Whole or not at all: a new file beside it takes its name. */
static int write_file(const char *dir, const char *path, const struct str *s)
{
	uint64_t sum = hash_bytes(s->buf, s->len, 2);
	int err = dir_make(dir);
	char *tmp = xasprintf("%s.XXXXXX", path);
	int fd = err ? -1 : mkstemp(tmp);
	if (!err && fd < 0)
		err = -errno;
	if (!err && (write(fd, s->buf, s->len) != (ssize_t)s->len || write(fd, &sum, sizeof(sum)) != sizeof(sum)))
		err = -EIO;
	if (fd >= 0)
		close(fd);
	if (!err && rename(tmp, path))
		err = -errno;
	if (err && fd >= 0)
		unlink(tmp);
	free(tmp);
	return err;
}

void dwarf_cache_put(struct dwarf_file *f, const char *name, struct dwarf_hits *hits)
{
	struct str dir = STR_INIT, path = STR_INIT, old = STR_INIT, s = STR_INIT;
	struct header h;
	struct kept_entry e = { (uint32_t)strlen(name), (uint32_t)hits->found.n, (uint32_t)hits->walk.n }, o;
	const char *own, *offsets;
	size_t at = sizeof(h);
	if (!worth_it(f) || hits->found.n + hits->walk.n > DIES_KEPT || e.name_len > 4096 || cache_path(f, &dir, &path))
		goto out;
	make_header(f, &h);
	str_addn(&s, &h, sizeof(h));
	str_addn(&s, &e, sizeof(e)); /* newest first */
	str_addn(&s, name, e.name_len);
	add_offsets(&s, &hits->found);
	add_offsets(&s, &hits->walk);
	load(f, path.buf, &old);
	for (int n = 0; n < NAMES_KEPT && old.len && next_entry(&old, &at, &o, &own, &offsets); n++) {
		size_t size = sizeof(o) + o.name_len + ((size_t)o.n_found + o.n_walk) * 8;
		bool same = o.name_len == e.name_len && !memcmp(own, name, o.name_len);
		if (!same && s.len + size + 8 < CACHE_MAX)
			str_addn(&s, own - sizeof(o), size);
	}
	if (write_file(dir.buf, path.buf, &s))
		note(2, "the index %s cannot be written", path.buf);
out:
	str_release(&dir);
	str_release(&path);
	str_release(&old);
	str_release(&s);
}
