# SPDX-License-Identifier: GPL-2.0-or-later
# needs: node chromium python3
# fetch: interop/fetch-viewers
# What `export` writes for speedscope and for the Firefox Profiler, as these show it: speedscope's own page in a browser
# without a window, and the Firefox Profiler's own reader on the command line.
export LC_ALL=C HOME=$PWD XDG_STATE_HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_CACHE_HOME=$PWD
viewers=$(SONDE_CACHE=${SONDE_CACHE:-/var/cache/sonde} "$TOP/tests/interop/fetch-viewers" 2>"$T/err") || skip "$(sed -n 's/^SKIP: //p' "$T/err")"
"$SONDE" record -q -F 1000 -e cpu-clock -g -o s.data "$PROG/profiled" >/dev/null
"$SONDE" script -i s.data --json >s.lines
# sums.py: "tid ms-in-all ms-in-quick-itself ms-in-work-and-below", the thread with the most samples first
cat >sums.py <<'P'
import json
from collections import Counter
n, all, quick, work = Counter(), Counter(), Counter(), Counter()
for line in open('s.lines'):
    e = json.loads(line)
    if 'time_ns' not in e: continue
    n[e['tid']] += 1; all[e['tid']] += e['period']
    if e['stack'][0].get('sym') == 'quick': quick[e['tid']] += e['period']
    if any(f.get('sym') == 'work' for f in e['stack']): work[e['tid']] += e['period']
for tid, _ in n.most_common(): print(tid, *['%.2f' % (w[tid] / 1e6) for w in (all, quick, work)])
P
python3 sums.py >sums; [ "$(wc -l <sums)" -ge 3 ] || fail "threads: $(cat sums)"
read -r tid _ quick work <sums

# page FILE: what speedscope's sandwich view shows, a line for each piece of text
page() {
	{ printf 'speedscope.loadFileFromBase64("%s", "' "$1"; base64 -w0 "$1"; echo '")'; } >x.js
	timeout 100 chromium --headless=new --no-sandbox --disable-gpu --use-angle=swiftshader --user-data-dir="$PWD/chromium" --window-size=1400,1200 \
		--virtual-time-budget=20000 --dump-dom "file://$viewers/speedscope/index.html#localProfilePath=$PWD/x.js&view=sandwich" 2>browser.err |
		sed 's/<[^>]*>/\n/g' | grep -v '^ *$' >page || fail "the browser: $(tail -n 3 browser.err)"
}
run "$SONDE" export -i s.data --to speedscope -o s.speedscope.json; ok
page s.speedscope.json
while read -r t ms _; do
	grep -A1 -Fx "profiled ($t)" page | grep -Fx "${ms}ms" >/dev/null || fail "thread $t weighs $ms ms, the page: $(cat page)"
done <sums
# the busiest thread is shown: total, self, name
grep -Fx -B1 quick page | grep "^${quick}ms " >/dev/null || fail "quick itself is $quick ms: $(grep -B2 -Fx quick page)"
grep -Fx -B2 work page | grep "^${work}ms " >/dev/null || fail "work is $work ms: $(grep -B2 -Fx work page)"
# names that want to be more than names
hostile() { python3 - "$1" <<'P'
import struct, sys
def rec(type, body, misc=0):
    body += b'\0' * (-len(body) % 8)
    return struct.pack('<IHH', type, misc, 8 + len(body)) + body
kinds = 1 | 2 | 4 | 1 << 8
attr = rec(64, struct.pack('<IIQQQQ', 1, 128, 0, 0, kinds, 0).ljust(128, b'\0') + struct.pack('<Q', 1))
name = b'</script><b>\x1b[31m\xff"'
map = rec(1, struct.pack('<IIQQQ', 5, 5, 0x1000, 0x1000, 0) + b'/tmp/;\n<i>\x07\xfe' + b'\0', 2)
out = attr + rec(3, struct.pack('<II', 5, 5) + name[:15] + b'\0') + map
for i in range(5): out += rec(9, struct.pack('<QIIQQ', 0x1100 + i, 5, 5, 1000 + i, 7), 2)
open(sys.argv[1], 'wb').write(b'PERFILE2' + struct.pack('<Q', 16) + out)
P
}
hostile h.data
run "$SONDE" export -i h.data --to speedscope -o h.speedscope.json; ok
page h.speedscope.json
grep -q '^\[;\\n&lt;i&gt;\\a\\xfe\]$\|;.*&lt;i&gt;' page || fail "a hostile name: $(cat page)"
! grep -q $'\033\|\a' page || fail "a control character came through"

# the Firefox Profiler
profiler() { timeout 100 node "$viewers/profiler-cli/profiler-cli.js" "$@" 2>&1; }
session=sonde$$
# The tool gives its own daemon half a second to start: on a busy machine it takes several tries.
load() {
	for _ in $(seq 40); do
		profiler load "$1" --session $session >load && return
		grep -q 'did not become ready' load || return
		kill "$(sed -n 's/.*running as pid \([0-9]*\).*/\1/p' load)" 2>/dev/null || :
		profiler stop $session >/dev/null || :
	done
	return 1
}
trap 'profiler stop $session >/dev/null || :' EXIT
run "$SONDE" export -i s.data --to firefox -o s.json.gz; ok
load s.json.gz || fail "it does not load: $(cat load)"
profiler thread list --session $session --json >threads.json
thread=$(python3 -c 'import json, sys; t = json.load(open("threads.json"))["threads"]; print(*[x.get("threadHandle") or x.get("handle") for x in t if "('"$tid"')" in json.dumps(x)][:1])')
profiler thread select "$thread" --session $session >/dev/null
profiler thread functions --session $session --json >functions.json
python3 - "$quick" "$work" <<'P' || fail "functions: $(head -c 2000 functions.json)"
import json, sys
f = {x['name']: x for x in json.load(open('functions.json'))['functions']}
assert abs(f['quick']['selfSamples'] - float(sys.argv[1])) < 0.01, f['quick']
assert abs(f['work']['totalSamples'] - float(sys.argv[2])) < 0.01, f['work']
assert f['quick']['library'].endswith('/profiled'), f['quick']
P
profiler stop $session >/dev/null
if "$SONDE" record -q -e sched:sched_process_exec -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -o t.data cat /etc/hostname >/dev/null 2>&1; then
	run "$SONDE" export -i t.data --to firefox -o t.json.gz; ok
	load t.json.gz || fail "markers do not load: $(cat load)"
	profiler thread markers --session $session >markers
	grep -Eq '^ +openat +[0-9]+ markers' markers && grep -Eq 'sched:sched_process_exec +1 markers' markers || fail "markers: $(cat markers)"
	profiler stop $session >/dev/null
fi
run "$SONDE" export -i s.data -c nobody --to firefox -o e.json.gz; ok; err_has 'no sample is in the export'
run "$SONDE" export -i h.data --to firefox -o h.json.gz; ok
load h.json.gz || fail "a hostile name: $(cat load)"
