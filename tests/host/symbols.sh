# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc g++ objcopy strip xz
# Where a function's name may come from: each kind of binary is recorded and its hot function looked for.
export HOME=$T
cat >busy.c <<'C'
#include <unistd.h>
volatile long n;
__attribute__((noinline)) static void hot_function(void) { for (int i = 0; i < 1000000; i++) n += i; }
int main(int argc, char **argv) { for (int i = 0; i < 60; i++) hot_function(); return 0; }
C
named() { # NAME DSO COMMAND...: a recording of the command has samples in NAME
	local name=$1 dso=$2; shift 2
	"$SONDE" record -q -F 1999 -e cpu-clock -o s.data "$@" >/dev/null 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
	run "$SONDE" script -i s.data -F ip,sym,dso; ok
	[ "$(grep -F -- " $name (" "$T/out" | grep -cF "/$dso)")" -gt 0 ] || { sort "$T/out" | uniq -c | sort -rn | sed 5q; fail "$name of $dso is not named"; }
}
gcc -O1 -g -o plain busy.c
named hot_function plain ./plain

# .symtab gone, the debug file beside it (.gnu_debuglink)
cp plain linked; objcopy --only-keep-debug linked linked.debug; strip linked; objcopy --add-gnu-debuglink=linked.debug linked
named hot_function linked ./linked
mkdir .debug; mv linked.debug .debug/
named hot_function linked ./linked
# nowhere: hex, and with -v the reason
mv .debug elsewhere
"$SONDE" record -q -F 1999 -e cpu-clock -o s.data ./linked
run "$SONDE" script -i s.data; ok; has ' \[unknown\] \(.*/linked\)'
run "$SONDE" report -v --stdio -i s.data; ok; err_has '/linked: \[(no|only exported) symbols: build-id [0-9a-f]{40}; looked in /.*/linked, .*/usr/lib/debug/.build-id/'
# by build-id in perf's cache, after the program itself is gone
"$SONDE" buildid-cache -a plain
id=$(readelf -n plain | sed -n 's/.*Build ID: //p')
same "$(readelf -n linked | sed -n 's/.*Build ID: //p')" "$id" "strip keeps the build-id"
run "$SONDE" script -i s.data; ok; has ' hot_function\+0x.* \(.*/linked\)'
mv linked gone
run "$SONDE" script -i s.data; ok; has ' hot_function\+0x.* \(.*/linked\)'
"$SONDE" buildid-cache -P
# another build at the same path must not lend its names
cp plain linked; gcc -O2 -g -o linked -x c - <<<'int main(){}'
run "$SONDE" script -i s.data; ok; hasnt 'hot_function'

# mini-debuginfo: .symtab packed by xz in .gnu_debugdata
cp plain mini; nm mini --format=posix --defined-only | awk '{ print $1 }' | sort >keep
objcopy -S --keep-symbols=keep mini mini.sym; strip mini; xz mini.sym
objcopy --add-section .gnu_debugdata=mini.sym.xz mini
named hot_function mini ./mini

# a binary without section headers for symbols at all has at least its exported names
gcc -O1 -shared -fPIC -o libhot.so -x c - <<<'volatile long n; void exported_hot(void) { for (int i = 0; i < 80000000; i++) n += i; }'
strip libhot.so
gcc -o uses -x c - -L. -lhot -Wl,-rpath,. <<<'void exported_hot(void); int main() { exported_hot(); }'
named exported_hot libhot.so ./uses

# C++: no parameters, as perf has it
g++ -O1 -o cpp -x c++ - <<'C'
namespace space { template <class T> struct box { T v; __attribute__((noinline)) T hot(T x) { for (int i = 0; i < 80000000; i++) { v += x; asm volatile("" : "+r"(v)); } return v; } }; }
int main(int argc, char **) { space::box<long> b{}; return b.hot(argc) == 1; }
C
named 'space::box<long>::hot' cpp ./cpp

# the PLT slot of a library call
gcc -O1 -o plt -x c - <<<'#include <unistd.h>
int main() { for (int i = 0; i < 3000000; i++) getppid(); }'
"$SONDE" record -q -F 4999 -e cpu-clock:u -o s.data ./plt
run "$SONDE" script -i s.data -F ip,sym,dso; ok; has 'getppid'

# JIT code: the perf map of its process (it has exited by now)
cat >jit.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
	/* mov ecx, 0x8000000; 1: dec ecx; jnz 1b; ret */
	static const unsigned char code[] = { 0xb9, 0, 0, 0, 8, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	memcpy(p, code, sizeof(code));
	sprintf(path, "/tmp/perf-%d.map", getpid());
	FILE *f = fopen(path, "w");
	fprintf(f, "%lx 1000 old code there before\n%lx %zx jitted::loop()\n", (long)p, (long)p, sizeof(code));
	fclose(f);
	((void (*)(void))p)();
	printf("%s\n", path);
}
C
gcc -O1 -o jit jit.c
"$SONDE" record -q -F 1999 -e cpu-clock -o s.data ./jit >jit.path
run "$SONDE" script -i s.data -F ip,sym,dso; rm -f "$(cat jit.path)"; ok; has ' jitted::loop\(\) \(/tmp/perf-[0-9]+\.map\)'

# Go, with its symbols and without
if command -v go >/dev/null; then
	cat >hot.go <<'G'
package main

//go:noinline
func hot(n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += i ^ s
	}
	return s
}
func main() { println(hot(200000000)) }
G
	export GO111MODULE=off GOCACHE=$T/gocache GOFLAGS=-p=2
	go build -o go1 hot.go && go build -ldflags '-s -w' -o go2 hot.go
	named main.hot go1 ./go1
	named main.hot go2 ./go2
fi
# Rust, legacy and v0 mangling
if command -v rustc >/dev/null && rustc --version >/dev/null 2>&1; then
	cat >hot.rs <<'R'
mod inner { #[inline(never)] pub fn hot(n: u64) -> u64 { let mut s = 0u64; for i in 0..n { s = std::hint::black_box(s ^ i); } s } }
fn main() { std::process::exit((inner::hot(30000000) == 1) as i32) }
R
	for mangling in legacy v0; do
		rustc -O -C symbol-mangling-version=$mangling -o rust hot.rs 2>/dev/null || continue # legacy may be gone
		named 'hot::inner::hot' rust ./rust
	done
fi

# -k with another kernel's file is refused rather than believed
"$SONDE" record -q -F 999 -e cpu-clock -o s.data ./plain
run "$SONDE" report --stdio -k ./plain -i s.data; ok
if "$SONDE" script -i s.data 2>/dev/null | grep -c 'kernel.kallsyms' >/dev/null; then err_has 'plain is not the kernel that was recorded'; fi
