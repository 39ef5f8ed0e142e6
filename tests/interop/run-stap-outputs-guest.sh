# SPDX-License-Identifier: GPL-2.0-or-later
# needs: qemu-system-x86_64 curl
# fetch: interop/fetch-stap-examples
# timeout: 900
# The examples of systemtap-doc that need functions of the kernel give what their descriptions promise, in the guest.
# shellcheck disable=SC2016
dir=$("$TOP/tests/interop/fetch-stap-examples") || exit $?
cat >job <<'J'
PATIENCE=${PATIENCE:-1}
dir=/tmp/examples
. "$TOP/tests/stap-examples.sh"
busy_begin
t=8
ip link set lo up 2>/dev/null || busybox ifconfig lo 127.0.0.1 up
ext=$(stat -c %d /tmp); inode=$(stat -c %i napper)
watched general/callgraph.stp "'kernel.function(\"vfs_read\")' -c 'cat /proc/sys/vm/swappiness'" '^ +[0-9]+ cat\([0-9]+\): *->vfs_read file=0x[0-9a-f]+' '<-vfs_read return=0x3$'
watched general/cpu_throttle.stp "-T $t" '.*'
watched general/measureinterval.stp "'gettimeofday_us()' 'tid()' @sum vm.pagefault vm.pagefault.return 'execname()' -T $t" '=busybody$' '^[1-9][0-9]*$'
watched interrupt/scf.stp "-T $t" '^Starting probe'
watched io/disktop.stp "-T $t" '^ +UID +PID +PPID +CMD +DEVICE +T +BYTES' '^ +0 +[0-9]+ +[0-9]+ +busybody +[^ ]+ +W +[1-9]'
watched io/inodewatch.stp "$((ext >> 8)) $((ext & 255)) $inode -T $t -c \"sh -c 'for i in 1 2 3; do cat $here/napper >/dev/null; done'\"" "^cat\\([0-9]+\\) vfs_read 0x[0-9a-f]+/$inode"
watched io/ioblktime.stp "-T $t" '^ +device +rw +total'
watched io/iodevstats.stp "-T $t" '^starting probe' '^ +device +read'
watched io/iotop.stp "-T $t" '^ +Process'$'\t'' +KB Read'$'\t'' +KB Written' '^ +busybody'$'\t'' +[0-9]+'$'\t'' +[1-9]'
watched io/slowvfs.stp "-G sloth=1 -T $t" '^busybody\[[0-9]+\] [1-9][0-9]* '
watched io/traceio.stp "-T $t" '^ +[0-9]+ +busybody r: +[0-9]+ +[KMG ]i?B w: +[1-9][0-9]* +[KMG ]i?B'
watched io/traceio2.stp "0x$(printf '%x' "$ext") -T $t" '^(busybody|napper)\([0-9]+\) vfs_(read|write) 0x'
watched memory/hw_watch_sym.stp "jiffies -T $t" '^jiffies value is accessed$' '^ 0x[0-9a-f]+ : [a-z_]+'
watched memory/pfaults.stp "-T $t" '^[0-9]+:[0-9]+:[0-9]+d?:.*:(minor|major|r|w).*:[0-9]+$'
watched network/socket-trace.stp "-T $t" 'busybody\([0-9]+\): *-> [a-z_]*sock' 'busybody\([0-9]+\): *<- [a-z_]*sock'
watched network/tcp_connections.stp "-T $t" '^ +UID +CMD +PID +PORT +IP_SOURCE' '^ +0 +busybody +[0-9]+ +[0-9]+ +127\.0\.0\.1$'
watched network/tcpdumplike.stp "-T $t" '^ +127\.0\.0\.1 +127\.0\.0\.1 +[0-9]+ +[0-9]+ +0 +0 +0 +0 +1 +0' '^ +127\.0\.0\.1 +127\.0\.0\.1 +[0-9]+ +[0-9]+ +0 +1 +1 +0 +0 +0'
watched network/netfilter_summary.stp "-T $t" '^ +127\.0\.0\.1 --> +127\.0\.0\.1 : [1-9][0-9]* packets, [1-9][0-9]* total bytes'
watched network/netdev.stp "-c 'sh -c \"busybox ifconfig lo mtu 60000; busybox ifconfig lo\"'" '^Netdev ioctl raised with param: [1-9][0-9]* and arg: lo'
watched process/procmod_watcher.stp "-T $t" 'Started procmod_watcher on' 'EXEC: \( *[0-9]+\) [a-z]+: file .*napper' 'EXIT|exit'
watched process/rlimit_nofile.stp "-T $t" '.*'
watched process/sleepingBeauties.stp "-T $t" '^thread [0-9]+ \([^)]+\) bored for [1-9][0-9]* |^Control-C|.*'
watched profiling/fntimes.stp "'kernel.function(\"vfs_read\")' -T $t" '.*'
watched profiling/functioncallcount.stp "'*@fs/read_write.c' -T $t" '.*'
watched profiling/syscallsrw.stp "-T $t" '^count\{syscall="ksys_read"\} [1-9]' '^count\{syscall="ksys_write"\} [1-9]'
watched profiling/timeout.stp "-T $t" '^ +pid \| +poll +select' '^ *[0-9]+ \|.*\| busybody'
all_watched
cat results/*callgraph*out | head -3; for f in functioncallcount fntimes sleeping rlimit cpu_throttle scf ioblktime iodevstats pfaults; do echo "== $f"; head -n 6 results/*$f*.out; head -n 3 results/*$f*.err; done
busy_end
exit $((lacking > 0))
J
run timeout -k 5 $((850 * PATIENCE)) "$TOP/tests/guest/shell" -f /tmp/examples="$dir" -f "$TOP/tests/stap-examples.sh" -t $((800 * PATIENCE)) "$(cat job)"
[ "$code" != 77 ] || skip "no guest: $err"
ok; has '^2[0-9] scripts watched, 0 lack something$'
