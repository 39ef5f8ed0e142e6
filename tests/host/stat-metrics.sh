# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# Metrics on made-up machines: built in, from perf's tables, of the kernel's own events; and refused where there is no PMU.
export XDG_CONFIG_HOME=$PWD/config
if ! ls /sys/bus/event_source/devices/cpu* >/dev/null 2>&1; then # this machine has none: each refusal says so
	for o in '-M insn_per_cycle' '-M Default' --topdown -T; do
		# shellcheck disable=SC2086
		run "$SONDE" stat $o true; exits 255; err_has 'PMU'; err_has '^hint: '
	done
	run "$SONDE" stat -M cs_per_second,CPUs_utilized true; ok; err_has ' cs/sec  cs_per_second$'; err_has ' CPUs  CPUs_utilized$'
fi
run "$SONDE" stat -M nosuch true; exits 129; err_has "no metric and no group of metrics 'nosuch'"; err_has '^hint: .*perf list -j'
mk() { mkdir -p "$(dirname "$1")"; printf '%b\n' "$2" >"$1"; }
dev=k/sys/bus/event_source/devices
mkdir -p k/proc; mk $dev/cpu/type 4; mk $dev/cpu/format/event config:0-7; mk $dev/cpu/format/umask config:8-15; mk $dev/cpu/format/cmask config:24-31
mk k/sys/devices/system/cpu/online 0-1
for c in 0 1; do mk k/sys/devices/system/cpu/cpu$c/topology/core_id $c; mk k/sys/devices/system/cpu/cpu$c/topology/physical_package_id 0; done
cat >k/perf_event_open <<'R'
0 0 ok 2000000000 1000000000 1000000000
0 1 ok 3000000000 1000000000 1000000000
0 4 ok 100000 1000000000 1000000000
0 5 ok 15000 1000000000 1000000000
0 2 EOPNOTSUPP
1 * ok 1000000000 1000000000 1000000000
4 0x1aa ok 600 1000 1000
4 0xab ok 400 1000 1000
4 0x10000ab ok 100 1000 1000
4 * ok 50 1000 1000
* * ENOENT
R
export SONDE_KERNEL_ROOT=$PWD/k
# built in; a metric of an event that this machine lacks has no value, and says so
run "$SONDE" stat -M insn_per_cycle,branch_miss_rate,cache_miss_rate true; ok
err_has '# +1\.5 instructions  insn_per_cycle$'; err_has '# +15\.0 %  branch_miss_rate$'; err_has '# <not counted> %  cache_miss_rate$'
run "$SONDE" stat -j -M cache_miss_rate true; ok; err_has '"metric-value":null,"metric-unit":"%  cache_miss_rate"'
run "$SONDE" stat -x, -M cache_miss_rate true; ok; err_has ',<not counted>,%  cache_miss_rate$'
run "$SONDE" stat -x, --metric-only -M cs_per_second,cache_miss_rate true; ok; err_has '^cs/sec  cs_per_second,%  cache_miss_rate,$'; err_has '^[0-9.]+,<not counted>,$'
# as many as there are
python3 -c 'import json; print(json.dumps([{"MetricName": f"q{i}", "MetricExpr": f"duration_time * 0 + {i}", "MetricGroup": "gg"} for i in range(300)]))' >many.json
for f in '' -j '-x,'; do
	# shellcheck disable=SC2086
	run "$SONDE" stat --metric-file many.json $f -M gg true; ok; same "$(grep -oE '\bq[0-9]+' "$T/err" | sort -u | wc -l)" 300 "stat $f -M gg"
	# shellcheck disable=SC2086
	run "$SONDE" stat --metric-file many.json $f --metric-only -M gg true; ok; same "$(grep -oE '\bq[0-9]+' "$T/err" | sort -u | wc -l)" 300 "stat $f --metric-only"
