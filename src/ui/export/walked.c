// SPDX-License-Identifier: GPL-2.0-or-later
#include "ui/export/walked.h"

int export_walked(struct exporter *x, const struct perfdata_record *r, struct frame *out)
{
	struct chain_ip ip[CALLCHAIN_MAX];
	bool truncated;
	int n = callchain_ips(x->profile->syms, r, (struct chain_limit){ x->o->max_stack, false }, ip, &truncated);
	if (n <= 0) {
		n = 1;
		ip[0] = (struct chain_ip){ r->ip, sample_mode(r->misc), false, false };
	}
	for (int i = 0; i < n; i++)
		symbols_resolve(x->profile->syms, r->pid, ip[i].ip, ip[i].mode, &out[i]);
	return n;
}
