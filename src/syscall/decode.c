// SPDX-License-Identifier: GPL-2.0-or-later
/* Puts one event into words: the frame around the arguments, results and errors, signals and exits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "kernel/root.h"
#include "syscall/btf.h"
#include "syscall/table.h"

struct decoder *decoder_new(const struct decode_style *style, struct fd_state *fds)
{
	struct decoder *d = xcalloc(1, sizeof(*d));
	d->style = *style;
	d->fds = fds;
	str_init(&d->scratch);
	return d;
}

void decoder_free(struct decoder *d)
{
	if (!d)
		return;
	size_t cursor = 0;
	void *comm;
	while (u64map_next(&d->comms, &cursor, NULL, &comm))
		free(comm);
	u64map_release(&d->comms);
	str_release(&d->scratch);
	btf_types_free(d->btf);
	free(d);
}

/* ---- names of processes ---- */

static void note_comm(struct decoder *d, const struct sysevent *e)
{
	char *known = u64map_get(&d->comms, e->tid);
	size_t n = strnlen(e->comm, sizeof(e->comm));
	if (n && (!known || strncmp(known, e->comm, n + 1)))
		free(u64map_set(&d->comms, e->tid, xstrndup(e->comm, n)));
}

const char *decoder_comm(struct decoder *d, int pid)
{
	const char *known = u64map_get(&d->comms, pid);
	struct str s = STR_INIT;
	if (known || !d->style.ask_proc || pid <= 0)
		return known;
	if (!file_read(root_path(ROOT_PROC, "%d/comm", pid), &s, 64) && s.len > 1) {
		snprintf(d->comm, sizeof(d->comm), "%.*s", (int)s.len - 1, s.buf);
		known = d->comm;
	}
	str_release(&s);
	return known;
}

static bool chosen(const struct sysset *s, const struct sysevent *e)
{
	return sysset_has(s, e->abi, e->nr);
}

static struct dc begin(struct decoder *d, const struct sysevent *e, struct str *out, struct json *j)
{
	const struct syscall_row *r = syscall_find(e->abi, e->nr);
	const struct decode_style *y = &d->style;
	if (y->pid_names)
		note_comm(d, e);
	return (struct dc){
		.d = d, .e = e, .row = r, .out = out, .json = j,
		.strace = d->style.strace || j,
		.word = r ? (r->abi == ABI_NATIVE ? 8 : 4) : (e->abi == ABI_NATIVE ? 8 : 4),
		.failed = e->type != SYS_UNFINISHED && e->ret < 0 && e->ret >= -4095,
		.entered = e->type == SYS_UNFINISHED,
		.raw = y->raw || (y->raw_calls && chosen(y->raw_calls, e)),
		.whole = y->verbose || j || (y->abbrev_calls && !chosen(y->abbrev_calls, e)),
		.bare = y->verbose_calls && !chosen(y->verbose_calls, e),
	};
}

/* perf leaves arguments that are 0 out, except where 0 is a name: a descriptor, a choice. */
static bool shown(struct dc *c, const struct arg_def *a, int i)
{
	if (!a->print || (a->print == a_quota_id && !quota_has_id(c)))
		return false;
	if (c->strace || c->raw || arg(c, i))
		return true;
	return a->print == a_fd || a->print == a_dir || a->print == a_enum || a->print == a_open_flags || a->print == a_sig ||
	       a->print == a_access || a->print == a_clock || a->print == a_futex_op || a->print == a_prot || a->print == a_exit_code ||
	       c->row->n_args == 1;
}

static int arg_count(struct dc *c)
{
	int n = c->row->n_args;
	if (!c->row->def->count || c->raw)
		return n;
	int k = c->row->def->count(c);
	return k < n ? k : n;
}

