// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/ftrace/during.h"
#include "base/error.h"
#include "ftrace/undo.h"
#include "job/life.h"
#include "kernel/rights/caps.h"

int ftrace_during_run(const struct ftrace_during *d, char **command)
{
	struct life l = { 0 };
	struct workload_options how = { 0 };
	int err = undo_start();
	if (!err)
		err = life_fork(&l, command, &how);
	if (!err)
		err = d->set_up(d->ctx);
	if (!err) {
		life_give_up_rights(&l, CAP_BIT(CAP_DAC_OVERRIDE) | CAP_BIT(CAP_DAC_READ_SEARCH));
		err = life_start(&l);
	}
	if (!err) {
		life_wait(&l, d->timeout_ms);
		err = d->show(d->ctx);
	}
	if (err)
		error_print();
	life_finish(&l);
	int code = err ? EXIT_SONDE : life_code(&l);
	life_release(&l); /* a command that was never let go holds the guardian's pipe open */
	return undo_run() ? error_print() : code;
}
