# SPDX-License-Identifier: GPL-2.0-or-later
# sonde run on another kernel: what its verifier takes, and all it is to see.
run "$SONDE" run -q -c 'ls /proc/self/status' -e 'BEGIN { $a = 7; $b = -2; printf("%d %d\n", $a / $b, $a % $b); @h = hist(1000); @l = lhist(3, 0, 10, 2); @s["x", 3] = stats(4); @m[comm] = max(3); @t = (1, "q") }
	tracepoint:syscalls:sys_enter_execve /pid == cpid/ { join(args.argv, "+") }
	tracepoint:syscalls:sys_* /pid == cpid/ { @p[probe] = count() }
	tracepoint:sched:sched_process_exec /pid == cpid/ { @[kstack(3)] = count(); printf("exec %s\n", args.filename) }
	tracepoint:sched:sched_switch { @sw[args.prev_comm] = hist(args.next_pid) }
	tracepoint:syscalls:sys_enter_newlstat, tracepoint:syscalls:sys_enter_statx, tracepoint:syscalls:sys_enter_newfstatat /pid == cpid/ { @path[str(arg1)] = count() }
	rawtracepoint:sched_switch { @raw = count() } software:cs:1 { @cs = count() } profile:hz:99 { @u[ustack(2)] = count() }' || :
exits 255; err_has '1:[0-9]+|6:[0-9]+'; err_has 'arg1 means nothing at tracepoint:syscalls:'
run "$SONDE" run -q -c 'ls /proc/self/status' -e 'BEGIN { $a = 7; $b = -2; printf("%d %d\n", $a / $b, $a % $b); @h = hist(1000); @l = lhist(3, 0, 10, 2); @s["x", 3] = stats(4); @m[comm] = max(3); @t = (1, "q") }
	tracepoint:syscalls:sys_enter_execve /pid == cpid/ { join(args.argv, "+") }
	tracepoint:syscalls:sys_* /pid == cpid/ { @p[probe] = count() }
	tracepoint:sched:sched_process_exec /pid == cpid/ { @[kstack(3)] = count(); printf("exec %s\n", args.filename) }
	tracepoint:sched:sched_switch { @sw[args.prev_comm] = hist(args.next_pid) }
	rawtracepoint:sched_switch { @raw = count() } software:cs:1 { @cs = count() } profile:hz:99 { @u[ustack(2)] = count() }'; ok
has '^-3 1$'; has '^ls\+/proc/self/status$'; has '^exec .*/ls$'; has '^@p\[tracepoint:syscalls:sys_enter_exit_group\]: 1$'
has '^    bprm_execve|^    .*exec.*\+[0-9]+$'; has '^@raw: [1-9]'; has '^\[512, 1K\) +1 \|@{52}\|$'; has '^@t: \(1, q\)$'; err_hasnt 'refuses'
