# SPDX-License-Identifier: GPL-2.0-or-later
# The guest itself: Debian's kernel, root, what the host lacks, and an ordinary user.
run uname -r; ok; has '^6\.1\..*-cloud-amd64$'
[ "$(id -u)" = 0 ] || fail "not root"
run "$SONDE" --version; ok; has '^sonde [0-9]'
[ -e /sys/kernel/tracing/kprobe_events ] || fail "no kprobes"
[ -e /sys/kernel/btf/vmlinux ] || fail "no BTF"
run as_nobody id -un; ok; has '^nobody$'
run as_nobody ls /sys/kernel/tracing/events; [ "$code" -ne 0 ] || fail "nobody reads tracefs"
