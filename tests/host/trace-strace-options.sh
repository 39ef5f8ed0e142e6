# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace: what fingers used to strace type, and wrong command lines: 129, a sentence and a hint each.
refuses() { # OPTIONS MESSAGE HINT
	# shellcheck disable=SC2086
	run "$SONDE" trace $1 cat /etc/hostname; exits 129; err_has "$2"; err_has "^hint: .*$3"; err_has '^usage: sonde trace'
}
run "$SONDE" trace -f -e openat cat /etc/hostname; ok; err_has 'openat.*hostname'
run "$SONDE" trace --strace -y -e close cat /etc/hostname; ok; err_has '^close\(3</etc/hostname>\) += 0'
run "$SONDE" trace --strace -e close cat /etc/hostname; ok; err_has '^close\(3\) += 0'
run "$SONDE" trace -c cat /etc/hostname; ok; err_has '^ total, [0-9]+ calls'; err_has '   openat '
run "$SONDE" trace --strace -z -e openat cat /etc/hostname; ok; err_has 'hostname'; err_hasnt ENOENT
run "$SONDE" trace --strace -Z -e openat cat /etc/nosuch; exits 1; err_has 'nosuch.*ENOENT'; err_hasnt ' = 3'
run "$SONDE" trace --strace -P /etc/hostname cat /etc/hostname; ok; err_has 'openat\(.*hostname'; err_has '^(read|copy_file_range)\(3, '; err_has '^close\(3'; err_hasnt 'execve|libc'
run "$SONDE" trace -E FOO=bar -E HOME -q -e close sh -c 'echo "<$FOO-$HOME>"'; ok; has '^<bar->$'
run "$SONDE" trace --strace -tt -e close cat /etc/hostname; ok; err_has '^[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\.[0-9]{6} close\(3\)'
run "$SONDE" trace --strace -ttt --syscall-times -e close cat /etc/hostname; ok; err_has '^1[0-9]{9}\.[0-9]{6} close\(3\) += 0 <[0-9]+\.[0-9]{6}>$'
run "$SONDE" trace --strace -r -e close cat /etc/hostname; ok; err_has '^ +[0-9]+\.[0-9]{6} close\(3\)'
run "$SONDE" trace --strace -xx -e openat cat /etc/hostname; ok; err_has '"\\x2f\\x65\\x74\\x63\\x2f\\x68\\x6f\\x73\\x74'
run "$SONDE" trace --strace -x -e write printf '\001a'; ok; err_has 'write\(1, "\\x01\\x61", 2\)'
# -ff: a file for each thread, and none for all
run "$SONDE" trace -ff -o lines -e execve sh -c 'cat /etc/hostname; exit 3'; exits 3; [ ! -e lines ] || fail "a file for all"
files=(lines.*); [ ${#files[@]} = 2 ] || fail "not two files: ${files[*]}"
child=$(grep -l 'exited with 0' "${files[@]}") || fail "no exit of the child"; grep -q 'execve.*hostname' "$child" || fail "no execve in $child"
grep -q 'exited with 3' lines.* || fail "no exit of the first"
run "$SONDE" trace --output-separately --json -o objects -e execve sh -c 'cat /etc/hostname; true'; ok
for f in objects.*; do head -n 1 "$f" | grep -q '^{"schema":1,' || fail "no schema in $f"; done
run "$SONDE" trace -ff -o nosuch/lines true; exits 255; err_has 'cannot write to nosuch/lines\.[0-9]+: No such file'; err_has '^hint: the folder must exist'
if [ "$(id -u)" = 0 ]; then
	run "$SONDE" trace record -o t.data -e execve sh -c 'cat /etc/hostname; true'; ok
	run "$SONDE" trace -i t.data -ff -o again; ok; files=(again.*); [ ${#files[@]} = 2 ] || fail "not two files of a recording: ${files[*]}"
fi
refuses '-ff -o |cat' 'writes files' '-o NAME'
refuses '-c -ff -o x' 'a summary is none' '-s has a table'
# into a command
run "$SONDE" trace -o '|tr a-z A-Z' -e close cat /etc/hostname; ok; has 'CLOSE\(FD: 3'
run "$SONDE" trace -o '!head -n 1' cat /etc/hostname; ok; has '^ +0\.000 .*execve'
refuses '-o |' "no command behind" 'sonde trace -h'
# long options
run "$SONDE" trace --trace=openat --status=successful cat /etc/hostname; ok; err_has 'openat.*hostname'; err_hasnt 'close|ENOENT'
run "$SONDE" trace --timestamps=unix,ms -e close cat /etc/hostname; ok; err_has '^1[0-9]{9}\.[0-9]{3} \('
run "$SONDE" trace --seccomp-bpf --follow-forks --summary-wall-clock -e close cat /etc/hostname; ok; err_hasnt 'changes nothing'
run "$SONDE" trace --tips -e close cat /etc/hostname; ok; err_has '^--tips changes nothing'
run "$SONDE" trace -s --summary-sort-by=name cat /etc/hostname; ok; sort -c <(sed -n 's/^   \([a-z][a-z0-9_]*\) .*/\1/p' "$T/err" | sed 1d) || fail "not by name"
refuses '--summary-sort-by=name' 'belongs to a summary' '-s --summary-sort-by'
refuses '-c --summary-sort-by=x' "'x' is no column" 'avg-time'
refuses '-c -U calls,count' 'twice' 'sonde trace -h'
refuses '--summary-mode thread -U calls' 'one for all' 'summary-mode thread'
refuses --detach-on=execve 'through its execs' '--no-inherit'
refuses '-b execve' 'through its execs' '--no-inherit'
refuses --daemonize=pgroup 'the parent of the command' '-p PID'
refuses --version 'of sonde itself' 'sonde --version'
run "$SONDE" trace -I 3 -e close cat /etc/hostname; ok; err_has '^--interruptible changes nothing'
# every long option that strace lists is known here
if command -v strace >/dev/null; then
	for o in $(strace --help | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
		case $o in --help) continue ;; esac
		timeout 60 "$SONDE" trace -i nosuch "$o" </dev/null >"$T/out" 2>&1 || :
		! grep -q 'unknown option' "$T/out" || fail "$o of strace is unknown"
	done
fi
refuses --debug 'no such output' 'sonde doctor'
refuses --pidns-translation "own namespace" "ps shows"
refuses --decode-pids=pidns "own namespace" "ps shows"
refuses "-X foo" "foo" "verbose"
refuses --kvm=vcpu 'exits of KVM' 'kvm:kvm_exit'
refuses --timestamps=x "'x' is neither" 'unix'
refuses --syscall-times=m "'m' is no precision" 'ns'
refuses --strings-in-hex=foo "'foo'" 'non-ascii'
refuses --quiet=foo "unknown kind of line 'foo'" 'thread-execve'
refuses '-e open@x32' '@x32' '@64'
refuses '-e socketcall@64' '64-bit programs have no call' 'sonde trace -h'
run "$SONDE" trace -h; ok; has '^As in strace'; has '^ +-n, --syscall-number'; has '^ +--attach PID'; hasnt '^ +-f, --follow-forks'
if [ "$(id -u)" = 0 ]; then run "$SONDE" trace -k -e close cat /etc/hostname; ok; err_has '^ {30,}__close'; fi
refuses '-s 200' "no program '200'" '--string-limit 200'
refuses '-t -e' "'-e' is not a list of threads" '-tt '
refuses --sumary 'unknown option --sumary' "'--summary'"
refuses '-p abc' 'not a list of processes' 'sonde trace -h'
refuses '-p 99999999' 'the highest process' 'sonde trace -h'
refuses '--max-events -3' 'above 0' 'sonde trace -h'
refuses '--summary-mode x' 'thread, comm, total or cgroup' 'sonde trace -h'
refuses '-e opnat' "unknown system call 'opnat'" "'openat'"
run "$SONDE" trace -C 4000 true; exits 255; err_has 'no CPU 4000'; err_has '^hint: .*CPUs that are up'
