# SPDX-License-Identifier: GPL-2.0-or-later
# Bar: pprof of a 200 MB recording with call chains in at most 3 s. The other formats are measured beside report,
# which reads the same samples; no other tool makes these of such a recording. The recording is report.sh's.
needs perf python3
[ "$(id -u)" -eq 0 ] || { echo "SKIP: needs root"; exit 77; }
cache=${SONDE_CACHE:-/var/cache/sonde}; mkdir -p "$cache"
base=$cache/bench-fp.data fp=$cache/bench-fp-200.data
size() { stat -c %s "$1" 2>/dev/null || echo 0; }
hog() { for _ in 1 2 3 4; do "$PROG/profiled" 400000 & done; wait; }
export -f hog
[ "$(size "$base")" -gt 5000000 ] || perf record -q --buildid-mmap -m 4M --max-size=15M -o "$base" -F 40000 -g -e cpu-clock timeout 60 bash -c hog 2>/dev/null
[ "$(size "$fp")" -gt 120000000 ] || python3 "$TOP/bench/grow.py" "$base" "$fp" 200
mb=$(($(size "$fp") / 1000000))

title "export of a recording of $mb MB"
cmd 'sonde report' "$SONDE" report --stdio -i "$fp"
for f in pprof folded perfetto firefox speedscope; do cmd "$f" "$SONDE" export -q -i "$fp" --to "$f" -o "$T/out.$f"; done
rounds 1
ms=$(cpu_ms "$SONDE" export -q -i "$fp" --to pprof -o "$T/out.pprof")
verdict "processor time of pprof, of 200 MB" "$(awk -v ms="$ms" -v mb="$mb" 'BEGIN { printf "%.2f", ms / 1000 * 200 / mb }')" 3 s
p=$(peak_kb "$SONDE" export -q -i "$fp" --to perfetto -o "$T/out.perfetto") b=$(peak_kb "$SONDE" export -q -i "$base" --to perfetto -o "$T/out.small")
verdict "memory for Perfetto, of $mb MB ($p kB) against the first $(($(size "$base") / 1000000)) of them ($b kB)" "$(ratio "$p" "$b")" 2 x
for f in pprof folded perfetto firefox speedscope; do printf '  %-12s %6d kB\n' "$f" $(($(size "$T/out.$f") / 1000)); done
