# SPDX-License-Identifier: GPL-2.0-or-later
# The example scripts of Debian's systemtap-doc give what their descriptions promise, when something happens that triggers each.
# fetch: interop/fetch-stap-examples
# timeout: 900
# shellcheck disable=SC2016
[ "$(id -u)" = 0 ] || skip "scripts that ask the kernel are for root"
[ -e /sys/bus/event_source/devices/uprobe ] || skip "no uprobes"
dir=$("$TOP/tests/interop/fetch-stap-examples") || exit $?
. "$TOP/tests/stap-examples.sh"
trap busy_end EXIT
busy_begin
t=6 # seconds, for those that do not end by themselves
watched general/alias_suffixes.stp "-T $t" '^intervals for (read|write) -- min:[0-9]+us avg:[0-9]+us max:[0-9]+us count:[1-9]' '^ +[0-9]+ \|@+ +[1-9]'
watched general/also_ran.stp "-T $t" '^usage_count\{path=(.*/)?napper\} [1-9]'
watched general/ansi_colors.stp '' '^fg,t . bg ' '30,0 +\| Normal'
watched general/ansi_colors2.stp '' '^ +30,4 +\| Colors'
watched general/eventcount.stp "syscall.fsync syscall.kill -T $t" '[1-9][0-9]* \([0-9]+\) +syscall.(fsync|kill)|busybody'
watched general/func_time_stats.stp "syscall.fsync -T $t" '^intervals min:[0-9]+us avg:[1-9][0-9]*us max:[1-9][0-9]*us count:[1-9]' '\|@'
watched general/graphs.stp "-T $t" 'title "ioblock".*title "cpu"' '^[1-9][0-9]*$'
watched general/helloworld.stp '' '^hello world$'
watched general/regex.stp "-T $t" '^opened "?thing\.tar\.gz'
watched general/stopwatches.stp "-c 'dd if=/dev/zero of=/dev/null bs=1 count=20000'" '^wall clock +[1-9][0-9]*us$' '^wall clock in user-space +[1-9][0-9]*us$' '^wall clock in kernel-space +[1-9][0-9]*us$'
watched general/watchdog.stp "syscall.clock_nanosleep syscall.clock_nanosleep.return 50 -c 'sleep 1'" 'pstack' # which it runs
watched interrupt/interrupts-by-dev.stp "-T $t" 'DEVICE.*NUMBER OF INTERRUPTS' '^ *[^ ].* : +[1-9][0-9]*$'
watched io/deviceseeks.stp "-T $t" '^Device: ' '\|@*.* [1-9][0-9]*$'
watched io/iostats.stp "-T $t" '^ +name +open +read +KB tot' '^ +[^ ]+( [^ ]+)* +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[1-9][0-9]* +[0-9]+ +[1-9][0-9]*$'
watched io/iotime.stp "-T $t" '\(busybody\) access written read: [0-9]+ write: 32768$' '\(busybody\) iotime written time: [1-9]'
watched io/mbrwatch.stp "-T $t" '^device [^ ]+ sector [0-9]+ (read|write), process .+\[[0-9]+\]$' '^ 0x[0-9a-f]+ : [a-z_]+.*\[kernel\]$'
watched lwtools/accept2close-nd.stp "-T $t" ' busybody +[0-9]+ +[0-9]+ ms$' '^Duration \(ns\):' '^ *[0-9]+ \|@+ +[1-9]'
watched lwtools/biolatency-nd.stp "-T $t" '^bio latency \(ns\):' '\|@+ +[1-9]'
watched lwtools/bitesize-nd.stp "-T $t" '^process name: ' '^ *4096 \|@+ +[1-9]'
watched lwtools/execsnoop-nd.stp "-T $t" ' napper \./napper 0\.01$'
watched lwtools/killsnoop-nd.stp "-T $t" '^[0-9]+ +busybody +10 +[0-9]+' '^[0-9]+ +busybody +9 +[0-9]+'
watched lwtools/opensnoop-nd.stp "-T $t" ' busybody +[0-9]+ "?thing\.tar\.gz'
watched lwtools/rwtime-nd.stp "-T $t" '^syscall read latency \(ns\):' '^syscall write latency \(ns\):' '\|@+ +[1-9]'
watched lwtools/syscallbypid-nd.stp "-T $t" '^[0-9]+ +busybody +fsync +[1-9]'
watched memory/last_100_frees.stp '-c "sh -c true"' '^free #[0-9]+: .*, pointer 0x[0-9a-f]+:$'
watched memory/mmfilepage.stp "-T $t" '^Command +Pid +Alloc +Free' '^busybody +[0-9]+ +[0-9]+ +[0-9]+ +[1-9]'
watched memory/vm.tracepoints.stp "-T $((t + 6))" '^Process:.' '^Slab_size:[1-9][0-9]*'$'\t''Count:[1-9]'
watched network/dropwatch.stp "-T $t" '[1-9][0-9]* packets dropped at [a-z_0-9]+'
watched network/nettop.stp "-T $t" '^ *[0-9]+ +0 lo +[1-9][0-9]* +[1-9][0-9]* .* busybody'
watched process/chng_cpu.stp "busybody -T $t" '^thread [0-9]+ \(busybody\) context switched on cpu[0-9]+ state: -?[0-9]+' '[a-z_]+\+(0x)?[0-9a-f]+'
watched process/cycle_thief.stp "-c 'sh -c \"i=0; while [ \\\$i -lt 300000 ]; do i=\\\$((i+1)); done\"'" '^task [0-9]+ migrated: [0-9]+' 'other pids taking processor from task [1-9]'
watched process/errsnoop.stp "1 10 -T $t" 'HITS ERRSTR +SYSCALL +PROCESS +PID ARGSTR' '^ *[1-9][0-9]* +[1-9][0-9]*/E[A-Z0-9]+ +[a-z_0-9]+ +[^ ]'
watched process/forktracker.stp "-T $t" ': busybody \([0-9]+:[0-9]+\) created [0-9]+:[0-9]+$' ": busybody \\([0-9]+\\) is exec'ing \\./napper"
watched process/futexes.stp "-T $t" '^busybody\[[0-9]+\] lock 0x[0-9a-f]+ contended [1-9][0-9]* times, [1-9][0-9]* avg us$'
watched process/migrate.stp "busybody -T $t" '^thread [0-9]+ \(busybody\) is migrating from [0-9]+ to [0-9]+ ?$'
watched process/proc_snoop.stp "-T $t" ' busybody +create p:[0-9]+ t:[0-9]+ n:busybody' ' napper +exit 0' 'sigsend 9 \(SIGKILL\)'
watched process/proctop.stp "-T $t" '^ +PID +Process +State +VirtMem' '^ +[0-9]+ +[^ ].* +(R|S|D|T|Z|DEAD|EXIT_DEAD) +[1-9][0-9]* +[1-9][0-9]* +[0-9]+ +[0-9]+ +[0-9]+$'
watched process/pstree.stp "-T $t" '^digraph pstree' 'label="\([0-9]+\) (\./)?napper"'
watched process/sched-latency.stp "-T 8" '\|@+ +[1-9]'
watched process/schedtimes.stp "-T $t" '^ +execname: +pid +run\(us\)' '^ +busybody: +[0-9]+ +[1-9]'
watched process/sig_by_pid.stp "-T $t" '^[0-9]+ +busybody +[0-9]+ +busybody +SIGUSR1 +[1-9]' ' SIGKILL +[1-9]'
watched process/sig_by_proc.stp "-T $t" '^busybody +busybody +SIGKILL +[1-9]'
watched process/sigkill.stp "-T $t" '^SIGKILL was sent to busybody \(pid:[0-9]+\) by busybody uid:0$'
watched process/sigmon.stp "SIGUSR1 -x ${busy[0]} -T $t" "^${busy[0]} +busybody +${busy[0]} +busybody +10 +SIGUSR1"
watched process/sleeptime.stp "-T $t" '\(busybody\) (clock_)?nanosleep: [1-9][0-9]*$' '\(napper\) clock_nanosleep: [1-9]'
watched process/spawn_seeker.stp "-T $t" '^ +busybody\( *[0-9]+\) +[1-9][0-9]* \( *[0-9]+%\)'
watched process/strace.stp "-G follow_fork=1 -c 'cat /nothing/there || true'" 'cat\[[0-9]+\] openat\(-100, "/nothing/there".*\) = -2 \(ENOENT\)$' 'cat\[[0-9]+\] exit_group\(1\)'
watched process/syscalls_by_pid.stp "-T $t" '^#SysCalls +PID' '^[1-9][0-9]* +[0-9]+$'
watched process/syscalls_by_proc.stp "-T $t" '^[1-9][0-9]* +busybody$'
watched process/thread-business.stp "-T $((t + 6))" '^ *execname +tid count recent syscalls' '^ +[^ ]+ +[0-9]+ +[1-9][0-9]* [a-z_0-9]+ [a-z_0-9]+ '
watched process/wait4time.stp "-T $t" '\(busybody\) wait4: [1-9][0-9]*'
watched profiling/errno.stp "-T $t" '^ +[0-9]+ [a-z_0-9]+ +[^ ].* E[A-Z]+ +[1-9][0-9]*$'
watched profiling/fileline-profile.stp "-T $t" '^--- [1-9][0-9]* samples recorded:' '^[uk]:[^ ]+.* [^ ]* *[1-9][0-9]*$|^[uk]:[^ ].*	 +[1-9][0-9]*$'
watched profiling/ioctl_handler.stp "-T $t" '^busybody [1-9]' '^ +[a-z0-9_]+\+0 [1-9]'
watched profiling/pf2.stp "-T 8" '^--- [1-9][0-9]* samples recorded:' '^[a-z_0-9.]+ *'$'\t'' +[1-9][0-9]*$'
watched profiling/pf3.stp "-T 8" '^--- [1-9][0-9]* samples recorded:' '^u:.*:[a-zA-Z_].*[1-9]$|^k:kernel:[a-z_].*[1-9]'
watched profiling/pf4.stp "-T 8" '^--- [1-9][0-9]* samples recorded:' '^[1-9][0-9]* hits on cpu [0-9]+$' '^[a-zA-Z_0-9.]+\+(0x)?[0-9a-f]+'
watched profiling/sched_switch.stp "name busybody -T $t" '^busybody +[0-9]+ +[0-9]+ +[0-9]+: +[0-9]+:[A-Z]* +==> '
watched profiling/syscallerrorsbypid.stp "-T $t" '"[^"]+\[[0-9]+\]".*E[A-Z]+.*\} [1-9][0-9]*$'
# a process's sums go with the first of its threads that ends
watched profiling/syscalllatency.stp "-T $t -c 'sh -c \"while :; do sleep 0.1; done\"'" '="wait4".*\} [1-9][0-9]*\.[0-9]+$'
watched profiling/syscallsbypid.stp "-T $t" '^syscall_count\{pid="[^"]+\[[0-9]+\]",name="[a-z_0-9]+"\} [1-9]'
watched profiling/thread-times.stp "-T $t" '^ +comm +tid +%user %kernel \(of [1-9][0-9]* ticks\)' '^ *[^ ].* +[0-9]+ +[0-9.]+% +[0-9.]+%$'
watched profiling/topsys.stp "-T 8" '(read|write|fsync) +[1-9]'
watched profiling/ucalls.stp "syscalls -c 'cat /nothing/there || true'" '^syscall\.openat +[1-9]'
watched stapgames/lifegame.stp "-T 3" '[^ ]'
all_watched
[ "$lacking" = 0 ] || fail "$lacking scripts do not give what they promise"
