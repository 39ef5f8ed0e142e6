# SPDX-License-Identifier: GPL-2.0-or-later
# sched latency, timehist and map beside perf 6.12's on recordings of both.
# needs: python3
[ "$(id -u)" = 0 ] || skip "needs root"
perf612
work='for i in 1 2 3 4 5 6 7 8; do sleep 0.01; ls >/dev/null; done; seq 20000 | sort >/dev/null'
"$PERF612" sched record -o a.data -- sh -c "$work" >/dev/null 2>&1
"$SONDE" sched record -q -o b.data -- sh -c "$work"
python3 "$TOP/tests/interop/sched.py" "$SONDE" "$PERF612" "${SEED:-14}" 24 a.data b.data >compared || { cat compared; fail "they differ"; }
# names and chains: what perf's functions are, ours are, and the same number of them
"$PERF612" sched record -g -o g.data -- sh -c "$work" >/dev/null 2>&1
chains() { "$@" sched timehist -i g.data --max-stack 3 2>/dev/null | grep -vE '(^| ):-?[0-9]+\[' | grep -oE '(do_nanosleep|do_wait|pipe_read|anon_pipe_read)( <- [a-z_0-9.]+)*' | sort | uniq -c; }
chains "$PERF612" >theirs; chains "$SONDE" >ours
[ -s theirs ] || fail "no chains at all"
# those of threads that have ended have no name there, so ours may have more, never less
awk 'NR == FNR { $1 += 0; n = $1; $1 = ""; have[$0] = n; next } { n = $1; $1 = ""; if (have[$0] + 0 < n) { print "missing:" $0; bad = 1 } } END { exit bad }' ours theirs ||
	fail "chains"
run "$SONDE" sched -i a.data script; ok; has 'sched:sched_switch'
