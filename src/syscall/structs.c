// SPDX-License-Identifier: GPL-2.0-or-later
#include "syscall/structs.h"

#define STRUCT(s) static const struct field fields_##s[] = {
#define STRUCT_FN(s, size, size32) struct_fn struct_##s;
#define FIELD_ROW(k, name, size, flags, id, ...) { name, FIELD_##k, size, flags, id },
#define F(k, name, size, ...) FIELD_ROW(k, name, size, ##__VA_ARGS__, 0, 0)
#define ENDS(s) { NULL, FIELD_PAD, 0, 0, 0 } };
#include "syscall/tables/structs.def"
#undef STRUCT
#undef STRUCT_FN
#undef F
#undef ENDS

static const struct struct_def defs[ST_COUNT] = {
#define STRUCT(s) [ST_##s] = { #s, fields_##s, NULL, 0, 0 },
#define STRUCT_FN(s, size, size32) [ST_##s] = { #s, NULL, struct_##s, size, size32 },
#define F(k, name, size, ...)
#define ENDS(s)
#include "syscall/tables/structs.def"
#undef STRUCT
#undef STRUCT_FN
#undef F
#undef ENDS
};

static const struct struct_def *struct_find(int id)
{
	return id > 0 && id < ST_COUNT ? &defs[id] : NULL;
}

static size_t field_bytes(const struct field *f, unsigned word)
{
	if (f->kind == FIELD_STRUCT)
		return struct_bytes(f->id, word);
	return f->size ? f->size : word;
}

static size_t field_align(const struct field *f, size_t bytes, unsigned word)
{
	if (f->flags & PACKED || f->kind == FIELD_CHARS || (f->kind == FIELD_PAD && bytes > 8))
		return 1;
	if (f->kind == FIELD_STRUCT) {
		const struct struct_def *d = struct_find(f->id);
		return d && d->field ? field_align(d->field, field_bytes(d->field, word), word) : word;
	}
	return bytes < word ? bytes : word;
}

size_t struct_bytes(int id, unsigned word)
{
	const struct struct_def *d = struct_find(id);
	if (!d)
		return 0;
	if (!d->field)
		return word == 4 && d->size32 ? d->size32 : d->size;
	size_t off = 0, max = 1;
	bool packed = false;
	for (const struct field *f = d->field; f->name; f++) {
		size_t n = field_bytes(f, word), align = field_align(f, n, word);
		off = (off + align - 1) / align * align + n;
		max = align > max ? align : max;
		packed |= f->flags & PACKED;
	}
	return packed ? off : (off + max - 1) / max * max;
}

size_t struct_size(const struct dc *c, int id)
{
	return struct_bytes(id, c->word);
}

static void field_value(struct dc *c, const struct field *f, const struct mem *m, size_t off, size_t n)
{
	uint64_t v = mem_u(m, off, n);
	struct mem sub = mem_sub(m, off, n);
	switch ((enum field_kind)f->kind) {
	case FIELD_S: v_s(c, mem_s(m, off, n)); break;
	case FIELD_U: v_u(c, v); break;
	case FIELD_X: v_hex(c, v); break;
	case FIELD_O: v_oct(c, v); break;
	case FIELD_P: v_addr(c, v); break;
	case FIELD_FLAGS: v_flags(c, f->id, v); break;
	case FIELD_ENUM: v_enum(c, f->id, v); break;
	case FIELD_STRUCT: v_struct(c, f->id, &sub); break;
	case FIELD_FD: v_fd(c, mem_s(m, off, n)); break;
	case FIELD_CHARS: v_chars(c, &sub); break;
	case FIELD_SIGNAL: v_signal(c, mem_s(m, off, n)); break;
	case FIELD_UID: v_uid(c, v); break;
	case FIELD_MODE: v_mode(c, v); break;
	case FIELD_DEV: v_dev(c, v); break;
	case FIELD_SIGSET: v_sigset(c, &sub); break;
	case FIELD_STRING: v_path(c, v); break;
	case FIELD_PAD: break;
	}
}

static void fields_print(struct dc *c, const struct struct_def *d, const struct mem *m)
{
	size_t off = 0;
	bool left_out = false;
	v_open(c, '{');
	for (const struct field *f = d->field; f->name; f++) {
		size_t n = field_bytes(f, c->word), align = field_align(f, n, c->word);
		off = (off + align - 1) / align * align;
		if (off + n > m->n) { /* an older and shorter struct, or it was cut */
			left_out |= m->truncated;
			break;
		}
		bool hidden = (f->flags & HIDE && !whole(c)) || f->kind == FIELD_PAD;
		if (hidden)
			left_out |= f->kind != FIELD_PAD;
		else if (!(f->flags & NONZERO) || mem_u(m, off, n < 8 ? n : 8)) {
			v_field(c, f->name);
			field_value(c, f, m, off, n);
		}
		off += n;
	}
	if (left_out)
		v_more(c);
	v_close(c, '}');
}

enum { DEPTH_MAX = 8 };

void v_struct(struct dc *c, int id, const struct mem *m)
{
	const struct struct_def *d = struct_find(id);
	if (!d || c->depth >= DEPTH_MAX) {
		v_addr(c, m->addr);
		return;
	}
	c->depth++;
	if (d->field)
		fields_print(c, d, m);
	else
		d->fn(c, m);
	c->depth--;
}

void v_struct_at(struct dc *c, int id, uint64_t addr, enum mem_when when)
{
	struct mem m;
	if (!mem_find_inside(c, addr, when, &m) || m.n < struct_size(c, id))
		v_addr(c, addr);
	else
		v_struct(c, id, &m);
}
