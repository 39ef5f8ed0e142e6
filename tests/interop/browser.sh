# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf tmux
# The same keys in perf's browser and in sonde's: the same rows, the same folds.
. "$TOP/tests/tmux.sh"
"$SONDE" record -q -g -F 1999 -e cpu-clock:u -o perf.data "$PROG/profiled" 600 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
"$SONDE" record -q -g -F 1999 -e '{cpu-clock:u,page-faults:u}' -o group.data "$PROG/profiled" 100 2>/dev/null
terminal 150 40
tm new-window -d -n second env PS1='ready> ' bash --norc --noprofile -i
tm set-option -g automatic-rename off >/dev/null; tm rename-window -t :0 first
# the rows of a window, without the bar and the helpline: perf's has a bar on the right, which stands in the last column
rows() { tm capture-pane -p -t ":$1" | sed -n "2,39p" | sed -E 's/[^ -~]+$//; s/ +$//' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'; }
both() { local k; for k; do tm send-keys -t :first -- "$k"; tm send-keys -t :second -- "$k"; done; }
agree() { for _ in {1..400}; do rows first >perf; rows second >sonde; ! cmp -s perf sonde || [ ! -s perf ] || return 0; sleep 0.05; done; diff -u perf sonde || :; fail "other rows than perf's after $1"; }
open_both() { # OPTIONS
	tm send-keys -t :first -l -- "clear; perf report $1"; tm send-keys -t :second -l -- "clear; '$SONDE' report $1"; both Enter
	for _ in {1..400}; do rows first | grep -q '%' && rows second | grep -q '%' && break; sleep 0.05; done
	tm send-keys -t :first Down Up # perf selects nothing before
	agree "$1"
}
close_both() { tm respawn-window -k -t :first env PS1='ready> ' bash --norc --noprofile -i; tm respawn-window -k -t :second env PS1='ready> ' bash --norc --noprofile -i; }

for how in '' --no-children '--no-children -s comm' '--no-children -g fractal' '--no-children --hierarchy -s comm,dso,sym'; do
	open_both "$how"
	both +; agree "$how: +"; both Down; both +; agree "$how: + below"; both Down +; agree "$how: + two below"; both c; agree "$how: c"; both +; agree "$how: + again"
	both E; agree "$how: E"; both C; agree "$how: C"; both Home H; agree "$how: H"; both H; agree "$how: H again"
	close_both
done
# what is left out below a percentage is so in the call graphs, too
open_both --no-children; both L; tm send-keys -t :first -l 5; tm send-keys -t :second -l 5; both Enter; agree L; both E; agree 'L, E'; close_both
# of threads that only their names tell apart all with that name are left; a frame leads into its own file
open_both '--no-children -s comm,sym'; both t; both E; agree 't'; close_both
# the members of a group
open_both '--no-children -i group.data'; both 1; agree '1'; both 0; agree '0'; close_both
# the file
mkdir p s; cp perf.data p; cp perf.data s
tm send-keys -t :first -l "cd p; clear; perf report --no-children"; tm send-keys -t :second -l "cd s; clear; '$SONDE' report --no-children"; both Enter; agree 'in a folder'; both Down Up E; agree E; both P
await '[ -s p/perf.hist.0 ] && [ -s s/perf.hist.0 ]'; await 'cmp -s p/perf.hist.0 s/perf.hist.0' || { diff p/perf.hist.0 s/perf.hist.0 | head; fail 'perf.hist.0'; }
close_both

# annotate: numbers, source, offsets, addresses; its own lines only, blanks and frames apart
cp "$PROG/annotated" .; "$SONDE" record -q -F 1999 -e cpu-clock:u -o perf.data ./annotated 200 >/dev/null 2>&1; export HOME=$T
tm set-option -g default-size 150x90; tm resize-window -t :first -x 150 -y 90; tm resize-window -t :second -x 150 -y 90
rows() { tm capture-pane -p -t ":$1" | sed -n "2,89p" | sed -E '/\[Percent:/d; s/[│◆▒▮]//g; s/^ *(Percent|Period|Samples)?//; s/ +/ /g; s/^ //; s/ $//; /^$/d; /^[0-9 ]*[a-z]+\(\):$/d'; }
for f in walk hash; do
	tm send-keys -t :first -l "clear; perf annotate $f"; tm send-keys -t :second -l "clear; '$SONDE' annotate $f"; both Enter
	for _ in {1..400}; do rows first | grep -q '%r' && rows second | grep -q '%r' && break; sleep 0.05; done
	tm send-keys -t :first Down Up; both End; agree "annotate $f" # where no jump is selected
	for k in t t t O O O b b o o s; do both "$k"; agree "annotate $f: $k"; done
	close_both
done
# lines of the source have their numbers there, not perf's count from the last one that it knows
# the arrow of the selected jump; a call that was followed, and its return
tm send-keys -t :second -l "clear; '$SONDE' annotate walk"; tm send-keys -t :second Enter; for _ in {1..400}; do rows second | grep -q '%r' && break; sleep 0.05; done
n=$(grep -n 'if (p->key & 1)' "$TOP/tests/prog/annotated.c" | cut -d: -f1); tm send-keys -t :second k; await "rows second | grep -q '^$n if (p->key'"; tm send-keys -t :second k
arrow() { tm capture-pane -p -t :second | grep -E '[└┌]──j' >got && tm capture-pane -p -t :second | grep -qE '[└┌]─→'; }
tm send-keys -t :second s Home; for _ in {1..60}; do ! arrow || break; tm send-keys -t :second Down; sleep 0.1; done; arrow || fail "no jump of walk has an arrow"
tm send-keys -t :second j; await '! arrow'; tm send-keys -t :second j; await arrow
