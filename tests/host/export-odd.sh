# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# timeout: 300
# Odd recordings in every format: cut off anywhere, bytes changed at random, nothing in them, names that want to be more than
# names, several events, a JIT's code, the kernel's frames. A file that a reader can parse comes out, or a sentence; no crash,
# no control character.
export LC_ALL=C
. "$TOP/tests/recordings.sh"
cat >make.py <<'P'
import struct
def rec(type, body, misc=0):
    body += b'\0' * (-len(body) % 8)
    return struct.pack('<IHH', type, misc, 8 + len(body)) + body
kinds = 1 | 2 | 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 16 # ip, tid, time, callchain, cpu, period, identifier
def attr(id, type, config): return rec(64, struct.pack('<IIQQQQ', type, 128, config, 4000, kinds, 0).ljust(128, b'\0') + struct.pack('<Q', id))
def comm(pid, name): return rec(3, struct.pack('<II', pid, pid) + name + b'\0')
def map(pid, at, name): return rec(1, struct.pack('<IIQQQ', pid, pid, at, 0x1000, 0) + name + b'\0', 2)
def sample(id, pid, time, cpu, period, chain, misc=2):
    return rec(9, struct.pack('<QQIIQIIQQ', id, chain[0], pid, pid, time, cpu, 0, period, len(chain) + 1) + struct.pack('<Q', 2 ** 64 - 512) + struct.pack('<%dQ' % len(chain), *chain), misc)
def write(name, *parts): open(name, 'wb').write(b'PERFILE2' + struct.pack('<Q', 16) + b''.join(parts))
head = [attr(1, 1, 0), attr(2, 0, 0)]
write('empty.data', *head)
# the kernel's count of all that is lost, at the end, has those of the record before it
write('lost.data', *head, comm(7, b'seven'), sample(1, 7, 1000, 0, 5, [16]), rec(2, struct.pack('<QQ', 1, 7)), rec(13, struct.pack('<Q', 9)))
write('none.data')
names = [b'</script>"\'&', b'\x1b[31m\x07\n', '\u202eevil\u202c'.encode(), b'\xff\xfe\x80', b'a;b c\\', b'']
parts = list(head)
for i, n in enumerate(names):
    parts += [comm(10 + i, n[:15]), map(10 + i, 0x10000, b'/tmp/' + n + b'.so')]
    parts += [sample(1 + i % 2, 10 + i, 1000 + 10 * i + k, i, 4000 + k, [0x10010 + k, 0x10020, 0x99999]) for k in range(3)]
write('names.data', *parts)
write('numbers.data', *head, *[sample(1, p, t, c, w, [2 ** 64 - 1 - 600, 0, 2 ** 63, 2 ** 47]) for p, t, c, w in (
    (0, 0, 0, 0), (2 ** 32 - 1, 2 ** 64 - 1, 2 ** 32 - 1, 2 ** 64 - 1), (2 ** 31 - 1, 2 ** 63, 2 ** 31 - 1, 2 ** 63), (7, 5, 4000, 1))])
write('deep.data', *head, *[sample(1, 5, 9 + i, 0, 1, list(range(0x5000, 0x5000 + 16 * (1 + i * 100), 16))) for i in range(12)])
P
python3 make.py
# parse FORMAT FILE: is it what the format is? Names are those that were made safe.
cat >parse.py <<'P'
import gzip, json, sys
kind, path = sys.argv[1:3]
if kind == 'ctf':
    b = open(path + '/metadata', 'rb').read(); assert b.startswith(b'/* CTF 1.8 */')
else:
    b = open(path, 'rb').read()
    if b[:2] == b'\x1f\x8b': b = gzip.decompress(b)
def message(b): # a protobuf message is whole: every field ends where it says
    i, n = 0, 0
    def varint():
        nonlocal i
        v = s = 0
        while True:
            c = b[i]; i += 1; v |= (c & 127) << s; s += 7
            if c < 128: return v
            assert s < 70
    while i < len(b):
        wire = varint() & 7; n += 1
        if wire == 0: varint()
        elif wire == 1: i += 8
        else:
            assert wire == 2, wire
            size = varint(); i += size
        assert i <= len(b)
    return n
