# SPDX-License-Identifier: GPL-2.0-or-later
# C's types in scripts: structs of the script, of the kernel's BTF and of formats; bpftrace beside it where it can do it.
# needs: bpftrace perl
# timeout: 240
[ "$(id -u)" = 0 ] || skip "needs root"

# gives SCRIPT LINE...: what the script prints, to the letter (empty lines apart).
gives() {
	local script=$1; shift
	run timeout 60 "$SONDE" run -q -e "$script"; ok
	printf '%s\n' "$@" >"$T/want"
	grep -v '^$' "$T/out" | diff -u "$T/want" - || fail "not what was expected of: $script"
}
begin() { local script=$1; shift; gives "BEGIN { $script exit() }" "$@"; }

# memory of a program, which a call that fails points to: its layout is known
cat >calls.pl <<'P'
my $b = pack("l a4 L x4 Q l c x3 l3 l4 s s L x4 Q C3 C x4", -5, "abcd", 5 | 9 << 3, 77, 7, -8, 1, 2, -3, 10, 11, 12, 13, 4, 5, 1, 99, 1, 2, 3, 1);
syscall(1, 77, $b, length($b));
P
declared='struct y { int q; char c; };
struct x { int a; char b[4]; int c:3; unsigned d:5; struct y *p; struct y e; int arr[3]; int mm[2][2]; union { int u1; short u2; }; enum { AA, BB } en; void (*fn)(int); unsigned char uc[3]; _Bool bo; };
'
probe='tracepoint:syscalls:sys_enter_write /args->fd == 77/'
# beside LINES: the same of bpftrace 0.17 (which reads bit-fields wrongly, and has enums and pointers as mere numbers: they are apart)
cat >beside.bt <<E2
struct y { int q; char c; };
struct z { int a; char b[4]; unsigned bits[2]; unsigned long p; struct y e; int arr[3]; int mm[2][2]; union { int u1; short u2; }; int en; long fn; unsigned char uc[3]; _Bool bo; };
$probe {
	\$s = (struct z *)args->buf;
	print(*\$s); @s = *\$s; @k[*(struct y *)args->buf] = 1; @k2[1, \$s->e] = 2; print(\$s->e); print(\$s->arr[1]); print(\$s->mm[1][0]);
	print((\$s->e.q, \$s->b)); print(\$s->uc); \$e = \$s->e; print(\$e.c); @arr = \$s->arr; @t = (1, \$s->e);
	printf("%s %d %u %d\n", \$s->b, \$s->a, \$s->a, (int8)\$s->a); \$y = \$s->uc; print(\$y[2]);
	print(sizeof(struct z)); print(sizeof(\$s->arr)); print(\$s->u2); if (\$s->arr == \$s->arr) { print(1) } if (\$s->b == "abcd") { print(2) }
	\$i = 1; print(((int32 *)args->buf)[1]); print(*(uint8 *)(args->buf + 4)); @p[(struct z *)1] = 1;
	exit();
}
E2
timeout 60 bpftrace -q -c "/usr/bin/perl calls.pl" beside.bt >"$T/theirs" 2>"$T/their-err" || { cat "$T/their-err"; fail "bpftrace cannot do it"; }
run timeout 60 "$SONDE" run -q -c "/usr/bin/perl calls.pl" beside.bt; ok; diff -u "$T/theirs" "$T/out" || fail "not as bpftrace"
timeout 60 bpftrace -f json -q -c "/usr/bin/perl calls.pl" beside.bt >"$T/theirs" 2>/dev/null
run timeout 60 "$SONDE" run -f json -q -c "/usr/bin/perl calls.pl" beside.bt; ok; diff -u <(grep -v attached_probes "$T/theirs") <(grep -v attached_probes "$T/out") || fail "JSON not as bpftrace"

