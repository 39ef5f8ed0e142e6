# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# timeout: 180
# Scripts in the shape of those that come with perf run unchanged: handlers by subsystem and event with perf's
# thirteen common arguments, Core and Util imported from perf's folder, EventClass, command lines.
[ "$(id -u)" -eq 0 ] || skip "tracepoints are for root"
. "$TOP/tests/recordings.sh"
calls() {
	"$SONDE" record -q -a -o t.data -e 'raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,syscalls:sys_enter_futex,syscalls:sys_exit_futex' \
		"$PROG/profiled" 30 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
}
record_until 'none_lost t.data' calls # others may make more calls than there is room for
head='import os, sys
sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
from perf_trace_context import *
from Core import *
from Util import *
'
# System calls, counted for one command.
{ echo "$head"; cat <<'P'
wanted = None
if len(sys.argv) > 1:
    wanted = sys.argv[1]
calls = autodict()
def trace_begin():
    print("counting")
def trace_end():
    for number, count in sorted(calls.items(), key=lambda kv: (kv[1], kv[0]), reverse=True):
        print("%-40s %10d" % (syscall_name(number), count))
def raw_syscalls__sys_enter(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                            common_callchain, id, args):
    if wanted is not None and common_comm != wanted:
        return
    try:
        calls[id] += 1
    except TypeError:
        calls[id] = 1
P
} >counts.py
run "$SONDE" script -i t.data -s counts.py profiled; ok; has '^counting$'
"$SONDE" script -i t.data -c profiled -F trace 2>/dev/null | sed -n 's/^ *NR \([0-9-]*\) (.*/\1/p' | sort | uniq -c | awk '{ print $1 }' | sort -n >want
tail -n +2 "$T/out" | awk '{ print $NF }' | sort -n | diff want - || fail "the counts are not those of the recording"
has '^(write|1) +30$'
# Switches: who ran how long.
{ echo "$head"; cat <<'P'
ran, since = {}, {}
def sched__sched_switch(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm, common_callchain,
                        prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio, perf_sample_dict):
    now = nsecs(common_secs, common_nsecs)
    assert perf_sample_dict['sample']['cpu'] == common_cpu and perf_sample_dict['comm'] == common_comm
    if common_cpu in since:
        ran[prev_comm] = ran.get(prev_comm, 0) + now - since[common_cpu]
    since[common_cpu] = now
    flag_str("sched__sched_switch", "prev_state", prev_state)
def trace_unhandled(event_name, context, event_fields_dict, perf_sample_dict):
    pass
def trace_end():
    assert 'profiled' in ran and all(v >= 0 for v in ran.values()), ran
    print("switched", len(ran), nsecs_str(ran['profiled']))
P
} >switches.py
run "$SONDE" script -i t.data -s switches.py; ok; has '^switched [0-9]+ '
# Futexes: how long threads wait, enter and exit paired by thread.
{ echo "$head"; cat <<'P'
process_names, start, waited = {}, {}, {}
def syscalls__sys_enter_futex(event, ctxt, cpu, s, ns, tid, comm, callchain, nr, uaddr, op, val, utime, uaddr2, val3):
    cmd = op & FUTEX_CMD_MASK
    if cmd != FUTEX_WAIT:
        return
    process_names[tid] = comm
    start[tid] = nsecs(s, ns)
def syscalls__sys_exit_futex(event, ctxt, cpu, s, ns, tid, comm, callchain, nr, ret):
    if tid in start:
        add_stats(waited, tid, nsecs(s, ns) - start.pop(tid))
def trace_end():
    for tid, (least, most, avg, count) in waited.items():
        assert least <= avg <= most and count > 0
    print("futex", len(waited))
P
} >futex.py
run "$SONDE" script -i t.data -s futex.py; ok; has '^futex [0-9]+$'
