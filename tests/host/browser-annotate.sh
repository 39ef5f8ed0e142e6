# SPDX-License-Identifier: GPL-2.0-or-later
# needs: tmux
# annotate in the browser: alone, and by `a` from report's; what its keys do.
. "$TOP/tests/tmux.sh"
export HOME=$T
cp "$PROG/annotated" .
"$SONDE" record -q -F 1999 -e task-clock:u -o perf.data ./annotated 150 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
terminal 110 30
line "'$SONDE' annotate walk"; shows '^ *walk .*/annotated .*samples \[local period\]'; shows '^ *[1-9][0-9]*\.[0-9][0-9] '; shows 'for \(struct node'
press s; gone 'for \(struct node'; press s; shows 'for \(struct node'
press t; shows '^ +[0-9]{6,} '; press t; gone '^ +[0-9]{6,} '; press t; shows '^ *[1-9][0-9]*\.[0-9][0-9] '
press b; shows 'local hits'; press p; shows 'global hits'; press b p; shows 'local period'
press l; shows '// annotated\.c:[0-9]+'; press l; gone '// annotated\.c'
press f; shows '[0-9a-f]{4}: '; press f
press /; tm send-keys -l nosuchword; press Enter; shows 'nosuchword'
press h; shows 'hottest line'; press Escape; gone 'hottest line'
press P; shows 'walk\.annotation'; await '[ -s walk.annotation ]'; grep -q 'for (struct node' walk.annotation || fail "what was written is not what was shown"
press '>'; gone '^ *walk '; press '<'; shows '^ *walk '
press q; shows '^ready> *$'
# from the report, and back to it
line 'clear'; line "'$SONDE' report -s sym"; shows 'Samples: .*task-clock'; shows '\] hash'
press a; shows '^ *hash .*/annotated .*local period'; press Home; press /; line 'mix(s'; shows 'mix\(s \+ table'
press Escape; shows 'Samples: .*task-clock'; press q; shows '^ready> *$'
# a name that is not there is no browser
line 'clear'; line "'$SONDE' annotate wlak"; shows "no sample is in a function 'wlak'"; shows "did you mean 'walk'"
