/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of `sonde flame`: what was asked for, and reading and drawing it. */
#ifndef CMD_PICTURE_FLAME_H
#define CMD_PICTURE_FLAME_H
#include "analysis/flame/tree.h"
#include "cmd/reading.h"
#include "job/record/recorder.h"
#include "picture/flame/flame.h"

enum flame_form { FLAME_FORM_NONE, FLAME_FORM_SVG, FLAME_FORM_HTML, FLAME_FORM_FOLDED };
struct flame_cmd {
	struct reading in; /* its filter and symbols are freed by cmd_flame: readings are borrowed ones */
	const char *folded, *before_file; /* NULL: none */
	wordlist event;
	const char *pids, *tids, *cpus, *user, *output, *title, *unit;
	bool diff, normalize, off_cpu, hot_cold, reverse, inverted, chart, all, all_cpus, quiet;
	bool recorded; /* the input was recorded just now: see job/flame.h */
	bool nothing; /* and has no samples */
	bool by_given;
	enum flame_by by;
	enum flame_form form;
	enum flame_colours colours;
	int width;
	double min;
	struct recorder_options live;
};
enum flame_form flame_form_of(const char *word); /* "svg" */
enum flame_form flame_form_of_name(const char *path); /* by what it ends in; "-": SVG */
/* Reads what there is to read and writes the picture. -errno and a pending error. */
int flame_draw(struct flame_cmd *c);
#endif
