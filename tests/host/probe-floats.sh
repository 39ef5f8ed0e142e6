# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc clang g++
# No probe reads %xmm0: results and parameters that are there are refused, and those beside them are found where they are.
cat >floats.c <<'C'
#include <complex.h>
#define N __attribute__((noinline))
struct dd { double a, b; };
struct di { double a; int i; };
struct id { int i; double a; };
struct big { double a[4]; };
typedef double number;
N double fd(double x, int n) { __asm__ volatile(""); return x * n; }
N float ff(float x) { __asm__ volatile(""); return x * 2; }
N number ft(int n) { __asm__ volatile(""); return n; }
N long double fl(long double x) { __asm__ volatile(""); return x * 2; }
N double complex fc(double x) { __asm__ volatile(""); return x * 2 + 1i; }
N struct dd fdd(double x) { __asm__ volatile(""); return (struct dd){ x, x }; }
N struct di fdi(double x) { __asm__ volatile(""); return (struct di){ x, 3 }; }
N struct id fid(double x) { __asm__ volatile(""); return (struct id){ 3, x }; }
N struct big fb(double x, int n) { __asm__ volatile(""); return (struct big){ { x, n } }; }
N int fi(double x, struct dd d, int n) { __asm__ volatile(""); return x + d.a + d.b + n; }
N void fv(int n) { __asm__ volatile("" : : "r"(n)); }
N double *fp(double *x) { __asm__ volatile(""); return x; }
int main(void) { fv(1); double z = fd(1.5, 2) + ff(2) + ft(1) + fl(3) + creal(fc(1)) + fdd(1).b + fdi(1).a + fid(1).a + fb(1, 2).a[0] + fi(2.5, fdd(1), 7); return *fp(&z) == 1; }
C
for cc in gcc clang; do for o in 0 2; do
	$cc -g -O$o -o floats floats.c
	for f in 'fd double %xmm0' 'ff float %xmm0' 'ft number %xmm0' 'fl long.double %st.0.' 'fc complex %xmm0' 'fdd struct.dd %xmm0' 'fdi struct.di %xmm0'; do
		set -- $f
		run "$SONDE" probe -x ./floats -D "$1%return \$retval"; exits 255
		err_has "\\\$retval cannot be fetched: $1 returns $2.*, which is in $3: no probe reads that register"; err_has '^hint: .*-V'
		run "$SONDE" probe -x ./floats -D "$1%return x=\$retval:x64"; exits 255
		run "$SONDE" probe -x ./floats -D "$1%return"; ok
	done
	run "$SONDE" probe -x ./floats -D 'fv%return $retval'; exits 255; err_has '\$retval cannot be fetched: fv returns nothing \(void\)'; err_has '^hint: '
	run "$SONDE" probe -x ./floats -D 'fv%return'; ok
	for f in fid fb fi fp; do run "$SONDE" probe -x ./floats -D "$f%return \$retval"; ok; done
	run "$SONDE" probe -x ./floats -D 'fd $arg1'; exits 255; err_has "parameter 1 of fd, 'x', cannot be fetched: it is in a register that probes cannot read"
	run "$SONDE" probe -x ./floats -D 'fd a=$arg2:s32'; ok; has ' a=%di:s32$'
	run "$SONDE" probe -x ./floats -D 'fi a=$arg3:s32'; ok; has ' a=%di:s32$'
	run "$SONDE" probe -x ./floats -D 'fb a=$arg2:s32'; ok; has ' a=%si:s32$' # the first says where the result goes
	if [ $o = 2 ]; then
		for v in 'fd x' 'ff x' 'fi d.a' 'fi d.b'; do
			run "$SONDE" probe -x ./floats -D "$v"; exits 255; err_has 'a register that probes cannot read .a vector or floating-point one'
		done
	fi
done; done
cat >floats.cc <<'C'
struct plain { double a; };
struct made { double a; made(double x) : a(x) {} made(const made &o) : a(o.a + 1) {} };
__attribute__((noinline)) double scale(double x) { __asm__ volatile(""); return x * 2; }
__attribute__((noinline)) made make(double x) { __asm__ volatile(""); return made(x); }
int main(int c, char **) { return scale(c) + make(c).a == 1; }
C
g++ -g -O2 -o floats floats.cc
run "$SONDE" probe -x ./floats -D 'scale%return $retval'; exits 255; err_has 'scale returns double, which is in %xmm0'
run "$SONDE" probe -x ./floats -D 'make%return $retval'; ok # its address
# without debug information nobody can know
strip floats; g++ -O2 -o floats floats.cc
run "$SONDE" probe -x ./floats -D '_Z5scaled%return $retval'; ok
