# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# limit: 600
# sonde run beside bpftrace: start to end, memory, and what a script costs the program that is traced.
needs dd
have_bpftrace=$(command -v bpftrace || true)
one='tracepoint:sched:sched_switch { @[comm] = count() }'
openat='tracepoint:syscalls:sys_enter_openat { printf("%s\n", str(args->filename)); @ = hist(args->flags) }'
all='tracepoint:syscalls:* { @[probe] = count() }'

title "run: start to end, in milliseconds (with the probes attached: until a command that does nothing has ended)"
cmd begin "$SONDE" run -q -e 'BEGIN { exit() }'
cmd tracepoint "$SONDE" run -q -c /bin/true -e "$one"
cmd openat "$SONDE" run -q -c /bin/true -e "$openat"
cmd 721 "$SONDE" run -q -c /bin/true -e "$all"
cmd '721, a second' "$SONDE" run -q -c '/bin/sleep 1' -e "$all"
if [ -n "$have_bpftrace" ]; then
	cmd bpftrace:begin bpftrace -q -e 'BEGIN { exit() }'
	cmd bpftrace:tracepoint bpftrace -q -c /bin/true -e "$one"
	cmd bpftrace:openat bpftrace -q -c /bin/true -e "$openat"
fi
rounds 9
bar_ms begin 15
bar_ms tracepoint 20
bar_ms openat 20
bar_ms 721 50
bar_ms '721, a second' 1300

title "run: memory, in MB"
verdict "BEGIN { exit() }" "$(ratio "$(peak_kb "$SONDE" run -q -e 'BEGIN { exit() }')" 1024)" 15 " MB"
[ -z "$have_bpftrace" ] || echo "  bpftrace: $(ratio "$(peak_kb bpftrace -q -e 'BEGIN { exit() }')" 1024) MB"

title "run: dd under a script, ratio of dd's own CPU time to that untraced"
echo 'TIMEFORMAT="%U %S"; time dd if=/dev/zero of=/dev/null bs=1 count=500k 2>/dev/null' >dd.sh
seconds() { awk 'NF == 2 && $1 ~ /^[0-9.]+$/ && $1 + $2 > 0 { print $1 + $2; exit }'; }
under() { "$SONDE" run -q -o /dev/null -c 'bash dd.sh' -e "$1" 2>&1 | seconds; }
under_bpftrace() { bpftrace -q -o /dev/null -c "$(command -v bash) $PWD/dd.sh" -e "$1" 2>&1 | seconds; }
middle() { sort -n "$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
# shellcheck disable=SC2034
{
count='tracepoint:raw_syscalls:sys_enter { @ = count() }'
by_comm='tracepoint:raw_syscalls:sys_enter { @[comm] = count() }'
pair='tracepoint:raw_syscalls:sys_enter { @s[tid] = nsecs } tracepoint:raw_syscalls:sys_exit /@s[tid]/ { @[comm] = hist(nsecs - @s[tid]); delete(@s[tid]) }'
lines='tracepoint:raw_syscalls:sys_enter { printf("%d %d %d\n", pid, tid, cpu) }'
}
n=${BENCH_ROUNDS:-7}
for ((i = 0; i < n; i++)); do
	bash dd.sh 2>&1 | seconds >>plain
	for what in count by_comm pair lines; do under "${!what}" >>$what; done
done
[ -z "$have_bpftrace" ] || for what in count by_comm pair; do under_bpftrace "${!what}" >>their_$what; done # lines: a minute
base=$(middle plain)
theirs() { [ ! -s "their_$1" ] || echo "  bpftrace: $2: $(ratio "$(middle "their_$1")" "$base")x"; }
ours() { verdict "$2" "$(ratio "$(middle "$1")" "$base")" "$3" x; theirs "$1" "$2"; }
echo "  untraced: $base s, $(awk -v s="$base" 'BEGIN { printf "%d", s / 1024000 * 1e9 }') ns a call"
ours count "@ = count()" 1.4
ours by_comm "@[comm] = count()" 1.7
ours pair "enter and exit, latency by comm" 2.2
ours lines "printf of three values" 2.6
lost=0
for ((i = 0; i < 3; i++)); do
	"$SONDE" run -q -o lines.txt -c 'dd if=/dev/zero of=/dev/null bs=1 count=500k status=none' \
		-e 'tracepoint:raw_syscalls:sys_enter /pid == cpid/ { printf("%d %d %d\n", pid, tid, cpu); @n = count() }' 2>/dev/null
	lost=$((lost + $(sed -n 's/^@n: //p' lines.txt) - $(grep -c '^[0-9]* [0-9]* [0-9]*$' lines.txt)))
done
verdict "lines lost of three million" $lost 0
