// SPDX-License-Identifier: GPL-2.0-or-later
/* Any text as a script of SystemTap's, through all stages, on a made-up machine with two tracepoints. Nothing is loaded; begin
 * and end are run, for a bounded number of steps. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/str.h"
#include "machine.h"
#include "script/script.h"
#include "script/stap/run.h"
#include "script/stap/stap.h"

static int null_fd;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	machine_make_tracepoints();
	null_fd = open("/dev/null", O_WRONLY);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = xstrndup((const char *)data, n), number[] = "12", word[] = "word", *params[] = { number, word };
	struct script_source source = { .name = "fuzz", .text = text, .len = strlen(text) };
	struct stap st = { 0 };
	struct stap_run run;
	struct out out;
	struct run_script s = { .stap = &st };
	if (strstr(text, "system")) /* what it would run is nobody's */
		source.len = 0, text[0] = 0;
	int err = script_compile(&s, &source, params, 2);
	if (err && !error_pending())
		abort(); /* a refusal without a sentence */
	error_clear();
	if (!err) {
		out_fd(&out, null_fd, "null");
		stap_run_open(&run, &st, &out);
		run.ip.steps_max = 2000;
		stap_run_begin(&run);
		stap_run_end(&run);
		error_clear();
		stap_run_close(&run);
		(void)out_close(&out);
		error_clear();
	}
	script_forget(&s);
	stap_release(&st);
	arena_release(&source.memory);
	free(text);
	return 0;
}
