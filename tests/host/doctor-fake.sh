# SPDX-License-Identifier: GPL-2.0-or-later
# doctor on made-up machines: lockdown, paranoid 4, no tracefs, no BTF, a machine with everything.
tree() { rm -rf m; mkdir -p m/proc/self m/proc/sys/kernel/yama m/sys/kernel/{security,tracing/events,btf} m/sys/bus/event_source/devices/{kprobe,uprobe}
	echo 6.9.9-made-up >m/proc/sys/kernel/osrelease
	echo "${1-2}" >m/proc/sys/kernel/perf_event_paranoid; echo 0 >m/proc/sys/kernel/kptr_restrict
	echo 1 >m/proc/sys/kernel/yama/ptrace_scope; echo 2 >m/proc/sys/kernel/unprivileged_bpf_disabled
	printf 'nodev\ttracefs\n' >m/proc/filesystems
	printf 'Uid:\t%s\nCapEff:\t%s\nSeccomp:\t0\n' "${2-0}" "${3-000001ffffffffff}" >m/proc/self/status
	echo '         0          0 4294967295' >m/proc/self/uid_map
	echo 'flags : fpu' >m/proc/cpuinfo
	echo 'ffffffff81000000 T _text' >m/proc/kallsyms
	echo 8 >m/sys/bus/event_source/devices/kprobe/type; echo 9 >m/sys/bus/event_source/devices/uprobe/type
	mkdir -p m/sys/kernel/tracing/events/{sched/sched_switch,syscalls/sys_enter_openat,raw_syscalls/sys_enter}
	echo 21 >m/sys/kernel/tracing/events/raw_syscalls/sys_enter/id
	echo 300 >m/sys/kernel/tracing/events/sched/sched_switch/id; echo 600 >m/sys/kernel/tracing/events/syscalls/sys_enter_openat/id
	printf 'sched:sched_switch\nsyscalls:sys_enter_openat\n' >m/sys/kernel/tracing/available_events
	echo 'function_graph function nop' >m/sys/kernel/tracing/available_tracers
	touch m/sys/kernel/tracing/{kprobe_events,uprobe_events,current_tracer,set_ftrace_filter,set_graph_function} m/sys/kernel/btf/vmlinux
	: >m/features; local n
	for n in tracepoint raw-tracepoint tp-btf kprobe perf-event fentry ringbuf mmap loop; do echo "bpf-$n ok" >>m/features; done
	echo 'ptrace ok' >>m/features; echo '* * ok' >m/perf_event_open
	chmod -R a+rX m; export SONDE_KERNEL_ROOT=$PWD/m; }

tree; run "$SONDE" doctor; ok
has '^kernel +6\.9\.9-made-up'; has 'yes  hardware counters'; has 'yes  branch stack'; has 'yes  kretprobes'; has 'yes  eBPF on functions \(fentry\)'
has 'yes  function graph'; has 'yes  tracefs .*, 2 events$'; has 'capabilities: all$'
has '^trace uses +bpf, the first'; has 'trace +yes +a program that it starts +bpf$'
[ "$(grep -c '^  no ' "$T/out")" -eq 1 ] || fail "more than debuginfo is missing"

tree; echo 'none integrity [confidentiality]' >m/sys/kernel/security/lockdown; sed -i 's/ok/EPERM/' m/features m/perf_event_open
run "$SONDE" doctor; ok; has '^  lockdown +confidentiality$'
has "no   kprobes +kernel lockdown is 'confidentiality' \[[0-9]+\]"; has "no   eBPF ring buffer +kernel lockdown"; has '\] boot with lockdown=none'

