// SPDX-License-Identifier: GPL-2.0-or-later
/* BEGIN and END: raw tracepoint programs that are attached nowhere; the reader has the kernel run them. */
#include <linux/bpf.h>
#include <string.h>
#include "script/provider/provider.h"

static int expand_begin(struct run_script *s, const struct attach *a, const char *rest)
{
	(void)rest;
	provider_point(s, &provider_begin, a, "BEGIN");
	return 0;
}

static int expand_end(struct run_script *s, const struct attach *a, const char *rest)
{
	(void)rest;
	provider_point(s, &provider_end, a, "END");
	return 0;
}

static int attach(struct run_script *s, struct script_unit *u)
{
	(void)s, (void)u;
	return 0;
}

const struct provider provider_begin = { "BEGIN", "begin", .exact = true, .own = true, .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.expand = expand_begin, .attach = attach };
const struct provider provider_end = { "END", "end", .exact = true, .own = true, .spare = true, .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.expand = expand_end, .attach = attach };
