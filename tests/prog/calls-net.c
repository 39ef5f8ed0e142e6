// SPDX-License-Identifier: GPL-2.0-or-later
/* Socket calls with many kinds of addresses, options and messages. Traced by interop/strace-*. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static void options(int s)
{
	int on = 1;
	socklen_t n = sizeof(on);
	struct timeval tv = { 1, 500 };
	struct linger lg = { 1, 5 };
	struct ucred cred;
	char name[16];
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	setsockopt(s, SOL_SOCKET, SO_LINGER, &lg, sizeof(lg));
	setsockopt(s, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
	setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(s, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
	setsockopt(s, IPPROTO_IP, IP_TTL, &on, sizeof(on));
	setsockopt(s, SOL_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	setsockopt(s, SOL_SOCKET, 9999, &on, sizeof(on));
	setsockopt(s, SOL_SOCKET, SO_KEEPALIVE, (void *)8, 4);
	getsockopt(s, SOL_SOCKET, SO_TYPE, &on, &n);
	n = sizeof(on);
	getsockopt(s, SOL_SOCKET, SO_ERROR, &on, &n);
	n = sizeof(on);
	getsockopt(s, SOL_SOCKET, SO_SNDBUF, &on, &n);
	n = sizeof(on);
	getsockopt(s, SOL_SOCKET, SO_DOMAIN, &on, &n);
	n = sizeof(lg);
	getsockopt(s, SOL_SOCKET, SO_LINGER, &lg, &n);
	n = sizeof(cred);
	getsockopt(s, SOL_SOCKET, SO_PEERCRED, &cred, &n);
	n = sizeof(name);
	getsockopt(s, IPPROTO_TCP, TCP_CONGESTION, name, &n);
	n = 2;
	getsockopt(s, SOL_SOCKET, SO_RCVBUF, &on, &n);
}

static void stream(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_storage peer;
	socklen_t n = sizeof(a);
	char buf[100];
	int l = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_IP);
	options(l);
	a.sin_port = htons(34567);
	bind(l, (void *)&a, sizeof(a));
	listen(l, 5);
	getsockname(l, (void *)&peer, &n);
	int c = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
	connect(c, (void *)&a, sizeof(a));
	n = sizeof(peer);
	int s = accept4(l, (void *)&peer, &n, SOCK_NONBLOCK);
	n = sizeof(peer);
	getpeername(c, (void *)&peer, &n);
	send(c, "hello, this is a message of some length", 39, MSG_NOSIGNAL);
	recv(s, buf, sizeof(buf), MSG_PEEK);
	recv(s, buf, sizeof(buf), MSG_DONTWAIT);
	recv(s, buf, sizeof(buf), 0);
	shutdown(c, SHUT_WR);
	shutdown(c, SHUT_RDWR);
	accept(l, NULL, NULL + 8);
	int six = socket(AF_INET6, SOCK_DGRAM, 0);
	struct sockaddr_in6 b = { .sin6_family = AF_INET6, .sin6_port = htons(34568), .sin6_addr = in6addr_loopback };
	bind(six, (void *)&b, sizeof(b));
	sendto(six, "dgram", 5, 0, (void *)&b, sizeof(b));
	n = sizeof(peer);
	recvfrom(six, buf, sizeof(buf), MSG_DONTWAIT, (void *)&peer, &n);
	connect(six, (void *)8, 16);
	struct ifreq r = { .ifr_name = "lo" };
	ioctl(six, SIOCGIFINDEX, &r);
	ioctl(six, SIOCGIFFLAGS, &r);
	ioctl(six, FIONREAD, &n);
	ioctl(six, FIONBIO, &n);
	close(c), close(s), close(l), close(six);
}

static void local(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = "\0sonde-abstract" };
	struct sockaddr_un f = { .sun_family = AF_UNIX, .sun_path = "/tmp/sonde-sock" };
	int sv[2], one[2] = { 1, 2 };
	socketpair(AF_UNIX, SOCK_DGRAM, 0, sv);
	int u = socket(AF_UNIX, SOCK_STREAM, 0);
	unlink(f.sun_path);
	bind(u, (void *)&f, sizeof(f));
	unlink(f.sun_path);
	int g = socket(AF_UNIX, SOCK_DGRAM, 0);
	bind(g, (void *)&a, offsetof(struct sockaddr_un, sun_path) + 15);
	connect(g, (void *)&a, offsetof(struct sockaddr_un, sun_path) + 15);
	char control[CMSG_SPACE(sizeof(one))] = { 0 }, in[200], data[40];
	struct iovec v[2] = { { "part one ", 9 }, { "part two", 8 } };
	struct msghdr m = { .msg_iov = v, .msg_iovlen = 2, .msg_control = control, .msg_controllen = sizeof(control) };
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(one));
	memcpy(CMSG_DATA(h), one, sizeof(one));
	sendmsg(sv[0], &m, 0);
	struct iovec w = { data, sizeof(data) };
	struct msghdr r = { .msg_iov = &w, .msg_iovlen = 1, .msg_control = in, .msg_controllen = sizeof(in) };
	recvmsg(sv[1], &r, MSG_CMSG_CLOEXEC);
	struct msghdr e = { .msg_name = &a, .msg_namelen = 17, .msg_iov = v, .msg_iovlen = 1 };
	sendmsg(g, &e, MSG_DONTWAIT);
	struct mmsghdr mm[2] = { { .msg_hdr = { .msg_iov = v, .msg_iovlen = 2 } }, { .msg_hdr = { .msg_iov = v + 1, .msg_iovlen = 1 } } };
	sendmmsg(sv[0], mm, 2, 0);
	char d1[32], d2[32];
	struct iovec i1 = { d1, 32 }, i2 = { d2, 32 };
	struct mmsghdr rr[2] = { { .msg_hdr = { .msg_iov = &i1, .msg_iovlen = 1 } }, { .msg_hdr = { .msg_iov = &i2, .msg_iovlen = 1 } } };
	recvmmsg(sv[1], rr, 2, MSG_DONTWAIT, NULL);
	sendmsg(sv[0], (void *)8, 0);
	recvmsg(sv[1], &r, MSG_DONTWAIT);
}

int main(void)
{
	stream();
	local();
	int nl = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	struct sockaddr_nl a = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	bind(nl, (void *)&a, sizeof(a));
	socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT);
	socket(99, 1, 2);
	socket(AF_INET, 77, 300);
	return 0;
}
