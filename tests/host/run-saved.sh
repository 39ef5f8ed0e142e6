# SPDX-License-Identifier: GPL-2.0-or-later
# sonde run --save: a script in a file with what it needs of debug information, run where there is none.
# needs: gcc strip objcopy nm
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/bus/event_source/devices/uprobe ] || skip "no uprobes"
cat >shop.c <<'C'
#include <stdio.h>
enum kind { FRUIT = 3, TOOL };
struct maker { int year; char town[8]; };
struct item { int id; enum kind kind; const char *name; struct maker *by; unsigned low : 3, high : 5; };
long stock = 70;
__attribute__((noipa)) struct item *sell(struct item *it, int n)
{
	int left = 3 - n;
	stock += left;
	__asm__ volatile("" : : "r"(left) : "memory"); /* here */
	return it;
}
int main(void)
{
	struct maker m = { 1999, "Paris" };
	char word[] = "apples";
	struct item it = { 5, TOOL, word, &m, 2, 17 };
	for (int i = 0; i < 3; i++)
		sell(&it, i);
	return 0;
}
C
line=$(sed -n '/here/=' shop.c)
gcc -g -O1 -Wl,--build-id -o shop shop.c
cat >shop.bt <<B
uprobe:./shop:sell { printf("%d %d %s %d %s %d %d\n", args.it->id, args.n, str(args.it->name), args.it->by->year, args.it->by->town, args.it->high, args.it->kind == TOOL); @[ustack(1)] = count(); }
uprobe:./shop@shop.c:$line { printf("left %d, stock %d, \$1 %s\n", \$left, args.stock, str(\$1)); @u = *uaddr("stock"); }
uretprobe:./shop:sell { printf("back %d\n", retval->id); }
tracepoint:syscalls:sys_enter_exit_group /pid == cpid/ { printf("exit %d %s\n", args.error_code, curtask->comm); }
uprobe:./shop:s?ll { @wild = count(); }
B
cat >shop.stp <<S
global seen
probe process("./shop").function("sell") { printf("%s %d %d %s\n", probefunc(), int_arg(2), \$it->by->year, user_string(\$it->name)); seen[\$n] <<< 1 }
probe process("./shop").statement("*@shop.c:$line") { printf("left %d\n", \$left) }
probe process("./shop").function("sell").return { printf("back %d %d\n", @entry(\$n), \$it->id) }
probe end { foreach (n in seen) printf("%d: %d %s\n", n, @count(seen[n]), @1) }
S
# here
run "$SONDE" run -q -c ./shop shop.bt pears; ok
has '^5 2 apples 1999 Paris 17 1$'; has '^left 1, stock 76, \$1 pears$'; has '^back 5$'; has '^exit 0 shop$'; has '^@u: 76$'; has '^@wild: 3$'; has '^ +sell\+'
printf '%s' "$out" | sed 's/+[0-9]*$//' | sort >want
run "$SONDE" run -c ./shop shop.stp figs; ok; has '^sell 2 1999 apples$'; has '^left 1$'; has '^back 2 5$'; has '^2: 1 figs$'
printf '%s' "$out" | sort >want.stap
run "$SONDE" run -c ./shop -e 'probe process("./shop").function("sell") { println($nn) }'; exits 255; err_has "has no 'nn'"; err_has 'has: it, n, left$'
run "$SONDE" run --save shop.saved shop.bt pears; ok; [ -z "$out$err" ] || fail "it says something"
run "$SONDE" run --save stap.saved shop.stp figs; ok; [ -z "$out$err" ] || fail "it says something"
[ "$(stat -c %s shop.saved)" -lt 20000 ] || fail "all of the program is in there"

# there: neither symbols nor debug information, nor the script
cp shop whole
mkdir elsewhere; mv shop.bt shop.stp elsewhere
strip shop
run "$SONDE" run -q -c ./shop elsewhere/shop.bt pears; [ "$code" -ne 0 ] || fail "it needs no debug information"
run env HOME="$PWD" "$SONDE" run -q -c ./shop shop.saved; ok; [ -z "$err" ] || fail "it says something"
printf '%s' "$out" | sed 's/+[0-9]*$//' | sort | cmp - want || fail "not as before"
run "$SONDE" run -c ./shop stap.saved; ok; printf '%s' "$out" | sort | cmp - want.stap || fail "not as before"
ln -s "$SONDE" staprun
run ./staprun -c ./shop stap.saved; ok; printf '%s' "$out" | sort | cmp - want.stap || fail "staprun: not as before"
run ./staprun -c ./shop shop.saved; ok; has '^left 1, stock 76, \$1 pears$'
run "$SONDE" run -q -c ./shop shop.saved plums; ok; has '^left 1, stock 76, \$1 plums$'
run "$SONDE" run --save again.saved shop.saved; ok # from one to the other
run "$SONDE" run -q -c ./shop again.saved; ok; has '^left 1, stock 76, \$1 pears$'

