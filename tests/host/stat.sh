# SPDX-License-Identifier: GPL-2.0-or-later
# sonde stat: the page, its options, what goes wrong.
run "$SONDE" stat true; ok; same "$out" ""
err_has "^ Performance counter stats for 'true':$"
err_has '^ +[0-9]+\.[0-9]+ msec task-clock +# +[0-9.]+ CPUs utilized$'
err_has '^ +[0-9]+      page-faults +# +[0-9.]+ [KM]?/sec$'
err_has '^ +[0-9.]+ seconds time elapsed$'; err_has '^ +[0-9.]+ seconds user$'; err_has '^ +[0-9.]+ seconds sys$'
# exit codes: the command's own, 128+signal, ours
run "$SONDE" stat -e cs sh -c 'exit 3'; exits 3
run "$SONDE" stat -e cs sh -c 'kill -9 $$'; exits 137
run "$SONDE" stat -e cs /nonexistent; exits 255; err_has '^hint: '
run "$SONDE" stat; exits 129
run "$SONDE" stat -r 0 true; exits 129
run "$SONDE" stat --per-core true; exits 129; err_has 'need -a or -C'
# children and threads are counted with the command
run "$SONDE" stat -x, -e page-faults -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done'; ok
n=${err%%,*}; [ "$n" -gt 300 ] || fail "children are not counted: $n faults"
run "$SONDE" stat -i -x, -e page-faults -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done'; ok
m=${err%%,*}; [ "$m" -lt "$n" ] || fail "-i counts children: $m"
# what this machine lacks is marked, the rest is there
run "$SONDE" stat -e cs -e cpu/event=0x0e,umask=0x01,inv,cmask=0x01/ -a sleep 0.1; ok
err_has "^ Performance counter stats for 'system wide':"; err_has '^ +[0-9]+      cs$'
err_has 'cpu/event=0x0e,umask=0x01,inv,cmask=0x01/$'
run "$SONDE" stat -e r003c,dTLB-loads,dTLB-prefetch-misses,LLC-load-misses,bus-cycles -a sleep 0.1; ok; err_has 'r003c$'
# repetition, intervals, delay, timeout
run "$SONDE" stat -r 3 -e faults sleep 0.01; ok; err_has "'sleep 0.01' \(3 runs\):"; err_has '\( \+- +[0-9.]+% \)$'
err_has '^ +[0-9]+\.[0-9]+ \+- [0-9]+\.[0-9]+ seconds time elapsed +\( \+-'
run "$SONDE" stat -I 50 -e cpu-clock -a sleep 1.5; ok; err_has '^# +time +counts unit events'
[ "$(grep -c cpu-clock "$T/err")" -ge 4 ] || fail "too few intervals"
run "$SONDE" stat -I 20 --interval-count 2 -e cpu-clock -a; ok; same "$(grep -c cpu-clock "$T/err")" 2
for s in 1 4 16; do # a busy machine may need a while to start sleep, whose faults are then counted
	run "$SONDE" stat -D ${s}500 -e faults sleep $((s + 1)); ok
	! grep -Eq '^ +[0-9] +faults$' "$T/err" || break
done
err_has '^ +[0-9] +faults$'
run timeout 60 "$SONDE" stat --timeout 100 -e cs sleep 1000; ok # as was asked
run timeout 60 "$SONDE" stat --timeout 100 -e cs -a; ok
run "$SONDE" stat -n true; ok; same "$(head -n 4 "$T/err" | tr '0123456789' 9)" "
 Performance counter stats for 'true':

       9.999999999 seconds time elapsed"
