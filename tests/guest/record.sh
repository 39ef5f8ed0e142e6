# SPDX-License-Identifier: GPL-2.0-or-later
# record on Debian's kernel: samples, kernel probes, modules, system calls by BPF; perf reads it all.
# guest-perf
# guest-modules: openvswitch
# timeout: 240
modprobe openvswitch
run "$SONDE" record -F 99 -ag -- sleep 0.5; ok; err_has 'samples'
run "$SONDE" script; ok
perf report -i perf.data --stdio >report 2>&1 || fail "perf report"
perf report -i perf.data -D 2>/dev/null >dump
grep -q 'PERF_RECORD_MMAP -1/0: .*\(openvswitch\)' dump || fail "the module's map is missing"
run "$SONDE" buildid-list -i perf.data; ok; has 'openvswitch'; has '\[kernel.kallsyms\]'
# system calls: by the BPF program here, the same calls as perf's own path (rings asked for: -m)
run "$SONDE" record -e 'raw_syscalls:*' -o bpf.data dd if=/dev/zero of=/dev/null bs=1 count=5000; ok
run "$SONDE" record -e 'raw_syscalls:*' -m 4M -o perf.data dd if=/dev/zero of=/dev/null bs=1 count=5000; ok
calls() { "$SONDE" script -i "$1" | sed -n 's/.*\(raw_syscalls:.*NR [0-9]*\).*/\1/p' | sort | uniq -c; }
same "$(calls bpf.data)" "$(calls perf.data)" "the two ways see different calls"
lines() { tail -n 50 | tr -s " "; } # (perf 6.1 has narrower columns than 6.12)
same "$(perf script -i bpf.data 2>/dev/null | lines)" "$("$SONDE" script -i bpf.data | lines)" "perf prints it otherwise"
# a kernel probe with its argument
run "$SONDE" probe -q recprobe=vfs_read; ok
group=$("$SONDE" probe -l 2>/dev/null | sed -n 's/^ *\([^ ]*:recprobe\) .*/\1/p')
run "$SONDE" record -e "$group" -aR -g -o k.data dd if=/dev/zero of=/dev/null bs=1 count=50; ok
run "$SONDE" script -i k.data; ok; has "dd .*$group: \([0-9a-f]+\)"; has 'vfs_read'
"$SONDE" probe -q -d "$group"
# zstd, DWARF, a pipe
run "$SONDE" record -z -F 999 -g dwarf -o z.data dd if=/dev/zero of=/dev/null bs=1 count=20k; ok
perf script --no-inline -i z.data >z.txt 2>"$T/err" || fail "perf does not read zstd and DWARF"
"$SONDE" record -F 999 -o - dd if=/dev/zero of=/dev/null bs=1 count=20k 2>/dev/null | perf script --no-inline -i - >pipe.txt 2>/dev/null
grep -q '^ *dd ' pipe.txt || fail "perf reads no pipe"
# the kernel's parts and where they are
run "$SONDE" buildid-list -m; ok; has 'openvswitch'; same "$out" "$(perf buildid-list -m 2>/dev/null)" "kernel maps"
# held back by the kernel: told at the end, and both tools see the records
before=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
echo 1000 >/proc/sys/kernel/perf_event_max_sample_rate
run "$SONDE" record -e cpu-clock -c 20000 -o throttled.data dd if=/dev/zero of=/dev/null bs=1 count=20k; ok
err_has 'the kernel held back samples [0-9]+ times'; err_has '^hint: fewer samples'
run "$SONDE" record -F 5000 --strict-freq true; exits 255; err_has '5000 samples a second are more than the kernel allows'; err_has '^hint: sudo sysctl'
run "$SONDE" record -F 5000 true; ok; err_has 'taking 1000'
echo "$before" >/proc/sys/kernel/perf_event_max_sample_rate
throttled() { grep -c 'PERF_RECORD_THROTTLE' "$1"; }
perf script --no-inline -D -i throttled.data >by-perf 2>/dev/null; "$SONDE" script -D -i throttled.data >by-sonde 2>/dev/null
same "$(throttled by-sonde)" "$(throttled by-perf)" "throttled"
