# SPDX-License-Identifier: GPL-2.0-or-later
# A process that forks all the time, while record attaches to it: every sample has a name and a map, also in
# children that were born while the events were being opened.
for _ in 1 2 3 4 5; do
	"$PROG/births" & pid=$!
	sleep 0.03
	run "$SONDE" record -q -o r.data -F 4999 -e cpu-clock -p $pid -- sleep 0.15
	kill $pid; wait $pid || true
	ok
	run "$SONDE" script -i r.data -F comm,tid,ip,sym; ok
	has '^ *births'
	has ' main$'
	hasnt '^ *:[0-9]'
done
