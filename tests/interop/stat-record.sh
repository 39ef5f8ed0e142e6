# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# Counts in files: what stat record wrote, perf's (6.1 and 6.12) and ours, all three show alike.
perf612
plain() { sed -E 's/ \[software\]//; s/^( *[A-Z0-9-]+) +/\1 /; s/ +/ /g; s/ +$//' | grep -v '^$'; } # columns of places differ by version
for by in perf "$PERF612" "$SONDE"; do
	for a in '-e task-clock,page-faults,cs true' '-a -e cs,cpu-clock sleep 0.05' '-a -A -e cs,cpu-clock sleep 0.05' '-a --per-core -e cpu-clock sleep 0.05' \
		'-a --per-socket -e cpu-clock sleep 0.05' '-a --per-node -e cpu-clock sleep 0.05' '-a --per-die -e cpu-clock,cs sleep 0.05' \
		'-e sched:sched_process_exec,syscalls:sys_enter_execve true'; do
		# shellcheck disable=SC2086
		"$by" stat record -o f.data $a >/dev/null 2>live </dev/null || { cat live; fail "$by stat record $a"; }
		run "$SONDE" stat report -i f.data; ok; mine=$(plain <"$T/err")
		# 6.1 does not read 6.12's files; it has other numbers for cores and nodes, and does not look at who wrote
		[[ $a != *sched:* || $by == "$SONDE" ]] || continue # perf cannot read its own: it does not write the formats
		if [[ $by == perf || $by != "$PERF612" && $a != *per-core* && $a != *per-node* ]]; then
			run perf stat report -i f.data; ok; same "$mine" "$(plain <"$T/err")" "$by stat record $a, as 6.1 shows it"
		fi
		if [[ $by != perf || $a != *per-core* && $a != *per-node* ]]; then
			run "$PERF612" stat report -i f.data; ok; same "$mine" "$(plain <"$T/err")" "$by stat record $a, as 6.12 shows it"
		fi
		# and the page that record itself showed (6.1 takes the time after the command's end now and then)
		same "$(echo "$mine" | grep -v 'stats for\|elapsed' | sed 's/ #.*//')" "$(plain <live | grep -v 'stats for\|seconds' | sed 's/ #.*//')" "$by stat record $a: the page"
	done
	# another aggregation than the recorded one
	"$by" stat record -o f.data -a -e cs,cpu-clock sleep 0.05 >/dev/null 2>&1 </dev/null
	for o in -A --per-core --per-socket --per-die --per-node --per-cache --per-cache=L2; do
		run "$SONDE" stat report -i f.data $o; ok; mine=$(plain <"$T/err")
		run "$PERF612" stat report -i f.data $o; ok; same "$mine" "$(plain <"$T/err")" "$by: report $o"
	done
	run "$SONDE" stat report --per-cluster -i f.data; exits 255; err_has 'does not say which cores form a cluster'
	# CSV: what is before or behind `report`
	run "$SONDE" stat -x, report -i f.data; ok; mine=$err
	run "$SONDE" stat report -x, -i f.data; ok; same "$err" "$mine"
	run "$PERF612" stat -x, report -i f.data; ok; same "$mine" "$err" "CSV"
	# intervals: each by itself, as when they were counted
	"$by" stat record -o f.data -I 50 -a -e cpu-clock,cs sleep 0.2 >/dev/null 2>live </dev/null
	run "$SONDE" stat report -i f.data; ok; same "$(grep ' cs ' "$T/err" | plain)" "$(grep ' cs ' live | plain)" "$by: intervals"
done
# threads by name, and a machine with a PMU: events that are missing stay so, scales and units are kept
mkdir -p k/proc k/sys/bus/event_source/devices/cpu k/sys/devices/system/cpu; echo 4 >k/sys/bus/event_source/devices/cpu/type; echo 0-3 >k/sys/devices/system/cpu/online
printf '0 0 ok 2000000000 1000000000 1000000000\n0 1 ok 3000000000 1000000000 1000000000\n1 1 ok 1000000000 1000000000 1000000000\n0 5 ok 7 100 50\n* * ENOENT\n' >k/perf_event_open
SONDE_KERNEL_ROOT=$PWD/k run "$SONDE" stat record -o f.data -e task-clock,cycles,instructions,branch-misses,cache-misses true; ok
run "$SONDE" stat report -i f.data; ok; mine=$(plain <"$T/err")
err_has '3000000000      instructions +# +1\.50  insn per cycle'; err_has '<not supported>      cache-misses'; err_has '14      branch-misses .*\(50\.00%\)'
run "$PERF612" stat report -i f.data; ok; same "$(echo "$mine" | sed 's/ #.*//; s/ (.*//')" "$(plain <"$T/err" | sed 's/ #.*//; s/ (.*//')" "a PMU's events"
sleep 1000 & pid=$!
trap 'kill $pid' EXIT
"$SONDE" stat record -o f.data --per-thread -e cs -p $pid sleep 0.05 2>/dev/null
run "$SONDE" stat report -i f.data; ok; err_has "^ +sleep-$pid "
run "$PERF612" stat report -i f.data; ok; err_has "^ +sleep-$pid "
# through a pipe
"$SONDE" stat record -o - -e page-faults true 2>/dev/null | "$SONDE" stat report -i - >"$T/out" 2>"$T/err"; err_has ' page-faults'
# a file of other things, and one that is cut
"$SONDE" record -q -e cpu-clock -o r.data true; run "$SONDE" stat report -i r.data; exits 255; err_has 'no counts'; err_has '^hint: '
"$SONDE" stat record -o f.data -a -e cs true 2>/dev/null
for n in 50 200 400 700 900; do head -c $n f.data >cut.data; run timeout 20 "$SONDE" stat report -i cut.data; [ "$code" -lt 126 ] || exits 255; done
run "$SONDE" stat record -r 3 true; exits 129; err_has 'one run'
