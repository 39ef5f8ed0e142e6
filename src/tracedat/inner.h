/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the trace.dat reader share. */
#ifndef TRACEDAT_INNER_H
#define TRACEDAT_INNER_H
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "symbol/symtab.h"
#include "tracedat/format.h"
#include "tracedat/reader.h"

/* Bytes taken one after the other, of a block in memory or of the file. Beyond the end: zeros, and bad is set. */
struct dat_taker {
	const uint8_t *mem; /* NULL: the file's */
	uint64_t pos, end, base; /* base: where mem's first byte is in the file */
	struct tracedat *t;
	uint8_t *buf; size_t cap; /* of the file's; owned */
	bool bad;
};

/* One CPU of one buffer. Two blocks: what was handed out before the last load stays. */
struct reel {
	int cpu;
	uint64_t from, size; /* where its pages are, all in all */
	uint64_t pos; /* next byte in the file */
	uint32_t pieces, pieces_left; /* packed: of the file's, and still to come */
	uint8_t *block[2]; size_t cap[2];
	int which;
	uint64_t block_at, piece_at; /* offset in the file of block[which], or of what it was unpacked from */
	size_t block_len, block_pos;
	struct ring_page page;
	bool in_page, ended, off;
	bool ready; /* head is its next record */
	struct tracedat_record head;
};

struct buffer_inner {
	char *name, *clock;
	struct tracedat_cpu *cpus;
	struct reel *reel; size_t n_reel;
	bool packed, tsc;
	uint64_t text_at, text_size;
};

struct comm_row { int pid; const char *comm; };
struct kept_option { uint16_t id; uint32_t size; uint8_t *data; };
struct kept_text { uint64_t at, size; char *text; size_t n; bool section; };

struct tracedat {
	char *path;
	int fd;
	uint64_t size;
	bool swap, started;
	uint8_t packing; /* enum dat_packing */
	struct ring_shape shape;
	struct tracedat_info info;
	VEC(struct tracedat_buffer) buffer;
	VEC(struct buffer_inner) inner;
	VEC(struct kept_option) option;
	VEC(struct tracedat_format) format;
	VEC(char *) owned;
	wordlist cpustats;

	struct tep_handle *tep;
	uint32_t *by_id; /* index + 1 of a format by its event's id, 65536 of them */
	struct kept_text kallsyms; /* where it is, until it is asked for */
	char *printk, *cmdlines;
	VEC(struct comm_row) comms; /* in the file's order */
	struct u64map comm_of;
	struct symtab functions;
	bool functions_read;

	struct tracedat_times times;
	int64_t file_offset, date, shift;
	uint32_t tsc_mult, tsc_shift;
	uint64_t tsc_offset;
	bool ns, plain; /* plain: times stay as they are */

	/* Parts and pages may be told of twice, in a file that is made to fill the memory: how much there was so far. */
	uint64_t parts, pages, blocks;
	size_t reels;

	struct reel *best; /* whose record comes next ... */
	int best_buffer;
	struct tracedat_record *limit; /* ... as long as it is before this one; NULL: no other has any */
};

int tracedat_damaged(const struct tracedat *t, uint64_t offset, const char *what);
/* The bytes at that offset, all of them; -errno with a pending error. */
int tracedat_read_at(const struct tracedat *t, uint64_t offset, void *to, size_t n);

/* take.c */
const uint8_t *take_bytes(struct dat_taker *k, uint64_t n); /* NULL: there are not so many; valid until the next take */
uint64_t take_number(struct dat_taker *k, unsigned size);
char *take_text(struct dat_taker *k); /* up to a NUL, which is taken as well; owned; NULL: no end, or longer than a page */
char *take_block(struct dat_taker *k, unsigned size_bytes, size_t *n); /* its size in front; with a NUL added; owned, NULL */
void take_release(struct dat_taker *k);
uint64_t taker_offset(const struct dat_taker *k);
/* v7: a section's contents, unpacked if need be. id: what must be there. owned: the memory, or NULL. */
struct section { uint16_t id, flags; uint64_t at, data, size; };
int section_head(const struct tracedat *t, uint64_t offset, int id, struct section *s);
int section_open(struct tracedat *t, const struct section *s, struct dat_taker *k, uint8_t **owned);
/* unpack.c: exactly `to_len` bytes come out; false: they do not */
bool unpack(uint8_t packing, const uint8_t *from, size_t n, uint8_t *to, size_t to_len);
bool packing_known(const char *name, uint8_t *packing);

/* meta.c: each takes its part */
int meta_headers(struct tracedat *t, struct dat_taker *k);
int meta_ftrace_formats(struct tracedat *t, struct dat_taker *k);
int meta_formats(struct tracedat *t, struct dat_taker *k);
int meta_printk(struct tracedat *t, struct dat_taker *k);
int meta_cmdlines(struct tracedat *t, struct dat_taker *k);
void meta_release(struct tracedat *t);
/* options.c */
int option_take(struct tracedat *t, uint16_t id, const uint8_t *data, uint32_t n, uint64_t offset);
int buffer_add(struct tracedat *t, const struct tracedat_buffer *b, bool packed); /* takes over what b owns */
int buffers_v6(struct tracedat *t, struct dat_taker *k, int cpus);
/* reel.c */
void reel_rewind(struct reel *c);
void reel_release(struct reel *c);
/* times.c */
uint64_t times_of(const struct tracedat *t, uint64_t raw, bool tsc);
void times_settle(struct tracedat *t);
#endif
