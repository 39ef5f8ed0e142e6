# SPDX-License-Identifier: GPL-2.0-or-later
# All kinds of records besides samples, as both tools print them.
# needs: perf unshare
perf612
[ "$(id -u)" -eq 0 ] || skip "needs root"
show=(--show-task-events --show-switch-events --show-namespace-events --show-cgroup-events --show-bpf-events --show-mmap-events --show-lost-events)
run "$SONDE" record -q --switch-events --namespaces --all-cgroups -e cpu-clock -F 999 -o r.data -a -- sh -c 'unshare -u true; sleep 0.2; /bin/true'; ok
run "$PERF612" script --no-inline -i r.data "${show[@]}" -F comm,pid,tid,cpu,time,event,ip; ok; mv "$T/out" by-perf
run "$SONDE" script -i r.data "${show[@]}" -F comm,pid,tid,cpu,time,event,ip; ok
ended_alike by-perf "$T/out"
cmp "$T/out" by-perf || { diff "$T/out" by-perf | head -n 5; fail "perf prints it otherwise"; }
for kind in MMAP MMAP2 COMM FORK EXIT SWITCH_CPU_WIDE NAMESPACES CGROUP; do has "PERF_RECORD_$kind\b"; done
run "$SONDE" record -q --switch-events -e cpu-clock -o r.data sleep 0.1; ok
run "$SONDE" script -i r.data --show-switch-events; ok; has 'PERF_RECORD_SWITCH OUT'; has 'PERF_RECORD_SWITCH IN'
# programs of BPF that are loaded meanwhile: sonde's own tracer is one
"$SONDE" record -q -e cpu-clock -F 99 -o b.data -a -- "$SONDE" trace true 2>/dev/null
run "$SONDE" script -i b.data --show-bpf-events; ok; has 'PERF_RECORD_KSYMBOL.*bpf_prog_'; has 'PERF_RECORD_BPF_EVENT'
same "$(grep -c 'KSYMBOL\|BPF_EVENT' "$T/out")" "$("$PERF612" script --no-inline -i b.data --show-bpf-events 2>/dev/null | grep -c 'KSYMBOL\|BPF_EVENT')" "BPF records"
