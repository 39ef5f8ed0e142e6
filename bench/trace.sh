# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# limit: 900
# sonde trace beside strace, perf trace and bpftrace. Times are those of the traced program, from inside: the tracer's
# start and tear-down have bars of their own. CPU time is shown beside the wall time because a busy machine stretches
# the latter; the bars are on the wall time's median.
needs dd
[ "$(id -u)" = 0 ] || { echo "SKIP: needs root"; exit 77; }
n=${BENCH_ROUNDS:-9}
lost=0
have() { command -v "$1" >/dev/null; }

# own NAME WORD...: appends the wall and CPU seconds that `work` told of itself to NAME. The pause: the end of a tracer
# of system calls (any) is followed by a grace period that marks every thread there is for a slower way through the
# tracepoints, some 0.3 s later; each is to find the machine as one that comes alone does.
cat >work <<'SH'
#!/bin/bash
# WORD...: runs it and tells what it took: its own figure (dd's form) if it has one, and its CPU time
TIMEFORMAT='cpu %U %S'
time "$@"
SH
chmod +x work
own() {
	local to=$1 rc=0; shift
	sleep 0.5
	"$@" >/dev/null 2>own.err </dev/null || rc=$?
	[ $rc -lt 126 ] || { echo "  $to ended with $rc: $(tail -n 1 own.err)"; return 0; }
	awk '/ copied, / { for (i = 1; i < NF; i++) if ($i == "copied,") { sub(/^.*copied, /, ""); wall = $1 } }
		/^copied, / { wall = $2 } /^cpu / { cpu = $2 + $3 } END { if (wall) print wall, cpu }' own.err >>"$to"
}
middle() { cut -d ' ' -f "${2:-1}" "$1" | sort -n | awk '{ a[NR] = $1 } END { print NR % 2 ? a[(NR + 1) / 2] : (a[NR / 2] + a[NR / 2 + 1]) / 2 }'; }
least() { cut -d ' ' -f 1 "$1" | sort -n | head -n 1; }
times() { ratio "$(middle "$1" "${3-}")" "$(middle "$2" "${3-}")"; } # NAME BASE [COLUMN]
show() { # NAME BASE
	[ -s "$1" ] || return 0
	printf '  %-24s median %9.4f s %6sx   least %9.4f s %6sx   CPU %6sx\n' "$1" "$(middle "$1")" "$(times "$1" "$2")" \
		"$(least "$1")" "$(ratio "$(least "$1")" "$(least "$2")")" "$(times "$1" "$2" 2)"
}
dd=(./work dd if=/dev/zero of=/dev/null bs=1 count=500k)
small=(./work dd if=/dev/zero of=/dev/null bs=1 count=5k)

title "dd bs=1 count=500k: every call printed; -e accept; -s ($n rounds, in turns)"
for ((i = 0; i < n; i++)); do
	own plain "${dd[@]}"
	own sonde "$SONDE" trace -o all.txt "${dd[@]}"
	grep -q 'events lost' all.txt && lost=$((lost + 1))
	own sonde_accept "$SONDE" trace -e accept -o accept.txt "${dd[@]}"
	own sonde_summary "$SONDE" trace -s -o summary.txt "${dd[@]}"
	have strace && own strace_seccomp strace -f --seccomp-bpf -e accept -o s.txt "${dd[@]}"
	have perf && own perf_accept perf trace -e accept -o p.txt "${dd[@]}"
done
for w in plain sonde sonde_accept sonde_summary strace_seccomp perf_accept; do show $w plain; done
lines=$(grep -c 'read(.*= 1$\|write(.*= 1$' all.txt)
verdict "dd, every call printed" "$(times sonde plain)" 2.6 x
verdict "dd, runs with lost events" $lost 0
verdict "dd, reads and writes not printed" $((lines < 1024000 ? 1024000 - lines : 0)) 0
verdict "dd, -e accept" "$(times sonde_accept plain)" 1.25 x
verdict "dd, -s" "$(times sonde_summary plain)" 2.3 x
echo "  a hundredth of that, once, for those that take longer:"
own plain_small "${small[@]}"
have strace && { own strace_all strace -f -o s.txt "${small[@]}"; own strace_count strace -f -c -o s.txt "${small[@]}"; }
have perf && { own perf_all perf trace -o p.txt "${small[@]}"; own perf_summary perf trace -s -o p.txt "${small[@]}"; }
have bpftrace && own bpftrace_all bpftrace -q -e 'tracepoint:raw_syscalls:sys_exit { printf("%d %d\n", tid, args->ret); }' -o b.txt -c "${small[*]}"
for w in strace_all strace_count perf_all perf_summary bpftrace_all; do show $w plain_small; done