/* Was what this argument points to read later than at the call's entry? */
static bool read_late(const struct dc *c, int i)
{
	for (unsigned k = 0; k < c->e->n_copied; k++)
		if (c->e->copied[k].late && c->e->copied[k].arg == i && !c->e->copied[k].faulted)
			return true;
	return false;
}

/* What -e verbose= leaves as an address: strings are always shown. */
static bool is_struct(const struct arg_def *a)
{
	return a->kind != COPY_NONE && a->print != a_path && a->print != a_str && a->print != a_str_out && a->print != a_link_out &&
	       a->print != a_buf_in && a->print != a_buf_out && a->print != a_random_out;
}

static void text_args(struct dc *c, int from, int to)
{
	bool first = true;
	for (int i = from; i < to; i++) {
		const struct arg_def *a = &c->row->def->arg[i];
		if (!shown(c, a, i))
			continue;
		if (!c->strace)
			str_addn(c->out, a->label + 2 * first, a->label_len - 2 * first);
		else if (!first)
			str_addn(c->out, ", ", 2);
		first = false;
		if (c->raw)
			str_add_hex(c->out, arg(c, i));
		else if (c->bare && is_struct(a))
			v_addr(c, arg(c, i));
		else
			a->print(c, i, a);
		if (c->d->style.verbose && !c->strace && read_late(c, i))
			str_add(c->out, " /* read late */");
	}
}

/* What to be careful with: memory that another thread may have changed since the call began. */
static void json_late(struct dc *c, int n)
{
	bool any = false;
	for (int i = 0; i < n; i++) {
		if (!read_late(c, i) || !c->row->def->arg[i].print)
			continue;
		if (!any) {
			json_key(c->json, "late");
			json_open(c->json, '[');
		}
		any = true;
		json_strz(c->json, c->row->def->arg[i].name);
	}
	if (any)
		json_close(c->json, ']');
}

/* strace shows a call that is under way up to the first argument that the kernel will fill. */
static int first_filled(struct dc *c, int n)
{
	for (int i = 0; i < n; i++)
		if (c->row->def->arg[i].when == COPY_EXIT)
			return i;
	return n;
}

static void call_args(struct dc *c)
{
	int n = arg_count(c), to = c->entered && c->strace ? first_filled(c, n) : n;
	text_args(c, 0, to);
	if (to < n && to)
		str_addn(c->out, ", ", 2);
}

void decode_rest(struct decoder *d, const struct sysevent *e, struct str *out)
{
	struct dc c = begin(d, e, out, NULL);
	if (c.row && e->args_known && (c.raw || strcmp(c.row->def->name, "clone"))) {
		int n = arg_count(&c);
		text_args(&c, first_filled(&c, n), n);
	}
	str_addc(out, ')');
}

/* A number that no table knows: the registers, as strace shows them. */
static void unknown_call(struct dc *c)
{
	str_add(c->out, "syscall_");
	str_add_hex(c->out, (uint32_t)c->e->nr);
	str_addc(c->out, '(');
	for (int i = 0; i < 6 && c->e->args_known; i++) {
		if (i)
			str_addn(c->out, ", ", 2);
		str_add_hex(c->out, arg(c, i));
	}
}

void decode_call(struct decoder *d, const struct sysevent *e, struct str *out)
{
	struct dc c = begin(d, e, out, NULL);
	str_grow(out, 256);
	if (!c.row) {
		unknown_call(&c);
	} else {
		str_addn(out, c.row->def->name, c.row->def->name_len);
		str_addc(out, '(');
		if (c.e->args_known && !(c.strace && !c.raw && special_form(&c)))
			call_args(&c);
	}
	if (e->type != SYS_UNFINISHED)
		str_addc(out, ')');
	out->buf[out->len] = 0;
}

/* ---- results ---- */

static const char *restart_text(int err)
{
	switch (err) {
	case 512: return "To be restarted if SA_RESTART is set";
	case 513: return "To be restarted";
	case 514: return "To be restarted if no handler";
	case 516: return "Interrupted by signal";
	default: return NULL;
	}
}

