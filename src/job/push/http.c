// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/push/http.h"
#include <errno.h>
#include "base/error.h"
#include "base/version.h"

#ifndef SONDE_STATIC
#include <dlfcn.h>

/* Numbers of libcurl's interface, which never change (its own rule, and its so-name's). */
enum { OPT_WRITE_DATA = 10001, OPT_URL = 10002, OPT_ERROR_BUFFER = 10010, OPT_POST_FIELDS = 10015, OPT_USER_AGENT = 10018,
       OPT_HEADERS = 10023, OPT_CA_FILE = 10065, OPT_WRITE_FUNCTION = 20011, OPT_POST_SIZE = 30120, OPT_NO_SIGNAL = 99,
       OPT_TIMEOUT_MS = 155, OPT_PROTOCOLS = 181 };
enum { INFO_STATUS = 0x200002, INFO_RETRY_AFTER = 0x600039, GLOBAL_DEFAULT = 3, ERROR_SIZE = 256 };
enum { PROTOCOL_HTTP = 1, PROTOCOL_HTTPS = 2 };
enum { CURL_UNSUPPORTED = 1, CURL_BAD_URL = 3, CURL_TLS = 35, CURL_CERTIFICATE = 60, CURL_CA_FILE = 77 };
enum { ANSWER_MAX = 4096 };

struct curl_handle;
struct curl_headers;
struct curl_api {
	void *lib;
	int (*global)(long);
	struct curl_handle *(*begin)(void);
	void (*end)(struct curl_handle *);
	int (*set)(struct curl_handle *, int, ...);
	int (*perform)(struct curl_handle *);
	int (*info)(struct curl_handle *, int, ...);
	struct curl_headers *(*header)(struct curl_headers *, const char *);
	void (*headers_free)(struct curl_headers *);
	const char *(*say)(int);
};

static int api_open(struct curl_api *a)
{
	a->lib = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
	if (!a->lib)
		a->lib = dlopen("libcurl-gnutls.so.4", RTLD_LAZY | RTLD_LOCAL);
	if (!a->lib) {
		error_set(ENOTSUP, "--push: libcurl.so.4 is not there");
		return error_hint("apt install libcurl4; or write a file with -o, and send it with any other program");
	}
	*(void **)&a->global = dlsym(a->lib, "curl_global_init");
	*(void **)&a->begin = dlsym(a->lib, "curl_easy_init");
	*(void **)&a->end = dlsym(a->lib, "curl_easy_cleanup");
	*(void **)&a->set = dlsym(a->lib, "curl_easy_setopt");
	*(void **)&a->perform = dlsym(a->lib, "curl_easy_perform");
	*(void **)&a->info = dlsym(a->lib, "curl_easy_getinfo");
	*(void **)&a->header = dlsym(a->lib, "curl_slist_append");
	*(void **)&a->headers_free = dlsym(a->lib, "curl_slist_free_all");
	*(void **)&a->say = dlsym(a->lib, "curl_easy_strerror");
	if (a->global && a->begin && a->end && a->set && a->perform && a->info && a->header && a->headers_free && a->say)
		return 0;
	return error_set(ENOTSUP, "--push: libcurl lacks what it should have");
}

static size_t take(const char *p, size_t size, size_t n, void *answer)
{
	struct str *s = answer;
	size_t len = size * n, room = s->len < ANSWER_MAX ? ANSWER_MAX - s->len : 0;
	str_add_bytes(s, p, len < room ? len : room);
	return len;
}

static int failed(const struct curl_api *a, int code, const char *why)
{
	int err = code == CURL_UNSUPPORTED || code == CURL_BAD_URL ? EINVAL :
		  code == CURL_TLS || code == CURL_CERTIFICATE || code == CURL_CA_FILE ? EPROTO : EAGAIN;
	error_set(err, "%s", *why ? why : a->say(code));
	if (err == EINVAL)
		error_hint("an address is http://HOST[:PORT]/PATH or https://...");
	if (err == EPROTO)
		error_hint("--cacert FILE names the certificates to trust, where the system's do not include the server's");
	return -err;
}

static int post(const struct curl_api *a, struct curl_handle *c, struct curl_headers *headers, struct http_post *p)
{
	char why[ERROR_SIZE] = "";
	a->set(c, OPT_URL, p->url);
	a->set(c, OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
	a->set(c, OPT_NO_SIGNAL, 1L);
	a->set(c, OPT_TIMEOUT_MS, (long)p->timeout_ms);
	a->set(c, OPT_ERROR_BUFFER, why);
	a->set(c, OPT_USER_AGENT, "sonde/" SONDE_VERSION);
	a->set(c, OPT_HEADERS, headers);
	a->set(c, OPT_POST_FIELDS, p->body->buf);
	a->set(c, OPT_POST_SIZE, (int64_t)p->body->len);
	a->set(c, OPT_WRITE_FUNCTION, take);
	a->set(c, OPT_WRITE_DATA, &p->answer);
	if (p->ca_file)
		a->set(c, OPT_CA_FILE, p->ca_file);
	int code = a->perform(c);
	int64_t wait = 0;
	a->info(c, INFO_STATUS, &p->status);
	a->info(c, INFO_RETRY_AFTER, &wait);
	p->retry_after = wait > 0 ? wait : 0;
	return code ? failed(a, code, why) : 0;
}

int http_post(struct http_post *p)
{
	struct curl_api a = { 0 };
	int err = api_open(&a);
	struct curl_headers *headers = NULL;
	p->status = 0;
	str_clear(&p->answer);
	if (!err) {
		a.global(GLOBAL_DEFAULT);
		struct curl_handle *c = a.begin();
		for (size_t i = 0; i < p->headers->n; i++)
			headers = a.header(headers, p->headers->at[i]);
		headers = a.header(headers, "Expect:"); /* no wait for leave to send */
		err = c ? post(&a, c, headers, p) : error_set(ENOMEM, "libcurl does not start");
		a.headers_free(headers);
		if (c)
			a.end(c);
	}
	/* the library stays: what it keeps of TLS does not like to be loaded twice */
	return err;
}
#else
int http_post(struct http_post *p)
{
	(void)p;
	error_set(ENOTSUP, "--push: this static sonde loads no library that could send");
	return error_hint("write a file with -o, and send it: curl --data-binary @FILE -H 'Content-Type: application/x-protobuf' URL");
}
#endif
