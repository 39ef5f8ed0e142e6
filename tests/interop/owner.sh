# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# A recording of somebody else: refused to root too, as perf does, until -f says that it is meant.
[ "$(id -u)" -eq 0 ] || skip "only root can give a file away"
"$SONDE" record -q -o mine true 2>/dev/null
"$SONDE" trace record -o traced true 2>/dev/null
chown nobody mine traced
perf report -i mine --stdio >perf.out 2>&1 </dev/null && fail "perf reads it"
grep -q 'not owned by current user or root' perf.out
for cmd in report script buildid-list evlist "stat report" archive "buildid-cache -M"; do
	read -ra words <<<"$cmd"
	case $cmd in buildid-cache*) words+=(mine) ;; *) words+=(-i mine) ;; esac
	run "$SONDE" "${words[@]}"
	exits 255; err_has '^sonde: mine is not owned by the current user or root \(but by uid [0-9]+\)$'; err_has '^hint: .*-f'
done
run "$SONDE" report -f -i mine; ok; has 'true|Samples'
run "$SONDE" script -f -i mine; ok
run "$SONDE" buildid-list -f -i mine; ok
run "$SONDE" trace -i traced; exits 255; err_has 'not owned by the current user'
run "$SONDE" trace -f -i traced; ok; has 'exit_group'
run "$SONDE" report -i mine --force; ok
