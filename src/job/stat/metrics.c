// SPDX-License-Identifier: GPL-2.0-or-later
/* A thread of its own answers, one at a time and each within a second, so that nobody who asks slowly keeps the counts
 * waiting. It only ever reads the text that the last interval left. */
#include "job/stat/metrics.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/file.h"
#include "base/out.h"
#include "kernel/clock.h"
#include "ui/openmetrics.h"

enum { REQUEST_MAX = 4096, ANSWER_MS = 1000, BACKLOG = 16 };

struct stat_metrics {
	char *path; /* NULL: by HTTP */
	int listener, stop; /* -1: none */
	pthread_t thread;
	bool running;
	pthread_mutex_t lock; /* of text */
	struct str text;
	struct stat_table table;
	bool ready;
};

/* ---- where ---- */

/* "9100", "host:9100", "[::1]:9100": the two parts. */
static bool is_address(const char *where, char **host, char **port)
{
	const char *colon = strrchr(where, ':'), *digits = colon ? colon + 1 : where;
	if (!*digits || strspn(digits, "0123456789") != strlen(digits) || strchr(where, '/'))
		return false;
	bool brackets = colon && *where == '[' && colon > where + 1 && colon[-1] == ']';
	*port = xstrdup(digits);
	*host = !colon ? xstrdup("127.0.0.1") : brackets ? xstrndup(where + 1, colon - where - 2) : xstrndup(where, colon - where);
	return true;
}

union address { struct sockaddr any; struct sockaddr_in v4; struct sockaddr_in6 v6; };

/* Numbers alone: a name would ask the machine's name services, which the static program has not. */
static socklen_t parse_address(const char *host, const char *port, union address *a)
{
	uint64_t n;
	*a = (union address){ 0 };
	if (parse_u64(port, &n) || n > UINT16_MAX)
		return 0;
	if (!*host || inet_pton(AF_INET, host, &a->v4.sin_addr) == 1) {
		a->v4.sin_family = AF_INET;
		a->v4.sin_port = htons(n);
		return sizeof(a->v4);
	}
	if (inet_pton(AF_INET6, host, &a->v6.sin6_addr) != 1)
		return 0;
	a->v6.sin6_family = AF_INET6;
	a->v6.sin6_port = htons(n);
	return sizeof(a->v6);
}

static int listen_on(const union address *a, socklen_t len)
{
	int fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, &a->any, len) && !listen(fd, BACKLOG))
		return fd;
	int err = errno;
	close(fd);
	errno = err;
	return -1;
}

static int open_port(struct stat_metrics *m, const char *host, const char *port)
{
	union address a;
	socklen_t len = parse_address(host, port, &a);
	if (!len) {
		error_set(EINVAL, "--openmetrics: '%s' port %s is no address", host, port);
		return error_hint("give a port (on 127.0.0.1), ADDRESS:PORT in numbers, or a file with a slash in its name");
	}
	m->listener = listen_on(&a, len);
	return m->listener < 0 ? error_sys(errno, "cannot listen on %s port %s", *host ? host : "all addresses", port) : 0;
}

/* Which port it became, when 0 was asked for. */
static void tell_port(const struct stat_metrics *m, const char *host)
{
	union address a = { 0 };
	socklen_t len = sizeof(a);
	getsockname(m->listener, &a.any, &len);
	unsigned port = ntohs(a.any.sa_family == AF_INET6 ? a.v6.sin6_port : a.v4.sin_port);
	note(0, strchr(host, ':') ? "counts are at http://[%s]:%u/metrics" : "counts are at http://%s:%u/metrics", *host ? host : "0.0.0.0", port);
}

struct stat_metrics *stat_metrics_open(const char *where)
{
	struct stat_metrics *m = xcalloc(1, sizeof(*m));
	char *host = NULL, *port = NULL;
	int err = 0;
	m->listener = m->stop = -1;
	pthread_mutex_init(&m->lock, NULL);
	str_init(&m->text);
	str_add(&m->text, "# EOF\n");
	if (!is_address(where, &host, &port)) {
		m->path = xstrdup(where);
	} else {
		err = open_port(m, host, port);
		m->stop = err ? -1 : eventfd(0, EFD_CLOEXEC);
		if (!err)
			tell_port(m, host);
	}
	free(host);
	free(port);
	if (!err)
		return m;
	stat_metrics_close(m);
	return NULL;
}

/* ---- answering ---- */

/* Until it can be read or written, the time is over, or all ends. */
static bool wait_for(const struct stat_metrics *m, int fd, short events, uint64_t until)
{
	struct pollfd p[] = { { .fd = fd, .events = events }, { .fd = m->stop, .events = POLLIN } };
	uint64_t now = clock_ns();
	return now < until && poll(p, 2, (until - now) / 1000000 + 1) > 0 && !p[1].revents && p[0].revents;
}

/* The head of a request, as far as it comes. */
static size_t read_request(const struct stat_metrics *m, int fd, char *buf, uint64_t until)
{
	size_t len = 0;
	while (len < REQUEST_MAX - 1 && wait_for(m, fd, POLLIN, until)) {
		ssize_t n = recv(fd, buf + len, REQUEST_MAX - 1 - len, MSG_DONTWAIT);
		if (n <= 0)
			break;
		len += n;
		buf[len] = 0;
		if (strstr(buf, "\r\n\r\n"))
			return len;
	}
	return 0;
}

