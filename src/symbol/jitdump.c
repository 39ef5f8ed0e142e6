// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/jitdump.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/map.h"

enum { JIT_MAGIC = 0x4A695444, DUMP_MAX = 512 << 20, CODE_LOAD = 0, CODE_MOVE = 1, ARCH_TIMESTAMP = 1 };

struct record { uint32_t id, size; uint64_t time; };
struct load { uint32_t pid, tid; uint64_t vma, addr, size, index; }; /* then the name and the code */
struct move { uint32_t pid, tid; uint64_t vma, old, addr, size, index; };

struct dump {
	struct symtab *t;
	struct u64map at; /* address to the name of what was put there last */
};

static void add(struct dump *d, uint64_t time, uint64_t addr, uint64_t size, const char *name)
{
	size_t had = d->t->sym.n;
	symtab_add(d->t, addr, size, name, STB_GLOBAL);
	if (d->t->sym.n > had)
		*vec_push(&d->t->time) = time;
	u64map_set(&d->at, addr, (void *)(uintptr_t)name);
}

static void code_load(struct dump *d, uint64_t time, const char *body, size_t n)
{
	struct load l;
	if (n < sizeof(l))
		return;
	memcpy(&l, body, sizeof(l));
	const char *name = body + sizeof(l);
	if (!memchr(name, 0, n - sizeof(l)) || !*name)
		return;
	add(d, time, l.addr, l.size, name);
}

/* The name of a function that moved is found from where it was. */
static void code_move(struct dump *d, uint64_t time, const char *body, size_t n)
{
	struct move m;
	if (n < sizeof(m))
		return;
	memcpy(&m, body, sizeof(m));
	const char *name = u64map_get(&d->at, m.old);
	if (name)
		add(d, time, m.addr, m.size, name);
}

int symtab_load_jitdump(struct symtab *t, const char *path)
{
	struct str s = STR_INIT;
	int err = file_read_foreign(path, &s, DUMP_MAX);
	uint32_t head[3] = { 0 }; /* magic, version, header size */
	uint64_t flags = 0;
	if (!err && s.len >= 40)
		memcpy(head, s.buf, sizeof(head));
	if (!err && s.len >= 40)
		memcpy(&flags, s.buf + 32, sizeof(flags));
	if (!err && (head[0] != JIT_MAGIC || head[2] < 40 || head[2] > s.len))
		err = -EBADMSG;
	if (err) {
		str_release(&s);
		return err;
	}
	size_t n = s.len;
	char *text = str_detach(&s);
	struct dump d = { .t = t };
	symtab_own(t, text);
	for (size_t at = head[2]; n - at >= sizeof(struct record);) {
		struct record r;
		memcpy(&r, text + at, sizeof(r));
		if (r.size < sizeof(r) || r.size > n - at)
			break; /* still being written, or damaged */
		if (r.id == CODE_LOAD)
			code_load(&d, r.time, text + at + sizeof(r), r.size - sizeof(r));
		else if (r.id == CODE_MOVE)
			code_move(&d, r.time, text + at + sizeof(r), r.size - sizeof(r));
		at += r.size;
	}
	u64map_release(&d.at);
	if (t->time.n == t->sym.n && !(flags & ARCH_TIMESTAMP)) {
		symtab_finish_timed(t);
	} else {
		vec_clear(&t->time);
		symtab_finish_latest(t);
	}
	return 0;
}
