// SPDX-License-Identifier: GPL-2.0-or-later
/* mem:ADDRESS[/LENGTH][:rwx] */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "spec/parse.h"
#include "kernel/root.h"

/* 0 and the address; -ENOENT; -EACCES when the kernel hides its addresses. */
static int kernel_symbol(const char *name, uint64_t *addr)
{
	char line[1024], sym[512];
	unsigned long long a;
	int err = -ENOENT;
	FILE *f = fopen(root_path(ROOT_PROC, "kallsyms"), "re");
	if (!f)
		return -errno;
	while (err == -ENOENT && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %*c %511s", &a, sym) == 2 && !strcmp(sym, name)) {
			*addr = a;
			err = a ? 0 : -EACCES;
		}
	fclose(f);
	return err;
}

/* A number, or a kernel symbol with an optional +offset. */
static int address(struct spec_parser *ps, char *word, size_t at, uint64_t *addr)
{
	uint64_t offset = 0;
	size_t len = strlen(word);
	if (!parse_u64(word, addr))
		return 0;
	char *plus = strchr(word, '+');
	if (plus) {
		*plus = 0;
		if (parse_u64(plus + 1, &offset)) {
			error_set(EINVAL, "'%.60s' is not an offset", plus + 1);
			return caret(ps, at + (plus - word) + 1, strlen(plus + 1));
		}
	}
	int err = kernel_symbol(word, addr);
	if (err == -EACCES) {
		error_set(EACCES, "the kernel hides the address of '%s'", word);
		error_hint("run as root, or: sudo sysctl kernel.kptr_restrict=0");
		return caret(ps, at, len);
	}
	if (err) {
		error_set(EINVAL, "'%.60s' is neither an address nor a symbol of the kernel", word);
		if (!root_is_fake() && kernel_symbol("jiffies", &offset) == -ENOENT)
			error_hint("/proc/kallsyms names no variables here: this kernel was built without CONFIG_KALLSYMS_ALL");
		error_hint("as in mem:0x1000/8:rw or mem:jiffies:w; a variable of a program stands by its address, which nm shows");
		return caret(ps, at, len);
	}
	*addr += offset;
	return 0;
}

static int length(struct spec_parser *ps, uint64_t *len)
{
	size_t at = ++ps->p - ps->text;
	char *w = parse_word(ps);
	bool good = !parse_u64(w, len) && (*len == 1 || *len == 2 || *len == 4 || *len == 8);
	free(w);
	if (good)
		return 0;
	error_set(EINVAL, "the length of a breakpoint is 1, 2, 4 or 8");
	return caret(ps, at, ps->p - ps->text - at);
}

static uint32_t access_bits(const char *w, size_t n)
{
	uint32_t type = 0;
	for (size_t i = 0; i < n; i++)
		type |= w[i] == 'r' ? HW_BREAKPOINT_R : w[i] == 'w' ? HW_BREAKPOINT_W : HW_BREAKPOINT_X;
	return type;
}

int parse_breakpoint(struct spec_parser *ps, size_t at)
{
	uint64_t addr, len = 0;
	uint32_t type = 0;
	size_t here = ps->p - ps->text;
	char *w = parse_word(ps);
	int err = address(ps, w, here, &addr);
	free(w);
	if (err)
		return err;
	if (*ps->p == '/' && (err = length(ps, &len)))
		return err;
	if (*ps->p == ':') { /* else the letters are modifiers, for the caller */
		size_t n = strspn(ps->p + 1, "rwx");
		if (n && strchr(":,} \t\n", ps->p[1 + n])) {
			type = access_bits(ps->p + 1, n);
			ps->p += 1 + n;
		}
	}
	if ((type & HW_BREAKPOINT_X) && (type & HW_BREAKPOINT_RW)) {
		error_set(EINVAL, "a breakpoint is for r, w, rw or x");
		return caret(ps, at, ps->p - ps->text - at);
	}
	struct event *e = parse_new(ps, EVENT_BREAKPOINT, PERF_TYPE_BREAKPOINT, 0);
	if (!e)
		return error_code();
	e->attr.bp_type = type ? type : HW_BREAKPOINT_RW;
	e->attr.bp_addr = addr;
	e->attr.bp_len = len ? len : type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	return 0;
}
