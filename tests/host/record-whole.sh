# SPDX-License-Identifier: GPL-2.0-or-later
# What is in a recording is all there: maps of processes that come and go, names in every file of several, losses where
# they happened, clocks, counts of threads; and what the user sees meanwhile on a terminal.
# needs: perf script python3
# timeout: 180
[ "$(id -u)" -eq 0 ] || skip "needs root"
perf612
sh -c 'while :; do /bin/true; /bin/ls / >/dev/null; done' & busy=$!
trap 'kill $busy' EXIT
spin=(dd if=/dev/zero of=/dev/null bs=1 count=100k)

# no sample of a process whose maps nobody wrote down
unknown() { "$SONDE" script -i "$1" -F comm,ip,dso 2>/dev/null | awk '$1 ~ /^(sh|ls|true)$/ { n++ } $1 ~ /^(sh|ls|true)$/ && /\[unknown\]/ { u++ } END { print n + 0, u + 0 }'; }
for who in -a "-p $busy"; do
	n=0
	for _ in {1..20}; do # until there are enough of them
		# shellcheck disable=SC2086
		run "$SONDE" record -q -F 4999 -e cpu-clock:u $who -o m.data sleep 0.4; ok
		read -r some bad < <(unknown m.data)
		[ "$bad" -eq 0 ] || fail "$who: $bad of $some samples in no map"
		n=$((n + some)); [ $n -lt 100 ] || break
	done
	[ $n -ge 100 ] || fail "$who: only $n samples"
done

