/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends a profile to where a fleet's are kept: OTLP by HTTP, or pprof to Pyroscope's /ingest. What may work later is tried
 * again, each time after a longer pause. */
#ifndef JOB_PUSH_PUSH_H
#define JOB_PUSH_PUSH_H
#include <stdbool.h>
#include "base/str.h"
#include "base/words.h"

enum { PUSH_MAX = 20 << 20, PUSH_RETRIES = 5, PUSH_TIMEOUT_MS = 30000 };
struct push {
	const char *url;
	wordlist headers; /* added by the user; the others are added here */
	const char *ca_file, *app; /* app: Pyroscope's name; NULL: sonde */
	const char *host; /* a label there; NULL: not known */
	int retries;
	uint64_t max; /* bytes, as they are sent */
	uint64_t from, until; /* s since 1970, for Pyroscope */
	struct str sample_types; /* for Pyroscope: the JSON that tells what units the values have */
};
/* Is the address Pyroscope's /ingest, which takes pprof? Else it takes OTLP. */
bool push_is_pyroscope(const char *url);
/* body: packed by gzip. -errno and a pending error. */
int push_send(struct push *p, const struct str *body);
void push_release(struct push *p);
#endif