static void send_all(const struct stat_metrics *m, int fd, const struct str *s, uint64_t until)
{
	for (size_t at = 0; at < s->len && wait_for(m, fd, POLLOUT, until);) {
		ssize_t n = send(fd, s->buf + at, s->len - at, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n <= 0)
			return;
		at += n;
	}
}

static void add_answer(struct stat_metrics *m, struct str *s, const char *request)
{
	bool head = str_starts(request, "HEAD "), get = str_starts(request, "GET ");
	const char *path = strchr(request, ' ') + 1;
	size_t n = strcspn(path, " ?\r\n");
	bool known = (n == 1 && *path == '/') || (n == strlen("/metrics") && !memcmp(path, "/metrics", n));
	const char *status = !head && !get ? "405 Method Not Allowed" : known ? "200 OK" : "404 Not Found";
	bool text = (head || get) && known;
	pthread_mutex_lock(&m->lock);
	str_addf(s, "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", status,
		 text ? "application/openmetrics-text; version=1.0.0; charset=utf-8" : "text/plain", text ? m->text.len : 0);
	if (text && get)
		str_add_bytes(s, m->text.buf, m->text.len);
	pthread_mutex_unlock(&m->lock);
}

static void answer(struct stat_metrics *m, int fd)
{
	char request[REQUEST_MAX];
	struct str s = STR_INIT;
	uint64_t until = clock_ns() + ANSWER_MS * 1000000ull;
	if (!read_request(m, fd, request, until) || !strchr(request, ' '))
		return;
	add_answer(m, &s, request);
	send_all(m, fd, &s, until);
	str_release(&s);
}

static void *serve(void *metrics)
{
	struct stat_metrics *m = metrics;
	struct pollfd p[] = { { .fd = m->listener, .events = POLLIN }, { .fd = m->stop, .events = POLLIN } };
	while (poll(p, 2, -1) >= 0 || errno == EINTR) {
		if (p[1].revents)
			break;
		int fd = accept4(m->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0) { /* perhaps for want of descriptors, which lasts */
			(void)poll(p + 1, 1, ANSWER_MS / 10);
			continue;
		}
		answer(m, fd);
		close(fd);
	}
	return NULL;
}

int stat_metrics_start(struct stat_metrics *m)
{
	sigset_t all, before;
	if (m->path || m->running)
		return 0;
	sigfillset(&all); /* signals are the other thread's */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int err = pthread_create(&m->thread, NULL, serve, m);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	m->running = !err;
	return err ? error_sys(err, "cannot start a thread that answers") : 0;
}

/* ---- the counts ---- */

static int put_text(const char *path, struct str *s, bool *opened)
{
	struct out out;
	int err = out_open(&out, path, false);
	*opened = !err;
	if (err)
		return err;
	out_str(&out, s);
	return out_close(&out);
}

/* A reader sees the old text or the new one, never a part. What is no plain file (/dev/stderr, a pipe, a link) stays what it is. */
static int write_file(const struct stat_metrics *m, struct str *s)
{
	struct stat st;
	bool opened;
	if (!lstat(m->path, &st) && !S_ISREG(st.st_mode))
		return put_text(m->path, s, &opened);
	int err = file_replaceable(m->path);
	if (err)
		return err;
	char *new = xasprintf("%s.new", m->path);
	err = put_text(new, s, &opened);
	if (!err && rename(new, m->path))
		err = error_sys(errno, "cannot write %s", m->path);
	if (err && opened)
		unlink(new);
	free(new);
	return err;
}

int stat_metrics_round(struct stat_metrics *m, const struct stat_job *j, const struct counting *c, uint64_t elapsed)
{
	struct str s = STR_INIT;
	if (!m->ready) {
		m->table = (struct stat_table){ .aggr = j->aggr, .scale = j->scale, .cache_level = j->cache_level, .metrics = &j->metrics };
		stat_table_init(&m->table, &j->events, &j->target);
		m->ready = true;
	}
	stat_table_clear(&m->table);
	stat_table_add(&m->table, c, false, elapsed);
	openmetrics_add(&s, &m->table, elapsed / 1e9);
	int err = m->path ? write_file(m, &s) : 0;
	if (!m->path) {
		pthread_mutex_lock(&m->lock);
		struct str old = m->text;
		m->text = s;
		s = old;
		pthread_mutex_unlock(&m->lock);
	}
	str_release(&s);
	return err;
}

void stat_metrics_close(struct stat_metrics *m)
{
	if (!m)
		return;
	if (m->running) {
		uint64_t one = 1;
		if (write(m->stop, &one, sizeof(one)) == sizeof(one))
			pthread_join(m->thread, NULL);
	}
	if (m->listener >= 0)
		close(m->listener);
	if (m->stop >= 0)
		close(m->stop);
	if (m->ready)
		stat_table_release(&m->table);
	pthread_mutex_destroy(&m->lock);
	str_release(&m->text);
	free(m->path);
	free(m);
}
