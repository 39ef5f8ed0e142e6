/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands behind the header of a netlink message. */
#ifndef SYSCALL_NETLINK_NETLINK_H
#define SYSCALL_NETLINK_NETLINK_H
#include "syscall/value.h"

/* A member of a struct or the value of an attribute. ADDR and the like depend on the family, which the struct tells. */
enum nl_kind { NL_BYTES, NL_STR, NL_U8, NL_U16, NL_U32, NL_U64, NL_S32, NL_HEX32, NL_PORT, NL_IFINDEX, NL_FAMILY, NL_ADDR, NL_MAC,
	NL_ENUM8, NL_ENUM16, NL_ENUM32, NL_FLAGS8, NL_FLAGS16, NL_FLAGS32, NL_COUNTS32, NL_COUNTS64, NL_PLACES32, NL_PLACES64, NL_BITS, NL_NEST, NL_STRUCT,
	NL_SOCKID, NL_COOKIE /* in structs only */ };
struct nl_field { const char *name; uint8_t off, kind; uint16_t id; };
struct nl_attr { uint16_t type; uint8_t kind; uint16_t id; const void *more; }; /* more: nl_attrs, nl_struct or names */
struct nl_attrs { uint16_t names; const struct nl_attr *at; unsigned n; };
struct nl_struct { const struct nl_field *field; unsigned n; uint16_t size; };
struct nl_body { struct nl_struct head; const struct nl_attrs *attrs; };

extern const struct nl_attrs nl_error_attrs; /* behind an answer */
/* The body of a NETLINK_ROUTE message; NULL: none is known. */
const struct nl_body *nl_route_body(uint16_t type);
/* The same of NETLINK_SOCK_DIAG, by family; a request and its answers differ. */
const struct nl_body *nl_diag_body(uint8_t family, bool request);

/* How many messages or attributes of a list are shown, as in strace: 32, with -v all. */
unsigned nl_shown(const struct dc *c);
void nl_bytes_show(struct dc *c, const struct mem *m, uint64_t len);
void nl_struct_show(struct dc *c, const struct nl_struct *s, const struct mem *m, uint8_t family);
/* m: what was copied of len bytes of attributes. */
void nl_attrs_show(struct dc *c, const struct nl_attrs *a, const struct mem *m, uint64_t len, uint8_t family);
#endif
