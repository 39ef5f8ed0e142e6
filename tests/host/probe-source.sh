# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc clang
# Probes by source: values of variables, members, arrays and bit fields as the program has them.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
g=sps$$ inst=/sys/kernel/tracing/instances/sps$$
own_instance
for cc in gcc clang; do for o in 0 1 2 3; do
	$cc -g -O$o -o "p-$cc-$o" "$TOP/tests/data/probe-shapes.c"
	run "$SONDE" probe -x "./p-$cc-$o" -a "$g:work=work n=local->n label=local->label:string two=local->field[2].name:string high=local->field[2].high low=local->list[2].low z=local->field[1].z deep=local->next->next->label:string half=local->half cell=local->grid[1][3] k text:string global_count kept_n=kept.n"
	ok
	echo 1 >"$inst/events/$g/enable"
	"./p-$cc-$o" >/dev/null
	echo 0 >"$inst/events/$g/enable"
	cp "$inst/trace" "$T/out"; : >"$inst/trace"
	has " work: .* n=3 label=\"hello\" two=\"two\" high=(21|0x15) low=(5|0x5) z=-9 deep=\"hello\" half=9029 cell=1303 k=4 text_string=\"./p-$cc-$o\" global_count=7 kept_n=3$"
	run "$SONDE" probe -q -d "$g:*"; ok
done; done
# what the source looks like
run "$SONDE" probe -x ./p-gcc-0 -L work; ok
has "^<work@.*/tests/data/probe-shapes.c:0>$"; has '^ +0  __attribute__'; has '^ +5  .*sum \+= local'; has '^         $'
run "$SONDE" probe -x ./p-gcc-0 -L work:4-5; ok; has '^ +4  .*for'; hasnt 'puts'
run "$SONDE" probe -x ./p-gcc-0 -L probe-shapes.c:34; ok; has '^ +34  .*puts\(text\)'
cp "$TOP/tests/data/probe-shapes.c" moved.c; gcc -g -o moved moved.c; mkdir far; mv moved.c far/
run "$SONDE" probe -x ./moved -L work; exits 255; err_has 'the source file is not here: .*moved.c'; err_has '^hint: .*-s DIR'
run "$SONDE" probe -x ./moved -s far -L work; ok; has 'int sum'
# variables
run "$SONDE" probe -x ./p-gcc-2 -V work; ok
has '^Available variables at work$'; has '@<work\+0>'; has $'^\t\tstruct outer\*\tlocal$'; has $'\tint\tk$'; has $'\tchar\*\ttext$'
run "$SONDE" probe -x ./p-gcc-2 --externs -V work; ok; has $'\tint\tglobal_count$'
run "$SONDE" probe -x ./p-gcc-2 --range -V work:5; ok; has $'\\[VAL\\]\tint\tk\t@<work\\+\\[[0-9]+-[0-9]+'
# places: lines, files, patterns, inlined copies
run "$SONDE" probe -x ./p-gcc-0 -D 'work:6'; ok; has '^p:probe_p/work_L6 '
run "$SONDE" probe -x ./p-gcc-0 -D 'probe-shapes.c:34'; ok; has '^p:probe_p/work '
run "$SONDE" probe -x ./p-gcc-0 -D 'work;sum+=*'; ok; has '^p:probe_p/work '
run "$SONDE" probe -x ./p-gcc-0 -D 'work;sum+=* k'; ok; has '^p:probe_p/work .* k=' # a blank ends the pattern
run "$SONDE" probe -x ./p-gcc-0 -D 'work;sum += *'; exits 255; err_has '^hint: a pattern ends at a blank'
run "$SONDE" probe -x ./p-gcc-2 -D 'tripled'; ok; has '^p:probe_p/tripled '
run "$SONDE" probe -x ./p-gcc-2 -D 'work@probe-shapes.c'; ok
run "$SONDE" probe -x ./p-gcc-2 -D 'work $params'; ok; has 'local=%di:x64 k=%si:s32 text=%dx:x64$'
run "$SONDE" probe -x ./p-gcc-2 -D 'work%return $retval:s32'; ok; has '^r:probe_p/work__return .* \$retval:s32$'
# and what cannot be
run "$SONDE" probe -x ./p-gcc-2 -D 'work:300'; exits 255; err_has 'line 300 of work has no code'; err_has '^hint: the nearest line'
run "$SONDE" probe -x ./p-gcc-2 -D 'work local:string'; exits 255; err_has 'local \(struct outer\*\) is not a string'
run "$SONDE" probe -x ./p-gcc-2 -D 'work local->fieldd'; exits 255; err_has "struct outer has no member 'fieldd'"; err_has "did you mean 'field'"
run "$SONDE" probe -x ./p-gcc-2 -D 'work locl'; exits 255; err_has "there is no variable 'locl'"; err_has "did you mean 'local'"
run "$SONDE" probe -x ./p-gcc-2 -D 'work local->field[9].z'; exits 255; err_has 'outside of the array: it has 4'
run "$SONDE" probe -x ./p-gcc-2 -D 'nosuch:3'; exits 255; err_has "no function 'nosuch'"
run "$SONDE" probe -x ./p-gcc-2 -D 'nosuch.c:3'; exits 255; err_has "no source file 'nosuch.c'"
run "$SONDE" probe -x ./p-gcc-2 -D 'work k->x'; exits 255; err_has 'int is not a structure'
cat >gone.c <<'C'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) int f(int a)
{
	int early = a * 3;
	printf("%d\n", early);
	srand(a);
	early = rand();
	int late = early ^ 77;
	puts("x");
	int kept = rand();
	puts("y");
	printf("%d\n", kept);
	return late + rand();
}
int main(int c, char **v) { (void)v; return f(c) & 0; }
C
gcc -g -O2 -o gone gone.c
run "$SONDE" probe -x ./gone -D 'f:1 kept'; exits 255; err_has "'kept' (is optimized out|cannot be fetched) at f\+"; err_has 'available at lines? [0-9]+.* of f'
for n in $(sed -n 's/^hint: available at lines* \(.*\) of f .*/\1/p' "$T/err" | grep -o '[0-9]*'); do # and it is true
	run "$SONDE" probe -x ./gone -D "f:$n kept"; ok; has ' kept=[^ ]*:s32$'
