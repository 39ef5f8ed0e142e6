# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3
# timeout: 180
# script --json beside perf data convert --to-json: the same samples, field by field.
. "$TOP/tests/recordings.sh"
clock() { "$SONDE" record -q -F 4999 -g -e cpu-clock -o fp.data sh -c 'ls / >/dev/null; seq 300000 >/dev/null; sleep 0.01' 2>/dev/null; }
switches() { perf record -q --buildid-mmap -e sched:sched_switch,sched:sched_wakeup -a -g -o tp.data sleep 0.2 2>/dev/null; }
threads() { perf record -q --buildid-mmap -F 999 -e cpu-clock -o threads.data "$PROG/threads" 5000 2>/dev/null || :; }
clock; threads
record_until 'all_named tp.data' switches
cat >compare.py <<'P'
import json, os, sys

def samples(path):
    with open(path) as f:
        lines = [json.loads(line) for line in f]
    assert lines[0]["schema"] == 1
    return lines[1:]

def frame(ip, sym, dso):  # perf names the file only where it has a symbol, and without its folder
    if not sym or sym.startswith(("bpf_prog_", "bpf_trampoline_")):  # others may run these meanwhile, and perf has no names for all
        return int(ip, 16), None, None
    if sym.endswith("@plt"):  # and has no name for some slots of a procedure linkage table
        sym = "@plt"
    return int(ip, 16), sym, os.path.basename(dso) if dso.startswith("/") else dso

ours = samples(sys.argv[1])
with open(sys.argv[2]) as f:
    theirs = json.load(f)
fields, frames, broken = 0, 0, 0
assert len(ours) == len(theirs["samples"]) > 0, (len(ours), len(theirs["samples"]))
for a, b in zip(ours, theirs["samples"]):
    assert a["time_ns"] == b["timestamp"], (a, b)
    for key in ("pid", "tid", "comm", "cpu"):
        if key in b and (key != "pid" or b["tid"] >= 0):  # of the dead, all -1, perf keeps one process
            assert a[key] == b[key], (key, a, b)
            fields += 1
    chain = a.get("stack") or [a]
    x = [frame(f["ip"], f.get("sym"), f.get("dso")) for f in chain]
    y = [frame(f["ip"], f.get("symbol"), f.get("dso")) for f in b["callchain"]]
    if len(x) == 1 and x == y[:1]:
        broken += len(y) > 1  # a number in the chain is no address and no mark: perf script and sonde take none of it
    else:
        assert x == y, (x, y)
    frames += len(x)
assert broken * 10 <= len(ours), broken
print(f"{len(ours)} samples, {fields} fields, {frames} frames agree")
P
for kind in fp tp threads; do
	"$SONDE" script --json --no-inline -i $kind.data >$kind.ours 2>/dev/null
	rm -f $kind.theirs
	perf data convert --to-json $kind.theirs -i $kind.data >/dev/null 2>&1
	run python3 compare.py $kind.ours $kind.theirs; ok; has '^[0-9]+ samples, [1-9][0-9]* fields, [1-9][0-9]* frames agree'
	echo "$kind: $out"
done
