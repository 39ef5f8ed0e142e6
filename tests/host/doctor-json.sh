# SPDX-License-Identifier: GPL-2.0-or-later
# doctor --json: the same answers, whole and typed, as root and as nobody.
# needs: python3
cat >check.py <<'END'
import json, sys
d = json.load(sys.stdin)
assert d["schema"] == 1, d["schema"]
assert d["kernel"]["release"] and d["kernel"]["cpus"] > 0
assert d["user"]["uid"] == int(sys.argv[1]), d["user"]
assert isinstance(d["user"]["capabilities"], list)
assert isinstance(d["settings"]["perf_event_paranoid"], int)
names = [a["name"] for a in d["abilities"]]
assert len(set(names)) == len(names)
for n in ("tracepoints", "syscall-tracepoints", "kprobes", "uprobes", "uretprobes", "bpf-tp-btf", "bpf-ringbuf",
          "btf", "btf-modules", "bpf-fentry", "function-graph", "hardware-pmu", "branch-stack", "kernel-debuginfo"):
    assert n in names, n
for a in d["abilities"] + d["commands"]:
    assert a["works"] in ("yes", "no", "-"), a
    assert (a["works"] == "no") == bool(a["remedy"]), a
assert all(c["command"] and c["use"] for c in d["commands"])
by = {a["name"]: a["works"] for a in d["abilities"]}
if d["user"]["uid"] == 0:
    assert by["tracefs"] == "yes" and by["uprobes"] == "yes" or "CONFIG" in str(d), by
else:
    assert by["bpf-tp-btf"] == "no" and by["uprobe-events"] == "no", by
END
run "$SONDE" doctor --json; ok
python3 check.py 0 <"$T/out" || fail "root"
run as_nobody "$SONDE" doctor --json; ok
python3 check.py "$(id -u nobody)" <"$T/out" || fail "nobody"
