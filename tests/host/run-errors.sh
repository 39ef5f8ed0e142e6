# SPDX-License-Identifier: GPL-2.0-or-later
# What sonde run cannot take it refuses: where, why, and what is near.
[ "$(id -u)" = 0 ] || skip "needs root"
# refuses SCRIPT MESSAGE [HINT]: extended regular expressions
refuses() {
	run "$SONDE" run -e "$1"; exits 255; err_has "^sonde: -e:$2"; err_has '^ +\^~*$'
	[ -z "${3-}" ] || err_has "^hint: $3"
	[ -z "$out" ] || fail "something was printed"
}
refuses 'BEGN { }' "1:1: there is no kind of probe called 'BEGN'" "did you mean 'BEGIN'"
refuses 'BEGIN { @x = cuont() }' '1:14: there is no function cuont\(\)' "did you mean 'count'"
refuses $'BEGIN {\n\t$a = 1;\n\tprint(pdi)\n}' "3:8: there is no built-in value 'pdi'" "did you mean 'pid'"
refuses 'BEGIN { &printf("x"); }' '1:9: only a variable, a map or a member has an address'
refuses 'BEGIN { $s = (struct nowhere *)xyz.filename; }' "1:32: there is no built-in value 'xyz'"
refuses 'BEGIN { print(@xy); @xyz = 1 }' '1:15: nothing is ever stored in @xy' "did you mean '@xyz'"
refuses 'BEGIN { print($x) }' '1:15: \$x is never set'
refuses 'BEGIN { $x = 1; $x = "a" }' '1:17: \$x is an int64 elsewhere, and would be a string here'
refuses 'BEGIN { @x[1] = 1; @x["a"] = 1 }' '1:20: the keys of @x are \(int64\) elsewhere, and \(string\) here'
refuses 'BEGIN { @x = 1; @x[2] = 1 }' '1:[0-9]+: @x has'
refuses 'BEGIN { @x = 1; @x = count() }' '1:17: @x is a'
refuses 'BEGIN { printf("%d %s\n", 1, 2) }' '1:30: %s takes a string'
refuses 'BEGIN { printf("%d\n") }' '1:16: the format has more conversions'
refuses 'BEGIN { printf("x\n", 1) }' '1:16: the format has fewer conversions'
refuses 'BEGIN { print(args.x) }' '1:15: args means nothing at BEGIN'
refuses 'BEGIN { hist(3) }' '1:9: hist\(\) is to be stored in a map'
refuses 'BEGIN { @ = lhist(1, 9, 3, 1) }' '1:13: lhist\(\) goes from'
refuses 'BEGIN { exit(1, 2) }' '1:9: exit\(\) takes'
refuses 'BEGIN { $x = pid ? printf("x\n") : 0 }' '1:14: both sides of \?: are'
refuses 'BEGIN { $x = pid ? 1 : exit() }' '1:14: both sides of \?: are'
refuses 'BEGIN { printf("%999999999d\n", 1) }' '1:16: a width or a precision of this format is above 1024'
refuses 'BEGIN { printf("%-3.99999s\n", "a") }' '1:16: a width or'
refuses 'BEGIN { @a[1] = 1; delete(@a[1], @a[2]) }' '1:34: delete\(\) takes one key'
refuses 'BEGIN { @m[1] = 1; print(has_key(@m[1], 2)) }' '1:41: has_key\(\) takes one key'
refuses 'BEGIN { break }' '1:9: there is no loop'
refuses 'interval:s { }' '1:1: how often'
refuses 'software:fualts:1 { }' "1:1: there is no software event 'fualts'" "did you mean"
refuses 'tracepoint:sched:sched_swtch { }' '1:1: there is no such probe here' "did you mean 'sched:sched_switch'"
refuses 'tracepoint:sched:sched_switch { print(args.prev_com) }' "1:39: tracepoint:sched:sched_switch has no 'prev_com'" 'tracepoint:sched:sched_switch has: prev_comm, prev_pid'
refuses 'syscall:::entry { @[execname] = count(); }' '1:1: this is a probe of DTrace' 'here it is: tracepoint:raw_syscalls:sys_enter \{ @\[comm\] = count\(\); \}$'
run "$SONDE" run -e 'rawtracepoint:sched_swtch { }'; exits 255; err_has "^sonde: -e:1:1: there is no raw tracepoint 'sched_swtch'"; err_has "^hint: did you mean 'sched_switch'"
# what people mistype
refuses 'BEGIN { if (pid = 1) { } }' '1:17: a comma or the closing bracket' '== compares'
refuses 'BEGIN /pid = 1/ { }' '1:12: the slash behind the predicate' '== compares'
refuses 'BEGIN { for ($i = 0; $i < 5; $i++) { } }' '1:17: the colon of a for loop' 'for \(\$i : 0\.\.10\)'
refuses '@x = 1' '1:4: a brace \{ is missing here' 'a block stands behind its probe'
refuses 'BEGIN { print($0) }' '1:15: the first parameter is \$1'
refuses 'BEGIN { str(5, -1) }' '1:16: a length is not below 0'
refuses 'BEGIN { str("a", "b") }' '1:18: a length is a number'
refuses 'BEGIN { print(ntop("x")) }' '1:20: ntop\(\) makes text of an address' 
refuses 'BEGIN { $t = (1, 2); print($t[pid]) }' '1:31: the index of a tuple is a constant'
refuses 'BEGIN { print((1, 2) == (1, "a")) }' '1:15: tuples of different kinds'
refuses 'BEGIN { $x = (typeof(comm))5 }' '1:15: typeof\(\) takes'
refuses 'BEGIN { let $x: struct list_head = 5 }' '1:17: what is declared with its type'
refuses 'struct a { typeof(pid) x; }; BEGIN { }' '1:12: there is no value whose type typeof'
refuses 'BEGIN { let $s: string = 5 }' '1:26: \$s is declared as a string'
refuses 'interval:99 { }' '1:1: how often\? .* at least 1000'
# not yet: named, never done wrongly
refuses 'iter:task { }' '1:[0-9]+: .*cannot do that yet'
refuses 'BEGIN { printf("%gr\n", 1) }' '1:16: a conversion of this format is not known'
# one of a block's words is not here: told, and the others run
run "$SONDE" run -q -e 'tracepoint:sched:no_such_event, BEGIN { printf("runs\n"); exit() }'; ok; has '^runs$'; err_has '1:1: tracepoint:sched:no_such_event is not here'
refuses 'BEGIN { unroll(0) { } }' '1:16: unroll takes a number from 1 to 100'
refuses 'BEGIN { unroll(100) { unroll(100) { unroll(100) { @x++ } } } }' '1:[0-9]+: up to here the block is too large'
# the command line
run "$SONDE" run; exits 255; err_has 'there is no script'
run "$SONDE" run nowhere.bt; exits 255; err_has "cannot read the script 'nowhere.bt'"
run "$SONDE" run -f xml -e 'BEGIN { }'; exits 255; err_has '^hint: -f text or -f json'
run "$SONDE" run -c 'no-such-command-here' -e 'BEGIN { }'; [ "$code" -ne 0 ] || fail "a command that is not there"
run "$SONDE" run --dry-run -e 'interval:s:1 { printf("x\n") }'; ok; [ -z "$out" ] || fail "--dry-run prints"
run as_nobody "$SONDE" run -e 'BEGIN { exit() }'; exits 255; err_has '^hint: scripts are for root'
# many deep brackets, a huge script, a zero byte: refused, no crash
printf 'BEGIN { $x = %s1 }' "$(printf '(%.0s' {1..5000})" >deep.bt; run "$SONDE" run deep.bt; exits 255; err_has 'nested more than'
{ printf 'BEGIN { exit() }'; head -c 2000000 /dev/zero | tr '\0' ' '; } >huge.bt; run "$SONDE" run huge.bt; exits 255
printf 'BEGIN { \0 }' >zero.bt; run "$SONDE" run zero.bt; exits 255; err_has 'zero byte'
# what this kernel lacks
if [ ! -e /sys/bus/event_source/devices/kprobe ]; then
	refuses 'kprobe:vfs_read { }' '1:1: this kernel has no kprobes: kprobe:vfs_read' 'kprobes: '
	run "$SONDE" doctor; grep -q 'yes *eBPF on functions' "$T/out" || refuses 'BEGIN { } kfunc:vfs_read { }' '1:11: the kernel takes no program at kfunc:vfs_read: .*no kprobes'
