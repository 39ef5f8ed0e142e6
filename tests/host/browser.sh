# SPDX-License-Identifier: GPL-2.0-or-later
# needs: tmux python3
# `report` on a terminal: the lines of --stdio, and every key of the table does what it says.
. "$TOP/tests/tmux.sh"
"$SONDE" record -q -g -F 1999 -e cpu-clock:u -o perf.data "$PROG/profiled" 600 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
"$SONDE" record -q -F 1999 -e cpu-clock:u -e task-clock:u -o two.data "$PROG/profiled" 100 2>/dev/null
"$SONDE" record -q -F 1999 -e '{cpu-clock:u,page-faults:u}' -o group.data "$PROG/profiled" 100 2>/dev/null
terminal 120 30

# the same lines as on paper, the first one selected
line "'$SONDE' report --no-children"; shows "^Samples: [0-9]+ of event 'cpu-clock:u'"
"$SONDE" report --stdio --no-children -g none 2>/dev/null | grep '%' | head -n 20 | sed 's/^ *//; s/ *$//' >want
screen | grep '%' | head -n 20 | sed 's/^[+ ] *//; s/ *$//' >got
diff want got || fail "other lines than --stdio"
grep -q 'quick' <(head -n 1 got) || fail "the busiest function does not stand first"
tm capture-pane -p -e | sed -n 2,3p | tr -d '\n' | grep -q $'\033\\[0;7m.*%' || tm capture-pane -p -e | sed -n 3p | grep -q $'\033\\[7m' || fail "the first line is not selected"

# folding: one level, all of the line, all lines
press +; shows '^- +[0-9.]+%.*quick$'; press +; gone '^- +[0-9.]+%'
press e; shows ' +[0-9.]+% '; shows '^ +- [a-z]'; press c; gone '^- '
press E; shows '^- '; press C; gone '^- '
# filters lie on each other, Esc takes off the last
press d; shows 'only file /.*/profiled'; gone 'libc.so.6  '
press t; shows 'only file .*, thread profiled'; press Escape; gone 'thread profiled'; shows 'only file'; press d; gone 'only file'
press k; shows 'only the kernel'; gone 'quick'; press k; shows 'quick'
press /; shows '^only functions with:'; line ompar; shows 'functions with ompar'; gone 'quick'; shows 'compare'
before=$(screen | sed -n 's/^+ *\([0-9.]*\)%.*compare.*/\1/p')
press F; shows 'shares of what is shown'; after=$(screen | sed -n 's/^+ *\([0-9.]*\)%.*compare.*/\1/p')
awk -v a="$before" -v b="$after" 'BEGIN { exit !(b > a) }' || fail "F: $before is not less than $after"
press F; gone 'shares of what'; press /; shows '^only functions with:'; press Enter; shows 'quick'
press L; line 40; shows 'at least 40 %'; gone 'compare'; press L; line ''; gone 'at least'; shows 'compare'
press H; gone 'Overhead'; press H; shows 'Overhead +Command'
press S; shows 'sockets are not told apart'
press e V; shows '% .* profiled$'; press V; press c
# search: round the end, with a count
press C-f; shows '^search:'; line PROFILED; shows "'PROFILED': 1 of [0-9]+"; press n; shows "'PROFILED': 2 of"; press N; shows "'PROFILED': 1 of"; press N; shows "'PROFILED': ([0-9]+) of \1, round the end"
press C-f; line 'no such thing'; shows "no line has 'no such thing'"
# views of their own: keys, header, scripts, the map
press '?'; shows 'Tab, Shift-Tab +next and previous event'; press q; press h; shows 'these keys'; press q; press F1; shows 'these keys'; press q
press i; shows '^# (hostname|captured on)'; press Escape; press r; shows 'sonde script'; press q
press Home Enter; shows 'Zoom into .* DSO'; shows 'Browse map details'; press Escape; gone 'Browse map'
press m; shows 'Zoom into profiled thread'; press Down Down Enter; shows 'only file'; press Escape; gone 'only file'; press Right; shows 'Exit'; press q; gone 'Exit'
# into a file, and into another
press P; shows 'lines are in perf.hist.0'; press P; shows 'perf.hist.1'; head -n 1 perf.hist.0 | grep -Eq '^\+ +[0-9.]+%.*quick$' || fail "perf.hist.0: $(head -n 1 perf.hist.0)"
# the flame view, and a range of time
press g; shows '^\|all'; press Down; shows '% of all'; press Enter; shows '100.00 % of the zoom'; press Escape; shows '^\|all'; press Escape; shows 'Overhead'
press g; shows '^\|all'; tm send-keys -l $'\033[<0;4;3M\033[<0;4;3m'; shows '^[^a ].*: [0-9.]+ % of all'; press q; shows 'Overhead'
press T; shows 'Samples over time'; press Down Down m; shows 'range from the mark'; press Down Enter; shows 'from [0-9.]+ to [0-9.]+ s'
press Escape; gone 'from [0-9.]+ to'; press T Enter; shows 'from 0.0+ to'; press T a; gone 'from 0.0'
press s; shows 'recordings of this folder'; shows 'two.data'; press Down; press Escape; press q; shows '^ready>'

