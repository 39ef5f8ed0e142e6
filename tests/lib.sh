# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# What every command test has at hand. A test is one file in tests/{host,interop,guest,fuzz}: bash, run in
# an empty folder of its own with `set -eu -o pipefail`; it passes when it ends with 0. Lines on top may say
#   # needs: perf strace      (commands; absent: SKIP)
#   # as: nobody              (default: as the caller, root in CI)
#   # timeout: 60             (seconds; default 60)
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
armed() { local mask bit=$(($(kill -l "${1:-TERM}") - 1)); mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null); [ -n "$mask" ] && (( 0x$mask >> bit & 1 )); }
skip() { echo "SKIP: $*"; exit 77; }
fail() {
	echo "FAIL: $*"
	echo "--- exit code: ${code-}"; echo "--- stdout:"; head -c 3000 "$T/out" 2>/dev/null
	echo "--- stderr:"; head -c 3000 "$T/err" 2>/dev/null
	exit 1
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