title "500k pairs of openat and close, with the path"
for ((i = 0; i < (n + 1) / 2; i++)); do
	own opens_plain ./work "$PROG/opens" 500000
	own opens_sonde "$SONDE" trace -o opens.txt ./work "$PROG/opens" 500000
	grep -q 'events lost' opens.txt && lost=$((lost + 1))
done
show opens_plain opens_plain; show opens_sonde opens_plain
verdict "openat and close" "$(times opens_sonde opens_plain)" 2.0 x

title "start: trace true, over untraced"
cmd untraced /bin/true # not the shell's own
cmd sonde "$SONDE" trace -o true.txt /bin/true
have strace && cmd strace strace -f -o s.txt /bin/true
have perf && cmd perf perf trace -o p.txt /bin/true
have bpftrace && cmd bpftrace bpftrace -e 'tracepoint:raw_syscalls:sys_exit { @[tid] = count(); }' -c /bin/true
rounds "$n"
verdict "trace true, added" "$(awk -v a="$(median_us sonde)" -v b="$(median_us untraced)" 'BEGIN { printf "%.1f", (a - b) / 1000 }')" 25 ' ms'

title "tear-down: from the traced program's end to sonde's"
# shellcheck disable=SC2016
last=(bash -c '"$@" 2>/dev/null; echo $EPOCHREALTIME >end' last)
tear() { # NAME OPTION...: appends milliseconds
	local to=$1 t; shift
	"$SONDE" trace "$@" -o t.txt "${last[@]}" dd if=/dev/zero of=/dev/null bs=1 count=50k
	micro; t=$(cat end)
	awk -v a="$now" -v b="$((${t%[.,]*} * 1000000 + 10#${t#*[.,]}))" 'BEGIN { printf "%.1f\n", (a - b) / 1000 }' >>"$to"
}
for ((i = 0; i < n; i++)); do tear tear_all; tear tear_accept -e accept; tear tear_summary -s; tear tear_machine -a; done
verdict "tear-down, every call" "$(middle tear_all)" 200 ' ms'
verdict "tear-down, -e accept" "$(middle tear_accept)" 200 ' ms'
verdict "tear-down, -s" "$(middle tear_summary)" 200 ' ms'
verdict "tear-down, -a" "$(middle tear_machine)" 200 ' ms'

title "2,000 forks of /bin/true, the whole machine, every call printed"
cat >forks.sh <<'SH'
i=0; while [ $i -lt 2000 ]; do /bin/true; i=$((i + 1)); done
SH
forks_lost=0 unseen=0
for ((i = 0; i < 3; i++)); do
	micro; from=$now; sh forks.sh; micro; echo $((now - from)) >>forks_plain
	"$SONDE" trace -a -o forks.txt sh -c 'date +%s%N >from; sh forks.sh; date +%s%N >to'
	echo $((($(cat to) - $(cat from)) / 1000)) >>forks_sonde
	grep -q 'events lost' forks.txt && forks_lost=$((forks_lost + 1))
	seen=$(grep -c 'true/[0-9]* exit_group' forks.txt)
	unseen=$((unseen + (seen < 2000 ? 2000 - seen : 0)))
done
printf '  plain %d ms, traced %d ms\n' $(($(middle forks_plain) / 1000)) $(($(middle forks_sonde) / 1000))
verdict "forks, whole machine" "$(times forks_sonde forks_plain)" 1.25 x
verdict "forks, runs with lost events" $forks_lost 0
verdict "forks, ends of true not seen" $unseen 0

title "four dd's at once, all printed"
cat >four.sh <<'SH'
for i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=1 count=200k 2>/dev/null & done; wait
SH
for ((i = 0; i < 3; i++)); do
	"$SONDE" trace --stats -o four.txt sh four.sh 2>four.err
	sed -n 's/^ *\([0-9]* events\|[0-9]* times held\)/  \1/p' four.err
	sed -n 's/.*engine bpf, \([0-9]*\) lost.*/\1/p' four.err >>four_lost
	grep -c 'read(.*= 1$\|write(.*= 1$' four.txt >>four_lines
done
verdict "four dd's, events lost (most of 3 runs)" "$(sort -n four_lost | tail -n 1)" 0
least_lines=$(sort -n four_lines | head -n 1)
verdict "four dd's, calls not printed (most of 3 runs)" $((1638400 > least_lines ? 1638400 - least_lines : 0)) 0

