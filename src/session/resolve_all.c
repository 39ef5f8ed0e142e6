// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/callchain.h"
#include "session/session.h"

int session_resolve_all(struct perfdata *p, struct symbols *syms, bool unwind)
{
	struct session *s = session_new(syms);
	struct chain_ip chain[CALLCHAIN_MAX];
	struct perfdata_record r;
	struct frame f;
	bool truncated;
	int err;
	session_header(s, p);
	while ((err = perfdata_next(p, &r)) > 0) {
		session_feed(s, &r);
		if (r.header->type != PERF_RECORD_SAMPLE)
			continue;
		symbols_resolve(syms, r.pid, r.ip, sample_mode(r.misc), &f);
		int n = unwind ? callchain_ips(syms, &r, (struct chain_limit){ .max = CALLCHAIN_MAX }, chain, &truncated) :
				 callchain_walked(&r, chain);
		for (int i = 0; i < n; i++)
			symbols_resolve(syms, r.pid, chain[i].ip, chain[i].mode, &f);
	}
	session_free(s);
	return err;
}
