# SPDX-License-Identifier: GPL-2.0-or-later
# stat: when it counts (--control), the single runs, the sum behind intervals, caches and clusters of a larger machine.
run "$SONDE" stat -r 3 --table -e task-clock true; ok
err_has '^ +# Table of individual measurements:$'; same "$(grep -cE '^ +[0-9.]+ \([-+][0-9.]+\) #+$' "$T/err")" 3 "runs"; err_has '^ +# Final result:$'
run "$SONDE" stat --table true; exits 129; err_has 'shows the runs of -r'
run "$SONDE" stat --summary true; exits 129; err_has 'need -I'
run "$SONDE" stat --interval-clear -I 100 true; exits 129; err_has 'for a terminal'
run "$SONDE" stat --per-cache=L9 -a true; exits 129; err_has 'L1, L2, L3 or L4'
# on a terminal the screen is cleared before each interval
if command -v script >/dev/null; then
	run script -qec "'$SONDE' stat --interval-clear --interval-count 2 -I 20 -a -e cs" /dev/null; ok
	same "$(grep -c $'\033\[H\033\[2J' "$T/out")" 2 "screens"; same "$(grep -c '# *time' "$T/out")" 2 "headings"
fi
# the sum is that of the intervals
run "$SONDE" stat -x, -I 20 --summary -e page-faults sh -c 'for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done'; ok
same "$(awk -F, '!/^summary/ { n += $2 } END { print n }' "$T/err")" "$(sed -n 's/^summary,\([0-9]*\),.*/\1/p' "$T/err")" "the sum"
# told from outside: off at first, on, off; what is counted is what happened in between
mkfifo ctl ack; exec 5<>ack
tell() { local answer=; echo "$1" >ctl; read -r -t 30 answer <&5 || fail "no answer to $1: $(cat stat.err)"; same "$answer" ack "answer to $1"; }
sh -c 'while :; do :; done' & busy=$!
trap 'kill $busy $pid 2>/dev/null' EXIT
runs() { local since; since=$(ran $busy); await "[ \$(ran $busy) -ge $((since + 10)) ]"; }
start() { "$SONDE" stat --control fifo:ctl,ack -D -1 -x, -e task-clock "$@" -p $busy 2>stat.err & pid=$!; tell ping; }
start; runs; tell stop; wait $pid; grep -q '^<not counted>,msec,task-clock' stat.err || fail "counted although nobody said so: $(cat stat.err)"
start; tell enable; runs; tell disable; tell evlist; echo nonsense >ctl; tell stop; wait $pid || fail "exit code after stop"
grep -qE '^[0-9.]+,msec,task-clock' stat.err || fail "not counted: $(cat stat.err)"
grep -qx task-clock stat.err || fail "no list"; grep -q "'nonsense' is not understood" stat.err || fail "took nonsense"
grep -q '^hint: the commands are enable' stat.err || fail "no hint"
start -I 100000; tell enable; runs; tell disable; tell stop; wait $pid
same "$(grep -c task-clock stat.err)" 3 "intervals: off, on, the rest"
# one event of two
start -e page-faults; tell 'enable task-clock'; runs; tell 'disable task-clock'; tell 'evlist -g'; tell 'evlist -v'
echo 'disable nosuch' >ctl; tell stop; wait $pid
grep -qE '^[0-9.]+,msec,task-clock' stat.err || fail "task-clock was turned on: $(cat stat.err)"
grep -q '^<not counted>,,page-faults' stat.err || fail "page-faults was not: $(cat stat.err)"
grep -q "there is no event 'nosuch'" stat.err || fail "turned off what is not there"; grep -q '^page-faults: type: 1' stat.err || fail "evlist -v"
run "$SONDE" stat -D -1 true; exits 129; err_has 'waits for --control'
run "$SONDE" stat --control fifo:"$PWD" true; exits 255; err_has 'not a named pipe'
# two sockets, four cores each, two to a cluster and an L2, an L3 for each socket
mkdir -p k/proc; mkdir -p k/sys/devices/system/cpu; echo 0-7 >k/sys/devices/system/cpu/online; echo '* * ok 5 1 1' >k/perf_event_open
for c in 0 1 2 3 4 5 6 7; do
	d=k/sys/devices/system/cpu/cpu$c; mkdir -p $d/topology $d/cache/index0 $d/cache/index1
	echo $((c / 4)) >$d/topology/physical_package_id; echo 0 >$d/topology/die_id; echo $((c % 4)) >$d/topology/core_id
	echo $((c / 2 * 8)) >$d/topology/cluster_id
	echo 2 >$d/cache/index0/level; echo $((c / 2 * 2))-$((c / 2 * 2 + 1)) >$d/cache/index0/shared_cpu_list
	echo 3 >$d/cache/index1/level; echo $((c / 4 * 4))-$((c / 4 * 4 + 3)) >$d/cache/index1/shared_cpu_list
done
export SONDE_KERNEL_ROOT=$PWD/k
run "$SONDE" stat -x, --per-cache -a -e cycles true; ok; same "$(cut -d, -f1-3 "$T/err" | paste -sd' ')" 'S0-D0-L3-ID0,4,20 S1-D0-L3-ID4,4,20'
run "$SONDE" stat -x, --per-cache=L2 -a -e cycles true; ok
same "$(cut -d, -f1-3 "$T/err" | paste -sd' ')" 'S0-D0-L2-ID0,2,10 S0-D0-L2-ID2,2,10 S1-D0-L2-ID4,2,10 S1-D0-L2-ID6,2,10'
run "$SONDE" stat -x, --per-cluster -a -e cycles true; ok
same "$(cut -d, -f1-3 "$T/err" | paste -sd' ')" 'S0-D0-CLS0,2,10 S0-D0-CLS8,2,10 S1-D0-CLS16,2,10 S1-D0-CLS24,2,10'
run "$SONDE" stat -x, --no-merge -a -e cycles true; ok; same "$(grep -c '^CPU' "$T/err")" 8
