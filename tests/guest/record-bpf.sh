# SPDX-License-Identifier: GPL-2.0-or-later
# record --off-cpu and --filter on samples on Debian's kernel, where perf reads the same files; and a cgroup, which
# the machine that builds may not have.
# guest-perf
# timeout: 240
# shellcheck source=tests/offcpu.sh
. "$TOP/tests/offcpu.sh"
perf script -i command.data >by-perf 2>/dev/null || fail "perf does not read it"
same "$("$SONDE" script -i command.data | grep -c offcpu-time)" "$(grep -c offcpu-time by-perf)" "perf sees other samples"
grep -q 'thread_waits' by-perf || fail "perf finds no name"
perf report -i command.data --stdio >report 2>"$T/err" || fail "perf report"
grep -q "of event 'offcpu-time'" report
# only who is in the cgroup, or below it
mount | grep -q 'type cgroup2' || { mkdir -p /cg; mount -t cgroup2 none /cg; }
top=$(mount | sed -n 's/.* on \([^ ]*\) type cgroup2.*/\1/p' | head -n 1)
echo +pids >"$top/cgroup.subtree_control" # without one perf events know no folder below the first
mkdir -p "$top/some/below"
run "$SONDE" record --off-cpu -a -G some -o in.data sh -c "echo \$\$ >$top/some/below/cgroup.procs; exec $PROG/waits"; ok; cp "$T/out" said
between in.data "${all[@]}"
sleep 1000 & pid=$!
run "$SONDE" record --off-cpu -a -G some -o out.data "$PROG/waits"; ok
same "$("$SONDE" script -i out.data 2>/dev/null | grep -c offcpu-time)" 0 "who is not in the cgroup"
kill $pid
run "$SONDE" record --off-cpu --all-cgroups -o cg.data "$PROG/waits"; ok; perf script -i cg.data >by-perf 2>/dev/null; grep -q offcpu-time by-perf

work=(dd if=/dev/zero of=/dev/null bs=1 count=20k)
for f in 'ip >= 0x8000000000000000' 'ip < 0x8000000000000000'; do
	run "$SONDE" record -e cpu-clock -c 500000 --filter "$f" -o f.data "${work[@]}"; ok; err_has 'left out [1-9]'
	perf script -i f.data -F ip >by-perf 2>/dev/null
	[ -s by-perf ] || fail "$f: perf reads nothing"
	same "$(grep -c '^ *ffffff' by-perf)" "$([ "${f:3:1}" = '<' ] && echo 0 || wc -l <by-perf)" "$f"
done
run "$SONDE" record -e cpu-clock --filter 'uid == 0, time > 0, period > 1, tid > 0, cpu < 64' -o f.data "${work[@]}"; ok; err_hasnt 'left out|lack'
run "$SONDE" record -e cpu-clock -d --filter 'mem_op == load' -o f.data "${work[@]}"; ok; err_has 'left out'
