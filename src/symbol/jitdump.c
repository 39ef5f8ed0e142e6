// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/jitdump.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/map.h"

enum { JIT_MAGIC = 0x4A695444, DUMP_MAX = 512 << 20, ARCH_TIMESTAMP = 1 };

struct dump_head { uint32_t magic, version, size, machine, pad, pid; uint64_t time, flags; };
struct prefix { uint32_t id, size; uint64_t time; };
struct load { uint32_t pid, tid; uint64_t vma, addr, size, index; }; /* then the name and the code */
struct move { uint32_t pid, tid; uint64_t vma, old, addr, size, index; };
struct debug { uint64_t addr, n; }; /* then the lines */
struct debug_line { uint64_t addr; int32_t line, discriminator; }; /* then the file */
struct unwinding { uint64_t size, header_size, mapped_size; }; /* then the data */

int jitdump_take(struct jitdump *d, char *bytes, size_t n)
{
	struct dump_head h;
	*d = (struct jitdump){ .bytes = bytes, .len = n };
	if (n < sizeof(h))
		return -EBADMSG;
	memcpy(&h, bytes, sizeof(h));
	if (h.magic != JIT_MAGIC || h.size < sizeof(h) || h.size > n)
		return -EBADMSG;
	d->at = h.size;
	d->machine = h.machine;
	d->pid = h.pid;
	d->time = h.time;
	d->own_clock = h.flags & ARCH_TIMESTAMP;
	return 0;
}

int jitdump_open(struct jitdump *d, const char *path, int64_t owner)
{
	struct str s = STR_INIT;
	int err = file_read_foreign(path, owner, &s, DUMP_MAX);
	size_t n = s.len;
	*d = (struct jitdump){ 0 };
	if (err)
		str_release(&s);
	else
		err = jitdump_take(d, str_detach(&s), n);
	if (err)
		jitdump_close(d);
	return err;
}

void jitdump_close(struct jitdump *d)
{
	free(d->bytes);
	*d = (struct jitdump){ 0 };
}

static bool take_load(struct jit_record *r, const char *body, size_t n)
{
	struct load l;
	if (n < sizeof(l))
		return false;
	memcpy(&l, body, sizeof(l));
	const char *name = body + sizeof(l), *end = memchr(name, 0, n - sizeof(l));
	if (!end || !*name)
		return false;
	r->pid = l.pid;
	r->tid = l.tid;
	r->vma = l.vma;
	r->addr = l.addr;
	r->size = l.size;
	r->index = l.index;
	r->name = name;
	r->code = l.size <= (size_t)(body + n - (end + 1)) ? (const uint8_t *)end + 1 : NULL;
	return true;
}

static bool take_move(struct jit_record *r, const char *body, size_t n)
{
	struct move m;
	if (n < sizeof(m))
		return false;
	memcpy(&m, body, sizeof(m));
	r->pid = m.pid;
	r->tid = m.tid;
	r->vma = m.vma;
	r->old = m.old;
	r->addr = m.addr;
	r->size = m.size;
	r->index = m.index;
	return true;
}

static bool take_debug(struct jit_record *r, const char *body, size_t n)
{
	struct debug b;
	if (n < sizeof(b))
		return false;
	memcpy(&b, body, sizeof(b));
	r->addr = b.addr;
	r->lines = (struct jit_lines){ .at = body + sizeof(b), .end = body + n, .left = b.n };
	return true;
}

static bool take_unwind(struct jit_record *r, const char *body, size_t n)
{
	struct unwinding u;
	if (n < sizeof(u))
		return false;
	memcpy(&u, body, sizeof(u));
	if (u.size > n - sizeof(u) || u.header_size > u.size)
		return false;
	r->unwind = u.size ? (const uint8_t *)body + sizeof(u) : NULL;
	r->unwind_size = u.size;
	r->header_size = u.header_size;
	r->mapped_size = u.mapped_size;
	return true;
}

bool jitdump_next(struct jitdump *d, struct jit_record *r)
{
	struct prefix p;
	while (d->len - d->at >= sizeof(p)) {
		memcpy(&p, d->bytes + d->at, sizeof(p));
		if (p.size < sizeof(p) || p.size > d->len - d->at)
			return false; /* still being written, or damaged */
		const char *body = d->bytes + d->at + sizeof(p);
		size_t n = p.size - sizeof(p);
		bool good = false;
		d->at += p.size;
		*r = (struct jit_record){ .kind = p.id, .time = p.time };
		switch (p.id) {
		case JIT_LOAD: good = take_load(r, body, n); break;
		case JIT_MOVE: good = take_move(r, body, n); break;
		case JIT_DEBUG: good = take_debug(r, body, n); break;
		case JIT_UNWIND: good = take_unwind(r, body, n); break;
		case JIT_CLOSE: good = true; break;
		}
		if (good)
			return true;
	}
	return false;
}

bool jit_lines_next(struct jit_lines *l, struct jit_line *out)
{
	struct debug_line e;
	if (!l->left || (size_t)(l->end - l->at) <= sizeof(e))
		return false;
	memcpy(&e, l->at, sizeof(e));
	const char *file = l->at + sizeof(e), *end = memchr(file, 0, l->end - file);
	if (!end)
		return false;
	if (!(file[0] == '\xff' && !file[1])) /* that stands for the file before */
		l->file = file;
	l->at = end + 1;
	l->left--;
	*out = (struct jit_line){ e.addr, l->file, e.line, e.discriminator };
	return true;
}

struct jit_names {
	struct symtab *t;
	struct u64map at; /* address to the name of what was put there last */
};

static void add(struct jit_names *d, uint64_t time, uint64_t addr, uint64_t size, const char *name)
{
	size_t had = d->t->sym.n;
	symtab_add(d->t, addr, size, name, STB_GLOBAL);
	if (d->t->sym.n > had)
		*vec_push(&d->t->time) = time;
	u64map_set(&d->at, addr, (void *)(uintptr_t)name);
}

void symtab_take_jitdump(struct symtab *t, struct jitdump *dump)
{
	struct jit_names d = { .t = t };
	struct jit_record r;
	while (jitdump_next(dump, &r)) {
		/* The name of a function that moved is found from where it was. */
		const char *name = r.kind == JIT_LOAD ? r.name : r.kind == JIT_MOVE ? u64map_get(&d.at, r.old) : NULL;
		if (name)
			add(&d, r.time, r.addr, r.size, name);
	}
	u64map_release(&d.at);
	symtab_own(t, dump->bytes);
	if (t->time.n == t->sym.n && !dump->own_clock) {
		symtab_finish_timed(t);
	} else {
		vec_clear(&t->time);
		symtab_finish_latest(t);
	}
	*dump = (struct jitdump){ 0 };
}

int symtab_load_jitdump(struct symtab *t, const char *path, int64_t owner)
{
	struct jitdump dump;
	int err = jitdump_open(&dump, path, owner);
	if (!err)
		symtab_take_jitdump(t, &dump);
	return err;
}