run "$SONDE" stat -n -r 2 true; ok; err_has 'time elapsed'
# perf's switches that are the default here, and those for one side
run "$SONDE" stat -B -c -e faults true; ok; err_has '^ +[0-9]+ +faults$'
run "$SONDE" stat --all-user -x, -e faults true; ok; u=${err%%,*}
run "$SONDE" stat --all-kernel -x, -e faults true; ok; k=${err%%,*}; [ "$u" -gt "$k" ] || fail "user $u, kernel $k"
run "$SONDE" stat --all-user --all-kernel true; exits 129
run "$SONDE" stat --quiet sh -c 'exit 3'; exits 3; same "$err" ""
run "$SONDE" stat -v -e faults true; ok; err_has '^faults: [0-9]+ [0-9]+ [0-9]+$'
run "$SONDE" stat -n -e faults -d true; ok; err_has '^ +[0-9]+ +faults$'; err_hasnt 'L1-dcache'
run "$SONDE" stat -e faults -d true; ok; err_has ' faults'; err_has 'L1-dcache-loads'
# stat's own figures
run "$SONDE" stat -x, -e duration_time,user_time,system_time sleep 0.05; ok
err_has '^[0-9]{8,},ns,duration_time,'; err_has '^[0-9]+,ns,user_time,'
# places
run "$SONDE" stat -A -a -e cs sleep 0.05; ok; err_has '^CPU0 +[0-9]+      cs$'
run "$SONDE" stat --per-socket -a -e cs sleep 0.05; ok; err_has '^S0 +[0-9]+ +[0-9]+      cs$'
run "$SONDE" stat --per-core -C 0 -e cs sleep 0.05; ok; err_has '^S0-D[0-9]+-C[0-9]+ +1 +[0-9]+      cs$'
run "$SONDE" stat --per-thread -p $$ -e cs sleep 0.05; ok
run "$SONDE" stat -G / -a -e cs sleep 0.05; ok; err_has '^ +[0-9]+      cs +/( |$)'
run "$SONDE" stat --for-each-cgroup /,/ -a -e cs,faults sleep 0.05; ok; same "$(grep -c 'faults  *' "$T/err")" 2
# CSV, JSON, files
run "$SONDE" stat -x, -e task-clock,faults true; ok
err_has '^[0-9]+\.[0-9]+,msec,task-clock,[0-9]+,100\.00,[0-9.]+,CPUs utilized$'; err_has '^[0-9]+,,faults,[0-9]+,100\.00,[0-9.]+,[KM]?/sec$'
run "$SONDE" stat -j -e task-clock,faults -A -a true; ok
python3 - "$T/err" <<'PY'
import json, sys
rows = [json.loads(x) for x in open(sys.argv[1])]
assert {r["event"] for r in rows} == {"task-clock", "faults"}, rows
assert all(r["schema"] == 1 and r["cpu"].isdigit() and float(r["counter-value"]) >= 0 for r in rows)
PY
run "$SONDE" stat -o page -e cs true; ok; same "$err" ""; grep -q '^# started on' page; grep -q ' cs$' page
run "$SONDE" stat -o page --append -e faults true; ok; grep -q ' cs$' page; grep -q ' faults$' page
run "$SONDE" stat -o /dev/full -e cs true; exits 255; err_has 'No space left on device'
run "$SONDE" stat -o /nonexistent/x -e cs true; exits 255
# bad targets
run "$SONDE" stat -p 4194000 sleep 0.1; exits 255; err_has 'process 4194000 does not exist'; err_has '^hint: '
run "$SONDE" stat -C 4000 -e cs true; exits 255; err_has 'there is no CPU 4000'
run "$SONDE" stat -C 1-0 true; exits 129
run "$SONDE" stat -G nosuchgroup -a -e cs true; exits 255; err_has "cgroup 'nosuchgroup'"
run "$SONDE" stat -u nosuchuser true; exits 255; err_has "no user 'nosuchuser'"
# bad events: the text, a caret, the nearest names
run "$SONDE" stat -e cs,cyclse:u true; exits 129; err_has "there is no event 'cyclse'"; err_has "^     \^~~~~~$"; err_has "did you mean 'cycles'"
run "$SONDE" stat -e sched:sched_swich true; exits 129; err_has "did you mean 'sched:sched_switch'"
run "$SONDE" stat -e sched:sched_switch --filter 'prev_pdi==1' true; exits 255; err_has "'prev_pdi' is not a field"
run "$SONDE" stat -e "$(printf 'a%.0s' $(seq 50000))" true; exits 129; [ ${#err} -lt 1000 ] || fail "endless message"
run "$SONDE" stat -e "{$(printf 'cs,%.0s' $(seq 20000))" true; [ "$code" -ge 129 ]; [ ${#err} -lt 1000 ] || fail "endless message"
# ten thousand events: counted, or a clear word about the limit
run "$SONDE" stat -x, -e "$(printf 'cs,%.0s' $(seq 9999))cs" true
[ "$code" = 0 ] && same "$(wc -l <"$T/err")" 10000 || err_has 'too many open files'
run bash -c "ulimit -n 100; '$SONDE' stat -e '$(printf 'cs,%.0s' $(seq 300))cs' true"; exits 255; err_has 'too many open files'; err_has '^hint: at most 100 files .*ulimit -n 800'
