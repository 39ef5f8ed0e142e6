# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3
# What script says and does besides perf's text.
. "$TOP/tests/recordings.sh"
perf record -q --buildid-mmap -o r.data -F 4000 -g -e cpu-clock "$PROG/profiled" 200 2>/dev/null || skip "perf cannot record here"
# The text that flame graphs, speedscope and the Firefox Profiler read, parsed here by its own rules:
# a head line "comm pid [cpu] time: period event:", lines "\tADDR SYM+OFF (DSO)", an empty line.
cat >parse.py <<'P'
import re, sys
head = re.compile(r'^(\S.*?)\s+(\d+)/*(\d+)*\s+(?:\[\d+\]\s+)?(\d+\.\d+):\s+(\d+)\s+(\S+):\s*$')
frame = re.compile(r'^\s*([0-9a-f]+)\s+(.+?)\s+\((.*)\)$')
stacks = frames = 0
state = 'head'
for line in sys.stdin:
    line = line.rstrip('\n')
    if state == 'head':
        assert head.match(line), line
        assert head.match(line).group(1) == 'profiled', line
        state = 'frames'
    elif not line:
        stacks += 1
        state = 'head'
    else:
        assert frame.match(line), line
        frames += 1
assert state == 'head' and stacks > 20 and frames > stacks, (state, stacks, frames)
print('stacks', stacks)
P
run "$SONDE" script -i r.data; ok
python3 parse.py <"$T/out" >said || fail "the text does not parse"
n=$(grep -c '^profiled' "$T/out")
grep -qx "stacks $n" said || fail "not every sample was parsed"

run "$SONDE" script -i r.data --json; ok
cat >lines.py <<'P'
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
first, samples = lines[0], lines[1:]
assert first['schema'] == 1 and first['events'] == ['cpu-clock'], first
assert len(samples) == int(sys.argv[2]), len(samples)
for s in samples:
    assert s['comm'] == 'profiled' and s['period'] > 0 and int(s['time_ns']) > 0 and s['stack'][0]['ip'] == s['ip'], s
assert any(f.get('sym') == 'quick' and f['dso'].endswith('/profiled') for s in samples for f in s['stack'])
P
python3 lines.py "$T/out" "$n" || fail "the JSON lines are not right"

# The functions a script may have; one that fails is told.
cat >count.py <<'P'
import sys
n = 0
def trace_begin():
    print('begin', sys.argv[1:])
def process_event(d):
    global n
    n += 1
    assert d['ev_name'] == 'cpu-clock' and d['comm'] == 'profiled' and d['callchain'][0]['ip'] == d['sample']['ip']
def trace_end():
    print('samples', n)
P
run "$SONDE" script -i r.data -s count.py -- one two; ok; has "^begin \['one', 'two'\]$"; has "^samples $n$"
printf 'def process_event(d):\n    raise ValueError("no")\n' >bad.py
run "$SONDE" script -i r.data -s bad.py; exits 255; err_has 'ValueError: no'; err_has 'bad.py ended with code 1'
run "$SONDE" script -i r.data -s absent.py; exits 255; err_has 'cannot read the script absent.py'

run "$SONDE" script -i r.data -G -F ip,sym,srcline; ok; has "^  profiled.c:[0-9]+$"
run "$SONDE" script -i r.data -F nosuch; exits 129; err_has "'nosuch' is not a field"; err_has 'hint: fields are comm,'
for f in brstackinsn +metric disasm; do
	run "$SONDE" script -i r.data -F $f; exits 129; err_has "is a field of perf's that sonde does not have: "; err_has '^hint: leave it out'
done
run "$SONDE" script -i r.data -F iregs; exits 255; err_has 'do not hold what -F iregs shows'
run "$SONDE" script -i r.data -F comm,+ip; exits 129; err_has 'not both'
run "$SONDE" script -i r.data --time nonsense; exits 129; err_has 'not a span of time'
run "$SONDE" script -i r.data --header-only; ok; has '^# cmdline : .*perf record'
run "$SONDE" script -i r.data -D; ok; has 'PERF_RECORD_MMAP2 .*/profiled'; has 'PERF_RECORD_SAMPLE\(IP'
run "$SONDE" script -i r.data --time 0%-50%; ok
half=$(grep -c '^profiled' "$T/out" || true)
if [ "$half" -le 0 ] || [ "$half" -ge "$n" ]; then fail "half of the time has $half of $n samples"; fi
run "$SONDE" script -i r.data -c nosuchcomm; ok; same "$out" ""

# A recording cut at any place: a sentence, never a crash.
cut_anywhere "$SONDE" script -i cut.data
