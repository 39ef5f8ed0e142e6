# SPDX-License-Identifier: GPL-2.0-or-later
# SystemTap's places in programs: by file and line, inlined or not, as stap -L lists them; variables as text.
# needs: gcc
[ "$(id -u)" = 0 ] || skip "scripts that ask the kernel are for root"
[ -e /sys/bus/event_source/devices/uprobe ] || skip "no uprobes"
cat >shop.c <<'C'
struct maker { int year; char town[8]; };
struct item { int id; const char *name; struct maker by; int sizes[3]; void *none; };
static inline __attribute__((always_inline)) int twice(int v) { __asm__ volatile("" : : "r"(v)); return v * 2; }
__attribute__((noipa)) int sell(struct item *it, int n)
{
	int left = n + 70;
	__asm__ volatile("" : : "r"(left) : "memory"); /* here */
	return it->id + twice(left);
}
__attribute__((noipa)) void shut(void) { __asm__ volatile(""); }
int main(void)
{
	char word[] = "pear"; /* in memory from the begin */
	struct item it = { 5, word, { 1999, "Paris" }, { 1, 2, 3 }, 0 };
	int sold = sell(&it, 2);
	shut();
	return sold == 0;
}
C
gcc -g -O1 -o shop shop.c
here=$(sed -n '/here/=' shop.c)
ln -s "$SONDE" stap; ln -s "$SONDE" staprun
lists() { run timeout 60 ./stap "$1" "$2"; ok; same "$(sort "$T/out")" "$3" "$2"; }
P='process("./shop")'
lists -L "$P.function(\"sell\")" "$P.function(\"sell@$PWD/shop.c:4\") \$it:struct item* \$n:int"
lists -L "$P.function(\"sell\").return" "$P.function(\"sell@$PWD/shop.c:4\").return \$return:int \$it:struct item* \$n:int"
lists -L "$P.function(\"shut\").return" "$P.function(\"shut@$PWD/shop.c:10\").return" # it returns nothing
lists -l "$P.function(\"*\").inline" "$P.function(\"twice@$PWD/shop.c:3\").inline"
lists -l "$P.function(\"s*@shop.c\").call" "$P.function(\"sell@$PWD/shop.c:4\").call"$'\n'"$P.function(\"shut@$PWD/shop.c:10\").call"
lists -L "$P.statement(\"sell@shop.c:$here\")" "$P.statement(\"sell@$PWD/shop.c:$here\") \$it:struct item* \$n:int \$left:int"
lists -L syscall.close 'syscall.close name:string argstr:string $fd:unsigned int'
lists -L syscall.close.return 'syscall.close.return name:string retval:long retstr:string $return:long $fd:unsigned int'
lists -L 'timer.s(1)' 'timer.s(1)'
lists -l 'scheduler.ctxswitch' 'scheduler.ctxswitch'

gives() { run timeout 60 ./stap -c ./shop -e "probe $P.$1 { $2 }"; ok; same "$out" "$3" "$1"; }
refuses() { run timeout 60 ./stap -c ./shop -e "probe $P.$1 { $2 }"; exits 255; err_has "$3"; }
gives 'function("sell").call' 'println($it$, " ", $n$)' '{.id=5, .name="pear", .by={...}, .sizes=[...], .none=0x0} 2'
gives 'function("sell@shop.c")' 'println($it$$)' '{.id=5, .name="pear", .by={.year=1999, .town="Paris"}, .sizes=[1, 2, 3], .none=0x0}'
gives 'function("sell")' 'println($it->by$, " ", $it->name$)' '{.year=1999, .town="Paris"} "pear"'
gives 'function("sell").return' 'println($return, " ", $$return, " ", $it->by$, " ", $n)' '149 return=0x95 {.year=1999, .town="Paris"} 2'
gives 'function("sell").return' 'println($$parms$)' 'it={.id=5, .name="pear", .by={...}, .sizes=[...], .none=0x0} n=2'
gives "statement(\"sell@shop.c:$here\")" 'printf("%d [%s] [%s]\n", $left, $$locals, substr($$vars, 0, 5))' '72 [left=0x48] [it=0x]'
gives 'function("sell")' 'println($$locals)' 'left=?' # not yet there
gives 'function("twice").inline' 'println(pp(), " ", substr($$parms, 0, 2))' 'process("./shop").function("twice").inline v='
gives 'function("shut@shop.c:10")' 'println(ppfunc(), "[", $$vars, "]")' 'shut[]'
refuses 'function("sell").inline' '' 'sell is inlined nowhere$'
refuses 'function("twice").call' '' "there is no function 'twice' in ./shop\$"
refuses 'function("sell@none.c")' '' "there is no function 'sell' in none\\.c\$"
refuses 'function("sell")' 'println($nothing$)' "has no 'nothing'\$"
# what cannot be had is told, never an end without a word
strip -o bare shop
run ./stap -e 'probe process("./bare").function("sell").inline { }'; exits 255; err_has 'inlined functions: .*debug information'

# -p4 -m NAME, and staprun, as documents have it; a module of the kernel's is none of ours
run ./stap -p4 -m hello -e 'probe begin { println("hello") exit() }'; ok; [ -s hello.ko ] || fail "nothing was made"
run ./staprun hello.ko; ok; same "$out" hello
run ./stap -v -m hello -e 'probe begin { exit() }'; ok; err_has '^-m changes nothing'
printf '\177ELF and more' >module.ko
run ./staprun module.ko; exits 255; err_has "module\\.ko is a module of the kernel's"; err_has '^hint: .*--save'
