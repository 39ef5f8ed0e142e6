# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf gcc readelf addr2line
# inject --jit: files of what a JIT made, in their times, as perf inject --jit makes them; with source lines.
perf612
cat >jit.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
/* mov ecx, 0x4000000; 1: dec ecx; jnz 1b; ret */
static const unsigned char code[] = { 0xb9, 0, 0, 0, 4, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
static uint64_t now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000ull + t.tv_nsec; }
static void load(FILE *f, char *at, const char *name, uint64_t index)
{
	struct { uint32_t id, size; uint64_t time; uint32_t pid, tid; uint64_t vma, addr, len, index; } r = {
		0, sizeof(r) + strlen(name) + 1 + sizeof(code), now(), getpid(), getpid(), (uintptr_t)at, (uintptr_t)at, sizeof(code), index };
	memcpy(at, code, sizeof(code));
	fwrite(&r, sizeof(r), 1, f);
	fwrite(name, strlen(name) + 1, 1, f);
	fwrite(code, sizeof(code), 1, f);
	fflush(f);
}
static void lines(FILE *f, char *at)
{
	struct { uint32_t id, size; uint64_t time, addr, n; } r = { 2, sizeof(r) + 16 + 10 + 16 + 2, now(), (uintptr_t)at, 2 };
	struct { uint64_t addr; int32_t line, discriminator; } a = { (uintptr_t)at, 7, 0 }, b = { (uintptr_t)at + 5, 42, 0 };
	fwrite(&r, sizeof(r), 1, f);
	fwrite(&a, sizeof(a), 1, f);
	fwrite("script.js", 10, 1, f);
	fwrite(&b, sizeof(b), 1, f);
	fwrite("\xff", 2, 1, f);
}
static void moved(FILE *f, char *from, char *to, uint64_t index)
{
	struct { uint32_t id, size; uint64_t time; uint32_t pid, tid; uint64_t vma, old, addr, len, index; } r = {
		1, sizeof(r), now(), getpid(), getpid(), (uintptr_t)to, (uintptr_t)from, (uintptr_t)to, sizeof(code), index };
	memcpy(to, from, sizeof(code));
	fwrite(&r, sizeof(r), 1, f);
	fflush(f);
}
static void run(char *p) { for (int i = 0; i < 3; i++) ((void (*)(void))p)(); }
int main(void)
{
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	struct { uint32_t magic, version, size, mach, pad, pid; uint64_t time, flags; } head = { 0x4A695444, 1, sizeof(head), 62, 0, getpid(), now(), 0 };
	sprintf(path, "jit-%d.dump", getpid());
	FILE *f = fopen(path, "w+");
	fwrite(&head, sizeof(head), 1, f);
	fflush(f);
	mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0);
	lines(f, p);
	load(f, p, "first_use", 1);
	run(p);
	moved(f, p, p + 2048, 1);
	run(p + 2048);
	load(f, p, "second_use", 2);
	run(p);
	load(f, p, "third_use", 3);
	return 0;
}
C
gcc -O1 -o jit jit.c
"$PERF612" record -q -N -k mono -F 999 -e cpu-clock:u -o in.data ./jit 2>/dev/null || skip "perf cannot record here"
dump=$(echo jit-*.dump) pid=${dump//[!0-9]/}
names() { "$@" -F ip,sym 2>/dev/null | awk '/_use/ { print $2 }'; }
"$PERF612" inject --jit -i in.data -o by-perf.data 2>/dev/null
names "$PERF612" script -i by-perf.data >want
same "$(uniq want)" $'first_use\nsecond_use' "what perf makes of it"
rm jitted-*.so
run "$SONDE" inject --jit -v -i in.data -o out.data; ok; err_has '3 files were made of 1 dumps'
[ "$(stat -c %a "jitted-$pid-1.so")" = 600 ] || [ "$(id -u)" -ne 0 ] || fail "others may read it"
mv "$dump" gone # from here on only the files tell
for tool in "$PERF612" "$SONDE"; do
	names "$tool" script -i out.data >got
	cmp want got || fail "$tool: other names than perf inject's"
done
"$SONDE" inject --jit -i by-perf.data -o again.data; names "$SONDE" script -i again.data | cmp want - || fail "once more"
run "$SONDE" script -i out.data -F ip,sym,dso,srcline; ok; has "first_use \(.*/jitted-$pid-1.so\)"; has 'script\.js:42'
same "$(addr2line -f -e "jitted-$pid-1.so" 0x80 0x85 | paste -sd' ')" 'first_use script.js:7 first_use script.js:42' "lines in the file"
readelf -aW "jitted-$pid-1.so" >"$T/out" 2>"$T/err"; has "NT_GNU_BUILD_ID"; [ ! -s "$T/err" ] || fail "readelf: $(head -3 "$T/err")"
# its instructions
"$PERF612" annotate --stdio -i out.data first_use >want.text 2>/dev/null; "$SONDE" annotate --stdio -i out.data first_use >got.text
grep -q 'jne .*<first_use+0x5>' got.text && cmp want.text got.text || fail "annotate: $(diff want.text got.text | head -n 3)"
id=$(readelf -n "jitted-$pid-1.so" | sed -n 's/.*Build ID: //p')
for tool in "$PERF612" "$SONDE"; do "$tool" buildid-list -i out.data 2>/dev/null | grep -q "^$id .*/jitted-$pid-1.so$" || fail "$tool: no build-id"; done
# through a pipe
mv gone "$dump"; rm jitted-*.so
"$PERF612" record -q -N -k mono -F 999 -e cpu-clock:u -o - ./jit 2>/dev/null | "$SONDE" inject --jit | "$PERF612" script -i - -F ip,sym 2>/dev/null | awk '/_use/ { print $2 }' | uniq >got
same "$(cat got)" $'first_use\nsecond_use' "in a pipe"
# what cannot be
"$PERF612" record -q -N -F 999 -e cpu-clock:u -o no-clock.data ./jit 2>/dev/null
run "$SONDE" inject --jit -i no-clock.data -o x.data; exits 255; err_has 'not those of CLOCK_MONOTONIC'; err_has '^hint: record with -k mono'
printf 'nothing' >"$dump"; run "$SONDE" inject --jit -i in.data -o x.data; ok; err_has "$dump is not read: it is no JIT's dump"
if [ "$(id -u)" -eq 0 ]; then
	chown nobody "$dump"; run "$SONDE" inject --jit -i in.data -o x.data; ok; err_has "another user's \(-f believes it\)"
fi
