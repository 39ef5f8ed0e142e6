# SPDX-License-Identifier: GPL-2.0-or-later
# -e inject= and fault=: calls that fail, give other results, wait or get signals; by ptrace alone, for anybody.
line() { told lines "$1" || { head -30 lines; fail "no line: $1"; }; }
none() { ! grep -Eq -- "$1" lines || fail "a line: $(grep -E -m1 -- "$1" lines)"; }
t() { rm -f lines; run timeout -k 5 60 "$SONDE" trace -o lines "$@"; }
t -e openat -e inject=openat:error=ENOENT cat /etc/hostname; exits 127; line 'openat\(.*= -1 ENOENT \(No such file or directory\) \(INJECTED\)$'
t -e fault=%file:when=4+ cat /etc/hostname; line 'ENOSYS \(Function not implemented\) \(INJECTED\)$'; line '= 3</etc/ld.so.cache>$'
t --json -e openat -e inject=openat:error=EIO:delay_enter=1 cat /etc/hostname; exits 127; line '"ret":-1,"injected":true,"delayed":true,"errno":5,"error":"EIO"'
t -s -e inject=openat:error=EIO cat /etc/hostname; exits 127; line '^ +openat +[0-9]+ +[1-9]'
if [ "$(id -u)" = 0 ]; then # the same of somebody else's programs, and of what was recorded
	rm -f t.data; run "$SONDE" trace record -o t.data -e openat -e inject=openat:error=EIO cat /etc/hostname; exits 127
	run "$SONDE" trace -i t.data; ok; has 'EIO \(Input/output error\) \(INJECTED\)$'
	run as_nobody "$SONDE" trace -e openat --fault=openat:error=EPERM cat /etc/hostname; exits 127; err_has 'EPERM .*\(INJECTED\)$'
fi
# a 32-bit call; one that never returns
t -e getpid -e inject=getpid@32:retval=77 "$PROG/int80"; line '\[32-bit\] getpid\(\) += 77 \(INJECTED\)$'
t -e exit,exit_group -e inject=exit_group:error=EPERM:when=1 true; ok; line 'exit_group\(error_code: 0\) += -1 EPERM .*INJECTED'; line 'exit(_group)?\(error_code: 0\) += \?$'
# one that waits holds nobody else up
for s in 1 3 10; do # on a busy machine the shell itself may need some time for its next line
	t -e write,getppid -e inject=getppid:delay_enter=${s}s sh -c 'sh -c : & echo hi; wait'; ok
	joined lines | grep -o 'getppid()\|write(fd: 1' | tr '\n' ' ' >order
	[ "$(cat order)" != 'getppid() write(fd: 1 getppid() ' ] || break # its own, and its child's
done
same "$(cat order)" 'getppid() write(fd: 1 getppid() ' "the shell waited with its child"
line 'getppid\(\) += [0-9]+ \(DELAYED\)$'; same "$(shorter lines $((s * 1000 - 1)) | grep getppid)" "" "delays"
# attached to
rm -f lines; mkfifo go; sh -c 'read x <go; cat /dev/null; exit $(($? - 120))' 2>/dev/null & p=$!
timeout -k 5 60 "$SONDE" trace -o lines -e execve,openat -e inject=execve:error=EACCES -p $p & s=$!
await 'grep -q "^TracerPid:.*[1-9]" /proc/$p/status'
echo >go; code=0; wait $p || code=$?; wait $s; exits 6; line 'execve\(.*= -1 EACCES .*\(INJECTED\)$'
# refused
refuses() { # RULE MESSAGE HINT
	t -e "$1" true; exits 129; err_has "$2"; err_has "^hint: .*$3"; [ ! -e lines ] || none .
}
refuses inject=openat "'openat' is not understood" 'error=ENOENT'
refuses inject=openat:foo=1 "'foo=1'" 'delay_enter='
refuses inject=openat:error=1:retval=2 "'retval=2'" 'one of them'
refuses inject=openat:error=EFOO "'EFOO'" '4095'
refuses inject=openat:error=0 "'0'" '4095'
refuses inject=openat:error=1:when=0 "'0'" 'FIRST'
refuses inject=openat:error=1:when=3+0 "'3\+0'" 'FIRST'
refuses inject=openat:error=1:when=3..2 "'3..2'" 'FIRST'
refuses inject=openat:signal=nosuch "'nosuch'" 'SIGTERM'
refuses inject=openat:delay_enter=1h "'1h'" 'ns'
refuses inject=openat:poke_enter=@arg9=41 "@arg9" '@argN=HEX'
refuses inject=openat:poke_enter=@arg1=4 "@arg1=4" '@argN=HEX'
refuses inject=openat:error=1:syscall=read "'read'" '%pure'
refuses inject=nosuch:error=1 "unknown system call 'nosuch'" 'patterns'
refuses fault=openat:signal=1 "'signal=1'" 'error= and when='
t -e close -e inject=openat:error=EIO true; ok; err_has 'none of the calls of -e inject= is traced'
t --fault=openat --where 'retval < 0' true; exits 129; err_has 'asks for its result'; err_has '^hint: '
t --fault=openat -i nosuch; exits 129; err_has '-i reads what one has done'
if [ "$(id -u)" = 0 ]; then
	t --engine=bpf --fault=openat true; exits 255; err_has '--engine=bpf: it only looks on'; err_has '^hint: --engine=ptrace'
	t -a --fault=openat true; exits 255; err_has 'ptrace follows chosen programs'
fi
