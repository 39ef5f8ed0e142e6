# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# report with DWARF stacks: perf's libunwind and addr2line against compiled tables. The same recording is
# read by both.
needs perf python3 gcc
cat >work.py <<'P'
import json, re
data = [{"name": "n%d" % i, "values": list(range(i % 30))} for i in range(3000)]
for turn in range(20):
    text = json.dumps(data)
    json.loads(text)
    re.findall(r'n\d+', text)
    sorted(data, key=lambda d: d["name"])
P
perf record -q --buildid-mmap -F 3999 -e cpu-clock --call-graph dwarf -o d.data -- \
	bash -c "$PROG/deepstack 150000; python3 work.py; gcc -O2 -w -c -o x.o -x c $TOP/tests/prog/deepstack.c" 2>perf.err
samples=$(perf report --stats -i d.data 2>/dev/null | awk '$1 == "SAMPLE" { n = $3 } END { print n }')
title "report with DWARF stacks, $samples samples, $(stat -c %s d.data | awk '{ printf "%.0f", $1 / 1e6 }') MB"
cmd perf perf report --stdio -i d.data
cmd sonde "$SONDE" report --stdio -i d.data
cmd 'sonde --no-inline' "$SONDE" report --stdio --no-inline -i d.data
rounds 2
bar sonde 0.0666 perf
us=$(awk -v ms="$(cpu_ms "$SONDE" report --stdio -i d.data)" 'BEGIN { print ms * 1000 }')
echo "  by the clock $(ratio "$(median_us sonde)" "$samples") us a sample"
verdict 'sonde, processor time a sample' "$(ratio "$us" "$samples")" 30 ' us'
