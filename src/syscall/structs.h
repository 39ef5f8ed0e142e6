/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structs of the kernel's interface. Most are a row of fields in tables/structs.def: offsets follow from
 * the sizes (a word is 4 bytes in a 32-bit call), so one row serves both. The rest have a function. */
#ifndef SYSCALL_STRUCTS_H
#define SYSCALL_STRUCTS_H
#include "syscall/value.h"

enum field_kind {
	FIELD_S, FIELD_U, FIELD_X, FIELD_O, FIELD_P, FIELD_FLAGS, FIELD_ENUM, FIELD_STRUCT, FIELD_FD, FIELD_PAD,
	FIELD_CHARS, FIELD_SIGNAL, FIELD_UID, FIELD_MODE, FIELD_DEV, FIELD_SIGSET, FIELD_STRING, /* pointer to a string */
};
enum { W = 0 }; /* size: a word */
enum { HIDE = 1, /* only with -v */ NONZERO = 2, /* left out when 0 */ PACKED = 4 };
struct field {
	const char *name;
	uint8_t kind, size, flags;
	uint16_t id; /* table or struct */
};
typedef void struct_fn(struct dc *c, const struct mem *m);
struct struct_def {
	const char *name;
	const struct field *field; /* NULL: fn */
	struct_fn *fn;
	uint16_t size, size32; /* of structs with a function; 0: from the fields */
};

#define STRUCT(s) ST_##s,
#define STRUCT_FN(s, size, size32) ST_##s,
#define F(kind, name, size, ...)
#define ENDS(s)
enum struct_id { ST_none,
#include "syscall/tables/structs.def"
	ST_COUNT };
#undef STRUCT
#undef STRUCT_FN
#undef F
#undef ENDS

size_t struct_bytes(int id, unsigned word);

/* Defines the printer of what is one value behind a pointer: [5]. */
#define STRUCT_ONE(name, call) \
	void struct_##name(struct dc *c, const struct mem *m) \
	{ \
		v_open(c, '['); \
		v_item(c); \
		call; \
		v_close(c, ']'); \
	}
#endif
