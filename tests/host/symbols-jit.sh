# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc python3
# A jitdump tells when code came: an address that is used again has its new name from that time on, when the
# recording is on the dump's clock; on another clock the last name counts.
cat >jit.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
/* mov ecx, 0x8000000; 1: dec ecx; jnz 1b; ret */
static const unsigned char code[] = { 0xb9, 0, 0, 0, 8, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
static uint64_t now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000ull + t.tv_nsec; }
static void load(FILE *f, void *at, const char *name, uint64_t index)
{
	struct { uint32_t id, size; uint64_t time; uint32_t pid, tid; uint64_t vma, addr, len, index; } r = {
		0, sizeof(r) + strlen(name) + 1 + sizeof(code), now(), getpid(), getpid(), (uintptr_t)at, (uintptr_t)at, sizeof(code), index };
	fwrite(&r, sizeof(r), 1, f);
	fwrite(name, strlen(name) + 1, 1, f);
	fwrite(code, sizeof(code), 1, f);
	fflush(f);
}
int main(void)
{
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	struct { uint32_t magic, version, size, mach, pad, pid; uint64_t time, flags; } head = { 0x4A695444, 1, sizeof(head), 62, 0, getpid(), now(), 0 };
	sprintf(path, "jit-%d.dump", getpid());
	FILE *f = fopen(path, "w+");
	fwrite(&head, sizeof(head), 1, f);
	fflush(f);
	mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0);
	memcpy(p, code, sizeof(code));
	load(f, p, "first_use", 1);
	load(f, p + 1024, "elsewhere", 2);
	for (int i = 0; i < 2; i++)
		((void (*)(void))p)();
	load(f, p, "second_use", 3);
	for (int i = 0; i < 2; i++)
		((void (*)(void))p)();
	load(f, p, "third_use", 4);
	return 0;
}
C
gcc -O1 -o jit jit.c
"$SONDE" record -q -k mono -F 999 -e cpu-clock:u -o s.data ./jit
run "$SONDE" script -i s.data -F ip,sym; ok
grep -o '[a-z]*_use' "$T/out" | uniq >names
same "$(cat names)" $'first_use\nsecond_use' "the names are not those of their time"
run "$SONDE" report -i s.data -s sym --stdio -q; ok; has '% +\[\.\] first_use'; has '% +\[\.\] second_use'; hasnt third_use
run "$SONDE" report -i s.data --hierarchy --stdio -q; ok; has '\[\.\] first_use'; has '\[\.\] second_use'
"$SONDE" record -q -k mono -g -F 999 -e cpu-clock:u -o g.data ./jit
run "$SONDE" report -i g.data -s sym --no-children --stdio -q; ok; has '% +\[\.\] first_use'; has '% +\[\.\] second_use'
"$SONDE" record -q -k boottime -F 999 -e cpu-clock:u -o n.data ./jit
run "$SONDE" script -i n.data -F ip,sym; ok; has third_use; hasnt first_use
# an archive has the dump; without it there is no other place to ask
"$SONDE" archive -q -i s.data -o a.sonde
rm jit-*.dump
run "$SONDE" script -i a.sonde -F ip,sym; ok
grep -o '[a-z]*_use' "$T/out" | uniq | diff - names || fail "the archive gives other names"
# a dump of nothing but moves is read once, not once for each
python3 - "$("$SONDE" script -i s.data --show-mmap-events | grep -o '/[^ ]*/jit-[0-9]*.dump' | sed 1q)" <<'P'
import struct, sys
with open(sys.argv[1], 'wb') as f:
    f.write(struct.pack('<6I2Q', 0x4A695444, 1, 40, 62, 0, 1, 0, 0))
    f.write(struct.pack('<2IQ2I4Q', 0, 64, 0, 1, 1, 0, 0x1000, 8, 1) + b'moved\0\0\0')
    for i in range(600000):
        f.write(struct.pack('<2IQ2I5Q', 1, 64, 0, 1, 1, 0, 0x1000, 0x100000 + 16 * i, 8, 1))
P
run timeout 60 "$SONDE" script -i s.data -F ip,sym; ok
