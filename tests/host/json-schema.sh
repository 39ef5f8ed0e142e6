# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# Whatever writes JSON writes what a strict parser takes, its first line has the schema, and odd bytes come back.
cat >check.py <<'PY'
import json, sys
def strict(pairs):
    names = [k for k, _ in pairs]
    assert len(set(names)) == len(names), "twice the same member: %s" % names
    return dict(pairs)
def refuse(word): raise ValueError(word)
lines = open(sys.argv[1], "rb").read().decode("utf-8").splitlines()
rows = [json.loads(l, object_pairs_hook=strict, parse_constant=refuse) for l in lines if l]
assert rows and rows[0]["schema"] == 1 and list(rows[0])[0] == "schema", lines[0]
if len(sys.argv) > 2:
    want = bytes.fromhex(sys.argv[2])
    found = [v for r in rows for v in r.get("args", {}).values() if isinstance(v, str) and v.encode("utf-8", "surrogateescape") == want]
    assert found, "not found: %r" % want
PY
strict() { python3 check.py "$@" || { head -c 2000 "$1"; fail "JSON: $1"; }; }
run "$SONDE" doctor --json; strict "$T/out"
run "$SONDE" list --json; ok; strict "$T/out"
run "$SONDE" list --json -v; ok; strict "$T/out"
run "$SONDE" list --json 'hw' 'sw'; ok; strict "$T/out"
run "$SONDE" stat -j true; ok; strict "$T/err"
run "$SONDE" stat -j -r 3 true; ok; strict "$T/err"
run "$SONDE" stat -j -I 50 -e cs,cycles true; ok; [ ! -s "$T/err" ] || strict "$T/err"
run "$SONDE" stat -j -e 'msr/tsc,name=a"b/' true; [ "$code" != 0 ] || strict "$T/err"
run "$SONDE" trace --json -o t.json ls /; ok; strict t.json
run "$SONDE" trace --json -s -o t.json ls /; ok; strict t.json
run "$SONDE" trace --json -S --stats -o t.json ls /; ok; strict t.json
run "$SONDE" trace --json -e openat,statx,newfstatat -o t.json ls $'/\xff\xed\xa0\x80"\\\x01x'; exits 2; strict t.json 2fffeda080225c0178
