# SPDX-License-Identifier: GPL-2.0-or-later
# needs: qemu-system-x86_64 curl
# timeout: 180
# fetch: interop/fetch-old-kernel
# What record does by BPF, on Linux 5.10.
old=$("$TOP/tests/interop/fetch-old-kernel" 2>&1) || { echo "$old"; exit 77; }
cat >job <<'J'
cd /tmp
uname -r
sonde record --off-cpu -o o.data sh -c 'sleep 0.5; exit 0' || echo FAILED
sonde script -i o.data --comms sleep -F comm,event,period | awk '/offcpu-time/ { n += $2 } END { if (n >= 500000000) print "slept" }'
sonde record --off-cpu -g -o g.data sleep 0.1; sonde script -i g.data -F event,ip,sym | grep -m 1 '__schedule$'
sonde record -a --off-cpu -o o.data sleep 0.2 && sonde script -i o.data -F comm,event | grep -m 1 'sleep.*offcpu-time'
f() { sonde record -e cpu-clock -c 500000 --filter "$1" -o f.data dd if=/dev/zero of=/dev/null bs=1 count=20k 2>&1 | sed -n 's/.*left out [0-9]* samples/left out/p'; }
f 'ip >= 0x8000000000000000'; sonde script -i f.data -F ip | grep -c '^ *ffffff'
f 'uid == 0, period > 1, cpu < 64, pid > 0, time > 0, id > 0' || echo FAILED
f 'uid == 77'
sonde record -e cpu-clock -d -W -c 500000 --filter 'weight == 0, mem_op != load, addr == 0' -o f.data dd if=/dev/zero of=/dev/null bs=1 count=20k || echo FAILED
J
SONDE_CACHE=$old run timeout -k 5 $((170 * ${PATIENCE:-1})) "$TOP/tests/guest/shell" -t $((160 * ${PATIENCE:-1})) "$(cat job)"
[ "$code" != 77 ] || skip "no guest: $err"
ok; has '^5\.10\.'; hasnt FAILED; has '^slept$'; has ' __schedule$'; has 'sleep.*offcpu-time'; has '^[1-9][0-9]*$'
same "$(grep -c 'left out' "$T/out")" 2 "filters"
