# SPDX-License-Identifier: GPL-2.0-or-later
# Every kind of argument, as the kernel fetches it in a kernel probe.
# guest-debug
# guest-modules: openvswitch
# timeout: 150
trap '"$SONDE" probe -q -d "spk:*" 2>/dev/null || :' EXIT
on=/sys/kernel/tracing/events/spk/enable
run "$SONDE" probe 'spk:a=do_filp_open $comm $stack st=$stack0:symbol $arg1:s32 jif=@jiffies:u64 same=@jiffies_64+0:u64 sym=+0(%sp):symbol low=%di:b4@0/32 first=+0(+0($arg2)):u8[4] path=+0(+0($arg2)):string five=\5 ip=%ip:symbol'
ok
run "$SONDE" probe 'spk:g=do_filp_open path=+0(+0($arg2)):string str=+0(%sp):symstr'; ok # last: 6.1 forgets to end it
run "$SONDE" probe 'spk:b=do_sys_openat2 dfd filename:ustring byhand=+u0(%si):ustring how->flags bits=how->flags:b4@12/32'; ok
run "$SONDE" probe 'spk:c=do_sys_openat2%return $retval:s32 $comm'; ok
run "$SONDE" probe 'spk:d=wake_up_new_task p->comm:string c=p->comm:x8[3] p->pid in_execve=p->in_execve prio=p->prio:u16'; ok
run "$SONDE" probe 'spk:e=vfs_read name=file->f_path.dentry->d_iname:string file->f_op:symbol count:s32'; ok
echo 1 >$on; cat /etc/passwd >/dev/null; echo 0 >$on
grep -v -e '\.so' -e locale /sys/kernel/tracing/trace >"$T/out"
has ' a: .* arg1="cat" arg2=0xff[0-9a-f]+ st=do_sys_openat2\+0x[0-9a-f]+/0x[0-9a-f]+ arg4=-100 jif=[0-9]+ same=[0-9]+ sym=do_sys_openat2\+0x[0-9a-f/x]+ low=12 first=\{47,101,116,99\} path="/etc/passwd" five=0x5 ip=do_filp_open\+0x'
has ' g: .* path="/etc/passwd" str="do_sys_openat2\+0x[0-9a-f/x]+"$'
has ' b: .* dfd=-100 filename_ustring="/etc/passwd" byhand="/etc/passwd" flags=0x8000 bits=8$'
has ' c: .* <- do_sys_openat2\) arg1=3 arg2="cat"$'
has ' d: .* comm="[^"]+" c=\{0x[0-9a-f]+,0x[0-9a-f]+,0x[0-9a-f]+\} pid=[0-9]+ in_execve=0 prio=120$'
has ' e: .* name="passwd" f_op=[a-z0-9_]+_operations'
run "$SONDE" probe 'spk:f=do_sys_open $arg2'; exits 255; err_has 'known only on a function.s first instruction'
# recorded and read by us, a negative char or short keeps its sign
run "$SONDE" probe 'spk:h=do_filp_open s8=$arg1:s8 s16=$arg1:s16 u8=$arg1:u8 two=+0(+0($arg2)):s16[2]'; ok
run "$SONDE" record -q -o h.data -e spk:h cat /etc/passwd; ok
run "$SONDE" script -i h.data; ok; has ' s8=-100 s16=-100 u8=156 two=\{25903,25460\}'
run "$SONDE" trace --no-syscalls --event spk:h -o h.txt cat /etc/passwd; ok; cp h.txt "$T/out"; has ' s8=-100 s16=-100 u8=156 two=\{25903,25460\}'
# a breakpoint on the kernel's own code counts what a probe counts
run "$SONDE" stat -x, -e mem:vfs_read:x,spk:e cat /etc/passwd; ok
err_has '^[1-9][0-9]*,,mem:vfs_read:x'; same "$(sed -n 's/,,mem.*//p' "$T/err")" "$(sed -n 's/,,spk.*//p' "$T/err")" "hits of both"
run "$SONDE" probe -q -d 'spk:*'; ok
[ -z "$(cat /sys/kernel/tracing/kprobe_events)" ] || fail "left behind: $(cat /sys/kernel/tracing/kprobe_events)"
