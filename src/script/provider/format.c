// SPDX-License-Identifier: GPL-2.0-or-later
#include "script/provider/format.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "base/vec.h"
#include "kernel/tracefs.h"
#include "script/ctype/ctype.h"

enum { FIELDS = 64 };

/* Of what a system call gets, eight bytes each: as many as its C type has. */
static uint32_t c_size(const char *decl, bool *is_signed)
{
	static const struct { const char *name; uint32_t size; bool is_signed; } types[] = {
		{ "unsigned int ", 4, false }, { "int ", 4, true }, { "umode_t ", 2, false }, { "pid_t ", 4, true }, { "uid_t ", 4, false },
		{ "gid_t ", 4, false }, { "u32 ", 4, false }, { "s32 ", 4, true }, { "__u32 ", 4, false }, { "__s32 ", 4, true },
		{ "key_t ", 4, true }, { "mqd_t ", 4, true }, { "qid_t ", 4, true }, { "clockid_t ", 4, true }, { "const clockid_t ", 4, true },
		{ "timer_t ", 4, true }, { "rwf_t ", 4, true }, { "key_serial_t ", 4, true }, { "unsigned ", 4, false },
		{ "long ", 8, true }, { "loff_t ", 8, true }, { "off_t ", 8, true },
	};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_starts(decl, types[i].name) && !strchr(decl, '*') && strncmp(decl, "unsigned long", 13)) {
			*is_signed = types[i].is_signed;
			return types[i].size;
		}
	*is_signed = false;
	return 8;
}

static struct script_type *number(uint32_t size, bool is_signed)
{
	static const char *const names[2][9] = { { [1] = "uint8", [2] = "uint16", [4] = "uint32", [8] = "uint64" },
		{ [1] = "int8", [2] = "int16", [4] = "int32", [8] = "int64" } };
	const char *name = size <= 8 ? names[is_signed][size] : NULL;
	return name ? type_named(name) : &type_none;
}

/* "const struct sock *" to "struct sock"; what a field points to is looked up when it is followed. */
static struct script_type *pointer(struct run_script *s, const char *decl, bool syscall)
{
	enum script_space space = syscall ? SPACE_USER : SPACE_ANY; /* an address in the kernel, or not: it tells itself */
	size_t n = strcspn(decl, "*");
	char name[128];
	while (str_starts(decl, "const ")) {
		decl += 6;
		n -= 6;
	}
	while (n && decl[n - 1] == ' ')
		n--;
	const char *more = strchr(decl + n, '*');
	if (!n || n >= sizeof(name) || (more && strchr(more + 1, '*')) || strchr(decl, '(') || strstr(decl, "const *") || strstr(decl, "__user"))
		return type_pointer(&s->source->memory, NULL, space);
	snprintf(name, sizeof(name), "%.*s", (int)n, decl);
	if (strncmp(name, "struct ", 7) != 0 && strncmp(name, "union ", 6) != 0 && strcmp(name, "char") != 0)
		return type_pointer(&s->source->memory, NULL, space); /* not worth a look into the kernel's types */
	return ctype_pointer_to(s->types, name, space);
}

/* "unsigned char addr[16]", "__data_loc u8[] buf": the words before the bracket say what an item is. */
static struct script_type *array(struct run_script *s, struct type_field *f, const char *decl, bool is_signed)
{
	struct arena *m = &s->source->memory;
	char name[64];
	const char *from = f->data_loc ? decl + strlen("__data_loc ") : decl;
	size_t n = strcspn(from, "[");
	if (str_starts(from, "const ")) {
		from += 6;
		n -= 6;
	}
	while (!f->data_loc && n && from[n - 1] != ' ') /* the field's own name */
		n--;
	while (n && from[n - 1] == ' ')
		n--;
	snprintf(name, sizeof(name), "%.*s", (int)(n < sizeof(name) ? n : sizeof(name) - 1), from);
	struct script_type *item = strchr(name, '*') ? type_pointer(m, NULL, SPACE_KERNEL) : ctype_find(s->types, NULL, name);
	uint32_t size = item ? ctype_size(item) : 0;
	f->space = SPACE_KERNEL;
	if (!size) { /* bytes, whatever they are called */
		item = ctype_find(s->types, NULL, is_signed ? "int8" : "uint8");
		size = 1;
	}
	return type_array(m, item, f->data_loc ? 0 : f->size / size);
}

static struct script_type *type_of(struct run_script *s, struct type_field *f, const char *decl, bool is_signed, bool syscall)
{
	struct arena *m = &s->source->memory;
	f->data_loc = str_starts(decl, "__data_loc");
	if (f->data_loc)
		return strstr(decl, "char[]") ? type_string(m, s->max_string) : array(s, f, decl, is_signed);
	if (strchr(decl, '['))
		return str_starts(decl, "char ") || str_starts(decl, "const char ") ? type_string(m, f->size) : array(s, f, decl, is_signed);
	if (strchr(decl, '*'))
		return pointer(s, decl, syscall);
	if (syscall && f->size == 8)
		f->size = c_size(decl, &is_signed);
	return number(f->size, is_signed);
}

/* "\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;" */
static bool read_field(struct run_script *s, const char *line, struct type_field *f, bool syscall)
{
	char decl[256];
	unsigned at, size, is_signed = 0;
	const char *p = strstr(line, "field:"), *semi = p ? strchr(p, ';') : NULL;
	if (!semi || sscanf(semi, "; offset:%u; size:%u; signed:%u;", &at, &size, &is_signed) < 2 || semi - p - 6 >= (long)sizeof(decl))
		return false;
	snprintf(decl, sizeof(decl), "%.*s", (int)(semi - p - 6), p + 6);
	char *end = decl + strcspn(decl, "[");
	if (str_starts(decl, "__data_loc"))
		end = decl + strlen(decl);
	char *name = end;
	while (name > decl && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	if (name == end || str_starts(name, "common_"))
		return false;
	*f = (struct type_field){ .at = at, .size = size, .name = arena_text(&s->source->memory, name, (size_t)(end - name)) };
	f->type = type_of(s, f, decl, is_signed, syscall);
	return true;
}

struct script_type *format_record(struct run_script *s, const char *system, const char *event, bool syscall)
{
	struct str text = STR_INIT;
	struct script_type *t = NULL;
	if (!tracefs_event_format(system, event, &text)) {
		t = arena_get(&s->source->memory, sizeof(*t));
		*t = (struct script_type){ TYPE_RECORD, .fields = arena_get(&s->source->memory, FIELDS * sizeof(*t->fields)) };
		for (char *line = text.buf; line && *line && t->n_fields < FIELDS;) {
			char *end = strchr(line, '\n');
			if (end)
				*end = 0;
			if (str_starts(line, "print fmt"))
				break;
			if (read_field(s, line, &t->fields[t->n_fields], syscall))
				t->n_fields++;
			line = end ? end + 1 : NULL;
		}
	}
	str_release(&text);
	return t;
}
