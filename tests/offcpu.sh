# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# record --off-cpu: how long threads waited, and where, on this kernel and on the guest's. The program knows what it asked for and
# how long that took: no more was measured, and not much less (one that is preempted on its way to sleep waits for the CPU).
# sums FILE COMM: "FUNCTION ns" for each function of the program that waited, as script has them
sums() {
	"$SONDE" script -i "$1" --comms "$2" -F comm,event,period,ip,sym 2>"$T/err" | awk '
		/offcpu-time:/ { ns = 0; for (i = 1; i < NF; i++) if ($(i + 1) == "offcpu-time:") ns = $i; next }
		$2 ~ /_waits$/ && ns { sum[$2] += ns; ns = 0 }
		END { for (f in sum) printf "%s %d\n", f, sum[f] }'
}
# between FILE NAME...: each of them waited as long as it says in `said`
between() {
	local file=$1 name asked took got; shift
	sums "$file" waits >sums
	for name; do
		read -r asked took < <(sed -n "s/^$name //p" said)
		got=$(sed -n "s/^$name //p" sums)
		[ "${got:-0}" -ge $((asked / 2)) ] && [ "${got:-0}" -le "$took" ] || fail "$name: $got ns of $asked asked, $took took: $(cat sums)"
	done
}
all=(main_waits thread_waits child_waits)
run "$SONDE" record --off-cpu -o command.data "$PROG/waits"; ok; cp "$T/out" said; between command.data "${all[@]}"
run "$SONDE" report -i command.data --stdio -s comm,sym --no-children -g none; ok
has "^# Samples: .* of event 'offcpu-time'"; has '%  waits .*clock_nanosleep'
run "$SONDE" record --off-cpu -i -o alone.data "$PROG/waits"; ok; cp "$T/out" said; between alone.data main_waits
! grep -E '^(thread|child)_waits' sums || fail "-i follows children: $(cat sums)"
run "$SONDE" record --off-cpu -g -o kernel.data "$PROG/waits"; ok; cp "$T/out" said; between kernel.data "${all[@]}"
"$SONDE" script -i kernel.data -F event,ip,sym 2>/dev/null | grep '__schedule$' >/dev/null || fail "no stack of the kernel"


# everything; one that runs already
run "$SONDE" record --off-cpu -a -o all.data "$PROG/waits"; ok; cp "$T/out" said; between all.data "${all[@]}"
mkfifo go
given() { # OPTION NAME...
	local option=$1 pid rec; shift
	"$PROG/waits" go >said & pid=$!
	exec 9<>go
	await "grep -qs waits /proc/$pid/comm"
	"$SONDE" record --off-cpu "$option" "$pid" -o given.data 2>"$T/err" & rec=$!
	await "ready $rec"
	echo >&9
	wait "$pid"; wait "$rec" || fail "exit code $?"
	exec 9>&-
	between given.data "$@"
}
given -p "${all[@]}"
given -t main_waits

# off until it is told; who still waits at the end has waited so far
nudge() { # PID: it falls asleep once more
	kill -STOP "$1"; await "grep -q '^State:.T' /proc/$1/status"
	kill -CONT "$1"; await "grep -q '^State:.S' /proc/$1/status"
}
mkfifo ctl
exec 8<>ctl
sleep 1000 & pid=$!
await "asleep $pid"
"$SONDE" record --off-cpu -D -1 --control fifo:ctl -o late.data -p "$pid" 2>"$T/err" & rec=$!
await "ready $rec"
nudge "$pid"
echo stop >&8; wait "$rec"
[ "$(sums late.data sleep | wc -l)" -eq 0 ] || fail "measured before it was told"
"$SONDE" record --off-cpu -o still.data -p "$pid" 2>"$T/err" & rec=$!
await "ready $rec"
nudge "$pid"
kill -INT "$rec"; wait "$rec"; kill "$pid"
run "$SONDE" script -i still.data -F comm,tid,event,ip,sym; ok; has 'sleep .* offcpu-time:'; has 'clock_nanosleep'

# who waits across a time that is off has not waited in it
mkfifo ack; exec 7<>ack
sleep 1000 & pid=$!
await "asleep $pid"
tell() { local said; echo "$1" >&8; read -r -t 60 -u 7 said; same "$said" ack "the answer to $1"; } # after it all is done
"$SONDE" record --off-cpu --control fifo:ctl,ack -o gap.data -p "$pid" 2>"$T/err" & rec=$!
await "ready $rec"
from=$(date +%s%N); nudge "$pid"; tell disable
off=$(date +%s%N); sleep 1; on=$(date +%s%N)
tell enable; kill -STOP "$pid"; await "grep -q '^State:.T' /proc/$pid/status"; kill -CONT "$pid"
echo stop >&8; wait "$rec"; to=$(date +%s%N); kill "$pid"
got=$("$SONDE" script -i gap.data -F event,period 2>/dev/null | awk '/offcpu-time/ { n += $1 } END { printf "%d", n }')
[ "$got" -gt 0 ] && [ "$got" -le $((to - from - (on - off))) ] || fail "$got ns, of $((to - from)) in which $((on - off)) were off"
