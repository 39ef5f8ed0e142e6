# SPDX-License-Identifier: GPL-2.0-or-later
# needs: qemu-system-x86_64 curl gcc strip
# timeout: 300
# fetch: interop/fetch-old-kernel
# Scripts that were saved here, on this kernel, run on Linux 6.1 and 5.10, where the program has neither symbols nor debug information:
# kernel types are found again in that kernel's BTF, in which their members are elsewhere.
[ "$(id -u)" = 0 ] || skip "scripts are for root"
[ -e /sys/bus/event_source/devices/uprobe ] || skip "no uprobes"
old=$("$TOP/tests/interop/fetch-old-kernel" 2>&1) || { echo "$old"; exit 77; }
cat >shop.c <<'C'
struct maker { int year; char town[8]; };
struct item { int id; const char *name; struct maker *by; unsigned low : 3, high : 5; };
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
	struct item it = { 5, word, &m, 2, 17 };
	for (int i = 0; i < 3; i++)
		sell(&it, i);
	return 0;
}
C
line=$(sed -n '/here/=' shop.c)
mkdir -p moved; gcc -g -O1 -static -Wl,--build-id -o moved/shop shop.c || fail "no compiler"
at=/tmp/moved-$$; mkdir "$at"; cp moved/shop "$at/shop"; trap 'rm -rf "$at"' EXIT
cat >shop.bt <<B
uprobe:$at/shop:sell { printf("%d %d %s %d %s %d\n", args.it->id, args.n, str(args.it->name), args.it->by->year, args.it->by->town, args.it->high); }
uprobe:$at/shop@shop.c:$line { printf("left %d, stock %d, %s\n", \$left, args.stock, str(\$1)); }
tracepoint:syscalls:sys_enter_exit_group /pid == cpid/ { printf("exit %d %s %d\n", args.error_code, curtask->comm, curtask->tgid == pid && curtask->real_parent->tgid == ppid); }
B
cat >shop.stp <<S
probe process("$at/shop").function("sell") { printf("%s %d %s\n", probefunc(), \$it->by->year, user_string(\$it->name)) }
probe process("$at/shop").function("sell").return { printf("back %d %d\n", @entry(\$n), \$it->id) }
probe end { println(@1) }
S
run "$SONDE" run --save moved/bt.saved shop.bt pears; ok
run "$SONDE" run --save moved/stap.saved shop.stp figs; ok
run "$SONDE" run -q -c "$at/shop" moved/bt.saved; ok; has '^left 1, stock 76, pears$'
cp "$T/out" moved/bt.want; run "$SONDE" run -c "$at/shop" moved/stap.saved; ok; has '^back 2 5$'; cp "$T/out" moved/stap.want
strip moved/shop
cat >job <<J
mkdir -p $at; cp /tmp/moved/shop $at/shop; cd /tmp/moved; uname -r
sonde run -q -c $at/shop bt.saved >out 2>err; echo "code \$?"; cat err; grep . out | diff <(grep . bt.want) - && echo "bt as here"
sonde run -c $at/shop stap.saved >out 2>err; echo "code \$?"; cat err; diff stap.want out && echo "stap as here"
J
for kernel in 6.1 5.10; do
	cache=${SONDE_CACHE:-/var/cache/sonde}; [ $kernel = 6.1 ] || cache=$old
	SONDE_CACHE=$cache run timeout -k 5 $((130 * PATIENCE)) "$TOP/tests/guest/shell" -f /tmp/moved="$PWD/moved" -t $((120 * PATIENCE)) "$(cat job)"
	[ "$code" != 77 ] || skip "no guest: $err"
	ok; has "^${kernel//./\\.}\\."; same "$(grep -c '^code 0$' "$T/out")" 2; has '^bt as here$'; has '^stap as here$'
done
