# SPDX-License-Identifier: GPL-2.0-or-later
# needs: strace python3
# timeout: 280
# Every system call once with odd arguments, in a child each: sonde neither crashes nor hangs, sees each
# call, and prints what strace prints (constants that strace's version does not know yet apart).
[ "$(id -u)" = 0 ] || skip "as root: the eBPF engine is meant"
for round in 2 5; do
	by_strace() { timeout 60 strace -f -o "$T/$round.$1" "$PROG/oddcalls" $round >/dev/null 2>&1 </dev/null || true; }
	by_strace 1
	run timeout 60 "$SONDE" trace --strace -f -o "$T/$round.3" "$PROG/oddcalls" $round
	ok
	by_strace 2 # after sonde: what is the same in both was so for sonde
	python3 "$TOP/tests/interop/compare.py" "$T/$round.1" "$T/$round.2" "$T/$round.3" >"$T/$round.diff" || true
	echo "round $round: $(tail -n 1 "$T/$round.diff")"
	sed -n 's/^counts //p' "$T/$round.diff" |
		awk '{ exit !($1 > 2000 && $2 * 50 <= $1 && $4 >= 0.98 * $3 && $6 >= 0.98 * $5) }' || { cat "$T/$round.diff"; fail "round $round"; }
	LC_ALL=C grep -P '[\x01-\x08\x0b-\x1f\x7f-\xff]' "$T/$round.3" && fail "a control character came through"
done
true