# bit-fields with their signs, enums by name, pointers as addresses
cat >own.bt <<E2
$declared$probe {
	\$s = (struct x *)args->buf;
	print(*\$s); print((\$s->c, \$s->d)); print(\$s->en); printf("%s %d\n", \$s->en, \$s->en); @e[\$s->en] = 1; @v = \$s->en; print(\$s->p); print(\$s->fn);
	\$w = *\$s; print((\$w.c, \$w.d, \$w.e.c, \$w.b, \$w.mm[1][1])); \$i = 1; print(\$w.arr[\$i]); print(\$s->mm[\$i][0]); print(\$s->b[1]);
	print(AA + BB); print(str(\$s->uc)); print(buf(\$s->b)); print(&\$s->arr[2] - &\$s->arr[0]); print(\$s->e.c == -8 ? \$s->b : "no");
	exit();
}
E2
run timeout 60 "$SONDE" run -q -c "/usr/bin/perl calls.pl" own.bt; ok
cat >"$T/want" <<'W'
{ .a = -5, .b = abcd, .c = -3, .d = 9, .p = 0x4d, .e = { .q = 7, .c = -8 }, .arr = [1,2,-3], .mm = [[10,11],[12,13]], .u1 = 327684, .u2 = 4, .en = BB, .fn = 0x63, .uc = [1,2,3], .bo = 1 }
(-3, 9)
BB
BB 1
0x4d
0x63
(-3, 9, -8, abcd, 13)
2
12
98
1
W
head -n 11 "$T/out" | diff -u "$T/want" - || fail "members"
tail -n +12 "$T/out" | grep -v '^$' | tr '\n' '~' | grep -aqE $'^\x01\x02\x03~abcd~2~abcd~@e\\[BB\\]: 1~@v: BB~$' || { cat -v "$T/out"; fail "the rest"; }

# the kernel's own types
run "$SONDE" run -q -e 'BEGIN { printf("%d %d %s %s\n", curtask->pid == tid, curtask->tgid == pid, curtask->comm, curtask->group_leader->comm); $t = curtask; print($t.real_parent->pid == ppid); print(curtask->mm->mm_users.counter > 0); exit() }'; ok
has '^1 1 sonde sonde$'; [ "$(grep -c '^1$' "$T/out")" = 2 ] || fail "curtask: $out"
gives 'BEGIN { $t = *curtask; print($t.comm); print($t.pid == tid); @[$t.comm] = count(); exit() }' sonde 1 '@[sonde]: 1'
begin 'print(sizeof(struct list_head)); print(sizeof(pid_t)); print(offsetof(struct list_head, prev)); print(sizeof(unsigned long long)); print(sizeof(struct list_head *)); print((enum pid_type)1);' 16 4 8 8 8 PIDTYPE_TGID
begin '$c = (struct cred *)curtask->cred; print($c->uid.val == uid); print(kptr((uint64)curtask) == curtask); print(((struct task_struct *)kptr((uint64)curtask))->comm);' 1 1 sonde
# numbers, arrays, addresses
begin '$x = (uint8[8])0x0102030405060708; print($x); print($x[1]); $i = 3; print($x[$i]); $i = 99; print($x[$i]); print((uint64)$x == 0x0102030405060708); print($x == (uint8[8])1); $z = $x; print($z != $x); @a[$x] = 1; @b = (int16[])7; print((1, $x));' \
	'[8,7,6,5,4,3,2,1]' 7 5 8 1 0 0 '(1, [8,7,6,5,4,3,2,1])' '@a[[8,7,6,5,4,3,2,1]]: 1' '@b: [7,0,0,0]'
begin '$y = 5; $p = &$y; print(*$p); $y = 7; $y++; print(*$p); @a = 9; $q = &@a; print(*$q); $w = (uint16[4])0x0004000300020001; $v = (uint16 *)&$w; print($v[2]); $v++; print(*$v); $v += 2; print(*$v); print(*($v - 1)); print($v[-1]); clear(@a);' 5 8 9 3 2 4 3 3
begin 'print((int8)255); print((uint8)-1); print((int16)0x18000); print((uint32)-1); print((int64)-1); print((unsigned char)300); print((long)5);' -1 255 -32768 4294967295 -1 44 5
gives 'struct l { struct l *next; int v; }; union u { char b[8]; unsigned long l; }; typedef struct { short s; } st; typedef int num; enum e { E0, E5 = 5, E6 }; struct pk { char a; int b; } __attribute__((packed));
BEGIN { print(sizeof(struct l)); print(sizeof(union u)); print(sizeof(st)); print(sizeof(struct pk)); print((num)-1); print(E6); print((enum e)5); print(offsetof(struct l, v)); $x = 0x6261; $u = (union u *)&$x; print($u->b); print($u->l); exit() }' \
	16 8 2 5 -1 6 E5 8 ab 25185
