# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc
# Markers in programs: found, listed, their arguments fetched, their semaphore raised.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
echo '#include <sys/sdt.h>' | gcc -E - >/dev/null 2>&1 || skip "no sys/sdt.h (systemtap-sdt-dev)"
prov=shop$$ inst=/sys/kernel/tracing/instances/spu$$
cleanup() {
	[ -d "$inst" ] && { echo 0 >"$inst/events/sdt_$prov/enable" || :; } 2>/dev/null
	"$SONDE" probe -q -d "sdt_$prov:*" 2>/dev/null || :
	[ -d "$inst" ] && rmdir "$inst"
	:
}
trap cleanup EXIT
cat >shop.c <<C
#define _SDT_HAS_SEMAPHORES 1
#include <stdio.h>
#include <sys/sdt.h>
unsigned short ${prov}_sold_semaphore __attribute__((section(".probes")));
unsigned short ${prov}_opened_semaphore __attribute__((section(".probes")));
long stock = 99;
int main(int argc, char **argv)
{
	signed char c = -3;
	(void)argv;
	DTRACE_PROBE1($prov, opened, argc);
	for (long i = 0; i < 3; i++) {
		if (${prov}_sold_semaphore)
			printf("watched\n");
		DTRACE_PROBE4($prov, sold, argc * 250 + i, c, 7, stock);
	}
	return 0;
}
C
mkdir "$inst"
for o in 0 2; do
	gcc -O$o -o shop shop.c
	run "$SONDE" probe -x ./shop -F '%*'; ok; has "^%$prov:sold$"; has "^%$prov:opened$"
	run "$SONDE" probe -x ./shop -D "%$prov:sold"; ok; has "^p:sdt_$prov/sold .*/shop:0x[0-9a-f]+\(0x[0-9a-f]+\) arg1=[^ ]+:s64 arg2=[^ ]+:s8 arg3=[^ ]+:s32 arg4=[^ ]+:s64$"
	run "$SONDE" probe -x ./shop -a "%$prov:sold" -a "sdt_$prov:opened"; ok; has "^  sdt_$prov:sold"
	run ./shop; hasnt watched
	echo 1 >"$inst/events/sdt_$prov/enable"
	run ./shop; ok; has '^watched$'
	echo 0 >"$inst/events/sdt_$prov/enable"
	cp "$inst/trace" "$T/out"; : >"$inst/trace"
	has 'sold: .*arg1=250 arg2=-3 arg3=7 arg4=99$'; has 'sold: .*arg1=252 arg2=-3'; has 'opened: .*arg1=1$'
	run "$SONDE" probe -d "sdt_$prov:*"; ok
done
run "$SONDE" probe -x ./shop -D "%$prov:solt"; exits 255; err_has "has no marker $prov:solt"; err_has "did you mean 'sold'"
run "$SONDE" probe -x "$SONDE" -D "%x:y"; exits 255; err_has 'has no markers'
run "$SONDE" probe "%x:y"; exits 255; err_has 'markers are in programs'; err_has 'hint: name the file'
# what a marker's arguments point to
cat >text.c <<C
#include <sys/sdt.h>
struct item { int count; const char *name; };
char text[] = "in a variable";
char *volatile pointer = text;
__attribute__((noinline)) void work(const char *msg, struct item *item, short n)
{
	char local[] = "on the stack";
	DTRACE_PROBE4($prov, text, msg, item, n, 5);
	DTRACE_PROBE2($prov, places, local, pointer);
	__asm__ volatile("" :: "r"(local) : "memory");
}
int main(void) { struct item i = { -5, "inner" }; work("hello", &i, -7); return 0; }
C
for o in 0 2; do
	gcc -g -O$o -o text text.c
	run "$SONDE" probe -q -x ./text -a "%$prov:text arg1:string arg3:s8" -a "%$prov:places arg1:string +0(arg2):string" \
		-a "sdt_$prov:more=%$prov:text s=arg1:string t=+0(arg1):string name=+0(+8(arg2)):string c=+0(arg2):s32"; ok
	run "$SONDE" record -q -o text.data -e "sdt_$prov:*" ./text; ok
	run "$SONDE" script -i text.data; ok
	has 'text: .* arg1="hello" arg2=[0-9]+ arg3=-7 arg4=5$'; has 'places: .* arg1="on the stack" arg2="in a variable"$'
	has 'more: .* arg1=[0-9]+ arg2=[0-9]+ arg3=-7 arg4=5 s="hello" t="hello" name="inner" c=-5$'
	run "$SONDE" probe -q -d "sdt_$prov:*"; ok
done
run "$SONDE" probe -x ./text -D "%$prov:text arg9:string"; exits 255; err_has 'this marker has arg1 to arg4'
run "$SONDE" probe -x ./text -D "%$prov:text msg"; exits 255; err_has "'msg': this marker has arg1 to arg4"
for a in arg3 arg4; do run "$SONDE" probe -x ./text -D "%$prov:text $a:string"; exits 255; err_has "$a of the marker .* points to nothing"; done
# a register is a number, its string is elsewhere
for a in %di \$arg1 \$stack0; do
	run "$SONDE" probe -x ./text -D "work $a:string"; exits 255; err_has "the string that it points to is \\+0\\(.${a#?}\\):string"
done
run "$SONDE" probe -x ./text -D 'work%return $retval:ustring'; exits 255; err_has 'is \+0\(\$retval\):ustring'
run "$SONDE" probe -x ./text -D 'work +0(%di):string $comm:string'; ok
