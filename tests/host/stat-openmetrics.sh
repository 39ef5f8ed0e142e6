# SPDX-License-Identifier: GPL-2.0-or-later
# needs: prometheus curl python3
# stat --openmetrics: the counts as Debian's Prometheus scrapes them; as a file; and who asks wrongly, slowly or for ever keeps nothing waiting.
export LC_ALL=C
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy
pids=
trap '[ -z "$pids" ] || kill $pids 2>/dev/null || :' EXIT
"$SONDE" stat -a -I 100 -e page-faults,task-clock --openmetrics 0 >stat.out 2>stat.err & stat=$!
pids=$stat
await "grep -q 'counts are at http://127.0.0.1:[0-9]' stat.err"
port=$(sed -n 's/.*127.0.0.1:\([0-9]*\).*/\1/p' stat.err)
[ "$(ss -tln 2>/dev/null | grep -c ":$port " || :)" -le 1 ] || fail "more than one socket listens"
get() { curl -s --max-time 20 "http://127.0.0.1:$port/metrics"; }
await 'get | grep "^sonde_events_total{event=\"page-faults\"} [1-9]" >/dev/null'
get >text
tail -n 1 text | grep -qx '# EOF' || fail "no end: $(cat text)"
grep -q '^# TYPE sonde_events counter' text && grep -Eq '^sonde_events_total\{event="task-clock",unit="msec"\} [0-9.]+$' text && grep -Eq '^sonde_event_running_ratio\{event="page-faults"\} (1|0)\.[0-9]+$' text || fail "$(cat text)"
curl -sI "http://127.0.0.1:$port/metrics" | tr -d '\r' >headers
grep -qi '^content-type: application/openmetrics-text; version=1.0.0' headers || fail "head: $(cat headers)"
same "$(curl -s -o x -w '%{http_code}' "http://127.0.0.1:$port/etc/passwd")" 404 "another path"
same "$(curl -s -o x -w '%{http_code}' -d x "http://127.0.0.1:$port/metrics")" 405 "a POST"
# one that says nothing, one that says half, one that says too much: the next is answered
python3 - "$port" <<'P' || fail "slow and wrong ones"
import socket, sys, urllib.request
c = [socket.create_connection(('127.0.0.1', int(sys.argv[1]))) for _ in range(4)]
c[1].send(b'GET /met'); c[2].send(b'x' * 5000); c[3].send(b'\0\r\n\r\n')
assert b'# EOF' in urllib.request.urlopen('http://127.0.0.1:%s/' % sys.argv[1], timeout=60).read()
P
# counters only grow
count() { get | sed -n 's/^sonde_events_total{event="page-faults"} //p'; }
a=$(count); await '[ "$(count)" -gt "$a" ]'

cat >prometheus.yml <<Y
global: { scrape_interval: 200ms, scrape_timeout: 200ms }
scrape_configs:
- job_name: sonde
  static_configs:
  - targets: [ '127.0.0.1:$port' ]
Y
free=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address="127.0.0.1:$free" >prometheus.log 2>&1 & prom=$!
pids="$stat $prom"
query() { curl -s --max-time 20 --data-urlencode "query=$1" "http://127.0.0.1:$free/api/v1/query" 2>/dev/null; }
await 'query "increase(sonde_events_total{event=\"page-faults\"}[1m])" | grep "\"value\":\[[0-9.]*,\"[0-9]*[1-9]" >/dev/null || ! kill -0 $prom'
query 'sonde_events_total{event="task-clock"}' >answer
grep -q '"unit":"msec"' answer || fail "Prometheus: $(cat answer prometheus.log)"
query up >answer; grep -q '"value":\[[0-9.]*,"1"\]' answer || fail "not up: $(cat answer)"
kill $prom; wait $prom 2>/dev/null || :
kill -INT $stat; code=0; wait $stat || code=$?; same "$code" 0 "the end"
pids=
[ ! -s stat.out ] && ! grep -q page-faults stat.err || fail "the intervals are printed as well"

# by CPU and thread; a file, whole at any time
run "$SONDE" stat -a -A -e page-faults -I 50 --interval-count 2 --openmetrics "$PWD/counts.prom" true; ok
grep -Eq '^sonde_events_total\{event="page-faults",cpu="0"\} [0-9]+$' counts.prom && tail -n 1 counts.prom | grep -qx '# EOF' || fail "the file: $(cat counts.prom)"
[ ! -e counts.prom.new ] || fail "left over"
run "$SONDE" stat -e page-faults --openmetrics ./one.prom -o page true; ok
grep -q 'sonde_events_total{event="page-faults"} [1-9]' one.prom && grep -q page-faults page || fail "with -o: $(cat page one.prom)"
run "$SONDE" stat -e page-faults --openmetrics 300.1.2.3:99 true; exits 255; err_has 'is no address'; err_has 'hint: '
run "$SONDE" stat -e page-faults --openmetrics /nosuch/x true; exits 255; err_has '/nosuch/x'
run "$SONDE" stat -r 2 --openmetrics 0 true; exits 129; err_has 'exclude'

# what is no plain file is written as it is, and stays what it is; nothing is left over
echo old >there.prom; ln -s there.prom link.prom
run "$SONDE" stat -e page-faults --openmetrics ./link.prom true; ok
[ -L link.prom ] && grep -q 'sonde_events_total{event="page-faults"} [1-9]' there.prom || fail "through a link"
mkdir folder
run "$SONDE" stat -e page-faults --openmetrics ./folder true; exits 255; err_has 'folder'
[ ! -e folder.new ] || fail "left over"
if mknod null c 1 3 2>/dev/null && : 2>/dev/null >null; then
	run "$SONDE" stat -e page-faults --openmetrics ./null true; ok
	[ -c null ] && [ ! -e null.new ] || fail "a device became a file"
fi
