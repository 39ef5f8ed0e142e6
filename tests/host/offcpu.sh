# SPDX-License-Identifier: GPL-2.0-or-later
# offcpu: where a program waited and how long, straight and of a recording, as a list and folded.
[ "$(id -u)" = 0 ] || skip "needs root"
run "$SONDE" offcpu sh -c 'sleep 0.2; exit 3'; exits 3; has '^# [0-9.]+ ms waited in [0-9]+ places$'
awk '/ ms .*\[[0-9]+\]$/ { own = / sleep\[/ && $1 >= 200; slept += own; next } own && /do_nanosleep/ { kernel = 1 } own && /clock_nanosleep@/ { user = 1 }
	END { exit !(slept && kernel && user) }' "$T/out" || fail "sleep, where it slept, in the kernel and in the program: $(cat "$T/out")"
hasnt ' (bpf_|__bpf_|__traceiter)' # what we do there
has '  sh\[[0-9]+\]$'
run "$SONDE" offcpu -f sleep 0.1; ok
awk '/^sleep;.*nanosleep/ { if ($NF >= 100000) n++ } END { exit n != 1 }' "$T/out" || fail "folded: microseconds"
# who ends may wait on the way: the first process of a PID namespace, for all others there
if unshare -pf true 2>/dev/null; then
	run "$SONDE" offcpu -E 0 unshare -pf sh -c 'for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; exit 0'; ok; has 'zap_pid_ns_processes'
fi
# a process that runs already, children not
sh -c 'while :; do sleep 0.02; done' & victim=$!
after 'ready $pid' INT "$SONDE" offcpu -p $victim; ok; kill $victim
sleep 100 & victim=$!; run "$SONDE" offcpu -p $victim true; ok; has '^# 0.000 ms'; err_has '^hint: a wait counts when it ends'; kill $victim
run "$SONDE" offcpu --min 50 sh -c 'sleep 0.2; sleep 0.001'; ok; has ' sleep\['; same "$(grep -c ' ms  .* sleep\[' "$T/out")" 1 "--min"; has 'are not shown$'
run "$SONDE" offcpu -E 1 -o out sh -c 'sleep 0.1; sleep 0.1'; ok; same "$(grep -cE '^ +[0-9.]+ ms ' out)" 1 "-E"
# the same of a recording
"$SONDE" record -q --off-cpu -e dummy -o w.data sleep 0.1; run "$SONDE" offcpu -f -i w.data; ok; has '^sleep;.*nanosleep.* 1[0-9]{5}$|^sleep;.*nanosleep.* [2-9][0-9]{5,}$'
"$SONDE" record -q -e cpu-clock -o c.data true; run "$SONDE" offcpu -i c.data; exits 255; err_has 'no waits'; err_has '^hint: '
run "$SONDE" offcpu -i w.data sleep 1; exits 129; err_has '^hint: '
run as_nobody "$SONDE" offcpu true; [ "$code" != 0 ] || fail "nobody may"; err_has '^hint: '
mkdir tmp; TMPDIR=$PWD/tmp run "$SONDE" offcpu true; ok; [ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
