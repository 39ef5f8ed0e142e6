# SPDX-License-Identifier: GPL-2.0-or-later
# A sonde that is stopped, or whose output nobody reads, does not hold up who it traces: after 100 ms they run as before, what
# is lost is counted and told in its place, and when it comes back nothing is lost any more. Speeds are calls of the target in
# a second of its own CPU time: it is there that programs wait for a reader, and other work on the machine does not count.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
stopped() { [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" = T ]; }
count() { od -An -tu8 -N8 n | tr -d ' '; }
used() { cut -d ' ' -f 1 "/proc/$target/schedstat"; }
spend() { local until=$(($(used) + $1 * 1000000)); await "[ \$(used) -ge $until ]"; } # MS: until the target has used so much
rate() { # sets $rate
	local n ns
	n=$(count) ns=$(used)
	spend 100
	rate=$((($(count) - n) * 1000000000 / ($(used) - ns)))
}
start() { rm -f n; taskset -c 0 "$PROG/counts" n "$@" & target=$!; await '[ -s n ]'; } # [N EVERY]; on one CPU, which then loses in one place
trace() { "$SONDE" trace "$@" 2>err & pid=$!; await 'ready $pid'; }
end() { kill "$pid" 2>/dev/null || true; wait "$pid" || true; kill "$target"; wait "$target" 2>/dev/null || true; }
# Who shares the CPU's caches may halve a speed for a moment: one of five must keep up.
keeps() {
	for _ in {1..5}; do rate; [ $((2 * rate)) -lt "$running" ] || return 0; done
	fail "$1: $rate calls a second, with a reader that runs $running"
}

for how in --engine=perf -a ''; do
	start
	# shellcheck disable=SC2046,SC2086
	trace $how -o /dev/null $([ "$how" = -a ] || echo -p $target)
	spend 50; rate; running=$rate
	kill -STOP $pid; await 'stopped $pid'
	spend 120; keeps "stopped, $how"
	kill -CONT $pid
	spend 50; keeps "running again, $how"
	end
	grep -Eq '[0-9]+ events were lost: sonde stood still for [0-9.]+ s \(it was stopped, or' err || { cat err; fail "not told, $how"; }
done

# what else watches calls: they lose what finds no room, and nobody waits for them
has_tracefs() { [ -w /sys/kernel/tracing/instances ]; }
# shellcheck disable=SC2089,SC2090
for how in 'top --stdio -e raw_syscalls:sys_enter' 'record -q -e raw_syscalls:sys_enter -o /dev/null' 'run -q -e tracepoint:raw_syscalls:sys_enter{printf("%d",pid)}' \
	'ftrace stream -e raw_syscalls:sys_enter' 'tpoint raw_syscalls:sys_enter'; do
	case $how in ftrace*|tpoint*) has_tracefs || continue ;; esac
	start
	set -m
	# shellcheck disable=SC2046,SC2086
	"$SONDE" $how $(case $how in top*|record*) echo -p $target ;; esac) >out 2>err & pid=$!
	set +m
	await 'ready $pid || ready "$(pgrep -o -P $pid || echo 0)"'; await '[ -s out ] || ! [[ $how =~ stream|tpoint|run ]]'
	spend 50; rate; running=$rate
	kill -STOP -- -$pid; await 'stopped $pid'
	spend 120; keeps "stopped, $how"
	kill -CONT -- -$pid; kill -INT -- -$pid; wait "$pid" || :
	kill "$target"; wait "$target" 2>/dev/null || :
done

# an output that nobody reads: a pipe, kept open
mkfifo pipe
# shellcheck disable=SC2217
sleep 100 <pipe & reader=$! # keeps it open, and reads nothing
start
trace -o pipe -p $target
spend 150; keeps "nobody reads"
kill $reader; wait $reader 2>/dev/null || true
end

