# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace -S: p50, p99 and the histogram, folded in the kernel, beside the durations of the same run's calls.
# needs: python3
check() { # MODE
	run "$SONDE" trace -S --summary-mode "$1" --json -e '!execve,exit_group' -o all.json bash -c \
		'dd if=/dev/zero of=/dev/null bs=1 count=5k 2>/dev/null & dd if=/dev/zero of=/dev/null bs=64k count=2k 2>/dev/null; wait'
	ok
	python3 - all.json "$1" <<'EOF' || fail "$1: percentiles"
import json, sys
took, rows, bad = {}, [], 0
for line in open(sys.argv[1]):
    e = json.loads(line)
    who = e.get("tid") if sys.argv[2] == "thread" else 0
    if e["type"] == "syscall" and "duration" in e:
        took.setdefault((who, e["syscall"]), []).append(e["duration"])
    if e["type"] == "summary":
        rows.append((who, e))
if sum(len(t) for t in took.values()) < 10000:
    sys.exit("only %d calls" % sum(len(t) for t in took.values()))
for who, e in rows:
    t = sorted(took[who, e["syscall"]])
    if len(t) != e["calls"] or t[0] != e["min"] or t[-1] != e["max"]:
        print(e, len(t), t[0], t[-1])
        bad += 1
    for p in 50, 99:
        exact, got = t[(len(t) * p + 99) // 100 - 1], e["p%d" % p]
        if abs(got - exact) > exact * 0.03:
            print(e["syscall"], "p%d" % p, got, "exact", exact)
            bad += 1
        if got != exact and len(str(got).rstrip("0")) > 3:
            print(e["syscall"], "p%d" % p, got, "has digits that are not known; exact:", exact)
            bad += 1
    for b in e["histogram"]:
        n = sum(b["from"] <= v < b["to"] for v in t)
        if n != b["count"]:
            print(e["syscall"], b, "has", n)
            bad += 1
    if sum(b["count"] for b in e["histogram"]) != len(t):
        print(e["syscall"], "histogram")
        bad += 1
sys.exit(bad > 0)
EOF
}
check thread
check total
# the table has no digit more, and its points stay below each other
run "$SONDE" trace -s -o table dd if=/dev/zero of=/dev/null bs=1 count=20k; ok
awk '/^   (read|write) / { n++; if ($8 !~ /^[0-9.]+$/ || length($8) > 5) bad = 1 } END { exit bad || n != 2 }' table || fail "$(cat table)"