done
# figures of the machine in any letters; one that is not known is no silent "else"
echo '[ {"MetricName": "smt", "MetricExpr": "duration_time * 0 + (7 if #SMT_on else 8)"}, {"MetricName": "by0", "MetricExpr": "1 / (duration_time * 0)"}, {"MetricName": "what", "MetricExpr": "7 if #what else 8"} ]' >smt.json
run "$SONDE" stat --metric-file smt.json -M by0 true; ok; err_has '# +nan by0$'
run "$SONDE" stat --metric-file smt.json -M smt true; ok; err_has '# +8\.00 smt$'; run "$SONDE" stat --metric-file smt.json -M what true; exits 129; err_has 'no such figure'
for c in 0 1; do mk k/sys/devices/system/cpu/cpu$c/topology/core_id 0; done
run "$SONDE" stat --metric-file smt.json -M smt true; ok; err_has '# +7\.00 smt$'
for c in 0 1; do mk k/sys/devices/system/cpu/cpu$c/topology/core_id $c; done
run "$SONDE" stat -j -M branch_miss_rate true; ok; err_has '"metric-value":15,"metric-unit":"%  branch_miss_rate"'
run "$SONDE" stat -x, -M branch_miss_rate true; ok; err_has ',15\.0,%  branch_miss_rate$'
# only figures: a column each, rates left out unless they were asked for
run "$SONDE" stat --metric-only -e task-clock,cycles,instructions,branches,branch-misses true; ok
err_has '^ +GHz +insn per cycle +branch-misses of all branches$'; err_has '^ +2\.000 +1\.50 +15\.00%$'
run "$SONDE" stat -x, --metric-only -e task-clock,cycles,instructions true; ok; same "$err" $'GHz,insn per cycle,\n2.000,1.50,'
run "$SONDE" stat -j --metric-only -e task-clock,cycles,instructions true; ok; same "$err" '{"schema":1,"GHz":"2.000","insn per cycle":"1.50"}'
run "$SONDE" stat -x, -a -A --metric-only -e task-clock,cycles true; ok; same "$err" $'cpu,GHz,\nCPU0,2.000,\nCPU1,2.000,'
run "$SONDE" stat -x, -a --per-core --metric-only -e cpu-clock,cycles true; ok; same "$err" $'core,cpus,GHz,\nS0-D0-C0,1,2.000,\nS0-D0-C1,1,2.000,'
run "$SONDE" stat --metric-only -M cs_per_second true; ok; err_has '^ +cs/sec  cs_per_second$'
run "$SONDE" stat --metric-only -e cs true; ok; err_has 'nothing follows from these events'
# perf's tables: the kernel's files and what perf list -j prints
cat >t.json <<'J'
[ { "EventName": "ops.all", "EventCode": "0xaa", "UMask": "0x01", "BriefDescription": "All ops", "PublicDescription": "All ops, at length" },
  { "EventName": "ops.done", "Encoding": "cpu/event=0xab/", "BriefDescription": "Done" },
  { "EventName": "ops.old", "EventCode": "0xac", "Deprecated": "1" },
  { "EventName": "far", "EventCode": "0x1", "Unit": "uncore_x" },
  { "MetricName": "done_share", "MetricExpr": "d_ratio(ops.done, ops.all)", "MetricGroup": "G1", "ScaleUnit": "100%", "BriefDescription": "Share" },
  { "MetricName": "done_share", "MetricExpr": "d_ratio(ops.done, ops.all)", "MetricGroup": "G2", "ScaleUnit": "100%" },
  { "MetricName": "lost_share", "MetricExpr": "1 - done_share if ops.all > 10 else 0", "MetricGroup": "G2", "ScaleUnit": "100%" },
  { "MetricName": "busy", "MetricExpr": "cpu@ops.done\\,cmask\\=1@ / max(ops.done, 1)" },
  { "MetricName": "loop", "MetricExpr": "loop2 + 1" }, { "MetricName": "loop2", "MetricExpr": "loop + 1" },
  { "MetricName": "broken", "MetricExpr": "ops.done +" } ]
