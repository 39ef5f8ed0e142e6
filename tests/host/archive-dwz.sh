# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf dwz gcc
# DWARF that dwz moved into a file of its own goes into the archive too: inlined functions keep their names.
cat >shared.h <<'C'
struct shared_one { int a, b, c; char text[20]; struct shared_one *next; };
struct shared_two { struct shared_one in[4]; long sum; unsigned char bytes[33]; struct shared_two *other; };
static inline __attribute__((always_inline)) long shared_inlined(struct shared_two *t, long n)
{
	for (int i = 0; i < 100000; i++)
		t->sum += i * n + t->in[i & 3].a;
	return t->sum;
}
C
for p in one two; do
	cat >$p.c <<C
#include "shared.h"
volatile long $p; struct shared_two two_$p;
__attribute__((noinline)) void busy_$p(void) { $p += shared_inlined(&two_$p, $p); }
int main(void) { for (int i = 0; i < 1500; i++) busy_$p(); return 0; }
C
	gcc -O1 -g -o $p $p.c
done
dwz -m common.dwz -r one two 2>dwz.err || skip "dwz: $(cat dwz.err)"
readelf -S one | grep gnu_debugaltlink >/dev/null || skip "dwz found nothing to share"
perf record -q -N --buildid-mmap --call-graph dwarf,2048 -e cpu-clock -F 999 -o rec.data ./one >/dev/null 2>&1 || skip "perf cannot record here"
run "$SONDE" script -i rec.data; ok; has 'shared_inlined.*\(inlined\)'; cp "$T/out" before
run "$SONDE" archive -i rec.data; ok
id=$(readelf -n common.dwz | sed -n 's/.*Build ID: //p')
run tar --zstd -tf rec.data.sonde; ok; has "^.build-id/${id:0:2}/${id:2}/debug\$"
mkdir gone; mv one two common.dwz gone/
run "$SONDE" script -i rec.data.sonde; ok
grep -vE 'linux-vdso|\.so' before >want; grep -vE 'linux-vdso|\.so' "$T/out" >got
diff want got >differ || { head differ; fail "the archive gives other frames"; }
has 'shared_inlined.*\(inlined\)'
