# SPDX-License-Identifier: GPL-2.0-or-later
# When sampling is on: -D, and commands from another process.
[ "$(id -u)" -eq 0 ] || skip "needs root"
sh -c 'while :; do :; done' & busy=$!
rec=
trap 'kill $busy $rec 2>/dev/null' EXIT
lines() { "$SONDE" script -i "$1" -F time,event 2>/dev/null | grep -c cpu-clock || true; }
runs() { local since; since=$(ran $busy); await "[ \$(ran $busy) -ge $((since + ${1:-20})) ]"; } # until it has run so many more
mkfifo ctl ack; exec 5<>ack
start() { # OPTION...: a recorder that listens, off at first
	"$SONDE" record -k boottime -D -1 --control fifo:ctl,ack -e cpu-clock -F 999 -p $busy -o c.data "$@" 2>rec.err & rec=$!
	tell ping
}
tell() { local answer=; echo "$1" >ctl; read -r -t 30 answer <&5 || fail "no answer to $1: $(cat rec.err)"; same "$answer" ack "answer to $1"; }

# off until told; then on; then off
start; runs; tell stop; wait $rec
same "$(lines c.data)" 0 "samples while off"
start; tell enable; runs; tell disable; t=$(cut -d' ' -f1 /proc/uptime); runs; # (of the same clock, in hundredths)
 tell stop; wait $rec || fail "exit code after stop"
[ "$(lines c.data)" -ge 3 ] || fail "only $(lines c.data) samples after enable"
"$SONDE" script -i c.data -F time | tr -d ' :' | awk -v t="$t" '$1 > t + 0.02 { exit 1 }' || fail "samples after disable (at $t)"
grep -q 'wrote .* c.data' rec.err || fail "no last line"
# by name; a wrong word is told, not answered
start; tell 'enable cpu-clock'; tell evlist; echo nonsense >ctl; echo snapshot >ctl; tell 'disable cpu-clock'; tell stop; wait $rec
grep -q '^cpu-clock$' rec.err || fail "no list"
grep -q "'nonsense' is not understood" rec.err || fail "took nonsense"
grep -q '^hint: the commands are enable' rec.err || fail "no hint"
grep -q 'snapshot needs --overwrite' rec.err || fail "took a snapshot"
# snapshots and new files
start --overwrite; tell enable; runs; tell snapshot; same "$(ls c.data.20* | wc -l)" 1 "snapshots"; tell stop; wait $rec; rm c.data*
start --switch-output; tell enable; tell snapshot; same "$(ls c.data.20* | wc -l)" 1 "whole files"; tell stop; wait $rec; same "$(ls c.data.20* | wc -l)" 2 "files"; rm c.data*
# by descriptor, without answers
exec 6<>ctl
"$SONDE" record -q --control fd:6 -D -1 -e cpu-clock -F 99 -p $busy -o c.data & rec=$!
echo stop >ctl; wait $rec

# -D: spans of time; longer ones where the machine is so busy that it sleeps through them
two_spans() { "$SONDE" script -i d.data -F time | tr -d ' :' | awk -v u="$1" 'NR > 1 && $1 - last > 0.2 * u { gaps++ } { last = $1 } END { exit !(NR > 3 && gaps >= 1) }'; }
for u in 1 4 12; do
	run "$SONDE" record -q -D $((200 * u))-$((500 * u)),$((900 * u))-$((1200 * u)) -e cpu-clock -F 999 -p $busy -o d.data sleep $((2 * u)); ok
	! two_spans $u || break
done
two_spans $u || fail "no two spans"
run "$SONDE" record -q -D 20000 -e cpu-clock -F 999 -p $busy -o d.data sleep 0.2; ok; same "$(lines d.data)" 0 "samples before the delay was over"
