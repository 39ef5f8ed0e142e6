# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# alone
# Counts against perf stat's: tracepoints exactly, page faults within 2 %.
ev=syscalls:sys_enter_getppid,syscalls:sys_exit_getppid,syscalls:sys_enter_execve,syscalls:sys_exit_execve
ev=$ev,syscalls:sys_exit_clone3,syscalls:sys_exit_clone,syscalls:sys_enter_exit_group,syscalls:sys_exit_openat
ev=$ev,syscalls:sys_enter_mmap,syscalls:sys_enter_exit,syscalls:sys_enter_semget
[ -d /sys/kernel/tracing/events/syscalls ] || skip "no syscall tracepoints"
counts() { cut -d, -f1,3 "$T/err"; }
run perf stat -x, -e $ev "$PROG/syscounts"; ok; theirs=$(counts)
run "$SONDE" stat -x, -e $ev "$PROG/syscounts"; ok; same "$(counts)" "$theirs" "BPF counts are not perf's"
run "$SONDE" stat --no-bpf -x, -e $ev "$PROG/syscounts"; ok; same "$(counts)" "$theirs" "perf event counts are not perf's"
grep -q '^380,,syscalls:sys_enter_getppid' "$T/err" || fail "not 380 calls"
# other tracepoints
ev=sched:sched_process_fork,sched:sched_process_exec,sched:sched_process_exit
for _ in {1..9}; do # (perf missed all the ends once)
	run perf stat -x, -e $ev "$PROG/syscounts"; ok; theirs=$(counts)
	grep -q "^0," <<<"$theirs" || break
done
run "$SONDE" stat -x, -e $ev "$PROG/syscounts"; ok; same "$(counts)" "$theirs"
# page faults: the sum of fifteen each, by turns (one run differs from the next by a few in a hundred: where
# things are put in memory is random)
a=0 b=0
for _ in {1..15}; do
	n=$("$SONDE" stat -x, -e page-faults ls /usr/lib 2>&1 >/dev/null | cut -d, -f1); a=$((a + n))
	n=$(perf stat -x, -e page-faults ls /usr/lib 2>&1 >/dev/null | cut -d, -f1); b=$((b + n))
done
[ $((100 * (a > b ? a - b : b - a))) -le $((2 * b)) ] || fail "page faults: $a, perf says $b"
echo "page faults: $a, perf $b"
# the page has perf's rows
run perf stat -x, -d -d -d true; perf_rows=$(cut -d, -f3 "$T/err")
run "$SONDE" stat -x, -d -d -d true; rows=$(cut -d, -f3 "$T/err" | grep -v '^minor-faults$\|^major-faults$')
same "$rows" "$(echo "$perf_rows" | grep -v '^minor-faults$\|^major-faults$')"
