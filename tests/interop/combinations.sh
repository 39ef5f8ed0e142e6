# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3
# timeout: 300
# Options of report and script, drawn at random: sonde prints what perf 6.12 prints, to the letter, in at least 95 of 100
# combinations (see combinations.py for what is made alike; doc/PERF.md names what differs). `make soak` draws 300 of each from
# three seeds; with the 40 here eight may differ, since one is 2.5 % and what differs hangs on the recordings.
perf612
[ "$(id -u)" -eq 0 ] || skip "needs root"
unset DEBUGINFOD_URLS
n=${COMBINATIONS:-40}
run timeout 3000 python3 "$TOP/tests/interop/combinations.py" --seed "${SEED:-1}" --report "$n" --script "$n" --least "$([ "$n" -ge 100 ] && echo 95 || echo 80)" \
	"$SONDE" "$PERF612" "$PROG"
cat "$T/out"
ok
