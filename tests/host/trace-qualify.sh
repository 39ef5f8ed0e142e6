# SPDX-License-Identifier: GPL-2.0-or-later
# -e as strace takes it: signal=, status=, fd=, trace=, ! inside of lists; stops and what continues; summaries of some calls.
[ "$(id -u)" = 0 ] || skip "needs root"
line() { told lines "$1" || { head -30 lines; fail "no line: $1"; }; }
none() { ! grep -Eq -- "$1" lines || fail "a line: $(grep -E -m1 -- "$1" lines)"; }
t() { run timeout -k 5 60 "$SONDE" trace -o lines "$@"; }
both='trap : USR1 USR2; kill -USR1 $$; kill -USR2 $$'
t -e signal=usr1 -e trace=none sh -c "$both"; ok; line -- '--- SIGUSR1 '; none USR2
t -e 'signal=!SIGUSR1' -e none sh -c "$both"; ok; line -- '--- SIGUSR2 '; none USR1
t -e signal=none -e none sh -c "$both"; ok; none -- '---'; line 'exited with 0'
t -e status=failed -e openat cat /nonexistent; exits 1; line 'ENOENT'; none ' = [0-9]'
t -e 'status=!failed' -e openat cat /nonexistent /etc/hostname; exits 1; line '/etc/hostname.* = [0-9]'; none ENOENT
t -e status=unavailable true; ok; line exit_group; none 'openat|mmap'
t -e fd=1 echo hi; ok; line 'write\(fd: 1'; line 'close\(fd: 1'; none 'fd: [23]'
t -e 'fd=!1' -e write,close echo hi; ok; line 'close\(fd: 3'; none 'fd: 1'
t -e '%file,!openat' cat /etc/hostname; ok; line execve; line newfstatat; none 'openat\('
t -e '!openat,!close' cat /etc/hostname; ok; line 'read\('; none 'openat\(|close\('
t -e t=openat cat /etc/hostname; ok; line 'openat\('; none 'close\('
for wrong in inject=open:error=0 raw=nosuch quiet=nosuch signal=nosuch status=nosuch fd=x; do
	t -e $wrong true; [ "$code" != 0 ] || fail "-e $wrong was taken"; err_has '^hint: |descriptor'
done
t -q -e none sh -c "$both"; ok; none -- '---|exited'
t --quiet=exit -e none sh -c "$both"; ok; line -- '--- SIGUSR1 '; none exited
t --raw=openat cat /etc/hostname; ok; line 'openat\(dfd: 0x[0-9a-f]+, filename: 0x'; line 'close\(fd: 3<'
t --json --raw=openat --quiet=exit cat /etc/hostname; ok; line '"syscall":"openat".*"filename":"0x'; none '"type":"exit"'
# dumps: under the line, in every form but JSON; what an engine cannot see is told
t --engine=bpf -e write=1 -e write sh -c 'printf abc'; ok; line '^ \| 00000  61 62 63  +abc  +\|$'
t --engine=bpf -e write=all -e write "$PROG/vectors" large; line '^ \| \.\.\. 4904 bytes more \|$'
t --engine=bpf --json -e write=1 -e write sh -c 'printf abc'; ok; none '^ '
run "$SONDE" trace record -o t.data -e write sh -c 'printf abc'; ok
run "$SONDE" trace -i t.data -e write=1; ok; has '^ \| 00000  61 62 63'
run timeout 60 "$SONDE" trace -a -e read=3 -e write -o lines true; ok; err_has 'no more than 4096 bytes'; err_has '^hint: .*--engine=ptrace'
# a summary counts the calls that would be shown
for engine in bpf perf ptrace; do
	t --engine=$engine -s --failure sh -c 'cat /nonexistent; cat /etc/hostname'; ok; line '^ +openat '; none '^ +(close|read|mmap) '
	t --engine=$engine -s -e fd=1 echo hi; ok; line '^ +write +1 '; none '^ +openat '
done
t -s --where 'openat.filename ~ "*hostname"' cat /etc/hostname; ok; line '^ +openat +1 '
# stopped, and on
for engine in bpf perf ptrace; do
	rm -f lines pid
	"$SONDE" trace --engine=$engine -e none -o lines bash -c 'echo $$ >pid; kill -STOP $$; exit 6' & s=$!
	await "grep -qs 'stopped by SIGSTOP' lines && grep -q '^State:.[Tt]' /proc/\$(cat pid)/status" # t: by its tracer
	kill -CONT "$(cat pid)"; code=0; wait $s || code=$?; exits 6
	line -- '--- SIGSTOP \{si_signo=SIGSTOP, si_code=SI_USER'; line -- '--- stopped by SIGSTOP ---'
	[ $engine = perf ] || line -- '--- SIGCONT \{si_signo=SIGCONT, si_code=SI_USER'
	t --engine=$engine --json -e none bash -c 'trap : TSTP; kill -TSTP $$'; ok; line '"signal":"SIGTSTP"'; none '"stops"' # it is caught
done
