# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace -s: columns stay under their headings when calls take long; nothing to sum up is said.
run "$SONDE" trace -s -e clock_nanosleep,openat -o table sleep 1.1; ok
widths=$(awk '/^   -----/ {t = length} /^   (clock_nanosleep|openat) / {print length; n++} END {print t; if (n != 2) print "rows: " n}' table | sort -u | wc -l)
same "$widths" 1 "lines of one length: $(cat table)"
grep -Eq '^   clock_nanosleep +1 +0 +[0-9]{4,}\.[0-9]{3} +[0-9]{7,}\.[0-9]{3} ' table || fail "$(cat table)"
run "$SONDE" trace -s -e accept true; ok; err_has 'no call that was asked for has ended'; err_hasnt 'hint:'
sleep 1000 & pid=$!
await "asleep $pid"
after armed INT "$SONDE" trace -s -p $pid; err_has 'no call that was asked for has ended'; err_has 'hint: without -s'
kill $pid

# it fits the terminal, by leaving out times; a file has them all
widest() { tr -d '\r' <typed | awk '{ n = length > n ? length : n } END { print n + 0 }'; }
terminal() { run timeout 60 script -qefc "stty cols $1; $2" /dev/null; ok; cp "$T/out" typed; }
for columns in 60 80 95; do
	terminal $columns "$SONDE trace -s -e clock_nanosleep,openat sleep 1.1"
	[ "$(widest)" -le $columns ] || fail "$(widest) columns on a terminal of $columns: $(cat typed)"
	tr -d '\r' <typed | grep -Eq '^   openat +[0-9]+ +[0-9]+ +[0-9.]+ .*[0-9]$' || fail "$(cat typed)"
	grep -q 'calls  errors .*total .*max' typed || fail "total and max stay: $(cat typed)"
done
terminal 200 "$SONDE trace -s -e openat true"; grep -q 'total       min       avg       p50       p99       max' typed || fail "$(cat typed)"
terminal 200 "COLUMNS=70 $SONDE trace -s -v -e openat true"; [ "$(widest)" -le 70 ] || fail "COLUMNS: $(cat typed)"
COLUMNS=60 run "$SONDE" trace -s -e openat -o table true; ok; grep -q 'total       min       avg       p50       p99       max' table || fail "a file: $(cat table)"

# threads of one name in one table; that is how a whole machine is summed up
for engine in bpf perf ptrace; do
	[ "$(id -u)" = 0 ] || [ $engine = ptrace ] || continue
	run "$SONDE" trace --engine=$engine -s --summary-mode comm -o table bash -c 'cat /dev/null; cat /dev/null; cat /dev/null'; ok
	same "$(sed -n 's/^ \([a-z]*\), [0-9]* calls.*/\1/p' table | sort)" "bash"$'\n'"cat" "$engine: a table for each name"
	same "$(awk '/^ cat, /{on = 1} /^ bash, /{on = 0} on && $1 == "execve" {print $2}' table)" 3 "$engine: execs of cat"
	run "$SONDE" trace --engine=$engine -s --summary-mode comm --json -o table bash -c 'cat /dev/null; cat /dev/null'; ok
	same "$(grep -c '"comm":"cat","syscall":"execve","calls":2,' table)" 1 "$engine: JSON: $(grep execve table)"
	same "$(grep -c '"tid"' table)" 0 "$engine: no thread"
	run "$SONDE" trace --engine=$engine -s --summary-mode comm --failure -o table bash -c 'cat /nonexistent; cat /nonexistent; :'; ok
	grep -q '^ cat, ' table || fail "$engine: counted outside of the kernel: $(cat table)"
done
run "$SONDE" trace record -o t.data bash -c 'cat /dev/null; cat /dev/null'; ok
run "$SONDE" trace -i t.data -s --summary-mode comm; ok; has '^ cat, '; has '^   execve +2 '
if [ "$(id -u)" = 0 ]; then
	mine=cat$$; cp /bin/cat $mine # others have cats too
	run "$SONDE" trace -a -s -o table bash -c "./$mine /dev/null; ./$mine /dev/null"; ok
	same "$(grep -c "^ $mine, " table)" 1 "a whole machine, by name"; same "$(grep -Ec '^ .* \([0-9]+\), ' table)" 0 "and not by thread"
	run "$SONDE" trace -a -s --summary-mode thread -o table bash -c "./$mine /dev/null; ./$mine /dev/null"; ok
	same "$(grep -c "^ $mine (" table)" 2 "by thread when asked"
fi
