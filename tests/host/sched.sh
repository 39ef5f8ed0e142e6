# SPDX-License-Identifier: GPL-2.0-or-later
# sched record, latency, timehist, map: what a user sees of them, and their refusals.
# needs: python3
[ "$(id -u)" = 0 ] || skip "needs root"
"$SONDE" sched record -q -o r.data sh -c 'for i in 1 2 3 4 5; do sleep 0.01; done; exec sleep 0.01'
run "$SONDE" evlist -i r.data; ok; has '^sched:sched_switch$'; has '^sched:sched_waking$'; has '^sched:sched_migrate_task$'
run "$SONDE" sched latency -i r.data; ok; has '^  sleep:.* \| +[0-9]+\.[0-9]{3} ms \| +[0-9]+ \| avg:'; has '^  TOTAL: '
run "$SONDE" sched latency -p -s runtime -i r.data; ok
same "$(sed -n '/TOTAL/d; s/^  .*:[0-9]* *| *\([0-9.]*\) ms |.*/\1/p' <<<"$out" | sort -rnc 2>&1)" "" "not sorted by run time"
# Each sleep has slept what it was told. (With the run behind it: this kernel keeps some switches of the idle task from perf's
# tracepoints, also from perf, and the run then begins too early.)
run "$SONDE" sched timehist -i r.data --state; ok
awk '/ sleep\[[0-9]+\] / && $5 + 0 >= 0 { if ($4 + $5 + $6 >= 10) n++ } END { exit n < 6 }' "$T/out" || fail "six sleeps of 10 ms and more"
run "$SONDE" sched timehist -s -i r.data; ok; has 'Runtime summary'; has ' sleep\[[0-9]+\] '; has 'Total number of context switches: [1-9]'
run "$SONDE" sched timehist -I -s -i r.data; ok; has 'Idle-time summary'; has 'Idle stats:'
run "$SONDE" sched map --compact -i r.data; ok; has ' => .*sleep:[0-9]+'; has '\(CPU [0-9]+\)'
run "$SONDE" sched map --fuzzy-name --task-name lee -i r.data; ok; has '=> sleep:'; hasnt '=> sh:'
run "$SONDE" sched script -i r.data -F comm,event; ok; has 'sched:sched_switch'
# refusals
run "$SONDE" sched replay; exits 255; err_has 'replay'; err_has '^hint: '
run "$SONDE" sched; exits 129; err_has '^hint: '
run "$SONDE" sched latenci; exits 129; err_has "did you mean 'latency'"
run "$SONDE" sched latency -s nosuch -i r.data; exits 129; err_has 'nosuch'
run "$SONDE" sched timehist --prio 0-900 -i r.data; exits 129
run "$SONDE" sched map --cpus x -i r.data; exits 129
"$SONDE" record -q -e cpu-clock -o c.data true
run "$SONDE" sched timehist -i c.data; exits 255; err_has 'sched_switch'; err_has '^hint: sonde sched record'

# Lost events are told in their place, and what they make doubtful is marked.
python3 "$TOP/tests/lose.py" r.data lost.data || fail "could not make a file with losses"
run "$SONDE" sched timehist -i lost.data; ok; has '^ *[0-9]+\.[0-9]{6} lost 7 events on cpu 0$'; has 'events were lost meanwhile'; has '^7 events were lost in 1 gaps'
run "$SONDE" sched latency -i lost.data; ok; has 'lost events \(7 out of [0-9]+, in 1 chunks\)'
run "$SONDE" sched map -i lost.data; ok; has '^  -- 7 events of CPU 0 were lost here$'

# Without a file: the kernel sums up while a command runs, whose exit code is ours.
run "$SONDE" sched latency -p -- sh -c 'sleep 0.01; sleep 0.01; exit 3'; exits 3; has '^  sleep:[0-9]+ '; has '^  TOTAL: '
run "$SONDE" sched latency -p -s runtime -- sh -c "seq 100000 | sort -n >/dev/null"; ok; has "^  sort:[0-9]+ "; has "^  seq:[0-9]+ "

run as_nobody "$SONDE" sched latency -- true; exits 255; err_has 'BPF'; err_has '^hint: '
run "$SONDE" sched latency -i r.data -- true; exits 129
# however the command ends, the table comes and the program is out of the kernel
after 'pgrep -f "^sleep 61.$$\$" >/dev/null' INT "$SONDE" sched latency -- sleep 61.$$; exits 130; has '^  TOTAL: '
after 'pgrep -f "^sleep 62.$$\$" >/dev/null' TERM "$SONDE" sched latency -- sleep 62.$$; exits 143; has '^  TOTAL: '
