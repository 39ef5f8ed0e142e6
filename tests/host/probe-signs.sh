# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc clang python3
# Negative chars and shorts, arrays of them and characters: the program's own values, in every form of output.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
echo '#include <sys/sdt.h>' | gcc -E - >/dev/null 2>&1 || skip "no sys/sdt.h (systemtap-sdt-dev)"
g=sps$$
trap '"$SONDE" probe -q -d "$g:*" 2>/dev/null || :' EXIT
cat >signs.c <<'C'
#include <stdio.h>
#include <sys/sdt.h>
signed char bytes[] = { -1, 0, 2, -128 };
short shorts[] = { -500, 3, 32767 };
__attribute__((noinline)) short work(signed char sc, short sh, int in, long lo, unsigned char uc, unsigned short us)
{
	DTRACE_PROBE4(signs, mark, sc, sh, in, uc);
	printf("sc=%d sh=%d in=%d lo=%ld uc=%d us=%d ch=%c\n", sc, sh, in, lo, uc, us, uc);
	return sh - sc;
}
__attribute__((noinline)) int look(signed char *b, short *s)
{
	__asm__ volatile("" ::: "memory");
	return b[0] + s[0];
}
int main(void)
{
	short r = work(-6, -500, -70000, -5000000000, 'A', 65036);
	look(bytes, shorts);
	return r == -494 ? 0 : 1;
}
C
cat >handlers.py <<P
def show(name, e):
    print(name, ' '.join('%s=%s' % (k, e[k]) for k in ('sc', 'sh', 'in', 'lo', 'arg1', 'arg2', 'r') if k in e))
def trace_unhandled(name, context, fields, sample):
    show(name.split('__')[1], fields)
P
for cc in gcc clang; do for o in 0 2; do
	$cc -g -O$o -o signs signs.c
	run "$SONDE" probe -q -x ./signs -a "$g:work=work sc=sc:s8 sh=sh:s16 in=in:s32 lo=lo:s64 uc=uc:u8 us=us:u16 ch=uc:char" -a "$g:named=work sc sh in lo" \
		-a "$g:mark=%signs:mark" -a "$g:ret=work%return r=\$retval:s16" -a "$g:look=look b=+0(%di):s8[4] s=+0(%si):s16[3] c=+0(%di):char[1]"; ok
	run "$SONDE" record -q -o all.data -e "$g:*" ./signs; ok
	own=$(grep '^sc=' "$T/out"); same "$own" 'sc=-6 sh=-500 in=-70000 lo=-5000000000 uc=65 us=65036 ch=A'
	check() { # what each probe's line has
		has " sc=-6 sh=-500 in=-70000 lo=-5000000000 uc=65 us=65036 ch='A'"; has ' sc=-6 sh=-500 in=-70000 lo=-5000000000[ )]*$'
		has ' arg1=-6 arg2=-500 arg3=-70000 arg4=65'; has ' r=-494'; has " b=\\{-1,0,2,-128\\} s=\\{-500,3,32767\\} c=\\{'.xff'\\}"
	}
	run "$SONDE" script -i all.data; ok; check
	run "$SONDE" report -i all.data -s trace; ok; check
	run "$SONDE" report -i all.data -s sc,sh,r,b; ok
	has '100.00% +-6 +-500'; has '100.00% .* -494'; has '\{-1,0,2,-128\}'
	run "$SONDE" trace --no-syscalls --event "$g:*" -o text ./signs; ok; cp text "$T/out"; check
	run "$SONDE" script --json -i all.data; ok; cp "$T/out" script.json
	run "$SONDE" trace --json --no-syscalls --event "$g:*" -o trace.json ./signs; ok
	python3 - "$g" <<'P' || fail "json"
import json, sys
want = {'work': {'sc': -6, 'sh': -500, 'in': -70000, 'lo': -5000000000, 'uc': 65, 'us': 65036, 'ch': 65},
        'named': {'sc': -6, 'sh': -500, 'in': -70000, 'lo': -5000000000}, 'mark': {'arg1': -6, 'arg2': -500, 'arg3': -70000, 'arg4': 65},
        'ret': {'r': -494}, 'look': {'b': [-1, 0, 2, -128], 's': [-500, 3, 32767], 'c': [255]}}
for name in 'script.json', 'trace.json':
    seen = set()
    for line in open(name):
        e = json.loads(line)
        if ':' not in e.get('event', ''): continue
        event = e['event'].split(':')[1]
        fields = {k: v for k, v in e['fields'].items() if not k.startswith('__probe')}
        if fields != want[event]: sys.exit('%s: %s: %s' % (name, event, fields))
        if 'text' in e and 'sh' in fields and 'sh=%d' % fields['sh'] not in e['text']: sys.exit(line)
        seen.add(event)
    if seen != set(want): sys.exit('%s: %s' % (name, seen))
P
	run "$SONDE" script -i all.data -s handlers.py; ok
	has '^work sc=-6 sh=-500 in=-70000 lo=-5000000000$'; has '^mark arg1=-6 arg2=-500$'; has '^ret r=-494$'
	run "$SONDE" probe -q -d "$g:*"; ok
done; done
# a field whose name another one's begins with
run "$SONDE" probe -q -x ./signs "$g:two=work sc_long=%si:s16 sc=%di:s8"; ok
run "$SONDE" record -q -o two.data -e "$g:two" ./signs; ok
run "$SONDE" report -i two.data -s sc; ok; has '100.00% +-6 *$'
