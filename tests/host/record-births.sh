# SPDX-License-Identifier: GPL-2.0-or-later
# A process that forks all the time, while record attaches to it: every sample has a name and a map, also in
# children that were born while the events were being opened.
for _ in 1 2 3 4 5; do
	"$PROG/births" & births=$!
	await '[ $(ran $births) -gt 2 ]'
	n= ; rm -f r.data
	after 'armed && [ -s r.data ] && { [ -n "$n" ] || n=$(ran $births); } && [ $(ran $births) -gt $((n + 10)) ]' TERM \
		"$SONDE" record -q -o r.data -F 4999 -e cpu-clock -p $births
	kill $births; wait $births || true
	ok
	run "$SONDE" script -i r.data -F comm,tid,ip,sym; ok
	has '^ *births'
	has ' main$'
	hasnt '^ *:[0-9]'
done
