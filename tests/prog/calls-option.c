// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of sockets and control data of messages, on sockets and on a descriptor that is none. Traced by
 * interop/strace.sh. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/icmp.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static void options(void)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0), one = 1, pair[2], none = -1;
	socklen_t n;
	char room[64] = "", device[] = "lo";
	struct linger linger = { 1, 5 };
	struct ucred who;
	struct ip_mreq group = { { htonl(0xe0000003) }, { htonl(0x7f000001) } };
	struct ipv6_mreq group6 = { .ipv6mr_multiaddr = { { { 0xff, 1, [15] = 5 } } }, .ipv6mr_interface = 1 };
	struct group_req any = { .gr_interface = 1 };
	struct packet_mreq mreq = { .mr_ifindex = 1, .mr_type = PACKET_MR_PROMISC, .mr_alen = 6, .mr_address = { 1, 2, 3 } };
	struct tpacket_req ring = { 4096, 2, 2048, 4 };
	struct icmp_filter filter = { ~(1u << ICMP_ECHOREPLY) };
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, 2);
	setsockopt(s, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	setsockopt(s, SOL_SOCKET, SO_LINGER, &linger, 4);
	setsockopt(none, SOL_SOCKET, SO_BINDTODEVICE, device, sizeof(device));
	n = 3;
	getsockopt(s, SOL_SOCKET, SO_RCVBUF, room, &n);
	n = sizeof(room);
	getsockopt(s, SOL_SOCKET, SO_LINGER, room, &n);
	n = 4;
	getsockopt(s, SOL_SOCKET, SO_LINGER, room, &n);
	n = 8;
	getsockopt(s, SOL_SOCKET, SO_COOKIE, room, &n);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	n = sizeof(who);
	getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &who, &n);
	any.gr_group.ss_family = AF_INET;
	((struct sockaddr_in *)&any.gr_group)->sin_addr.s_addr = htonl(0xe0000003);
	setsockopt(none, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof(group));
	setsockopt(none, IPPROTO_IPV6, IPV6_JOIN_GROUP, &group6, sizeof(group6));
	setsockopt(none, IPPROTO_IP, MCAST_JOIN_GROUP, &any, sizeof(any));
	setsockopt(none, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &mreq, sizeof(mreq));
	setsockopt(none, SOL_PACKET, PACKET_RX_RING, &ring, sizeof(ring));
	setsockopt(none, SOL_RAW, ICMP_FILTER, &filter, sizeof(filter));
	setsockopt(none, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &one, sizeof(one));
	setsockopt(none, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	close(s);
	close(pair[0]);
	close(pair[1]);
}

static struct cmsghdr *add(struct msghdr *m, int level, int type, const void *data, size_t n)
{
	struct cmsghdr *h = (struct cmsghdr *)((char *)m->msg_control + m->msg_controllen);
	h->cmsg_level = level;
	h->cmsg_type = type;
	h->cmsg_len = CMSG_LEN(n);
	memcpy(CMSG_DATA(h), data, n);
	m->msg_controllen += CMSG_SPACE(n);
	return h;
}

static void control(void)
{
	static char room[512] __attribute__((aligned(8)));
	char text[] = "text";
	struct iovec data = { text, 4 };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = room };
	int fds[3] = { 0, 1, 2 }, ttl = 64;
	struct ucred who = { 1, 2, 3 };
	struct in_pktinfo info = { 1, { htonl(0x7f000001) }, { htonl(0x7f000002) } };
	struct timeval stamp = { 5, 6 };
	unsigned char tos = 0x10;
	add(&m, SOL_SOCKET, SCM_RIGHTS, fds, sizeof(fds));
	add(&m, SOL_SOCKET, SCM_CREDENTIALS, &who, sizeof(who));
	add(&m, SOL_SOCKET, SO_TIMESTAMP, &stamp, sizeof(stamp));
	add(&m, SOL_IP, IP_PKTINFO, &info, sizeof(info));
	add(&m, SOL_IP, IP_TTL, &ttl, sizeof(ttl));
	add(&m, SOL_IP, IP_TOS, &tos, sizeof(tos));
	sendmsg(-1, &m, 0);
	m.msg_controllen = CMSG_SPACE(sizeof(fds));
	add(&m, SOL_SOCKET, SCM_RIGHTS, fds, 0)->cmsg_len = 3;
	sendmsg(-1, &m, 0);
}

int main(void)
{
	options();
	control();
	return 0;
}
