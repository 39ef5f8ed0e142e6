// SPDX-License-Identifier: GPL-2.0-or-later
#include "syscall/sockname.h"
#include <arpa/inet.h>
#include <string.h>

const char *sock_kind(uint32_t family, uint32_t type)
{
	bool stream = (type & 0xf) == 1;
	switch (family) {
	case 1: return "UNIX";
	case 2: return stream ? "TCP" : (type & 0xf) == 2 ? "UDP" : "RAW";
	case 10: return stream ? "TCPv6" : (type & 0xf) == 2 ? "UDPv6" : "RAWv6";
	case 16: return "NETLINK";
	case 17: return "PACKET";
	case 40: return "VSOCK";
	default: return "socket";
	}
}

void sock_address(struct str *out, const uint8_t *p, size_t n)
{
	char text[INET6_ADDRSTRLEN];
	uint16_t family = 0, port = 0;
	if (n < 2)
		return;
	memcpy(&family, p, 2);
	if (n >= 4)
		memcpy(&port, p + 2, 2);
	if (family == 2 && n >= 8)
		str_addf(out, "%s:%u", inet_ntop(AF_INET, p + 4, text, sizeof(text)), ntohs(port));
	else if (family == 10 && n >= 24)
		str_addf(out, "[%s]:%u", inet_ntop(AF_INET6, p + 8, text, sizeof(text)), ntohs(port));
	else if (family == 1 && n > 2 && !p[2]) {
		str_addc(out, '@');
		str_addn(out, p + 3, n - 3);
	} else if (family == 1 && n > 2)
		str_addn(out, p + 2, strnlen((const char *)p + 2, n - 2));
	else if (family == 16 && n >= 8) {
		uint32_t pid;
		memcpy(&pid, p + 4, 4);
		str_addf(out, "%u", pid);
	}
}

bool sock_leaves_choice(const uint8_t *p, size_t n)
{
	uint16_t family = 0, port = 1;
	uint32_t number = 1;
	if (n >= 8) {
		memcpy(&family, p, 2);
		memcpy(&port, p + 2, 2);
		memcpy(&number, p + 4, 4);
	}
	return ((family == 2 || family == 10) && !port) || (family == 16 && !number);
}
