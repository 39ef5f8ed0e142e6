# SPDX-License-Identifier: GPL-2.0-or-later
# What perf 6.12's stat has besides 6.1's: the pages are alike, numbers apart.
perf612
blank() { sed -E 's/^ +//; s/[0-9]+/9/g; s/9\.9([,; ]+)[KMG]?\/sec/9.9\1\/sec/; s/#+$/#/; s/\([+-]9/(9/; s/ \( \+- *9\.9% \)$//; s/ +/ /g; s/ +$//' | if [ "${1-}" = sorted ]; then grep -v 'not counted' | sort -u; else uniq; fi; }
# The page ends with an empty line in sonde as in perf 6.1; 6.12 has two. -A says [software] there, for a PMU's name.
form() { # OPTIONS...
	"$PERF612" stat "$@" >/dev/null 2>"$T/perf" </dev/null || fail "perf stat $*"
	run "$SONDE" stat "$@"; ok
	sed -i 's/ \[software\]//' "$T/perf"
	same "$(blank "$how" <"$T/err")" "$(blank "$how" <"$T/perf")" "stat $*"
}
how=
for x in '-x,' '-e dummy'; do
	# shellcheck disable=SC2086
	for a in '--per-cache -a -e cs,cpu-clock' '--per-cache=L2 -a -e cs,cpu-clock' '--per-cache=l1 -a -e cpu-clock' '--per-cluster -a -e cs,cpu-clock' \
		'--no-merge -a -e cpu-clock'; do
		form $x $a sleep 0.05
	done
done
form -r 3 --table -e task-clock true
form -x, -r 3 --table -e task-clock true
# a blank as separator: as many columns, whatever stands before them
form -x ' ' -e task-clock,page-faults true
how=sorted
for x in '-x,' '-x ' '-e dummy'; do
	for a in '-e task-clock' '-a -e cs,cpu-clock' '-a --per-cluster -e cpu-clock' '-a --per-cache -e cpu-clock'; do
		# shellcheck disable=SC2086
		form "$x" -I 50 --summary $a sh -c 'while [ $((i += 1)) -lt 20000 ]; do :; done; sleep 0.2'
	done
done
form -x, -I 50 --summary --no-csv-summary -a -e cpu-clock sleep 0.2
json() { python3 -c 'import json, sys
for k in sorted({str([(k, v if k in ("cache", "cluster", "event") else "") for k, v in json.loads(l).items() if k != "schema"]) for l in sys.stdin}): print(k)'; }
for a in '--per-cache' '--per-cluster' '--summary -I 50'; do
	# shellcheck disable=SC2086
	"$PERF612" stat -j $a -a -e cpu-clock sleep 0.2 2>"$T/perf"
	# shellcheck disable=SC2086
	run "$SONDE" stat -j $a -a -e cpu-clock sleep 0.2; ok; same "$(json <"$T/err")" "$(json <"$T/perf")" "stat -j $a"
done
