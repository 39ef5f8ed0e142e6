# SPDX-License-Identifier: GPL-2.0-or-later
# needs: busybox zstd
# chroot: bullseye
# The static sonde in a Debian older than the one it was built on: with that one's programs, libraries, names and users.
. "$TOP/tests/static-works.sh"
mkdir old; tar x -C old -f "$CHROOT"
put_in old
same "$(in_root old dpkg-query -W -f '${Version}' libc6 | cut -d. -f1,2 | cut -d- -f1)" 2.31 "the C library there"
engines=(ptrace)
for e in perf bpf; do "$SONDE" trace --engine $e -o /dev/null true 2>/dev/null && engines+=("$e"); done
traces_in old "${engines[@]}"
records_in old
g=static_old_$$; leave_no_probe $g
probes_in old $g
add_users old; finds_users old
# what runs there is linked with its own C library: a probe in it, samples with its names
libc=/lib/x86_64-linux-gnu/libc.so.6
run in_root old /sonde probe -q -x $libc -a "$g:getenv=getenv"; ok
run in_root old /sonde record -q -e "$g:getenv" -g -o /tmp/libc ls /; ok
run in_root old /sonde script -i /tmp/libc; ok; has "^ls .* $g:getenv: "; has ' getenv\+0x0 \((/usr)?/lib/x86_64-linux-gnu/libc-2.31.so\)$'
run in_root old /sonde probe -q -d "$g:*"; ok
run in_root old /sonde trace -e openat -o /tmp/ls ls /; ok; grep -q 'openat(.*"/lib/x86_64-linux-gnu/libc.so.6"' old/tmp/ls || fail "no library was opened"
run in_root old /sonde trace -u nobody -o /tmp/nobody id -un; ok; same "$out" nobody
run in_root old /sonde probe -x /bin/ls -a main:1; exits 255; err_has '^hint: .*coreutils-dbgsym'
run in_root old /sonde doctor; ok; has '^user +root \(uid 0\)'
