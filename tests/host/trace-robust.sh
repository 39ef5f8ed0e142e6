# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace under hard conditions: many threads, odd memory, deaths, full disks, closed pipes, two at once.
# timeout: 200
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
none_lost() { ! grep -q 'events lost' "$1" || fail "events were lost"; }

# 10,000 threads, every call of each
run "$SONDE" trace -q -o threads.txt "$PROG/threads" 10000; ok; none_lost threads.txt
same "$(joined threads.txt | grep -c ' getppid(')" 30000 "calls of 10,000 threads"
same "$(grep -o '/[0-9]* getppid' threads.txt | sort -u | wc -l)" 10000 "threads"

# forks, as fast as they come
run "$SONDE" trace -o forks.txt sh -c 'i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done'; ok; none_lost forks.txt
same "$(joined forks.txt | grep -c 'true/[0-9]* exit_group')" 300 "ends"
same "$(joined forks.txt | grep -c 'true/[0-9]* +++ exited with 0')" 300 "exit lines"

# 500 forks a second: every child, every call of it, following and on the whole machine
for how in '' -a; do
	# shellcheck disable=SC2086
	run "$SONDE" trace $how --comm forks -e getppid,clone,fork,wait4,exit_group -o rate.txt "$PROG/forks" 1500 500; ok; none_lost rate.txt
	same "$(joined rate.txt | grep -c ' getppid(')" 1500 "calls of the children $how"
	same "$(grep -o '/[0-9]* exit_group(' rate.txt | sort -u | wc -l)" 1501 "ends $how"
	echo "500 forks a second $how: reached $out"
done

# memory that changes under the call: one of the two paths, whole
run "$SONDE" trace -e openat -o memory.txt "$PROG/changes" memory; ok
same "$(joined memory.txt | grep -c 'filename: "/etc/[hi]ostname"')" 2000 "paths"

# pointers that lead nowhere are shown as addresses; a string that ends with its page is whole
run "$SONDE" trace -o pointers.txt "$PROG/changes" pointers; ok
for want in 'filename: "/nope"' 'filename: 0x1,.*EFAULT' 'buf: 0x8, count: 5\) *= -1 EFAULT' 'writev\(.*0x10.*EFAULT' 'execve\(.*0x1.*EFAULT'; do
	grep -Eq "$want" pointers.txt || { cat pointers.txt; fail "no $want"; }
done

# what lies in pages that are not there when the call begins is read again when it ends, also where a vector points
printf junk > junk; chmod +x junk
run "$SONDE" trace -e rt_sigprocmask,access,execve,write,writev -o untouched.txt "$PROG/untouched" ./junk; ok
for want in 'nset: \[USR1 USR2\]' 'access\(filename: "/no/such/untouched-path"' 'argv: \["touched-word", "untouched-word"\].*ENOEXEC' \
	'buf: "untouched-bytes"' 'iov_base: "untouched-vector"'; do
	grep -Eq "$want" untouched.txt || { cat untouched.txt; fail "no $want"; }
done

# long command lines one after the other through the smallest ring: none lost, none without its words
long=$(printf "'%0400d' " $(seq 60))
run "$SONDE" trace -m 128K -o long.txt sh -c "i=0; while [ \$i -lt 40 ]; do /bin/true $long; i=\$((i+1)); done"; ok; none_lost long.txt
same "$(joined long.txt | grep -c 'execve(filename: "/bin/true", argv: \["/bin/true", "0')" 40 "long command lines"

# nothing moves the cursor
run "$SONDE" trace -o names.txt "$PROG/changes" names; ok
grep -q 'filename: "/tmp/\\33\[2J\\7\\n\\"quote\\"\\\\\\377\\233"' names.txt || { grep quote names.txt; fail "escapes"; }
! LC_ALL=C grep -q "$(printf '[\033\007]')" names.txt || fail "raw control characters"

# an exec from a thread; a death inside a call
run "$SONDE" trace -o exec.txt "$PROG/changes" exec; ok; grep -Eq 'execve\(filename: "/bin/true".*\) += 0' exec.txt || { cat exec.txt; fail "exec from a thread"; }
run "$SONDE" trace -o dies.txt "$PROG/changes" dies; exits 142
grep -q 'pause(' dies.txt || fail "the call it died in"; grep -q 'killed by SIGALRM' dies.txt || fail "its end"