static void text_error(struct dc *c, int err)
{
	const char *name = errno_name(err), *again = restart_text(err);
	str_add(c->out, again ? "?" : "-1");
	str_addc(c->out, ' ');
	if (!name) {
		str_add(c->out, "(errno ");
		str_add_u64(c->out, err);
		str_addc(c->out, ')');
		return;
	}
	str_add(c->out, name);
	str_add(c->out, " (");
	str_add(c->out, again ? again : strerrordesc_np(err) ? strerrordesc_np(err) : "Unknown error");
	str_addc(c->out, ')');
}

/* -e inject= */
static void add_tampered(const struct sysevent *e, struct str *out)
{
	if (e->tampered & TAMPER_RESULT)
		str_add(out, e->tampered & TAMPER_MEMORY ? " (INJECTED: args, retval)" : " (INJECTED)");
	else if (e->tampered & TAMPER_MEMORY)
		str_add(out, " (INJECTED: args)");
	if (e->tampered & TAMPER_DELAY)
		str_add(out, " (DELAYED)");
}

void decode_result(struct decoder *d, const struct sysevent *e, struct str *out)
{
	struct dc c = begin(d, e, out, NULL);
	if (e->type == SYS_UNFINISHED) {
		str_addc(out, '?');
		return;
	}
	if (c.row && c.row->def->ret == r_none && !e->tampered)
		r_none(&c, 0);
	else if (c.failed)
		text_error(&c, -e->ret);
	else if (c.raw)
		str_add_hex(out, e->ret);
	else if (c.row)
		c.row->def->ret(&c, e->ret);
	else
		str_add_s64(out, e->ret);
	if (e->tampered)
		add_tampered(e, out);
}

static void json_result(struct dc *c, const struct sysevent *e)
{
	json_key(c->json, "ret");
	if (e->type == SYS_UNFINISHED || (c->row && c->row->def->ret == r_none && !e->tampered)) {
		json_null(c->json);
		return;
	}
	json_s64(c->json, c->failed ? -1 : e->ret);
	if (e->tampered & (TAMPER_RESULT | TAMPER_MEMORY))
		json_kbool(c->json, "injected", true);
	if (e->tampered & TAMPER_DELAY)
		json_kbool(c->json, "delayed", true);
	if (c->failed) {
		const char *name = errno_name(-e->ret);
		json_ks64(c->json, "errno", -e->ret);
		if (name)
			json_kstr(c->json, "error", name);
	}
}

void decode_json(struct decoder *d, const struct sysevent *e, struct json *j)
{
	struct str none = STR_INIT;
	struct dc c = begin(d, e, &none, j);
	json_key(j, "args");
	json_open(j, '{');
	int n = c.row && e->args_known ? arg_count(&c) : 0;
	for (int i = 0; i < n; i++) {
		const struct arg_def *a = &c.row->def->arg[i];
		if (!a->print)
			continue;
		json_key(j, a->name);
		if (c.raw)
			v_hex(&c, arg(&c, i));
		else
			a->print(&c, i, a);
	}
	json_close(j, '}');
	json_late(&c, n);
	json_result(&c, e);
	str_release(&none);
}

/* ---- names ---- */

enum { REALTIME = 32, SIGNALS = 64 };

const char *errno_name(int err)
{
	return err > 0 ? xlat_name(X_errnos, err) : NULL;
}

const char *signal_name(int sig)
{
	return sig > 0 && sig <= 31 ? xlat_name(X_signals, sig) : NULL;
}

