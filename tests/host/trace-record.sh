# SPDX-License-Identifier: GPL-2.0-or-later
# trace record keeps other events and what stacks need; trace -i and perf read them.
# needs: perf
[ "$(id -u)" = 0 ] || skip "needs root"
want='inner middle outer main'
stack() { grep -Eo '^ {30,}(inner|middle|outer|main) ' "$1" | tr -d ' ' | tr '\n' ' ' | sed 's/ $//'; }
line() { told lines "$1" || { head -40 lines; fail "no line: $1"; }; }
rec() { run "$SONDE" trace record -o t.data "$@"; ok; "$SONDE" trace -i t.data -o lines; }
for engine in bpf perf ptrace; do
	rec --engine=$engine --call-graph dwarf -e write "$PROG/nested"; same "$(stack lines)" "$want" "$engine: the recorded stack"
done
# frame pointers, and the kernel
rec --call-graph fp -e write "$PROG/fp"; line '^ {38}main \(.*/fp\)'
rec --kernel-syscall-graph -e write "$PROG/nested"; line 'do_syscall_64 \(\[kernel'
# events in their order among the calls, with their fields; perf reads them too
rec -e execve,exit_group --event sched:sched_process_exec,sched:sched_process_exit true
joined lines | grep -oE 'sched_process_exec|sched_process_exit|execve\(|exit_group\(|exited' | tr '\n' ' ' >order
same "$(cat order)" 'sched_process_exec execve( exit_group( sched_process_exit exited ' "order"
line 'sched:sched_process_exit\(comm=true pid='
run perf script -i t.data -F comm,event,trace; ok; has 'sched:sched_process_exit: comm=true'; has 'sonde:sysevent'
"$SONDE" trace -i t.data --json -o lines; line '"type":"event".*"event":"sched:sched_process_exit","fields":\{.*"comm":"true"'
"$SONDE" trace -i t.data --no-syscalls -o lines; line sched_process_exit; ! grep -q 'execve(' lines || fail "calls were not wanted"
rec --no-syscalls --event sched:sched_process_exit sh -c '/bin/true; /bin/true'; same "$(grep -c 'sched_process_exit(comm=true' lines)" 2 "ends"
run "$SONDE" trace -i t.data --event sched:sched_switch; exits 129; err_has '^hint: .*trace record --event'
# what perf trace recorded, with another event in it
run perf trace record -o p.data -e sched:sched_process_exit true
if [ "$code" = 0 ]; then "$SONDE" trace -i p.data -o lines; line 'exit_group\('; fi
perf record --buildid-mmap -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_process_exit -o q.data true 2>/dev/null
"$SONDE" trace -i q.data -o lines; line 'exit_group\('; line 'sched:sched_process_exit\(comm=true'
run "$SONDE" trace -i q.data --where 'openat.filename ~ "*"'; exits 255; err_has 'no strings'
