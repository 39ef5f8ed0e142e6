# SPDX-License-Identifier: GPL-2.0-or-later
# Netlink messages, and i386's calls that stand for many.
# needs: python3 as ld
[ "$(id -u)" = 0 ] || skip "needs root"
line() { told lines "$1" || { grep -E 'send|recv|socket|bind|shm' lines | cut -c1-300 | head; fail "$engine: no line: $1"; }; }
cat >nl.py <<'PY'
import socket, struct
s = socket.socket(16, 3, 0); s.bind((0, 0))
def send(kind, flags, seq, body=b''): return struct.pack('IHHII', 16 + len(body), kind, flags, seq, 0) + body
s.send(send(18, 0x301, 1, bytes(4)))
while True:
    d = s.recv(65536)
    if struct.unpack_from('H', d, 4)[0] == 3: break
s.sendmsg([send(18, 0x305, 2)]); s.recvmsg(65536)
def one(proto, kind, body):
    o = socket.socket(16, 3, proto); o.bind((0, 0)); o.send(send(kind, 0x301, 3, body)); o.close()
# netfilter: the tables of nftables; generic: its families; audit
for proto, kind, body in (12, 0xa01, bytes(4)), (16, 16, bytes([3, 1, 0, 0])), (9, 1100, b'op=x'):
    try: one(proto, kind, body)
    except OSError: pass # not here
PY
for engine in bpf ptrace; do
	run "$SONDE" trace --engine=$engine --strace -e %network -o lines python3 nl.py; ok
	line 'sendto\(3, \[\{nlmsg_len=20, nlmsg_type=RTM_GETLINK, nlmsg_flags=NLM_F_REQUEST\|NLM_F_DUMP, nlmsg_seq=1, nlmsg_pid=0\}, \{ifi_family=AF_UNSPEC, \.\.\.\}\], 20, 0, NULL, 0\) = 20'
	line 'recvfrom\(3, \[+\{nlmsg_len=[0-9]+, nlmsg_type=RTM_NEWLINK, nlmsg_flags=NLM_F_MULTI, nlmsg_seq=1, nlmsg_pid=[0-9]+\}'
	line 'nlmsg_type=NLMSG_DONE, nlmsg_flags=NLM_F_MULTI, nlmsg_seq=1, nlmsg_pid=[0-9]+\}, 0\]'
	line 'sendmsg\(3, .*iov_base=\{nlmsg_len=16, nlmsg_type=RTM_GETLINK, nlmsg_flags=NLM_F_REQUEST\|NLM_F_ACK\|NLM_F_DUMP, nlmsg_seq=2, nlmsg_pid=0\}'
	! grep -q 'NETLINK_NETFILTER) = [0-9]' lines || line 'nlmsg_type=NFNL_SUBSYS_NFTABLES<<8\|NFT_MSG_GETTABLE, nlmsg_flags=NLM_F_REQUEST\|NLM_F_DUMP, .*\{nfgen_family=AF_UNSPEC, version=NFNETLINK_V0, res_id=htons\(0\)\}\]'
	line 'nlmsg_type=nlctrl, nlmsg_flags=NLM_F_REQUEST\|0x300, nlmsg_seq=3, nlmsg_pid=0\}, "\\x03\\x01\\x00\\x00"\]'
	! grep -q 'NETLINK_AUDIT\) = [0-9]' lines || line 'nlmsg_type=AUDIT_FIRST_USER_MSG, nlmsg_flags=NLM_F_REQUEST\|0x300'
	run "$SONDE" trace --engine=$engine -e %network -o lines python3 nl.py; ok
	line 'sendto\(fd: 3<NETLINK_ROUTE>, buff: \[\{ \.nlmsg_len: 20, \.nlmsg_type: GETLINK, \.nlmsg_flags: REQUEST\|DUMP,'
done
engine=json; run "$SONDE" trace --json -e sendto,socket -o lines python3 nl.py; ok
line '"buff":\[\{"nlmsg_len":20,"nlmsg_type":"RTM_GETLINK","nlmsg_flags":"NLM_F_REQUEST\|NLM_F_DUMP"'
cat >many.s <<'S'
.globl _start
_start:
movl $102,%eax; movl $1,%ebx; movl $sock,%ecx; int $0x80
movl $102,%eax; movl $2,%ebx; movl $bindw,%ecx; int $0x80
movl $102,%eax; movl $6,%ebx; movl $namew,%ecx; int $0x80
movl $117,%eax; movl $24,%ebx; movl $0x7fffff,%ecx; movl $0,%edx; xorl %esi,%esi; movl $0,%edi; int $0x80
movl $1,%eax; movl $0,%ebx; int $0x80
.data
sock: .long 2, 2, 0, 0, 0, 0
bindw: .long 3, addr, 16, 0, 0, 0
namew: .long 3, room, len, 0, 0, 0
addr: .short 2, 0
      .long 0x0100007f, 0, 0
room: .long 0, 0, 0, 0
len: .long 16
S
as --32 -o many.o many.s && ld -m elf_i386 -o many many.o || skip 'no 32-bit linker'
./many || skip 'the kernel runs no 32-bit programs'
for engine in bpf ptrace; do
	run "$SONDE" trace --engine=$engine --strace -o lines ./many; ok
	line '^socket\(AF_INET, SOCK_DGRAM, IPPROTO_IP\) = 3$'
	line '^bind\(3, \{sa_family=AF_INET, sin_port=htons\(0\), sin_addr=inet_addr\("127.0.0.1"\)\}, 16\) = 0$'
	line '^getsockname\(3, \{sa_family=AF_INET, sin_port=htons\([1-9][0-9]*\), sin_addr=inet_addr\("127.0.0.1"\)\}, \[16\]\) = 0$'
	line '^shmctl\(8388607, IPC_RMID, NULL\) += -1 EINVAL'
	run "$SONDE" trace --engine=$engine --json -o lines ./many; ok; line '"syscall":"socket",.*"abi":"i386","args":\{"family":"AF_INET"'
done
