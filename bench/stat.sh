# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
needs perf dd
# perf gets the two calls that dd makes, not all 350: its cost per call is the same, and closing the
# others would take 14 s a round (that cost is measured below, once).
title "dd under stat -e 'syscalls:sys_enter_*': at most perf's slow-down (dd's own CPU time)"
two=syscalls:sys_enter_read,syscalls:sys_enter_write
# user and system time of dd alone: a busy machine stretches the wall time of each at random
echo 'TIMEFORMAT="%U %S"; time dd if=/dev/zero of=/dev/null bs=1 count=500k 2>/dev/null' >dd.sh
dd_s() { "$@" bash dd.sh 2>&1 | awk 'NF == 2 && $1 + $2 > 0 { print $1 + $2; exit }'; }
middle() { sort -n "$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
n=${BENCH_ROUNDS:-11}
for ((i = 0; i < n; i++)); do
	dd_s env >>plain; dd_s perf stat -o /dev/null -e $two >>perf; dd_s "$SONDE" stat -o /dev/null -e 'syscalls:sys_enter_*' >>sonde
done
base=$(middle plain)
for w in plain perf sonde; do printf '  %-10s %8s s  %sx of untraced\n' $w "$(middle $w)" "$(ratio "$(middle $w)" "$base")"; done
verdict "sonde's slow-down (at most perf's)" "$(ratio "$(middle sonde)" "$base")" "$(ratio "$(middle perf)" "$base")" x

title "stat -e 'syscalls:*' -a true: under a second"
cmd sonde "$SONDE" stat -e 'syscalls:*' -a true
rounds 5
bar_ms sonde 1000
micro; from=$now
perf stat -e 'syscalls:*' -a true 2>/dev/null
micro; echo "  perf, once: $(((now - from) / 1000)) ms"

title "a bystander's dd while every call on the machine is counted (shown, no bar)"
for ((i = 0; i < 5; i++)); do
	dd_s env >>alone
	"$SONDE" stat -e 'syscalls:*' -a sleep 1.5 2>/dev/null & sleep 0.2
	dd_s env >>beside; wait
	perf stat -e syscalls:sys_enter_read,syscalls:sys_exit_read,syscalls:sys_enter_write,syscalls:sys_exit_write -a sleep 1.5 2>/dev/null & sleep 0.2
	dd_s env >>beside_perf; wait
done
printf '  alone %s s, beside sonde %sx, beside perf (4 events) %sx\n' "$(middle alone)" \
	"$(ratio "$(middle beside)" "$(middle alone)")" "$(ratio "$(middle beside_perf)" "$(middle alone)")"
