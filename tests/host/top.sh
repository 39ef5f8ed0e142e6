# SPDX-License-Identifier: GPL-2.0-or-later
# needs: tmux strings
# timeout: 200
# `top`: a busy program's hot function stands first, in tables and on a terminal; options; its end.
. "$TOP/tests/tmux.sh"
"$PROG/profiled" 1000000 & busy=$!
trap 'kill $busy 2>/dev/null; tm kill-server 2>/dev/null || :' EXIT
# tables CONDITION OPTION...: into $T/out, until the condition holds
tables() { local condition=$1; shift; after "$condition" INT "$SONDE" top --stdio -d 0.2 -e cpu-clock:u "$@"; }
two='[ "$(grep -c "sonde top:" "$T/out")" -ge 3 ] && grep -q quick "$T/out"'
tables "$two" -p $busy; [ "$code" = 0 ] || skip "cannot sample here: $(head -n 1 "$T/err")"
hasnt $'\033'; hasnt ' $'; has 'lost: 0'; has '^# Overhead +Shared Object +Symbol'; grep % "$T/out" | grep -v 'sonde top' >lines
[ "$(grep -A1 '^$' "$T/out" | grep % | grep -v 'sonde top:' | tail -n 1 | awk '{ print $NF }')" = quick ] || fail "the busiest function does not stand first"
# as people read it
(timeout -s INT 30 stdbuf -oL "$SONDE" top --stdio -d 0.2 -e cpu-clock:u -p $busy 2>"$T/err" | strings | grep -m 1 -E '%.*quick' >line) || :; grep -q quick line || fail "not by way of stdbuf and strings"
# columns, keys, how many lines
tables '[ "$(grep -c " 100.00%" "$T/out")" -ge 1 ]' -p $busy -ns comm; has '^# Overhead +Samples +Command'; has '100.00% +[0-9]+ +profiled'
tables "$two" -p $busy -E 1; hasnt 'compare'; tables "$two" -p $busy -z -F 499 --percent-limit 20; [ -z "$(sed -n 's/^ *\([0-9.]*\)%  .*/\1/p' "$T/out" | awk '$1 < 20')" ] || fail "lines below 20 %"
tables 'grep -q "sonde top:.*kernel" "$T/out" && [ "$(grep -c "sonde top:" "$T/out")" -ge 5 ]' -p $busy -U; hasnt 'quick'
tables "$two" -p $busy -K; hasnt '\[k\]'; tables "$two" -p $busy -g; has '^# Children +Self'; has -- '--[0-9.]+%--'
tables "$two" -p $busy --call-graph dwarf,4096,caller; has -- '--[0-9.]+%--'
tables "$two" -p $busy -e task-clock:u; has '^# cpu-clock:u: [0-9]+ samples'; has '^# task-clock:u: [0-9]+ samples'
tables "$two" -t $busy --symbols quick,compare --percentage relative; hasnt '_random'
tables "$two" -u "$(id -un)" --comms profiled; tables "$two" -C 0-$(($(nproc --all) - 1)) --dsos profiled; hasnt 'libc'
# what is wrong
run "$SONDE" top -K -U; exits 129; err_has '^hint: '; run "$SONDE" top -d nothing; exits 129; run "$SONDE" top true; exits 129; run "$SONDE" top -D; exits 129; err_has '^hint: '
tables 'grep -q "quick of profiled, [0-9]* samples" "$T/out" && grep -Eq "^ +[1-9][0-9.]+ +[0-9a-f]+: +[a-z]" "$T/out"' -p $busy --sym-annotate quick
run "$SONDE" top -F 9 -c 9; exits 129; run "$SONDE" top --call-graph nonsense; exits 129; err_has '^hint: fp, dwarf'; run "$SONDE" top --stdio -e nosuch; err_has "nosuch"
run "$SONDE" top true; exits 129; err_has 'starts no command'; err_has '^hint: .*top -p PID'
# told to end with its whole group, it does not say that what it watches ended
setsid "$SONDE" top --stdio -d 0.2 -e cpu-clock:u -p $busy >"$T/out" 2>"$T/err" & pid=$!
await 'grep -q quick "$T/out"'; kill -TERM -- -$pid; wait $pid; err_hasnt 'has ended'
true & gone=$!; wait $gone; run "$SONDE" top --stdio -p $gone; exits 255; err_has 'does not exist'
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 0 ]; then
	run as_nobody "$SONDE" top --stdio; exits 255; err_has 'perf_event_paranoid is'; err_has '^hint: what every user may watch: own processes'
