// SPDX-License-Identifier: GPL-2.0-or-later
// sources: src/base src/arch src/kernel src/symbol src/probe
/* The first byte chooses: a probe definition, a line of uprobe_events, a -L range, or a whole file as
 * a program with debug information that is asked about functions, lines and variables. After 0x7e and a length (2 bytes)
 * come such a program and the .dwp file that belongs to it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "probe/def.h"
#include "probe/source.h"
#include "probe/spec.h"
#include "probe/usdt.h"

static void definition(const char *text)
{
	struct probe_spec s;
	struct str place = STR_INIT;
	if (!probe_spec_parse(&s, text)) {
		probe_spec_place(&s, &place);
		vec_each(&s.args, a)
			if (!a->fetcharg)
				free(probe_arg_name(a));
	}
	probe_spec_release(&s);
	str_release(&place);
	error_clear();
}

static void kernel_line(const char *text, size_t n)
{
	for (int user = 0; user < 2; user++) {
		struct probe_def d;
		struct str line = STR_INIT;
		if (!probe_def_parse(&d, text, n, user)) {
			probe_def_line(&d, &line);
			probe_def_release(&d);
		}
		str_release(&line);
	}
}

static void range(const char *text)
{
	struct probe_lines l;
	(void)probe_lines_parse(&l, text);
	probe_lines_release(&l);
	error_clear();
}

static void put(const char *path, const uint8_t *p, size_t n)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	if (fd < 0 || write(fd, p, n) != (ssize_t)n)
		abort();
	close(fd);
}

static void file(const uint8_t *p, size_t n, const uint8_t *dwp, size_t n_dwp)
{
	static const char *const ask[] = { "work $vars", "work:5 local->field[2].name:string", "main $params", "tripled q",
					   "shapes.c:33 k", "%shop:sold", "wor* k", NULL };
	char path[64], package[80];
	struct probe_target t;
	snprintf(path, sizeof(path), "/dev/shm/probe-fuzz-%d", (int)getpid());
	snprintf(package, sizeof(package), "%s.dwp", path);
	put(path, p, n);
	if (dwp)
		put(package, dwp, n_dwp);
	struct probe_target_options o = { .exec = path };
	struct probe_options po = { .max_probes = 64 };
	if (!probe_target_open(&t, &o)) {
		struct out sink;
		out_fd(&sink, open("/dev/null", 1), "null");
		for (int i = 0; ask[i]; i++) {
			struct probe_spec s;
			probe_defs defs = { 0 };
			if (!probe_spec_parse(&s, ask[i]))
				(void)probe_resolve(&t, &s, &po, &defs);
			probe_defs_release(&defs);
			probe_spec_release(&s);
			error_clear();
		}
		struct probe_show_options so = { .externs = true, .ranges = true, .probe = &po };
		(void)probe_show_vars(&t, "work:3", &so, &sink);
		(void)probe_show_lines(&t, "work", &sink);
		close(sink.fd);
		(void)out_close(&sink);
		probe_target_release(&t);
	}
	error_clear();
	unlink(path);
	if (dwp)
		unlink(package);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	if (!n)
		return 0;
	verbosity = -1;
	if (p[0] == 0x7f) {
		file(p, n, NULL, 0);
		return 0;
	}
	if (p[0] == 0x7e) {
		size_t first = n > 3 ? p[1] | (size_t)p[2] << 8 : 0;
		if (first && first < n - 3)
			file(p + 3, first, p + 3 + first, n - 3 - first);
		return 0;
	}
	char *text = xstrndup((const char *)p + 1, n - 1);
	switch (p[0] % 3) {
	case 0: definition(text); break;
	case 1: kernel_line(text, strlen(text)); break;
	case 2: range(text); break;
	}
	free(text);
	return 0;
}
