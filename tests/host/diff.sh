# SPDX-License-Identifier: GPL-2.0-or-later
# sonde diff: percentages of two recordings of known programs, default files, refusals.
export HOME=$T LC_ALL=C
cp "$PROG/annotated" .
run "$SONDE" record -q -e task-clock:u -F 2000 -o perf.data.old ./annotated 60; ok
run "$SONDE" record -q -e task-clock:u -F 2000 ./annotated 120; ok
run "$SONDE" diff -s sym; ok; has "^# Event 'task-clock:u'$"; has '^# Baseline  Delta Abs  Symbol'
cp "$T/out" both
run "$SONDE" report -i perf.data.old -s sym -q --stdio; ok
same "$(awk '$NF == "hash" { print $1 }' both)" "$(awk '$NF == "hash" { print $1 }' "$T/out")" "the baseline's share"
run "$SONDE" diff -s sym -c ratio -p -q perf.data.old perf.data; ok
awk '$NF == "hash" { d = $3 - $4 / $2; seen = d < 0.00001 && d > -0.00001 } END { exit !seen }' "$T/out" || fail "the ratio is not that of the periods"
run "$SONDE" diff -s sym -c delta -q perf.data perf.data; ok; has '\+0\.00% +\[\.\] hash'; hasnt '[+-][0-9.]*[1-9][0-9.]*% '
run "$SONDE" diff perf.data.old perf.data perf.data.old; ok; has '^#  \[2\] perf.data.old'; has 'Delta Abs/2'
run "$SONDE" record -q -e cpu-clock:u -e page-faults:u -o two ./annotated 60; ok
run "$SONDE" diff two two; ok; has "^# Event 'cpu-clock:u'"
run "$SONDE" diff --event page-faults two two; ok; has "^# Event 'page-faults:u'"; hasnt "Event 'cpu-clock"
run "$SONDE" diff --event nosuch two two; exits 255; err_has "no event 'nosuch'"
run "$SONDE" diff -c cube; exits 129; err_has "'cube' is no way to compare"; err_has 'wdiff:W1,W2'
run "$SONDE" diff -c wdiff:0,3; exits 129; err_has 'two weights'
run "$SONDE" diff -o 2; exits 129; err_has 'the columns are 0'
run "$SONDE" diff --cpu 0; exits 255; err_has 'do not tell their CPU'
run "$SONDE" diff perf.data nonexistent; exits 255; err_has 'nonexistent'
run "$SONDE" diff -s nosuch; [ "$code" -ne 0 ] || fail "a sort key that is not there was taken"; err_has nosuch
