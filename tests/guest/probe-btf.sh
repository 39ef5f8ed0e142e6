# SPDX-License-Identifier: GPL-2.0-or-later
# Without any debug package: functions and parameters of the kernel and of modules from symbols and BTF.
# guest-modules: openvswitch
# timeout: 200
hidden=
clean() { "$SONDE" probe -q -d '*:*' 2>/dev/null || :; [ -z "$hidden" ] || umount /usr/lib/debug/boot; }
trap clean EXIT
mkdir empty; [ ! -d /usr/lib/debug/boot ] || { mount --bind empty /usr/lib/debug/boot; hidden=1; } # other tests have it
ko=$(find /lib/modules -name openvswitch.ko | head -n 1)
name=openvswitch
grep -q '^openvswitch ' /proc/modules && { rmmod openvswitch || skip "openvswitch is in use"; }

# not loaded: its file knows its functions and their parameters
run "$SONDE" probe -m $name -F; ok; has '^ovs_flow_tbl_lookup$'; hasnt '^vfs_read$'
run "$SONDE" probe -m $name -V ovs_flow_tbl_lookup; ok; has $'\tstruct flow_table\\*\ttbl$'; has $'\tstruct sw_flow_key\\*\tkey$'
run "$SONDE" probe -m $name 'ovs_flow_tbl_lookup $params'; ok; has 'sonde record -e probe:ovs_flow_tbl_lookup -aR'
grep -q '^p:probe/ovs_flow_tbl_lookup openvswitch:ovs_flow_tbl_lookup.* tbl=%di:x64 key=%si:x64$' /sys/kernel/tracing/kprobe_events || fail "another definition"
cp "$ko" other-name.ko # the kernel will know it by the name that is inside
run "$SONDE" probe -m "$PWD/other-name.ko" -D 'ovs_dp_upcall $params'; ok; has '^p:probe/ovs_dp_upcall openvswitch:ovs_dp_upcall\+0 dp=%di:x64 skb=%si:x64 key=%dx:x64 upcall_info=%cx:x64 cutlen=%r8:[xu]32$'
run "$SONDE" stat -e probe:ovs_flow_tbl_lookup true; ok; err_has ' 0 +probe:ovs_flow_tbl_lookup'
run "$SONDE" probe -l; ok; has '^  probe:ovs_flow_tbl_lookup \(on ovs_flow_tbl_lookup in openvswitch with tbl key\)$'

# it is loaded while the probe waits for it: the probe fires
run "$SONDE" probe -m $name 'ovs_init_net=ovs_init_net net'; ok
run "$SONDE" probe 'vfs_read count'; ok
run "$SONDE" stat -e probe:ovs_init_net -e probe:vfs_read modprobe openvswitch; ok; err_has ' [1-9][0-9]* +probe:ovs_init_net'; err_has ' [1-9][0-9]* +probe:vfs_read'
run "$SONDE" probe -l -v; ok; has '^  probe:ovs_init_net +\(on ovs_init_net in openvswitch with net\)  hits: [1-9]'

# loaded: the same, and its members; then with no file of it left
run "$SONDE" probe -m $name -F; ok; has '^ovs_flow_tbl_lookup$'; hasnt '^vfs_read$'
cp "$T/out" functions
run "$SONDE" probe -m $name -D 'ovs_dp_upcall port=upcall_info->portid dp->user_features'; ok; has ' port=\+[0-9]+\(%cx\):[xu]32 user_features=\+[0-9]+\(%di\):[xu]32$'
mv "$ko" "$T/away.ko"
put_back() { mv "$T/away.ko" "$ko"; clean; }
trap put_back EXIT
run "$SONDE" probe -m $name -F; ok; has '^ovs_flow_tbl_lookup$'; hasnt '^vfs_read$'
run "$SONDE" probe -m $name -V ovs_flow_tbl_lookup; ok; has $'\tstruct flow_table\\*\ttbl$'
run "$SONDE" probe -m $name 'up=ovs_dp_upcall port=upcall_info->portid dp->user_features'; ok
run "$SONDE" probe -m $name ovs_flow_tbl_lookup:3; exits 255; err_has 'no debug information for openvswitch'; err_has '^hint: '
run "$SONDE" probe -d 'probe:*'; ok; err_hasnt .
[ -z "$(cat /sys/kernel/tracing/kprobe_events)" ] || fail "something was left"
run "$SONDE" probe -V vfs_read; ok; has $'\tstruct file\\*\tfile$'; has $'\tchar\\*\tbuf$'; has $'\tsize_t\tcount$'; has $'\tloff_t\\*\tpos$'
rmmod openvswitch
run "$SONDE" probe -m $name ovs_dp_upcall; exits 255; err_has "cannot open '/lib/modules/.*openvswitch.ko'"
