# SPDX-License-Identifier: GPL-2.0-or-later
# bench/lib.sh: medians, ratios and verdicts come out right for known sleeps.
cat >b.sh <<'END'
title "sleeps"
cmd short sleep 0.02
cmd long sleep 1
cmd broken false
rounds 3
bar long 300
bar long 1.1
bar broken 9
verdict figure 5 6 MB
END
run bash -c 'set -u -o pipefail; . "$TOP/bench/lib.sh"; . ./b.sh; echo "missed=$missed"; exit $missed'
exits 2
has '^## sleeps'; has '^  short +[0-9.]+ +[0-9.]+ +1\.00 +1\.00$'; has 'broken ended with 1'
has 'bar met: +long against short, medians: [0-9.]+x \(at most 300x\)'
has 'bar MISSED: long against short'; has 'bar MISSED: broken against short: a command failed'
has 'bar met: +figure: 5MB'
