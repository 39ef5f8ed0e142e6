# SPDX-License-Identifier: GPL-2.0-or-later
# The everyday lines of `sonde record`, as users type them, with short times.
# needs: perf
# timeout: 400
[ "$(id -u)" -eq 0 ] || skip "needs root"
sh -c 'while :; do :; done' & PID=$!
trap 'kill $PID 2>/dev/null' EXIT
pmu() { ls /sys/bus/event_source/devices/cpu >/dev/null 2>&1; }
samples() { sed -n 's/.*(\([0-9]*\) samples).*/\1/p' "$T/err"; }
some() { ok; [ "$(samples)" -ge 1 ] || fail "no samples"; [ "$("$SONDE" script -i perf.data 2>/dev/null | grep -c .)" -ge 1 ] || fail "script shows nothing"; }
# lively OPTION...: records for a moment; on a busy machine, where the target hardly ran meanwhile, for a longer one
lively() {
	for long in 0.4 2 8 20; do
		run "$SONDE" record "$@" sleep $long; ok
		[ "$(samples)" -ge 1 ] 2>/dev/null && break
	done
	some
}
# run, in a folder of its own, with output to perf.data
mkdir -p w; chmod 777 w; cd w

run "$SONDE" record -F 99 dd if=/dev/zero of=/dev/null bs=1 count=300k; some
pmu || err_has 'no hardware PMU: sampling cpu-clock'
[ "$(grep -c 'hardware PMU' "$T/err")" -le 1 ] || fail "said more than once"
lively -F 99 -p $PID
lively -F 99 -p $PID -g --
lively -F 99 -ag --
lively -F 99 -e cpu-clock -ag --
lively -F 99 --call-graph dwarf -p $PID
perf report -i perf.data --header-only 2>/dev/null | grep 'REGS_USER|STACK_USER' >/dev/null || fail "no DWARF stacks asked for"
lively -e cycles:u -a --
if ! pmu; then
	run "$SONDE" record -e L1-dcache-load-misses -c 10000 -ag -- sleep 0.1; exits 255; err_has 'L1-dcache-load-misses'; err_has '^hint: '
	run "$SONDE" record -b -a sleep 0.1; exits 255; err_has 'branch sampling .* needs a CPU'; err_has '^hint: '
	run "$SONDE" record --call-graph lbr -a sleep 0.1; exits 255; err_has 'lbr needs a CPU'
fi
lively -e sched:sched_switch -a -g
"$SONDE" script -i perf.data | grep 'sched:sched_switch: ' >/dev/null || fail "no switch in the text"
run "$SONDE" record -e kmem:mm_page_alloc -ag sleep 0.2; ok
run "$SONDE" record -e block:block_rq_insert -a -g --call-graph dwarf sleep 0.2; ok
# a method's name right behind -g is the method
for line in '-ag dwarf' '-s -g dwarf' '-g dwarf,1024' '-g fp' '-g' '-ga' '--call-graph dwarf,512'; do
	# shellcheck disable=SC2086
	run "$SONDE" record -F 999 $line -- dd if=/dev/zero of=/dev/null bs=1 count=200k; ok
done
lively -g dwarf,1024 -e cpu-clock -F 999 -p $PID
perf report -i perf.data --header-only 2>/dev/null | grep 'sample_stack_user = 1024' >/dev/null || fail "not 1024 bytes of stack"
lively -F max -p $PID
lively -c 1000000 -e cpu-clock -p $PID
lively -t $PID -F 99
lively -C 0 -F 99
run "$SONDE" record -R -d -i -k mono -F 99 -m 1M -q -p $PID sleep 0.2; ok; [ ! -s "$T/err" ] || fail "-q talks"
run "$SONDE" record -e raw_syscalls:sys_enter --filter 'id == 1' dd if=/dev/zero of=/dev/null bs=1 count=50; some
"$SONDE" script -i perf.data | grep -v 'NR 1 ' && fail "the filter let others through"
"$SONDE" record -q -e raw_syscalls:sys_enter --exclude-perf -a sleep 0.1 & self=$!
wait $self
"$SONDE" script -i perf.data | awk -v p=$self '$2 == p { exit 1 }' || fail "sonde itself was recorded"
run "$SONDE" record -D 200 -F 999 -e cpu-clock dd if=/dev/zero of=/dev/null bs=1 count=800k; ok
run "$SONDE" record -u nobody -F 99 true; ok
run "$SONDE" buildid-list -i perf.data; ok; has '^[0-9a-f]{40} \[kernel.kallsyms\]$'
# what was written, and where
run "$SONDE" record -F 99 -o other.data true; ok; err_has '\[ sonde record: Captured and wrote [0-9.]+ MB other.data \([0-9]+ samples\)'
[ -e perf.data.old ] || fail "the earlier perf.data was not kept"

# wrong lines
run "$SONDE" record -F; exits 129
run "$SONDE" record -F nonsense true; exits 129; err_has "-F: 'nonsense'"
run "$SONDE" record -F 99 -c 1000 true; exits 129
run "$SONDE" record -e nosuchevent true; [ "$code" -ne 0 ] || fail "took an unknown event"; err_has nosuchevent
run "$SONDE" record --call-graph magic true; exits 129; err_has '^hint: fp '
run "$SONDE" record -j nonsense true; exits 129; err_has 'filters are'
run "$SONDE" record -p 999999 sleep 1; exits 255; err_has '999999'
run "$SONDE" record nosuchprogram; exits 255; err_has 'cannot run the command'
run "$SONDE" record -o /nonexistent/x true; exits 255; err_has 'cannot write to /nonexistent/x'
run "$SONDE" record sh -c 'exit 7'; exits 7
run "$SONDE" record sh -c 'kill -9 $$'; exits 137
