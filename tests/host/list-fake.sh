# SPDX-License-Identifier: GPL-2.0-or-later
# sonde list on a made-up machine with a PMU.
d=$PWD/k/sys/bus/event_source/devices
mkdir -p "$d/cpu/format" "$d/cpu/events" "$d/uncore_imc_0/events" k/sys/kernel/tracing/events k/proc
echo 4 >"$d/cpu/type"; echo config:0-7 >"$d/cpu/format/event"; echo config:23 >"$d/cpu/format/inv"
echo event=0x3c >"$d/cpu/events/cpu-cycles"
echo 20 >"$d/uncore_imc_0/type"; echo event=1 >"$d/uncore_imc_0/events/data_reads"
echo 6.1e-5 >"$d/uncore_imc_0/events/data_reads.scale"; echo MiB >"$d/uncore_imc_0/events/data_reads.unit"
printf '0 0 ok\n1 * ok\n' >k/perf_event_open
export SONDE_KERNEL_ROOT=$PWD/k
run "$SONDE" list pmu; ok
has '^  cpu/cpu-cycles/ +\[Kernel PMU event\] event=0x3c$'
has '^  cpu/event=0..0xff,inv/ +\[Raw event descriptor\]'
has '^  uncore_imc_0/data_reads/ .*unit MiB'
hasnt 'data_reads.scale'
run "$SONDE" list hw; ok
has '^  cpu-cycles OR cycles +\[Hardware event\] [^(]*$'
has '^  instructions .*\(not supported here\)$'
# the kernel's list may have an event twice when probes came and went while it was read
printf 'sched:one\nsched:two\nsched:one\n' >k/sys/kernel/tracing/available_events
run "$SONDE" list tracepoint; ok; same "$(grep -c 'sched:one ' "$T/out")" 1 "how often sched:one is listed"; has '^  sched:two '
