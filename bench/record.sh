# SPDX-License-Identifier: GPL-2.0-or-later
# Bars: recording 99 Hz system-wide costs less CPU than perf's same line; a million syscalls (two million
# tracepoint events) are recorded with none lost, at a slow-down at most half of perf record's.
needs perf python3
[ "$(id -u)" -eq 0 ] || { echo "SKIP: needs root"; exit 77; }

# cpu_ms WORD...: processor time of the command and its children, in milliseconds.
cpu_ms() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
r = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.1f" % (1000 * (r.ru_utime + r.ru_stime)))' "$@"
}
middle() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

echo; echo "## 99 Hz, all CPUs, call chains, 3 s: processor time of the recorder"
perf_ms='' sonde_ms=''
for ((i = 0; i < ${BENCH_ROUNDS:-5}; i++)); do
	perf_ms+="$(cpu_ms perf record -F 99 -e cpu-clock -ag -o p.data -- sleep 3)"$'\n'
	sonde_ms+="$(cpu_ms "$SONDE" record -F 99 -e cpu-clock -ag -o s.data -- sleep 3)"$'\n'
done
p=$(grep . <<<"$perf_ms" | middle) s=$(grep . <<<"$sonde_ms" | middle)
echo "  perf record $p ms, sonde record $s ms"
verdict "processor time against perf's" "$(ratio "$s" "$p")" 1.0 x
echo "  peak memory: perf $(peak_kb perf record -F 99 -e cpu-clock -ag -o p.data -- sleep 1) kB, sonde $(peak_kb "$SONDE" record -F 99 -e cpu-clock -ag -o s.data -- sleep 1) kB"

title "two million tracepoint events: dd, 1.02 million syscalls"
cmd untraced dd if=/dev/zero of=/dev/null bs=1 count=500k
cmd 'perf record' perf record -e 'raw_syscalls:*' -o p.data dd if=/dev/zero of=/dev/null bs=1 count=500k
cmd 'sonde record' "$SONDE" record -e 'raw_syscalls:*' -o s.data dd if=/dev/zero of=/dev/null bs=1 count=500k
rounds 5
bar 'sonde record' 0.5 'perf record'
rm -f ./*.old
# What dd itself pays, without what perf does to the file afterwards: its processor time, which a busy machine
# disturbs less than the clock.
own() { "$@" 2>&1 >/dev/null </dev/null | sed -n 's/^dd took \([0-9.]*\) \([0-9.]*\)$/\1 \2/p' | awk '{ print 1000 * ($1 + $2) }'; }
work=(bash -c 'TIMEFORMAT="dd took %U %S"; time dd if=/dev/zero of=/dev/null bs=1 count=500k 2>/dev/null')
base='' p='' s=''
for ((i = 0; i < ${BENCH_ROUNDS:-5}; i++)); do
	base+="$(own "${work[@]}")"$'\n'
	p+="$(own perf record -e 'raw_syscalls:*' -o p.data "${work[@]}")"$'\n'
	s+="$(own "$SONDE" record -e 'raw_syscalls:*' -o s.data "${work[@]}")"$'\n'
done
base=$(grep . <<<"$base" | middle) p=$(grep . <<<"$p" | middle) s=$(grep . <<<"$s" | middle)
echo "  dd's processor time: $base ms alone, $p ms under perf record ($(ratio "$p" "$base")x), $s ms under sonde record ($(ratio "$s" "$base")x)"
verdict "slow-down of dd against perf's" "$(ratio "$s" "$p")" 0.5 x
n=$("$SONDE" script -i s.data 2>/dev/null | grep -c 'NR 1 (')
verdict "write calls missing from the recording" "$((512000 > n ? 512000 - n : 0))" 0
