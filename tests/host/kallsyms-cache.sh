# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 strace
# The kernel's own names are kept for the boot: the same output with and without the file, whatever is in it.
[ "$(id -u)" = 0 ] || skip "kernel addresses are for root"
grep -q '^0*[1-9a-f].* _text$' /proc/kallsyms || skip "kernel addresses are hidden here"
. "$TOP/tests/recordings.sh"
clock() { perf record -q --buildid-mmap -F 2999 -e cpu-clock -o k.data "$PROG/faults" 150 2>/dev/null || skip "perf cannot record here"; }
# no sample in a module or in a BPF program of another tracer: those come and go, and are not kept
own_names() { ! "$SONDE" script -F ip -i k.data | grep '^ *ffffffffc' >/dev/null; }
record_until own_names clock
own_names || skip "other tracers are in every recording"
export XDG_CACHE_HOME=/proc/none # no cache can be there
names() { "$@" script -F ip,sym -i k.data >got; }
names "$SONDE"; cp got plain
# a name that is there once
name=$(awk 'NR == FNR { seen[$3]++; next } $1 ~ /^ffffffff/ && length($2) > 6 && seen[$2] == 1 { print $2; exit }' /proc/kallsyms plain)
[ -n "$name" ] || skip "no sample in the kernel"
export XDG_CACHE_HOME=$PWD/cache
for turn in first second; do
	names "$SONDE"
	cmp got plain || fail "other names, $turn time"
done
kept=cache/sonde/kallsyms
same "$(stat -c %a $kept)" 600
same "$(ls cache/sonde)" kallsyms
# A changed byte, a cut file, one of another boot and a foreign kind of file do not count, and it is made anew.
python3 - "$kept" "$name" <<'P'
import sys
b = open(sys.argv[1], 'rb').read()
n = sys.argv[2].encode()
assert b.count(b' ' + n + b'\n') == 1
open(sys.argv[1], 'wb').write(b.replace(b' ' + n + b'\n', b' ' + b'x' * len(n) + b'\n'))
P
names "$SONDE"; cmp got plain || fail "a changed cache is used"
cp $kept whole
head -c 100000 whole >$kept
names "$SONDE"; cmp got plain || fail "a cut cache is used"
cmp $kept whole || fail "it was not made anew"
sed -i "s/$(cat /proc/sys/kernel/random/boot_id)/00000000-0000-0000-0000-000000000000/" $kept
cmp -s $kept whole && fail "the boot's id is not in it"
names "$SONDE"; cmp got plain || fail "other names after a boot"
cmp $kept whole || fail "it was not made anew after a boot"
rm $kept; mkfifo $kept
names timeout 60 "$SONDE"; cmp got plain || fail "other names with a pipe there"
# That it is read at all: /proc/kallsyms is opened for its first page only.
names "$SONDE"
reads=$(strace -f -e trace=read,openat "$SONDE" script -F ip,sym -i k.data 2>&1 >/dev/null | awk '/proc\/kallsyms/ { n = 0; on = 1; next } on && /^read/ { n++ } /^openat/ { on = 0 } END { print n }')
[ "$reads" -le 2 ] || fail "/proc/kallsyms is read $reads times"
