# SPDX-License-Identifier: GPL-2.0-or-later
# doctor as root: one page, every "no" has a number and that number a remedy.
run "$SONDE" doctor; ok
has "^kernel +$(uname -r), $(uname -m), $(nproc) CPUs\$"
has '^user +root \(uid 0\), capabilities: '
has "^  kernel\.perf_event_paranoid +$(cat /proc/sys/kernel/perf_event_paranoid) "
has '^  lockdown '
has '^  yes  tracefs +/sys/kernel/tracing/, [0-9]+ events$'
has '^  yes  perf events, own programs'
[ "$(wc -l <"$T/out")" -lt 100 ] || fail "more than a page"
while read -r n; do
	grep -Eq "^  \[$n\] .+" "$T/out" || fail "no remedy [$n]"
done < <(sed -n 's/^.* no  .*\[\([0-9]*\)\]$/\1/p' "$T/out")
if grep -E '^(  |         )no  ' "$T/out" | grep -Evq '\[[0-9]+\]$'; then fail "a no without a remedy"; fi
# the probes leave nothing behind
! grep -q sonde-uprobe-test /sys/kernel/tracing/uprobe_events || fail "a probe stayed behind"

run "$SONDE" doctor extra; exits 129; err_has 'takes no argument'
run "$SONDE" doctor --jsn; exits 129
run "$SONDE" doctor -h; ok; has 'usage: sonde doctor'
# a full disk is not silent
if [ -w /dev/full ]; then run bash -c '"$SONDE" doctor >/dev/full'; exits 255; err_has 'No space left'; fi
