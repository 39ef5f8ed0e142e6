# SPDX-License-Identifier: GPL-2.0-or-later
# needs: tmux
# diff in the browser: its rows, its keys.
. "$TOP/tests/tmux.sh"
export HOME=$T
cp "$PROG/annotated" .
"$SONDE" record -q -F 1999 -e task-clock:u -o a.data ./annotated 100 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
"$SONDE" record -q -F 1999 -e task-clock:u -o b.data ./annotated 150 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
terminal 120 20
line "'$SONDE' diff -s sym a.data b.data"; shows "Event 'task-clock:u' +baseline: a\.data +1: b\.data"; shows 'Baseline +Delta Abs +Symbol'
shows '[0-9]+\.[0-9]+% +[+-][0-9.]+% +\[\.\] hash'
press p; shows 'Base period'; press p; gone 'Base period'
press F; shows 'Formula'; press F; gone 'Formula'
press 0; shows '\] hash'; press 5; shows 'there is no file 5'
press h; shows "sort by that file's column"; press Escape; gone "sort by that file's column"
press q; shows '^ready> *$'
# sorted by another column, and back, the same numbers: of addresses without names, too, which are one line
strip annotated
"$SONDE" record -q -F 1999 -e task-clock:u -o a.data ./annotated 100; "$SONDE" record -q -F 1999 -e task-clock:u -o b.data ./annotated 150
line 'clear'; line "'$SONDE' diff -p a.data b.data"; shows '[0-9]% .*\] 0x0'; screen >before
press p; gone 'Base period'; press 0 1 p; shows 'Base period'; screen >after; diff before after || fail "other lines after 0 and 1"
press q; shows '^ready> *$'
