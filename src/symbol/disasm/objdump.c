// SPDX-License-Identifier: GPL-2.0-or-later
/* The program objdump: no shell between, its words as they are, and the caller's rights. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "kernel/rights/lent.h"
#include "symbol/disasm/inner.h"

enum { OUTPUT_MAX = 256 << 20 };

static void child(int to, char *const *argv)
{
	int quiet = open("/dev/null", O_RDWR);
	dup2(quiet, 0);
	dup2(quiet, 2);
	if (dup2(to, 1) < 0)
		_exit(126);
	setenv("LC_ALL", "C", 1);
	execvp(argv[0], argv);
	_exit(127);
}

/* All that the program prints. */
static int run(char *const *argv, struct str *s)
{
	int fd[2], status = 0;
	if (pipe2(fd, O_CLOEXEC))
		return error_sys(errno, "cannot make a pipe");
	pid_t pid = lent_fork();
	if (!pid)
		child(fd[1], argv);
	close(fd[1]);
	int err = pid < 0 ? -errno : file_read_fd(fd[0], s, OUTPUT_MAX);
	close(fd[0]); /* what it would still say kills it */
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (err)
		return error_sys(-err, "cannot read what %s prints", argv[0]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return error_set(ENOENT, "cannot start %s", argv[0]);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return error_set(EIO, "%s did not end well (status %d)", argv[0], WIFEXITED(status) ? WEXITSTATUS(status) : status);
	return 0;
}

/* Code without a file goes through one that is gone when objdump has opened it. */
static int code_file(const struct disasm_code *c, char *path, size_t n)
{
	int fd = memfd_create("code", 0); /* inherited: that is how it is handed over */
	if (fd < 0 || write(fd, c->bytes, c->n) != (ssize_t)c->n) {
		error_sys(errno, "cannot keep %zu bytes of code", c->n);
		if (fd >= 0)
			close(fd);
		return error_code();
	}
	snprintf(path, n, "/dev/fd/%d", fd);
	return fd;
}

static enum insn_kind kind_of(const char *text)
{
	static const char *const prefixes[] = { "bnd ", "notrack ", "data16 ", "cs ", "ds ", "repz ", "rep ", "rex.W ", NULL };
	for (int i = 0; prefixes[i]; i++)
		if (str_starts(text, prefixes[i])) {
			text += strlen(prefixes[i]);
			i = -1;
		}
	if (str_starts(text, "call"))
		return INSN_CALL;
	if (str_starts(text, "ret") || str_starts(text, "iret"))
		return INSN_RET;
	if (str_starts(text, "jmp"))
		return INSN_JUMP;
	return *text == 'j' || str_starts(text, "loop") ? INSN_BRANCH : INSN_OTHER;
}

/* The address that a jump names stands behind its last blank, and is all digits. */
static void read_target(struct instruction *i)
{
	char *z = strrchr(i->text, ' '), *end;
	if (i->kind == INSN_OTHER || i->kind == INSN_RET || !z || !isxdigit((unsigned char)z[1]))
		return;
	i->target = strtoull(z + 1, &end, 16);
	i->has_target = !*end;
	if (i->has_target && str_starts(z + 1, "0x")) /* of bytes without a file */
		memmove(z + 1, z + 3, strlen(z + 3) + 1);
}

static void read_text(struct instruction *i, const char *text)
{
	const char *data = strstr(text, "        # "), *name = strstr(text, " <");
	const char *cut = data ? data : name;
	size_t n = cut ? (size_t)(cut - text) : strlen(text);
	snprintf(i->text, sizeof(i->text), "%.*s", (int)n, text);
	if (data) {
		i->has_data = true;
		i->data = strtoull(data + 10, NULL, 16);
	}
}

static void read_line(char *line, const struct disasm_code *c, insns *out)
{
	char *end;
	uint64_t addr = strtoull(line, &end, 16);
	if (end == line || *end != ':' || end[1] != '\t' || addr < c->addr || addr - c->addr >= c->n)
		return;
	size_t n = strlen(end);
	while (n && isspace((unsigned char)end[n - 1]))
		end[--n] = 0;
	if (n < 3)
		return;
	struct instruction *i = vec_push(out);
	insn_bytes(i, addr, NULL, 1);
	read_text(i, end + 2);
	i->kind = kind_of(i->text);
	read_target(i);
}

static void set_lengths(insns *out, size_t first, uint64_t end)
{
	for (size_t k = first; k < out->n; k++) {
		uint64_t next = k + 1 < out->n ? out->at[k + 1].addr : end;
		out->at[k].len = next > out->at[k].addr && next - out->at[k].addr < 256 ? next - out->at[k].addr : 1;
	}
}

int objdump_run(const struct disasm_options *o, const struct disasm_code *c, insns *out)
{
	char start[48], stop[48], vma[48], style[96], path[32];
	char *argv[20];
	int n = 0, fd = -1;
	snprintf(start, sizeof(start), "--start-address=0x%016" PRIx64, c->addr);
	snprintf(stop, sizeof(stop), "--stop-address=0x%016" PRIx64, c->addr + c->n);
	snprintf(vma, sizeof(vma), "--adjust-vma=0x%" PRIx64, c->addr);
	snprintf(style, sizeof(style), "%s%s%s", o->intel ? "intel" : "", o->intel && o->style ? "," : "", o->style ? o->style : "");
	argv[n++] = (char *)(uintptr_t)(o->objdump ? o->objdump : "objdump");
	if (*style) {
		argv[n++] = (char *)"-M";
		argv[n++] = style;
	}
	argv[n++] = start;
	argv[n++] = stop;
	argv[n++] = (char *)"--no-show-raw-insn";
	argv[n++] = (char *)"-C";
	if (!c->file) {
		fd = code_file(c, path, sizeof(path));
		if (fd < 0)
			return fd;
		argv[n++] = (char *)"-D";
		argv[n++] = (char *)"-bbinary";
		argv[n++] = (char *)(o->is32 ? "-mi386" : "-mi386:x86-64");
		argv[n++] = vma;
	} else {
		argv[n++] = (char *)"-d";
	}
	argv[n++] = (char *)"--";
	argv[n++] = c->file ? (char *)(uintptr_t)c->file : path;
	argv[n] = NULL;
	struct str s = STR_INIT;
	size_t first = out->n;
	int err = run(argv, &s);
	if (fd >= 0)
		close(fd);
	for (char *line = s.buf, *save = NULL; !err && (line = strtok_r(line, "\n", &save)); line = NULL)
		read_line(line, c, out);
	str_release(&s);
	set_lengths(out, first, c->addr + c->n);
	if (!err && out->n == first)
		return error_set(ENODATA, "%s shows no instructions at 0x%" PRIx64, argv[0], c->addr);
	return err;
}
