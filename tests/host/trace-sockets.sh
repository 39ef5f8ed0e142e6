# SPDX-License-Identifier: GPL-2.0-or-later
# Sockets have their addresses: those that were open before the trace, also in another network namespace, and those made during it.
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
line() { told lines "$1" || { cat lines; fail "$engine: no line $1"; }; }
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
# sockets that are made during the trace: both ends, also those that the kernel has chosen; strace -yy has the same
cat >ends.py <<'PY'
import errno, socket, sys
tcp, udp, tcp6, udp6 = [(f, t) for f in (socket.AF_INET, socket.AF_INET6) for t in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
def text(a): return ('[%s]:%d' if ':' in a[0] else '%s:%d') % a[:2]
told = []
def look(s, kind, peer=True): # getsockname comes at the end: it would tell
    s.getsockopt(socket.SOL_SOCKET, socket.SO_DEBUG)
    told.append((s, kind, peer))
def listening(kind, how, at):
    s = socket.socket(*how); s.bind((at, 0)); s.listen(); look(s, kind, False)
    return s
def port(s): return s.getsockname()[1]
def connected(kind, how, to):
    s = socket.socket(*how); s.connect(to); look(s, kind)
any4, any6 = listening('TCP', tcp, '0.0.0.0'), listening('TCPv6', tcp6, '::')
four, six = port(any4), port(any6)
connected('TCP', tcp, ('127.0.0.1', four)); s = socket.socket(fileno=any4._accept()[0]); look(s, 'TCP')
connected('TCPv6', tcp6, ('::1', six)); t = socket.socket(fileno=any6._accept()[0]); look(t, 'TCPv6')
connected('TCPv6', tcp6, ('::ffff:127.0.0.1', four))
connected('UDP', udp, ('127.0.0.1', four)); connected('UDPv6', udp6, ('::1', six))
u = socket.socket(*udp); u.bind(('127.0.0.1', 0)); look(u, 'UDP', False)
v = socket.socket(*udp6); v.bind(('::1', 0)); look(v, 'UDPv6', False)
n = socket.socket(*tcp); n.setblocking(False); assert n.connect_ex(('127.0.0.1', four)) in (0, errno.EINPROGRESS); look(n, 'TCP')
x = socket.socket(*tcp); x.listen(); look(x, 'TCP', False)
y = socket.socket(*udp); y.sendto(b'to nobody', ('127.0.0.1', port(u))); look(y, 'UDP', False)
with open(sys.argv[1], 'w') as f:
    for s, kind, peer in told:
        print('%s:[%s%s]' % (kind, text(s.getsockname()), '->' + text(s.getpeername()) if peer else ''), file=f)
PY
names() { joined "$1" | sed -n 's#.*getsockopt(\(fd: \)\?[0-9]*<\([^>]*->[^>]*\|[^>]*\)>, .*DEBUG.*#\2#p'; }
python=/usr/bin/python3
if command -v strace >/dev/null; then strace -yy -o lines $python ends.py wanted; same "$(names lines)" "$(cat wanted)" "strace"; fi
for engine in bpf ptrace; do
	for more in '' '-e getsockopt,accept4,sendto'; do
		run "$SONDE" trace --engine=$engine $more -o lines $python ends.py wanted; ok; same "$(names lines)" "$(cat wanted)" "$engine $more"
	done
	line 'accept4?\(fd: 3<TCP:\[0.0.0.0:[0-9]+\]>.* = [0-9]+<TCP:\[127.0.0.1:[0-9]+->127.0.0.1:[0-9]+\]>'
	run "$SONDE" trace --engine=$engine --strace -yy -o lines $python ends.py wanted; ok; same "$(names lines)" "$(cat wanted)" "$engine --strace"
	run "$SONDE" trace record --engine=$engine -o t.data $python ends.py wanted; ok
	run "$SONDE" trace -i t.data -o lines; ok; same "$(names lines)" "$(cat wanted)" "$engine, recorded"
done
