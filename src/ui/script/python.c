// SPDX-License-Identifier: GPL-2.0-or-later
/* `script -s FILE.py`: a python3 that sonde starts runs prelude.py, which runs the script and calls its
 * functions for what comes through a pipe. Nothing of Python is linked in. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <traceevent/event-parse.h>
#include <unistd.h>
#include "analysis/idmap.h"
#include "base/error.h"
#include "ui/script/marshal.h"
#include "ui/script/script.h"

__asm__(".section .rodata\n"
	"script_prelude: .incbin \"src/ui/script/prelude.py\"\n"
	".byte 0\n"
	".previous\n");
extern const char script_prelude[];

enum { BLOCK = 256 * 1024, MESSAGE_EVENT = 0, MESSAGE_SAMPLE = 1, MESSAGE_FRAME = 2, MESSAGE_RECORD = 3 };

struct python {
	pid_t pid;
	int fd;
	struct str buf; /* the frame in the making: length, list, messages */
	size_t list;
	uint32_t messages;
	struct idmap frames; /* a frame's hash to its number */
	VEC(bool) told; /* events that were described */
	bool gone;
};

static void start_block(struct python *p)
{
	str_clear(&p->buf);
	str_addn(&p->buf, "\0\0\0\0", 4);
	p->list = marshal_list(&p->buf);
	p->messages = 0;
}

static void send_block(struct python *p)
{
	uint32_t n = p->buf.len - 4;
	if (!p->messages || p->gone)
		return;
	marshal_list_end(&p->buf, p->list, p->messages);
	memcpy(p->buf.buf, &n, 4);
	for (size_t done = 0; done < p->buf.len;) {
		ssize_t k = write(p->fd, p->buf.buf + done, p->buf.len - done);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			p->gone = true; /* the script ended by itself */
			break;
		}
		done += k;
	}
	start_block(p);
}

static void run_python(struct script *s, int fd)
{
	char number[16];
	size_t n = 0;
	while (s->script_args && s->script_args[n])
		n++;
	char **argv = xcalloc(n + 6, sizeof(*argv));
	snprintf(number, sizeof(number), "%d", fd);
	argv[0] = (char *)"python3";
	argv[1] = (char *)"-c";
	argv[2] = (char *)(uintptr_t)script_prelude;
	argv[3] = number;
	argv[4] = (char *)(uintptr_t)s->script;
	for (size_t i = 0; i < n; i++)
		argv[5 + i] = s->script_args[i];
	signal(SIGPIPE, SIG_DFL);
	execvp("python3", argv);
	fprintf(stderr, "sonde: cannot start python3: %s\nhint: apt-get install python3\n", strerror(errno));
	_exit(127);
}

static int python_begin(struct script *s)
{
	int fd[2];
	if (access(s->script, R_OK))
		return error_sys(errno, "cannot read the script %s", s->script);
	if (pipe2(fd, O_CLOEXEC))
		return error_sys(errno, "cannot make a pipe");
	out_flush(s->out);
	struct python *p = s->view = xcalloc(1, sizeof(*p));
	str_init(&p->buf);
	fcntl(fd[1], F_SETPIPE_SZ, 1 << 20);
	p->pid = fork();
	if (!p->pid) {
		fcntl(fd[0], F_SETFD, 0);
		run_python(s, fd[0]);
	}
	close(fd[0]);
	p->fd = fd[1];
	signal(SIGPIPE, SIG_IGN);
	start_block(p);
	return p->pid < 0 ? error_sys(errno, "cannot start python3") : 0;
}

/* ---- events: names of fields, and the names their values have ---- */

static void add_values(struct str *b, const struct tep_print_flag_sym *v)
{
	size_t list = marshal_list(b);
	uint32_t n = 0;
	for (; v; v = v->next, n++) {
		marshal_tuple(b, 2);
		marshal_s64(b, (int64_t)strtoull(v->value, NULL, 0));
		marshal_textz(b, v->str);
	}
	marshal_list_end(b, list, n);
}

