# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 150
# doctor on Debian's kernel: everything but a PMU; and the remedies it names do work.
# guest-modules: openvswitch
row() { grep -E "^  (yes|no |-  )  $1" "$T/out" | head -n 1; }
is() { [[ "$(row "$2")" == "  $1 "* ]] || fail "$2 is not $1: $(row "$2")"; }
run "$SONDE" doctor; ok
for what in tracefs tracepoints 'system call' kprobes kretprobes uprobes uretprobes 'named kernel' 'function graph' 'eBPF on typed' \
	'eBPF on functions' 'eBPF ring' 'kernel types' 'kernel symbol' 'ptrace, running'; do is yes "$what"; done
is no 'hardware counters'; has 'this virtual machine has no hardware counters'
if [ -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; then # another test of this boot asked for it
	is yes 'debuginfo of this kernel'; has 'yes  lines, variables of the kernel'
else
	has "sudo apt-get install linux-image-$(uname -r)-dbg"
fi

# an ordinary user, and the command that doctor names for each no
run as_nobody "$SONDE" doctor; ok
is no tracefs; is no 'perf events, own'
has "^  \[[0-9]+\] sudo mount -o remount,mode=750,gid=65534 /sys/kernel/tracing\$"
mount -o remount,mode=750,gid=65534 /sys/kernel/tracing
sysctl -q -w kernel.perf_event_paranoid=2
run as_nobody "$SONDE" doctor; ok; is yes tracefs; is yes 'perf events, own'; is yes 'system call tracepoints'; is no 'perf events, kernel'
sysctl -q -w kernel.perf_event_paranoid=0
run as_nobody "$SONDE" doctor; ok; is yes 'perf events, kernel'; is yes 'perf events, whole'; is no kprobes
sysctl -q -w kernel.perf_event_paranoid=2
mount -o remount,mode=700,gid=0 /sys/kernel/tracing
cp "$SONDE" "$T/s"; chmod 755 "$T/s"
words=$(sed -n 's/^  \[[0-9]*\] .*sudo setcap \([^ ]*\) .*/\1/p' "$T/out" | head -n 1)
setcap "$words" "$T/s"
run as_nobody "$T/s" doctor; ok
for what in 'perf events, whole' 'eBPF on typed' 'ptrace, running'; do is yes "$what"; done
for what in tracefs tracepoints 'kernel symbol'; do is no "$what"; done # file capabilities open no files
is no kprobes; has "no   kprobes +the capabilities of sonde's file are not for probes"
is no 'named kernel'
sysctl -q -w kernel.perf_event_paranoid=3
run as_nobody "$T/s" doctor; ok; is no 'perf events, own'; has 'kernel.perf_event_paranoid is 3: this takes cap_sys_admin'
# a module brings its types
modprobe openvswitch
run "$SONDE" doctor; ok; is yes 'types of modules'
