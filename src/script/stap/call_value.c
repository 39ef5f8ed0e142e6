// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that a block of syscall.X has: name, argstr, retstr, and the call's arguments by their names. */
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "script/stap/bind.h"
#include "script/stap/tree.h"
#include "syscall/decode.h"

/* SystemTap's names for arguments that the kernel calls otherwise. */
static const struct { const char *call, *name, *arg; } renamed[] = {
	{ "read", "buf_uaddr", "buf" }, { "write", "buf_uaddr", "buf" }, { "connect", "sockfd", "fd" }, { "connect", "serv_addr_uaddr", "uservaddr" },
	{ "accept", "sockfd", "fd" }, { "accept4", "sockfd", "fd" }, { "bind", "sockfd", "fd" }, { "listen", "sockfd", "fd" },
	{ "sendto", "s", "fd" }, { "recvfrom", "s", "fd" }, { "sendmsg", "s", "fd" }, { "recvmsg", "s", "fd" }, { "sendto", "buf_uaddr", "buff" },
	{ "recvfrom", "buf_uaddr", "ubuf" }, { "recvfrom", "len", "size" }, { "futex", "futex_uaddr", "uaddr" }, { "futex", "utime_uaddr", "utime" },
	{ "futex", "uaddr2_uaddr", "uaddr2" }, { "exit", "status", "error_code" }, { "exit_group", "status", "error_code" },
	{ "ioctl", "request", "cmd" }, { "ioctl", "argp", "arg" }, { "poll", "timeout", "timeout_msecs" }, { "mmap", "length", "len" },
	{ "mmap", "start", "addr" }, { "unlink", "path", "pathname" }, { "mkdir", "pathname_uaddr", "pathname" }, { "open", "mode", "mode" },
	{ "tgkill", "sig", "sig" }, { "nanosleep", "req_uaddr", "rqtp" }, { "nanosleep", "rem_uaddr", "rmtp" }, { "clone", "clone_flags", "clone_flags" },
	{ "setitimer", "value_uaddr", "value" }, { "wait4", "pid", "upid" }, { "dup", "oldfd", "fildes" }, { "epoll_wait", "events_uaddr", "events" },
	{ "lseek", "fildes", "fd" }, { "execve", "filename", "filename" }, { "openat", "filename", "filename" },
};

/* The arguments are those of the entry, also at the return. */
const struct script_type *stap_args_of(const struct stap_scope *sc)
{
	const struct point *entry = sc->block->side == SIDE_RETURN ? stap_entry_point(sc) : NULL, *p = entry || (sc->block->call && sc->block->side == SIDE_RETURN) ? entry : sc->point;
	return p ? p->args : NULL;
}

static const struct type_field *field_of(const struct stap_scope *sc, const char *name)
{
	const struct script_type *t = stap_args_of(sc);
	for (unsigned i = 0; t && i < t->n_fields; i++)
		if (t->fields[i].name && !strcmp(t->fields[i].name, name))
			return &t->fields[i];
	return NULL;
}

/* x, x_uaddr, or another name of it. */
const struct type_field *stap_call_argument(const struct stap_scope *sc, const char *name)
{
	const struct type_field *f = field_of(sc, name);
	for (size_t i = 0; !f && i < sizeof(renamed) / sizeof(renamed[0]); i++)
		if (!strcmp(renamed[i].call, sc->block->call) && !strcmp(renamed[i].name, name))
			f = field_of(sc, renamed[i].arg);
	if (!f && str_ends(name, "_uaddr")) {
		char *bare = xstrndup(name, strlen(name) - 6);
		f = field_of(sc, bare);
		free(bare);
	}
	return f;
}

static struct script_node *node(struct stap_scope *sc, enum node_kind kind, const char *name, struct span at)
{
	struct script_node *n = node_new(sc->st->source, kind, at);
	n->name = name;
	return n;
}

/* Is it the name of a file, which the kernel reads from the caller's memory? */
static bool is_text(const struct stap_scope *sc, const struct type_field *f)
{
	enum { FIRST_ARG = 16 }; /* in the event's record, eight bytes each */
	int nr, dir;
	const struct syscall_row *row = sc->block->call ? syscall_named(ABI_NATIVE, sc->block->call, &nr) : NULL;
	if (f->type->kind == TYPE_STRING)
		return true;
	int i = ((int)f->at - FIRST_ARG) / 8;
	return row && f->type->kind == TYPE_POINTER && i >= 0 && i < 6 && syscall_file_arg(row, i, &dir) == FILE_PATH;
}

/* The field as the kernel gives it, or the string that it points to. */
static struct script_node *asked(struct stap_scope *sc, const struct type_field *f, bool text, struct span at)
{
	struct script_node *t = node(sc, NODE_TARGET, f->name, at);
	if (!text)
		return t;
	struct script_node *c = node(sc, NODE_CALL, "user_string", at);
	c->args = t;
	c->n_args = 1;
	return c;
}

static int replace(struct script_node **at, struct script_node *by)
{
	by->next = (*at)->next;
	*at = by;
	return 0;
}

