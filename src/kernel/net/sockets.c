// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/net/sockets.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "kernel/clock.h"
#include "kernel/root.h"

enum { TABLE_MAX = 64 << 20, AGAIN_NS = 500000000 };

struct sockets {
	struct u64map by_inode; /* struct socket_name * */
	struct u64map read_at; /* namespace -> when, in ns */
};

struct sockets *sockets_new(void)
{
	return xcalloc(1, sizeof(struct sockets));
}

static void name_free(struct socket_name *n)
{
	if (n) {
		free(n->local);
		free(n->peer);
	}
	free(n);
}

void sockets_free(struct sockets *s)
{
	size_t cursor = 0;
	void *n;
	if (!s)
		return;
	while (u64map_next(&s->by_inode, &cursor, NULL, &n))
		name_free(n);
	u64map_release(&s->by_inode);
	u64map_release(&s->read_at);
	free(s);
}

/* Takes local and peer over. */
static struct socket_name *put(struct sockets *s, uint64_t inode, const char *kind, char *local, char *peer)
{
	struct socket_name *n = xcalloc(1, sizeof(*n));
	*n = (struct socket_name){ kind, -1, local, peer };
	name_free(u64map_set(&s->by_inode, inode, n));
	return n;
}

/* ---- /proc/PID/net ---- */

/* "0100007F:1F90", or 32 digits before the colon; NULL for no address. Words are in the machine's order. */
static char *inet_text(const char *hex)
{
	char text[INET6_ADDRSTRLEN];
	uint32_t a[4] = { 0 };
	const char *colon = strchr(hex, ':');
	bool six = colon && colon - hex == 32;
	if (!colon || (!six && colon - hex != 8))
		return NULL;
	for (int i = 0; i < (six ? 4 : 1); i++) {
		char word[9];
		memcpy(word, hex + 8 * i, 8);
		word[8] = 0;
		a[i] = strtoul(word, NULL, 16);
	}
	unsigned port = strtoul(colon + 1, NULL, 16) & 0xffff;
	if (!port && !a[0] && !a[1] && !a[2] && !a[3])
		return NULL;
	inet_ntop(six ? AF_INET6 : AF_INET, a, text, sizeof(text));
	return six ? xasprintf("[%s]:%u", text, port) : xasprintf("%s:%u", text, port);
}

static void inet_line(struct sockets *s, const char *kind, const char *line)
{
	char local[64], peer[64];
	unsigned long long inode;
	if (sscanf(line, "%*s %63s %63s %*s %*s %*s %*s %*s %*s %llu", local, peer, &inode) == 3 && inode)
		put(s, inode, kind, inet_text(local), inet_text(peer));
}

static void unix_line(struct sockets *s, const char *kind, const char *line)
{
	unsigned long long inode;
	int path = 0;
	if (sscanf(line, "%*s %*s %*s %*s %*s %*s %llu %n", &inode, &path) != 1 || !inode)
		return;
	const struct socket_name *known = u64map_get(&s->by_inode, inode);
	if (!known) /* the diagnosis tells more */
		put(s, inode, kind, path && line[path] ? xstrdup(line + path) : NULL, NULL);
}

static void netlink_line(struct sockets *s, const char *kind, const char *line)
{
	unsigned port;
	int protocol;
	unsigned long long inode;
	if (sscanf(line, "%*s %d %u %*s %*s %*s %*s %*s %*s %llu", &protocol, &port, &inode) == 3 && inode)
		put(s, inode, kind, port ? xasprintf("%u", port) : NULL, NULL)->protocol = protocol;
}

static void packet_line(struct sockets *s, const char *kind, const char *line)
{
	unsigned long long inode;
	if (sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %llu", &inode) == 1 && inode)
		put(s, inode, kind, NULL, NULL);
}

static const struct { const char *file, *kind; void (*line)(struct sockets *, const char *, const char *); } tables[] = {
	{ "tcp", "TCP", inet_line }, { "tcp6", "TCPv6", inet_line }, { "udp", "UDP", inet_line }, { "udp6", "UDPv6", inet_line },
	{ "raw", "RAW", inet_line }, { "raw6", "RAWv6", inet_line }, { "icmp", "ICMP", inet_line }, { "icmp6", "ICMPv6", inet_line },
	{ "unix", "UNIX", unix_line }, { "netlink", "NETLINK", netlink_line }, { "packet", "PACKET", packet_line },
};

static void read_tables(struct sockets *s, int pid)
{
	struct str text = STR_INIT;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		str_clear(&text);
		if (file_read(root_path(ROOT_PROC, "%d/net/%s", pid, tables[i].file), &text, TABLE_MAX))
			continue;
		char *line = strchr(text.buf, '\n'); /* the first is the heading */
		while (line && *++line) {
			char *end = strchr(line, '\n');
			if (end)
				*end = 0;
			tables[i].line(s, tables[i].kind, line);
			line = end;
		}
	}
	str_release(&text);
}

