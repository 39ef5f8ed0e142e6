# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 mandoc
# timeout: 300
# doc/PERF.md has a row for every option of perf 6.12's commands, and each row is true: what is "there" or "needless" is taken, what
# is "refused" gives a sentence and a hint.
perf612
run timeout 250 python3 "$TOP/tests/interop/perf_table.py" "$SONDE" "$PERF612" "$PERF612_MAN" "$SOURCE/doc/PERF.md"
cat "$T/out"
ok
# an option without a row, and a row that is not true, are found
grep -v '`--socket-filter`' "$SOURCE/doc/PERF.md" | sed 's/^\(| `--itrace` | \)refused/\1there/' >other.md
run timeout 250 python3 "$TOP/tests/interop/perf_table.py" "$SONDE" "$PERF612" "$PERF612_MAN" other.md
exits 1; has 'report: no row for --socket-filter'; has 'report --itrace: the row says there, sonde: refused'
