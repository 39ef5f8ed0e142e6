// SPDX-License-Identifier: GPL-2.0-or-later
/* Any text as a script, through all stages up to the machine's instructions, on a made-up machine with two tracepoints.
 * Nothing is loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/str.h"
#include "machine.h"
#include "script/script.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	machine_make_tracepoints();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = xstrndup((const char *)data, n), number[] = "12", word[] = "word", *params[] = { number, word };
	struct script_source source = { .name = "fuzz", .text = text, .len = strlen(text) };
	struct run_script s = { 0 };
	int err = script_compile(&s, &source, params, 2);
	if (err && !error_pending())
		abort(); /* a refusal without a sentence */
	error_clear();
	script_forget(&s);
	arena_release(&source.memory);
	free(text);
	return 0;
}
