// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/samplefilter.h"
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include "attach/chosen.h"
#include "attach/forbidden.h"
#include "base/error.h"
#include "base/str.h"
#include "bpf/samplefilter.skel.h"

struct sample_gate { struct samplefilter_bpf *bpf; };

static int load(struct sample_gate *g, const samplefilter *f, bool monotonic)
{
	struct samplefilter_bpf *b = g->bpf = samplefilter_bpf__open();
	if (!b)
		return -errno;
	memcpy((void *)b->rodata->terms, f->at, f->n * sizeof(f->at[0]));
	b->rodata->n_terms = f->n;
	b->rodata->monotonic = monotonic;
	return samplefilter_bpf__load(b);
}

static int set(struct sample_gate *g, const struct opened *o, int event)
{
	int prog = bpf_program__fd(g->bpf->progs.pass);
	vec_each(&o->fds, f)
		if (f->event == event && ioctl(f->fd, PERF_EVENT_IOC_SET_BPF, prog))
			return -errno;
	return 0;
}

static void refuse(int err, const char *name)
{
	char *what = xasprintf("--filter on %s", name);
	bool forbidden = bpf_forbidden(err, what, "sonde record --filter ...", "filters on tracepoints");
	free(what);
	if (forbidden)
		return;
	error_sys(-err, "--filter: the kernel does not take a BPF program on %s", name);
	error_hint("it needs BTF, and an event that samples by itself (no breakpoint)");
}

struct sample_gate *sample_gate_open(const samplefilter *f, const struct opened *o, int event, const char *name, bool monotonic)
{
	struct sample_gate *g = xcalloc(1, sizeof(*g));
	libbpf_hushed(true);
	int err = load(g, f, monotonic);
	libbpf_hushed(false);
	if (!err)
		err = set(g, o, event);
	if (!err)
		return g;
	refuse(err, name);
	sample_gate_close(g);
	return NULL;
}

struct samplefilter_state sample_gate_counts(const struct sample_gate *g)
{
	return g->bpf->bss->state;
}

void sample_gate_close(struct sample_gate *g)
{
	if (!g)
		return;
	samplefilter_bpf__destroy(g->bpf);
	free(g);
}
