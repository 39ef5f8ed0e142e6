# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3
# timeout: 240
# inject: what comes out is what went in, for perf too, with the build-ids that perf inject finds.
[ "$(id -u)" -eq 0 ] || skip "needs root"
perf612
. "$TOP/tests/recordings.sh"
work=(dd if=/dev/zero of=/dev/null bs=1 count=50k)
record_until 'no_bpf in.data' "$PERF612" record -q -B -N -g -o in.data "${work[@]}" 2>/dev/null
header() { "$PERF612" report --header-only -i "$1" 2>/dev/null | sed -nE '/^# (host|os rel|cmdline|cpudesc|nrcpus|event)/{ s/ size = [0-9]+,//; p }'; }
# the same records for both tools
unchanged() { # INPUT OUTPUT [OPTION...]: of script
	local in=$1 out=$2; shift 2
	same "$("$SONDE" script "$@" -i "$out" 2>/dev/null | md5sum)" "$("$SONDE" script "$@" -i "$in" 2>/dev/null | md5sum)" "sonde reads $out otherwise"
	same "$("$PERF612" script "$@" -i "$out" 2>/dev/null | md5sum)" "$("$PERF612" script "$@" -i "$in" 2>/dev/null | md5sum)" "perf reads $out otherwise"
	set -- "$in" "$out"
	[ "$("$PERF612" script -i "$2" 2>/dev/null | wc -l)" -gt 10 ] || fail "perf reads nothing in $2"
	same "$(header "$2")" "$(header "$1")" "the header of $2"
}
ids() { "$PERF612" buildid-list -i "$1" 2>/dev/null | grep '^[0-9a-f]' | grep -v '\[vdso\]\|\[kernel' | sort; }
same "$("$SONDE" script -D -i in.data 2>/dev/null | grep -c BUILD_ID)" 0 "-B did not hold"
run "$SONDE" inject -b -i in.data -o out.data; ok; unchanged in.data out.data
"$PERF612" inject -b -i in.data -o by-perf.data 2>/dev/null
same "$(ids out.data)" "$(ids by-perf.data)" "build-ids of -b"; [ "$(ids out.data | wc -l)" -ge 2 ]
same "$("$SONDE" buildid-list -i out.data | grep -v '\[' | sort)" "$(ids by-perf.data)" "as sonde lists them"
run "$SONDE" inject --buildid-all -i in.data -o all.data; ok; unchanged in.data all.data
"$PERF612" inject --buildid-all -i in.data -o by-perf.data 2>/dev/null
same "$(ids all.data)" "$(ids by-perf.data)" "build-ids of --buildid-all"
run "$SONDE" inject -i in.data -o plain.data; ok; unchanged in.data plain.data
run "$SONDE" inject -i out.data -o twice.data; ok; same "$(ids twice.data)" "$(ids out.data)" "what was there is kept"
# maps that have the build-ids: all of them, as perf's; or those that something lies in (perf 6.12 has the same, with empty build-ids)
maps() { "$PERF612" script --show-mmap-events -i "$1" 2>/dev/null | sed -n 's/.*PERF_RECORD_MMAP2 //p' | grep -v '\[vdso\]\|perf-vdso\|\[kernel'; }
run "$SONDE" inject --mmap2-buildid-all -i in.data -o all.data; ok; unchanged in.data all.data
"$PERF612" inject --mmap2-buildid-all -i in.data -o by-perf.data 2>/dev/null
[ "$(maps all.data | grep -c '<[0-9a-f]\{40\}>')" -ge 3 ]; same "$(maps all.data)" "$(maps by-perf.data)" "--mmap2-buildid-all"
"$SONDE" record -q -g -B -F 5000 -e cpu-clock -o many.data sh -c '"$@"; "$@"; (exec "$@")' sh "${work[@]}" 2>/dev/null
for name in in many; do
	run "$SONDE" inject -B -i $name.data -o used.data; ok; unchanged $name.data used.data
	"$PERF612" inject -B -i $name.data -o by-perf.data 2>/dev/null
	same "$(maps used.data | sed 's/<.*>/<>/' | sort)" "$(maps by-perf.data | sort)" "the maps of -B ($name)"
	maps used.data | grep -v '<[0-9a-f]\{40\}>' && fail "maps without a build-id"
	[ "$(ids used.data | grep -c /dd)" -eq 1 ] || fail "-B: build-ids in the header"
done
same "$(maps used.data | sed -n 's/.*<\(.*\)>.* /\1 /p' | sort -u)" "$(ids used.data)" "they are the files' own"
# a sample inside execve stands in the old program's map still
"$SONDE" record -q -B -F 5000 -e cpu-clock:u -o exec.data sh -c 'exec "$@"' sh "${work[@]}" 2>/dev/null
python3 - exec.data <<'P'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
attrs, at, size = struct.unpack_from("<Q", data, 24)[0], *struct.unpack_from("<QQ", data, 40)
skip = 8 * (struct.unpack_from("<Q", data, attrs + 24)[0] >> 16 & 1)  # the identifier stands before the address
libc, end, ran = 0, at + size, False
while at < end:
    kind, misc, n = struct.unpack_from("<IHH", data, at)
    if kind == 10 and b"/libc" in data[at + 72:at + n] and not ran:
        libc = struct.unpack_from("<Q", data, at + 16)[0]
    elif kind == 3 and misc & 1 << 13 and libc:
        ran = True
    elif kind == 9:
        struct.pack_into("<Q", data, at + 8 + skip, libc + 64 if ran else 16)
    at += n
