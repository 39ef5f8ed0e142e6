# SPDX-License-Identifier: GPL-2.0-or-later
# Probes of sonde run in programs: functions, returns, lines, markers; their arguments, by number and by name.
# needs: gcc g++ xz objcopy
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/bus/event_source/devices/uprobe ] || skip "no uprobes"
echo '#include <sys/sdt.h>' | gcc -E - >/dev/null 2>&1 || skip "no sys/sdt.h (systemtap-sdt-dev)"
cat >shop.c <<'C'
#define _SDT_HAS_SEMAPHORES 1
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/sdt.h>
unsigned short shop_sold_semaphore __attribute__((section(".probes"))), shop_closed_semaphore __attribute__((section(".probes")));
struct item { int id; char *name; long price; };
long stock = 70;
static char word[] = "apples";
__attribute__((noinline)) int sell(struct item *it, int n, const char *what, long e, long f, long g, long h)
{
	int left = 3 - n;
	stock += left;
	if (shop_sold_semaphore)
		puts("watched");
	DTRACE_PROBE3(shop, sold, n, what, it->price);
	return left - (int)(h + e + f + g);
}
__attribute__((noinline)) void close_shop(void) { DTRACE_PROBE(shop, closed); }
__attribute__((noinline)) static int hidden_away(int x) { __asm__ volatile("" : "+r"(x)); return x; }
static void *clerk(void *it) { hidden_away(sell(it, 1, word, 1, 2, 3, 4)); return NULL; }
int main(int argc, char **argv)
{
	struct item it = { 5, word, -1234567890123 };
	pthread_t t;
	(void)argv;
	if (argc > 1) /* until somebody writes to us: one in another thread each time */
		for (char c; read(0, &c, 1) == 1;) {
			pthread_create(&t, NULL, clerk, &it);
			pthread_join(t, NULL);
		}
	for (int i = 0; i < 3; i++)
		sell(&it, i, it.name, 10, 20, 30, 40);
	close_shop();
	return 0;
}
C
sed -n '/DTRACE_PROBE3/=' shop.c >line
gcc -g -O1 -o shop shop.c -lpthread
gcc -g -O0 -o shop0 shop.c -lpthread

# arguments in registers and on the stack, the result, the names of the place
run "$SONDE" run -q -c ./shop -e 'uprobe:./shop:sell { printf("%s|%s|%d|%s|%d|%d|%d\n", probe, func, arg1, str(arg2), arg3, arg6, sarg0); @same[reg("ip") % 4096 == reg("ip") % 4096, reg("di") == arg0] = count() }
	uretprobe:./shop:sell { @r[(int32)retval, func] = count() } END { printf("end\n") }'; ok
for i in 0 1 2; do has "^uprobe:\\./shop:sell\\|sell\\|$i\\|apples\\|10\\|40\\|40$"; has "^@r\\[-9[789], sell\\]: 1$"; done; has '^@same\[1, 1\]: 3$'; has '^end$'
run "$SONDE" run -q -c ./shop -e 'u:./shop:sell+0 { @a = count() } ur:./shop:close_shop { @b = count() } uprobe:./shop:close_shop,uprobe:./shop:main { @[func, probe] = count() }'; ok
has '^@a: 3$'; has '^@b: 1$'; has '^@\[close_shop, uprobe:\./shop:close_shop\]: 1$'; has '^@\[main, uprobe:\./shop:main\]: 1$'

# the name of a place compared
run "$SONDE" run -q -c ./shop -e 'uprobe:./shop:sell,uprobe:./shop:close_shop { if (func == "sell") { @s = count() } if (probe != "uprobe:./shop:sell") { @c = count() } $f = func; @[$f == "close_shop", "sell" == func, func == "other"] = count() }'; ok
has '^@s: 3$'; has '^@c: 1$'; has '^@\[0, 1, 0\]: 3$'; has '^@\[1, 0, 0\]: 1$'

