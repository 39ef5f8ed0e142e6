# SPDX-License-Identifier: GPL-2.0-or-later
# needs: node python3
# fetch: interop/fetch-viewers
# What `export` writes for Perfetto and for chrome://tracing is what the recording says, by SQL in Perfetto's own trace_processor.
export LC_ALL=C
viewers=$("$TOP/tests/interop/fetch-viewers" 2>"$T/err") || skip "$(sed -n 's/^SKIP: //p' "$T/err")"
sql() { node "$TOP/tests/interop/trace_processor.mjs" "$viewers/trace-processor" "$@" 2>sql.err || fail "trace_processor: $(cat sql.err)"; }
total() { "$SONDE" report --stdio --no-children -g none -i "$1" 2>/dev/null | awk -v e="'$2'" '/^# Samples/ { on = index($0, e) } on && /^# Event count/ { print $NF; exit }'; }
# part N: the Nth answer
part() { awk -v n="$1" '/^--$/ { i++; next } i + 1 == n' answers; }

"$SONDE" record -q -F 1000 -e cpu-clock -e page-faults -a -g -o s.data "$PROG/profiled" >/dev/null
run "$SONDE" export -i s.data --to perfetto -o s.pftrace; ok
sql s.pftrace "select count(*) from perf_sample" \
	"select c.name, sum(v) from (select track_id, max(value) v from counter group by track_id) join counter_track c on c.id = track_id group by 1 order by 1" \
	"select f.name, count(*) from perf_sample s join stack_profile_callsite c on s.callsite_id = c.id join stack_profile_frame f on c.frame_id = f.id join thread using (utid) where thread.name = 'profiled' and f.name = 'quick' group by 1" \
	"select count(*) from stats where severity = 'error' and value > 0" \
	"select m.name from stack_profile_frame f join stack_profile_mapping m on f.mapping = m.id where f.name = 'quick' limit 1" >answers