fi
# D's lines are answered with ours, which work
d() { run "$SONDE" run -e "$1"; exits 255; err_has "DTrace's language"; same "$(sed -n 's/^hint: here it is: //p' <<<"$err")" "$2"; }
d 'syscall::read:entry { @x = arg0 } { @m = arg1 }' 'tracepoint:syscalls:sys_enter_read { @x = args.fd }{ @m = arg1 }'
d 'syscall:::entry { @[probefunc] = count(); }' 'tracepoint:syscalls:sys_enter_* { @[probe] = count(); }'
d 'syscall::read:entry { self->ts = timestamp; } syscall::read:return /self->ts/ { @ = quantize(timestamp - self->ts); self->ts = 0; }' \
	'tracepoint:syscalls:sys_enter_read { @ts[tid] = nsecs; } tracepoint:syscalls:sys_exit_read /@ts[tid]/ { @ = hist(nsecs - @ts[tid]); @ts[tid] = 0; }'
run "$SONDE" run --dry-run -e "$(sed -n 's/^hint: here it is: //p' <<<"$err")"; ok
d 'syscall::write:entry /execname == "dd"/ { @ = quantize(arg2) }' 'tracepoint:syscalls:sys_enter_write /comm == "dd"/ { @ = hist(args.count) }'
d $'#pragma D option quiet\nprofile-997 { @[stack()] = count(); } tick-10s { exit(0); }' 'profile:hz:997 { @[kstack()] = count(); } interval:s:10 { exit(0); }'
d 'proc:::exec-success { trace(execname); }' 'tracepoint:sched:sched_process_exec { print(comm); }'
d 'proc:::exec-success { trace(curpsinfo->pr_psargs); }' 'tracepoint:sched:sched_process_exec { print(str(args.filename)); }'
run "$SONDE" run --dry-run -e "$(sed -n 's/^hint: here it is: //p' <<<"$err")"; ok
d 'io:::start { @[args[1]->dev_statname] = sum(args[0]->b_bcount); }' 'tracepoint:block:block_rq_issue { @[args.dev] = sum(args.bytes); }'
run "$SONDE" run --dry-run -e "$(sed -n 's/^hint: here it is: //p' <<<"$err")"; ok
run "$SONDE" run -e 'io:::start { @[args[2]->fi_pathname] = count(); }'; exits 255; err_has '^hint: .*but for args\[2\]->fi_pathname, which has no counterpart here: tracepoint:block:block_rq_issue '
run "$SONDE" run -n 'syscall:::entry { @[execname] = count(); }'; exits 129; err_has '^hint: sonde run -e'
d 'pid$target:libc:malloc:entry { @ = quantize(arg0); }' 'uprobe:libc:malloc { @ = hist(arg0); }'
# the nearest variable; where to look for the functions of a file
refuses 'BEGIN { $total = 1; print($totl) }' '1:27: \$totl is never set' "did you mean '\\\$total'"
refuses 'uprobe:libc:no_such_*, uprobe:libc:none_*_here { }' '1:1: there is no such probe here: uprobe:libc:no_such' "sonde run -l 'uprobe:libc:\*'"
