# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# timeout: 300
# alone
# `sonde report --stdio` prints what `perf report --stdio` prints, numbers and order, on the same recordings.
# Branches of a call graph that weigh the same may stand in any order (ties.py). What is made alike: perf's random tip, and perf's stray word behind [...].
perf612
. "$TOP/tests/recordings.sh"
alike() { grep -v '^# (Tip' | sed -E 's/\[\.\.\.\] \(inlined\)/[...]/'; }
compare() { # NAME OPTIONS...
	local name=$1; shift
	"${READER:-$PERF612}" report --no-inline --stdio "$@" -i "$name.data" 2>/dev/null | alike >want
	run "$SONDE" report --no-inline --stdio "$@" -i "$name.data"; ok
	alike <"$T/out" >got
	[ "$(wc -l <want)" -gt 12 ] || fail "perf prints nothing for $name $*"
	diff want got >differ || python3 "$TOP/tests/interop/ties.py" want got || { : >"$T/out"; fail "report of $name $* differs from perf's: $(head -c 600 differ)"; }
}
# rec FILE OPTION...: again where others on this machine have spoilt it (see recordings.sh).
rec() { for _ in {1..10}; do perf record -q --buildid-mmap -o "$@" 2>/dev/null || return; no_bpf "$1" && all_named "$1" && return; done; }

rec fp.data -F 5000 -g -e cpu-clock "$PROG/profiled" 300
for how in '' --no-children '-g fractal' '-g flat' '-g folded' '-g callee' '-g graph,0.1,callee' '--no-children -g caller' \
	'--no-children -g fractal,5' '-g none' '-g count' '-g period,folded' -G -n '--show-total-period -n' '--percent-limit 1' \
	'-s sym' '-s dso' '-s comm' '-s pid' '-s cpu,comm' '-s parent' '--max-stack=6 -s parent' '-p descend|sorter -s parent' \
	'-p ^work$ -x -s parent,sym' '-c profiled' '--dsos libc.so.6' '--dsos libc.so.6,profiled' '--symbols compare,leaf_a' \
	'-S compare' '--percentage relative --dsos profiled' '-F overhead,sample,comm' '-F sample,sym' '-F +period' '-s +cpu' \
	'--hierarchy -g none' '--hierarchy -s comm,dso -g none' '-t ,' '-w 10,10,10' --show-cpu-utilization '--max-stack 2' leaf '--time 0,9999999' -q; do
	# shellcheck disable=SC2086
	compare fp $how
done
rec plain.data -F 5000 -e cpu-clock "$PROG/profiled" 300
compare plain
compare plain -s time --time-quantum 10ms
# A recording all of whose stacks perf (6.1, whose unwinder gets further than 6.12's) can follow (see stacks.py): one in ten has a sample that it cannot.
for _ in {1..10}; do
	rec dwarf.data -F 1000 --call-graph dwarf,4096 -e cpu-clock "$PROG/profiled" 200
	perf script --no-inline -i dwarf.data 2>/dev/null >want
	"$SONDE" script --no-inline -F +dsoff -i dwarf.data >got
	rc=0; python3 "$TOP/tests/interop/stacks.py" --whole want got >said || rc=$?
	[ $rc -eq 3 ] || break
done
[ $rc -eq 0 ] || { tail -n 60 said; fail "the stacks of dwarf differ from perf's"; }
READER=perf compare dwarf
READER=perf compare dwarf --no-children
rec packed.data -z -F 5000 -g -e cpu-clock "$PROG/profiled" 300
compare packed
rec all.data -a -g -F 500 -e cpu-clock --all-cgroups "$PROG/profiled" 300
compare all --no-children -c profiled # others on the machine may have any names
compare all --no-children -c profiled -s cpu,dso
compare all --no-children -c profiled -s cgroup,comm
rec group.data -F 3000 -e '{cpu-clock,page-faults}' "$PROG/profiled" 200
compare group
compare group --no-group
perf record -q --buildid-mmap -o - -F 3000 -g -e cpu-clock "$PROG/profiled" 200 2>/dev/null >pipe.data
"$PERF612" report --stdio -i - <pipe.data 2>/dev/null | alike >want
"$SONDE" report --stdio -i - <pipe.data | alike >got
diff want got >/dev/null || fail "the report of a pipe differs"
if rec tp.data -a -e 'sched:sched_switch,sched:sched_wakeup,raw_syscalls:*' "$PROG/profiled" 100; then
	compare tp
	compare tp -s trace
	compare tp -s next_pid
	compare tp -s prev_comm,next_comm
	# a key of one event is none of another that has such a field too
	rec tpw.data -a -e 'sched:sched_wakeup,sched:sched_waking' sh -c 'sleep 0.01; sleep 0.01'
	run "$SONDE" report -s sched_wakeup.pid -i tpw.data; ok
	same "$(awk '/of event .sched:sched_waking/ { on = 1 } on && $1 ~ /%$/ { print $1 }' "$T/out")" 100.00% "all of sched_waking are one line"
	rec tpg.data -g -e 'sched:sched_switch,raw_syscalls:sys_enter' "$PROG/profiled" 100
	compare tpg
	rec mixed.data -F 3000 -e cpu-clock,page-faults,sched:sched_switch "$PROG/profiled" 200
	compare mixed
fi
