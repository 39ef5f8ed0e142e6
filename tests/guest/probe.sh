# SPDX-License-Identifier: GPL-2.0-or-later
# Kernel probes by source and by BTF, in the kernel and in modules.
# guest-debug
# guest-modules: openvswitch
# timeout: 300
clean() { "$SONDE" probe -q -d '*:*' 2>/dev/null || :; }
trap clean EXIT
trace_of() { # COMMAND: what the events of group probe say meanwhile
	echo 1 >/sys/kernel/tracing/events/probe/enable
	"$@" >/dev/null 2>&1 || :
	echo 0 >/sys/kernel/tracing/events/probe/enable
	cp /sys/kernel/tracing/trace "$T/out"; : >/sys/kernel/tracing/trace
}
run "$SONDE" probe -nv 'vfs_read:0 count'; ok; err_has 'would write to kprobe_events: p:probe/vfs_read _text\+[0-9]+ count=%dx:x64$'
[ -z "$(cat /sys/kernel/tracing/kprobe_events)" ] || fail "a dry run wrote"
run "$SONDE" probe --add 'vfs_read file:string'; exits 255; err_has 'file \(struct file\*\) is not a string'
run "$SONDE" probe --add 'do_unlinkat name->name:string'; ok; has 'sonde record -e probe:do_unlinkat -aR sleep 1'
touch here; trace_of rm here; has ' do_unlinkat: .* name="here"$'
run "$SONDE" probe -d do_unlinkat; ok
run "$SONDE" probe -V do_unlinkat:32; ok; has $'\tstruct dentry\\*\tdentry$'; has $'\tint\tdfd$'
run "$SONDE" probe -a 'do_unlinkat:32 dentry->d_iname:string'; ok
touch test; trace_of rm test; has ' do_unlinkat_L32: .* d_iname="test"$'
touch test; run "$SONDE" record -o rec.data -e probe:do_unlinkat -aR rm test; ok
run "$SONDE" script -i rec.data; ok; has 'd_iname="test"'
run "$SONDE" probe 'vfs_getname=getname_flags:72 pathname=result->name:string'; ok
trace_of cat /etc/hostname; has ' vfs_getname: .* pathname="/etc/hostname"$'
# the perf engine copies no memory: that probe gives it the paths; of two paths the probe must say which is which
run "$SONDE" trace --engine=perf -e openat,execve cat /etc/passwd; ok; err_has ' openat\(dfd: CWD, filename: "/etc/passwd", flags: RDONLY\) += 3'
err_has ' execve\(filename: "[^"]*/cat"'; err_has ' filename: "/etc/ld.so.cache"'
run "$SONDE" trace --engine=perf -e openat sh -c 'exit 5'; exits 5; err_has 'exited with 5'; err_hasnt exit_group
: >old; run "$SONDE" trace --engine=perf -e renameat2 mv old new; ok; err_has ' oldname: 0x[0-9a-f]+, newdfd: CWD, newname: 0x'
run "$SONDE" probe -l -v; ok
has '^  probe:vfs_getname +\(on getname_flags:72@fs/namei.c with pathname\)  hits: [1-9]'; has '^  probe:do_unlinkat_L32 +\(on do_unlinkat:32@fs/namei.c with d_iname\)  hits: 2$'
run "$SONDE" probe icmp_rcv:59; exits 255; err_has 'line 59 of icmp_rcv has no code'; err_has 'nearest lines that have some: 55 and 64'
run "$SONDE" probe icmp_rcv:64; ok
run "$SONDE" probe 'vfs_write%return $retval'; ok
trace_of sh -c 'echo hello >x'; has ' vfs_write__return: .* arg1=0x6$'
run "$SONDE" probe -s /mnt/debug/source -L do_unlinkat:30-33; ok; has '^ +32  .*inode = dentry->d_inode;$'
run "$SONDE" probe -d 'probe:*'; ok
run "$SONDE" probe 'vfs_getname=getname_flags:72 pathname=result->name:string filename'; ok
run "$SONDE" trace --engine=perf -e renameat2,openat mv new old; ok; err_has ' renameat2\(olddfd: CWD, oldname: "new", newdfd: CWD, newname: "old"'
err_has ' filename: "/etc/ld.so.cache"'
run "$SONDE" record -o tr.data -e 'raw_syscalls:*' -e probe:vfs_getname mv old new; ok
run "$SONDE" trace -i tr.data -e renameat2; ok; has ' oldname: "old", newdfd: CWD, newname: "new"'
run "$SONDE" probe -d 'probe:*'; ok
# a module by its file before it is loaded, by its name afterwards
ko=$(find /lib/modules -name openvswitch.ko | head -n 1)
run "$SONDE" probe -F -m "$ko"; ok; has '^ovs_dp_process_packet$'
run "$SONDE" probe -m "$ko" ovs_dp_process_packet; ok; has 'on ovs_dp_process_packet in openvswitch'
xz -k -c "$ko" >copy.ko.xz 2>/dev/null && { run "$SONDE" probe -F -m "$PWD/copy.ko.xz"; ok; has '^ovs_dp_process_packet$'; }
modprobe openvswitch
run "$SONDE" probe -m openvswitch -F; ok; has '^ovs_flow_tbl_lookup$'
run "$SONDE" probe -m openvswitch 'ovs_flow_tbl_lookup tbl'; ok # parameters from the module's BTF
run "$SONDE" probe -l; ok; has '^  probe:ovs_dp_process_packet \(on ovs_dp_process_packet in openvswitch\)'
run "$SONDE" probe -V ovs_dp_process_packet -m openvswitch; ok; has $'\tstruct sk_buff\\*\tskb$'
run "$SONDE" probe -m nosuchmodule x; exits 255; err_has "there is no module 'nosuchmodule'"
clean
# the same with no debug package
mkdir empty; mount --bind empty /usr/lib/debug/boot; trap 'umount /usr/lib/debug/boot; clean' EXIT
run "$SONDE" probe -V vfs_read; ok; has $'\tstruct file\\*\tfile$'; has $'\tsize_t\tcount$'
run "$SONDE" probe 'vfs_read count name=file->f_path.dentry->d_iname:string mode=file->f_mode'; ok
trace_of cat /etc/passwd; has ' vfs_read: .* count=0x[0-9a-f]+ name="passwd" mode=0x'
run "$SONDE" probe 'do_unlinkat name->name:string'; ok
touch here; trace_of rm here; has ' do_unlinkat: .* name="here"$'
run "$SONDE" probe vfs_read:3; exits 255; err_has 'no debug information for the running kernel'; err_has '^hint: '
