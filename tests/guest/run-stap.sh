# SPDX-License-Identifier: GPL-2.0-or-later
# SystemTap's lines in a kernel that has kprobes: functions and their returns, variables, aliases; the lines that its documents have.
# timeout: 240
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
# the lines of the documents
run_stap -e 'probe kernel.function("do_unlinkat") { printf("%s \n", kernel_string($pathname))} '
exits 255; err_has "^sonde: -e:1:70: .*has no 'pathname'"; err_has '^hint: .*has: dfd, name$'
run_stap -c 'rm a.file' -e 'probe kernel.function("do_unlinkat") { printf("%s \n", kernel_string($name->name)); println($$parms); print_backtrace() }'
ok; has '^a\.file $'; has '^dfd=0x[0-9a-f]+ name=0x[0-9a-f]+$'; has '^ 0xf[0-9a-f]+ : do_unlinkat\+0x[0-9a-f]+/0x[0-9a-f]+ \[kernel\]$'
run_stap -L 'kernel.function("do_unlinkat")'
ok; same "$out" 'kernel.function("do_unlinkat") $dfd:int $name:struct filename*'
run_stap -L 'kernel.function("vfs_unlink").return'; ok; has '^kernel.function\("vfs_unlink"\).return \$return:long'
run_stap -e 'probe kernel.function("generic_make_request") { print_backtrace() }'
exits 255; err_has "^sonde: -e:1:7: there is no function 'generic_make_request'"; err_has '^hint: submit_bio_noacct has its place since Linux 5.9$'
run_stap -g -e 'probe kernel.function("devmem_is_allowed").return { $return = 1 }'
exits 255; err_has '^sonde: -e:1:53: this kernel was built without CONFIG_BPF_KPROBE_OVERRIDE'
run_stap -d xfs --all-modules -c true -e 'probe kernel.function("no_such_function") ?, kernel.function("vfs_open") { if (pid() == target()) { println("opened"); exit() } }'
ok; has '^opened$'
