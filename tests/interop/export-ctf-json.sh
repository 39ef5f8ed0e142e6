# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf babeltrace2 python3
# `sonde data convert`: the JSON is perf's own, sample by sample; the CTF is read by babeltrace2, with every field of every event.
export LC_ALL=C
"$SONDE" record -q -F 1000 -e cpu-clock -g -o s.data "$PROG/profiled" >/dev/null
"$SONDE" record -q -e sched:sched_process_exec -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -e sched:sched_wakeup -o t.data \
	sh -c 'cat /etc/hostname >/dev/null; echo done' >/dev/null || skip "no tracepoints here"
cat >compare.py <<'P'
import json, sys
def pairs(list): # perf may write a name twice: ours, for the second one, is another
    d = {}
    for k, v in list: d['field_' + k if k in d else k] = v
    return d
ours, perfs = (json.load(open(f), object_pairs_hook=pairs) for f in sys.argv[1:3])
assert ours['linux-perf-json-version'] == perfs['linux-perf-json-version'] == 1
for k, v in perfs['headers'].items():
    if k not in ('data-offset', 'data-size', 'feat-offset'): assert ours['headers'][k] == v, (k, v)
assert len(ours['samples']) == len(perfs['samples']) > 10, (len(ours['samples']), len(perfs['samples']))
events = set()
for o, p in zip(ours['samples'], perfs['samples']):
    events.add(o.pop('event')); assert o.pop('period') > 0
    for s in (o, p):
        for k in ('target_cpu',): # perf pads it as its text does
            if k in s: s[k] = int(s[k])
        for f in s['callchain']: f.get('symbol', '').endswith('@plt') and f.pop('symbol')
    assert o == p, (o, p)
print(*sorted(events))
P
perf612 # 6.1 leaves out the fields of tracepoints
for f in s t; do
	perf=perf; [ $f = s ] || perf=$PERF612
	$perf data convert -i $f.data --to-json $f.perf --force >/dev/null 2>&1 || skip "this perf has no data convert"
	run "$SONDE" data convert -i $f.data --to-json $f.json; ok
	python3 compare.py $f.json $f.perf >events 2>compare.err || fail "$f: $(tail -n 1 compare.err)"
done
grep -q 'raw_syscalls:sys_exit sched:sched_process_exec' events || fail "events: $(cat events)"
run "$SONDE" data convert -i s.data --to-json s.json; exits 255; err_has 'is there already'; err_has 'hint: -f'
run "$SONDE" data convert -i s.data --to-json s.json -f --tod; ok
python3 -c 'import json, time; t = json.load(open("s.json"))["samples"][0]["timestamp"] / 1e9; assert abs(t - time.time()) < 3600, t' || fail "times of day"
run "$SONDE" data convert -i s.data; exits 129; err_has 'is missing'
run "$SONDE" data; exits 129; err_has 'hint: sonde data convert'

# CTF: each event with its fields; as many as the recording has, in order of time; names of functions
"$SONDE" script -i t.data --json >t.lines
run "$SONDE" data convert -i t.data --to-ctf t.ctf; ok
babeltrace2 --clock-seconds t.ctf >t.txt 2>t.err || fail "babeltrace2: $(cat t.err)"
[ ! -s t.err ] || fail "babeltrace2 complains: $(cat t.err)"
python3 - <<'P' || fail "CTF"
import json, re
ours = [e for e in map(json.loads, open('t.lines')) if 'time_ns' in e]
lines = open('t.txt').read().splitlines()
assert len(ours) == len(lines), (len(ours), len(lines))
times = [float(l[1:l.index(']')]) for l in lines]
assert times == sorted(times)
shape = lambda name, tid: (name, tid)
from collections import Counter
assert Counter((e['event'], e['tid'], e['comm']) for e in ours) == Counter(
    (re.search(r'\) (?:\S+ )?(\S+:\S+): ', l)[1], int(re.search(r'perf_tid = (-?\d+)', l)[1]), re.search(r'perf_comm = "([^"]*)"', l)[1]) for l in lines)
want = Counter((e['fields']['id'], e['fields']['ret']) for e in ours if e['event'] == 'raw_syscalls:sys_exit')
got = Counter((int(re.search(r' id = (-?\d+)', l)[1]), int(re.search(r' ret = (-?\d+)', l)[1])) for l in lines if 'raw_syscalls:sys_exit: ' in l)
assert want == got
assert any('filename = "/usr/bin/cat"' in l or 'filename = "/bin/cat"' in l for l in lines)
P
run "$SONDE" export -i s.data --to ctf -o s.ctf; ok
babeltrace2 s.ctf >s.txt 2>t.err || fail "babeltrace2: $(cat t.err)"
same "$(grep -c 'cpu-clock: ' s.txt)" "$("$SONDE" script -i s.data -F event | grep -c .)" "samples"
grep -q 'perf_symbols = \[ \[0\] = "quick"' s.txt || fail "symbols: $(head -n 2 s.txt)"
same "$(grep -o 'perf_period = [0-9]*' s.txt | awk '{ n += $3 } END { printf "%d", n }')" \
	"$("$SONDE" report --stdio --no-children -g none -i s.data 2>/dev/null | awk '/^# Event count/ { print $NF; exit }')" "the weight"
run "$SONDE" export -i s.data --to ctf -o s.ctf; exits 255; err_has 'is there already'
run "$SONDE" export -i s.data --to ctf; exits 129; err_has 'needs -o DIR'
run "$SONDE" export -i s.data -c nobody --to ctf -o e.ctf; ok; babeltrace2 e.ctf >e.txt 2>&1 || :; ! grep -q . e.txt || grep -qi 'no stream\|empty\|warn' e.txt || fail "nothing, as CTF: $(cat e.txt)"
