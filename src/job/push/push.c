// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/push/push.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include "base/error.h"
#include "job/push/http.h"

enum { STATUS_OK = 200, STATUS_OK_END = 300, STATUS_TOO_LARGE = 413, STATUS_TOO_MANY = 429, STATUS_BAD_GATEWAY = 502,
       STATUS_UNAVAILABLE = 503, STATUS_GATEWAY_TIMEOUT = 504 };
enum { FIRST_PAUSE_MS = 1000, LONGEST_PAUSE_MS = 60000 };

/* The path, without what follows a '?'. */
static size_t path_of(const char *url, size_t *n)
{
	const char *host = strstr(url, "://"), *path;
	host = host ? host + 3 : url;
	path = host + strcspn(host, "/?#");
	*n = strcspn(path, "?#");
	return path - url;
}

bool push_is_pyroscope(const char *url)
{
	size_t n, at = path_of(url, &n);
	static const char ingest[] = "/ingest";
	size_t len = strlen(ingest);
	return n >= len && !memcmp(url + at + n - len, ingest, len);
}

static void add_escaped(struct str *s, const char *z)
{
	for (; *z; z++)
		if ((*z >= '0' && *z <= '9') || (*z >= 'a' && *z <= 'z') || (*z >= 'A' && *z <= 'Z') || strchr("-_.", *z))
			str_addc(s, *z);
		else
			str_addf(s, "%%%02X", (unsigned char)*z);
}

/* "app{hostname=web-1}" and the times, behind what the address asks for already. */
static void pyroscope_url(const struct push *p, struct str *url)
{
	struct str name = STR_INIT;
	str_add(&name, p->app ? p->app : "sonde");
	if (p->host && !strchr(name.buf, '{'))
		str_addf(&name, "{hostname=%s}", p->host);
	str_addf(url, "%s%cformat=pprof&name=", p->url, strchr(p->url, '?') ? '&' : '?');
	add_escaped(url, name.buf);
	str_addf(url, "&from=%" PRIu64 "&until=%" PRIu64, p->from, p->until);
	str_release(&name);
}

static void otlp_url(const struct push *p, struct str *url)
{
	size_t n, at = path_of(p->url, &n);
	bool none = !n || (n == 1 && p->url[at] == '/');
	str_addn(url, p->url, at);
	if (none)
		str_add(url, "/v1development/profiles");
	str_add(url, p->url + at + (none ? n : 0));
}

static void add_part(struct str *s, const char *boundary, const char *name, const char *type, const struct str *bytes)
{
	str_addf(s, "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\nContent-Type: %s\r\n\r\n", boundary, name, name, type);
	str_add_bytes(s, bytes->buf, bytes->len);
	str_add(s, "\r\n");
}

/* Pyroscope takes a form: the profile, and what its values are. */
static void pyroscope_body(struct push *p, const struct str *profile, struct str *body)
{
	uint64_t random[2] = { 0 };
	char boundary[48];
	if (getrandom(random, sizeof(random), GRND_NONBLOCK) < 0)
		random[0] = time(NULL);
	snprintf(boundary, sizeof(boundary), "sonde-%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	add_part(body, boundary, "profile", "application/octet-stream", profile);
	add_part(body, boundary, "sample_type_config", "application/json", &p->sample_types);
	str_addf(body, "--%s--\r\n", boundary);
	struct str head = STR_INIT;
	str_addf(&head, "Content-Type: multipart/form-data; boundary=%s", boundary);
	wordlist_add(&p->headers, head.buf);
	str_release(&head);
}

static void add_header(struct push *p, const char *z)
{
	wordlist_add(&p->headers, z);
}

static bool worth_a_retry(int err, long status)
{
	return err == -EAGAIN || (!err && (status == STATUS_TOO_MANY || status == STATUS_BAD_GATEWAY || status == STATUS_UNAVAILABLE ||
					   status == STATUS_GATEWAY_TIMEOUT));
}

/* Twice as long each time, and not all of a fleet at once; or as long as the server asks for. */
static void pause_before(int attempt, uint64_t asked_s)
{
	uint64_t ms = (uint64_t)FIRST_PAUSE_MS << (attempt < 6 ? attempt : 6), random = 0;
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random = attempt;
	ms = asked_s ? (asked_s < LONGEST_PAUSE_MS / 1000 ? asked_s * 1000 : LONGEST_PAUSE_MS) : ms / 2 + random % (ms / 2 + 1);
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
	nanosleep(&t, NULL);
}

static int refused(const struct push *p, const struct http_post *post)
{
	struct str answer = STR_INIT;
	size_t n = strcspn(post->answer.len ? post->answer.buf : "", "\r\n");
	str_add_safe(&answer, post->answer.buf, n < 200 ? n : 200);
	error_set(EREMOTEIO, "%s answers %ld%s%s", p->url, post->status, n ? ": " : "", answer.buf);
	if (post->status == STATUS_TOO_LARGE)
		error_hint("send less at once: --time 0%%-50%%, --event NAME; record --switch-output makes shorter recordings");
	if (post->status == 401 || post->status == 403)
		error_hint("--header 'Authorization: Bearer TOKEN', or --header @FILE with such a line, says who you are");
	if (post->status == 404)
		error_hint("Pyroscope takes profiles at /ingest, a collector at /v1development/profiles");
	str_release(&answer);
	return error_code();
}

static int send_it(struct push *p, struct http_post *post)
{
	for (int attempt = 0;; attempt++) {
		int err = http_post(post);
		if (!err && post->status >= STATUS_OK && post->status < STATUS_OK_END)
			return 0;
		if (!worth_a_retry(err, post->status) || attempt >= p->retries) {
			if (!err)
				refused(p, post);
			else
				error_context("cannot send to %s", p->url);
			if (attempt)
				error_hint("tried %d times", attempt + 1);
			return error_code();
		}
		if (err)
			note(0, "%s: %s; trying again", p->url, error_message());
		else
			note(0, "%s answers %ld; trying again", p->url, post->status);
		error_clear();
		pause_before(attempt, post->retry_after);
	}
}

int push_send(struct push *p, const struct str *profile)
{
	struct str url = STR_INIT, form = STR_INIT;
	const struct str *body = profile;
	if (push_is_pyroscope(p->url)) {
		pyroscope_url(p, &url);
		pyroscope_body(p, profile, &form);
		body = &form;
	} else {
		otlp_url(p, &url);
		add_header(p, "Content-Type: application/x-protobuf");
		add_header(p, "Content-Encoding: gzip");
	}
	struct http_post post = { .url = url.buf, .headers = &p->headers, .ca_file = p->ca_file, .body = body,
		.timeout_ms = PUSH_TIMEOUT_MS, .answer = STR_INIT };
	int err;
	if (body->len > p->max) {
		err = error_set(EFBIG, "the profile has %.1f MB packed, and --max-push is %.1f MB", body->len / 1e6, p->max / 1e6);
		error_hint("--time and --event choose less of it; servers have such limits, too: raise theirs before ours");
	} else {
		err = send_it(p, &post);
	}
	str_release(&post.answer);
	str_release(&form);
	str_release(&url);
	return err;
}

void push_release(struct push *p)
{
	wordlist_release(&p->headers);
	str_release(&p->sample_types);
}
