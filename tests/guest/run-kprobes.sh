# SPDX-License-Identifier: GPL-2.0-or-later
# Probes of sonde run in the kernel: functions, their returns, by name, wildcard, offset, address and module; arguments by number and name.
# guest-modules: tun
# timeout: 240
echo text >a.file
cat_file() { run timeout -s KILL 60 "$SONDE" run -q -o seen -c 'cat a.file' -e "$1"; cat seen >>"$T/out"; }

cat_file 'kprobe:vfs_read /pid == cpid/ { printf("%s|%s|%d|%d|%d\n", probe, func, arg2 == args.count, args->count > 0, reg("di") == arg0); @n = count() }
	kretprobe:vfs_read /pid == cpid/ { @bytes = sum(retval); @of[func, probe] = count() }
	fentry:vfs_read /pid == cpid/ { @f = count(); @args = arg2 == args.count; @file = args.file != 0 }
	fexit:vfs_read /pid == cpid/ { @g = count(); @sum = sum(retval); @kept = args.count > 0 }
	kfunc:vfs_read /pid == cpid/ { @k[probe] = count() } kretfunc:vfs_read /pid == cpid/ { @l[probe] = count() }'; ok
has '^kprobe:vfs_read\|vfs_read\|1\|1\|1$'; has '^@args: 1$'; has '^@kept: 1$'; has '^@file: 1$'
n=$(sed -n 's/^@n: //p' seen); [ "$n" -ge 2 ] || fail "cat reads twice"
has "^@of\\[vfs_read, kretprobe:vfs_read\\]: $n\$"; has "^@f: $n\$"; has "^@g: $n\$"; has "^@k\\[kfunc:vfs_read\\]: $n\$"; has "^@l\\[kretfunc:vfs_read\\]: $n\$"
same "$(sed -n 's/^@sum: //p' seen)" "$(sed -n 's/^@bytes: //p' seen)"

# wildcards: one program for all of them, each by its own name; those that are not there
cat_file 'kprobe:vfs_* /pid == cpid/ { @[func] = count() } kretprobe:vfs_r?ad /pid == cpid/ { @r[probe] = count() } kprobe:vfs_read,kprobe:not_in_any_kernel /pid == cpid/ { @e[probe] = count() }
	fentry:vfs_rea[d] /pid == cpid/ { @w[func] = count() }'; ok
has "^@\\[vfs_read\\]: $n\$"; has '^@\[vfs_open\]: [1-9]'; has "^@r\\[kretprobe:vfs_read\\]: $n\$"; has "^@e\\[kprobe:vfs_read\\]: $n\$"; has "^@w\\[vfs_read\\]: $n\$"; err_has 'kprobe:not_in_any_kernel is not here'
# places in a function, and by address (the offset of an instruction: the first ones are a call of 5 bytes)
address=$(sed -n 's/ T vfs_read$//p' /proc/kallsyms)
cat_file "kprobe:vfs_read+5 /pid == cpid/ { @at[probe, func] = count() } kprobe:0x$address /pid == cpid/ { @by = count() }"; ok
has "^@at\\[kprobe:vfs_read\\+5, vfs_read\\]: $n\$"; has "^@by: $n\$"

# modules, with their types
modprobe tun
tun() { run timeout -s KILL 60 "$SONDE" run -q -o seen -c 'sh -c "exec 3<>/dev/net/tun"' -e "$1"; cat seen >>"$T/out"; }
tun 'kprobe:tun_chr_open { @a[probe] = count(); @i = args.inode != 0 } kprobe:tun:tun_chr_open { @b[probe] = count() } kprobe:tun:tun_chr_* { @c[func] = count() } kretprobe:tun:tun_chr_open { @d = retval }
	fentry:tun:tun_chr_open { @e[probe] = count(); @j = args.inode != 0 } fexit:tun_chr_open { @f = retval }'; ok
has '^@a\[kprobe:tun_chr_open\]: 1$'; has '^@b\[kprobe:tun:tun_chr_open\]: 1$'; has '^@c\[tun_chr_open\]: 1$'; has '^@c\[tun_chr_close\]: 1$'; has '^@d: 0$'; has '^@e\[fentry:tun:tun_chr_open\]: 1$'; has '^@f: 0$'; has '^@i: 1$'; has '^@j: 1$'

# refusals
refused() { run timeout -s KILL 60 "$SONDE" run -e "$1"; exits 255; err_has "$2"; err_has "${3:-^  }"; }
refused 'kprobe:vfs_raed { }' "1:1: there is no function 'vfs_raed' in the kernel" "^hint: did you mean 'vfs_read'"
refused 'kprobe:nothing:vfs_read { }' "no function 'vfs_read' in module nothing"
refused 'kprobe:vfs_read+1 { }' 'takes no probe at kprobe:vfs_read\+1' '^hint: an offset'
refused 'kretprobe:vfs_read+5 { }' 'without an offset'
refused 'kprobe:vfs_read { print(args.cuont) }' "kprobe:vfs_read has no 'cuont'" '^hint: kprobe:vfs_read has: file, buf, count, pos$'
refused 'kprobe:vfs_zz* { }' 'there is no such probe here: kprobe:vfs_zz'
refused 'kretprobe:vfs_read { print(args.count) }' 'args means nothing at kretprobe:vfs_read'
refused 'kprobe:vfs_read { print(retval) }' 'retval means nothing at kprobe:vfs_read'
refused 'fentry:vfs_raed { }' "no function 'vfs_raed'" "^hint: did you mean 'vfs_read'"
refused 'fentry:vfs_read { print(arg4) }' 'has arg0 to arg3'
refused 'kprobe:kprobe_ftrace_handler { }' 'takes no probe at' '^hint: it keeps some'

if [ ! -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; then # a test that needs it may share this boot
	refused 'kprobe:vfs_read:3 { }' 'no debug information' '^hint: '
	refused 'kprobe:fs/read_write.c:450 /pid == 1/ { }' 'no debug information' '^hint: '
	refused 'kprobe:vfs_read { print($count) }' 'count is never set'
fi

# nothing is armed by a dry run, and nothing is left of one that was killed
run timeout -s KILL 60 "$SONDE" run --dry-run -e 'kprobe:vfs_read { @ = count() } kprobe:vfs_w* { @ = count() }'; ok
armed_here() { grep -q . /sys/kernel/debug/kprobes/list; }
mount -t debugfs none /sys/kernel/debug 2>/dev/null || :
! armed_here || fail "a dry run leaves probes"
pid=; trap '[ -z "$pid" ] || kill -KILL $pid 2>/dev/null || :' EXIT
"$SONDE" run -q -e 'kprobe:vfs_read { @ = count() } kretprobe:vfs_write { @ = count() }' & pid=$!
await 'ready $pid && armed_here'; kill -KILL $pid; wait $pid || :
await '! armed_here'
# override: which of the two that it takes is missing
run "$SONDE" run --unsafe --dry-run -e 'kprobe:vfs_read { override(1) }'; exits 255; err_has 'cannot override'; err_has 'hint: .*CONFIG_BPF_KPROBE_OVERRIDE'
run "$SONDE" run --unsafe --dry-run -e 'kretprobe:vfs_read { override(1) }'; exits 255; err_has 'override\(\) is for kprobes'
# more functions than files may be open
run bash -c 'ulimit -Sn 64; exec "$@"' x "$SONDE" run -q -o seen -c 'cat a.file' -e 'kprobe:vfs_* { @[func] = count() }'; ok; cat seen >>"$T/out"; has '^@\[vfs_read\]: [1-9]'
