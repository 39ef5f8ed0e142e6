// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/control.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "base/words.h"

enum { LINE_MAX_ = 4096 };

static int wrong(const char *spec)
{
	error_set(EINVAL, "--control: '%s' is neither fd: nor fifo:", spec);
	return error_hint("--control fd:CTL[,ACK] with descriptors that are open, or --control fifo:CTL[,ACK] with named pipes");
}

static int take_fd(const char *word, int *fd)
{
	uint64_t n;
	if (parse_u64(word, &n) || n > 1 << 20)
		return wrong(word);
	if (fcntl((int)n, F_GETFD) < 0) {
		error_set(EBADF, "--control: descriptor %s is not open", word);
		return error_hint("the shell opens one: mkfifo ctl; exec 5<>ctl; sonde record --control fd:5 ...");
	}
	*fd = (int)n;
	return 0;
}

static int take_fifo(const char *path, int *fd)
{
	struct stat st;
	if (stat(path, &st) || !S_ISFIFO(st.st_mode)) {
		error_set(ENOENT, "--control: %s is not a named pipe", path);
		return error_hint("make it first: mkfifo %s", path);
	}
	*fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return *fd < 0 ? error_sys(errno, "--control: cannot open %s", path) : 0;
}

int control_open(struct control *c, const char *spec)
{
	int (*take)(const char *, int *) = str_starts(spec, "fifo:") ? take_fifo : str_starts(spec, "fd:") ? take_fd : NULL;
	wordlist words = { 0 };
	*c = (struct control){ .fd = -1, .ack = -1, .own = take == take_fifo, .text = STR_INIT };
	if (!take)
		return wrong(spec);
	wordlist_split(&words, strchr(spec, ':') + 1, ',');
	int err = words.n < 1 || words.n > 2 ? wrong(spec) : take(words.at[0], &c->fd);
	if (!err && words.n == 2)
		err = take(words.at[1], &c->ack);
	wordlist_release(&words);
	if (err)
		control_close(c);
	else
		(void)fcntl(c->fd, F_SETFL, fcntl(c->fd, F_GETFL) | O_NONBLOCK);
	return err;
}

/* The first whole line; NULL: none. */
static char *line(struct control *c)
{
	char *end = c->text.len ? memchr(c->text.buf, '\n', c->text.len) : NULL;
	if (!end)
		return NULL;
	size_t n = end - c->text.buf;
	char *word = xstrndup(c->text.buf, n);
	memmove(c->text.buf, end + 1, c->text.len - n - 1);
	c->text.len -= n + 1;
	return word;
}

char *control_next(struct control *c)
{
	char buf[512], *word = line(c);
	while (!word && c->fd >= 0) {
		ssize_t n = read(c->fd, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n <= 0 || c->text.len > LINE_MAX_) { /* the other side has left, or talks nonsense */
			if (c->own)
				close(c->fd);
			c->fd = -1;
			break;
		}
		str_addn(&c->text, buf, n);
		word = line(c);
	}
	return word;
}

void control_ack(const struct control *c)
{
	if (c->ack >= 0 && write(c->ack, "ack\n", 4) != 4)
		note(1, "--control: nobody takes the answer");
}

void control_close(struct control *c)
{
	if (c->own && c->fd >= 0)
		close(c->fd);
	if (c->own && c->ack >= 0)
		close(c->ack);
	c->fd = c->ack = -1;
	str_release(&c->text);
}