# by address; by wildcard, one program for all of them, each by its own name; in libraries and programs by name
read -r address _ < <(nm shop | sed -n 's/ T close_shop//p')
run "$SONDE" run -q -c ./shop -e "uprobe:./shop:0x$address { @[func] = count() }"; ok; has '^@\[close_shop\]: 1$'
run "$SONDE" run -c ./shop -e 'uprobe:./shop:*l* { @[func] = count() } uretprobe:./sh*p:s?ll { @r[probe] = count() }'; ok
has '^@\[sell\]: 3$'; has '^@\[close_shop\]: 1$'; has '^@r\[uretprobe:\./shop:sell\]: 3$'; hasnt '^@\[main'; has '^Attaching [0-9]+ probes\.\.\.$'
run "$SONDE" run -q -c "$(type -P true)" -e 'uprobe:libc:exit { @e[probe] = count() } uprobe:libc.so.6:exit { @f = count() } uprobe:true:0x0 { @never = count() }' ; exits 255; err_has 'there is no code at 0x0 in /.*/true'
run "$SONDE" run -q -c "$(type -P true)" -e 'uprobe:libc:exit { @e[probe] = count() } uprobe:libc.so.6:exit { @f = count() }'; ok; has '^@e\[uprobe:/.*/libc\.so\.6:exit\]: 1$'; has '^@f: 1$'

# parameters and variables by name, at the entry and at a line, optimized and not
for prog in shop shop0; do
	run "$SONDE" run -q -c ./$prog -e "uprobe:./$prog:sell { printf(\"%d %s %d\\n\", args.n, str(args->what), args.g); @stock = args.stock } uprobe:./$prog@shop.c:$(cat line) { printf(\"line %d %d %d\\n\", \$left, \$n, \$stock); \$own = 1; @own = \$own }"; ok
	has '^2 apples 30$'; has '^line 3 0 73$'; has '^line 1 2 76$'; has '^@own: 1$'; has '^@stock: 75$'
done
run "$SONDE" run -q -c ./shop -e 'uprobe:./shop:sell { print(args.nn) }'; exits 255; err_has '1:28: uprobe:./shop:sell has no .nn'; err_has "^hint: did you mean 'n'"; err_has '^hint: uprobe:./shop:sell has: it, n, what, e, f, g, h, left$'
run "$SONDE" run -q -c ./shop -e 'uprobe:./shop@shop.c:2 { print(1) }'; exits 255; err_has '1:1: '
run "$SONDE" run -q -c ./shop -e 'uretprobe:./shop:sell { print(args.n) }'; exits 255; err_has 'args means nothing at uretprobe:./shop:sell'
strip -o bare shop
run "$SONDE" run -q -c ./bare -e 'uprobe:./bare@shop.c:17 { print(1) }'; exits 255; err_has 'lines: there is no debug information'; err_has '^hint: '
# names that were stripped off and are packed into the file (.gnu_debugdata)
objcopy --only-keep-debug shop shop.dbg; objcopy -S --remove-section .comment shop.dbg mini 2>/dev/null || cp shop.dbg mini
nm shop | awk '$2 == "t" || $2 == "T" { print $3 }' | sort >keep; objcopy -S --keep-symbols=keep shop.dbg mini; xz -kf mini
strip -o packed shop; objcopy --add-section .gnu_debugdata=mini.xz packed
run "$SONDE" run -q -c ./packed -e 'uprobe:./packed:sell { @ = count() } uprobe:./packed:*_shop { @w = count() }'; ok; has '^@: 3$'; has '^@w: 1$'

# C++ by the names of its source
cat >box.cc <<'C'
namespace ns { struct Box { int w; __attribute__((noinline)) int area(int h) { __asm__ volatile(""); return w * h; } }; __attribute__((noinline)) int twice(int x) { __asm__ volatile(""); return 2 * x; } __attribute__((noinline)) int twice(long x) { __asm__ volatile(""); return 2 * x; } }
int main() { ns::Box b{3}; return b.area(4) + ns::twice(1) + ns::twice(2l) == 18 ? 0 : 1; }
C
g++ -g -O1 -o box box.cc
run "$SONDE" run -q -c ./box -e 'uprobe:./box:cpp:"ns::Box::area" { printf("%s %d\n", func, arg1) } uprobe:./box:cpp:"ns::twice" { @t = count() } uprobe:./box:cpp:"ns::twice(long)" { @l = count() } uprobe:./box:cpp:"*tw*" { @w = count() } uprobe:./box:ns::Box::area { @u = count() }'; ok
has '^ns::Box::area 4$'; has '^@t: 2$'; has '^@l: 1$'; has '^@w: 2$'; has '^@u: 1$'