# SIGKILL of sonde: the program goes on, the kernel keeps nothing
ids() { bpftool prog 2>/dev/null | sed -n 's/^\([0-9]*\): .*/\1/p' | sort; }
"$SONDE" trace -o kill.txt sh -c 'until [ -e killed ]; do sleep 0.1; done; echo done >alive' & s=$!
await "ready $s"; grep -h '^prog_id' /proc/$s/fdinfo/* | awk '{ print $2 }' | sort -u >ours; ids | comm -12 ours - >there; kill -KILL $s; wait $s 2>/dev/null || true; : >killed 
[ -s ours ] && cmp ours there || fail "no program in the kernel"
await '[ -e alive ]' # the program did not end with sonde
await '[ -z "$(ids | comm -12 ours -)" ]' # nor programs in the kernel

# a full disk and a closed pipe
[ -e /dev/full ] && { run "$SONDE" trace -o /dev/full true; exits 255; err_has 'No space left'; }
run timeout -k 2 60 bash -c '"$SONDE" trace -o /dev/stdout sh -c "for i in 1 2 3 4 5; do /bin/true; done" | head -n 1'; ok; has execve

if mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null; then # it fills up in the middle
	run timeout -k 2 60 "$SONDE" trace --no-disk-guard -o full/lines "$PROG/threads" 500; exits 255; err_has 'No space left'
	run timeout -k 2 60 "$SONDE" trace record --no-disk-guard -o full/data "$PROG/threads" 500; exits 255; err_has 'No space left'
	umount full
fi

# two at once, each with its own lines
"$SONDE" trace -o one.txt "$PROG/threads" 400 & a=$!
"$SONDE" trace -o two.txt "$PROG/threads" 400 & b=$!
wait $a || fail "first of two"; wait $b || fail "second of two"
same "$(joined one.txt | grep -c ' getppid(')" 1200 "calls of the first"; same "$(joined two.txt | grep -c ' getppid(')" 1200 "calls of the second"

# so are the strings of an exec that succeeds, whose memory is gone then: the new program's copy is shown
strings='"/bin/true", argv: \["first word", "", "the last"\]'
for loader in light full; do
	export SONDE_BPF_LOADER=$loader
	for how in strings vector; do
		run "$SONDE" trace --engine=bpf -e execve -o exec.txt "$PROG/untouched_exec" $how; ok
		grep -Eq "execve\(filename: $strings.* = 0" exec.txt || { cat exec.txt; fail "strings of an exec ($loader, $how)"; }
	done
	run "$SONDE" trace --engine=bpf -v -e execve -o exec.txt "$PROG/untouched_exec" vector; ok
	grep -Fq 'execve(filename: "/bin/true" /* read late */, argv: ["first word", "", "the last"] /* read late */, envp: ["", "the last"] /* read late */' exec.txt ||
		{ cut -c1-300 exec.txt; fail "marks of an exec"; }
	run "$SONDE" trace --engine=bpf -e execve,execveat -o exec.txt "$PROG/untouched_exec" at true; ok
	grep -Eq 'execveat\(fd: [0-9].*, filename: "true", argv: \["first word", "", "the last"\].* = 0' exec.txt || { cat exec.txt; fail "execveat"; }
	# a script's interpreter gets other arguments than the call had: those that both have are shown
	printf '#!/bin/sh -e\nexit 0\n' >script; chmod +x script
	run "$SONDE" trace --engine=bpf -e execve -o exec.txt "$PROG/untouched_exec" strings ./script; ok
	grep -Eq 'execve\(filename: "./script", argv: \[0x[0-9a-f]+, "", "the last"\],.* = 0' exec.txt || { cat exec.txt; fail "exec of a script"; }
	run "$SONDE" trace --engine=bpf -e execve -o exec.txt "$PROG/untouched_exec" same ./script; ok
	grep -Eq 'execve\(filename: "./script", argv: \["./script", "", "the last"\],.* = 0' exec.txt || { cat exec.txt; fail "exec of a script that is its first argument"; }
	run "$SONDE" trace --engine=bpf -e execve -o exec.txt "$PROG/untouched_exec" vector "$PWD/script"; ok
	grep -Eq 'execve\(filename: "/.*/script", argv: \[""\.\.\., "", "the last"\],.* = 0' exec.txt || { cat exec.txt; fail "exec of a script, vector"; }
	# and what only looks like one
	run "$SONDE" trace --engine=bpf -e execve -o exec.txt "$PROG/untouched_exec" twice /bin/true; ok
	grep -Eq 'execve\(filename: "/bin/true", argv: \["first word", "/bin/true", "the last"\],.* = 0' exec.txt || { cat exec.txt; fail "exec with its own name as an argument"; }
done
unset SONDE_BPF_LOADER