/* The field that an expression is about: its first one. */
static const char *field_in(const struct tep_print_arg *a, int depth)
{
	const char *z = NULL;
	if (!a || depth > 16)
		return NULL;
	if (a->type == TEP_PRINT_FIELD)
		return a->field.name;
	if (a->type == TEP_PRINT_TYPE)
		return field_in(a->typecast.item, depth + 1);
	if (a->type == TEP_PRINT_OP)
		z = field_in(a->op.left, depth + 1);
	return z || a->type != TEP_PRINT_OP ? z : field_in(a->op.right, depth + 1);
}

static uint32_t add_tables(struct str *b, const struct tep_print_arg *a, int depth)
{
	uint32_t n = 0;
	for (; a && depth < 16; a = a->next) {
		bool symbol = a->type == TEP_PRINT_SYMBOL;
		if (a->type == TEP_PRINT_OP) {
			n += add_tables(b, a->op.left, depth + 1) + add_tables(b, a->op.right, depth + 1);
			continue;
		}
		const char *field = symbol ? field_in(a->symbol.field, 0) : a->type == TEP_PRINT_FLAGS ? field_in(a->flags.field, 0) : NULL;
		if (!field)
			continue;
		marshal_tuple(b, 4);
		marshal_bool(b, symbol);
		marshal_textz(b, field);
		marshal_textz(b, symbol ? "" : a->flags.delim ? a->flags.delim : "");
		add_values(b, symbol ? a->symbol.symbols : a->flags.flags);
		n++;
	}
	return n;
}

static void handler_name(struct str *out, const struct tp_format *f)
{
	str_addf(out, "%s__%s", tp_format_system(f), tp_format_name(f));
	for (char *c = out->buf; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
}

static void tell_event(struct script *s, struct python *p, int event)
{
	const struct perfdata_event *e = perfdata_event_at(s->data, event);
	struct tp_format *f = script_format(s, event);
	struct str name = STR_INIT;
	while (p->told.n <= (size_t)event)
		vec_push(&p->told);
	if (p->told.at[event])
		return;
	p->told.at[event] = true;
	p->messages++;
	marshal_tuple(&p->buf, 7);
	marshal_u64(&p->buf, MESSAGE_EVENT);
	marshal_u64(&p->buf, event);
	if (f)
		handler_name(&name, f);
	marshal_textz(&p->buf, name.buf);
	marshal_textz(&p->buf, e->name);
	marshal_bytes(&p->buf, &e->attr, sizeof(e->attr));
	if (f) {
		size_t n, list = marshal_list(&p->buf);
		uint32_t k = 0;
		const struct tp_field *fd = tp_format_fields(f, &n);
		for (size_t i = 0; i < n; i++)
			if (!fd[i].common) {
				marshal_textz(&p->buf, fd[i].name);
				k++;
			}
		marshal_list_end(&p->buf, list, k);
	} else {
		marshal_none(&p->buf);
	}
	size_t list = marshal_list(&p->buf);
	marshal_list_end(&p->buf, list, f ? add_tables(&p->buf, e->tep->print_fmt.args, 0) : 0);
	str_release(&name);
}

/* ---- frames ---- */

static void add_frame(struct str *b, const struct frame *f)
{
	marshal_dict(b);
	marshal_textz(b, "ip");
	marshal_u64(b, f->ip);
	if (f->sym) {
		marshal_textz(b, "sym");
		marshal_dict(b);
		marshal_textz(b, "start");
		marshal_u64(b, f->sym_addr);
		marshal_textz(b, "end");
		marshal_u64(b, f->sym_addr + f->sym_size);
		marshal_textz(b, "binding");
		marshal_u64(b, 1);
		marshal_textz(b, "name");
		marshal_textz(b, f->sym);
		marshal_dict_end(b);
		marshal_textz(b, "sym_off");
		marshal_u64(b, f->addr - f->sym_addr);
	}
	if (f->file) {
		marshal_textz(b, "sym_srcline");
		struct str line = STR_INIT;
		const char *base = strrchr(f->file, '/');
		str_addf(&line, "%s:%d", base ? base + 1 : f->file, f->line);
		marshal_text(b, line.buf, line.len);
		str_release(&line);
	}
	if (f->dso) {
		marshal_textz(b, "dso");
		marshal_textz(b, f->dso->path);
	}
	marshal_dict_end(b);
}

static uint32_t frame_number(struct python *p, const struct frame *f)
{
	uint64_t key = idmap_mix(idmap_mix(f->ip, (uintptr_t)f->sym), idmap_mix((uintptr_t)f->dso, f->inlined));
	uint32_t *id = idmap_at(&p->frames, key ? key : 1);
	if (!*id) {
		*id = p->frames.n;
		marshal_tuple(&p->buf, 3);
		marshal_u64(&p->buf, MESSAGE_FRAME);
		marshal_u64(&p->buf, *id);
		add_frame(&p->buf, f);
		p->messages++;
	}
	return *id;
}

/* ---- samples ---- */

static bool is_text(const char *z, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isprint((unsigned char)z[i]) && !isspace((unsigned char)z[i]))
			return false;
	return true;
}

