# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 500
# What doctor says about each command holds on Debian's kernel: for root, for an ordinary user, and once the remedies
# that it names are applied.
. "$TOP/tests/doctor-agrees.sh"
before=$(cat /proc/sys/kernel/perf_event_paranoid)
restore() { mount -o remount,mode=700,gid=0 /sys/kernel/tracing; sysctl -q -w kernel.perf_event_paranoid="$before"; }
trap restore EXIT # the tests after this one share the boot
agrees root "$SONDE"
run as_nobody "$SONDE" doctor; ok
cp "$SONDE" "$T/s"; chmod 755 "$T/s"; setcap "$(sed -n 's/^  \[[0-9]*\] .*sudo setcap \([^ ]*\) .*/\1/p' "$T/out" | head -n 1)" "$T/s"
sysctl -q -w kernel.perf_event_paranoid=2
agrees "nobody with capabilities, paranoid 2" as_nobody "$T/s"
mount -o remount,mode=750,gid=65534 /sys/kernel/tracing; sysctl -q -w kernel.perf_event_paranoid=-1
agrees "nobody, paranoid -1, tracefs readable" as_nobody "$SONDE"