# what is kept, by way of its members; addresses are numbers, which can be computed with
gives 'struct q { int a; char n[6]; }; BEGIN { $v = 0x0000006200000003; $s = *(struct q *)&$v; @m = $s; @k[1] = $s; $t = (1, $s); print((@m.a, @k[1].a, $t.1.a, (&@m)->a)); $z = pid ? $s : @m; print($z.n); $i = 0; while ($i < 2) { print(((uint8 *)&$v)[$i * 4]); $i++ } $j = nsecs % 2; print(((uint8 *)&$v)[$j + 1]); $x = (uint8[4])0x04030201; print($x[nsecs % 4] > 0); print(((uint8 *)$x)[nsecs % 1]); print($s.n == "b"); clear(@m); clear(@k); exit() }' '(3, 3, 3, 3)' b 3 98 0 1 1 1
# formats: arrays, and structs behind the pointers of system calls
run timeout 60 "$SONDE" run -q -e 'tracepoint:syscalls:sys_enter_clock_nanosleep /pid == cpid/ { print(*args.rqtp); print(args->rqtp->tv_nsec); exit() }' -c 'sleep 0.01'; ok; has '^\{ .tv_sec = 0, .tv_nsec = 10000000 \}$'; has '^10000000$'
run timeout 60 "$SONDE" run -q -e 'tracepoint:raw_syscalls:sys_enter /comm == "perl" && args.id == 1 && args.args[0] == 77/ { print(args.args[2]); $i = 2 + (nsecs % 1); print(args.args[$i]); exit() }' -c '/usr/bin/perl calls.pl'; ok; [ "$(grep -c '^88$' "$T/out")" = 2 ] || fail "args.args: $out"

# a program's own, by its debug information: parameters, casts, a variable of the whole program
cat >user.bt <<E2
uprobe:$PROG/structs:work {
	print((args.n->v, args.n->in.name, args.n->pin->name, args.n->lo, args.n->hi, args.n->neg)); print(args.n->col); print(args.n->grid[1][2]);
	print(str(args.n->text)); print(args.n->next->v); print(args.byval.v); print(args.an->t); print(args.k); print(args.n->in); print(*args.n->pin);
	print(((struct node *)arg0)->bytes); print((enum color)5); print((enum color)200); print(GREEN); print(BLUE); print(sizeof(struct inner)); @[args.n->in] = count(); print((args.global.v, str(args.global.text)));
	\$n = args.n; print(\$n->next->v); print((args.n->f, args.n->d)); printf("%.2f %s\n", args.n->f * 3 + 1, args.n->v < 0 ? "yes" : "no"); @f[args.n->f] = 1; exit();
}
E2
run timeout 60 "$SONDE" run -q -c "$PROG/structs" user.bt; ok
cat >"$T/want" <<'W'
(-7, inner, pinned, 5, 17, -3)
GREEN
6
hello
1
1
33
4
{ .s = 3, .name = inner }
{ .s = 9, .name = pinned }
abcd
GREEN
BLUE
5
200
10
(42, global)
1
(0.25, -15000000000)
1.75 yes
@[{.s=3,.name=inner}]: 1
@f[0.25]: 1
W
grep -v '^$' "$T/out" | diff -u "$T/want" - || fail "a program's types"
run timeout 60 "$SONDE" run -q -c "$PROG/structs" -e "uretprobe:$PROG/structs:find { print(retval->v); print(*retval->pin == 0 ? 1 : 2); exit() }"; exits 255; err_has 'an operator is applied to'
run timeout 60 "$SONDE" run -q -c "$PROG/structs" -e "uretprobe:$PROG/structs:find { print((retval->v, retval->next == 0)); exit() }"; ok; has '^\(1, 1\)$'
run "$SONDE" run -e "uprobe:$PROG/structs:work { print(args.n->nxt) }"; exits 255; err_has "struct node has no member 'nxt'"; err_has "^hint: struct node has: next, v, lo, hi, neg, in, pin, col, grid, i, bytes, text, f, d$"
run "$SONDE" run -e "uprobe:$PROG/structs:work { print(args.n->d + 1) }"; exits 255; err_has 'is a number, and this is a double'

