# SPDX-License-Identifier: GPL-2.0-or-later
# How counting ends: Ctrl-C, a process that ends, closed descriptors; nothing stays behind.
after armed INT "$SONDE" stat -e cs -a; ok; err_has '^ +[0-9]+ +cs$'
after '[ -s "$T/err" ]' TERM "$SONDE" stat -I 100 -e cs -a; ok; err_has ' cs$'
# the command gets the signal too, and its own status is passed on
after '[ -e trapped ]' TERM "$SONDE" stat -e cs sh -c 'trap "exit 7" TERM; sleep 1000 & >trapped; wait'; exits 7; err_has ' cs$'
after 'pgrep -f "^sleep 2142.$$\$" >/dev/null' TERM "$SONDE" stat -e cs sleep 2142.$$; exits 143
after 'pgrep -f "^sleep 2142.$$\$" >/dev/null' INT "$SONDE" stat -e cs sleep 2142.$$; exits 130; err_has '^ +[0-9]+ +cs$'
pgrep -f "^sleep 2142.$$\$" && fail "the command lives on"
# -p without a command ends with the process
mkfifo gate; cat gate & p=$!
"$SONDE" stat -e cs -p $p 2>"$T/err" & s=$!
await "ls -l /proc/$s/fd | grep -q perf_event"; : >gate; wait $s || fail "exit code $?"; err_has "process id '$p'"
# a thread that is not the first
run timeout 60 "$SONDE" stat -e cs -t $$ sleep 0.05; ok
# no descriptor of sonde reaches the command
run ls /proc/self/fd; without=$out
run "$SONDE" stat -e cs,faults ls /proc/self/fd; ok; same "$out" "$without" "descriptors leak"
run "$SONDE" stat -e 'syscalls:sys_*_close' ls -l /proc/self/fd; ok; hasnt 'anon_inode'
# standard error closed: a failure, not silence
code=0; "$SONDE" stat -e cs true 2>&- || code=$?; exits 255
"$SONDE" stat -e cs -o page true >&-; grep -q ' cs$' page
# the reader of the intervals goes away: so does sonde (life.sh has the command's side)
timeout 60 "$SONDE" stat -I 20 -e cs -a 2>&1 | head -1 >/dev/null || fail "counts on although nobody reads"
run timeout 60 "$SONDE" stat -I 20 -e cs -a -o /dev/full; exits 255; err_has 'No space left'
# a failure leaves no page behind
run "$SONDE" stat -o half -e cs -p 4194000; exits 255; [ ! -s half ] || fail "a heading and no page"
# an unreadable cgroup
if [ "$(id -u)" = 0 ]; then
	top=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/self/mounts)
	[ -n "$top" ] || top=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
	if [ -n "$top" ] && mkdir "$top/sonde-test-$$" 2>/dev/null; then
		chmod 700 "$top/sonde-test-$$"
		run "$SONDE" stat -a -e cs -G sonde-test-$$ true; ok; err_has '<not counted>|^ +0 +cs'
		run as_nobody "$SONDE" stat -a -e cs -G sonde-test-$$ true; rmdir "$top/sonde-test-$$"
		exits 255; err_has 'cannot open the cgroup'; err_has '^hint: '
	fi
fi
# a disk that is full: no part of a page, what was there before stays; of intervals those that fit are kept
if [ "$(id -u)" = 0 ]; then
	mkdir small; mount -t tmpfs -o size=16k none small; trap 'umount -l small 2>/dev/null || :' EXIT
	many=$(printf 'cs,%.0s' {1..999})cs
	run "$SONDE" stat -o small/page -x, -e "$many" true; exits 255; err_has 'No space left'; err_has '^hint: the file is left empty'
	[ ! -s small/page ] || fail "half a page"
	run "$SONDE" stat -o small/page -x, -e cs true; ok; cp small/page first
	run "$SONDE" stat -o small/page --append -x, -e "$many" true; exits 255; err_has '^hint: the file is as it was before'; cmp first small/page
	run timeout 60 "$SONDE" stat -o small/page -I 1 -x, -e "$many" -a; exits 255; err_has 'not whole'; [ -s small/page ] || fail "no intervals"
	umount small
fi