# another program of that name; one that the script was not saved with
sed -i 's/1999/2001/' shop.c
gcc -g -O1 -Wl,--build-id -o shop shop.c
run "$SONDE" run -q -c ./shop shop.saved; exits 255; err_has "shop\\.bt:1:1: the script was saved for build-id [0-9a-f]{40} of /.*/shop, and /.*/shop has [0-9a-f]{40} here"; err_has '^hint: save it again'
cp whole shop
objcopy --remove-section .note.gnu.build-id shop
run "$SONDE" run -q -c ./shop shop.saved; exits 255; err_has 'has none here'
run "$SONDE" run --save x.saved -e 'uprobe:./shop:main { @ = count() }'; exits 255; err_has 'shop has no build-id'; [ ! -e x.saved ] || fail "made nevertheless"
cp whole shop

# files that were altered, cut, of a later version, of another user
size=$(stat -c %s shop.saved)
for at in 9 12 16 24 32 36 41 $((size / 2)) $((size - 1)); do
	cp shop.saved bad
	printf '%b' "\\x$(printf %02x $((255 - $(od -An -tu1 -j"$at" -N1 bad))))" | dd of=bad bs=1 seek="$at" conv=notrunc status=none
	run "$SONDE" run -q -c ./shop bad; exits 255; err_has 'is a saved script(, but it is damaged| of version)'; err_has '^hint: '
done
for at in 8 20 39 40 $((size / 2)) $((size - 1)); do
	head -c "$at" shop.saved >bad
	run "$SONDE" run -q -c ./shop bad; exits 255; err_has 'is a saved script(, but it is damaged: its end is missing| of version)'
done
{ cat shop.saved; echo; } >bad; run "$SONDE" run bad; exits 255; err_has 'damaged: there is something behind its end'
cp shop.saved other; chown 12345 other
run "$SONDE" run -q -c ./shop other; exits 255; err_has 'other is not owned by the current user or root \(but by uid 12345\)'; err_has '^hint: .*--force'
run "$SONDE" run -q --force -c ./shop other; ok; has '^back 5$'

# what is not run, or cannot be written
run "$SONDE" run --save x.saved -c true -e 'BEGIN { }'; exits 255; err_has 'save runs nothing'
run "$SONDE" run --save ./nowhere/x -e 'BEGIN { }'; exits 255; err_has "nowhere/x"
run "$SONDE" run --save x.saved -e 'BEGIN { printf("%d\n", nothing) }'; exits 255; [ ! -e x.saved ] || fail "a script that is wrong was saved"
run "$SONDE" run --save x.saved -e 'BEGIN { printf("%d\n", $1 + 1); exit() }' 41; ok
run "$SONDE" run -q x.saved; ok; has '^42$'

# functions that only .gnu_debugdata names; debug information that dwz moved into a file of its own
cat >two.h <<'C'
struct deep { int first; char name[16]; struct deep *next; };
struct deeper { struct deep in[3]; long last; };
__attribute__((noipa)) static long depth(struct deeper *d, int n) { __asm__ volatile("" : : : "memory"); return d->last + n; }
C
for p in one two; do
	{ echo '#include "two.h"'; echo "int main(void) { struct deeper d = { .last = 11, .in[2].first = 12 }; return depth(&d, $(( ${#p} ))) != 14; }"; } >$p.c
	gcc -g -O1 -Wl,--build-id -o $p $p.c
done
cp one packed
nm packed --format=posix --defined-only | awk '$2 == "T" || $2 == "t" { print $1 }' | sort >keep
objcopy --only-keep-debug packed packed.debug
objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=keep packed.debug mini 2>/dev/null
strip packed
if command -v xz >/dev/null && xz mini; then
	cp packed bare
	objcopy --add-section .gnu_debugdata=mini.xz packed
	run "$SONDE" run --save packed.saved -e 'uprobe:./packed:depth { printf("%s %d\n", func, arg1) }'; ok
	mv bare packed
	run "$SONDE" run -q -c ./packed -e 'uprobe:./packed:depth { }'; exits 255
	run "$SONDE" run -q -c ./packed packed.saved; ok; has '^depth 3$'
fi
if command -v dwz >/dev/null && dwz -m common.dwz -r one two 2>dwz.err && readelf -S one | grep gnu_debugaltlink >/dev/null; then
	run "$SONDE" run --save dwz.saved -e 'uprobe:./one:depth { printf("%d %d %d\n", args.d->last, args.d->in[2].first, args.n) }'; ok
	rm common.dwz; strip one
	run "$SONDE" run -q -c ./one dwz.saved; ok; has '^11 12 3$'
	strip two
fi
