# SPDX-License-Identifier: GPL-2.0-or-later
# Once armed, sonde holds no capability that it no longer needs; the command keeps what its user had.
[ "$(id -u)" = 0 ] || skip "needs root"
mine=$(grep CapEff /proc/self/status)
held() { # PID: waits until it has dropped, prints the sets
	local _
	for _ in $(seq 400); do
		grep -q 'CapEff:	0000000000000000' "/proc/$1/status" 2>/dev/null && break
		sleep 0.05
	done
	grep -E 'Cap(Eff|Prm|Inh|Amb)' "/proc/$1/status" | tr -d '\t\n'
}
none=CapInh:0000000000000000CapPrm:0000000000000000CapEff:0000000000000000CapAmb:0000000000000000
"$SONDE" stat -e task-clock -o "$T/stat" -- bash -c 'grep CapEff /proc/self/status >"$1/cap"; sleep 30' x "$T" & pid=$!
got=$(held $pid); kill -TERM $pid; wait $pid || true
same "$got" "$none" "stat still holds capabilities"
same "$(cat "$T/cap")" "$mine" "the command lost its rights"
grep -q task-clock "$T/stat" || fail "no result after the drop"

"$SONDE" stat -e task-clock -a -o "$T/stat" sleep 30 & pid=$!
got=$(held $pid); kill -TERM $pid; wait $pid || true
same "$got" "$none" "stat -a still holds capabilities"
# a command of another user can still be ended
run timeout -s TERM 2 "$SONDE" stat -e task-clock -u nobody -o "$T/stat" sleep 30.$$
[ -z "$(pgrep -u nobody -f "sleep 30.$$" || true)" ] || fail "the command lives on"

# record and trace keep the right to read what belongs to those they watch, no more
has_only() { # PID NAME...: waits for the drop, then compares
	local pid=$1 set=0 n got=0; shift
	for n in $(seq 400); do
		got=$((0x$(sed -n 's/^CapEff:\t//p' "/proc/$pid/status")))
		[ $((got >> 21 & 1)) = 1 ] || break # cap_sys_admin
		sleep 0.05
	done
	for n; do set=$((set | 1 << n)); done
	sleep 0.3
	kill -TERM "$pid"; wait "$pid" || true
	[ $((got & ~set)) = 0 ] || fail "holds $(printf %x $got), needs $(printf %x $set)"
}
if "$SONDE" | grep -q '^  record '; then
	"$SONDE" record -q -e cpu-clock -a -o "$T/perf.data" sleep 30 2>/dev/null & has_only $! 2 19 34
	[ -s "$T/perf.data" ] || fail "no recording after the drop"
fi
if "$SONDE" | grep -q '^  trace '; then
	"$SONDE" trace -a -o "$T/trace" sleep 30 2>/dev/null & has_only $! 2 5 19 34 39
	[ -s "$T/trace" ] || fail "no trace after the drop"
	run "$SONDE" trace -o "$T/trace" grep CapEff /proc/self/status; ok; same "$out" "$mine" "the traced command lost its rights"
fi
