# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
needs dd
title "run: start to end, in milliseconds"
cmd begin "$SONDE" run -q -e 'BEGIN { exit() }'
cmd tracepoint "$SONDE" run -q -e 'BEGIN { exit() } tracepoint:sched:sched_switch { @[comm] = count() }'
cmd openat "$SONDE" run -q -e 'BEGIN { exit() } tracepoint:syscalls:sys_enter_openat { printf("%s\n", str(args.filename)); @ = hist(args.flags) }'
cmd 721 "$SONDE" run -q -e 'BEGIN { exit() } tracepoint:syscalls:* { @[probe] = count() }'
rounds 9
bar_ms begin 15
bar_ms tracepoint 20
bar_ms openat 20
bar_ms 721 300

title "run: dd under a script, ratio of dd's own CPU time to that untraced"
echo 'TIMEFORMAT="%U %S"; time dd if=/dev/zero of=/dev/null bs=1 count=500k 2>/dev/null' >dd.sh
seconds() { awk 'NF == 2 && $1 + $2 > 0 { print $1 + $2; exit }'; }
under() { "$SONDE" run -q -o /dev/null -c 'bash dd.sh' -e "$1" 2>&1 | seconds; }
middle() { sort -n "$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
n=${BENCH_ROUNDS:-7}
for ((i = 0; i < n; i++)); do
	bash dd.sh 2>&1 | seconds >>plain
	under 'tracepoint:raw_syscalls:sys_enter { @ = count() }' >>counted
	under 'tracepoint:raw_syscalls:sys_enter { @[comm] = count() }' >>by_comm
	under 'tracepoint:raw_syscalls:sys_enter { @s[tid] = nsecs } tracepoint:raw_syscalls:sys_exit /@s[tid]/ { @[comm] = hist(nsecs - @s[tid]); delete(@s[tid]) }' >>pair
	under 'tracepoint:raw_syscalls:sys_enter { printf("%d %d %d\n", pid, tid, cpu) }' >>lines
done
base=$(middle plain)
verdict "@ = count()" "$(ratio "$(middle counted)" "$base")" 1.4 x
verdict "@[comm] = count()" "$(ratio "$(middle by_comm)" "$base")" 1.7 x
verdict "enter and exit, latency by comm" "$(ratio "$(middle pair)" "$base")" 2.2 x
verdict "printf of three values" "$(ratio "$(middle lines)" "$base")" 2.6 x
