// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/file/elffile.h"
#include "kernel/plain.h"
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* No section is ever needed beyond this; a compressed one cannot claim more than zlib's best ratio. */
enum { SECTION_MAX = 1 << 30, RATIO_MAX = 64, SMALL = 256 << 10, XZ_WINDOW = 16 << 20 };

static int elf_pread(const struct elf_file *e, void *to, size_t n, uint64_t offset)
{
	if (offset > e->size || n > e->size - offset)
		return -EBADMSG;
	if (e->mem) {
		memcpy(to, e->mem + offset, n);
		return 0;
	}
	for (size_t done = 0; done < n;) {
		ssize_t r = pread(e->fd, (char *)to + done, n - done, offset + done);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return r < 0 ? -errno : -EBADMSG;
		done += r;
	}
	return 0;
}

static void section_from64(struct elf_section *s, const Elf64_Shdr *h)
{
	*s = (struct elf_section){ .type = h->sh_type, .link = h->sh_link, .info = h->sh_info, .flags = h->sh_flags,
		.addr = h->sh_addr, .offset = h->sh_offset, .size = h->sh_size, .entsize = h->sh_entsize, .align = h->sh_addralign };
}

static void section_from32(struct elf_section *s, const Elf32_Shdr *h)
{
	*s = (struct elf_section){ .type = h->sh_type, .link = h->sh_link, .info = h->sh_info, .flags = h->sh_flags,
		.addr = h->sh_addr, .offset = h->sh_offset, .size = h->sh_size, .entsize = h->sh_entsize, .align = h->sh_addralign };
}

static void segment_from64(struct elf_segment *s, const Elf64_Phdr *h)
{
	*s = (struct elf_segment){ .type = h->p_type, .flags = h->p_flags, .offset = h->p_offset,
		.vaddr = h->p_vaddr, .filesz = h->p_filesz, .memsz = h->p_memsz };
}

static void segment_from32(struct elf_segment *s, const Elf32_Phdr *h)
{
	*s = (struct elf_segment){ .type = h->p_type, .flags = h->p_flags, .offset = h->p_offset,
		.vaddr = h->p_vaddr, .filesz = h->p_filesz, .memsz = h->p_memsz };
}

static int read_sections(struct elf_file *e, uint64_t off, size_t n, size_t entsize, uint32_t strndx)
{
	size_t want = e->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	union { Elf64_Shdr h64; Elf32_Shdr h32; } first;
	if (!off || entsize != want)
		return 0; /* none: sstrip, kernel images */
	if (elf_pread(e, &first, want, off))
		return -EBADMSG;
	struct elf_section zero;
	if (e->is64)
		section_from64(&zero, &first.h64);
	else
		section_from32(&zero, &first.h32);
	if (!n)
		n = zero.size; /* extended numbering */
	if (strndx == SHN_XINDEX)
		strndx = zero.link;
	if (n > (e->size - off) / want)
		return -EBADMSG;
	uint8_t *raw = xmalloc(n * want + 1);
	if (elf_pread(e, raw, n * want, off)) {
		free(raw);
		return -EBADMSG;
	}
	e->sec = xcalloc(n + 1, sizeof(*e->sec));
	e->n_sec = n;
	uint32_t *name = xcalloc(n + 1, sizeof(*name));
	for (size_t i = 0; i < n; i++) {
		if (e->is64)
			section_from64(&e->sec[i], (Elf64_Shdr *)raw + i);
		else
			section_from32(&e->sec[i], (Elf32_Shdr *)raw + i);
		memcpy(&name[i], raw + i * want, 4); /* sh_name comes first in both */
	}
	size_t len = 0;
	if (strndx < n)
		e->names = elf_contents(e, &e->sec[strndx], &len);
	for (size_t i = 0; i < n; i++)
		e->sec[i].name = name[i] < len ? e->names + name[i] : "";
	free(name);
	free(raw);
	return 0;
}

