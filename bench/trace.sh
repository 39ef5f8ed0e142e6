# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# sonde trace beside strace and perf trace. Times of dd and of the opener are their own, from inside: start and
# shellcheck disable=SC2154
# tear-down of the tracer are not in them and have bars of their own.
needs dd
[ "$(id -u)" = 0 ] || { echo "SKIP: needs root"; exit 77; }
dd_of() { sed -n 's/.*copied, \([0-9.]*\) s,.*/\1/p' "$1"; }
own() { # FILE WORD...: appends the work's own seconds
	local to=$1; shift
	"$@" >/dev/null 2>own.err </dev/null || true
	dd_of own.err >>"$to"
}
middle() { sort -n "$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
least() { sort -n "$1" | head -n 1; }
show() { # NAME BASE
	printf '  %-22s median %8s s  %6sx    least %8s s  %6sx\n' "$1" "$(middle "$1")" "$(ratio "$(middle "$1")" "$(middle "$2")")" \
		"$(least "$1")" "$(ratio "$(least "$1")" "$(least "$2")")"
}
work=(dd if=/dev/zero of=/dev/null bs=1 count=500k)
n=${BENCH_ROUNDS:-9}
lost=0

title "dd bs=1 count=500k: every call printed; -e accept; -s"
for ((i = 0; i < n; i++)); do
	own plain "${work[@]}"
	own sonde "$SONDE" trace -o all.txt "${work[@]}"
	grep -q 'events lost' all.txt && lost=1
	own sonde_accept "$SONDE" trace -e accept -o accept.txt "${work[@]}"
	own sonde_summary "$SONDE" trace -s -o summary.txt "${work[@]}"
	command -v strace >/dev/null && own strace_seccomp strace -f --seccomp-bpf -e accept -o s.txt "${work[@]}"
	command -v perf >/dev/null && own perf_accept perf trace -e accept -o p.txt "${work[@]}"
done
for w in plain sonde sonde_accept sonde_summary strace_seccomp perf_accept; do [ -s $w ] && show $w plain; done
lines=$(grep -c 'read(\|write(' all.txt)
echo "  reads and writes printed in the last run: $lines"
verdict "all printed, dd's own time" "$(ratio "$(middle sonde)" "$(middle plain)")" 2.6 x
verdict "-e accept" "$(ratio "$(middle sonde_accept)" "$(middle plain)")" 1.25 x
verdict "-s" "$(ratio "$(middle sonde_summary)" "$(middle plain)")" 2.3 x
verdict "runs with losses" $lost 0 ""
small=(dd if=/dev/zero of=/dev/null bs=1 count=5k)
own plain_small "${small[@]}"
command -v strace >/dev/null && { own strace_small strace -f -o s.txt "${small[@]}"; show strace_small plain_small; }
command -v perf >/dev/null && { own perf_small perf trace -o p.txt "${small[@]}"; show perf_small plain_small; }

title "500k pairs of openat and close, with the path"
for ((i = 0; i < n; i++)); do
	own opens_plain "$PROG/opens" 500000
	own opens_sonde "$SONDE" trace -o opens.txt "$PROG/opens" 500000
done
show opens_plain opens_plain; show opens_sonde opens_plain
verdict "openat and close" "$(ratio "$(middle opens_sonde)" "$(middle opens_plain)")" 2.0 x

title "start: trace true, over untraced"
cmd untraced true
cmd sonde "$SONDE" trace -o true.txt true
command -v strace >/dev/null && cmd strace strace -f -o s.txt true
rounds 15
verdict "added, ms" "$(awk -v a="$(median_us sonde)" -v b="$(median_us untraced)" 'BEGIN { printf "%.1f", (a - b) / 1000 }')" 25 ms

title "tear-down of -e accept (its own tracepoints)"
cmd sonde "$SONDE" trace -e accept -o true.txt true
rounds 5
bar_ms sonde 225

title "2,000 forks of /bin/true, the whole machine, every call printed"
cat >forks.sh <<'SH'
i=0; while [ $i -lt 2000 ]; do /bin/true; i=$((i + 1)); done
SH
for ((i = 0; i < 3; i++)); do
	micro; from=$now; sh forks.sh; micro; echo $((now - from)) >>forks_plain
	"$SONDE" trace -a -o forks.txt sh -c 'date +%s%N >from; sh forks.sh; date +%s%N >to'
	echo $((($(cat to) - $(cat from)) / 1000)) >>forks_sonde
	grep -q 'events lost' forks.txt && lost=1
done
show forks_plain forks_plain; show forks_sonde forks_plain
verdict "forks, whole machine" "$(ratio "$(middle forks_sonde)" "$(middle forks_plain)")" 1.25 x
verdict "runs with losses" $lost 0 ""
[ "$(grep -c 'true/[0-9]* exit_group' forks.txt)" -ge 2000 ] || verdict "ends of true seen" "$(grep -c 'true/[0-9]* exit_group' forks.txt)" 2000 ""

title "four dd's at once: none lost"
cat >four.sh <<'SH'
for i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=1 count=200k 2>/dev/null & done; wait
SH
"$SONDE" trace --stats -o four.txt sh four.sh 2>four.err
grep -E 'events|held' four.err
verdict "events lost" "$(grep -c 'events lost' four.txt || true)" 0 ""

title "a program that is not traced, while dd is"
for ((i = 0; i < n; i++)); do
	own alone "${work[@]}"
	"$SONDE" trace -o by.txt dd if=/dev/zero of=/dev/null bs=1 count=3000k 2>/dev/null & s=$!
	sleep 0.3
	own beside "${work[@]}"
	kill $s 2>/dev/null; wait $s 2>/dev/null || true
done
show alone alone; show beside alone
verdict "bystander" "$(ratio "$(middle beside)" "$(middle alone)")" 1.6 x
rm -f ./*.txt
