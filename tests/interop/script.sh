# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3
# timeout: 300
# `sonde script` prints what `perf script` prints, line by line, on the same recordings.
perf612
. "$TOP/tests/recordings.sh"
# Copied stacks, unwound by both: the same lines, but where perf cannot (see stacks.py).
unwound() { # NAME
	perf script --no-inline -i "$1.data" 2>/dev/null | alike >want
	run "$SONDE" script --no-inline -F +dsoff -i "$1.data"; ok
	alike <"$T/out" >got
	grep -q ' work+' want || fail "perf does not unwind $1"
	python3 "$TOP/tests/interop/stacks.py" want got >said || { : >"$T/out"; tail -n 60 said; fail "the stacks of $1 differ from perf's"; }
}
# Without --buildid-mmap perf 6.1 aborts when another recorder on the machine asks the kernel for build-ids.
rec() { perf record -q --buildid-mmap -o "$@" 2>/dev/null; }

rec plain.data -F 5000 -e cpu-clock "$PROG/profiled" 300
compare plain
compare plain -F comm,pid,tid,time,ip,sym,dso --ns
compare plain -F -period -c profiled
compare plain --reltime -F comm,tid,time,event
compare plain --show-mmap-events --show-task-events
rec fp.data -F 5000 -g -e cpu-clock "$PROG/profiled" 300
compare fp
compare fp -G
compare fp --max-stack 3
compare fp -F ip,sym
rec dwarf.data -F 1000 --call-graph dwarf,4096 -e cpu-clock "$PROG/profiled" 200
unwound dwarf
rec packed.data -z -F 5000 -g -e cpu-clock "$PROG/profiled" 300
compare packed
rec all.data -a -g -F 500 -e cpu-clock --all-cgroups --switch-events "$PROG/profiled" 300
mine=$(pids_of all)
compare all --pid "$mine"
compare all --pid "$mine" -C 0 --show-switch-events
perf record -q --buildid-mmap -o - -F 3000 -g -e cpu-clock "$PROG/profiled" 200 2>/dev/null >pipe.data
"$PERF612" script --no-inline -i - <pipe.data | alike >want
"$SONDE" script --no-inline -i - <pipe.data | alike >got
diff want got >/dev/null || fail "the script of a pipe differs"
cat pipe.data | "$SONDE" script --no-inline | alike | diff want - >/dev/null || fail "a pipe on standard input is not found"

# Tracepoints need tracefs.
if rec tp.data -a -e 'sched:sched_switch,sched:sched_wakeup,raw_syscalls:*,syscalls:sys_enter_write,kmem:kmalloc,timer:timer_start,irq:softirq_entry' "$PROG/profiled" 100; then
	own=$(pids_of tp)
	compare tp --pid "$own"
	compare tp --pid "$own" -F trace:comm,time,trace
	compare tp --tid "$("$PERF612" script -i tp.data -F tid 2>/dev/null | sort -n | uniq -c | sort -n | awk 'END { print $2 }')"
	rec tpg.data -g -e 'sched:sched_switch,raw_syscalls:sys_enter' "$PROG/profiled" 100
	compare tpg
	rec mixed.data -F 3000 -e cpu-clock,page-faults,sched:sched_switch "$PROG/profiled" 200
	compare mixed

	# A script that perf wrote, and one that sonde wrote, do the same in both.
	perf script -g python -i tpg.data >/dev/null
	unsaid() { sed -E 's/datasrc=[0-9]+, datasrc_decode=[^,]*, //'; }
	perf script -i tpg.data -s perf-script.py | unsaid >want
	run "$SONDE" script -i tpg.data -s perf-script.py; ok
	unsaid <"$T/out" | diff want - >differ || { head differ; fail "a script written by perf says something else"; }
	run "$SONDE" script -g python -i tpg.data; ok; has 'perf-script.py'
	perf script -i tpg.data -s perf-script.py >want
	run "$SONDE" script -i tpg.data -s perf-script.py; ok
	diff want "$T/out" >differ || { head differ; fail "a script written by sonde says something else"; }
fi

# What sonde records with copied stacks, perf unwinds too: of a command, and of a process that already ran.
record_own() { "$SONDE" record -q -o own.data -F 999 -e cpu-clock --call-graph dwarf "$PROG/profiled" 100 2>/dev/null; }
record_late() { # a process that already ran
	local late n
	"$PROG/profiled" 40000 & late=$!
	await '[ $(ran $late) -gt 2 ]'
	n=
	after 'armed && [ -s late.data ] && { [ -n "$n" ] || n=$(ran $late); } && [ $(ran $late) -gt $((n + 30)) ]' TERM \
		"$SONDE" record -q -o late.data -F 999 -e cpu-clock --call-graph dwarf -p $late
	pkill -KILL -P $late || true # its child
	kill $late || true; wait $late || true
}
for name in own late; do
	record_$name
	unwound $name
done