title "a program that is not traced, while dd is ($n rounds, in turns)"
# "idle": while a program is traced that does nothing, which leaves the cost of its calls alone
traced() { # WORD...: starts tracing it
	"$SONDE" trace -o by.txt "$@" 2>/dev/null & s=$!
	sleep 0.3
}
for ((i = 0; i < n; i++)); do
	own alone "${dd[@]}"
	traced dd if=/dev/zero of=/dev/null bs=1 count=20000k
	own beside "${dd[@]}"
	kill $s 2>/dev/null; wait $s 2>/dev/null || true
	traced sleep 100
	own idle "${dd[@]}"
	kill $s 2>/dev/null; wait $s 2>/dev/null || true
done
show alone alone; show idle alone; show beside alone
verdict "bystander" "$(times beside alone)" 1.6 x

title "a reader that stands still: the target's calls a second of its CPU time, running over stopped ($n rounds)"
used() { cut -d ' ' -f 1 "/proc/$target/schedstat"; }
calls() { # MS: the target's calls a CPU second, over that time
	local a ns
	a=$(od -An -tu8 -N8 n) ns=$(used)
	sleep "0.$1"
	awk -v n=$(($(od -An -tu8 -N8 n) - a)) -v ns=$(($(used) - ns)) 'BEGIN { printf "%.0f\n", n / ns * 1e9 }'
}
still() { # NAME OPTION...
	local to=$1; shift
	"$SONDE" trace "$@" 2>/dev/null & s=$!
	sleep 0.4; calls 300 >>"$to.runs"
	kill -STOP $s; sleep 0.15; calls 300 >>"$to.stopped"
	kill -CONT $s; kill $s; wait $s 2>/dev/null || true
}
"$PROG/counts" n & target=$!
sleep 0.1
for ((i = 0; i < (n + 1) / 2; i++)); do
	still still_bpf -p $target -o /dev/null
	still still_all -a -o /dev/null
	still still_perf --engine=perf -p $target -o /dev/null
done
kill $target; wait $target 2>/dev/null || true
for w in bpf all perf; do
	printf '  %-8s %9d calls a second with a reader that runs, %9d with one that is stopped\n' $w "$(middle still_$w.runs)" "$(middle still_$w.stopped)"
done
verdict "reader stopped: slower by" "$(ratio "$(middle still_bpf.runs)" "$(middle still_bpf.stopped)")" 2 x
verdict "reader stopped, -a" "$(ratio "$(middle still_all.runs)" "$(middle still_all.stopped)")" 2 x
verdict "reader stopped, --engine=perf" "$(ratio "$(middle still_perf.runs)" "$(middle still_perf.stopped)")" 2 x

title "idle: sonde's CPU time while the target does nothing, over 4 s"
sleep 1000 & target=$!
idle() { # NAME WORD...
	local name=$1 a b s; shift
	"$SONDE" "$@" >/dev/null 2>&1 & s=$!
	sleep 1; a=$(cat /proc/$s/task/*/schedstat | awk '{ t += $1 } END { print t }')
	sleep 4; b=$(cat /proc/$s/task/*/schedstat | awk '{ t += $1 } END { print t }')
	kill $s; wait $s 2>/dev/null || true
	verdict "idle, $name" "$(awk -v ns=$((b - a)) 'BEGIN { printf "%.2f", ns / 4e7 }')" 0.5 ' %'
}
idle "trace -p" trace -p $target -o /dev/null
idle "trace -s -p" trace -s -p $target -o /dev/null
idle "trace -e accept -p" trace -e accept -p $target -o /dev/null
idle "trace --engine=perf -p" trace --engine=perf -p $target -o /dev/null
idle "trace --engine=ptrace -p" trace --engine=ptrace -p $target -o /dev/null
idle "trace -s -a (as far as the machine is idle)" trace -s -a -o /dev/null
idle "record -p" record -p $target -o idle.data
idle "stat -I 1000 -p" stat -I 1000 -p $target
kill $target; wait $target 2>/dev/null || true

if have strace && have runuser; then
	title "unprivileged, dd with -e accept: sonde beside strace"
	chmod 777 .
	for ((i = 0; i < n; i++)); do
		own nobody_plain runuser -u nobody -- "${dd[@]}"
		own nobody_strace runuser -u nobody -- strace -f --seccomp-bpf -e accept -o ns.txt "${dd[@]}"
		own nobody_sonde runuser -u nobody -- "$SONDE" trace -e accept -o nt.txt "${dd[@]}"
	done
	for w in nobody_plain nobody_strace nobody_sonde; do show $w nobody_plain; done
	verdict "unprivileged -e accept, over strace --seccomp-bpf" "$(times nobody_sonde nobody_strace)" 1.05 x
fi

title "the bars"
bars_table
rm -f ./*.txt idle.data
