# SPDX-License-Identifier: GPL-2.0-or-later
# What the probes cost is measured, told and bounded; --sample lets one hit of many through, and scales what it counts.
# shellcheck disable=SC2154,SC2016
[ "$(id -u)" = 0 ] || skip "scripts are for root"
calls='dd if=/dev/zero of=/dev/null bs=1 count=100000'
endless='dd if=/dev/zero of=/dev/null bs=1'
near() { awk -v n="$1" -v want="$2" 'BEGIN { exit !(n > want * 0.9 && n < want * 1.1) }' || fail "$1 is not about $2 ($3)"; }
counted() { sed -n "s/^@$1: //p" "$T/out"; }

# 100,000 reads; a sampled count is a multiple of 50, and right within three deviations and more
run "$SONDE" run --sample 50 -e 'tracepoint:syscalls:sys_enter_read /pid == cpid && args.count == 1/ { @n = count(); @sum = sum(args.count); @avg = avg(args.count) }
	BEGIN { @once = count() }' -c "$calls"; ok
has '^Sampling 1 of 50 hits: '
n=$(counted n); near "$n" 100000 "reads"; [ $((n % 50)) -eq 0 ] || fail "$n is no multiple of 50"
near "$(counted sum)" 100000 "bytes"; same "$(counted avg)" 1; same "$(counted once)" 1
# begin and end of a call stay together: no read takes longer than the whole run, and none is left out twice
run "$SONDE" run -f json --sample 20 -e 'tracepoint:syscalls:sys_enter_read /pid == cpid/ { @start[tid] = nsecs }
	tracepoint:syscalls:sys_exit_read /@start[tid]/ { @took = count(); delete(@start[tid]) }' -c "$calls"; ok
has '^{"type": "sampling", "data": {"one_of": 20}}$'
near "$(sed -n 's/.*"@took": \([0-9]*\).*/\1/p' "$T/out")" 100000 "pairs"

# much is too much
run "$SONDE" run --max-overhead 1 -e 'tracepoint:raw_syscalls:sys_enter { @[comm] = count() }' -c "$endless"; exits 255
err_has '^sonde: probe overhead exceeded threshold: the probes take [0-9]+ % of a CPU, most of it tracepoint:raw_syscalls:sys_enter$'
err_has '^hint: .*--sample .*--max-overhead .*--suppress-time-limits'
has '^@\[dd\]: [1-9]' # what was seen is shown
run "$SONDE" run --max-overhead 1 --suppress-time-limits -e 'tracepoint:raw_syscalls:sys_enter /pid == cpid/ { @n = count() }' -c "$calls"; ok
err_hasnt overhead
# above 30 % is told while it runs, once, and is no reason to end; not where limits are lifted
"$SONDE" run --max-overhead 100000 -e 'profile:hz:99 { for ($i : 0..100000) { @n += $i } }' >log 2>&1 & pid=$!
await "grep -q '^sonde: the probes take [0-9]* % of a CPU, most of it profile:hz:99' log"
grep -q '^hint: --sample 10 .*above 100000 % the script ends' log || fail "no hint: $(cat log)"
kill -INT "$pid"; wait "$pid" || true
same "$(grep -c 'the probes take' log)" 1

# scripts of SystemTap's have the same guard, and stap's own words lift it
busy='global n probe syscall.* { n[backtrace(), execname()]++ }'
run "$SONDE" run --max-overhead 1 -e "$busy" -c "$endless"; exits 255
err_has '^sonde: probe overhead exceeded threshold: '; err_hasnt '^hint: .*--sample'; err_has '^hint: --max-overhead [0-9]+ allows more \(now 1\), --suppress-time-limits anything'
for lift in --suppress-time-limits -DSTP_NO_OVERLOAD; do
	run "$SONDE" run --max-overhead 1 $lift -v -g -e 'global n probe syscall.read { if (pid() == target()) n++ } probe end { println(n >= 100000) }' -c "$calls"; ok
	has '^1$'; err_hasnt 'overhead|the probes take'; err_has '^ +hits +missed +ns a hit +ms in all  probe$'
done
run "$SONDE" run --sample 5 -e 'probe begin { exit() }'; exits 129; err_has 'counts by itself'

run "$SONDE" run --sample 0 -e 'BEGIN { exit() }'; exits 255; err_has '^hint: .*--sample 10'

# -v tells what each probe has cost
run "$SONDE" run -v -e 'tracepoint:syscalls:sys_enter_read { @n = count() } tracepoint:sched:sched_process_exec { @e = count() }' -c "$calls"; ok
err_has '^ +hits +missed +ns a hit +ms in all  probe$'
hits=$(awk '$5 == "tracepoint:syscalls:sys_enter_read" { print $1 }' "$T/err")
[ "$hits" -ge 100000 ] || fail "the probe's hits are $hits"
err_has ' tracepoint:syscalls:sys_enter_read \(every system call runs it\)$'
err_has ' tracepoint:sched:sched_process_exec$'

# who asks the kernel for its account ends with sonde, however that ends
"$SONDE" run -e 'tracepoint:sched:sched_process_exec { @n = count() }' >log 2>&1 & pid=$!
await 'ready $pid'
child=$(cat "/proc/$pid/task/$pid/children"); child=${child%% *}
same "$(cat "/proc/$child/comm")" sonde-stats
same "$(sed -n 's/^CapPrm:[[:space:]]*0*//p' "/proc/$child/status")" 200000 "it keeps CAP_SYS_ADMIN alone"
same "$(find "/proc/$child/fd" -type l ! -lname 'socket:*' ! -lname 'anon_inode:*' | wc -l)" 0 "it has no file open"
kill -KILL "$pid"; wait "$pid" 2>/dev/null || true
await "! grep -qs '^State:.[^Z]' /proc/$child/status"
