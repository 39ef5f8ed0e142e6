# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing to show: why, in words that fit.
[ "$(id -u)" = 0 ] || skip "needs root"
run "$SONDE" record -e sched:sched_switch --filter 'prev_comm == "nosuchname"' -a -o r.data sleep 0.1; ok; err_has 'hint: no samples: .*--filter'
sleep 1000 & pid=$!
run "$SONDE" record -e cpu-clock -p $pid -o r.data sleep 0.1; ok; kill $pid
[ "$("$SONDE" script -i r.data | wc -l)" -gt 0 ] || err_has 'hint: no samples: was the target idle'
run "$SONDE" list /etc/passwd; ok; err_has 'hint: there are no markers .*in /etc/passwd'
echo "some text of more than a header's length, which is 104 bytes in the file format of perf, and so on, and so on" >text
run "$SONDE" report -i text; exits 255; err_has 'text is not a perf.data file'; err_has 'hint: sonde record'
for o in 'record -e cpu-clock' trace 'stat -e cs'; do
	# shellcheck disable=SC2086
	run "$SONDE" $o -o /nonexist/x true; exits 255; err_has 'cannot write to /nonexist/x'; err_has 'hint: the folder must exist'
	# shellcheck disable=SC2086
	run "$SONDE" $o -o "$PWD" true; exits 255; err_has 'Is a directory'; err_has "hint: a file's name is wanted"
done
