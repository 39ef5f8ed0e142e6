# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 150
# The static sonde on Debian's kernel, in an empty root: its eBPF programs, recordings, probes in a program and in the kernel.
. "$TOP/tests/static-works.sh"
mkdir empty; put_in empty
traces_in empty bpf
records_in empty
g=static_guest_$$; leave_no_probe $g
probes_in empty $g
run in_root empty /sonde probe -q -a "$g:opened=do_sys_openat2 filename:ustring"; ok # its type is BTF's
run in_root empty /sonde record -q -e "$g:opened" -aR -o /tmp/opened /no_libs; exits 7
run in_root empty /sonde script -i /tmp/opened; ok; has "no_libs .* $g:opened: .*filename_ustring=\"/nothing/here\""
run in_root empty /sonde probe -q -d "$g:*"; ok
run in_root empty /sonde doctor; ok
