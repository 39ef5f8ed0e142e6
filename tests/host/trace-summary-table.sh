# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace -s: columns stay under their headings when calls take long; nothing to sum up is said.
run "$SONDE" trace -s -e clock_nanosleep,openat -o table sleep 1.1; ok
widths=$(awk '/^   -----/ {t = length} /^   (clock_nanosleep|openat) / {print length; n++} END {print t; if (n != 2) print "rows: " n}' table | sort -u | wc -l)
same "$widths" 1 "lines of one length: $(cat table)"
grep -Eq '^   clock_nanosleep +1 +0 +1[0-9]{3}\.[0-9]{3} +1[0-9]{6}\.[0-9]{3} ' table || fail "$(cat table)"
run "$SONDE" trace -s -e accept true; ok; err_has 'no call that was asked for has ended'; err_hasnt 'hint:'
sleep 100 & pid=$!
await "grep -q '^230 ' /proc/$pid/syscall" # in clock_nanosleep
after armed INT "$SONDE" trace -s -p $pid; err_has 'no call that was asked for has ended'; err_has 'hint: without -s'
kill $pid
