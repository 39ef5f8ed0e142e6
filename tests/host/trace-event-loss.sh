# SPDX-License-Identifier: GPL-2.0-or-later
# Events that find no room in their ring are counted, those behind the last one that did as well; -m makes room.
[ "$(id -u)" = 0 ] || skip "needs root"
writes=20000
# traced RING: dd writes while sonde stands still, and has ended before sonde goes on
traced() {
	mkfifo go
	"$SONDE" trace -m "$1" --no-syscalls --event raw_syscalls:sys_enter --filter 'id == 1' -o lines \
		sh -c "read -r x <go; exec dd if=/dev/zero of=/dev/null bs=1 count=$writes status=none" 2>err & pid=$!
	await 'ready $pid'
	exec 9>go # its end would end dd's wait too
	kill -STOP $pid
	child=$(cat "/proc/$pid/task/$pid/children"); child=${child%% *}
	echo x >&9
	await 'grep -q "^State:[[:space:]]*Z" /proc/$child/status'
	kill -CONT $pid
	wait $pid || fail "exit code $?"
	exec 9>&-; rm go
	seen=$(grep -c 'raw_syscalls:sys_enter(' lines) || true
	lost=$(sed -n 's/.*!!! \([0-9]*\) events lost.*/\1/p' lines | awk '{ n += $1 } END { print n + 0 }')
}
traced 64K
[ "$lost" -gt 0 ] || fail "nothing was lost: seen $seen"
all=$((seen + lost)) # the record of dd's end is lost like any other
[ $all -ge $writes ] && [ $all -le $((writes + 1)) ] || fail "$seen seen and $lost lost of $writes"
# a slow dd takes longer than sonde may stand still without saying so
grep -qE "^sonde: $lost events were lost(; a larger ring may help: -m 256K|: sonde stood still for )" err || { cat err; fail "the loss is not told at the end"; }
traced 16M
same "$lost $seen" "0 $writes" "with a large ring"
