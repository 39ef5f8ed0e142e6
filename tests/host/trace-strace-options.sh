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
run "$SONDE" trace --strace -ttt --syscall-times -e close cat /etc/hostname; ok; err_has '^1[0-9]{9}\.[0-9]{6} close\(3\) += 0 <0\.[0-9]{6}>$'
run "$SONDE" trace --strace -r -e close cat /etc/hostname; ok; err_has '^     0\.0[0-9]{5} close\(3\)'
run "$SONDE" trace --strace -xx -e openat cat /etc/hostname; ok; err_has '"\\x2f\\x65\\x74\\x63\\x2f\\x68\\x6f\\x73\\x74'
run "$SONDE" trace --strace -x -e write printf '\001a'; ok; err_has 'write\(1, "\\x01\\x61", 2\)'
run "$SONDE" trace -ff -o lines cat /etc/hostname; ok; err_has '-ff: all lines go to lines'
if [ "$(id -u)" = 0 ]; then run "$SONDE" trace -k -e close cat /etc/hostname; ok; err_has '^ {30,}__close'; fi
refuses '-s 200' "no program '200'" '--string-limit 200'
refuses '-t -e' "'-e' is not a list of threads" '-tt '
refuses --sumary 'unknown option --sumary' "'--summary'"
refuses '-p abc' 'not a list of processes' 'sonde trace -h'
refuses '-p 99999999' 'the highest process' 'sonde trace -h'
refuses '--max-events -3' 'above 0' 'sonde trace -h'
refuses '--summary-mode x' 'thread, total or cgroup' 'sonde trace -h'
refuses '-e opnat' "unknown system call 'opnat'" "'openat'"
run "$SONDE" trace -C 4000 true; exits 255; err_has 'no CPU 4000'; err_has '^hint: .*CPUs that are up'