static int read_segments(struct elf_file *e, uint64_t off, size_t n, size_t entsize)
{
	size_t want = e->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	if (!off || !n || entsize != want)
		return 0;
	if (off > e->size || n > (e->size - off) / want)
		return -EBADMSG;
	uint8_t *raw = xmalloc(n * want);
	if (elf_pread(e, raw, n * want, off)) {
		free(raw);
		return -EBADMSG;
	}
	e->seg = xcalloc(n, sizeof(*e->seg));
	e->n_seg = n;
	for (size_t i = 0; i < n; i++) {
		if (e->is64)
			segment_from64(&e->seg[i], (Elf64_Phdr *)raw + i);
		else
			segment_from32(&e->seg[i], (Elf32_Phdr *)raw + i);
	}
	free(raw);
	return 0;
}

static int read_headers(struct elf_file *e)
{
	union { unsigned char ident[EI_NIDENT]; Elf64_Ehdr h64; Elf32_Ehdr h32; } h;
	if (elf_pread(e, &h, sizeof(h.h32), 0) || memcmp(h.ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	if (h.ident[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB))
		return -ENOTSUP;
	e->is64 = h.ident[EI_CLASS] == ELFCLASS64;
	if (e->is64) {
		if (elf_pread(e, &h.h64, sizeof(h.h64), 0))
			return -EBADMSG;
		e->type = h.h64.e_type;
		e->machine = h.h64.e_machine;
		int err = read_segments(e, h.h64.e_phoff, h.h64.e_phnum, h.h64.e_phentsize);
		return err ?: read_sections(e, h.h64.e_shoff, h.h64.e_shnum, h.h64.e_shentsize, h.h64.e_shstrndx);
	}
	e->type = h.h32.e_type;
	e->machine = h.h32.e_machine;
	int err = read_segments(e, h.h32.e_phoff, h.h32.e_phnum, h.h32.e_phentsize);
	return err ?: read_sections(e, h.h32.e_shoff, h.h32.e_shnum, h.h32.e_shentsize, h.h32.e_shstrndx);
}

int elf_open_fd(struct elf_file *e, int fd)
{
	*e = (struct elf_file){ .fd = -1 };
	struct stat st;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -ENOEXEC;
	}
	e->fd = fd;
	e->size = st.st_size;
	int err = read_headers(e);
	if (err)
		elf_close(e);
	return err;
}

int elf_open(struct elf_file *e, const char *path)
{
	*e = (struct elf_file){ .fd = -1 };
	int fd = plain_open(path, 0);
	return fd < 0 ? fd : elf_open_fd(e, fd);
}

/* As the kernel's loader does it: sections of code in the file's order, each aligned; .init apart. */
void elf_lay_out_module(struct elf_file *e)
{
	uint64_t at = 0;
	for (size_t i = 0; i < e->n_sec; i++) {
		struct elf_section *s = &e->sec[i];
		s->addr = UINT64_MAX;
		if ((s->flags & (SHF_ALLOC | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_EXECINSTR) || str_starts(s->name, ".init"))
			continue;
		if (s->size > SECTION_MAX || s->align > SECTION_MAX)
			continue;
		if (s->align > 1)
			at = (at + s->align - 1) / s->align * s->align;
		s->addr = at;
		at += s->size;
	}
	e->laid_out = true;
}

int elf_open_memory(struct elf_file *e, void *owned, size_t n)
{
	*e = (struct elf_file){ .fd = -1, .mem = owned, .size = n };
	int err = owned ? read_headers(e) : -ENOEXEC;
	if (err)
		elf_close(e);
	return err;
}

void elf_close(struct elf_file *e)
{
	if (e->fd >= 0)
		close(e->fd);
	free(e->mem);
	free(e->sec);
	free(e->seg);
	free(e->names);
	*e = (struct elf_file){ .fd = -1 };
}

const struct elf_section *elf_find(const struct elf_file *e, const char *name)
{
	for (size_t i = 1; i < e->n_sec; i++)
		if (!strcmp(e->sec[i].name, name))
			return &e->sec[i];
	return NULL;
}

static void *inflate_block(uint32_t kind, const void *p, size_t n, size_t out_len)
{
	char *to = xmalloc(out_len + 1);
	bool ok = false;
	if (kind == ELFCOMPRESS_ZLIB) {
		uLongf got = out_len;
		ok = uncompress((Bytef *)to, &got, p, n) == Z_OK && got == out_len;
	} else if (kind == 2) { /* ELFCOMPRESS_ZSTD */
		ok = ZSTD_decompress(to, out_len, p, n) == out_len;
	}
	if (!ok) {
		free(to);
		return NULL;
	}
	to[out_len] = 0;
	return to;
}

/* SHF_COMPRESSED has a header of its own; the older .zdebug_ starts with "ZLIB" and a big-endian size. */
static void *decompress(const struct elf_file *e, const struct elf_section *s, uint8_t *raw, size_t *len)
{
	uint32_t kind = ELFCOMPRESS_ZLIB;
	uint64_t size = 0;
	size_t skip;
	if (!(s->flags & SHF_COMPRESSED)) {
		skip = 12;
		if (*len < skip || memcmp(raw, "ZLIB", 4))
			return NULL;
		for (int i = 4; i < 12; i++)
			size = size << 8 | raw[i];
	} else if (e->is64) {
		Elf64_Chdr h;
		skip = sizeof(h);
		if (*len < skip)
			return NULL;
		memcpy(&h, raw, skip);
		kind = h.ch_type;
		size = h.ch_size;
	} else {
		Elf32_Chdr h;
		skip = sizeof(h);
		if (*len < skip)
			return NULL;
		memcpy(&h, raw, skip);
		kind = h.ch_type;
		size = h.ch_size;
	}
	if (size > SECTION_MAX || (size > SMALL && size / RATIO_MAX > *len))
		return NULL;
	void *to = inflate_block(kind, raw + skip, *len - skip, size);
	*len = size;
	return to;
}

void *elf_contents(const struct elf_file *e, const struct elf_section *s, size_t *len)
{
	*len = 0;
	if (!s || s->type == SHT_NOBITS || s->type == SHT_NULL || s->size > SECTION_MAX ||
	    s->offset > e->size || s->size > e->size - s->offset)
		return NULL;
	uint8_t *raw = xmalloc(s->size + 1);
	if (elf_pread(e, raw, s->size, s->offset)) {
		free(raw);
		return NULL;
	}
	raw[s->size] = 0;
	*len = s->size;
	if (!(s->flags & SHF_COMPRESSED) && (!s->name || !str_starts(s->name, ".zdebug_")))
		return raw;
	void *plain = decompress(e, s, raw, len);
	free(raw);
	if (!plain)
		*len = 0;
	return plain;
}

int build_id_of_notes(const void *p, size_t n, struct build_id *id)
{
	const uint8_t *at = p, *end = at + n;
	while ((size_t)(end - at) >= 12) {
		uint32_t h[3]; /* name size, description size, type */
		memcpy(h, at, 12);
		at += 12;
		size_t name = ((size_t)h[0] + 3) & ~(size_t)3, desc = ((size_t)h[1] + 3) & ~(size_t)3;
		if (name > (size_t)(end - at) || h[1] > (size_t)(end - at) - name)
			break;
		if (h[2] == NT_GNU_BUILD_ID && h[0] == 4 && !memcmp(at, "GNU", 4) && h[1] && h[1] <= sizeof(id->id)) {
			*id = (struct build_id){ .n = h[1] };
			memcpy(id->id, at + name, h[1]);
			return 0;
		}
		if (desc > (size_t)(end - at) - name)
			break;
		at += name + desc;
	}
	return -ENOENT;
}

int elf_build_id(const struct elf_file *e, struct build_id *id)
{
	for (size_t i = 0; i < e->n_sec; i++) {
		if (e->sec[i].type != SHT_NOTE || e->sec[i].size > 1 << 20)
			continue;
		size_t n;
		void *p = elf_contents(e, &e->sec[i], &n);
		int err = p ? build_id_of_notes(p, n, id) : -ENOENT;
		free(p);
		if (!err)
			return 0;
	}
	for (size_t i = 0; i < e->n_seg; i++) {
		const struct elf_segment *g = &e->seg[i];
		if (g->type != PT_NOTE || g->filesz > 1 << 20)
			continue;
		void *p = xmalloc(g->filesz + 1);
		int err = elf_pread(e, p, g->filesz, g->offset) ?: build_id_of_notes(p, g->filesz, id);
		free(p);
		if (!err)
			return 0;
	}
	return -ENOENT;
}

bool elf_has_symtab(const struct elf_file *e)
{
	const struct elf_section *s = elf_find(e, ".symtab");
	return s && s->type == SHT_SYMTAB && s->size > (e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
}

bool elf_has_dwarf(const struct elf_file *e)
{
	const struct elf_section *s = elf_find(e, ".debug_info") ?: elf_find(e, ".zdebug_info");
	return s && s->type != SHT_NOBITS && s->size;
}

static void *unxz(const void *p, size_t n, size_t max, size_t *out_len)
{
	lzma_stream z = LZMA_STREAM_INIT;
	/* 9 MiB is what xz asks for by default; a few bytes may ask for gigabytes. */
	if (lzma_stream_decoder(&z, XZ_WINDOW + 4 * (uint64_t)n, 0) != LZMA_OK)
		return NULL;
	if (max > SMALL && max / RATIO_MAX > n)
		max = n * RATIO_MAX > SMALL ? n * RATIO_MAX : SMALL;
	size_t cap = n * 4 + 65536 < max ? n * 4 + 65536 : max;
	uint8_t *to = xmalloc(cap + 1);
	z.next_in = p;
	z.avail_in = n;
	lzma_ret r = LZMA_OK;
	while (r == LZMA_OK) {
		if (z.total_out == cap) {
			if (cap >= max)
				break;
			cap = cap * 2 < max ? cap * 2 : max;
			to = xrealloc(to, cap + 1);
		}
		z.next_out = to + z.total_out;
		z.avail_out = cap - z.total_out;
		r = lzma_code(&z, LZMA_FINISH);
	}
	*out_len = z.total_out;
	lzma_end(&z);
	if (r != LZMA_STREAM_END) {
		free(to);
		return NULL;
	}
	to[*out_len] = 0;
	return to;
}

int elf_open_debugdata(const struct elf_file *e, struct elf_file *inner)
{
	size_t n, len;
	*inner = (struct elf_file){ .fd = -1 };
	void *packed = elf_contents(e, elf_find(e, ".gnu_debugdata"), &n);
	if (!packed)
		return -ENOENT;
	void *image = unxz(packed, n, 256 << 20, &len);
	free(packed);
	return image ? elf_open_memory(inner, image, len) : -EBADMSG;
}

int elf_loaded(const struct elf_file *e, uint64_t addr, void *out, size_t n)
{
	for (size_t i = 0; i < e->n_seg; i++) {
		const struct elf_segment *g = &e->seg[i];
		if (g->type == PT_LOAD && addr >= g->vaddr && addr - g->vaddr < g->filesz && n <= g->filesz - (addr - g->vaddr))
			return elf_pread(e, out, n, g->offset + (addr - g->vaddr));
	}
	for (size_t i = 0; e->type == ET_REL && e->laid_out && i < e->n_sec; i++) {
		const struct elf_section *s = &e->sec[i];
		if (s->type == SHT_PROGBITS && s->addr != UINT64_MAX && addr >= s->addr && addr - s->addr < s->size &&
		    n <= s->size - (addr - s->addr))
			return elf_pread(e, out, n, s->offset + (addr - s->addr));
	}
	return -EFAULT;
}
