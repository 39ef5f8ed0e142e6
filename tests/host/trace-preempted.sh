# SPDX-License-Identifier: GPL-2.0-or-later
# The way that is taken where the kernel preempts eBPF programs (tests/interop/preempted.sh has such kernels), on this one.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
export SONDE_BPF_PREEMPTED=1
for loader in light full; do
	SONDE_BPF_LOADER=$loader run "$SONDE" trace --engine=bpf -e openat,write -o lines "$PROG/marks" 4 500; ok
	same "$(joined lines | grep -c ' openat(.*"/dev/null/[0-9]*:[0-9]*".*ENOTDIR')" 2000 "openat, $loader"
	same "$(joined lines | sed -n 's/.*marks\/\([0-9]*\) write(.*"\([0-9]*\):[0-9]*".*/\1 \2/p' | awk '$1 == $2' | wc -l)" 2000 "write, $loader"
done
run "$SONDE" trace --engine=bpf -o lines sh -c 'cat /etc/hostname >/dev/null; exit 0'; ok
grep -q 'cat/[0-9]* openat(.*"/etc/hostname".* = 3</etc/hostname>' lines || { cat lines; fail "a child's calls"; }
grep -q 'new process' lines || fail "births"; grep -q 'cat/[0-9]* +++ exited with 0 +++' lines || fail "ends"
run "$SONDE" trace --engine=bpf -s -o table dd if=/dev/zero of=/dev/null bs=1 count=300; ok; grep -Eq '^ +write +30[0-9] ' table || { cat table; fail "-s"; }
run "$SONDE" trace --engine=bpf -e uname -o lines uname; ok; grep -q 'uname(' lines || fail "a rare call"
run "$SONDE" trace --engine=bpf --call-graph dwarf -e openat -o lines cat /etc/hostname; ok; grep -q __libc_start_main lines || fail "stacks"
run "$SONDE" trace --engine=bpf -a --where 'openat.dfd < 0' -o lines cat /etc/hostname; ok; grep -q 'cat/.*"/etc/hostname"' lines || fail "-a, --where"
run "$SONDE" stat -x , -e syscalls:sys_enter_write,syscalls:sys_exit_write sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300 2>/dev/null'; ok
err_has '^30[0-9],.*sys_enter_write'; err_has '^30[0-9],.*sys_exit_write'
run "$SONDE" record -e raw_syscalls:sys_enter -o data sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300 2>/dev/null'; ok
same "$("$SONDE" script -i data | grep -c 'dd .* NR 1 (1, ')" 300 "recorded writes"
# run: the events raw_syscalls:* stand for those of all calls
run "$SONDE" run -q -c 'dd if=/dev/zero of=/dev/null bs=1 count=300 status=none' -e 'tracepoint:syscalls:sys_enter_write /pid == cpid/ { @[args.fd, args.count] = count() }
	tracepoint:syscalls:sys_exit_write /pid == cpid && args.ret == 1/ { @x = count() } tracepoint:syscalls:sys_enter_openat /pid == cpid/ { @f[str(args.filename)] = count() }
	tracepoint:syscalls:sys_enter_* /pid == cpid/ { @p[probe] = count() } tracepoint:sched:sched_process_exec /pid == cpid/ { @e = count() }'; ok
has '^@\[1, 1\]: 300$'; has '^@x: 300$'; has '^@f\[/dev/zero\]: 1$'; has '^@p\[tracepoint:syscalls:sys_enter_exit_group\]: 1$'; has '^@e: 1$'; err_hasnt 'left out'
run "$SONDE" trace -e perf_event_open,bpf -o lines "$SONDE" run -c true -e 'tracepoint:syscalls:sys_enter_write { @ = count() }'; ok
grep -q 'perf_event_open(' lines || fail "not by the events"; ! grep -q 'bpf(.*RAW_TRACEPOINT_OPEN' lines || fail "by a raw tracepoint"
