// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "kernel/net/genl.h"

enum { FIRST = GENL_ID_CTRL, MOST = 256, NAME = GENL_NAMSIZ };
static char names[MOST][NAME];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The id and the name among the attributes of one family. */
static void learn(const char *at, const char *end)
{
	unsigned id = 0;
	char name[NAME] = "";
	while (at + NLA_HDRLEN <= end) {
		struct nlattr a;
		memcpy(&a, at, sizeof(a));
		if (a.nla_len < NLA_HDRLEN || a.nla_len > end - at)
			break;
		size_t n = a.nla_len - NLA_HDRLEN;
		if (a.nla_type == CTRL_ATTR_FAMILY_ID && n >= 2)
			id = *(const uint8_t *)(at + NLA_HDRLEN) | *(const uint8_t *)(at + NLA_HDRLEN + 1) << 8;
		else if (a.nla_type == CTRL_ATTR_FAMILY_NAME)
			snprintf(name, sizeof(name), "%.*s", (int)n, at + NLA_HDRLEN);
		at += NLA_ALIGN(a.nla_len);
	}
	if (id >= FIRST && id < FIRST + MOST)
		memcpy(names[id - FIRST], name, sizeof(name));
}

static void ask(void)
{
	struct { struct nlmsghdr h; struct genlmsghdr g; } q = { .h = { .nlmsg_len = sizeof(q), .nlmsg_type = GENL_ID_CTRL,
		.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP }, .g = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 } };
	char buf[32768] __attribute__((aligned(4)));
	struct timeval patience = { .tv_usec = 200000 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (fd < 0)
		return;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	bool more = send(fd, &q, sizeof(q), 0) == sizeof(q);
	while (more) {
		ssize_t n = recv(fd, buf, sizeof(buf), 0);
		more = n > 0;
		for (struct nlmsghdr *h = (void *)buf; more && NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
			more = h->nlmsg_type != NLMSG_DONE && h->nlmsg_type != NLMSG_ERROR;
			if (more && h->nlmsg_len > NLMSG_HDRLEN + GENL_HDRLEN)
				learn((char *)h + NLMSG_HDRLEN + GENL_HDRLEN, (char *)h + h->nlmsg_len);
		}
	}
	close(fd);
}

const char *genl_family(uint16_t id)
{
	pthread_once(&once, ask);
	return id >= FIRST && id < FIRST + MOST && names[id - FIRST][0] ? names[id - FIRST] : NULL;
}
