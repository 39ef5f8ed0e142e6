# SPDX-License-Identifier: GPL-2.0-or-later
# needs: qemu-system-x86_64 curl
# timeout: 900
# fetch: interop/fetch-new-kernel testing 7.2
# fetch: interop/fetch-old-kernel
# eBPF programs that are preempted by those of other threads on their CPU: nothing is lost, nothing mixed up. Linux 7.2 lets
# programs on system calls be preempted, 7.0 those on forks, execs and ends; 6.1 and 5.10 neither. Many threads on two CPUs,
# all of what they do is counted: by trace, trace -s, stat, record and run. A boot takes a minute: the newest and the oldest here, all
# four in make soak (KERNELS=all).
cat >job <<'J'
cd /tmp; uname -r; nproc
marks() { # FILE THREADS N: each line has the thread's own number in its bytes, and there are so many
	awk -v threads="$2" -v n="$3" '
	match($0, /marks\/[0-9]+ /) && match($0, /"(\/dev\/null\/)?[0-9]+:[0-9]+"/) {
		mark = substr($0, RSTART + 1, RLENGTH - 2); sub(/.*\//, "", mark); split(mark, m, ":")
		match($0, /marks\/[0-9]+ /); who = substr($0, RSTART + 6, RLENGTH - 7)
		if (who != m[1]) { print "MIXED UP: " $0; bad++ }
		call = $0 ~ / openat\(/ ? "openat" : $0 ~ / write\(/ ? "write" : "?"
		seen[call]++
		if (twice[call, mark]++ && $0 !~ /\[continued\]|\.\.\.$/) { print "TWICE: " $0; bad++ }
	}
	END { print "marks " seen["openat"] - threads * n, seen["write"] - threads * n, bad + 0 }' "$1"
}
joined() { grep -v ') \.\.\.$' "$1"; } # a call that was overtaken is told twice: its end counts
load='for i in 1 2 3 4 5; do dd if=/dev/zero of=/dev/null bs=1 count=3000 2>/dev/null & done; wait'
forks='for j in 1 2 3 4 5; do (i=0; while [ $i -lt 12 ]; do /usr/bin/nproc >/dev/null; i=$((i + 1)); done) & done; wait'
calls='syscalls:sys_enter_read,syscalls:sys_exit_read,syscalls:sys_enter_write,syscalls:sys_exit_write'

sonde trace --engine=bpf -e openat,write -o t "$PROG/marks" 6 1500 2>err; cat err; joined t >j; marks j 6 1500; echo "lost $(grep -c 'events lost' t)"
sonde trace --engine=bpf -e access -o t "$PROG/marks" 6 1500 2>err; cat err
joined t | sed -n 's/.*marks\/\([0-9]*\) .*access(.*"\/dev\/null\/\([0-9]*\):[0-9]*".*/\1 \2/p' | awk '$1 == $2 { n++ } END { print "rare", n }'
sonde trace --engine=bpf -o t sh -c "$load" 2>err; cat err; joined t >j
echo "trace $(grep -c ' read(.*= 1$' j) $(grep -c ' write(.*= 1$' j) lost $(grep -c 'events lost' t)"
sonde trace --engine=bpf -s --summary-mode total -e read,write -o t sh -c "$load"; awk '/^ +(read|write) / { print "sum " $1 " " $2 }' t
sonde stat -x , -e $calls sh -c "$load" 2>&1 | sed -n 's/^\([0-9]*\),.*\(sys_[a-z_]*\).*/stat \2 \1/p'
sonde record -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -o d sh -c "$load" 2>err; grep -v '^\[' err
sonde script -i d | awk '/sys_enter/ && / NR 0 /{ r++ } /sys_enter/ && / NR 1 / { w++ } /sys_exit/ && / NR 0 = 1$/ { x++ } /sys_exit/ && / NR 1 = 1$/ { y++ } END { print "record", r, w, x, y }'
sonde trace --engine=bpf -o t sh -c "$forks" 2>err; joined t >j
echo "forks $(grep -c 'nproc/[0-9]* exit_group(' j) $(grep -c 'nproc/[0-9]* +++ exited with 0' j) $(grep -c 'new process' j) $(grep -c 'execve(.*/bin/nproc.*= 0' j)"
sonde stat -x , -e syscalls:sys_enter_exit_group,syscalls:sys_exit_execve sh -c "$forks" 2>&1 | sed -n 's/^\([0-9]*\),.*\(sys_[a-z_]*\).*/stat \2 \1/p'
sonde run -q -o t -c "sh -c '$load'" -e 'tracepoint:syscalls:sys_enter_write /comm == "dd" && args.count == 1/ { @n = count(); printf("W\n") }
	tracepoint:syscalls:sys_exit_write /comm == "dd" && args.ret == 1/ { @x = count() } tracepoint:syscalls:sys_enter_read /comm == "dd"/ { @r[tid] = count() }' 2>&1
echo "run $(grep -c '^W$' t) $(sed -n 's/^@[nx]: //p' t | tr '\n' ' ')$(awk '/^@r\[/ { n += $2 - 3000; if ($2 < 3000) print "SHORT " $0 }  END { print n < 100 }' t)"
J
kernels=('fetch-new-kernel testing 7.2' fetch-old-kernel)
[ "${KERNELS-}" != all ] || kernels+=('fetch-new-kernel trixie-backports 7.0' '')
for kernel in "${kernels[@]}"; do
	# shellcheck disable=SC2086
	if [ -n "$kernel" ]; then cache=$("$TOP/tests/interop/"$kernel 2>why) || { cat why; skipped=1; continue; }
	else cache=${SONDE_CACHE:-/var/cache/sonde}; fi
	# Debian testing's kernel died once in twenty boots under QEMU (its last words were not kept): that is shown, and tried again
	for _ in 1 2 3; do
		SONDE_CACHE=$cache run timeout -k 5 $((170 * PATIENCE)) "$TOP/tests/guest/shell" -b preempt=full -t $((160 * PATIENCE)) "$(cat job)"
		[ "$code" = 124 ] && grep -q 'ended too early' "$T/err" || break
		cat "$T/err"
	done
	[ "$code" != 77 ] || skip "no guest: $err"
	ok; echo "--- $(head -n 1 "$T/out")"
	has '^marks 0 0 0$'; hasnt 'MIXED|TWICE'; has '^lost 0$'; has '^rare 9000$'; has '^trace 15000 15005 lost 0$'
	# dd ends its words with a line feed of its own; the command of sh has nproc in it too
	for call in read write; do has "^sum $call [0-9]+$"; done
	has '^stat sys_enter_read 15'; has '^stat sys_exit_read 15'; has '^stat sys_enter_write 15'; has '^stat sys_exit_write 15'
	has '^record [0-9]+ [0-9]+ 15000 15005$'
	has '^forks 60 60 65 61$'; has '^stat sys_enter_exit_group 66$'; has '^stat sys_exit_execve 61$'
	has '^run 15005 15005 15005 1$'
	# what was counted in three ways is the same
	read -r r w < <(awk '$1 == "sum" { n[$2] = $3 } END { print n["read"], n["write"] }' "$T/out")
	for e in enter exit; do
		has "^stat sys_${e}_read $r$"; has "^stat sys_${e}_write $w$"
	done
	has "^record $r $w "
done
[ -z "${skipped-}" ] || skip "one of the kernels could not be had"
