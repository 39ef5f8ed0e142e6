# SPDX-License-Identifier: GPL-2.0-or-later
# Breakpoints count accesses to an address, exactly.
run "$SONDE" stat -x, -e mem:0x10000000/4:w:u,mem:0x10000000/4:rw:u "$PROG/fixed_writes"; ok
! grep -q '<not supported>' "$T/err" || skip "no breakpoints here"
err_has '^123,,mem:0x10000000/4:w:u,'; err_has '^168,,mem:0x10000000/4:rw:u,'
run "$SONDE" stat -e mem:nosuchsymbol:w true; exits 129; err_has 'neither an address nor a symbol'
run "$SONDE" stat -e mem:0x10/3:w true; exits 129; err_has '1, 2, 4 or 8'
# on the kernel's own code: counted, or told why not
run "$SONDE" stat -e mem:vfs_read:x cat /etc/passwd; ok
if [ -e /sys/kernel/tracing/kprobe_events ]; then err_has '^ +[1-9][0-9]* +mem:vfs_read:x'; else err_has 'without kernel probes \(CONFIG_KPROBES\) refuses'; fi
