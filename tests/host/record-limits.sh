# SPDX-License-Identifier: GPL-2.0-or-later
# Rings that the limit on locked memory makes small are told, with the limit; rings of 512 KiB are not.
[ "$(id -u)" -eq 0 ] || skip "needs a user of its own, whose locked memory nobody else uses"
who=(setpriv --reuid $((50000 + $$ % 10000)) --regid 65534 --clear-groups prlimit "--memlock=$((300 * 1024))")
chmod 755 .
run "${who[@]}" "$SONDE" record -e cpu-clock:u -o - true; ok; err_hasnt 'the rings are'
# the first recorder holds what kernel.perf_event_mlock_kb allows a user: the second has only its own limit
"${who[@]}" "$SONDE" record -q -e cpu-clock:u -o - sleep 1000 >/dev/null 2>&1 & pid=$!
trap 'kill $pid 2>/dev/null || true' EXIT
await 'armed && grep -q perf_event "/proc/$pid/maps"'
run "${who[@]}" "$SONDE" record -e cpu-clock:u -o - true; ok
err_has '^sonde: the rings are (64|128|256) KiB each: the limit on locked memory allows no more$'
err_has '^hint: run as root for 8 MiB a CPU, or raise kernel.perf_event_mlock_kb \([0-9]+\) or ulimit -l \(300\)$'
run "${who[@]}" "$SONDE" record -q -e cpu-clock:u -o - true; ok; err_hasnt 'the rings are'