if kind in ('pprof', 'perfetto', 'otlp'): message(b)
else:
    assert not [c for c in b if c < 32 and c not in (9, 10)], 'control characters'
    b.decode()
    if kind in ('json', 'chrome', 'speedscope', 'firefox'): json.loads(b)
    if kind == 'folded': assert all(l.rsplit(b' ', 1)[1].isdigit() for l in b.splitlines())
P
formats=$("$SONDE" export --list | awk '{ print $1 }')
same "$(wc -w <<<"$formats")" 9 "formats"
every() { # FILE [MUST]: in each format; MUST: there is no reason to fail
	local f
	for f in $formats; do
		rm -rf got
		run timeout 60 bash -c 'ulimit -v 1500000; exec "$@"' - "$SONDE" export -f -i "$1" --to "$f" -o got
		[ "$code" -eq 0 ] || { [ -z "${2-}" ] && [ "$code" -eq 255 ]; } || fail "$1 as $f: exit code $code"
		[ "$code" -eq 0 ] || err_has '^sonde: '
		! grep -q $'\033\|\a' "$T/err" || fail "$1 as $f: a control character in what is said"
		[ "$code" -ne 0 ] || [ -e got ] || fail "$1 as $f: nothing"
		[ ! -s got ] && [ ! -e got/metadata ] || python3 parse.py "$f" got 2>parse.err || fail "$1 as $f: $(tail -n 1 parse.err)"
	done
}
for f in empty names numbers deep; do every $f.data must; done
every none.data
# what was lost is told once, the same everywhere, and in a profile that goes elsewhere
run "$SONDE" export -i lost.data --to pprof -o lost.pb.gz; ok; err_has 'lost 9 events'
gzip -dc <lost.pb.gz | grep -a '9 events were lost while recording' >/dev/null || fail "pprof: no comment about what was lost"
run "$SONDE" report -i lost.data --stdio; ok; err_has '^sonde: 9 events were lost'
run "$SONDE" flame -i lost.data -o lost.svg; ok; err_has '9 events were lost'
# whoever else shows names
for how in 'flame --format folded -o got' 'flame --format svg -o got' 'flame --format html -o got' 'timeline -o got' 'data convert --to-json got' \
	'annotate --stdio' 'annotate --stdio2 -l' 'report --stdio' script 'sched timehist' offcpu; do
	rm -rf got; : >got
	# shellcheck disable=SC2086
	run timeout 60 "$SONDE" $how -f -i names.data; [ "$code" -eq 0 ] || exits 255
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae' got "$T/out" "$T/err" || fail "$how: a control character comes through"
done
run "$SONDE" flame --format folded -f -q -i names.data -o got; ok; grep -qF '\xe2\x80\xaeevil' got || fail "flame: no name with a control character"
run "$SONDE" export -q -i names.data -e cpu-clock --to folded; ok
same "$(awk '{ n += $NF } END { print n }' "$T/out")" $((9 * 4000 + 9)) "the sum of one of two events"
run "$SONDE" export -q -i names.data --to pprof -e %2 -o second; ok

# the kernel's frames, copied stacks, a JIT's code; cut off, and changed at random
"$SONDE" record -q -F 500 --call-graph dwarf -e cpu-clock -e page-faults -o r.data "$PROG/profiled" >/dev/null
every r.data must
cat >change.py <<'P'
import random, sys
b = bytearray(open('r.data', 'rb').read()); r = random.Random(int(sys.argv[1]))
for _ in range(1 + r.randrange(40)): b[r.randrange(104, len(b))] = r.choice((0, 255, 127, r.randrange(256)))
open('changed.data', 'wb').write(b)
P
for seed in 1 2 3; do python3 change.py $seed; every changed.data; done
size=$(stat -c %s r.data)
for part in $((size / 3)) $((size - 5)); do head -c $part r.data >cut.data; every cut.data; done
