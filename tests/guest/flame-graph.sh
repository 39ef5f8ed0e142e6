# SPDX-License-Identifier: GPL-2.0-or-later
# sonde flame of function_graph: the stacks and times of the trace.dat, folded by hand from the text that ftrace report prints.
run "$SONDE" ftrace record -p function_graph -o t.dat -- ls /; ok
run "$SONDE" flame -i t.dat --by none -q -o t.folded; ok
"$SONDE" ftrace report t.dat >t.txt
# The time of the outermost functions that ended, by task (the idle tasks by CPU): what a function took stands in the line of its
# end, and takes the place of what the functions in it took.
cat >sum.awk <<'AWK'
{ at = index($0, "|"); if (!at || $0 !~ /funcgraph_(entry|exit):.* us +\|/) next
  task = $1; if (task ~ /-0$/) task = task $2
  text = substr($0, at + 1); match(text, /^ */); depth = RLENGTH
  for (i = 1; i < NF; i++) if ($(i + 1) == "us") break
  for (d = depth + 2; d <= deepest[task]; d += 2) took[task, d] = 0
  if (depth > deepest[task]) deepest[task] = depth
  took[task, depth] += $i }
END { for (k in took) sum += took[k]; printf "%d", sum }
AWK
want=$(awk -f sum.awk t.txt)
got=$(awk '{ sum += $NF } END { printf "%d", sum / 1000 }' t.folded)
[ "$want" -gt 0 ] && [ $((got - want)) -le $((want / 1000)) ] && [ $((want - got)) -le $((want / 1000)) ] || fail "$got us, the report has $want"
grep -q '^[^;]*;[^;]*_\[k\]' t.folded || fail "no function called another"
run "$SONDE" flame -i t.dat --comms ls -o t.svg; ok; err_has 'ms in the kernel'
grep -q '<title>ls (' t.svg || fail "by command"
sum() { awk '{ s += $NF } END { printf "%.0f", s }' "$@"; }
# A chart: what passed between the records, each function from its begin to its end
run "$SONDE" flame -i t.dat --flamechart --comms ls -q -o chart.folded; ok
run "$SONDE" flame -i t.dat --comms ls --by thread -q -o ls.folded; ok
awk '$NF > 1000 { sub(/ [0-9]*$/, ""); print }' ls.folded | sort -u >stacks; sed 's/ [0-9]*$//' chart.folded | sort -u >charted
[ -s stacks ] && [ -z "$(comm -23 stacks charted)" ] || fail "not in the chart: $(comm -23 stacks charted | head -n 3)"
got=$(sum chart.folded) want=$(sum ls.folded)
[ "$got" -ge $((want * 9 / 10)) ] || fail "the chart has $got ns, the graph $want"
