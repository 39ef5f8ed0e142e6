/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How decoders say a value. A decoder never formats: it opens a struct, names a field, gives a number,
 * a set of flags or a string; this layer makes strace's text, perf's text or JSON of it. */
#ifndef SYSCALL_VALUE_H
#define SYSCALL_VALUE_H
#include "base/map.h"
#include "syscall/decode.h"
#include "syscall/xlat.h"

struct decoder {
	struct decode_style style;
	struct fd_state *fds; /* not owned; may be NULL */
	struct str scratch; /* text of one value on its way into JSON */
	struct btf_types *btf; /* NULL until a struct needs it */
	struct u64map comms; /* pid_names: number -> name (malloc'ed), of those that were seen */
	char comm[16]; /* of one that was not */
};

/* One call being decoded. */
struct dc {
	struct decoder *d;
	const struct sysevent *e;
	const struct syscall_row *row;
	struct str *out; /* text; in JSON form only used for scratch */
	struct json *json; /* NULL: text */
	bool strace; /* strace's names; JSON uses them too */
	bool first; /* text: nothing was said yet in this bracket */
	uint8_t word; /* bytes of a pointer or long: 4 or 8 */
	uint8_t depth; /* nested brackets, bounded */
	bool failed; /* the call returned an error */
	bool entered; /* only the entry was seen: nothing that the kernel fills is known */
	bool raw; /* arguments as numbers */
	bool whole; /* structs with all members */
	bool bare; /* structs not at all */
	uint8_t in_comment; /* the number was said, names follow: so many v_named() are due */
};

/* Memory of the traced program, as far as it was copied. */
struct mem {
	const uint8_t *p;
	size_t n;
	uint64_t addr;
	bool truncated;
	uint64_t full; /* what it would have been, 0 unknown */
};
enum mem_when { MEM_IN, MEM_OUT, MEM_ANY };
/* The copied bytes at a user address; false: not copied or not readable. */
bool mem_find(const struct dc *c, uint64_t addr, enum mem_when when, struct mem *m);
/* The same, starting inside of a copied piece. */
bool mem_find_inside(const struct dc *c, uint64_t addr, enum mem_when when, struct mem *m);
uint64_t mem_u(const struct mem *m, size_t off, size_t size); /* little-endian; 0 beyond the end */
int64_t mem_s(const struct mem *m, size_t off, size_t size);
struct mem mem_sub(const struct mem *m, size_t off, size_t n); /* bounded */
static inline uint64_t arg(const struct dc *c, int i) { return c->e->args[i]; }

/* Values. */
void v_s(struct dc *c, int64_t v);
void v_u(struct dc *c, uint64_t v);
void v_hex(struct dc *c, uint64_t v); /* 0x10; 0 is "0" */
void v_hexnum(struct dc *c, uint64_t v); /* 0x10; 0 is "0"; a number in JSON */
void v_oct(struct dc *c, uint64_t v); /* 0644 */
void v_addr(struct dc *c, uint64_t v); /* a pointer: NULL or 0x.. */
void v_null(struct dc *c);
void v_word(struct dc *c, const char *z); /* a name: CWD; a string in JSON */
void v_name(struct dc *c, enum xlat_id t, const char *full_name); /* a name of a table, prefix dropped in perf's form */
void v_enum(struct dc *c, enum xlat_id t, uint64_t v);
/* Before the name of a number (base 8, 10 signed, 0 decimal without sign, 16), with v_named() behind it: strace's -X. True: the number says it all,
 * and neither name nor v_named() is wanted. */
bool v_number(struct dc *c, uint64_t v, int base);
void v_named(struct dc *c);
void v_const(struct dc *c, uint64_t v, const char *name); /* a name that is in no table, with its value */
void v_flags(struct dc *c, enum xlat_id t, uint64_t v);
/* Parts of one value made of several tables: S_IFREG|0644, SOCK_STREAM|SOCK_CLOEXEC. */
void v_parts_begin(struct dc *c);
void v_part(struct dc *c, const char *z);
void v_part_const(struct dc *c, uint64_t v, const char *name);
void v_part_flags(struct dc *c, enum xlat_id t, uint64_t v); /* nothing if no bit is set */
void v_part_enum(struct dc *c, enum xlat_id t, uint64_t v);
void v_part_hex(struct dc *c, uint64_t v);
void v_part_oct(struct dc *c, uint64_t v);
void v_part_huge(struct dc *c, uint32_t log, const char *shift); /* 21<<MAP_HUGE_SHIFT; nothing for 0 */
void v_parts_end(struct dc *c); /* "0" when there was none */
/* Strings and payloads: quoted, cut at the style's limit (limit 0: whole), "..." when there was more. */
void v_str(struct dc *c, const void *p, size_t n, bool more, size_t limit);
void v_payload(struct dc *c, const struct mem *m, uint64_t len);
bool v_netlink(struct dc *c, const struct mem *m, uint64_t len); /* false: the call's descriptor is no netlink socket */
void v_cstr(struct dc *c, const struct mem *m, size_t limit); /* up to NUL */
void v_chars(struct dc *c, const struct mem *m); /* an array of characters: up to NUL or its end */
void v_fn_u(struct dc *c, const char *fn, uint64_t v); /* htons(80); 80 in perf's form and JSON */
void v_fn_str(struct dc *c, const char *fn, const char *z); /* inet_addr("1.2.3.4") */
void v_comment(struct dc *c, const char *z); /* strace's remark after a value; nothing in JSON */

/* Brackets. */
void v_open(struct dc *c, char bracket); /* '{' or '[' */
void v_close(struct dc *c, char bracket); /* '}' or ']' */
void v_item(struct dc *c); /* before each element of [...] */
void v_field(struct dc *c, const char *name); /* before each member of {...} */
void v_more(struct dc *c); /* "...": members were left out */
void v_unreadable(struct dc *c, uint64_t addr); /* strace's remark after "...": where memory ended */
static inline bool whole(const struct dc *c) { return c->whole; }

/* Kinds that several families share. */
void v_fd(struct dc *c, int fd);
void v_pid(struct dc *c, int pid);
void v_ticks(struct dc *c, uint64_t ticks); /* 3 with a remark: 0.03 s */
void v_mode(struct dc *c, unsigned mode); /* S_IFREG|0644 */
void v_dev(struct dc *c, uint64_t dev);
void v_uid(struct dc *c, uint32_t id);
void v_signal(struct dc *c, int sig);
void v_sigset(struct dc *c, const struct mem *m);
void v_path(struct dc *c, uint64_t addr);
void v_open_flags(struct dc *c, uint64_t flags);
void v_mpol(struct dc *c, uint32_t mode);
void v_sockaddr(struct dc *c, const struct mem *m);
void v_ifindex(struct dc *c, uint32_t index); /* a network interface, by its name where that is ours to know */
void v_mac(struct dc *c, const struct mem *m); /* 02:fc:00:00:00:01 */
void v_si_code(struct dc *c, int sig, int code);
/* strace writes some calls in a form of their own (clone): true when that was done. */
bool special_form(struct dc *c);
/* Struct with a table or function of its own: see structs.h. Prints the address if it was not copied. */
void v_struct_at(struct dc *c, int id, uint64_t addr, enum mem_when when);
void v_struct(struct dc *c, int id, const struct mem *m);
size_t struct_size(const struct dc *c, int id);
/* After a struct whose caller says how long it is: what lies beyond the `known` bytes. */
void v_sized_tail(struct dc *c, const struct mem *m, uint64_t said, size_t known);

#endif
