# SPDX-License-Identifier: GPL-2.0-or-later
# doctor as a rootless container's root: capabilities that do not count, and no tracefs.
run unshare --user --map-root-user --mount true
[ "$code" -eq 0 ] || skip "no user namespaces here"
run unshare --user --map-root-user --mount bash -c '"$SONDE" doctor'; ok
has '^user +root \(uid 0\), capabilities: .*, in a user namespace$'
has 'no   eBPF on typed tracepoints .*in a user namespace \(a rootless container\)'
has '^  \[[0-9]+\] run sonde outside of it, on the host, as root$'
# real root in a mount namespace of its own without tracefs: it is mounted there when needed, and not outside
run unshare --mount bash -c 'umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug 2>/dev/null; [ ! -e /sys/kernel/tracing/events ] || exit 9; "$SONDE" doctor && [ -e /sys/kernel/tracing/events ]'
[ "$code" -ne 9 ] || skip "tracefs cannot be taken away here"
ok; has 'yes  tracefs +/sys/kernel/tracing/'
# an ordinary user gets the command to mount it
run unshare --mount bash -c 'umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug 2>/dev/null; runuser -u nobody -- "$SONDE" doctor'; ok
has 'no   tracefs +not mounted at /sys/kernel/tracing \[[0-9]+\]'; has '\] sudo mount -t tracefs nodev /sys/kernel/tracing$'
# without /proc even
run unshare --mount bash -c 'mount -t tmpfs none /proc; "$SONDE" doctor'; ok; has '^abilities'
