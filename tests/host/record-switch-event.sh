# SPDX-License-Identifier: GPL-2.0-or-later
# record --switch-output-event: a new file whenever that happens; the event itself is in none.
[ "$(id -u)" -eq 0 ] || skip "needs root"
# once the recorder has seen the exec (a new file is there), the command goes on
cat >job <<'J'
until set -- s.data.*; [ $# -ge 2 ]; do /bin/true; done
J
run timeout 60 "$SONDE" record -e cpu-clock --switch-output-event sched:sched_process_exec -o s.data bash job; ok
err_has 'switched to a new file; s\.data\.[0-9]+ is whole'
[ "$(ls s.data.* | wc -l)" -ge 3 ] || fail "only $(ls s.data.*)"
for f in s.data.*; do
	run "$SONDE" script -i "$f" -F event; ok; hasnt sched_process_exec
done
# bounded as others are; it happens to nobody: one file
run timeout 60 "$SONDE" record -e cpu-clock --switch-output-event sched:sched_process_exec --switch-max-files 2 -o m.data bash -c 'for i in 1 2 3 4 5 6; do /bin/true; done'; ok
[ "$(ls m.data.* | wc -l)" -le 2 ] || fail "more than two: $(ls m.data.*)"
run "$SONDE" record -e cpu-clock --switch-output-event sched:sched_process_hang -o n.data true; ok; same "$(ls n.data.* | wc -l)" 1
# what does not go
run "$SONDE" record --switch-output-event cpu-clock -o x.data true; exits 255; err_has 'happens all the time'; err_has '^hint: a tracepoint'
run "$SONDE" record --switch-output-event nosuch true; exits 129; err_has '^sonde: '
run "$SONDE" record --switch-output-event sched:sched_process_exec -o - true; exits 129; err_has 'makes files'
