# SPDX-License-Identifier: GPL-2.0-or-later
# sonde ftrace on this kernel: events in an instance of its own, sessions that stay, refusals; nothing is left, also after kill -9.
# timeout: 180
[ "$(id -u)" = 0 ] || skip "needs root"
tracing=/sys/kernel/tracing
[ -w $tracing/instances ] || skip "no tracefs instances here"
mine=t$$
trap 'rmdir $tracing/instances/$mine{,.2} 2>/dev/null || :' EXIT
left() { find $tracing/instances -maxdepth 1 -name "sonde-$1*"; }

# a command alone, its status, its events
run "$SONDE" ftrace -e sched_process_exec,sched_process_exit sh -c 'exit 7'; exits 7
# (The kernel notes a task's name when it is switched out first: until then a line may say <...>, or who had the number before.)
has '[^ ]-[0-9]+ .*: sched_process_exec: filename=.*/sh '; has 'sched_process_exit: comm=sh'
run "$SONDE" ftrace -e sched_process_exit --inherit sh -c '/bin/true; :'; ok; has 'comm=true'; has 'comm=sh'
run "$SONDE" ftrace --json -e syscalls:sys_enter_openat -e sched_process_exec cat /etc/hostname; ok
grep '^{' "$T/out" >json; python3 - <<'P'
import json
all = [json.loads(l) for l in open("json")]
assert any(e["event"] == "sched_process_exec" and e["comm"] and e["fields"]["filename"].endswith("/cat") for e in all), all
assert any(e["event"] == "sys_openat" for e in all)
P
# a filter; an event that is not wanted
run "$SONDE" ftrace -e sched_process_exit --filter 'comm == "true"' -a sh -c '/bin/true; :'; ok; has comm=true; hasnt comm=sh
# what is wrong is told, and nobody is left waiting
run "$SONDE" ftrace -e sched_process_exe true; exits 255; err_has "no event matches"; err_has "did you mean 'sched_process_exe"
run "$SONDE" ftrace -e sched_switch --filter 'nosuch == 1' true; exits 255; err_has '^hint: the fields of an event'
run "$SONDE" ftrace -t nosuch true; exits 255; err_has "no tracer 'nosuch'"; err_has '^hint: '
grep -qw irqsoff $tracing/available_tracers || { run "$SONDE" ftrace -t irqsoff true; exits 255; err_has '^hint: it was built without CONFIG_IRQSOFF_TRACER'; }
[ -e $tracing/stack_trace ] || { run "$SONDE" ftrace stack true; exits 255; err_has 'no stack tracer'; err_has '^hint: '; }
[ -e $tracing/events/sched/sched_switch/hist ] || { run "$SONDE" ftrace hist hist:keys=common_pid sched_switch true; exits 255; err_has 'no hist triggers'; err_has '^hint: .*tracepoint:sched:sched_switch'; }
run "$SONDE" ftrace hist 'hist:keys=x'; exits 129; err_has 'the event that it counts is missing'
[ -e $tracing/kprobe_events ] || { run "$SONDE" ftrace latency -b -T vfs_read true; exits 255; err_has '^hint: '; err_hasnt nsecs; }
run "$SONDE" ftrace -O nosuch -e sched_switch true; exits 255; err_has "no trace option 'nosuch'"
run "$SONDE" ftrace -e sched_switch no-such-program; exits 255; err_has "cannot run the command"
run "$SONDE" ftrace reprot; exits 255; err_has "neither a verb nor a program"; err_has "^hint: did you mean 'report'"
if grep -qw blk $tracing/available_tracers; then
	run "$SONDE" ftrace -t blk true; ok # needs no file of the function tracer
	# block devices are switched on for it, and off again; unless others have switched some on
	switches() { cat /sys/block/*/trace/enable; }
	if switches | grep 0 >/dev/null && ! switches | grep 1 >/dev/null; then
		after 'switches | grep 1 >/dev/null && [ "$(cat $tracing/current_tracer)" = blk ]' KILL "$SONDE" ftrace -t blk -o blk.out; exits 137
		await '! switches | grep 1 >/dev/null && [ "$(cat $tracing/current_tracer)" = nop ]'
	fi
fi
run "$SONDE" ftrace -m 3X true; exits 129; err_has "not a size"
for o in '--timeout -5' '--delay -5' '--timeout x'; do run "$SONDE" ftrace $o -e sched_switch true; exits 129; err_has "takes a number of milliseconds, not '"; done
if ! head -c 1 $tracing/available_filter_functions >/dev/null 2>&1; then
	run "$SONDE" ftrace -T vfs_read true; exits 255; err_has "closes|has no"; err_has '^hint: '
	run "$SONDE" ftrace list -f; exits 255; err_has '^hint: .*function tracers need it'
fi
run as_nobody "$SONDE" ftrace -e sched_switch true; exits 255; err_has '^hint: '

# with -d the headings come when all has been traced, and say how much there is
run "$SONDE" tpoint -H -d 1 sched:sched_switch; ok; has '^# entries-in-buffer/entries-written: [1-9]'; has 'sched_switch: '

# a session stays, and goes with reset
run "$SONDE" ftrace start -B $mine -e sched_process_exit -b 512; ok
[ -d $tracing/instances/$mine ] || fail "start left no instance"
/bin/true; sh -c 'printf "\033[31mred" >/proc/$$/comm'
run "$SONDE" ftrace show -B $mine; ok; has 'sched_process_exit: comm=true'
has 'sched_process_exit: comm=.x1b.31mred'; hasnt "$(printf '\033')"
run "$SONDE" ftrace stat -B $mine; ok; has "^Instance: $mine"; has '^ +sched:sched_process_exit'; has '^Tracing is enabled'; has '^CPU 0: '
run "$SONDE" ftrace stop -B $mine; ok; same "$(cat $tracing/instances/$mine/tracing_on)" 0
run "$SONDE" ftrace restart -B $mine; ok; same "$(cat $tracing/instances/$mine/tracing_on)" 1
run "$SONDE" ftrace options -B $mine noirq-info; ok; run "$SONDE" ftrace options -B $mine; has '^noirq-info'
run "$SONDE" ftrace stop -B $mine; run "$SONDE" ftrace clear -B $mine; ok
run "$SONDE" ftrace show -B $mine; hasnt comm=
run "$SONDE" ftrace list -B; ok; has "^$mine\$"
run "$SONDE" ftrace start -B $mine -e nosuchevent; exits 255
[ -d $tracing/instances/$mine ] || fail "a session was taken away by a start that failed"
run "$SONDE" ftrace reset -B $mine; ok
[ ! -e $tracing/instances/$mine ] || fail "reset left the instance"
run "$SONDE" ftrace show -B $mine; exits 255; err_has "there is no instance '$mine'"
run "$SONDE" ftrace start -B $mine -e nosuchevent; exits 255
[ ! -e $tracing/instances/$mine ] || fail "a start that failed left an instance"
run "$SONDE" ftrace list -e '^sched:sched_process_ex' -F; ok; has '^name: sched_process_exec'; has 'field:pid_t pid'
run "$SONDE" ftrace list -C; ok; has 'local.*mono'

# several at once; -v is of every -e after it
for n in $mine $mine.2; do run "$SONDE" ftrace start -B $n -e sched -v -e sched_switch -e sched_waking; ok; done
run "$SONDE" ftrace stat -B $mine -o; has 'sched:sched_wakeup$'; hasnt 'sched:sched_(switch|waking)$'; has 'print-parent'
run "$SONDE" ftrace stop -B $mine -B $mine.2; ok; same "$(cat $tracing/instances/$mine{,.2}/tracing_on)" $'0\n0'
run "$SONDE" ftrace reset -B $mine -B $mine.2; ok; [ ! -e $tracing/instances/$mine ] && [ ! -e $tracing/instances/$mine.2 ] || fail "reset left an instance"

# kill -9: the guardian removes what there was
top=$(cat $tracing/set_event $tracing/current_tracer $tracing/tracing_on)
after 'left $pid | grep -q . && [ "$(cat '$tracing'/instances/sonde-$pid/tracing_on)" = 1 ] && echo $pid >killed' KILL "$SONDE" ftrace -e sched_switch -o trace
exits 137
await "! [ -e $tracing/instances/sonde-$(cat killed) ]"
same "$(cat $tracing/set_event $tracing/current_tracer $tracing/tracing_on)" "$top"
# Ctrl-C: what was seen is there, and the end is clean
after '[ -s seen ]' INT "$SONDE" ftrace -e sched_switch -o seen; ok
grep -q 'sched_switch: ' seen || fail "nothing was written"
# a probe that somebody else has switched on, too, is taken away when he lets go of it
mkdir $tracing/instances/$mine
"$SONDE" uprobe -o seen "p:$mine libc:mallinfo" 2>err & pid=$!
await '[ -e $tracing/instances/$mine/events/sonde_$pid/enable ] && ready $pid'
echo 1 >$tracing/instances/$mine/events/sonde_$pid/enable
kill -INT $pid; wait $pid && fail "nothing is said of a probe that stays" || :
grep -q 'could not be put back: .*uprobe_events: .*busy' err || fail "$(cat err)"; grep -q '^hint: somebody else uses it' err || fail "$(cat err)"
grep -q "sonde_$pid/$mine" $tracing/uprobe_events || fail "it is gone already"
echo 0 >$tracing/instances/$mine/events/sonde_$pid/enable
await '! grep -q "sonde_$pid/$mine" $tracing/uprobe_events'
