# SPDX-License-Identifier: GPL-2.0-or-later
# Probes in a library by symbol: added, listed, counted, removed; nothing of others is touched.
[ "$(id -u)" = 0 ] || skip "needs root"
libc=$(ldconfig -p | sed -n 's/.*libc\.so\.6 (libc6,x86-64.*=> //p' | head -n 1)
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
g=spt$$
trap '"$SONDE" probe -q -d "$g:*" 2>/dev/null || :; "$SONDE" probe -q -d "other$g:*" 2>/dev/null || :' EXIT
others=$(cat /sys/kernel/tracing/uprobe_events)
run "$SONDE" probe -x "$libc" "$g:one=malloc"; ok
has '^Added new event:$'; has "^  $g:one .*\(on malloc in .*libc"; has "sonde record -e $g:one -aR sleep 1"
run "$SONDE" probe -x "$libc" "$g:two=malloc+4" %di 'foo=+0(%sp):u64' '$stack2'; ok
run "$SONDE" probe -x "$libc" -a "$g:three=malloc%return \$retval" -a "other$g:free=free"; ok; has '^Added new events:'
run "$SONDE" probe -l "$g:*"; ok
has "^  $g:one .*\(on .*malloc"; has "^  $g:two .*\(on .*malloc.* with .*foo"; has "^  $g:three .*\(on .*malloc.*%return"; hasnt "other$g"
# the kernel has them where other tools look
[ -e "/sys/kernel/tracing/events/$g/two/id" ] || fail "no event in tracefs"
# a name that is taken
run "$SONDE" probe -x "$libc" "$g:one=free"; exits 255; err_has "$g:one exists already"; err_has "^hint: remove it: sonde probe -d $g:one"
run "$SONDE" probe -f -x "$libc" "$g:one=free"; ok; has "$g:one_1"
# all or none
run "$SONDE" probe -x "$libc" -a "$g:ok=malloc" -a "$g:bad=free a=%di a=%si"; exits 255; err_has 'kernel'
run "$SONDE" probe -l "$g:*"; ok; hasnt "$g:ok "
run "$SONDE" probe -x "$libc" -a "$g:ok=malloc" -a "$g:bad=nosuchfunction"; exits 255; err_has "there is no function 'nosuchfunction'"
# dry runs touch nothing
run "$SONDE" probe -n -v -x "$libc" "$g:dry=malloc"; ok; err_has "would write to uprobe_events: p:$g/dry .*libc[^ ]*:0x"
run "$SONDE" probe -x "$libc" -D "$g:dry=malloc"; ok; has "^p:$g/dry .*libc[^ ]*:0x[0-9a-f]+$"
run "$SONDE" probe -l "$g:dry"; hasnt dry
# hits
if command -v perf >/dev/null; then
	perf stat -e "$g:one" -o /dev/null ls >/dev/null 2>&1 || :
	run "$SONDE" probe -l -v "$g:one"; ok; has 'hits: [0-9]'
fi
# a program replaced by another: its lines are not taken for the probe's
cp "$PROG/opens" here; run "$SONDE" probe -x ./here "$g:old=main"; ok
run "$SONDE" probe -l "$g:old"; ok; has "on main.* in $PWD/here"; hasnt 'changed'
# a second link is no other program, though it may look like that of a package
touch -d yesterday here; run "$SONDE" probe -x ./here "$g:link=main"; ok
until ln -f here second && [ "$(stat -c %Z here)" -gt "$(stat -c %Z "/sys/kernel/tracing/events/$g/link")" ]; do :; done
run "$SONDE" probe -l "$g:link"; ok; has "on main.* in $PWD/here\\)  that file has another link since, or was replaced"
rm second
until cp "$PROG/opens" new && [ new -nt "/sys/kernel/tracing/events/$g/old" ]; do :; done; mv new here # the clock has ticked
run "$SONDE" probe -l "$g:old"; ok; has "^  $g:old +\\(on 0x[0-9a-f]+ in $PWD/here\\)  that file was changed or replaced after the probe was set: set it again"
rm here; run "$SONDE" probe -l "$g:old"; ok; has "on 0x[0-9a-f]+ in .*that file is gone"
run "$SONDE" probe -d "$g:*"; ok; has "Removed event: $g:one$"; has "Removed event: $g:three$"
run "$SONDE" probe -l "other$g:*"; ok; has "other$g:free"
run "$SONDE" probe -d "other$g:free"; ok
run "$SONDE" probe -d "$g:one"; exits 255; err_has "no probe matches '$g:one'"
grep -q "$g" /sys/kernel/tracing/uprobe_events && fail "left behind"
while read -r line; do
	[ -z "$line" ] || grep -qF -- "${line%% *}" /sys/kernel/tracing/uprobe_events || echo "note: gone meanwhile: $line"
done <<<"$others"
# functions
run "$SONDE" probe -F -x "$libc" --filter 'mallo*'; ok; has '^malloc$'; has '^mallopt$'; hasnt '^free$'
run "$SONDE" probe -F "$libc"; ok; has '^fopen$'
# two sondes at once: every one gets in, none is lost
for i in 1 2 3 4 5 6; do "$SONDE" probe -q -f -x "$libc" "$g:same=malloc" & done; wait
[ "$(grep -c "$g/same" /sys/kernel/tracing/uprobe_events)" = 6 ] || fail "two sondes disturbed each other"
[ "$(grep -o "$g/same[^ ]*" /sys/kernel/tracing/uprobe_events | sort -u | wc -l)" = 6 ] || fail "names are not unique"
