# SPDX-License-Identifier: GPL-2.0-or-later
# Once armed, sonde holds no capability that it no longer needs; the command keeps what its user had.
[ "$(id -u)" = 0 ] || skip "needs root"
mine=$(grep CapEff /proc/self/status)
held() { # PID: waits until it has dropped, prints the sets
	await "ready $1" >&2
	grep -E 'Cap(Eff|Prm|Inh|Amb)' "/proc/$1/status" | tr -d '\t\n'
}
# only to end the command, which may have become another user's
kill=CapInh:0000000000000000CapPrm:0000000000000020CapEff:0000000000000020CapAmb:0000000000000000
"$SONDE" stat -e task-clock -o "$T/stat" -- bash -c 'grep CapEff /proc/self/status >"$1/cap"; sleep 1000' x "$T" & pid=$!
got=$(held $pid); await '[ -s "$T/cap" ]'; kill -TERM $pid; wait $pid || true
same "$got" "$kill" "stat still holds capabilities"
same "$(cat "$T/cap")" "$mine" "the command lost its rights"
grep -q task-clock "$T/stat" || fail "no result after the drop"

"$SONDE" stat -e task-clock -a -o "$T/stat" sleep 1000 & pid=$!
got=$(held $pid); kill -TERM $pid; wait $pid || true
same "$got" "$kill" "stat -a still holds capabilities"
# a command of another user can still be ended
after 'pgrep -u nobody -f "^sleep 1000.$$" >/dev/null' TERM "$SONDE" stat -e task-clock -u nobody -o "$T/stat" sleep 1000.$$
[ -z "$(pgrep -u nobody -f "^sleep 1000.$$" || true)" ] || fail "the command lives on"

# record and trace keep the right to read what belongs to those they watch, no more
has_only() { # PID FILE NAME...: waits for the drop and for something in the file, then compares
	local pid=$1 file=$2 set=0 n got; shift 2
	await "ready $pid && [ -s $file ]"
	got=$((0x$(sed -n 's/^CapEff:\t//p' "/proc/$pid/status")))
	for n; do set=$((set | 1 << n)); done
	kill -TERM "$pid"; wait "$pid" || true
	[ $((got & ~set)) = 0 ] || fail "holds $(printf %x $got), needs $(printf %x $set)"
}
if "$SONDE" | grep -q '^  record '; then
	"$SONDE" flame --format svg -q -o "$T/f.svg" sleep 1000 2>/dev/null & has_only $! "$SONDE" 2 5 19 34
	"$SONDE" record -q -e cpu-clock -a -o "$T/perf.data" sleep 1000 2>/dev/null & has_only $! "$T/perf.data" 2 5 19 34
	[ "$("$SONDE" script -i "$T/perf.data" | wc -l)" -gt 0 ] || fail "no recording after the drop"
fi
if "$SONDE" | grep -q '^  trace '; then
	"$SONDE" trace -a -o "$T/trace" sleep 1000 2>/dev/null & has_only $! "$T/trace" 2 5 19 34 39
	run "$SONDE" trace -o "$T/trace" grep CapEff /proc/self/status; ok; same "$out" "$mine" "the traced command lost its rights"
fi
# what else watches: scripts, sums of the scheduler, the kernel's own tracers
hold() { # FILE COMMAND... -- NUMBER...: FILE has something once it goes on
	local file=$1 words=(); shift
	while [ "$1" != -- ]; do words+=("$1"); shift; done
	shift
	"$SONDE" "${words[@]}" >"$T/out" 2>"$T/err" & has_only $! "$file" "$@"
}
echo >"$T/some"
if "$SONDE" run -q -e 'BEGIN { exit(); }' >/dev/null 2>&1; then
	hold "$T/some" run -q -e 'interval:s:1 { @ = 1; }' -- 5 38 39
	hold "$T/some" sched latency sleep 1000 -- 5 38 39
	hold "$T/some" offcpu -o "$T/o.txt" sleep 1000 -- 2 5 19 34 39
	! "$SONDE" lock contention true >/dev/null 2>&1 || hold "$T/some" lock contention sleep 1000 -- 2 5 34 38 39
fi
if [ -w /sys/kernel/tracing/instances ]; then
	hold "$T/some" ftrace record -e sched:sched_process_exec -o "$T/trace.dat" sleep 1000 -- 1 2 5 23 34
	hold "$T/some" ftrace stream -e sched:sched_process_exec sleep 1000 -- 1 2 5
	hold "$T/some" tpoint sched:sched_process_exec -- 1 2
	hold "$T/some" sched record -q -o "$T/s.data" sleep 1000 -- 2 5 19 34
	# who cleans up behind it holds one right, and nothing but pipes and the lock
	"$SONDE" tpoint sched:sched_process_exec >/dev/null 2>&1 & pid=$!
	await "ready $pid" && await 'guard=$(pgrep -P $pid -x sonde-guard)'
	same "$(sed -n 's/^CapPrm:\t//p' "/proc/$guard/status")" 0000000000000002 "the guardian's rights"
	[ -z "$(find "/proc/$guard/fd" -type l -printf '%l\n' | grep -vE '^/dev/null$|^pipe:|/tracing/README$')" ] || fail "the guardian has files open"
	kill -INT $pid; wait $pid || :
	# capabilities that a service gives its user (ambient ones) count in what is looked for: he is told what he lacks, not that the kernel does
	if [ -e /sys/kernel/tracing/uprobe_events ]; then
		cp "$SONDE" s; chmod 755 s .
		run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps +dac_read_search --ambient-caps +dac_read_search ./s uprobe libc:malloc
		exits 255; err_has 'no permission'; err_hasnt 'has no'
	fi
fi
