// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "cmd/export/write.h"

struct export_cmd {
	struct export_job job;
	const char *to;
	bool list;
};
#define OPTIONS struct export_cmd

static const char *const usage[] = { "sonde export -i FILE --to FORMAT [-o FILE] [OPTIONS]", "sonde export -i FILE --push URL [OPTIONS]", "sonde export --list", NULL };

/* A line has a name and no end in it: what follows would be a header of its own, or the body. */
static int add_header(wordlist *w, const char *line)
{
	if (strcspn(line, "\r\n") != strlen(line) || !strchr(line, ':') || *line == ':')
		return error_set(EINVAL, "--header takes 'Name: value'");
	wordlist_add(w, line);
	return 0;
}

static int add_headers_of(wordlist *w, const char *path)
{
	enum { MOST = 65536 };
	struct str text = STR_INIT;
	wordlist lines = { 0 };
	int err = file_read(path, &text, MOST);
	if (err)
		error_sys(-err, "cannot read %s", path);
	else
		wordlist_split(&lines, text.buf, '\n');
	for (size_t i = 0; i < lines.n && !err; i++)
		err = *lines.at[i] ? add_header(w, lines.at[i]) : 0;
	wordlist_release(&lines);
	str_release(&text);
	return err;
}

static int on_header(void *headers, const struct option_row *opt, const char *arg, bool unset)
{
	(void)opt;
	(void)unset;
	return *arg == '@' ? add_headers_of(headers, arg + 1) : add_header(headers, arg);
}

static int on_max(void *max, const struct option_row *opt, const char *arg, bool unset)
{
	char *end;
	double v = strtod(arg, &end);
	(void)opt;
	(void)unset;
	const char *unit = *end ? strchr("KMG", *end) : NULL;
	if (end == arg || !(v > 0 && v < 1e6) || (*end && (!unit || end[1])))
		return error_set(EINVAL, "'%s' is not a size such as 20M", arg);
	*(uint64_t *)max = v * (unit ? (uint64_t)1 << (10 * (strchr("KMG", *end) - "KMG" + 1)) : 1);
	return 0;
}

static const struct option_row rows[] = {
	READING_FILE_ROWS(job.in),
	OPT_STRING(0, "to", "FORMAT", to, "the format; --list shows them"),
	OPT_FLAG(0, "list", list, "list the formats"),
	OPT_GROUP("Sending"),
	OPT_STRING(0, "push", "URL", job.push.url, "send it: to a collector as OTLP; to Pyroscope as pprof, where the address ends in /ingest"),
	OPT_STRING(0, "app", "NAME", job.push.app, "Pyroscope's name for it: NAME or NAME{label=value} (sonde)"),
	OPT_CALL_ON(0, "header", "LINE", job.push.headers, on_header, "send that line as well; @FILE: the lines of a file"),
	OPT_STRING(0, "cacert", "FILE", job.push.ca_file, "trust these certificates instead of the system's"),
	OPT_INT(0, "retries", "N", job.push.retries, "try N times again what may work later (5)"),
	OPT_CALL_ON(0, "max-push", "SIZE", job.push.max, on_max, "send at most so much, packed: 500K, 50M (20M)"),
	OPT_GROUP("Which samples"),
	OPT_CALL_ON('e', "event", "LIST", job.events, reading_on_words, "only samples of these events"),
	READING_SAMPLE_ROWS(job.in),
	READING_SWITCH_ROWS(job.in),
	OPT_GROUP("Call chains"),
	READING_CHAIN_ROWS(job.in),
	OPT_GROUP("Symbols"),
	READING_SYMBOL_ROWS(job.in),
	OPT_VERBOSE("tell more: why names are missing"),
	OPT_FLAG('q', "quiet", job.in.quiet, "no notes and no warnings"),
	OPT_END(),
};

static int list_formats(void)
{
	struct out out;
	const struct export_format *f;
	int err = out_open(&out, NULL, false);
	for (size_t i = 0; !err && (f = export_format_at(i)); i++)
		out_printf(&out, "%-11s %s\n", f->name, f->what);
	return out_close(&out) ? error_print() : 0;
}

int cmd_export(int argc, char **argv)
{
	struct export_cmd c = { 0 };
	export_job_init(&c.job);
	int n = options_parse(&c, argc, argv, rows, usage, 0);
	if (n > 0)
		n = error_set(EINVAL, "export takes no arguments: '%s'; the recording is -i FILE", argv[0]);
	if (!n && c.list)
		return list_formats();
	if (!n && !c.to && c.job.push.url)
		c.to = push_is_pyroscope(c.job.push.url) ? "pprof" : "otlp";
	if (!n && !c.to) {
		n = error_set(EINVAL, "--to FORMAT is missing: what is it to be?");
		error_hint("sonde export --list shows the formats");
	}
	if (!n && !(c.job.format = export_format_find(c.to)))
		n = -EINVAL;
	if (n < 0)
		return options_exit(n, usage);
	return export_job_run(&c.job, usage);
}
