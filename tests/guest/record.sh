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
same "$(perf script -i bpf.data 2>/dev/null | tail -n 50)" "$("$SONDE" script -i bpf.data | tail -n 50)" "perf prints it otherwise"
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
