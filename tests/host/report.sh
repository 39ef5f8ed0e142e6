# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# What report says and does besides perf's text.
. "$TOP/tests/recordings.sh"
clock() { perf record -q --buildid-mmap -o r.data -F 4000 -g -e cpu-clock "$PROG/profiled" 200 2>/dev/null || skip "perf cannot record here"; }
record_until 'no_bpf r.data' clock
run "$SONDE" report -i r.data; ok; has "^# Samples: [0-9]+.? of event 'cpu-clock'$"; has '% +[0-9.]+% +profiled +profiled +\[\.\] quick$'
run "$SONDE" report -i r.data -s nosuch; exits 129; err_has "'nosuch' is not a key to sort by"; err_has '^hint: '
run "$SONDE" report -i r.data -s symbl; exits 129; err_has "did you mean 'symbol'"
run "$SONDE" report -i r.data --call-graph=nosuch; exits 129; err_has "is not a way to show call graphs"
run "$SONDE" report -i r.data -p '(' -s parent; exits 129; err_has 'not a regular expression'
run "$SONDE" report -i r.data -s symbol_from; exits 255; err_has 'needs branch records'
run "$SONDE" report -i r.data -b; exits 255; err_has 'has no branches'
run "$SONDE" report -i nosuch.data; exits 255; err_has 'nosuch.data'
run "$SONDE" report -i r.data --percent-limit x; exits 129; err_has "'x' is not a percentage"
run "$SONDE" report -i r.data --stats; ok; has ' SAMPLE events: +[0-9]+'
run "$SONDE" report -i r.data --header-only; ok; has '^# event : name = cpu-clock'; hasnt 'Overhead'
run "$SONDE" report -i r.data -v -g; ok; has 'profiled +0x[0-9a-f]+ .*quick'; has -- '--[0-9.]+%--.* profiled$'
run "$SONDE" report -i r.data -s srcline --no-children -g none; ok; has 'profiled.c:[34][0-9]$'
run "$SONDE" report -i r.data -s tid -g none; ok; has '^# Children +Self +Tid:Command'
run "$SONDE" report -i r.data -o out.txt; ok; same "$out" ""; grep -q quick out.txt || fail "-o wrote nothing"
# The sum of a column is the whole.
run "$SONDE" report -i r.data --no-children -g none -F period,sym -q; ok
total=$(awk '{ n += $1 } END { print n }' "$T/out")
run "$SONDE" report -i r.data --no-children -g none; ok; has "^# Event count \(approx.\): $total$"
cut_anywhere "$SONDE" report -i cut.data
# Bytes changed at random: any answer but a crash.
for seed in 1 2 3 4 5 6 7 8; do
	python3 - "$seed" <<'P'
import random, sys
random.seed(int(sys.argv[1]))
b = bytearray(open('r.data', 'rb').read())
for _ in range(40):
    b[random.randrange(len(b))] = random.randrange(256)
open('bad.data', 'wb').write(b)
P
	run timeout 60 "$SONDE" report -i bad.data
	[ "$code" -eq 0 ] || [ "$code" -eq 255 ] || fail "seed $seed: exit code $code"
	run timeout 60 "$SONDE" script -i bad.data
	[ "$code" -eq 0 ] || [ "$code" -eq 255 ] || fail "seed $seed: script's exit code $code"
done
# One of several events, also of a group; a pipe cannot be asked.
run "$SONDE" record -q -e '{cpu-clock:u,page-faults:u}' -o two.data "$PROG/profiled" 50; ok
run "$SONDE" report -i two.data --stdio --event page-faults; ok; has "of event 'page-faults:u'"; hasnt cpu-clock
count=$(sed -n 's/^# Event count (approx.): //p' "$T/out")
same "$count" "$("$SONDE" script -i two.data -F event,period | awk '$2 ~ /page-faults/ { n += $1 } END { print n }')" "the event's own count"
run "$SONDE" report -i two.data --stdio --event %1; ok; has "of events? 'cpu-clock:u'"; hasnt page-faults
run "$SONDE" report -i two.data --stdio --event nosuch; exits 129; err_has "no event 'nosuch'"; err_has 'hint: sonde evlist'
"$SONDE" record -q -e cpu-clock:u -o - "$PROG/profiled" 50 2>/dev/null | "$SONDE" report -i - --event cpu >out 2>err && fail "events of a pipe"
grep -q 'hint: record to a file' err || fail "a pipe: $(cat err)"
# An archive is read like the recording it holds.
"$SONDE" report --no-inline -i r.data >want
run "$SONDE" archive -q -i r.data -o r.sonde; ok
run "$SONDE" report --no-inline -i r.sonde; ok
diff want "$T/out" >/dev/null || fail "the report of an archive is another one"
# A full disk and a reader that leaves.
code=0; "$SONDE" report -i r.data >/dev/full 2>"$T/err" || code=$?
exits 255; err_has 'cannot write to standard output: No space left on device'
"$SONDE" script -i r.data | head -n 1 >one || true
[ -s one ] || fail "nothing came through the pipe"
