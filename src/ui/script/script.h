/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples one by one: as perf's text, as JSON lines, or fed to a Python script. The three share what a
 * sample means (struct script) and differ in how it looks (struct script_view). */
#ifndef UI_SCRIPT_SCRIPT_H
#define UI_SCRIPT_SCRIPT_H
#include "base/out.h"
#include "session/callchain.h"
#include "session/session.h"
#include "session/tpformat.h"
#include "ui/script/fields.h"

enum script_time { TIME_ABSOLUTE, TIME_RELATIVE, TIME_DELTA };

/* What the text keeps from line to line. */
struct script_head { const char *comm; int pid, tid; uint64_t fields; bool chain; struct str text; };
struct script_name { char *text; size_t len; };

struct script {
	struct perfdata *data;
	struct session *session;
	struct symbols *syms;
	struct out *out;
	struct field_set fields;
	enum inlines inlines;
	bool chains, nanosecs, latency, full_path;
	enum script_time time;
	uint64_t time_base;
	int max_stack;
	const wordlist *stop; /* text: call chains end at these functions */
	const char *script; /* python: the file to run */
	char **script_args;
	VEC(struct tp_format *) format;
	struct frame_lines *lines; /* text */
	void *view; /* python */
	struct script_code *code; /* text: code.h's */
	uint64_t truncated_stacks;
	size_t data_src_width; /* of the widest so far */
	int name_width;
	struct script_head head;
	VEC(struct script_name) name;
	struct str text;
};

struct script_view {
	int (*begin)(struct script *s);
	int (*sample)(struct script *s, const struct perfdata_record *r, const struct thread *t);
	void (*record)(struct script *s, const struct perfdata_record *r); /* one that --show-*-events asks for */
	void (*seen)(struct script *s, const struct perfdata_record *r); /* every record that is no sample */
	int (*end)(struct script *s);
};
extern const struct script_view script_text, script_json, script_python;

struct tp_format *script_format(struct script *s, int event); /* NULL: no tracepoint */
/* The sample's frames, innermost first, with inlined functions; at most max. */
int script_frames(struct script *s, const struct perfdata_record *r, struct frame *out, int max);
void script_release(struct script *s);
/* `-g python`: writes a script for the recording's events. */
int script_generate(struct perfdata *p, const char *path);
#endif
