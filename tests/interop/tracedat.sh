# SPDX-License-Identifier: GPL-2.0-or-later
# trace.dat beside trace-cmd: it reads what sonde writes, and both print the same lines.
# timeout: 180
[ "$(id -u)" = 0 ] || skip "needs root"
[ -w /sys/kernel/tracing/instances ] || skip "no tracefs instances here"
trace_cmd

# What is left out of the comparison: the letters of states (trace-cmd 3.1's plugin has those of an old kernel), addresses that
# it makes of page numbers, and which of two names of an address a stack has.
lines() { sed -E 's/^=> .* \(/=> (/; s/\] [A-Z|+]+ ==>/] ? ==>/'"$odd" | grep -v 'mm_page_'; }
# Other tests have threads with names of any bytes: trace-cmd reads the list of names up to the first that is no line of its own,
# so that then the names in front are left out as well. What such a thread does has no line to compare: it is recorded again.
odd=
odd_names() { "$SONDE" ftrace dump --cmd-lines "$1" | grep -E '\\x|^[^0-9]|^[0-9]+ *$' >/dev/null; }
record_plain() { # FILE ARGUMENTS OF RECORD
	for _ in 1 2 3 4 5 6 7 8; do
		run "$SONDE" ftrace record -q -o "$@"; ok
		"$SONDE" ftrace report "$1" | grep -F '\x' >/dev/null || break
	done
}
alike() { # FILE OPTION...
	odd=; ! odd_names "$2" || odd='; s/^.*-([0-9]+ +(\[[0-9]{3}\]|[0-9]+[^ ]{3,8} ))/\1/'
	"$TRACE_CMD" report "$@" 2>"$T/err" | lines >theirs; "$SONDE" ftrace report "$@" 2>"$T/err" | lines >ours
	[ "$(wc -l <theirs)" -gt 5 ] || fail "trace-cmd prints nothing of $*"
	cmp theirs ours || { diff theirs ours | head -n 10; fail "report $* differs from trace-cmd's"; }
}
for how in "--file-version 6" "--compression none" "--compression zstd" "--compression zstd -C mono" "-T" "-b 8 -s 1000000"; do
	record_plain a.dat $how -e sched -e irq -e syscalls -e timer -B second -e workqueue -e 'sched_wakeup*' \
		bash -c 'for i in 1 2 3; do /bin/true; cat /etc/hostname; done'
	alike -i a.dat
	run "$TRACE_CMD" dump --validate -i a.dat; ok
done
record_plain b.dat -e sched -e irq bash -c 'for i in 1 2 3; do /bin/true; done'
for how in -t -l -N -R -w --raw-ts --align-ts -I -S "--cpu 0" "-l -t" "-l -R" "-n sched" "-r sched" --ts-diff; do alike -i b.dat $how; done
"$TRACE_CMD" report -F 'sched_switch : prev_pid > 1' -i b.dat 2>/dev/null | lines >theirs
"$SONDE" ftrace report -F 'sched_switch : prev_pid > 1' -i b.dat | lines >ours; cmp theirs ours || fail "a filter differs"
# every operation of futex with every flag, and some that are none
record_plain f.dat -e 'syscalls:sys_*_futex' python3 -c '
import ctypes
call, word, other, time = ctypes.CDLL(None).syscall, ctypes.c_int(0), ctypes.c_int(2), (ctypes.c_long * 2)(0, 1000)
for op in range(16):
    for flags in range(0, 1024, 128):
        call(202, ctypes.byref(word), op | flags, 5, ctypes.c_long(3) if op in (3, 4, 5, 12) else time, ctypes.byref(other), 7)'
alike -i f.dat; [ "$(grep -c 'op=FUTEX_' ours)" -ge 52 ]
record_plain d.dat --date -e sched true; alike -i d.dat
run "$SONDE" ftrace split -i a.dat -e 100 -r -o part; ok; alike -i part.1; alike -i part.2
for what in -e --uname --version -E -P -f --stat; do same "$("$SONDE" ftrace report $what -i b.dat)" "$("$TRACE_CMD" report $what -i b.dat)" "report $what"; done
