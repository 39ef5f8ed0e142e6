# SPDX-License-Identifier: GPL-2.0-or-later
# Probes in a library, recorded: the lines that `sonde probe` tells its user to type.
# needs: perf
# alone
perf612
[ "$(id -u)" -eq 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
libc=$(ldconfig -p | sed -n 's/.*libc\.so\.6 (libc6,x86-64.*=> //p' | head -n 1)
g=spm$$
"$SONDE" probe -q -x "$libc" "$g:malloc=malloc"
trap '"$SONDE" probe -q -d "$g:malloc"' EXIT
run "$SONDE" record -e $g:malloc -aR sleep 0.2; ok
run "$SONDE" script; ok; has "^ *sleep +[0-9]+ .*$g:malloc: \([0-9a-f]+\)\$"
same "$out" "$("$PERF612" script 2>/dev/null)" "perf prints the probes otherwise"
run "$SONDE" record -e "$g:*" -g dwarf,1024 sleep 0.2; ok
run "$SONDE" script; ok; has 'setlocale'
run "$SONDE" record -e $g:malloc -o p.data -p $$ sleep 0.1; ok