same "$(part 1)" "$("$SONDE" script -i s.data -F event | grep -c .)" "the samples"
same "$(part 2)" "cpu-clock|$(total s.data cpu-clock)
page-faults|$(total s.data page-faults)" "the weights"
"$SONDE" script -i s.data --json -c profiled >s.lines
same "$(part 3)" "quick|$(grep -c '"sym":"quick","off":[0-9]*,"dso":"[^"]*"[^{]*"stack"' s.lines)" "samples in quick"
same "$(part 4)" 0 "errors"
part 5 | grep '/profiled$' >/dev/null || fail "the file of quick: $(part 5)"
run "$SONDE" export -i s.data --to chrome -o s.json; ok
python3 -c 'import json; t = json.load(open("s.json")); f = t["stackFrames"]; s = [e for e in t["traceEvents"] if "sf" in e and e["name"] == "quick"]
n = 0; i = str(s[0]["sf"]); names = []
while i: names.append(f[i]["name"]); i = f[i].get("parent")
print(names); assert names[0] == "quick" and "work" in names' || fail "the stack of a sample"
sql s.json "select sum(extract_arg(arg_set_id, 'args.nanoseconds')) from slice where category = 'cpu-clock'" \
	"select count(*) from slice where name = 'quick' and category = 'cpu-clock'" >answers
same "$(part 1)" "$(total s.data cpu-clock)" "the weight, for chrome"
same "$(part 2)" "$(grep '"event":"cpu-clock"' s.lines | grep -c '"sym":"quick","off":[0-9]*,"dso":"[^"]*"[^{]*"stack"')" "samples in quick, for chrome"

# switches, wake-ups, system calls, another tracepoint: tracks
"$SONDE" record -q -a -e sched:sched_switch -e sched:sched_wakeup -e sched:sched_process_exec -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit \
	-o t.data sh -c 'for i in 1 2 3 4 5; do cat /etc/hostname >/dev/null; sleep 0.01; done' || skip "no tracepoints here: $(cat "$T/err")"
"$SONDE" script -i t.data --json >t.lines
count() { python3 - "$@" <<'P'
import json, sys
from collections import Counter
n = Counter()
for line in open('t.lines'):
    e = json.loads(line)
    if 'time_ns' not in e: continue
    n[e['event']] += 1
    if e['event'] == 'sched:sched_switch' and e['fields']['next_pid']: n['in'] += 1
    if e['event'] == 'raw_syscalls:sys_enter' and e['fields']['id'] == 257: n['openat'] += 1
    if e['event'] == 'sched:sched_process_exec' and e['fields']['filename'].endswith('/cat'): n['exec'] += 1
print(n[sys.argv[1]])
P
}
run "$SONDE" export -i t.data --to perfetto -o t.pftrace; ok
sql t.pftrace "select count(*) from sched join thread using (utid) where tid != 0" "select count(*) from ftrace_event where name = 'sched_wakeup'" \
	"select count(*), max(dur) > 0, max(thread.name = 'cat') from slice s join thread_track t on s.track_id = t.id join thread using (utid) where s.name = 'openat'" \
	"select count(*) from slice s join args a using (arg_set_id) where s.name = 'sched:sched_process_exec' and a.key = 'debug.filename' and a.string_value like '%/cat'" \
	"select count(distinct cpu) > 0, sum(dur) > 0 from sched" >answers
# of threads that were running when it began trace_processor knows as well
[ "$(part 1)" -ge "$(count in)" ] && [ "$(part 1)" -le $(($(count in) + $(nproc))) ] || fail "slices of CPUs: $(part 1), switches: $(count in)"
same "$(part 2)" "$(count sched:sched_wakeup)" "wake-ups"
same "$(part 3)" "$(count openat)|1|1" "openat's slices"
same "$(part 4)" "$(count exec)" "marks with fields"
same "$(part 5)" "1|1" "time on CPUs"
run "$SONDE" export -i t.data --to chrome -o t.json; ok
sql t.json "select count(*) from slice where category = 'sched'" \
	"select count(*), max(dur) > 0, max(thread.name = 'cat') from slice s join thread_track t on s.track_id = t.id join thread using (utid) where s.name = 'openat'" \
	"select count(*) from slice s where name = 'sched:sched_process_exec' and extract_arg(arg_set_id, 'args.filename') like '%/cat'" >answers
same "$(part 1)" "$(count in)" "slices of CPUs, for chrome"
same "$(part 2)" "$(count openat)|1|1" "openat's slices, for chrome"
same "$(part 3)" "$(count exec)" "marks, for chrome"

# where events were lost is a mark with their number
"$SONDE" sched record -q -o r.data sh -c 'for i in 1 2 3; do sleep 0.01; done'
python3 "$TOP/tests/lose.py" r.data lost.data || fail "could not make a file with losses"
for to in perfetto chrome; do
	run "$SONDE" export -i lost.data --to $to -o lost.out; ok; err_has 'lost 7 events'
	sql lost.out "select count(*), coalesce(sum(extract_arg(arg_set_id, 'debug.lost')), sum(extract_arg(arg_set_id, 'args.lost'))), min(ts) > (select start_ts from trace_bounds), max(ts) < (select end_ts from trace_bounds) from slice where name = 'events lost'" >answers
	same "$(part 1)" "1|7|1|1" "the loss, $to"
done

# a recording of `trace record`: whole calls
"$SONDE" trace record -o c.data cat /etc/hostname >/dev/null 2>&1
for to in perfetto chrome; do
	run "$SONDE" export -i c.data --to $to -o c.out; ok
	sql c.out "select count(*) > 0, min(dur) > 0 from slice where name = 'openat'" >answers
	same "$(part 1)" "1|1" "openat of trace record, $to"
	run "$SONDE" export -i c.data -c nobody --to $to -o e.out; ok; err_has 'no sample is in the export'
done
sql e.out "select count(*) from slice" >answers; same "$(part 1)" 0 "nothing"
