# SPDX-License-Identifier: GPL-2.0-or-later
# One call that is rare: descriptors have right names or none, 32-bit programs are seen, or it is said that they may not be.
# needs: python3 as ld
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
line() { told lines "$1" || { head -30 lines; fail "no line: $1"; }; }
none() { ! grep -Eq -- "$1" lines || fail "a line: $(grep -E -m1 -- "$1" lines)"; }
t() { run timeout -k 5 60 "$SONDE" trace --engine=bpf -o lines "$@"; }
# one that stays, one that is gone when the line is written, one whose number is another file by then: its own name or none
t -e fsync python3 -c 'import os, time
a = os.open("kept", os.O_CREAT | os.O_RDWR); b = os.open("gone", os.O_CREAT | os.O_RDWR); c = os.open("before", os.O_CREAT | os.O_RDWR)
os.fsync(a); os.fsync(b); os.close(b); os.fsync(c); os.dup2(a, c)
while open("lines").read().count("= 0\n") < 3: time.sleep(0.01)'; ok
same "$(joined lines | grep -c 'fsync(')" 3 calls; line 'fsync\(fd: [0-9]+<.*/kept>\)'
[ "$(joined lines | grep -c '/kept>')" = 1 ] || fail "a name that came later"
t -e accept4 python3 -c 'import re, socket, time
l = socket.socket(); l.bind(("127.0.0.1", 0)); l.listen(); c = socket.create_connection(l.getsockname()); a = l.accept()
while not re.search(r"accept4\(.*\) += \d", open("lines").read()): time.sleep(0.01)'; ok
line 'accept4\(fd: [0-9]+<TCP:\[127\.0\.0\.1:[0-9]+\]>, .*\) = [0-9]+<TCP:\[127\.0\.0\.1:[0-9]+->127\.0\.0\.1:[0-9]+\]>'
# a call that is under way when we come
rm -f go; mkfifo go; exec 7<>go
python3 -c 'import socket, sys; l = socket.socket(); l.bind(("127.0.0.1", 0)); l.listen(); print(l.getsockname()[1], flush=True); l.accept()' >port & p=$!
await "[ -s port ] && grep -q '^288 ' /proc/$p/syscall"
rm -f lines; timeout -k 5 60 "$SONDE" trace -e accept4 -p $p -o lines & s=$!
await '[ -s lines ]'
python3 -c "import socket; socket.create_connection(('127.0.0.1', $(cat port)))"; wait $p; wait $s || fail "sonde"
line "accept4\(fd: [0-9]+<TCP:\[127.0.0.1:$(cat port)\]>, .*\.\.\.$"; line '\[continued\]: accept4\(.*sin_addr: 127.0.0.1.*= [0-9]+'
# 32-bit programs: the command, one that runs already, one that is started later
cat >small.s <<'S'
.globl _start
_start: movl $162,%eax; movl $pause,%ebx; xorl %ecx,%ecx; int $0x80
movl $60,%eax; movl $18,%ebx; int $0x80
decl count; jnz _start
movl $1,%eax; movl $7,%ebx; int $0x80
.data
pause: .long 0, 300000000
count: .long COUNT
S
# a socket that is closed before anybody looks still has its number
[ ! -x /usr/bin/perl ] || { t -q --failure -e connect /usr/bin/perl -MSocket -e 'for (1..50) { socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in(1, inet_aton("127.0.0.1"))); close S }'; same "$(joined lines | grep -Ec "connect\(fd: [0-9]+<(socket|TCP):")" 50 "named sockets"; }
make() { as --32 --defsym COUNT=$2 -o $1.o "${3-small.s}" && ld -m elf_i386 -o $1 $1.o; }
make64() { as --64 --defsym COUNT=8 -o $1.o "$2" && ld -m elf_x86_64 -o $1 $1.o; }
make small 8 && make long 400 || skip 'no 32-bit linker'
./small || [ $? = 7 ] || skip 'the kernel runs no 32-bit programs'
t -e umask ./small; exits 7; same "$(joined lines | grep -c '\[32-bit\] umask(mask: 022)')" 8 "calls of the command"
./long & p=$!; await "[ /proc/$p/exe -ef long ]"; rm lines
after 'grep -q "umask(" lines 2>/dev/null' INT "$SONDE" trace --engine=bpf -o lines -e umask -p $p; ok; kill $p; wait $p || true
line '\[32-bit\] umask'; err_hasnt 'may be missing'
# Started later: held until all is attached. Only who is refused that by another tracer, which attaches at the same time, is told.
sed '/162/s/movl.*/nop/' small.s >quick.s; make quick 8 quick.s
whole=0
for _ in {1..60}; do # (how often that is depends on who else traces)
	t -q -e umask sh -c './quick; exit 3'; exits 3
	[ -s "$T/err" ] && { err_has "32-bit program: its first calls may be missing .-e umask,umask@32 sees all"; continue; }
	same "$(joined lines | grep -c '\[32-bit\] umask(mask: 022)')" 8 "calls of a program that was started later"; whole=$((whole + 1))
	[ $whole -lt 6 ] || break
done
[ $whole -ge 6 ] || fail "whole in $whole of 60 runs"
printf '#!%s\n' "$PWD/quick" >script; chmod +x script; t -e umask ./script; exits 7; [ -s "$T/err" ] || same "$(joined lines | grep -c 32-bit)" 8 "calls of an interpreter"
t -q -e umask@64 sh -c 'umask; ./quick; exit 3'; exits 3; none '32-bit'; line 'umask\('; same "$err" "" "words about calls that are not wanted"
t -q -e umask@32 sh -c 'umask; ./quick; exit 3'; exits 3; same "$(joined lines | grep -c umask)" 8 "32-bit calls alone"
t -a -e umask sh -c './quick; exit 3'; exits 3; [ -s "$T/err" ] || [ "$(joined lines | grep -c '\[32-bit\] umask')" -ge 8 ] || fail "the whole machine"
# 32-bit calls of a 64-bit program: from the first that blocks on, or all if they are asked for
make64 odd small.s
t -e umask ./odd; exits 7; same "$(joined lines | grep -c '\[32-bit\] umask')" 8 "calls by int 0x80"
err_has 'is a 64-bit program that makes 32-bit calls \(int 0x80\): those before now may be missing \(-e umask,umask@32'
make64 odd quick.s
t -e umask,umask@32 ./odd; exits 7; same "$(joined lines | grep -c '\[32-bit\] umask')" 8 "calls by int 0x80, asked for"; same "$err" "" "a warning without need"
