# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# What every command test has at hand. A test is one file in tests/{host,interop,guest,fuzz}: bash, run in
# an empty folder of its own with `set -eu -o pipefail`; it passes when it ends with 0. Lines on top may say
#   # needs: perf strace      (commands; absent: SKIP)
#   # as: nobody              (default: as the caller, root in CI)
#   # timeout: 60             (seconds; default 120; times $PATIENCE on a busy machine)
#   # guest-kernel: debug     (files of the guest's kernel, read here: $GUEST is where; kernel, debug or source)
#   # chroot: bullseye        (a small Debian of that name: $CHROOT is its archive; "bookworm libraries": with those of sonde)
#   # alone                   (not beside other tests: it measures, or changes something global)

# run CMD...: keeps standard output in $out, standard error in $err, the exit code in $code.
run() {
	code=0
	"$@" >"$T/out" 2>"$T/err" </dev/null || code=$?
	out=$(cat "$T/out"; echo x); out=${out%x}; out=${out%$'\n'}
	err=$(cat "$T/err"; echo x); err=${err%x}; err=${err%$'\n'}
}
# after CONDITION SIGNAL CMD...: like run, but once the condition holds CMD alone (not its children) gets the
# signal; at once when CMD has ended by itself. In the condition $pid is CMD's; `armed` holds when it catches SIGTERM (or the
# signal named). A busy machine only takes longer.
after() {
	local condition=$1 signal=$2 pid i; shift 2
	code=0; : >"$T/out"; : >"$T/err"
	env --default-signal=INT "$@" >"$T/out" 2>"$T/err" </dev/null & pid=$!
	for i in {1..1200} never; do
		! eval "$condition" || break
		! grep -qs '^State:.Z' "/proc/$pid/status" || break
		sleep 0.05
	done
	kill -"$signal" "$pid" || true
	[ "$i" != never ] || fail "never came true: $condition"
	wait "$pid" || code=$?
	out=$(cat "$T/out"); err=$(cat "$T/err")
}
# await CONDITION: until it holds, at most 60 s.
await() {
	for _ in {1..1200}; do eval "$1" && return; sleep 0.05; done
	fail "never came true: $1"
}
# ready PID: a sonde that root started has armed everything, since it has given up its rights (CAP_SYS_ADMIN).
ready() { local caps; caps=$(sed -n 's/^CapEff:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null); [ -n "$caps" ] && ! (( 0x$caps >> 21 & 1 )); }
# armed [SIGNAL]: $pid catches it, and is no longer the shell that was about to become it, which does as well.
armed() { local mask bit=$(($(kill -l "${1:-TERM}") - 1)); mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null); [ -n "$mask" ] && (( 0x$mask >> bit & 1 )) && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != bash ]; }
# ran PID: how long it has run in user space, its ended children included; hundredths of a second.
ran() { awk '{ print $14 + $16 }' "/proc/$1/stat"; }
# asleep PID: it is in its clock_nanosleep by now, not on the way there.
asleep() { grep -qs '^230 ' "/proc/$1/syscall"; }
# joined FILE...: the lines of a trace, those of a call that took long or was overtaken ("...", "[continued]", or as strace
# has it "<unfinished ...>", "<... resumed>") as one. On a busy machine that may be any call: lines are counted in this.
joined() {
	awk '
	function who() { return match($0, /^(\[pid +)?[0-9]+[\] ]/) ? substr($0, RSTART, RLENGTH) : "" }
	/ <unfinished \.\.\.>$/ { sub(/ <unfinished \.\.\.>$/, ""); begun[who()] = $0; next }
	match($0, /<\.\.\. [a-z0-9_]+ resumed>/) {
		rest = substr($0, RSTART + RLENGTH)
		w = who() in begun ? who() : ""
		if (w in begun) { print begun[w] rest; delete begun[w]; next }
	}
	/\) \.\.\.$/ { next }
	{ sub(/  \.\.\. \[continued\]: /, " "); print }' "$@"
}
# shorter FILE MS: the calls in a trace that took less. (On a busy machine any call may take long.)
shorter() { joined "$1" | sed -n 's/^[^(]*( *\([0-9.]*\) ms): \(.*\)/\1 \2/p' | awk -v ms="$2" '$1 < ms'; }
# told FILE PATTERN: the pattern fits a line of the trace, as it stands or joined.
told() { grep -Eq -- "$2" "$1" || joined "$1" | grep -E -- "$2" >/dev/null; }
skip() { echo "SKIP: $*"; exit 77; }
fail() {
	echo "FAIL: $*"
	echo "--- exit code: ${code-}"; echo "--- stdout:"; ends "$T/out"
	echo "--- stderr:"; ends "$T/err"
	exit 1
}
# ends FILE: the file when it is short, otherwise how it begins and how it ends.
ends() {
	[ -e "$1" ] || return 0
	[ "$(stat -c %s "$1")" -gt 3000 ] || { cat "$1"; return 0; }
	head -c 1000 "$1"; echo; echo "[...]"; tail -c 2000 "$1"
}
ok() { [ "$code" -eq 0 ] || fail "exit code $code, wanted 0"; }
exits() { [ "$code" -eq "$1" ] || fail "exit code $code, wanted $1"; }
# has / hasnt / err_has: extended regular expressions, line by line (of a trace also as joined).
has() { told "$T/out" "$1" || fail "stdout lacks: $1"; }
hasnt() { ! grep -Eq -- "$1" "$T/out" || fail "stdout has: $1"; }
err_has() { told "$T/err" "$1" || fail "stderr lacks: $1"; }
err_hasnt() { ! grep -Eq -- "$1" "$T/err" || fail "stderr has: $1"; }
same() { [ "$1" = "$2" ] || { printf -- '--- got\n%s\n--- wanted\n%s\n' "$1" "$2"; fail "${3-they differ}"; }; }
# trace_cmd: $TRACE_CMD is Debian's trace-cmd, with its plugins (fetched once, not installed: perf would take them); none: SKIP.
trace_cmd() {
	local dir
	dir=$("$TOP/tests/interop/fetch-trace-cmd" 2>"$T/err") || skip "$(sed -n 's/^SKIP: //p' "$T/err")"
	TRACE_CMD=$dir/trace-cmd
}
# perf612: $PERF612 is perf 6.12 (of bookworm-backports, fetched once), $PERF612_MAN the folder of its man pages; none: SKIP.
perf612() {
	local dir
	dir=$("$TOP/tests/interop/fetch-perf612" 2>"$T/err") || skip "$(sed -n 's/^SKIP: //p' "$T/err")"
	PERF612=$dir/perf PERF612_MAN=$dir/usr/share/man/man1
}
# ended_alike WANT GOT: perf 6.12 forgets the name of a thread when it ends and shows :TID in what comes from it after that;
# in such lines neither file has the name any more.
ended_alike() {
	awk 'NR == FNR { if (match($0, /^ *:[0-9]+ +/)) $0 = rest[FNR] = substr($0, RSTART + RLENGTH); print >(ARGV[1] ".alike"); next }
		FNR in rest && length($0) > length(rest[FNR]) { $0 = substr($0, length($0) - length(rest[FNR]) + 1) }
		{ print >(ARGV[2] ".alike") }' "$1" "$2"
	local f; for f in "$1" "$2"; do [ ! -e "$f.alike" ] || mv "$f.alike" "$f"; done
}
as_nobody() { runuser -u nobody -- "$@"; }
# own_instance: makes the tracefs instance $inst for probes of the group $g; both are gone when the test ends.
own_instance() { trap drop_instance EXIT; mkdir "$inst"; }
drop_instance() {
	[ -d "$inst" ] && { echo 0 >"$inst/events/$g/enable" || :; } 2>/dev/null
	"$SONDE" probe -q -d "$g:*" 2>/dev/null || :
	[ -d "$inst" ] && rmdir "$inst"
	:
}
# fuzz TARGET RUNS [OPTION...]: the target's seeds, then RUNS mutations of them from a fixed seed, so that two
# runs of the same tree try the same inputs (make soak is the one that explores).
fuzz() {
	local program target=$1 runs=$2 seeds; shift 2
	program=$("$TOP/tests/fuzz/build" "$target" 2>"$T/err") || { code=$?; [ $code -eq 77 ] && skip "$(sed -n 's/^SKIP: //p' "$T/err")"; fail "the target does not build"; }
	seeds=("$TOP/tests/fuzz/corpus/$target"/*)
	run timeout 300 "$TOP/$program" -timeout=60 -rss_limit_mb=2048 "${seeds[@]}"; ok
	mkdir found
	run timeout 300 "$TOP/$program" -runs="$runs" -timeout=60 -rss_limit_mb=2048 -seed=1 -verbosity=0 "$@" found "$TOP/tests/fuzz/corpus/$target"; ok
}
