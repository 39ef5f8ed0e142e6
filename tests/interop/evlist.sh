# SPDX-License-Identifier: GPL-2.0-or-later
# evlist beside perf 6.12's, on recordings of both; version --build-options and check by its names and exit codes.
perf612
"$PERF612" record -q -o a.data -e '{cpu-clock,cs}' -e sched:sched_switch -F 99 true
"$PERF612" record -q -o b.data -c 1000 -e cs -e page-faults:u -d -g true
"$SONDE" record -q -o c.data -e '{cs,faults}:S' -e sched:sched_process_exec -c 1 --call-graph dwarf true
mkdir -p k/proc k/sys/bus/event_source/devices/cpu/format k/sys/devices/system/cpu; echo 4 >k/sys/bus/event_source/devices/cpu/type
echo 'config:0-7' >k/sys/bus/event_source/devices/cpu/format/event; echo 0-1 >k/sys/devices/system/cpu/online; echo '* * ok 1 1 1' >k/perf_event_open
SONDE_KERNEL_ROOT=$PWD/k "$SONDE" stat record -o d.data -e cycles,instructions:u,L1-dcache-load-misses,r1c0,cpu/event=0x3c/pp,LLC-stores,mem:0x1000:rw,cache-misses,branch-misses:k,ref-cycles,dTLB-prefetch-misses,node-loads,bpf-output,cgroup-switches,dummy,minor-faults true 2>/dev/null
theirs() { "$PERF612" evlist "$@" 2>/dev/null | sed "s/'perf evlist/'sonde evlist/"; }
for f in a b c d; do
	for o in -f -F -v -g --trace-fields '-v -F'; do
		# shellcheck disable=SC2086
		run "$SONDE" evlist $o -i $f.data; ok; [ -n "$out" ] || fail "nothing"
		# shellcheck disable=SC2086
		same "$out" "$(theirs $o -i $f.data)" "$f: evlist $o"
	done
done
"$SONDE" record -q -o - -e cs -e cpu-clock true 2>/dev/null | "$SONDE" evlist -i - >piped; same "$(cat piped)" $'cs\ncpu-clock'
run "$SONDE" evlist -i nosuch; exits 255; err_has '^hint: '
run "$SONDE" evlist -g -F -i a.data; exits 129
run "$SONDE" evlist word; exits 129

names() { sed -n 's/^ *\([a-z0-9_-]*\): \[ \(on \|OFF\) \]  # \(.*\)/\1 \3/p'; }
run "$SONDE" version --build-options; ok; has '^sonde [0-9.]+$'
same "$(names <"$T/out")" "$("$PERF612" version --build-options | names)" "the features"
run "$SONDE" -vv; ok; has ' libelf: \[ on  \]  # HAVE_LIBELF_SUPPORT$'
for f in zlib libtraceevent,zstd HAVE_LIBBPF_SUPPORT libpfm4 zlib,nosuch libpfm4,zlib; do
	run "$SONDE" check feature $f; mine=$code.$out
	run "$PERF612" check feature $f; same "$mine" "$code.$out" "check feature $f"
	run "$SONDE" check -q feature $f; same "$out$err" "" "quiet"
done
run "$SONDE" check feature zlip; exits 1; err_has "no feature 'zlip'"; err_has "did you mean 'zlib'"
run "$SONDE" check; exits 129; run "$SONDE" check feature; exits 129; run "$SONDE" check nosuch x; exits 129
