// SPDX-License-Identifier: GPL-2.0-or-later
/* sonde doctor: what this machine, this kernel and this user can do, and how to change each "no". */
#include <errno.h>
#include "base/error.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "ui/doctor.h"

static const char *const usage[] = { "sonde doctor [--json]", NULL };

struct doctor_options { bool json; };
#define OPTIONS struct doctor_options

static const struct option_row rows[] = {
	OPT_FLAG('j', "json", json, "the same for programs (see doc/JSON.md)"),
	OPT_VERBOSE("say more"),
	OPT_END(),
};

int cmd_doctor(int argc, char **argv)
{
	struct doctor_options o = { 0 };
	struct doctor d = { 0 };
	struct out out;
	int n = options_parse(&o, argc, argv, rows, usage, 0);
	if (n < 0)
		return options_exit(n, usage);
	if (n > 0)
		return options_exit(error_set(EINVAL, "doctor takes no argument, and got '%s'", argv[0]), usage);
	if (out_open(&out, NULL, false))
		return error_print();
	doctor_examine(&d);
	if (o.json) {
		doctor_print_json(&d, &out);
	} else {
		out_pager(&out);
		doctor_print(&d, &out);
	}
	doctor_release(&d);
	return out_close(&out) ? error_print() : 0;
}
