# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 240
# needs: python3
# Scripts made by chance from the language's grammar (tests/interop/generate.py) print here what an interpreter of its own says, and
# none of them is refused by the kernel. SCRIPTS=10000 SEED=2 for more and others (make soak).
[ "$(id -u)" = 0 ] || skip "scripts are for root"
run python3 "$TOP/tests/interop/generate.py" write made "${SCRIPTS:-300}" "${SEED:-1}" "$SONDE" "$PROG/generated"; ok
cat "$T/out"
# every core row of the language but what takes kprobes, which are in the guest
same "$(grep '^not covered: ' "$T/out" | grep -vE '^not covered: (kprobe|kretprobe|fentry):')" "" "rows that no script has"
run python3 "$TOP/tests/interop/generate.py" check made "$SONDE"; cat "$T/out"; ok
has '^[0-9]+ scripts: [0-9]+ as the interpreter, 0 not, [0-9]+ refused, 0 of them by the kernel$'