# markers: arguments with their signs and sizes, the semaphore, wildcards
run "$SONDE" run -q -c ./shop -e 'usdt:./shop:shop:sold { printf("%s %d %s %d %d\n", probe, arg0, str(arg1), arg2, arg2 < 0) } usdt:./shop:shop:c* { @[func] = count() } U:./shop:*:* { @all = count() }'; ok
has '^usdt:\./shop:shop:sold 2 apples -1234567890123 1$'; has '^watched$'; has '^@\[closed\]: 1$'; has '^@all: 4$'
run "$SONDE" run -q -c ./shop -e 'uprobe:./shop:main { @ = 1 }'; ok; hasnt watched
run "$SONDE" run -q -e 'usdt:./shop:shop:sold { print(arg3) }'; exits 255; err_has 'has arg0 to arg2'
run "$SONDE" run -q -e 'usdt:./shop:shop:slod { print(arg3) }'; exits 255; err_has "^hint: did you mean 'sold'"
run "$SONDE" run -q -e 'usdt:./box:shop:slod { print(arg3) }'; exits 255; err_has 'there are no markers'; err_has '^hint: '

# -p: this process, all its threads, and no other; -c: the command
mkfifo in; ./shop wait <in >/dev/null & target=$!
exec 7>in
"$SONDE" run -q -p $target -o with-p -e 'BEGIN { printf("begun\n") } uprobe:./shop:sell { @ = count(); printf("hit %d\n", pid == '$target') } usdt:./shop:shop:sold { printf("usdt\n") } uprobe:shop:hidden_away { printf("by name\n") }' 7>&- & runs=$!
await 'grep -qs begun with-p && ready $runs'
./shop >/dev/null; printf xx >&7
await '[ "$(grep -c hit with-p)" = 2 ]'
run "$SONDE" run -q -c ./shop -e 'uprobe:./shop:sell { @[pid == cpid] = count() }'; ok; same "$(grep '^@' "$T/out")" '@[1]: 3'
exec 7>&-; wait $target; wait $runs || fail "-p: its end is no failure"
same "$(grep -v '^$' with-p)" "$(printf 'begun\nhit 1\nusdt\nby name\nhit 1\nusdt\nby name\nhit 1\nusdt\nhit 1\nusdt\nhit 1\nusdt\n@: 5')" "-p sees one process"

# functions that begin with what the kernel takes no probe at: left out of wildcards, refused by name; the rest by one link
cat >odd.c <<'C'
__asm__(".globl locked, vectors\n.type locked, @function\nlocked: lock incl counter(%rip)\nret\n.size locked, .-locked\n.type vectors, @function\nvectors: vzeroupper\nret\n.size vectors, .-vectors");
int counter; void locked(void), vectors(void);
__attribute__((noinline)) void plain(void) { __asm__ volatile("nop"); }
int main(void) { plain(); locked(); return counter != 1; }
C
gcc -g -O1 -o odd odd.c
run "$SONDE" run -q -c ./odd -e 'uprobe:./odd:* { @[func] = count() }'; ok; has '^@\[plain\]: 1$'; hasnt locked; err_has '2 of these places left out'
run "$SONDE" run -q -c ./odd -e 'uprobe:./odd:locked { @[func] = count() }'; exits 255; err_has 'takes no probe at uprobe:./odd:locked'; err_has '^hint: '
run "$SONDE" run -q -c ./odd -e 'uprobe:./odd:locked,uprobe:./odd:plain { @[func] = count() }'; ok; has '^@\[plain\]: 1$'; err_has '1 of these places left out'

# a 32-bit program: its arguments are on the stack, in words of four bytes
cat >narrow.s <<'S'
	.globl _start, two
	.type two, @function
two:	movl 4(%esp), %eax
	subl 8(%esp), %eax
	ret
	.size two, .-two
_start:	pushl $77
	pushl $-5
	call two
	movl $1, %eax
	xorl %ebx, %ebx
	int $0x80