static void add_field_values(struct str *b, struct tp_format *f, const struct perfdata_record *r)
{
	size_t n, len, list = marshal_list(b);
	uint32_t k = 0;
	const struct tp_field *fd = tp_format_fields(f, &n);
	for (size_t i = 0; i < n; i++) {
		if (fd[i].common)
			continue;
		k++;
		if (fd[i].kind == TP_NUMBER) {
			uint64_t v = tp_field_number(&fd[i], r->raw, r->raw_size);
			if (fd[i].is_signed)
				marshal_s64(b, (int64_t)v);
			else
				marshal_u64(b, v);
			continue;
		}
		const char *z = tp_field_bytes(&fd[i], r->raw, r->raw_size, &len);
		if (fd[i].kind == TP_STRING && is_text(z, len))
			marshal_text(b, z, len);
		else
			marshal_bytes(b, z, len);
	}
	marshal_list_end(b, list, k);
}

static uint64_t common(const struct tp_format *f, const struct perfdata_record *r, const char *name)
{
	const struct tp_field *fd = tp_format_field(f, name);
	return fd ? tp_field_number(fd, r->raw, r->raw_size) : 0;
}

static void add_where(struct script *s, struct str *b, const struct perfdata_record *r)
{
	struct frame f;
	symbols_resolve(s->syms, r->pid, r->ip, sample_mode(r->misc), &f);
	marshal_dict(b);
	if (f.dso) {
		marshal_textz(b, "dso");
		marshal_textz(b, f.dso->path);
	}
	if (f.sym) {
		marshal_textz(b, "symbol");
		marshal_textz(b, f.sym);
		marshal_textz(b, "symoff");
		marshal_u64(b, f.addr - f.sym_addr);
	}
	marshal_dict_end(b);
}

static void add_sample(struct script *s, struct str *b, const struct perfdata_record *r, const struct thread *t)
{
	const int64_t number[] = { r->pid, r->tid, r->cpu };
	const uint64_t wide[] = { r->ip, r->time, r->period, r->phys_addr, r->addr, r->weight, r->transaction, r->data_src,
				  r->misc & PERF_RECORD_MISC_CPUMODE_MASK };
	marshal_tuple(b, 15);
	for (size_t i = 0; i < 3; i++)
		marshal_s64(b, number[i]);
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
		marshal_u64(b, wide[i]);
	marshal_textz(b, t->comm);
	marshal_bytes(b, r->raw ? r->raw : "", r->raw ? r->raw_size : 0);
	add_where(s, b, r);
}

