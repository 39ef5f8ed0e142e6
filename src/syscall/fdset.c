// SPDX-License-Identifier: GPL-2.0-or-later
#include "syscall/fdset.h"
#include <string.h>

int fdset_parse(struct fdset *s, const char *text)
{
	bool not = *text == '!', all = !strcmp(text + not, "all");
	vec_clear(&s->fds);
	s->has = true;
	s->not = not != all; /* all is all but none */
	if (all || !strcmp(text + not, "none"))
		return 0;
	return intlist_parse(&s->fds, text + not, 1 << 20, "descriptor");
}

void fdset_release(struct fdset *s)
{
	vec_release(&s->fds);
}

bool fdset_has(const struct fdset *s, int fd)
{
	return fd >= 0 && intlist_has(&s->fds, fd) != s->not;
}