# in its place and to the last one: the target stops itself between 60,000 calls that are read, 200,000 that are not and the rest
start 320000 60000
await 'stopped $target'
trace -m 1M -e getppid -o lines -p $target
kill -CONT $target; await '[ "$(count)" -ge 120000 ] && stopped $target'
kill -STOP $pid; await 'stopped $pid'
for n in 180000 240000 300000; do kill -CONT $target; await "[ \"\$(count)\" -ge $n ] && stopped \$target"; done
before=$(stat -c %s lines); kill -CONT $pid; await '[ "$(stat -c %s lines)" -gt $before ]' # it is back
kill -CONT $target; wait $target; wait $pid
calls=$(joined lines | grep -c ' getppid(' || true) lost=$(sed -n 's/.*!!! \([0-9]*\) events lost.*/\1/p' lines | awk '{ n += $1 } END { print n + 0 }')
[ "$lost" -gt 100000 ] || fail "only $lost lost"
[ $((calls + lost)) -ge 260000 ] && [ $((calls + lost)) -le 260020 ] || fail "$calls calls and $lost losses of 260000 (and a few stops)"
same "$(grep -c 'events lost' lines)" 1 "places where events were lost"
[ "$(sed '/events lost/,$d' lines | joined | grep -c ' getppid(')" -ge 60000 ] || fail "what was there before"
[ "$(sed '1,/events lost/d' lines | joined | grep -c ' getppid(')" -ge 20000 ] || fail "what came after"

# with ptrace a stopped sonde lets go of its targets first, and takes them up again; a group of its own, or the stop is not taken
set -m
start
"$SONDE" trace --engine=ptrace -o lines -p $target 2>err & pid=$!
set +m
tracer() { sed -n 's/^TracerPid:[[:space:]]*//p' "/proc/$target/status"; }
await '[ "$(tracer)" = $pid ] && [ -s lines ]'
kill -TSTP $pid; await 'stopped $pid'
same "$(tracer)" 0 "the tracer of a target that was let go"
n=$(count); await '[ "$(count)" -gt $((n + 100000)) ]'
kill -CONT $pid; await '[ "$(tracer)" = $pid ]'
await "grep -q 'getppid' <(sed '1,/not traced for/d' lines)"
end
grep -Eq '!!! not traced for [0-9.]+ s: sonde was stopped !!!' lines || fail "what was not traced is not told"

# but not another process that has got its number meanwhile; in a PID namespace the test can give it
cat >reused.sh <<'E'
set -u
stopped() { [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" = T ]; }
tracer() { sed -n 's/^TracerPid:[[:space:]]*//p' "/proc/$1/status"; }
soon() { for _ in $(seq 600); do eval "$1" && return; sleep .1; done; echo "never: $1"; exit 1; }
sleep 1000 & old=$!
sleep 1001 & stays=$!
set -m
"$SONDE" trace --engine=ptrace -o lines2 -p $old,$stays 2>err2 & pid=$!
set +m
soon '[ "$(tracer $old)" = $pid ] && [ "$(tracer $stays)" = $pid ]'
kill -TSTP $pid; soon 'stopped $pid'
kill -9 $old; wait $old
birth=$(cut -d ' ' -f 22 /proc/$stays/stat)
for _ in $(seq 100); do # whoever else starts something here may be quicker
	echo $((old - 1)) >/proc/sys/kernel/ns_last_pid; sleep 1002 & new=$!
	[ $new = $old ] && break
	kill $new; wait $new
done
[ $new = $old ] || { echo "number $old is not to be had"; exit 1; }
soon '[ "$(cut -d " " -f 22 /proc/$new/stat)" -gt $birth ]'
kill -CONT $pid; soon '[ "$(tracer $stays)" = $pid ]'
echo "tracer $(tracer $new)"
kill $pid; wait $pid
kill $new $stays
E
run timeout 100 unshare -pf --mount-proc bash reused.sh; has '^tracer 0$'

# and where it is stuck with what nobody reads it stops, too; at the end Ctrl-Z is what it was
# shellcheck disable=SC2217
sleep 100 <pipe & reader=$!
set -m
start
"$SONDE" trace --engine=ptrace -o pipe -p $target 2>err & pid=$!
set +m
stuck() { [ "$(cut -d ' ' -f 1 "/proc/$pid/syscall")" = 20 ]; } # in writev
await 'stuck && stuck'
kill -TSTP $pid; await 'stopped $pid'
kill -CONT $pid; await '! stopped $pid'
kill $reader; wait $reader 2>/dev/null || true
end
