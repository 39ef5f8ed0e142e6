# SPDX-License-Identifier: GPL-2.0-or-later
# Bars: report --stdio on a 200 MB recording with call chains at least 10 times as fast as perf's, in less
# memory; with DWARF stacks at least 15 times, at most 30 us a sample; time grows with the size, not faster, from 20 to
# 200 to 1000 MB. The recordings are made once and kept: SONDE_CACHE or /var/cache/sonde.
needs perf python3
[ "$(id -u)" -eq 0 ] || { echo "SKIP: needs root"; exit 77; }
cache=${SONDE_CACHE:-/var/cache/sonde}; mkdir -p "$cache"
base=$cache/bench-fp.data fp=$cache/bench-fp-200.data small=$cache/bench-fp-20.data dwarf=$cache/bench-dwarf.data compiler=$cache/bench-compiler.data
rec() { perf record -q --buildid-mmap -m 4M "$@" 2>/dev/null; }
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
# Four busy programs on all CPUs until the size is reached; --max-size ends it.
hog() { for _ in 1 2 3 4; do "$PROG/profiled" 400000 & done; wait; }
export -f hog
# One recording, and the same records over and over to the sizes wanted (bench/grow.py): what differs is the size alone.
[ "$(size "$base")" -gt 5000000 ] || rec --max-size=15M -o "$base" -F 40000 -g -e cpu-clock timeout 60 bash -c hog
grown() { [ "$(size "$1")" -gt $(($2 * 600000)) ] || python3 "$TOP/bench/grow.py" "$base" "$1" "$2"; }
grown "$small" 20; grown "$fp" 200
[ "$(size "$dwarf")" -gt 190000000 ] || rec --max-size=300M -o "$dwarf" -F 8000 --call-graph dwarf,8192 -e cpu-clock timeout 40 bash -c hog
[ -s "$compiler" ] || rec -o "$compiler" -F 4000 --call-graph dwarf -e cpu-clock gcc -O2 -c -I"$TOP/src" -D_GNU_SOURCE -o "$T/x.o" "$TOP/src/ui/scripttext.c"
echo "  $(size "$fp") bytes with frame pointers, $(size "$dwarf") with copied stacks"

title "report --stdio, frame pointers"
cmd 'perf report' perf report --stdio --no-inline -i "$fp"
cmd 'sonde report' "$SONDE" report --stdio -i "$fp"
rounds 1
bar 'sonde report' 0.1 'perf report'
p=$(peak_kb perf report --stdio --no-inline -i "$fp") s=$(peak_kb "$SONDE" report --stdio -i "$fp")
verdict "peak memory against perf's ($s kB to $p kB)" "$(ratio "$s" "$p")" 1.0 x

# Processor time: other work on the machine disturbs it less than the clock. Kept only while it is measured.
title "report --stdio from 20 to 200 to 1000 MB"
large=$T/large.data
python3 "$TOP/bench/grow.py" "$base" "$large" 1000
per_mb() { awk -v ms="$1" -v bytes="$(size "$2")" 'BEGIN { printf "%.3f", ms / (bytes / 1e6) }'; }
a=$(cpu_ms "$SONDE" report --stdio -i "$small") b=$(cpu_ms "$SONDE" report --stdio -i "$fp") c=$(cpu_ms "$SONDE" report --stdio -i "$large")
ka=$(peak_kb "$SONDE" report --stdio -i "$small") kb=$(peak_kb "$SONDE" report --stdio -i "$fp") kc=$(peak_kb "$SONDE" report --stdio -i "$large")
printf '  %10s MB: %8s ms, %8s ms/MB, %8s kB\n' $(($(size "$small") / 1000000)) "$a" "$(per_mb "$a" "$small")" "$ka" \
	$(($(size "$fp") / 1000000)) "$b" "$(per_mb "$b" "$fp")" "$kb" $(($(size "$large") / 1000000)) "$c" "$(per_mb "$c" "$large")" "$kc"
verdict "time a megabyte at 200 MB against that at 20" "$(ratio "$(per_mb "$b" "$fp")" "$(per_mb "$a" "$small")")" 1.3 x
verdict "time a megabyte at 1000 MB against that at 200" "$(ratio "$(per_mb "$c" "$large")" "$(per_mb "$b" "$fp")")" 1.3 x
verdict "memory at 1000 MB against that at 200" "$(ratio "$kc" "$kb")" 1.2 x
rm -f "$large"

title "report --stdio, DWARF stacks of a compiler (perf is stopped after 30 s: it asks addr2line for inlined functions)"
cmd 'perf report' bash -c "timeout 30 perf report --stdio -i $compiler || true"
cmd 'sonde report' "$SONDE" report --stdio -i "$compiler"
rounds 1
bar 'sonde report' 0.067 'perf report'

title "report --stdio --no-inline, DWARF stacks"
cmd 'perf report' perf report --stdio --no-inline -i "$dwarf"
cmd 'sonde report' "$SONDE" report --stdio --no-inline -i "$dwarf"
rounds 2
n=$("$SONDE" report --stats -i "$dwarf" | awk '$1 == "SAMPLE" && !seen++ { print $3 }')
us=$(awk -v ms="$(cpu_ms "$SONDE" report --stdio --no-inline -i "$dwarf")" 'BEGIN { print ms * 1000 }')
echo "  $n samples; by the clock $(ratio "$(median_us 'sonde report')" "$n") us each"
verdict "microseconds of processor time a sample" "$(ratio "$us" "$n")" 30
bar 'sonde report' 0.5 'perf report' # without inlined functions perf, too, only unwinds
p=$(peak_kb perf report --stdio --no-inline -i "$dwarf") s=$(peak_kb "$SONDE" report --stdio --no-inline -i "$dwarf")
verdict "peak memory against perf's ($s kB to $p kB)" "$(ratio "$s" "$p")" 1.0 x
