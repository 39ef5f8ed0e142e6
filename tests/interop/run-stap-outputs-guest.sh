# SPDX-License-Identifier: GPL-2.0-or-later
# needs: qemu-system-x86_64 curl
# fetch: interop/fetch-stap-examples
# timeout: 1500
# The examples of systemtap-doc that need functions of the kernel give what their descriptions promise, in the guest.
# shellcheck disable=SC2016
dir=$("$TOP/tests/interop/fetch-stap-examples") || exit $?
cat >job <<'J'
PATIENCE=${PATIENCE:-1}
dir=/tmp/examples
. "$TOP/tests/stap-examples.sh"
at_once=1 most=120
busy_begin
t=6
ip link set lo up 2>/dev/null || busybox ifconfig lo 127.0.0.1 up
ext=$(stat -c %d /tmp); inode=$(stat -c %i napper)
watched general/callgraph.stp "'kernel.function(\"vfs_open\")' -c 'cat /proc/sys/vm/swappiness'" '^ +[0-9]+ cat\([0-9]+\): *->vfs_open$' '^ +[0-9]+ cat\([0-9]+\): *<-vfs_open$'
watched general/cpu_throttle.stp "-T $t" '^cpu_throttle_time\{cpu="0"\} [0-9]+$'
watched general/measureinterval.stp "'gettimeofday_us()' 'tid()' @sum vm.pagefault vm.pagefault.return 'execname()' -T $t" '=busybody$' '^[1-9][0-9]*$'
watched interrupt/scf.stp "-T $t" '^Starting probe'
watched io/inodewatch.stp "$((ext >> 8)) $((ext & 255)) $inode -T $t -c \"sh -c 'for i in 1 2 3; do cat $here/napper >/dev/null; done'\"" "^cat\\([0-9]+\\) vfs_read 0x[0-9a-f]+/$inode"
watched io/ioblktime.stp "-T $t" '^ +device +rw +total'
watched io/iodevstats.stp "-T $t" '^ +name +device +read' '^ +busybody +[0-9]+, +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[1-9][0-9]* +[0-9]+ +4096$'
watched io/iotop.stp "-T $t" '^ +Process.*KB Read.*KB Written$' '^ +busybody'$'\t'' +[0-9]+'$'\t'' +[1-9]'
watched io/slowvfs.stp "-G sloth=1 -T $t" '^busybody\[[0-9]+\] [1-9][0-9]* '
watched io/traceio.stp "-T $t" '^ +[0-9]+ +busybody r: +[0-9]+ +[KMG ]i?B w: +[1-9][0-9]* +[KMG ]i?B'
watched io/traceio2.stp "0x$(printf '%x' "$ext") -T $t" '^(busybody|napper)\([0-9]+\) vfs_(read|write) 0x'
watched memory/hw_watch_sym.stp "jiffies -T $t" '^jiffies value is accessed$' '^ 0x[0-9a-f]+ : [a-z_]+'
watched memory/pfaults.stp "-T $t" '^[0-9]+:[0-9]+:[0-9]+d?:[rw]:(minor|major):[0-9]+$'
watched network/tcp_connections.stp "-T $t" '^ +UID +CMD +PID +PORT +IP_SOURCE' '^ +0 +busybody +[0-9]+ +[0-9]+ +127\.0\.0\.1$'
watched network/tcpdumplike.stp "-T $t" '^ +127\.0\.0\.1 +127\.0\.0\.1 +[0-9]+ +[0-9]+ +0 +0 +0 +0 +1 +0' '^ +127\.0\.0\.1 +127\.0\.0\.1 +[0-9]+ +[0-9]+ +0 +1 +1 +0 +0 +0'
watched network/netfilter_summary.stp "-T $t" '^ +127\.0\.0\.1 --> +127\.0\.0\.1 : [1-9][0-9]* packets, [1-9][0-9]* total bytes'
watched network/netdev.stp "-c 'sh -c \"busybox ifconfig lo mtu 60000; busybox ifconfig lo\"'" '^Netdev ioctl raised with param: [1-9][0-9]* and arg: lo'
watched process/procmod_watcher.stp "-T $t" 'Started procmod_watcher on' 'EXEC: \( *[0-9]+\) [a-z]+: file .*napper' 'EXIT|exit'
watched process/sleepingBeauties.stp "-T $t" '^thread [0-9]+ \([^)]+\) (bored for|impatient after) [1-9][0-9]* ' '[a-z_0-9]+\+(0x)?[0-9a-f]+'
watched profiling/syscallsrw.stp "-T $t" '^count\{syscall="ksys_read"\} [1-9]' '^count\{syscall="ksys_write"\} [1-9]'
watched profiling/timeout.stp "-T $t" '^ +pid \| +poll +select' '^ *[0-9]+ \|.*[1-9].*\| [^ ]'
all_watched
busy_end
exit $((lacking > 0))
J
run timeout -k 5 $((1400 * PATIENCE)) "$TOP/tests/guest/shell" -f /tmp/examples="$dir" -f "$TOP/tests/stap-examples.sh" -t $((1350 * PATIENCE)) "$(cat job)"
[ "$code" != 77 ] || skip "no guest: $err"
ok; has '^2[0-9] scripts watched, 0 lack something$'