static int python_sample(struct script *s, const struct perfdata_record *r, const struct thread *t)
{
	struct python *p = s->view;
	struct frame frame[CALLCHAIN_MAX];
	uint32_t number[CALLCHAIN_MAX];
	struct tp_format *f = script_format(s, r->event_index);
	int n = s->chains && r->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN ? script_frames(s, r, frame, CALLCHAIN_MAX) : 0;
	if (p->gone)
		return -EPIPE;
	if (f && !r->raw)
		return 0;
	tell_event(s, p, r->event_index);
	for (int i = 0; i < n; i++)
		number[i] = frame_number(p, &frame[i]);
	struct str *b = &p->buf;
	marshal_tuple(b, 6);
	marshal_u64(b, MESSAGE_SAMPLE);
	marshal_u64(b, r->event_index);
	size_t list = marshal_list(b);
	for (int i = 0; i < n; i++)
		marshal_u64(b, number[i]);
	marshal_list_end(b, list, n);
	if (f) {
		marshal_tuple(b, 7);
		marshal_s64(b, r->cpu);
		marshal_u64(b, r->time);
		marshal_s64(b, (int32_t)common(f, r, "common_pid"));
		marshal_textz(b, t->comm);
		marshal_u64(b, common(f, r, "common_flags"));
		marshal_u64(b, common(f, r, "common_preempt_count"));
		marshal_s64(b, (int32_t)common(f, r, "common_lock_depth"));
		add_field_values(b, f, r);
	} else {
		marshal_none(b);
		marshal_none(b);
	}
	add_sample(s, b, r, t);
	p->messages++;
	if (b->len >= BLOCK)
		send_block(p);
	return p->gone ? -EPIPE : 0;
}

/* Context switches and throttling reach the functions perf has for them. */
static void python_seen(struct script *s, const struct perfdata_record *r)
{
	struct python *p = s->view;
	uint32_t type = r->header->type, other[2] = { UINT32_MAX, UINT32_MAX };
	struct str *b = &p->buf;
	bool wide = type == PERF_RECORD_SWITCH_CPU_WIDE, throttle = type == PERF_RECORD_THROTTLE || type == PERF_RECORD_UNTHROTTLE;
	if (type != PERF_RECORD_SWITCH && !wide && !throttle)
		return;
	marshal_tuple(b, 3);
	marshal_u64(b, MESSAGE_RECORD);
	marshal_textz(b, throttle ? type == PERF_RECORD_THROTTLE ? "throttle" : "unthrottle" : "context_switch");
	marshal_tuple(b, throttle ? 4 : 9);
	marshal_u64(b, r->time);
	marshal_s64(b, r->cpu);
	marshal_s64(b, r->pid);
	marshal_s64(b, r->tid);
	if (!throttle) {
		if (wide && r->header->size >= sizeof(*r->header) + 8)
			memcpy(other, r->header + 1, 8);
		marshal_s64(b, (int32_t)other[0]);
		marshal_s64(b, (int32_t)other[1]);
		marshal_u64(b, 0);
		marshal_bool(b, r->misc & PERF_RECORD_MISC_SWITCH_OUT);
		marshal_bool(b, r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	}
	p->messages++;
}

static void python_record(struct script *s, const struct perfdata_record *r)
{
	(void)s;
	(void)r;
}

static int python_end(struct script *s)
{
	struct python *p = s->view;
	int status = 0, err = 0;
	if (!p)
		return 0;
	send_block(p);
	close(p->fd);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status))
		err = error_set(EIO, "the script %s ended with code %d", s->script, WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		err = error_set(EIO, "the script %s was killed by signal %d", s->script, WTERMSIG(status));
	str_release(&p->buf);
	idmap_release(&p->frames);
	vec_release(&p->told);
	free(p);
	s->view = NULL;
	return err;
}

const struct script_view script_python = { python_begin, python_sample, python_record, python_seen, python_end };
