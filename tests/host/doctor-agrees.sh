# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 150
# What doctor says about each command holds on this kernel, for us and for an ordinary user.
. "$TOP/tests/doctor-agrees.sh"
agrees caller "$SONDE"
if [ "$(id -u)" = 0 ]; then
	agrees nobody as_nobody "$SONDE"
	# in a chroot no mount namespace can be made
	! unshare --mount true 2>/dev/null || agrees "root in a mount namespace without tracefs" unshare --mount bash -c 'umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug 2>/dev/null; exec "$0" "$@"' "$SONDE"
fi
