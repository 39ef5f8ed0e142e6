# SPDX-License-Identifier: GPL-2.0-or-later
# Bars: report --stdio on a 200 MB recording with call chains at least 10 times as fast as perf's, in less
# memory; with DWARF stacks at least 15 times; time grows with the size, not faster.
# The recordings are made once and kept: SONDE_CACHE or /var/cache/sonde.
needs perf
[ "$(id -u)" -eq 0 ] || { echo "SKIP: needs root"; exit 77; }
cache=${SONDE_CACHE:-/var/cache/sonde}; mkdir -p "$cache"
fp=$cache/bench-fp-200.data small=$cache/bench-fp-20.data dwarf=$cache/bench-dwarf.data compiler=$cache/bench-compiler.data
rec() { perf record -q --buildid-mmap -m 16M "$@" 2>/dev/null; }
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
# Four busy programs on all CPUs until the size is reached; --max-size ends it.
hog() { for _ in 1 2 3 4; do "$PROG/profiled" 400000 & done; wait; }
export -f hog
[ "$(size "$fp")" -gt 150000000 ] || rec --max-size=200M -o "$fp" -F 40000 -g -e cpu-clock timeout 100 bash -c hog
[ "$(size "$small")" -gt 19000000 ] || rec --max-size=20M -o "$small" -F 40000 -g -e cpu-clock timeout 20 bash -c hog
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
big=$(median_us 'sonde report')

title "report --stdio, a tenth of the size"
cmd 'sonde report' "$SONDE" report --stdio -i "$small"
rounds 3
verdict "time of 200 MB against ten times that of 20 MB" "$(ratio "$big" $((10 * $(median_us 'sonde report'))))" 1.3 x

title "report --stdio, DWARF stacks of a compiler (perf is stopped after 30 s: it asks addr2line for inlined functions)"
cmd 'perf report' bash -c "timeout 30 perf report --stdio -i $compiler || true"
cmd 'sonde report' "$SONDE" report --stdio -i "$compiler"
rounds 1
bar 'sonde report' 0.067 'perf report'

title "report --stdio --no-inline, DWARF stacks"
cmd 'perf report' perf report --stdio --no-inline -i "$dwarf"
cmd 'sonde report' "$SONDE" report --stdio --no-inline -i "$dwarf"
rounds 2
n=$("$SONDE" report --stats -i "$dwarf" | awk '$1 == "SAMPLE" { print $3 }')
verdict "microseconds a sample" "$(ratio "$(median_us 'sonde report')" "$n")" 30