# refusals
refuses() { local script=$1 said=$2; shift 2; run "$SONDE" run -e "$script"; exits 255; err_has "^sonde: -e:$said"; for said; do err_has "^hint: .*$said"; done; }
refuses 'BEGIN { print(curtask->pidd) }' "1:15: struct task_struct has no member 'pidd'" "did you mean 'pid'" 'struct task_struct has: .* and [0-9]+ more'
refuses 'BEGIN { print(((struct task_strct *)1)->pid) }' '1:16: the members of struct task_strct are not known' "did you mean 'struct task_struct'" 'types come from the script itself'
refuses 'BEGIN { print((struct nope_t)1) }' "1:16: nobody knows the type 'struct nope_t'" 'types come from'
refuses 'BEGIN { print(sizeof(struct nope)) }' "1:22: nobody knows the type"
refuses 'BEGIN { print(offsetof(struct list_head, nxt)) }' "1:42: struct list_head has no member 'nxt'" "struct list_head has: next, prev"
refuses 'BEGIN { $p = (struct task_struct *)1; $p = (struct file *)2; }' '1:39: .p is a struct task_struct \* elsewhere, and would be a struct file \* here'
refuses 'BEGIN { print(pid->x) }' "1:15: 'x' cannot be a member: this is a uint64" 'say what it points to'
refuses 'BEGIN { print(*kptr(1)) }' '1:15: what this pointer points to is not known'
refuses 'BEGIN { $a = (int8[4])1; print($a[4]) }' '1:35: this array has 4 items'
refuses 'BEGIN { $x = (uint8[16])5 }' '1:14: a number has eight bytes'
refuses 'struct a { struct b x; }; BEGIN { }' "1:12: nobody knows the type 'struct b'"
refuses 'struct a { struct a x; }; BEGIN { }' '1:1: this holds itself'
refuses 'struct a { int x; }; struct a { int y; }; BEGIN { }' '1:22: struct a is declared twice'
refuses 'struct a { int c:40; }; BEGIN { }' '1:18: the width of a bit-field'
refuses 'struct a { int x[pid]; }; BEGIN { }' '1:18: the length of an array is a constant'
# a machine without types: what needs none works, what does is refused with the reason
mkdir -p root/sys/kernel/btf root/proc
run env SONDE_KERNEL_ROOT="$PWD/root" "$SONDE" run --dry-run -e 'struct q { int a; }; BEGIN { $x = (struct q *)curtask; print($x->a) }'; ok
run env SONDE_KERNEL_ROOT="$PWD/root" "$SONDE" run --dry-run -e 'BEGIN { print(curtask->pid) }'; exits 255; err_has '1:15: the members of struct task_struct are not known here'; err_has '^hint: this kernel has no type information'
# signs: told where they differ and both are written down, once; and computed as int64
run "$SONDE" run -q -e 'BEGIN { print((int8)-1 < (uint8)5); print((uint64)7 / (int8)2); $x = 5; print(pid > $x); print((int32)5 > 3); exit() }'; ok
[ "$(grep -c 'different signs' "$T/err")" = 2 ] || fail "warnings: $err"; err_has '1:15: numbers of different signs are compared, both as int64: int8 and uint8'; err_has '1:43: numbers of different signs are divided'