fi

# on a terminal
terminal 120 24
line "'$SONDE' top -e cpu-clock:u -d 0.3 -p $busy"; shows '^Samples: .* of event .cpu-clock:u'; shows 'quick'; shows 'none lost, sonde takes [0-9.]+ % of a CPU'
screen | sed -n 3p | grep -q 'quick$' || fail "the busiest function does not stand first"
press /; line random; shows 'only functions with random'; gone 'quick'; press Escape; shows 'quick'
press p; shows ', held'; now=$(screen | head -n 1); press Down; [ "$(screen | head -n 1)" = "$now" ] || fail "it is not held"; press p; gone ', held'
press z; shows 'from zero each time'; press z; gone 'from zero'
press f; shows 'events off'; shows '^0 samples/s'; press f; gone 'events off'; shows '^[1-9][0-9]* samples/s'
press '?'; press End; shows 'hold the picture'; press q; press g; shows '^\|all'; press Escape; shows 'quick'
# the flame view lives, too
press z g; shows '^\|.*quick'; kill -STOP $busy; gone 'quick'; kill -CONT $busy; shows '^\|.*quick'; press Escape z; gone 'from zero'
# the instructions of a function, as they get hot
press Home a; shows '^ *quick .*/profiled +[0-9]+ samples \[local period\]'; shows '^ *[1-9][0-9]*\.[0-9][0-9] '; shows 'function 1 of [0-9]+, .*none lost'
now=$(screen | head -n 1); await '[ "$(screen | head -n 1)" != "$now" ]'; press t t; shows '^ +[1-9][0-9]* '; press Escape; shows 'Samples: '; press Home Enter; shows 'Annotate quick'; press Escape
press C-z; shows Stopped; line fg; shows 'quick'
kill $busy; shows 'what was watched has ended'; shows '^ready>'

# the keys of tables, and the terminal's modes afterwards
"$PROG/profiled" 100000000 & busy=$!
line 'clear; stty -g'; shows '^[0-9a-f:]+$'; modes=$(screen | grep -m 1 -E '^[0-9a-f]+:')
line "'$SONDE' top --stdio -E 5 -e cpu-clock:u -e task-clock:u -d 0.3 -p $busy"; shows 'sonde top:'; shows '^# task-clock:u'
press E; shows 'number of the event'; line 0; gone '^# task-clock:u'; shows '^# cpu-clock:u'
press s; shows 'function:'; line quick; shows 'quick of profiled, [0-9]+ samples, lines of at least 5 %'; press F; shows 'least percentage'; line 99.9; shows 'at least 99.9 %'
# nothing is written over a question, however long it stands there
press d; shows 'seconds between tables:'; now=$(ps -o etimes= -p $busy); await '[ "$(ps -o etimes= -p $busy)" -ge $((now + 3)) ]'; shows 'seconds between tables: *$'; screen >asked; ! grep -E '[0-9] s, [0-9]+ samples, ' asked || fail "the recorder writes over the question"; line 0.3
press S; shows '^# Overhead'; press U; gone 'quick$'; press U; shows 'quick$'; press f; shows 'of more samples than'; line 100000000; gone 'quick$'; press f; shows 'of more samples than'; line 0; shows 'quick$'
press e; shows 'lines of a table:'; line 1; shows '^# cpu-clock:u'; gone '_random$'; press x; shows '\[d\] +seconds between tables'; shows '\[e\] +lines of a table +\(1\)'; press z; shows 'sonde top:'
press C-z; shows Stopped; line 'stty -g'; shows "^$modes"; line 'fg; clear'; shows 'sonde top:'
press q; shows '^ready>'; line 'clear; stty -g'; shows "^$modes"
line "clear; '$SONDE' top --stdio -e cpu-clock:u -d 0.3 -p $busy"; shows 'sonde top:'; kill -KILL "$(pgrep -x -P "$(tm display -p '#{pane_pid}')" sonde)"; shows Killed; line 'clear; stty -g'; shows "^$modes"
kill $busy