S
if gcc -m32 -nostdlib -static -o narrow narrow.s && ./narrow; then
	run "$SONDE" run -q -c ./narrow -e 'uprobe:./narrow:two { printf("%d %d %d\n", (int32)arg0, arg1, sarg1) } uretprobe:./narrow:two { printf("= %d %d\n", (int32)retval, retval >> 32) }'; ok; has '^-5 77 77$'; has '^= -82 0$'
	run "$SONDE" run -q -c ./narrow -e 'uprobe:./narrow:two { print(args.x) }'; exits 255; err_has 'a 32-bit program'
fi 2>/dev/null

# what is not there: a warning beside something that is, else a refusal with what is near
run "$SONDE" run -q -c ./shop -e 'uprobe:./shop:sel,uprobe:./shop:sell { @ = count() }'; ok; has '^@: 3$'; err_has 'uprobe:./shop:sel is not here'
run "$SONDE" run -e 'uprobe:./shop:sel { @ = count() }'; exits 255; err_has "there is no function 'sel' in ./shop"; err_has "^hint: did you mean 'sell'"
run "$SONDE" run -e 'uprobe:./shop:zz* { @ = count() }'; exits 255; err_has 'there is no such probe here: uprobe:./shop:zz'
run "$SONDE" run -e 'uprobe:./nothing:f { }'; exits 255; err_has "there is no file './nothing'"; err_has '^hint: '
run "$SONDE" run -e 'uprobe:libnothing:f { }'; exits 255; err_has "there is no program 'libnothing'"; err_has '^hint: '
run "$SONDE" run -e 'uprobe:./line:f { }'; exits 255; err_has 'is not an ELF file'
run "$SONDE" run -e 'uprobe:./shop:sell+4000 { }'; exits 255; err_has '\+4000 is outside of it'
run "$SONDE" run -e 'uprobe:./shop { }'; exits 255; err_has 'uprobe:FILE:FUNCTION'; err_has '^hint: '
run "$SONDE" run -q -e 'uprobe:./shop:sell { print(retval) }'; exits 255; err_has 'retval means nothing at uprobe:./shop:sell'
run "$SONDE" run -q -e 'uprobe:./shop:sell { print(reg("xx")) }'; exits 255; err_has "no register 'xx'"; err_has '^hint: there are: .*ip'

# listed: functions, with their parameters; markers
run "$SONDE" run -l 'uprobe:./shop:*'; ok; has '^uprobe:\./shop:sell$'; has '^uprobe:\./shop:close_shop$'; hasnt '^ '; hasnt shop_sold_semaphore
run "$SONDE" run -lv 'u:./shop:se*'; ok; same "$(cat "$T/out")" "$(printf 'uprobe:./shop:sell\n    struct item* it\n    int n\n    char* what\n    long int e\n    long int f\n    long int g\n    long int h')" "parameters in their order"
run "$SONDE" run -l 'usdt:./shop'; ok; same "$(cat "$T/out")" "$(printf 'usdt:./shop:shop:sold\nusdt:./shop:shop:closed')"
run "$SONDE" run -l 'uprobe:./shop:zz*'; exits 255; err_has "there is no probe 'uprobe:./shop:zz"

# memory that is written, of one process
gcc -O0 -no-pie -x c -o watched - <<<'long counter; int main(void) { for (int i = 0; i < 5; i++) counter += i; return 0; }'
address=$(nm watched | sed -n 's/ B counter$//p')
run "$SONDE" run -q -c ./watched -e "watchpoint:0x$address:8:w /comm == \"watched\"/ { @[ustack(1)] = count() } w:0x$address:8:rw { @rw = count() }"; ok; awk '/^ *main\+/ { getline; if ($0 == "]: 5") found = 1 } END { exit !found }' "$T/out" || fail "five writes in main"
run "$SONDE" run -e "watchpoint:0x$address:8:w { }"; exits 255; err_has 'an address of programs'; err_has '^hint: -p PID or -c'
for bad in 0x10:3:w 0x10:8:q 0x11:8:w 0x10:8 x:8:w; do run "$SONDE" run -c true -e "watchpoint:$bad { }"; exits 255; err_has '^hint: watchpoint:0x'; done

# kill -9 leaves nothing: no semaphore is up, no breakpoint is in the code
after 'ready $pid' KILL "$SONDE" run -q -e 'usdt:./shop:shop:sold { @ = count() } uprobe:./shop:* { @u = count() }' || :
exits 137
gone() { ./shop >seen; ! grep -q watched seen; }
await gone