done
run "$SONDE" probe -x ./gone -D 'f:1 late'; exits 255; err_has "'late' (is optimized out|cannot be fetched) at f\+"
n=$(sed -n 's/^hint: no line begins .* it is at \(f+[0-9]*\)$/\1/p' "$T/err")
[ -z "$n" ] || { run "$SONDE" probe -x ./gone -D "$n late"; ok; has ' late=[^ ]*:s32$'; }
cat >never.c <<'C'
#include <stdio.h>
__attribute__((noinline)) int f(int k) { int triple = k * 3; printf("%d\n", k); printf("%d\n", triple); return k; }
int main(int c, char **v) { (void)v; return f(c) & 0; }
C
gcc -g -O2 -o never never.c
run "$SONDE" probe -x ./never -D 'f triple'
[ "$code" = 0 ] || { err_has "'triple' "; err_hasnt 'available at line'; } # described at each line, and kept at none
strip -o stripped p-gcc-2
run "$SONDE" probe -x ./stripped -V work; exits 255; err_has 'there is no debug information for .*stripped'
run "$SONDE" probe -x /bin/ls -V acl_access_nontrivial; exits 255; err_has 'no debug information for .*/ls'; err_has '^hint: '
# one line of a header, in several functions in turn: one definition all the same
cat >mixed.h <<'C'
static inline __attribute__((always_inline)) int leaf(volatile int *p) { return *p * 3; }
static inline __attribute__((always_inline)) int wrap(volatile int *p)
{ return leaf(p) + leaf(p + 1); }
C
cat >mixed.c <<'C'
#include "mixed.h"
volatile int v[4];
__attribute__((noinline)) int one(void) { return wrap(v); }
__attribute__((noinline)) int two(void) { return leaf(v) + wrap(v + 2); }
int main(void) { return one() + two() + wrap(v + 1); }
C
gcc -g -O2 -o mixed mixed.c
for line in 1 3; do run "$SONDE" probe -x ./mixed -D "mixed.h:$line"; ok; has '^p:probe_mixed/'; done
