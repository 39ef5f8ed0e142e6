# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf tar zstd
# A recording and its binaries in one file.
cat >prog.c <<'C'
volatile long n;
__attribute__((noinline)) void busy_part(void) { for (int i = 0; i < 100000; i++) n += i; }
int main(void) { for (int i = 0; i < 1500; i++) busy_part(); return 0; }
C
gcc -O1 -g -o prog prog.c
. "$TOP/tests/recordings.sh"
clock() { perf record -q -N --buildid-mmap -g -o rec.data ./prog >/dev/null 2>&1 || skip "perf cannot record here"; }
record_until 'no_bpf rec.data' clock
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

# Many files cost time each: empty ones are not made, and nobody needs as many as this.
many() {
	python3 - "$1" <<'P' | zstd -q -f -o many.sonde -
import sys, tarfile, io
tar = tarfile.open(fileobj=sys.stdout.buffer, mode="w|", format=tarfile.USTAR_FORMAT)
def add(name, text):
    info = tarfile.TarInfo(name); info.size = len(text)
    tar.addfile(info, io.BytesIO(text))
add("sonde-archive", b"sonde archive 1\n")
add("perf.data", open("rec.data", "rb").read())
for i in range(int(sys.argv[1])):
    add("files/%016x" % i, b"")
tar.close()
P
}
made() { grep -c 'O_CREAT' calls || true; }
many 19000; TMPDIR=$PWD/tmp run "$SONDE" trace -q -e openat -o calls "$SONDE" report --stdio -i many.sonde; ok; has 'Total Lost Samples'
[ "$(made)" -lt 50 ] || fail "$(made) files were made"
many 100000; TMPDIR=$PWD/tmp run "$SONDE" trace -q -e openat -o calls "$SONDE" report -i many.sonde; exits 255; err_has 'holds more than 20000 files'
[ "$(made)" -lt 50 ] || fail "$(made) files were made"
same "$(ls tmp)" ""