/* sprintf, of the format and its slots: what all of the arguments are. */
static int all_fields(struct stap_scope *sc, struct script_node **at)
{
	const struct script_type *t = stap_args_of(sc);
	struct span span = (*at)->at;
	struct script_node *call = node(sc, NODE_CALL, "sprintf", span), *format = node(sc, NODE_STRING, "", span), **last = &format->next;
	struct str text = STR_INIT;
	int err = 0;
	call->args = format;
	call->n_args = 1;
	for (unsigned i = 0; t && i < t->n_fields && !err; i++) {
		const struct type_field *f = &t->fields[i];
		bool string = is_text(sc, f);
		if (!f->name || !strcmp(f->name, "__syscall_nr") || f->type->kind == TYPE_RECORD)
			continue;
		str_addf(&text, "%s%s", text.len ? ", " : "", string ? "%s" : f->type->kind == TYPE_POINTER ? "%#x" : "%d");
		struct script_node *v = asked(sc, f, string, span);
		*last = v;
		err = stap_ask_kernel(sc, last, v, string ? SLOT_QUOTED : SLOT_PLAIN, 0);
		last = &(*last)->next;
		call->n_args++;
	}
	format->name = arena_text(&sc->st->source->memory, text.buf, text.len);
	format->len = text.len;
	str_release(&text);
	return err ? err : replace(at, call);
}

/* The same of whatever call it is: registers, and what the first ones point to if that is text. */
static int raw_fields(struct stap_scope *sc, struct script_node **at)
{
	static const char *const regs[] = { "orig_ax", "di", "si", "dx", "r10", "r8", "r9" };
	struct span span = (*at)->at;
	struct script_node *call = node(sc, NODE_CALL, "_argstr", span), **last = &call->args;
	int err = 0;
	if (!str_starts(sc->block->word, "rawtracepoint:sys_")) {
		source_error(sc->st->source, span, "argstr of many system calls at once is not known here");
		return error_hint("name the calls: probe syscall.openat, syscall.read { ... }; or sonde trace");
	}
	for (int i = 0; i < 10 && !err; i++) {
		struct script_node *f = node(sc, NODE_FIELD, regs[i < 7 ? i : i - 6], span);
		f->a = node(sc, NODE_TARGET, "regs", span);
		if (i >= 7) {
			struct script_node *text = node(sc, NODE_CALL, "user_string", span);
			text->args = f;
			text->n_args = 1;
			f = text;
		}
		*last = f;
		err = stap_ask_kernel(sc, last, f, i < 7 ? SLOT_PLAIN : SLOT_QUOTED, 0);
		last = &(*last)->next;
		call->n_args++;
	}
	return err ? err : replace(at, call);
}

static int call_name(struct stap_scope *sc, struct script_node **at)
{
	struct stap_block *b = sc->block;
	struct script_node *n = *at;
	if (strcmp(b->call, "*")) {
		n->kind = NODE_STRING;
		n->name = b->call;
		n->len = strlen(b->call);
		return 0;
	}
	struct script_node *what = b->any_call ? node(sc, NODE_TARGET, "id", n->at) : node(sc, NODE_CALL, "pp", n->at);
	if (b->any_call && str_starts(b->word, "rawtracepoint:")) {
		what->name = "regs";
		struct script_node *number = node(sc, NODE_FIELD, "orig_ax", n->at);
		number->a = what;
		what = number;
	}
	return stap_ask_kernel(sc, at, what, b->any_call ? SLOT_CALL : SLOT_CALL_OF_PROBE, 0);
}

int stap_call_value(struct stap_scope *sc, struct script_node **at, bool *is)
{
	struct script_node *n = *at;
	const struct type_field *f;
	struct span span = n->at;
	*is = true;
	if (!strcmp(n->name, "name"))
		return call_name(sc, at);
	if (!strcmp(n->name, "syscall_nr") && sc->block->any_call)
		return stap_ask_kernel(sc, at, node(sc, NODE_TARGET, "id", span), SLOT_PLAIN, 0);
	if (sc->block->side == SIDE_RETURN && (!strcmp(n->name, "retval") || !strcmp(n->name, "ret")))
		return stap_ask_kernel(sc, at, node(sc, NODE_TARGET, "return", span), SLOT_PLAIN, 0);
	if (sc->block->side == SIDE_RETURN && !strcmp(n->name, "retstr"))
		return stap_ask_kernel(sc, at, node(sc, NODE_TARGET, "return", span), SLOT_RESULT, 0);
	if (!strcmp(n->name, "argstr")) {
		if (!strcmp(sc->block->call, "*"))
			return raw_fields(sc, at);
		return all_fields(sc, at);
	}
	f = stap_call_argument(sc, n->name);
	if (f) {
		bool text = is_text(sc, f) && !str_ends(n->name, "_uaddr");
		struct script_node *v = asked(sc, f, text, span);
		return stap_ask_kernel(sc, at, v, SLOT_PLAIN, 0);
	}
	*is = false;
	return 0;
}
