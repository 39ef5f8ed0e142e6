# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# Figures beside perf 6.12's: --metric-only of the same recording; and the formulas of perf's own tables, worked out by Python.
perf612
export XDG_CONFIG_HOME=$PWD/config
mk() { mkdir -p "$(dirname "$1")"; printf '%b\n' "$2" >"$1"; }
mkdir -p k/proc; mk k/sys/bus/event_source/devices/cpu/type 4; mk k/sys/bus/event_source/devices/cpu/format/event config:0-15; mk k/sys/devices/system/cpu/online 0-1
cat >k/perf_event_open <<'R'
0 0 ok 2000000000 1000000000 1000000000
0 1 ok 3100000000 1000000000 1000000000
0 4 ok 100000 1000000000 1000000000
0 5 ok 15000 1000000000 1000000000
0 7 ok 700000000 1000000000 1000000000
1 1 ok 1000000000 1000000000 1000000000
1 * ok 77 1000 1000
* * ENOENT
R
ev=task-clock,cycles,instructions,branches,branch-misses,stalled-cycles-frontend,faults
for a in '' -a; do
	# shellcheck disable=SC2086
	SONDE_KERNEL_ROOT=$PWD/k run "$SONDE" stat record -o f.data $a -e $ev true; ok
	for o in -f ${a:+-A}; do
		[ "$o" != -f ] || o=
		# perf leaves the heading out when it reads a file: the values are compared
		# shellcheck disable=SC2086
		run "$SONDE" stat -x, --metric-only report -i f.data $o; ok; mine=$(grep '[0-9]' "$T/err")
		# shellcheck disable=SC2086
		run "$PERF612" stat -x, --metric-only report -i f.data $o; same "$mine" "$(grep '[0-9]' "$T/err")" "CSV $a $o"
		# shellcheck disable=SC2086
		run "$SONDE" stat --metric-only report -i f.data $o; ok; mine=$(grep '^ *[0-9C].*[0-9]%' "$T/err" | tr -s ' ')
		# shellcheck disable=SC2086
		run "$PERF612" stat --metric-only report -i f.data $o; same "$mine" "$(grep '^ *[0-9C].*[0-9]%' "$T/err" | sed 's/ *$//' | tr -s ' ')" "text $a $o"
		# shellcheck disable=SC2086
		run "$SONDE" stat -j --metric-only report -i f.data $o; ok; mine=$(sed 's/"schema":1,//; s/ //g' "$T/err")
		# shellcheck disable=SC2086
		run "$PERF612" stat -j --metric-only report -i f.data $o; same "$mine" "$(sed 's/ //g' "$T/err")" "JSON $a $o"
	done
done
# every metric of this CPU's tables that is made of core events
"$PERF612" list -j >perf.json 2>/dev/null
cat >all.py <<'P'
import json, os, re, subprocess, sys
sonde = sys.argv[1]
rows = [m for m in json.load(open("perf.json")) if "MetricExpr" in m]
names = {m["MetricName"]: m for m in rows}
word = r"[a-zA-Z_][a-zA-Z0-9_.]*"
plain = {n: m for n, m in names.items() if not re.search(r"[@#:\\]", m["MetricExpr"])}
events, ids = [], set()
for m in plain.values(): ids |= set(re.findall(word, m["MetricExpr"]))
ids -= {"d_ratio", "min", "max", "if", "else"} | set(names)
ids = sorted(i for i in ids if not i.startswith(("duration_time", "l3_", "umc")))
if len(ids) < 5: print("SKIP: this CPU's tables in perf have no plain metrics"); sys.exit(77)
value = {}
with open("k/perf_event_open", "w") as f:
    for i, name in enumerate(ids):
        value[name] = 1000 + 37 * i * i
        events.append({"EventName": name, "Encoding": "cpu/event=%#x/" % (i + 1)})
        f.write("4 %d ok %d 1000 1000\n" % (i + 1, value[name]))
json.dump(events + rows, open("t.json", "w"))
def work_out(m):
    expr = re.sub(r"(.+) if (.+) else (.+)", r"((\1) if (\2) else (\3))", m["MetricExpr"])
    def sub(w):
        n = w.group(0)
        if n in ("d_ratio", "min", "max", "if", "else"): return n
        return "(%r)" % (work_out(names[n]) if n in names else value[n])
    return eval(re.sub(word, sub, expr), {"d_ratio": lambda a, b: a / b if b else 0, "min": min, "max": max})
n = 0
os.environ["SONDE_KERNEL_ROOT"] = os.getcwd() + "/k"
for name, m in sorted(plain.items()):
    try: want = work_out(m)
    except Exception: continue # of another PMU, or with functions of perf's own
    scale = re.match(r"[0-9.e-]+", m.get("ScaleUnit", ""))
    want *= float(scale.group(0)) if scale else 1
    r = subprocess.run([sonde, "stat", "-j", "--metric-file", "t.json", "-M", name, "true"], capture_output=True, text=True)
    got = [x["metric-value"] for x in map(json.loads, r.stderr.splitlines()) if x.get("metric-unit", "").split("  ")[-1] == name] if not r.returncode else []
    if not got or abs(float(got[0]) - want) > 1e-6 * max(1, abs(want)): sys.exit(f"{name}: {m['MetricExpr']}: {got}, wanted {want}\n{r.stderr}")
    n += 1
print(n, "metrics,", len(names), "in perf's tables")
if n < 20: print("too few of this CPU"); sys.exit(77)
P
run python3 all.py "$SONDE"; [ "$code" != 77 ] || skip "$out"; ok; echo "$out"
mkdir -p config/sonde; cp perf.json config/sonde/metrics.json; unset SONDE_KERNEL_ROOT
run "$SONDE" list metric; ok
python3 -c 'import json; print("\n".join(sorted({m["MetricName"] for m in json.load(open("perf.json")) if "MetricExpr" in m})))' >theirs
while read -r m; do grep -q "^  $m " "$T/out" || fail "list metric lacks $m"; done <theirs
