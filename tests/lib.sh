# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# What every command test has at hand. A test is one file in tests/{host,interop,guest,fuzz}: bash, run in
# an empty folder of its own with `set -eu -o pipefail`; it passes when it ends with 0. Lines on top may say
#   # needs: perf strace      (commands; absent: SKIP)
#   # as: nobody              (default: as the caller, root in CI)
#   # timeout: 60             (seconds; default 60)
#   # guest-kernel: debug     (files of the guest's kernel, read here: $GUEST is where; kernel, debug or source)
#   # alone                   (not beside other tests: it measures, or changes something global)

# run CMD...: keeps standard output in $out, standard error in $err, the exit code in $code.
run() {
	code=0
	"$@" >"$T/out" 2>"$T/err" </dev/null || code=$?
	out=$(cat "$T/out"; echo x); out=${out%x}; out=${out%$'\n'}
	err=$(cat "$T/err"; echo x); err=${err%x}; err=${err%$'\n'}
}
# after CONDITION SIGNAL CMD...: like run, but once the condition holds CMD alone (not its children) gets the
# signal. In the condition $pid is CMD's; `armed` holds when it catches SIGTERM (or the signal named). A busy machine only takes longer.
after() {
	local condition=$1 signal=$2 pid; shift 2
	code=0; : >"$T/out"; : >"$T/err"
	env --default-signal=INT "$@" >"$T/out" 2>"$T/err" </dev/null & pid=$!
	for _ in {1..400}; do eval "$condition" && break; sleep 0.05; done
	kill -"$signal" "$pid" || true
	wait "$pid" || code=$?
	out=$(cat "$T/out"); err=$(cat "$T/err")
}
# await CONDITION: until it holds, at most 20 s.
await() {
	for _ in {1..400}; do eval "$1" && return; sleep 0.05; done
	fail "never came true: $1"
}
# ready PID: a sonde that root started has armed everything, since it has given up its rights (CAP_SYS_ADMIN).
ready() { local caps; caps=$(sed -n 's/^CapEff:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null); [ -n "$caps" ] && ! (( 0x$caps >> 21 & 1 )); }
# armed [SIGNAL]: $pid catches it, and is no longer the shell that was about to become it, which does as well.
armed() { local mask bit=$(($(kill -l "${1:-TERM}") - 1)); mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null); [ -n "$mask" ] && (( 0x$mask >> bit & 1 )) && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != bash ]; }
# joined FILE...: the lines of a trace, those of a call that took long or was overtaken ("...", "[continued]") as one.
joined() { sed -E '/\) \.\.\.$/d; s/  \.\.\. \[continued\]: / /' "$@"; }
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
# has / hasnt / err_has: extended regular expressions, line by line.
has() { grep -Eq -- "$1" "$T/out" || fail "stdout lacks: $1"; }
hasnt() { ! grep -Eq -- "$1" "$T/out" || fail "stdout has: $1"; }
err_has() { grep -Eq -- "$1" "$T/err" || fail "stderr lacks: $1"; }
err_hasnt() { ! grep -Eq -- "$1" "$T/err" || fail "stderr has: $1"; }
same() { [ "$1" = "$2" ] || { printf -- '--- got\n%s\n--- wanted\n%s\n' "$1" "$2"; fail "${3-they differ}"; }; }
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