# several files: the names and maps of children are in each
run "$SONDE" record -q -e cpu-clock:u -F 4999 --switch-output=1s -o f.data -- sh -c 'timeout 2.5 sh -c "while :; do :; done"; :'; ok
files=(f.data.20*); [ ${#files[@]} -ge 2 ] || fail "${#files[@]} files"
for f in "${files[@]}"; do
	run "$SONDE" script -i "$f" -F comm,ip,dso; ok; hasnt '^ *:'; hasnt '\[unknown\]'
	run perf script -i "$f" -F comm,ip,dso; ok; hasnt '^ *:'; hasnt '\[unknown\]'
done

# flight recorder on everything, a snapshot by signal: perf reads the same
"$SONDE" record -e sched:sched_switch --overwrite -m 128K -a -g -o fl.data 2>fl.err & pid=$!
await 'armed USR2'
for _ in {1..400}; do kill -USR2 $pid; sleep 0.2; [ "$(sed -n 's/.*snapshot: .*, \([0-9]*\) samples/\1/p' fl.err | tail -n 1)" -ge 5 ] 2>/dev/null && break; done
kill -TERM $pid; wait $pid || true
for f in fl.data $(ls fl.data.20* | tail -n 1); do
	run "$PERF612" script --no-inline -i "$f" -F comm,tid,cpu,time,event,ip; ok; mv "$T/out" by-perf
	run "$SONDE" script -i "$f" -F comm,tid,cpu,time,event,ip; ok; has 'sched:sched_switch: '
	ended_alike by-perf "$T/out"
	cmp "$T/out" by-perf || fail "$f: perf reads it otherwise"
done

# losses are told at the end, by the reader, and where they happened
for _ in {1..20}; do
	run "$SONDE" record -m 1 -e 'raw_syscalls:*' -o l.data "${spin[@]}"; ok
	! "$SONDE" script -i l.data --show-lost-events 2>/dev/null | grep 'RECORD_LOST lost' >/dev/null || break
done
err_has '[0-9]+ events were lost .*rings were full'; err_has '^hint: larger rings'
told=$(sed -n 's/.* \([0-9]*\) events were lost.*/\1/p' "$T/err")
run "$SONDE" report --stdio -i l.data; ok; err_has "$told events were lost while recording"
run "$SONDE" script -i l.data --show-lost-events; ok
# (LOST_SAMPLES is the kernel's own count; what was lost behind the last record that fitted has a LOST by us)
same "$(sed -n 's/.*PERF_RECORD_LOST_SAMPLES lost //p' "$T/out" | awk '{ n += $1 } END { print n }')" "$told" "lost"
placed=$(sed -n 's/.*PERF_RECORD_LOST lost //p' "$T/out" | awk '{ n += $1 } END { print n + 0 }')
same "$placed" "$told" "losses that have a place"
perf report --stats -i l.data 2>/dev/null >by-perf; grep -Eq "^ +LOST events: +$(grep -c 'PERF_RECORD_LOST lost' "$T/out") " by-perf || fail "perf counts other LOST records: $(grep LOST by-perf)"
grep 'RECORD_LOST lost' "$T/out" >by-sonde
"$PERF612" script -i l.data --show-lost-events 2>/dev/null | grep 'RECORD_LOST lost' >by-perf; ended_alike by-perf by-sonde; cmp by-perf by-sonde || fail "perf shows other losses"
"$SONDE" script -i l.data --show-lost-events -F time,event 2>/dev/null | grep -v LOST_SAMPLES | awk '{ t = $1; sub(":", "", t) } /LOST/ { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) { t = $i; sub(":", "", t) } } t < last { exit 1 } { last = t }' || fail "a loss is not at its time"

# clocks: the times are that clock's
for pair in mono:1 boottime:7 realtime:0 tai:11; do
	before=$(python3 -c "import time; print(time.clock_gettime(${pair#*:}))")
	run "$SONDE" record -q -k "${pair%:*}" -e cpu-clock -F 4999 -o k.data "${spin[@]}"; ok
	after=$(python3 -c "import time; print(time.clock_gettime(${pair#*:}))")
	"$SONDE" script -i k.data -F time | tr -d ' :' | awk -v a="$before" -v b="$after" '$1 < a - 1e-5 || $1 > b + 1e-5 { exit 1 }' || fail "$pair: times outside of $before .. $after"
	same "$("$SONDE" script -i k.data -F time)" "$(perf script -i k.data -F time 2>/dev/null)" "${pair%:*}: times"
done

run "$SONDE" record -k realtime -e sched:sched_switch true; exits 255; err_has '^sonde: -k: the kernel has this clock for cpu-clock'; err_has '^hint: -k mono'

# counts of threads; children left out; addresses
run "$SONDE" record -q -s -e task-clock -o s.data sh -c '/bin/true; :'; ok
[ "$(perf report -D -i s.data 2>/dev/null | grep -c PERF_RECORD_READ)" -ge 2 ] || fail "-s: no counts"
run "$SONDE" record -q -i -e raw_syscalls:sys_enter -o i.data sh -c '/bin/true; :'; ok
run "$SONDE" script -i i.data -F comm; ok; has sh; hasnt true
run "$SONDE" record -q -d -e page-faults -c 1 -o d.data true; ok
same "$("$SONDE" script -i d.data -F comm,addr,ip)" "$(perf script -i d.data -F comm,addr,ip 2>/dev/null)" "-d: addresses"
"$SONDE" script -i d.data -F addr | grep '[1-9a-f]' >/dev/null || fail "-d: no addresses"

# a terminal sees how far it is, and Ctrl-C ends it well
for s in 2.5 20; do # a busy machine may need longer for the first word
	script -qec "$SONDE record -F 99 -e cpu-clock -a -o t.data sleep $s" /dev/null >screen </dev/null
	! grep -q ' samples, ' screen || break
done
tr '\r' '\n' <screen | grep -Eq '^[0-9]+ s, [0-9]+ samples, [0-9.]+ MB, 0 lost' || fail "no progress: $(cat -v screen)"
grep -q 'hint: next: sonde report -i t.data' screen || fail "no word on what is next"
cat >ctrlc.py <<'P'
import os, pty, sys, time, select
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text, sent, start = b'', False, time.time()
while True:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            piece = os.read(fd, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
    if not sent and b' samples, ' in text or time.time() - start > 60:
        os.write(fd, b'\x03')
        sent = True
sys.stdout.write(text.decode())
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(code if code >= 0 else 128 - code)
P
run python3 ctrlc.py "$SONDE" record -F 99 -e cpu-clock -a -o c.data; ok; has 'wrote .* c.data'
run python3 ctrlc.py "$SONDE" record -F 99 -e cpu-clock -o c.data sleep 100; exits 130; has 'wrote .* c.data'
run "$SONDE" script -i c.data; ok; err_hasnt 'not closed'