int signal_number(const char *word)
{
	uint64_t n;
	const char *name = !strncasecmp(word, "SIG", 3) ? word + 3 : word;
	if (!parse_u64(word, &n))
		return n && n <= SIGNALS ? n : 0;
	for (n = 1; n <= 31; n++)
		if (signal_name(n) && !strcasecmp(signal_name(n) + 3, name))
			return n;
	if (!strcasecmp(name, "RTMIN"))
		return REALTIME;
	if ((!strncasecmp(name, "RT_", 3) && !parse_u64(name + 3, &n)) || (!strncasecmp(name, "RTMIN+", 6) && !parse_u64(name + 6, &n)))
		return n <= SIGNALS - REALTIME ? REALTIME + n : 0;
	return 0;
}

/* ---- what is not a call ---- */

static void decode_signal(struct decoder *d, const struct sysevent *e, struct str *out)
{
	struct dc c = begin(d, e, out, NULL);
	c.strace = true;
	str_add(out, "--- ");
	c.in_comment = 1; /* that is not its number */
	v_signal(&c, e->sig);
	c.in_comment = 0;
	str_add(out, " {si_signo=");
	v_signal(&c, e->sig);
	str_add(out, ", si_code=");
	v_si_code(&c, e->sig, e->sig_code);
	bool sent = e->sig_code <= 0, child = e->sig == 17 && e->sig_code > 0;
	if (e->sig_bare) {
		str_add(out, "} ---");
		return;
	}
	if (child || (sent && e->sig_pid)) {
		str_add(out, ", si_pid=");
		v_pid(&c, e->sig_pid);
		str_addf(out, ", si_uid=%d", e->sig_uid);
	}
	if (child) {
		str_add(out, ", si_status=");
		if (e->sig_code == 1)
			str_add_s64(out, e->sig_status);
		else
			v_signal(&c, e->sig_status);
		str_add(out, ", si_utime=");
		v_ticks(&c, e->args[0]);
		str_add(out, ", si_stime=");
		v_ticks(&c, e->args[1]);
	} else if (!sent && e->sig_code < 0x80) {
		str_add(out, ", si_addr=");
		v_addr(&c, e->sig_addr);
	}
	str_add(out, "} ---");
}

static void decode_exit(struct decoder *d, const struct sysevent *e, struct str *out)
{
	struct dc c = begin(d, e, out, NULL);
	c.strace = true;
	if (!e->sig && e->exit_code < 0) {
		str_add(out, "+++ exited +++");
		return;
	}
	if (!e->sig) {
		str_addf(out, "+++ exited with %d +++", e->exit_code & 0xff);
		return;
	}
	str_add(out, "+++ killed by ");
	c.in_comment = 1;
	v_signal(&c, e->sig & 0x7f);
	if (e->core_dumped)
		str_add(out, " (core dumped)");
	str_add(out, " +++");
}

void decode_parent(const struct sysevent *e, struct str *out)
{
	if (!e->ppid)
		return;
	str_add(out, " (parent: ");
	str_add_safe(out, e->parent, strnlen(e->parent, sizeof(e->parent)));
	str_addf(out, "%s%d)", *e->parent ? "/" : "", e->ppid);
}

void decode_other(struct decoder *d, const struct sysevent *e, struct str *out)
{
	switch (e->type) {
	case SYS_SIGNAL: decode_signal(d, e, out); break;
	case SYS_EXIT: decode_exit(d, e, out); break;
	case SYS_EXEC:
		if (e->old_tid) {
			str_addf(out, "+++ superseded by execve in %s %d +++", d->style.strace ? "pid" : "thread", e->old_tid);
			break;
		}
		str_addf(out, "+++ exec of %d", e->pid);
		decode_parent(e, out);
		str_add(out, " +++");
		break;
	case SYS_FORK: str_addf(out, "+++ new %s %d +++", e->child_pid == e->pid ? "thread" : "process", e->child_tid); break;
	case SYS_LOST:
		if (e->enter_time)
			str_addf(out, "*** not traced for %.3f s ***", (e->time - e->enter_time) / 1e9);
		else
			str_addf(out, "*** %llu events lost ***", (unsigned long long)e->lost);
		break;
	default: break;
	}
}
