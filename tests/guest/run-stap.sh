# SPDX-License-Identifier: GPL-2.0-or-later
# SystemTap's lines in a kernel that has kprobes: functions and their returns, variables, aliases; the lines that its documents have.
# timeout: 240
# guest-modules: dummy
echo text >a.file
run_stap() { run timeout -s KILL 60 "$SONDE" run "$@"; }

# a function, its parameters and what they lead to; its return, with what was there at the entry
run_stap -c 'head -n 5 a.file' -e 'probe kernel.function("vfs_read") { if (pid() == target()) printf("in %s %d %s\n", execname(), $count, kernel_string($file->f_path->dentry->d_name->name)) }
	probe kernel.function("vfs_read").return { if (pid() == target()) printf("out %d of %d %s %d\n", $return, $count, ppfunc(), gettimeofday_us() - @entry(gettimeofday_us()) >= 0) }'
ok; has '^in head [0-9]+ a\.file$'; has '^out 5 of [0-9]+ vfs_read 1$'; has '^text$'
same "$(grep -c '^in' "$T/out")" "$(grep -c '^out' "$T/out")"
# wildcards, aliases of the tapset, functions of the script that read memory
run_stap -c 'head -n 5 a.file' -e 'global c probe kernel.function("vfs_*").call { if (pid() == target()) c[ppfunc()]++ } function name_of:string(f:long) { return kernel_string(@cast(f, "struct file")->f_path->dentry->d_name->name) }
	probe vfs.read.return { if (pid() == target() && bytes_read) printf("%s %s %d\n", pathname, name_of(file), bytes_read) } probe end { printf("%d\n", c["vfs_read"] > 1) }'
ok; has '^a\.file a\.file 5$'; has '^1$'
# packets by their headers: netfilter's hooks, and what TCP is given
busybox ifconfig lo 127.0.0.1 up
printf 'busybox nc -l -p 4455 >/dev/null & until busybox nc 127.0.0.1 4455 </dev/null; do sleep 0.1; done 2>/dev/null; wait\n' >net.sh
run_stap -c 'bash net.sh' -e 'probe tcp.receive { if (dport == 4455) printf("tcp %s %s %d %d%d%d\n", saddr, daddr, protocol, syn, ack, fin) }
	probe netfilter.ip.local_out { if (dport == 4455) println("out ", execname(), " ", daddr) }
	probe netfilter.ipv4.pre_routing, netfilter.ipv4.local_in, netfilter.ipv4.post_routing { if (dport == 4455) println(hook, " ", saddr, " ", length >= 40) }'
ok; has '^tcp 127\.0\.0\.1 127\.0\.0\.1 6 100$'; has '^tcp .* 6 01[01]$'; has '^out busybox 127\.0\.0\.1$'; for hook in pre_routing local_in post_routing; do has "^$hook 127\\.0\\.0\\.1 1\$"; done
# the lines of the documents
run_stap -e 'probe kernel.function("do_unlinkat") { printf("%s \n", kernel_string($pathname))} '
exits 255; err_has "^sonde: -e:1:70: .*has no 'pathname'"; err_has '^hint: .*has: dfd, name$'
run_stap -c 'rm a.file' -e 'probe kernel.function("do_unlinkat") { printf("%s \n", kernel_string($name->name)); println($$parms); print_backtrace() }'
ok; has '^a\.file $'; has '^dfd=0x[0-9a-f]+ name=0x[0-9a-f]+$'; has '^ 0xf[0-9a-f]+ : do_unlinkat\+0x[0-9a-f]+/0x[0-9a-f]+ \[kernel\]$'
run_stap -L 'kernel.function("do_unlinkat")'
ok; has '^kernel\.function\("do_unlinkat(@fs/namei\.c:[0-9]+)?"\) \$dfd:int \$name:struct filename\*' # (the place: where another test has brought debug information)
run_stap -L 'kernel.function("vfs_unlink").return'; ok; has '^kernel.function\("vfs_unlink(@[^"]*)?"\).return \$return:(long|int)'
run_stap -e 'probe kernel.function("generic_make_request") { print_backtrace() }'
exits 255; err_has "^sonde: -e:1:7: there is no function 'generic_make_request'"; err_has '^hint: submit_bio_noacct has its place since Linux 5.9$'
run_stap -g -e 'probe kernel.function("devmem_is_allowed").return { $return = 1 }'
exits 255; err_has '^sonde: -e:1:53: this kernel was built without CONFIG_BPF_KPROBE_OVERRIDE'
run_stap -d xfs --all-modules -c true -e 'probe kernel.function("no_such_function") ?, kernel.function("vfs_open") { if (pid() == target()) { println("opened"); exit() } }'
ok; has '^opened$'
# what a function of type int gives back may be below zero; tables of open files; functions of the tapset that call each other
printf 'ulimit -n 20\nfor i in {1..30}; do exec {x}</dev/null; done 2>/dev/null\nsleep 0.1; sleep 0.1\n' >files.sh
run_stap -c 'bash files.sh' -e 'probe kernel.function("__alloc_fd@fs/file.c").return !, kernel.function("alloc_fd").return { if ($return < 0 && execname() == "bash") printf("%s %d %s\n", execname(), $return, errno_str(returnval())) }
	probe kernel.trace("sched_wakeup") { if (task_execname($p) == "bash" && task_open_file_handles($p) > 3) printf("limit %d\n", task_rlimit_nofile($p)) }'
ok; has '^bash -24 EMFILE$'; has '^limit 20$'
# watchpoints of the kernel's, by symbol and by address
for at in '"vm_dirty_ratio"' "0x$(awk '$3 == "vm_dirty_ratio" { print $1 }' /proc/kallsyms)"; do
	run_stap -c 'cat /proc/sys/vm/dirty_ratio' -e "probe kernel.data($at).rw { if (pid() == target()) { println(\"hit \", execname()); print_backtrace() } }"
	ok; has '^hit cat$'; has '^ 0xf[0-9a-f]+ : dirty_ratio_handler\+0x'
done
run_stap -e 'probe kernel.data("no_such_symbol").write { }'
exits 255; err_has "^sonde: -e:1:7: this kernel has no symbol 'no_such_symbol'"
# devices: addresses as text; a connection that nobody answers
printf 'modprobe dummy; busybox ifconfig dummy0 10.9.9.1 netmask 255.255.255.0 up; busybox ifconfig dummy0 mtu 1400; busybox ifconfig dummy0 down
	busybox ifconfig dummy0 hw ether 02:00:00:00:0a:07; busybox ifconfig dummy0 up\nfor i in 1 2 3 4 5; do [ -e sent ] || timeout 5 busybox nc 10.9.9.2 80; done' >dummy.sh
run_stap -c 'bash dummy.sh' -e 'probe netdev.change_mac { println(dev_name, " ", old_mac != new_mac, " ", new_mac) } probe netdev.change_mtu { println(old_mtu, " ", new_mtu) }
	probe netdev.ioctl { println("ioctl ", arg) }
	probe kernel.function("tcp_retransmit_skb") { println(format_ipaddr(__ip_sock_saddr($sk), __ip_sock_family($sk)), " ", format_ipaddr(__ip_sock_daddr($sk), __ip_sock_family($sk)),
		" ", __tcp_sock_dport($sk), " ", tcp_sockstate_str(tcp_ts_get_info_state($sk)), " ", tcp_get_info_rto($sk)); system("touch sent") }'
ok; has '^dummy0 1 02:00:00:00:0a:07$'; has '^1500 1400$'; has '^ioctl dummy0$'; has '^10\.9\.9\.1 10\.9\.9\.2 80 TCP_SYN_SENT 1000000$'
