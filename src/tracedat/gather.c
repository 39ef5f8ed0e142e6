// SPDX-License-Identifier: GPL-2.0-or-later
/* What describes the records of a new trace.dat: from this kernel, or from the file that they are taken out of. */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/version.h"
#include "kernel/root.h"
#include "kernel/tracefs.h"
#include "tracedat/writer.h"

enum { SMALL_MAX = 1 << 20, BIG_MAX = 200 << 20 };

void tracedat_new_init(struct tracedat_new *n)
{
	*n = (struct tracedat_new){ .long_size = sizeof(long), .page_size = (int)sysconf(_SC_PAGESIZE) };
	struct str *texts[] = { &n->header_page, &n->header_event, &n->kallsyms, &n->printk, &n->cmdlines };
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		str_init(texts[i]);
}

void tracedat_new_release(struct tracedat_new *n)
{
	struct str *texts[] = { &n->header_page, &n->header_event, &n->kallsyms, &n->printk, &n->cmdlines };
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		str_release(texts[i]);
	vec_each(&n->formats, f) {
		free(f->system);
		free(f->text);
	}
	vec_each(&n->options, o)
		str_release(&o->data);
	vec_each(&n->buffers, b) {
		free(b->name);
		free(b->clock);
		vec_release(&b->cpu);
		str_release(&b->text);
	}
	vec_release(&n->formats);
	vec_release(&n->options);
	vec_release(&n->buffers);
}

void tracedat_new_option(struct tracedat_new *n, uint16_t id, const void *data, size_t size)
{
	struct new_option *o = vec_push(&n->options);
	o->id = id;
	str_init(&o->data);
	str_addn(&o->data, data, size);
}

void tracedat_new_usual(struct tracedat_new *n)
{
	struct utsname u;
	uint64_t id = 0;
	if (!uname(&u)) {
		char *z = xasprintf("%s %s %s %s", u.sysname, u.nodename, u.release, u.machine);
		tracedat_new_option(n, OPTION_UNAME, z, strlen(z) + 1);
		free(z);
	}
	char *version = xasprintf("sonde %s", SONDE_VERSION);
	tracedat_new_option(n, OPTION_VERSION, version, strlen(version) + 1);
	free(version);
	if (getrandom(&id, sizeof(id), GRND_NONBLOCK) == sizeof(id))
		tracedat_new_option(n, OPTION_TRACEID, &id, sizeof(id));
}

/* ---- from the kernel ---- */

static void add_format(struct tracedat_new *n, const char *system, const char *name)
{
	struct str text = STR_INIT;
	if (tracefs_event_format(system, name, &text) < 0 || !text.len) {
		error_clear(); /* one that has gone since has no records to explain */
		str_release(&text);
		return;
	}
	*vec_push(&n->formats) = (struct new_format){ xstrdup(system), str_detach(&text) };
}

int tracedat_new_from_kernel(struct tracedat_new *n, const wordlist *events)
{
	wordlist own = { 0 };
	int err = tracefs_ready();
	if (err)
		return err;
	if (file_read(tracefs_path("events/header_page"), &n->header_page, SMALL_MAX) < 0 ||
	    file_read(tracefs_path("events/header_event"), &n->header_event, SMALL_MAX) < 0)
		return error_sys(errno ? errno : EIO, "cannot read %s", tracefs_path("events/header_page"));
	if (!tracefs_events_list("ftrace", &own))
		vec_each(&own, name)
			add_format(n, "ftrace", *name);
	wordlist_release(&own);
	error_clear();
	vec_each(events, e) {
		const char *colon = strchr(*e, ':');
		char *system = colon ? xstrndup(*e, (size_t)(colon - *e)) : NULL;
		if (system && strcmp(system, "ftrace"))
			add_format(n, system, colon + 1);
		free(system);
	}
	(void)file_read(root_path(ROOT_PROC, "kallsyms"), &n->kallsyms, BIG_MAX);
	(void)file_read(tracefs_path("printk_formats"), &n->printk, BIG_MAX);
	(void)file_read(tracefs_path("saved_cmdlines"), &n->cmdlines, BIG_MAX);
	n->cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	return 0;
}

/* ---- from a file ---- */

static bool says_where(uint16_t id)
{
	return id == OPTION_BUFFER || id == OPTION_CPUCOUNT || id >= PART_STRINGS;
}

int tracedat_new_from_file(struct tracedat_new *n, struct tracedat *t)
{
	const struct tracedat_info *info = tracedat_info(t);
	const struct tracedat_format *f;
	struct tracedat_option o;
	size_t size;
	n->big_endian = info->big_endian;
	n->long_size = info->long_size;
	n->page_size = info->page_size;
	n->cpus = info->cpus;
	str_add(&n->header_page, info->header_page ? info->header_page : "");
	str_add(&n->header_event, info->header_event ? info->header_event : "");
	for (size_t i = 0; (f = tracedat_format_at(t, i)); i++)
		*vec_push(&n->formats) = (struct new_format){ xstrdup(f->system), xstrdup(f->text) };
	const char *symbols = tracedat_kallsyms(t, &size);
	str_addn(&n->kallsyms, symbols, size);
	str_add(&n->printk, tracedat_printk(t));
	str_add(&n->cmdlines, tracedat_cmdlines(t));
	for (size_t i = 0; tracedat_option_at(t, i, &o); i++)
		if (!says_where(o.id))
			tracedat_new_option(n, o.id, o.data, o.size);
	return 0;
}