# the range is that of the instructions, too: as many samples as the line has
line "clear; '$SONDE' report --no-children -g none -n -s sym"; shows '% +[0-9]+ +\[\.\] quick'; count() { screen | awk '/\] quick/ { print $2 }'; }; all=$(count)
press T; shows 'Samples over time'; press Enter; shows 'from 0.0+ to'; part=$(count); [ "$part" -lt "$all" ] || fail "a part of the time has $part of $all samples"
press Home; screen | sed -n 3p | grep -q quick || { press C-f; line '] quick'; shows '1 of 1'; }; press a; shows "^ *quick .* $part samples .local period"; shows 'from 0.0+ to'; press Escape; shows Overhead; press Escape; gone 'from 0.0'
press a; shows "^ *quick .* $all samples .local period"; press q; press q; shows '^ready>'

# several events: a list, and Tab
line "clear; '$SONDE' report -i two.data"; shows 'Available samples'; press Enter; shows "of event 'cpu-clock:u'"; press Tab; shows "of event 'task-clock:u'"; press BTab; shows "of event 'cpu-clock:u'"
press q; shows 'Available samples'; press C-c; shows '^ready>'
line "clear; '$SONDE' report -i group.data"; shows 'anon group'; press 1; press 0; shows 'anon group'; press 7; shows 'has no event 7'; press q; shows '^ready>'
line "clear; '$SONDE' report --hierarchy -g none"; shows '^\+ .*profiled'; press E; shows '^- .*profiled'; press q; shows '^ready>'

# another size keeps the bar; the mouse selects, a double click is Enter
line "clear; '$SONDE' report --no-children"; shows 'Overhead'; press Down Down; press d; shows 'only file'; status=$(screen | tail -n 1); press d; gone 'only file'
tm resize-window -x 70 -y 12; press d; shows 'only file'; [ "${status:0:30}" = "$(screen | tail -n 1 | cut -c 1-30)" ] || fail "the bar moved: $status"; press d; gone 'only file'
tm resize-window -x 120 -y 30; tm send-keys -l $'\033[<0;5;5M\033[<0;5;5m\033[<0;5;5M\033[<0;5;5m'; shows 'Browse map'; press Escape; tm send-keys -l $'\033[<65;5;5M'; press q; shows '^ready>'

# what is no terminal for it, and what asks for paper
for how in 'TERM=dumb' 'TERM=nonsense'; do line "clear; $how SONDE_PAGER= PAGER=cat '$SONDE' report --no-children -g none -s sym"; shows '^# Samples: '; shows '^ready>'; done
line "clear; PAGER=cat '$SONDE' report --stdio --no-children -g none -s sym"; shows '^# Samples: '
coloured() { tm capture-pane -p -e | grep -q $'\033\\[3[0-7]m'; }
line "clear; '$SONDE' report"; shows '^Samples:'; coloured || fail "no colours"; press q; shows '^ready>'
line "clear; NO_COLOR=1 '$SONDE' report"; shows '^Samples:'; ! coloured || fail "colours in spite of NO_COLOR"; press q; shows '^ready>'

# a long reading shows how far it is, and q (typed before it began) takes what there is by then
python3 "$TOP/bench/grow.py" perf.data big.data 300
line "clear; '$SONDE' report --no-children -i big.data"; shows 'reading the recording: [0-9]+ %|^Samples: '; shows '^Samples: '; gone 'not all'; screen | head -n 1 >whole; press q; shows '^ready>'
line "clear; '$SONDE' report --no-children -i big.data"; tm send-keys q; shows 'reading was stopped: this is not all'; shows 'quick'; screen | head -n 1 >part; press q; shows '^ready>'
! cmp -s whole part || fail "nothing was left out"
rm big.data