/* ---- the other ends of UNIX sockets ---- */

static bool ask_unix(int fd)
{
	struct { struct nlmsghdr h; struct unix_diag_req r; } q = {
		.h = { .nlmsg_len = sizeof(q), .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.r = { .sdiag_family = AF_UNIX, .udiag_states = -1, .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER },
	};
	return send(fd, &q, sizeof(q), 0) == sizeof(q);
}

/* A name is a path, or bytes that begin with NUL. */
static char *unix_text(const struct rtattr *a)
{
	const char *p = RTA_DATA(a);
	size_t n = RTA_PAYLOAD(a);
	if (!n)
		return NULL;
	return *p ? xstrndup(p, n) : xasprintf("@%.*s", (int)n - 1, p + 1);
}

static void take_unix(struct sockets *s, const struct nlmsghdr *h, struct u64map *peers)
{
	const struct unix_diag_msg *m = NLMSG_DATA(h);
	char *local = NULL;
	if (h->nlmsg_len < NLMSG_LENGTH(sizeof(*m)))
		return;
	int left = h->nlmsg_len - NLMSG_LENGTH(sizeof(*m));
	for (struct rtattr *a = (struct rtattr *)(m + 1); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
		uint32_t peer;
		if (a->rta_type == UNIX_DIAG_NAME && !local)
			local = unix_text(a);
		if (a->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(a) >= 4) {
			memcpy(&peer, RTA_DATA(a), 4);
			u64map_set(peers, m->udiag_ino, (void *)(uintptr_t)peer);
		}
	}
	put(s, m->udiag_ino, "UNIX", local, NULL);
}

/* The path of the other end; without one its inode, and our own then too. */
static void join_peers(struct sockets *s, const struct u64map *peers)
{
	size_t cursor = 0;
	uint64_t inode;
	void *peer;
	while (u64map_next(peers, &cursor, &inode, &peer)) {
		struct socket_name *n = u64map_get(&s->by_inode, inode), *p = u64map_get(&s->by_inode, (uintptr_t)peer);
		if (n && !n->peer)
			n->peer = p && p->local ? xstrdup(p->local) : xasprintf("%lu", (unsigned long)(uintptr_t)peer);
	}
	for (cursor = 0; u64map_next(peers, &cursor, &inode, &peer);) {
		struct socket_name *n = u64map_get(&s->by_inode, inode);
		if (n && !n->local)
			n->local = xasprintf("%lu", (unsigned long)inode);
	}
}

static void read_unix(struct sockets *s)
{
	struct u64map peers = { 0 };
	static char buf[65536] __attribute__((aligned(8)));
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	struct timeval patience = { .tv_sec = 1 };
	if (fd < 0)
		return;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	for (bool more = ask_unix(fd); more;) {
		int n = recv(fd, buf, sizeof(buf), 0);
		more = n > 0;
		for (struct nlmsghdr *h = (struct nlmsghdr *)buf; n > 0 && NLMSG_OK(h, (unsigned)n); h = NLMSG_NEXT(h, n)) {
			if (h->nlmsg_type == SOCK_DIAG_BY_FAMILY)
				take_unix(s, h, &peers);
			else
				more = false; /* done, or refused */
		}
	}
	close(fd);
	join_peers(s, &peers);
	u64map_release(&peers);
}

/* ---- */

static uint64_t namespace_of(const char *pid)
{
	struct stat st;
	return stat(root_path(ROOT_PROC, "%s/ns/net", pid), &st) ? 0 : st.st_ino;
}

const struct socket_name *sockets_find(struct sockets *s, int pid, uint64_t inode)
{
	char who[16];
	const struct socket_name *n = u64map_get(&s->by_inode, inode);
	if (n || !inode)
		return n;
	snprintf(who, sizeof(who), "%d", pid);
	uint64_t space = namespace_of(who), now = clock_ns();
	uint64_t at = (uintptr_t)u64map_get(&s->read_at, space);
	if (!space || (at && now - at < AGAIN_NS))
		return NULL;
	if (!root_is_fake() && space == namespace_of("self"))
		read_unix(s);
	read_tables(s, pid);
	u64map_set(&s->read_at, space, (void *)(uintptr_t)clock_ns());
	return u64map_get(&s->by_inode, inode);
}