J
run "$SONDE" stat --metric-file t.json -M G2 true; ok; err_has '# +66\.7 %  done_share$'; err_has '# +33\.3 %  lost_share$'; err_has '^ +600 +ops\.all$'
run "$SONDE" stat --metric-file t.json -M busy true; ok; err_has '# +0\.25 busy$'
run "$SONDE" stat --metric-file t.json -M G1 true; ok; err_hasnt lost_share
run "$SONDE" stat --metric-file t.json -M loop true; [ "$code" -gt 128 ] || fail "a metric that needs itself"; err_has 'needs itself'
run "$SONDE" stat --metric-file t.json -M broken true; exits 129; err_has 'wrong formula'
mkdir folder; cp t.json folder; run "$SONDE" stat --metric-file folder -M done_share true; ok; err_has done_share
echo '[ {' >bad.json; run "$SONDE" stat --metric-file bad.json -M done_share true; [ "$code" -gt 128 ] || fail "took bad.json"; err_has 'bad.json: line 2 is not JSON'
run "$SONDE" stat --metric-file nosuch.json -M done_share true; [ "$code" -gt 128 ]; err_has 'nosuch.json'
printf '[ { "MetricName": "e\\u001bvil", "MetricExpr": "instructions", "ScaleUnit": "1\\u001bx" } ]' >evil.json
run "$SONDE" stat --metric-file evil.json -M $'e\033vil' true; ok; err_has 'e.*vil$'; ! grep -q $'\033' "$T/err" || fail "an escape"
# installed: without a file's name, in list, and as events
mkdir -p config/sonde; cp t.json config/sonde/metrics.json
run "$SONDE" stat -M done_share true; ok; err_has '66\.7 %  done_share'
run "$SONDE" stat -x, -e ops.done,ops.done:u true; ok; same "$(cut -d, -f1,3 "$T/err")" $'400,ops.done\n400,ops.done:u'
run "$SONDE" list metricgroup; ok; has '^  G1 +\[Metric group\] done_share$'; has '^  G2 +.* done_share, lost_share$'
run "$SONDE" list metric; ok; has '^  done_share +\[Metric\] Share$'; has '^  insn_per_cycle '
run "$SONDE" list pmu; ok; has '^  ops\.all .*\] All ops$'; hasnt 'ops\.old'; has '^  far '
run "$SONDE" list --deprecated pmu; ok; has '^  ops\.old .*deprecated'
run "$SONDE" list --long-desc ops.all; ok; has 'All ops, at length'; run "$SONDE" list -v ops.all; ok; has 'at length'
run "$SONDE" list --no-desc ops.all; ok; hasnt 'All ops'; run "$SONDE" list -d ops.all; ok; has 'All ops'
run "$SONDE" list --unit uncore_x pmu; ok; has '^  far '; hasnt 'ops\.all'; hasnt 'cpu/'
run "$SONDE" list --unit cpu pmu metric; ok; has 'ops\.all'; has done_share; hasnt '^  far'
run "$SONDE" list -j -o l.json metric pmu; ok; same "$out" ''
python3 - <<'P'
import json
e = {x["name"]: x for x in json.load(open("l.json"))["events"]}
m = e["done_share"]
assert m["kind"] == "metric" and m["groups"] == "G1;G2" and m["scale-unit"] == "100%" and m["expression"] == "d_ratio(ops.done, ops.all)", m
assert e["far"]["pmu"] == "uncore_x" and "ops.old" not in e, e["far"]
P
run "$SONDE" list; ok; has '\[Metric\]'; has '\[Metric group\]'
# --topdown: slots that the CPU shares out itself, or bubbles; transactions
rm -r config
for e in slots=0 topdown-retiring=1 topdown-bad-spec=2 topdown-fe-bound=3 topdown-be-bound=4; do mk $dev/cpu/events/${e%=*} "event=0x${e#*=}"; done
printf '4 0 ok 1000 1 1\n4 1 ok 400 1 1\n4 2 ok 100 1 1\n4 3 ok 200 1 1\n4 4 ok 300 1 1\n' >k/perf_event_open
run "$SONDE" stat --topdown --metric-only -x, true; ok
same "$err" $'%  retiring,%  bad_speculation,%  frontend_bound,%  backend_bound,\n40.0,10.0,20.0,30.0,'
rm -r $dev/cpu/events
for e in total-slots=0 slots-issued=1 slots-retired=2 fetch-bubbles=3 recovery-bubbles=4; do mk $dev/cpu/events/topdown-${e%=*} "event=0x${e#*=}"; done
mk $dev/cpu/events/topdown-total-slots.scale 4
printf '4 0 ok 250 1 1\n4 1 ok 500 1 1\n4 2 ok 400 1 1\n4 3 ok 200 1 1\n4 4 ok 50 1 1\n' >k/perf_event_open
run "$SONDE" stat --topdown --metric-only -x, true; ok
same "$err" $'%  retiring,%  bad_speculation,%  frontend_bound,%  backend_bound,\n40.0,15.0,20.0,25.0,'
run "$SONDE" stat -T true; exits 255; err_has 'transactional memory'
for e in cycles-t=1 tx-start=2 cycles-ct=3; do mk $dev/cpu/events/${e%=*} "event=0x${e#*=}"; done
printf '0 0 ok 1000 1 1\n4 1 ok 500 1 1\n4 2 ok 10 1 1\n4 3 ok 400 1 1\n' >k/perf_event_open
run "$SONDE" stat -T -x, true; ok; err_has ',50\.0,%  transactional_cycles$'; err_has ',10\.0,%  aborted_cycles$'; err_has ',50\.00,cycles_per_transaction$'
