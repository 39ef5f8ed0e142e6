# SPDX-License-Identifier: GPL-2.0-or-later
# Sockets that were open before the trace have their addresses, also those in another network namespace.
# needs: python3
[ "$(id -u)" = 0 ] || skip "needs root"
cat >socks.py <<'PY'
import os, socket, sys
os.system('ip link set lo up 2>/dev/null')
listener = socket.socket(); listener.bind(('127.0.0.1', 0)); listener.listen()
out = socket.create_connection(listener.getsockname()); inward = listener.accept()[0]
server = socket.socket(socket.AF_UNIX); server.bind('usock'); server.listen()
client = socket.socket(socket.AF_UNIX); client.connect('usock'); served = server.accept()[0]
a, b = socket.socketpair()
six = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); six.bind(('::1', 0))
netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0); netlink.bind((0, 0))
hidden = socket.socket(socket.AF_UNIX); hidden.bind('\0abstract-%d' % os.getpid())
print('PORT=%d OUT=%d SIX=%d' % (listener.getsockname()[1], out.getsockname()[1], six.getsockname()[1]), flush=True)
sys.stdin.readline()
for i, s in enumerate((listener, out, inward, server, client, served, a, six, netlink, hidden)):
    s.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE)
more = socket.create_connection(listener.getsockname()); got = listener.accept()[0]; got.send(b'x')
PY
line() { grep -Eq -- "$1" lines || { cat lines; fail "$engine: no line $1"; }; }
for engine in bpf ptrace elsewhere; do
	rm -f go says lines usock; mkfifo go; exec 7<>go
	if [ $engine = elsewhere ]; then unshare -n true 2>/dev/null || break; unshare -n python3 socks.py <&7 >says & p=$!
	else python3 socks.py <&7 >says & p=$!; fi
	await '[ -s says ]'
	eval "$(cat says)"
	"$SONDE" trace ${engine:+--engine=${engine/elsewhere/bpf}} -e getsockopt,accept4,sendto -q -o lines -p $p & s=$!
	await "ready $s"
	echo >&7; exec 7>&-; wait $p || fail "the program"; wait $s || fail "sonde"
	line "getsockopt\(fd: [0-9]+<TCP:\[127.0.0.1:$PORT\]>,"
	line "getsockopt\(fd: [0-9]+<TCP:\[127.0.0.1:$OUT->127.0.0.1:$PORT\]>,"
	line "getsockopt\(fd: [0-9]+<TCP:\[127.0.0.1:$PORT->127.0.0.1:$OUT\]>,"
	line "<UNIX:\[usock\]>"; line "<UNIX:\[@abstract-$p\]>"; line "<NETLINK_ROUTE:\[[0-9]+\]>"; line "<UDPv6:\[\[::1\]:$SIX\]>"
	[ $engine = elsewhere ] || { line '<UNIX:\[[0-9]+->usock\]>'; line '<UNIX:\[[0-9]+->[0-9]+\]>'; }
	line "accept4\(fd: [0-9]+<TCP:\[127.0.0.1:$PORT\]>.* = [0-9]+<TCP:\[127.0.0.1:$PORT->127.0.0.1:[0-9]+\]>"
	line "sendto\(fd: [0-9]+<TCP:\[127.0.0.1:$PORT->127.0.0.1:[0-9]+\]>, buff: \"x\""
done
# a bind that leaves the number to the kernel names none
run "$SONDE" trace -e getsockopt,socket -o lines python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.getsockopt(1, 3)'; ok; line 'getsockopt\(fd: 3<TCP>,'
