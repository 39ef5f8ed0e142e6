# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf tar zstd
# A recording and its binaries in one file.
cat >prog.c <<'C'
volatile long n;
__attribute__((noinline)) void busy_part(void) { for (int i = 0; i < 100000; i++) n += i; }
int main(void) { for (int i = 0; i < 1500; i++) busy_part(); return 0; }
C
gcc -O1 -g -o prog prog.c
perf record -q -N --buildid-mmap -g -o rec.data ./prog >/dev/null 2>&1 || skip "perf cannot record here"
run "$SONDE" archive -i rec.data; ok; has '^wrote rec.data.sonde: the recording and [0-9]+ files'; has 'sonde report -i rec.data.sonde'
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
run tar --zstd -tf rec.data.sonde; ok
has '^sonde-archive$'; has '^perf.data$'; has "^.build-id/${id:0:2}/${id:2}/elf\$"
mkdir x && tar --zstd -xf rec.data.sonde -C x
cmp x/perf.data rec.data || fail "the recording differs"
cmp "x/.build-id/${id:0:2}/${id:2}/elf" prog || fail "the binary differs"
same "$(cat x/sonde-archive)" "sonde archive 1"
run "$SONDE" archive -q -i rec.data -o other; ok; same "$out" ""
run "$SONDE" archive -q rec.data -o third; ok; [ -s third ] || fail "the recording as a word, as perf archive takes it"
run "$SONDE" archive rec.data rec.data; exits 129; err_has 'one recording'
run "$SONDE" archive -i /nosuch; exits 255; err_has '/nosuch'
run "$SONDE" archive -i rec.data -o /nosuch/dir/x; exits 255; err_has 'cannot write to /nosuch/dir/x'
run "$SONDE" archive -i -; exits 129; err_has 'not a pipe'
# Read back where neither the program nor any debug file is: the names come out of the archive.
run "$SONDE" script -i rec.data; ok; cp "$T/out" before
grep -q 'busy_part' before || fail "no sample in busy_part"
mv prog gone
run "$SONDE" script -i rec.data; ok; hasnt 'busy_part'
mkdir tmp
TMPDIR=$PWD/tmp run "$SONDE" script -i rec.data.sonde; ok
cmp "$T/out" before || fail "the archive gives other names"
same "$(ls tmp)" "" "left in TMPDIR"
TMPDIR=$PWD/tmp run "$SONDE" report --stdio -i rec.data.sonde; ok; has '\[\.\] busy_part'
head -c 100000 rec.data.sonde >cut.sonde
TMPDIR=$PWD/tmp run "$SONDE" script -i cut.sonde; exits 255; err_has 'cut.sonde is cut off at offset 100000'
same "$(ls tmp)" "" "left in TMPDIR"
