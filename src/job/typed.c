// SPDX-License-Identifier: GPL-2.0-or-later
#include "job/typed.h"
#include <errno.h>
#include <unistd.h>

void typed_open(struct typed *t, bool keys)
{
	bool terminal = isatty(0);
	*t = (struct typed){ 0 };
	if (terminal && tcgetpgrp(0) != getpgrp()) /* in the background to read would stop us */
		t->fd = -1;
	else if (terminal && keys)
		keys_open(&t->keys);
}

ssize_t typed_read(struct typed *t, char *buf, size_t max)
{
	ssize_t n = read(0, buf, max);
	if (!n || (n < 0 && errno != EINTR && errno != EAGAIN))
		t->fd = -1;
	return n > 0 ? n : 0;
}
