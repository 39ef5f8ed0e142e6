/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One POST by http or https, through libcurl, which is loaded when it is needed. */
#ifndef JOB_PUSH_HTTP_H
#define JOB_PUSH_HTTP_H
#include "base/str.h"
#include "base/words.h"

struct http_post {
	const char *url;
	const wordlist *headers; /* "Name: value" */
	const char *ca_file; /* certificates to trust instead of the system's; NULL: those */
	const struct str *body;
	unsigned timeout_ms;
	/* the answer */
	long status; /* 0: there was none */
	uint64_t retry_after; /* seconds; 0: not told */
	struct str answer; /* its beginning */
};
/* 0 when there was an answer, whatever its status; else -errno and a pending error: -ENOTSUP without libcurl, -EINVAL for a
 * wrong address, -EPROTO where TLS or the certificate is at fault, -EAGAIN for what may work later. */
int http_post(struct http_post *p);
#endif
