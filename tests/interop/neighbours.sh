# SPDX-License-Identifier: GPL-2.0-or-later
# perf, strace and bpftrace run beside every command of ours that looks at the whole machine.
# needs: perf strace bpftrace
# timeout: 200
[ "$(id -u)" = 0 ] || skip "needs root"
# beside WHAT COMMAND...: the others while that one is armed; then it ends by itself, cleanly
beside() {
	local pid first c=0 what=$1; shift
	# one perf is there before us, and programs start and map files when both are: the kernel passes what we ask for on to
	# those whose events are older, and perf 6.1 aborts on maps with build-ids
	rm -f go; mkfifo go
	perf record -q -a -e cpu-clock -F 99 -o f.data -- sh -c 'echo >at; read x <go; for i in 1 2 3 4 5; do /bin/ls >/dev/null; done' 2>first.err & first=$!
	await '[ -s at ]'; rm at
	"$@" >ours.out 2>ours.err & pid=$!
	await 'ready $pid || ready "$(pgrep -o -P $pid || echo 0)"' # top watches by a child
	echo >go; wait $first || { cat first.err; fail "$what: the perf that was there before failed"; }
	run perf record -q -a -e cpu-clock -F 99 -o p.data -- sh -c 'for i in 1 2 3 4 5; do /bin/ls >/dev/null; done'; ok
	run perf script -i p.data; ok
	run perf stat -a -e context-switches -- /bin/true; ok
	run perf trace -e openat -- /bin/true; ok; err_has 'openat'
	run strace -f -e trace=openat sh -c /bin/true; ok; err_has 'openat'
	run bpftrace -e 'tracepoint:syscalls:sys_enter_openat { @ = count(); } END { }' -c /bin/true; ok; has '@: [1-9]'
	kill -0 "$pid" || { cat ours.err; fail "$what ended before it was told to"; }
	kill -TERM "$pid"; wait "$pid" || c=$?
	[ $c = 0 ] || { cat ours.err; fail "$what ended with $c"; }
}
beside record "$SONDE" record -a -e cpu-clock -F 99 -o r.data
beside 'record of calls' "$SONDE" record -a -e raw_syscalls:sys_enter -o s.data
beside trace "$SONDE" trace -a -o t.txt
beside 'trace -s' "$SONDE" trace -a -s -o t.txt
beside stat "$SONDE" stat -a -e context-switches,syscalls:sys_enter_openat
beside run "$SONDE" run -q -e 'tracepoint:syscalls:sys_enter_openat { @[comm] = count() } tracepoint:sched:sched_switch { @s = count() } profile:hz:99 { @p[kstack] = count() }'
beside 'record --off-cpu' "$SONDE" record -a --off-cpu -F 99 -o o.data
beside top "$SONDE" top --stdio -d 1
beside 'sched latency' "$SONDE" sched latency sh -c 'trap "kill \$!; exit 0" TERM; sleep 1000 & wait'
beside 'ftrace record' "$SONDE" ftrace record -e sched -e syscalls:sys_enter_openat -o t.dat
beside uprobe "$SONDE" uprobe libc:mallinfo
beside funccount "$SONDE" funccount libc:mallinfo
beside tpoint "$SONDE" tpoint -o l.txt sched:sched_switch
beside 'ftrace stream' "$SONDE" ftrace stream -e sched -e raw_syscalls -o l.txt
ends=(sh -c 'trap "kill \$!; exit 0" TERM; sleep 1000 & wait') # by TERM, and well
beside offcpu "$SONDE" offcpu -a -o l.txt
! "$SONDE" lock contention true >/dev/null 2>&1 || beside lock "$SONDE" lock contention "${ends[@]}"
beside timeline "$SONDE" timeline -o l.html "${ends[@]}"
beside flame "$SONDE" flame -a -q -o l.html
beside 'stat for Prometheus' "$SONDE" stat -a -e context-switches --openmetrics 0 -I 100 -o l.txt
[ "$("$SONDE" script -i r.data | wc -l)" -gt 0 ] || fail "nothing was recorded"

# and the other way round: a perf that asks for build-ids marks our records too
"$SONDE" record -q -a -e cpu-clock -F 99 -o m.data 2>ours.err & pid=$!
await "ready $pid"
perf record -q -a --buildid-mmap -e cpu-clock -F 99 -o b.data -- sh -c 'for i in 1 2 3 4 5; do /bin/ls >/dev/null; done'
kill -TERM $pid; wait $pid
run perf script -i m.data; ok
run "$SONDE" script -i m.data --show-mmap-events; ok; has 'PERF_RECORD_MMAP2.*/bin/ls'; hasnt 'MMAP2.*<[0-9a-f]+>.*/bin/ls'

# A program at a tracepoint leaves the event to others: who counts it there counts all of it.
counted() { perf stat -x, -e sched:sched_process_exec,syscalls:sys_enter_getppid "$PROG/generated" 50 2>&1 | awk -F, '/sched_process_exec|getppid/ { printf "%s ", $1 }'; }
same "$(counted)" "1 50 " "perf alone"
for script in 'tracepoint:sched:sched_process_exec { @[str(args.filename)] = count() }' 'tracepoint:syscalls:sys_enter_getppid { @[args.__syscall_nr] = count() }'; do
	"$SONDE" run -q -e "$script" >/dev/null 2>&1 & pid=$!
	await 'ready $pid'
	same "$(counted)" "1 50 " "beside $script"
	kill -INT $pid; wait $pid
done
"$SONDE" trace -a -e getppid -o /dev/null & pid=$!
await 'ready $pid'
same "$(counted)" "1 50 " "beside trace -e getppid"
kill -INT $pid; wait $pid