tree 4 1000 0; echo '* * EACCES' >m/perf_event_open; sed -i 's/^bpf.*ok/&x/; s/okx/EPERM/' m/features
run "$SONDE" doctor; ok; has 'paranoid +4 +users may measure nothing'; has 'own programs +kernel.perf_event_paranoid is 4; 2 or less'
has '\] sudo sysctl kernel.perf_event_paranoid=2, or sudo sonde'; has 'no   eBPF on kprobes, uprobes +not permitted: it needs cap_bpf'
has 'no   ptrace, running programs +kernel.yama.ptrace_scope is 1'; has '\] sudo sonde \.\.\., or: sudo sysctl kernel.yama.ptrace_scope=0'

has '^trace uses +ptrace, the first'; has '^  no   bpf +eBPF arrays in user memory: not permitted: it needs cap_bpf \[[0-9]+\]$'
has '^  no   perf .*\[[0-9]+\]$'; has 'no   the whole machine \(-a\) +not permitted: it needs cap_bpf'
tree 2 1000 0; sed -i 's/^bpf.*ok/&x/; s/okx/EPERM/' m/features
run "$SONDE" doctor; ok; has '^trace uses +perf, the first'

# the level that only Debian has: cap_perfmon alone does not pass it
tree 3 1000 000000c000000000; echo '* * EACCES' >m/perf_event_open
run "$SONDE" doctor; ok; has 'user .*capabilities: cap_perfmon, cap_bpf$'; has 'kernel.perf_event_paranoid is 3: this takes cap_sys_admin'
has 'no   uprobes +not permitted: it needs cap_sys_admin'

tree; rm -rf m/sys/kernel/tracing; run "$SONDE" doctor; ok; has 'no   tracefs +not mounted'; has 'no   tracepoints +tracefs: not mounted'
has '\] sudo mount -t tracefs nodev /sys/kernel/tracing$'
tree; rm -rf m/sys/kernel/tracing; : >m/proc/filesystems; run "$SONDE" doctor; ok; has 'no   tracefs +this kernel has no tracefs'
tree; rm m/sys/kernel/btf/vmlinux; run "$SONDE" doctor; ok; has 'no   kernel types \(BTF\)'; has 'no   eBPF on typed tracepoints +it needs BTF'
echo '# CONFIG_DEBUG_INFO_BTF is not set' | gzip >m/proc/config.gz; run "$SONDE" doctor; ok; has 'kernel types \(BTF\) +this kernel was built without CONFIG_DEBUG_INFO_BTF \['
tree; sed -i 's/^bpf.*/x ok/' m/features; printf 'Uid:\t0\nCapEff:\t000001ffffffffff\nSeccomp:\t2\n' >m/proc/self/status
run "$SONDE" doctor; ok; has 'eBPF on tracepoints +a seccomp filter'; has 'docker run --privileged'
tree; echo 'flags : fpu hypervisor' >m/proc/cpuinfo; printf '0 * ENOENT\n* * ok\n' >m/perf_event_open
run "$SONDE" doctor; ok; has 'no   hardware counters \(PMU\) +this virtual machine has no hardware counters'; has 'qemu-system-x86_64 -cpu host,pmu=on'
tree; echo '0000000000000000 T _text' >m/proc/kallsyms; echo 2 >m/proc/sys/kernel/kptr_restrict
run "$SONDE" doctor; ok; has 'no   kernel symbol addresses .*kptr_restrict is 2'; has '\] sudo sysctl kernel.kptr_restrict=1$'
tree; echo 'ext4 1 0 - Live 0x0' >m/proc/modules; run "$SONDE" doctor; ok; has 'no   types of modules'
touch m/sys/kernel/btf/ext4; run "$SONDE" doctor; ok; has 'yes  types of modules \(BTF\) +1 of 1 modules'
# hostile trees: nonsense everywhere
tree; for f in m/proc/self/status m/proc/self/uid_map m/features m/perf_event_open m/proc/sys/kernel/perf_event_paranoid; do head -c 3000 /dev/urandom >"$f"; done
run "$SONDE" doctor; ok
mkdir empty; export SONDE_KERNEL_ROOT=$PWD/empty; run "$SONDE" doctor; ok; has 'no   tracefs'