assert ran and libc
open(sys.argv[1], "wb").write(data)
P
run "$SONDE" inject -B -i exec.data -o used.data; ok; unchanged exec.data used.data; maps used.data | grep /libc >/dev/null || fail "-B: no map for what stands in the old program"
"$SONDE" record -q -B --call-graph dwarf -e cpu-clock:u -F 499 -o unwound.data "$PROG/profiled" 50 2>/dev/null
run "$SONDE" inject -B -i unwound.data -o used.data; ok # (perf unwinds nothing in such a file, nor in its own)
same "$("$SONDE" script -i used.data 2>/dev/null | md5sum)" "$("$SONDE" script -i unwound.data 2>/dev/null | md5sum)" "unwound stacks after -B"
"$SONDE" inject -B <in.data 2>/dev/null | "$PERF612" script -i - 2>/dev/null >x; same "$(wc -l <x)" "$("$PERF612" script -i in.data 2>/dev/null | wc -l)" "-B into a pipe"
# what is said to be known
id=0123456789abcdef0123456789abcdef01234567
run "$SONDE" inject -b --known-build-ids "$id $(command -v dd),$id /nowhere" -i in.data -o known.data; ok
ids known.data | grep -q "^$id /.*/dd$" || fail "--known-build-ids"
echo "$id $(readlink -f "$(command -v dd)")" >list; run "$SONDE" inject --buildid-all --known-build-ids file://list -i in.data -o known.data; ok
ids known.data | grep -q "^$id /.*/dd$" || fail "--known-build-ids file://"
for bad in nonsense "xyz /bin/x" "$id" file:///nosuch; do
	run "$SONDE" inject -b --known-build-ids "$bad" -i in.data -o k.data; exits 255; err_has 'build-id'
done
# pipes: in, out, through, into perf
"$SONDE" record -B -o - "${work[@]}" 2>/dev/null | "$SONDE" inject -b | "$SONDE" report -i - --stdio >page 2>/dev/null; grep -q ' dd .*\[k\]' page
"$SONDE" record -B -o - "${work[@]}" 2>/dev/null >pipe.data
"$SONDE" inject -b <pipe.data >through.data 2>"$T/err"
same "$("$PERF612" script -i - <through.data 2>/dev/null | md5sum)" "$("$PERF612" script -i - <pipe.data 2>/dev/null | md5sum)" "perf reads the pipe otherwise"
"$PERF612" buildid-list -i - <through.data 2>/dev/null | grep -q '/dd$' || fail "no build-id in the pipe"
"$PERF612" record -q -B -N -o - "${work[@]}" 2>/dev/null | "$SONDE" inject --buildid-all -o file.data; ids file.data | grep -q '/dd$' || fail "from perf's pipe into a file"
"$SONDE" inject -b -i in.data | "$PERF612" script -i - 2>/dev/null >x; same "$(wc -l <x)" "$("$PERF612" script -i in.data 2>/dev/null | wc -l)" "from a file into perf"
# compressed; tracepoints with their formats, groups
record_until 'no_bpf z.data' "$SONDE" record -q -z -o z.data "${work[@]}"; run "$SONDE" inject -b -i z.data -o zz.data; ok; unchanged z.data zz.data
"$SONDE" record -q -e '{sched:sched_switch,sched:sched_wakeup}' -e cpu-clock -a -o t.data "${work[@]}"
run "$SONDE" inject -b -i t.data -o tt.data; ok; unchanged t.data tt.data -F comm,tid,cpu,time,event,ip # (binaries of others may go meanwhile)
"$SONDE" inject -i t.data 2>/dev/null | "$PERF612" script -i - 2>/dev/null | grep 'sched_switch: prev_comm' >/dev/null || fail "formats in a pipe"
# -s: each sched_stat becomes the switch before it. (perf loses what the switch says.)
"$PERF612" record -q -g -P -e sched:sched_stat_runtime -e sched:sched_switch -e sched:sched_process_exit -a -o s.data sh -c 'for i in 1 2 3 4 5; do sleep 0.01; done' 2>/dev/null
run "$SONDE" inject -s -i s.data -o ss.data; ok
"$PERF612" inject -s -i s.data -o by-perf.data 2>/dev/null
bare() { "$PERF612" script -F comm,tid,cpu,time,period,event,ip -i "$1" 2>/dev/null; }
[ "$(bare ss.data | grep -c sched_switch)" -gt 5 ]; same "$(bare ss.data | md5sum)" "$(bare by-perf.data | md5sum)" "-s"
run "$SONDE" inject -s -i in.data -o x.data; exits 255; err_has 'lacks the first'; err_has '^hint: '
# another machine's files are not here
python3 - in.data other.data <<'P'
import socket, sys
host = socket.gethostname().encode()
data = open(sys.argv[1], "rb").read()
at = data.index((64).to_bytes(4, "little") + host + bytes(8)) + 4
open(sys.argv[2], "wb").write(data[:at] + b"z" * len(host) + data[at + len(host):])
P
run "$SONDE" inject -b -i other.data -o o.data; ok; err_has "another machine's"; same "$(ids o.data)" '' "build-ids of files that are others"
# what is refused, and what is broken
run "$SONDE" inject -b -i in.data -o in.data; exits 255; err_has 'read and written'; err_has '^hint: '
for o in --itrace=i --strip --guest-data=x --vm-time-correlation; do run "$SONDE" inject $o -i in.data -o x.data; exits 129; err_has '^sonde: '; err_has '^hint: '; done
run "$SONDE" inject -i /nosuch -o x.data; exits 255; err_has 'cannot open'
run "$SONDE" inject word; exits 129; err_has 'too much'
size=$(stat -c %s in.data)
for part in 1 60 150 $((size / 3)) $((size - 5)); do
	head -c "$part" in.data >cut.data
	run "$SONDE" inject -b -i cut.data -o x.data; [ "$code" -eq 0 ] || [ "$code" -eq 255 ] || fail "cut at $part: $code"
done
