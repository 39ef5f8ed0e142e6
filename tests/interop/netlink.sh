# SPDX-License-Identifier: GPL-2.0-or-later
# What goes through netlink sockets, against strace: every message, struct and attribute that strace knows reads the same.
# needs: strace ip ss python3
[ "$(id -u)" = 0 ] || skip "needs root"
cat >compare.py <<'PY'
import re, sys
def lines(path):
    return [l.rstrip('\n') for l in open(path) if re.match(r'(send|recv)(to|from|msg)\(', l)]
def plain(l):
    l = re.sub(r'(nlmsg_seq|nlmsg_pid|nl_pid|[a-z]*stamp|[rt]x_[a-z]+|rta_[a-z]+|ndm_(confirmed|used|updated)|reachable_time)=-?\d+', r'\1=N', l)
    l = re.sub(r'nla_type=(0x[0-9a-f]+ /\* \w+_\?\?\? \*/|IFLA_(GSO_IPV4_MAX_SIZE|GRO_IPV4_MAX_SIZE|MAX_PACING\w*|NETNS_IMMUTABLE|HEADROOM|TAILROOM|DPLL_PIN|DEVLINK_PORT))\}, [^\]]*\]', 'nla_type=NEW}]', l)
    # the order of these counters changed: strace has the names of its own day
    return re.sub(r'\[(IPSTATS_MIB_\w+|\d+)\]=\d+', 'COUNT', l)
a, b = lines('strace.txt'), lines('sonde.txt')
if len(a) != len(b): sys.exit('%d lines of strace, %d of sonde' % (len(a), len(b)))
for x, y in zip(map(plain, a), map(plain, b)):
    if x != y:
        i = next((i for i in range(min(len(x), len(y))) if x[i] != y[i]), 0)
        sys.exit('strace: ...%s\nsonde:  ...%s' % (x[max(0, i - 80):i + 120], y[max(0, i - 80):i + 120]))
sys.exit('too few messages') if len(a) < 2 else None
PY
# What they show may change between two runs, as others use the network: one of ten must be the same.
same_messages() { # ENGINE CMD...
	local engine=$1 try; shift
	for try in {1..10}; do
		strace -o strace.txt -e trace=%network "$@" >/dev/null 2>&1 || true
		run "$SONDE" trace --engine="$engine" --strace -e %network -o sonde.txt "$@"
		run python3 compare.py
		[ $code != 0 ] || return 0
	done
	fail "$engine: $*"
}
# a name that is longer than what strace shows of one
python3 -c 'import signal, socket; s = socket.socket(socket.AF_UNIX); s.bind("a name of a socket that is longer than the others"); s.listen(); open("bound", "w"); signal.pause()' &
listens=$!; trap 'kill $listens' EXIT; await '[ -e bound ]'
for engine in bpf ptrace; do
	same_messages $engine ip addr
	same_messages $engine ip route
	same_messages $engine ip rule
	same_messages $engine ip neigh
	same_messages $engine ss -tln
	same_messages $engine ss -xl
	same_messages $engine ss -tuni
done
! command -v ethtool >/dev/null || same_messages bpf ethtool -k lo
run "$SONDE" trace -e sendto -o lines ip route; ok
grep -q 'nlmsg_type: GETROUTE.*{ \.rtm_family: INET, .*\.rtm_table: UNSPEC.*\[{ \.nla_len: 8, \.nla_type: TABLE }, MAIN\]' lines || { cut -c1-600 lines; fail "perf's form"; }
run "$SONDE" trace --json -e sendto -o lines ip route; ok
grep -q '"rtm_family":"AF_INET".*"nla_type":"RTA_TABLE"},"RT_TABLE_MAIN"' lines || { cut -c1-600 lines; fail 'JSON'; }
# payloads that are no messages stay short
run "$SONDE" trace --strace -e sendto -o lines python3 -c 'import socket; a, b = socket.socketpair(); a.send(b"\x40\0\0\0" + bytes(60)); a.send(b"x" * 200)'; ok
grep -q 'sendto(3, "@\\0.*"\.\.\., 64' lines || { cat lines; fail 'a payload that looks like a message'; }
grep -q 'sendto(3, "x\{32\}"\.\.\., 200' lines || fail 'a long payload'
# what the kernel says of a request that it refuses
same_messages bpf ip link add d0 type nosuchkind
run "$SONDE" trace --strace -e recvmsg -o lines ip link add d0 type nosuchkind; grep -q 'NLMSGERR_ATTR_MSG}, "[A-Z]' lines || fail 'no message in the answer'
