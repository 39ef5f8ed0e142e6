# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 180
# Several sondes at once, interrupted ones, and a program replaced while it is probed: whole sets or none, nothing left.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
g=spr$$ events=/sys/kernel/tracing/uprobe_events prog=$PROG/opens
trap '"$SONDE" probe -q -d "$g:*" 2>/dev/null || :' EXIT
count() { grep -c ":$g/" "$events" || :; }
# four add the same event at once: one has it, the others are told
same() { "$SONDE" probe -q -x "$prog" -a "$g:e=main" >/dev/null 2>"err.$1" || echo "$1" >>refused; }
for i in 1 2 3 4; do same $i & done; wait
[ "$(count)" = 1 ] || fail "$(count) events instead of one"
[ "$(wc -l <refused)" = 3 ] || fail "not three refusals"
cat err.* >"$T/err"; err_has "event $g:e exists already"
# with --force each gets a name of its own
force() { for _ in 1 2 3 4 5; do "$SONDE" probe -q --force -x "$prog" -a "$g:e=main" >/dev/null || echo "$1" >>failed; done; }
for i in 1 2 3 4; do force $i & done; wait
[ ! -e failed ] || fail "an addition failed"
[ "$(count)" = 21 ] || fail "$(count) events instead of 21"
[ "$(grep -o ":$g/[a-z_0-9]*" "$events" | sort -u | wc -l)" = 21 ] || fail "names are not unique"
# two delete them all: each event is removed by one of them, and the one that is late is told
"$SONDE" probe -d "$g:*" >one 2>one.err & "$SONDE" probe -d "$g:*" >two 2>two.err || :; wait
[ "$(count)" = 0 ] || fail "$(count) events left"
[ "$(cat one two | grep -c '^Removed event: ')" = 21 ] || fail "not each event was removed once"
cat one.err two.err >"$T/err"; err_hasnt refused
# sets that the kernel refuses at their end, beside good ones
bad() { for _ in 1 2 3 4; do ! "$SONDE" probe -q -x "$prog" -a "$g:x$1=main" -a "$g:y$1=main+4" -a "$g:z$1=main %di:string" >/dev/null 2>&1 || echo bad >>failed; done; }
good() { for _ in 1 2 3 4; do "$SONDE" probe -q -x "$prog" -a "$g:g$1=main" -a "$g:h$1=main+4" >/dev/null && "$SONDE" probe -q -d "$g:?$1" >/dev/null || echo good >>failed; done; }
bad 1 & bad 2 & good 3 & good 4 & wait
[ ! -e failed ] || fail "$(sort failed | uniq -c)"
[ "$(count)" = 0 ] || fail "$(count) events left"
# interrupted at any time: all three or none
for ms in 001 002 003 004 005 007 010 015 020 030; do
	timeout -s INT 0.$ms "$SONDE" probe -q -x "$prog" -a "$g:i1=main" -a "$g:i2=main+4" -a "$g:i3=main%return" >/dev/null 2>&1 || :
	n=$(count); [ "$n" = 0 ] || [ "$n" = 3 ] || fail "half a set after $ms ms: $n"
	[ "$n" = 0 ] || { run "$SONDE" probe -q -d "$g:*"; ok; }
done
# replaced between the look into it and the writing, for which another sonde's lock is waited
cp "$prog" here; exec 7</sys/kernel/tracing; flock 7
"$SONDE" probe -x ./here -a "$g:e=main" -a "$g:f=main+4" >late.out 2>late.err 7<&- & late=$!
await 'grep -q "^[0-9]*: -> FLOCK .* $late " /proc/locks'
cp "$PROG/ends" new; mv new here; exec 7<&-
wait $late && fail "an offset of the old file was written"
[ "$(count)" = 0 ] || fail "$(count) events left"
cp late.err "$T/err"; err_has 'here was replaced or written to meanwhile'; err_has '^hint: nothing was added'
# replaced while probed: the old place is not shown as if it were one of the new file
cp "$prog" here; run "$SONDE" probe -q -x ./here -a "$g:e=main"; ok
until cp "$PROG/ends" new && [ new -nt "/sys/kernel/tracing/events/$g/e" ]; do :; done; mv new here # the clock has ticked
run "$SONDE" probe -l "$g:*"; ok; has "$g:e .*replaced after the probe was set"; hasnt 'main@'
rm here; run "$SONDE" probe -l "$g:*"; ok; has 'that file is gone'
run "$SONDE" probe -q -d "$g:*"; ok
