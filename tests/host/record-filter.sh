# SPDX-License-Identifier: GPL-2.0-or-later
# record --filter on events that are no tracepoints: a BPF program decides about each sample.
[ "$(id -u)" -eq 0 ] || skip "needs root"
work=(dd if=/dev/zero of=/dev/null bs=1 count=100k)
samples() { "$SONDE" script -i f.data -F "$1" 2>/dev/null | tr -d ' :'; }
left_out() { sed -n 's/^sonde: .*: --filter left out \([0-9]*\) samples$/\1/p' "$T/err"; }
filtered() { run "$SONDE" record -e "${EVENT:-cpu-clock}" --filter "$@" -o f.data "${work[@]}"; ok; }
# kernel and user space: what one leaves out the other has
filtered 'ip >= 0x8000000000000000'; n=$(samples ip | wc -l); [ "$n" -gt 0 ] && [ "$(left_out)" -gt 0 ] || fail "$n in the kernel"
! samples ip | grep -v '^ffffff' || fail "user space passed"
filtered 'ip < 0x8000000000000000'; [ "$(left_out)" -gt 0 ]; ! samples ip | grep '^ffffff' || fail "the kernel passed"
# nothing is left out where all conditions hold, everything where one does not; || is enough when one does
filtered 'uid == 0, gid == 0, period > 1, cpu < 4096, time > 0, pid != 0, tid != 0'; err_hasnt 'left out'; [ "$(samples ip | wc -l)" -gt 0 ]
filtered 'uid == 0, gid == 77'; err_has 'left out [1-9]'; err_has '^hint: no samples: none passed --filter'; same "$(samples ip)" ''
filtered 'uid == 5 || gid == 77 || uid == 0, period >= 1'; err_hasnt 'left out'
filtered 'uid == 5 || gid == 77, period >= 1'; same "$(samples ip)" ''
# numbers as the samples have them
sh -c "while :; do :; done" & burn=$!
trap 'kill $burn 2>/dev/null || :' EXIT
run "$SONDE" record -e cpu-clock --filter "pid == $burn" -a -o f.data "${work[@]}"; ok; err_has 'left out'
[ "$(samples pid | sort -u)" = "$burn" ] || fail "others than $burn passed: $(samples pid | sort | uniq -c)"
run "$SONDE" record -e cpu-clock --filter "pid != $burn" -a -o f.data "${work[@]}"; ok; ! samples pid | grep -x "$burn" || fail "$burn passed"
kill $burn
run "$SONDE" record -e cpu-clock --filter 'cpu == 0' -a -o f.data "${work[@]}"; ok; ! samples cpu | grep -v '\[000\]' || fail "other CPUs passed"
# what the sample says of memory: cpu-clock knows nothing of it, and says so
run "$SONDE" record -e cpu-clock -d -W --phys-data --filter 'mem_op & na, mem_lock <= 1, weight1 == 0, phys_addr == 0, addr == 0' -o f.data "${work[@]}"
ok; err_hasnt 'left out'
run "$SONDE" record -e cpu-clock -d --filter 'mem_op == load || mem_op == store' -o f.data "${work[@]}"; ok; err_has 'left out'; same "$(samples ip)" ''
# children inherit it; each event has its own; two filters of one both hold
run "$SONDE" record -e cpu-clock --filter 'uid == 77' -o f.data sh -c "${work[*]}; exit 0"; ok; same "$(samples ip)" ''
run "$SONDE" record -e cpu-clock --filter 'uid == 77' -e task-clock -o f.data "${work[@]}"; ok; ! samples event | grep -v task-clock || fail "cpu-clock passed"
filtered 'uid == 0' --filter 'gid == 77'; same "$(samples ip)" ''
# the file says how many: perf's mark for samples that a BPF filter dropped
filtered 'uid == 77'; n=$(left_out)
run "$SONDE" script -D -i f.data; ok; has 'PERF_RECORD_LOST_SAMPLES'
run "$SONDE" report --stdio -i f.data; ok; hasnt "Total Lost Samples: $n\$"; has 'Total Lost Samples: 0'
# tracepoints are filtered by the kernel, as ever
EVENT=sched:sched_switch filtered 'prev_pid >= 0'; err_hasnt 'left out'
# what is wrong
refused() { run "$SONDE" record -e cpu-clock --filter "$1" -o f.data true; [ "$code" -ne 0 ] || fail "'$1' was taken"; err_has "$2"; err_has "^hint: $3"; }
refused 'perod > 1' "'perod' is not a field" "did you mean 'period'"
refused '' 'no condition' 'ip, id, tid'; refused 'ip > 1,' 'no condition' 'ip, id'; refused 'ip' 'compared with nothing' 'by =='
refused 'ip > x' "'x' is not a value of ip" 'a number: 4096 or 0x1000'; refused 'mem_op == lod' "'lod' is not a value of mem_op" 'a number, or na, load'
refused 'ip > 1 cpu > 2' "'cpu > 2' does not go on" 'a comma'; refused 'ip > 1 | cpu > 2' 'does not go on' 'a comma'
refused 'mem_op == load' 'samples of cpu-clock have no mem_op' 'with -d they do'
refused 'phys_addr > 0' 'no phys_addr' 'with --phys-data'; refused 'ins_lat > 1' 'have no' 'with -W'
run "$SONDE" record --filter 'ip > 1' true; [ "$code" -ne 0 ]; err_has '^hint: '
run as_nobody "$SONDE" record -e cpu-clock:u --filter 'ip > 1' -o /dev/null true; exits 255; err_has 'not allowed'; err_has '^hint: '
run "$SONDE" record -e cpu-clock --filter "$(printf 'ip > 1, %.0s' {1..64})ip > 1" true; [ "$code" -ne 0 ]; err_has 'more than 64'
run "$SONDE" record -e cpu-clock --filter "$(printf 'ip > 1, %.0s' {1..63})mem_lvl != l1" -d -o f.data "${work[@]}"; ok; err_hasnt 'left out'
