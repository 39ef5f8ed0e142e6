# SPDX-License-Identifier: GPL-2.0-or-later
# doctor for an ordinary user: exact commands for what root must change.
# as: nobody
run "$SONDE" doctor; ok
has '^user +nobody \(uid [0-9]+\), capabilities: none$'
has '^  no   eBPF on typed tracepoints +not permitted: it needs cap_bpf \[[0-9]+\]'
has '^  \[[0-9]+\] sudo sonde \.\.\., or once, for the users of one group: sudo chgrp GROUP /.*/sonde && sudo chmod 750 /.*/sonde && sudo setcap cap_bpf,cap_perfmon=ep /.*/sonde'
if [ ! -r /sys/kernel/tracing/events ]; then
	has '^  no   tracefs +mounted, but not readable for uid'
	has "^  \[[0-9]+\] sudo mount -o remount,mode=750,gid=$(id -g) /sys/kernel/tracing\$"
fi
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ]; then
	has 'whole machine +kernel\.perf_event_paranoid is [0-9]+; 0 or less allows it to everybody'
	has '^  \[[0-9]+\] sudo sysctl kernel\.perf_event_paranoid=0, or sudo sonde \.\.\.'
fi
has 'yes  ptrace, own programs'
# other commands take their hints from the same probes
if [ ! -r /sys/kernel/tracing/events ]; then
	run "$SONDE" list sched; exits 255; err_has '^hint: tracefs: mounted, but not readable for uid [0-9]+; sudo mount -o remount'
	run "$SONDE" trace -a true; exits 255; err_has '^  bpf: .*it needs cap_bpf$'; err_has '^    sudo sonde'; err_has '^  ptrace: '
fi
