# SPDX-License-Identifier: GPL-2.0-or-later
# The runner of these tests: what fails, and how often, is told, also of a test that ends without a word.
m=$PWD/tree; mkdir -p "$m/tests/host"
cp "$TOP/tests/run" "$TOP/tests/again" "$TOP/tests/lib.sh" "$m/tests/"
t() { cat >"$m/tests/host/$1.sh"; }
t good <<<'[ -d "$T" ]; sleep 1000 & echo $! >"$TOP/left"; mkdir in; [ "$(id -u)" != 0 ] || mount -t tmpfs none in'
t now-and-then <<<'echo >>"$TOP/turns"; [ $(($(wc -l <"$TOP/turns") % 2)) = 0 ] || fail "an odd turn"'
t silent <<<$'x=1\nfalse; echo never'
t absent <<<'# needs: no-such-program'
t stuck <<<$'# timeout: 1\nsleep 1000'
t beside <<<'# alone
[ "$(ls /proc/self/fd | wc -l)" = 4 ]' # 0, 1, 2 and the folder
run env -u TEST PATIENCE=1 JOBS=2 "$m/tests/again" -n 2 --stress; exits 1
has '^run 1 of 2: [0-9]+ s, 2 passed, 3 failed, 1 skipped: host/now-and-then.sh host/silent.sh host/stuck.sh$'
has '^run 2 of 2: [0-9]+ s, 3 passed, 2 failed, 1 skipped: host/silent.sh host/stuck.sh$'
has '^ +1 of 2  host/now-and-then.sh$'; has '^ +2 of 2  host/silent.sh$'; has '^2 runs, 2 with a failure$'
grep -q 'ended by line 2: false' "$m/build/again/1" || fail "it is not told where the silent one ended"
grep -q 'FAIL: not done after 1 s' "$m/build/again/1" || fail "it is not told that one hung"
same "$(tail -n 1 "$m/build/again/2")" '3 passed, 2 failed, 1 skipped'
# nothing is left of them
left=$(cat "$m/left"); await "! grep -qs '^State:[[:space:]]*[^Z[:space:]]' /proc/$left/status" # a dead one waits for the first process
! grep -q ' /tmp/sonde-check\.[^ ]*/host\.good' /proc/mounts || fail "a mount"
for p in $(pgrep -f '^sh -c while :; do :; done'); do ! grep -qsz "^T=$T\$" "/proc/$p/environ" || fail "a busy loop"; done # others have theirs
for i in {1..20}; do t "quick$i" <<<:; done
t slow <<<'sleep 1.1'
run env -u TEST "$m/tests/run"; exits 1; has '^slowest: host/(slow|stuck) [1-9][0-9]* s, host/.*'; same "$(tail -n 1 "$T/out")" '23 passed, 3 failed, 1 skipped'
run env -u TEST "$m/tests/again" -n 1 good; ok; has '^1 runs, 0 with a failure$'
run "$m/tests/again" -n x; exits 129; has 'tests/again \[-n N\]'
