# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What every benchmark has at hand. A benchmark is one file bench/NAME.sh: bash, run by bench/run in an empty
# folder of its own, with $SONDE, $PROG, $TOP and $T (that folder). A machine's speed drifts, so only ratios
# within one run count: all commands take turns, round by round, and the first one is the measure.
#
#   title "dd under stat"
#   cmd untraced   dd if=/dev/zero of=/dev/null bs=1 count=500k
#   cmd perf       perf stat -e 'syscalls:sys_enter_*' dd ...
#   cmd sonde      "$SONDE" stat -e 'syscalls:sys_enter_*' dd ...
#   rounds 9                  # median, minimum and ratio of each
#   bar sonde 1.2             # sonde's median at most 1.2 times untraced's
#   bar sonde 1.0 perf        # ... at most perf's
#
# cmd takes a program and its words; for a pipeline: cmd NAME bash -c '...'. Output is thrown away
# (BENCH_KEEP=1 shows it), a command that fails is told.

declare -A bench_words bench_times bench_failed
bench_labels=()
missed=0

title() { echo; echo "## $*"; bench_labels=(); bench_words=(); bench_times=(); bench_failed=(); }
needs() { local n; for n; do command -v "$n" >/dev/null || { echo "SKIP: no $n here"; exit 77; }; done; }

cmd() { # LABEL WORD...
	local label=$1; shift
	bench_labels+=("$label")
	bench_words[$label]=$(printf '%q ' "$@")
}

micro() { # sets $now, in microseconds, without a process
	local t=$EPOCHREALTIME
	now=$((${t%[.,]*} * 1000000 + 10#${t#*[.,]}))
}

bench_once() { # LABEL
	local words start rc=0
	eval "words=(${bench_words[$1]})"
	micro; start=$now
	if [ -n "${BENCH_KEEP-}" ]; then "${words[@]}" </dev/null || rc=$?
	else "${words[@]}" >/dev/null 2>"$T/bench.err" </dev/null || rc=$?; fi
	micro
	bench_times[$1]+="$((now - start)) "
	if [ $rc -ne 0 ] && [ -z "${bench_failed[$1]-}" ]; then
		bench_failed[$1]=1
		echo "  $1 ended with $rc: $(tail -n 1 "$T/bench.err" 2>/dev/null)"
	fi
}

# One of a label's figures in microseconds.
median_us() { tr ' ' '\n' <<<"${bench_times[$1]}" | grep . | sort -n | awk '{ a[NR] = $1 } END { print NR % 2 ? a[(NR + 1) / 2] : int((a[NR / 2] + a[NR / 2 + 1]) / 2) }'; }
min_us() { tr ' ' '\n' <<<"${bench_times[$1]}" | grep . | sort -n | head -n 1; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'; }

rounds() { # N: every command N times, in turns, after one round that does not count
	local i label ref=${bench_labels[0]} n=${BENCH_ROUNDS:-$1}
	for label in "${bench_labels[@]}"; do bench_once "$label"; bench_times[$label]=; done
	for ((i = 0; i < n; i++)); do
		for label in "${bench_labels[@]}"; do bench_once "$label"; done
	done
	printf '  %-26s %12s %12s %10s %10s\n' "($n rounds, in turns)" 'median ms' 'min ms' 'x median' 'x min'
	for label in "${bench_labels[@]}"; do
		printf '  %-26s %12s %12s %10s %10s\n' "$label" \
			"$(ratio "$(median_us "$label")" 1000)" "$(ratio "$(min_us "$label")" 1000)" \
			"$(ratio "$(median_us "$label")" "$(median_us "$ref")")" "$(ratio "$(min_us "$label")" "$(min_us "$ref")")"
	done
}

# Processor time of the command and its children in milliseconds, the least of three runs: other work on the machine
# disturbs it less than the clock.
cpu_ms() {
	python3 -c 'import resource, subprocess, sys
best = 1e9
for _ in range(3):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
print("%.1f" % (1000 * best))' "$@"
}

bars=() # every verdict, for bars_table
verdict() { # WHAT FIGURE LIMIT [UNIT]: at most that
	if [ "$(awk -v a="$2" -v b="$3" 'BEGIN { print a <= b }')" = 1 ]; then echo "  bar met:    $1: $2${4-} (at most $3${4-})"; bars+=("met|$1|$2${4-}|$3${4-}")
	else echo "  bar MISSED: $1: $2${4-} (at most $3${4-})"; bars+=("MISSED|$1|$2${4-}|$3${4-}"); missed=$((missed + 1)); fi
}
bars_table() { # all bars of this file, once more, below each other
	local row mark what figure limit
	printf '  %-52s %12s %12s\n' work measured 'at most'
	for row in "${bars[@]}"; do
		IFS='|' read -r mark what figure limit <<<"$row"
		printf '  %-52s %12s %12s  %s\n' "$what" "$figure" "$limit" "$mark"
	done
}
bar() { # LABEL LIMIT [REFERENCE]: the median's ratio
	local ref=${3:-${bench_labels[0]}}
	if [ -n "${bench_failed[$1]-}${bench_failed[$ref]-}" ]; then
		echo "  bar MISSED: $1 against $ref: a command failed"; missed=$((missed + 1)); return
	fi
	verdict "$1 against $ref, medians" "$(ratio "$(median_us "$1")" "$(median_us "$ref")")" "$2" x
}
bar_ms() { verdict "$1, median" "$(ratio "$(median_us "$1")" 1000)" "$2" " ms"; } # LABEL MILLISECONDS

# peak_kb WORD...: the largest resident set of the command and its children, in kB.
peak_kb() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}
