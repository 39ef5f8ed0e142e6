// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/trace/stack.h"
#include <stdio.h>
#include <string.h>

enum { INDENT = 38 };

/* " > /lib/libc.so.6(__close+0x7) [0xfce67]"; back: what was taken off a return address. */
static void strace_frame(const struct frame *f, unsigned back, struct str *out)
{
	str_add(out, " > ");
	str_add_safez(out, f->dso ? f->dso->path : "[unknown]");
	str_addc(out, '(');
	if (f->sym) {
		str_add_safe(out, f->sym, strcspn(f->sym, "@"));
		str_addf(out, "+0x%llx", (unsigned long long)(f->addr + back - f->sym_addr));
	}
	str_addf(out, ") [0x%llx]\n", (unsigned long long)((f->dso ? f->offset : f->ip) + back));
}

static void add_frame(const struct stack_look *l, int pid, uint64_t ip, int mode, unsigned back, struct str *out)
{
	struct frame f;
	symbols_resolve(l->syms, pid, ip, mode, &f);
	if (l->strace) {
		strace_frame(&f, back, out);
		return;
	}
	str_pad(out, out->len + INDENT, ' ');
	if (f.sym)
		str_add_safez(out, f.sym);
	else
		str_addf(out, "[0x%llx]", (unsigned long long)ip);
	str_add(out, " (");
	str_add_safez(out, f.dso ? f.dso->path : "[unknown]");
	str_add(out, ")\n");
}

/* The tracer's own functions on top of the kernel's stack. */
static bool ours(const struct stack_look *l, uint64_t ip)
{
	struct frame f;
	symbols_resolve(l->syms, -1, ip, SYM_KERNEL, &f);
	return f.sym && (str_starts(f.sym, "bpf_") || str_starts(f.sym, "__bpf_") || str_starts(f.sym, "__traceiter_") ||
			 str_starts(f.sym, "perf_") || str_starts(f.sym, "syscall_trace_enter"));
}

static void json_frames(const struct stack_look *l, int pid, const char *key, const uint64_t *ip, unsigned n, int mode, struct json *j)
{
	char hex[24];
	if (!n)
		return;
	json_key(j, key);
	json_open(j, '[');
	for (unsigned i = 0; i < n; i++) {
		struct frame f;
		symbols_resolve(l->syms, pid, ip[i], mode, &f);
		json_open(j, '{');
		snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)ip[i]);
		json_kstr(j, "ip", hex);
		if (f.sym) {
			json_kstr(j, "sym", f.sym);
			json_ku64(j, "off", f.addr - f.sym_addr);
		}
		if (f.dso)
			json_kstr(j, "dso", f.dso->path);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void stack_show(const struct stack_look *l, const struct stack_frames *f, struct str *out, struct json *json)
{
	const uint64_t *kernel = f->kernel;
	unsigned n_k = f->n_kernel, n_u = f->n_user;
	for (; n_k && ours(l, *kernel); n_k--)
		kernel++;
	if (l->max) {
		n_k = n_k < l->max ? n_k : l->max;
		n_u = n_u < l->max - n_k ? n_u : l->max - n_k;
	}
	if (json) {
		json_frames(l, -1, "kernel_stack", kernel, n_k, SYM_KERNEL, json);
		json_frames(l, f->pid, "user_stack", f->user, n_u, SYM_USER, json);
		return;
	}
	for (unsigned i = 0; i < n_k; i++)
		add_frame(l, f->pid, kernel[i], SYM_KERNEL, 0, out);
	for (unsigned i = 0; i < n_u; i++)
		add_frame(l, f->pid, f->user[i], SYM_USER, i > 0, out);
}
