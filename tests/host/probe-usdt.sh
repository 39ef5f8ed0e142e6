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
