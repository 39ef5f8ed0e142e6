# SPDX-License-Identifier: GPL-2.0-or-later
# Lines and variables of the kernel from its debug information, in scripts.
# guest-debug
# timeout: 400
touch the-file
line=$(grep -n '^int do_unlinkat' /mnt/debug/source/fs/namei.c | cut -d: -f1)
[ -n "$line" ] || fail "where do_unlinkat begins"
# A line counted from the function's first, as sonde probe has it, with a local variable that lives there; the same by file. Where a
# function begins its parameters are variables, too, and there are those of the whole kernel. What is inlined wherever it is called has no symbol.
run timeout -s KILL 300 "$SONDE" run -q -o seen -c 'rm the-file' -e "kprobe:do_unlinkat:32 /pid == cpid/ { printf(\"%s %s %s %d\\n\", probe, func, str(\$dentry->d_iname), \$dfd); @a = count() }
	kprobe:fs/namei.c:$((line + 32))/pid == cpid/ { printf(\"file %s\\n\", str(args.dentry->d_name.name)) } kprobe:do_unlinkat@fs/namei.c:32 /pid == cpid/ { @c = count() }
	kprobe:do_unlinkat /pid == cpid/ { printf(\"entry %s %d\\n\", str(\$name->name), args.dfd); @hard = \$sysctl_protected_hardlinks; @soft = \$sysctl_protected_symlinks }
	kprobe:file_ppos { @[func != \"\"] = count() }"; ok; cat seen >>"$T/out"
has '^kprobe:do_unlinkat:32 do_unlinkat the-file -100$'; has '^file the-file$'; has '^@a: 1$'; has '^@c: 1$'; has '^entry the-file -100$'
has "^@hard: $(cat /proc/sys/fs/protected_hardlinks)\$"; has "^@soft: $(cat /proc/sys/fs/protected_symlinks)\$"; has '^@\[.*\]: [1-9]'
refused() { local want=$1; shift; run timeout -s KILL 200 "$SONDE" run "$@"; exits 255; err_has "$want"; }
refused 'line 59 of icmp_rcv has no code' --dry-run -e 'kprobe:icmp_rcv:59 { }'; err_has 'nearest lines that have some'
refused 'dentyr' --dry-run -e 'kprobe:do_unlinkat:32 { print($dentyr) }'
refused 'variables of the kernel are not saved' --save kept -e 'kprobe:do_unlinkat:32 { print($dfd) }'; [ ! -e kept ] || fail "a file is left"
# SystemTap's: a line by file and function, copies of an inlined function, all functions of a file
touch the-file
cat >source.stp <<S
probe kernel.statement("do_unlinkat@fs/namei.c:$((line + 32))") { if (pid() == target()) printf("line %s %d\n", kernel_string(\$dentry->d_iname), \$dfd) }
probe kernel.statement("do_unlinkat@fs/namei.c+32") { if (pid() == target()) println("relative") }
probe kernel.function("file_ppos").inline { if (pid() == target()) println("inlined in ", probefunc()) }
probe kernel.function("*@fs/unlinked.c").call ?, kernel.function("*@fs/stat*.c").call { if (pid() == target()) println("call ", probefunc()) }
probe kernel.function("*@fs/stat.c").return { if (pid() == target()) println("return ", probefunc()) }
S
run timeout -s KILL 300 "$SONDE" run -o seen -c "rm the-file $T/none" source.stp; cat seen >>"$T/out"; has '^line the-file -100$'; has '^relative$'; has '^inlined in file_ppos$'; has '^call vfs_fstatat'; has '^return vfs_fstatat'
refused 'is no place in do_mkdirat' -p3 -e "probe kernel.statement(\"do_mkdirat@fs/namei.c:$((line + 32))\") { }"
