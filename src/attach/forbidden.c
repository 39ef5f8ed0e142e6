// SPDX-License-Identifier: GPL-2.0-or-later
#include "attach/forbidden.h"
#include <errno.h>
#include "base/error.h"
#include "kernel/rights/lent.h"

bool bpf_forbidden(int err, const char *what, const char *as_root, const char *without)
{
	if (err != -EPERM && err != -EACCES)
		return false;
	if (lent_once()) {
		error_set(-err, "%s loads a BPF program, and for that the capabilities of sonde's file are not lent", what);
		error_hint("sudo %s%s%s", as_root, without ? "; without: " : "", without ? without : "");
	} else {
		error_set(-err, "%s loads a BPF program, and that is not allowed", what);
		error_hint("sudo, or the capabilities cap_bpf and cap_perfmon%s%s", without ? "; without: " : "", without ? without : "");
	}
	return true;
}
