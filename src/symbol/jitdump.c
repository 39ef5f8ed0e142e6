// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbol/jitdump.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"

enum { JIT_MAGIC = 0x4A695444, DUMP_MAX = 512 << 20, CODE_LOAD = 0, CODE_MOVE = 1, ARCH_TIMESTAMP = 1 };

struct record { uint32_t id, size; uint64_t time; };
struct load { uint32_t pid, tid; uint64_t vma, addr, size, index; }; /* then the name and the code */
struct move { uint32_t pid, tid; uint64_t vma, old, addr, size, index; };

static void add(struct symtab *t, uint64_t time, uint64_t addr, uint64_t size, const char *name)
{
	size_t had = t->sym.n;
	symtab_add(t, addr, size, name, STB_GLOBAL);
	if (t->sym.n > had)
		*vec_push(&t->time) = time;
}

static void code_load(struct symtab *t, uint64_t time, const char *body, size_t n)
{
	struct load l;
	if (n < sizeof(l))
		return;
	memcpy(&l, body, sizeof(l));
	const char *name = body + sizeof(l);
	if (!memchr(name, 0, n - sizeof(l)) || !*name)
		return;
	add(t, time, l.addr, l.size, name);
}

/* The name of a function that moved is found from where it was. */
static void code_move(struct symtab *t, uint64_t time, const char *body, size_t n)
{
	struct move m;
	if (n < sizeof(m))
		return;
	memcpy(&m, body, sizeof(m));
	for (size_t i = t->sym.n; i-- > 0;) {
		if (t->sym.at[i].start == m.old) {
			add(t, time, m.addr, m.size, t->sym.at[i].name);
			break;
		}
	}
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
	symtab_own(t, text);
	for (size_t at = head[2]; n - at >= sizeof(struct record);) {
		struct record r;
		memcpy(&r, text + at, sizeof(r));
		if (r.size < sizeof(r) || r.size > n - at)
			break; /* still being written, or damaged */
		if (r.id == CODE_LOAD)
			code_load(t, r.time, text + at + sizeof(r), r.size - sizeof(r));
		else if (r.id == CODE_MOVE)
			code_move(t, r.time, text + at + sizeof(r), r.size - sizeof(r));
		at += r.size;
	}
	if (t->time.n == t->sym.n && !(flags & ARCH_TIMESTAMP)) {
		symtab_finish_timed(t);
	} else {
		vec_clear(&t->time);
		symtab_finish_latest(t);
	}
	return 0;
}
