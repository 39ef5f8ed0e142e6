# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace: what fingers used to strace type, and wrong command lines: 129, a sentence and a hint each.
refuses() { # OPTIONS MESSAGE HINT
	# shellcheck disable=SC2086
	run "$SONDE" trace $1 cat /etc/hostname; exits 129; err_has "$2"; err_has "^hint: .*$3"; err_has '^usage: sonde trace'
}
run "$SONDE" trace -f -e openat cat /etc/hostname; ok; err_has 'openat.*hostname'
run "$SONDE" trace --strace -y -e close cat /etc/hostname; ok; err_has '^close\(3</etc/hostname>\) += 0'
run "$SONDE" trace --strace -e close cat /etc/hostname; ok; err_has '^close\(3\) += 0'
refuses -c 'unknown option -c' '-s '
refuses '-s 200' "no program '200'" '--string-limit 200'
refuses -tt "'t' is not a list of threads" '-T '
refuses -Z 'unknown option -Z' '--failure'
refuses -z 'unknown option -z' 'status=successful'
refuses -k 'unknown option -k' '--call-graph'
refuses '-P /etc/hostname' 'unknown option -P' '--where'
refuses '-F all' 'unknown option -F' 'page-faults'
refuses --sumary 'unknown option --sumary' "'--summary'"
refuses '-p abc' 'not a list of processes' 'sonde trace -h'
refuses '-p 99999999' 'the highest process' 'sonde trace -h'
refuses '--max-events -3' 'above 0' 'sonde trace -h'
refuses '--summary-mode x' 'thread, total or cgroup' 'sonde trace -h'
refuses '-e opnat' "unknown system call 'opnat'" "'openat'"
run "$SONDE" trace -C 4000 true; exits 255; err_has 'no CPU 4000'; err_has '^hint: .*CPUs that are up'
