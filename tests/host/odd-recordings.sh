# SPDX-License-Identifier: GPL-2.0-or-later
# needs: python3
# Recordings (most are pipes) that say what no or few machines say: no crash, no escape, no memory or time without end, nothing lost.
export LC_ALL=C
cat >make.py <<'P'
import struct, sys
def rec(type, body, misc=0):
    body += b'\0' * (-len(body) % 8)
    return struct.pack('<IHH', type, misc, 8 + len(body)) + body
def attr(id, type=4, config=0x3c, samples=1 << 16):
    return rec(64, struct.pack('<IIQQQQ', type, 128, config, 0, samples, 0).ljust(128, b'\0') + struct.pack('<Q', id))
def feature(n, body): return rec(80, struct.pack('<Q', n) + body)
def text(s): return struct.pack('<I', len(s) + 1) + s + b'\0'
def update(kind, what): return rec(78, struct.pack('<QQ', kind, 1) + what)
def config(aggr): return rec(75, struct.pack('<QQQ', 1, 0, aggr))
def count(value, cpu=-1, thread=0): return rec(76, struct.pack('<QiiQQQ', 1, cpu, thread, value, 1, 1))
def write(name, *parts): open(name, 'wb').write(b'PERFILE2' + struct.pack('<Q', 16) + b''.join(parts))
final = rec(77, struct.pack('<QQ', 1, 10 ** 9))
scale = lambda v: update(1, struct.pack('<d', v))
names = 1 << 16 | 1 | 2 | 4 | 1 << 8

# a group's name
write('group.data', attr(1, 1, 0, names), attr(2, 1, 1, names),
      feature(17, struct.pack('<I', 1) + text(b'\x1b]0;EVIL\x07\x1b[31mred') + struct.pack('<II', 0, 2)),
      *[rec(9, struct.pack('<QQIIQQ', i, 0x1000, 5, 5, 100 + i, 1000), 2) for i in (1, 2)])

# a field that would be far outside of its sample
def format(name, id, at):
    fields = ''.join('%s\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n' % f for f in (
        ('', 'unsigned short common_type', 0, 2, 0), ('', 'unsigned char common_flags', 2, 1, 0),
        ('', 'unsigned char common_preempt_count', 3, 1, 0), ('', 'int common_pid', 4, 4, 1), ('\n', 'int pid', at, 4, 1)))
    f = ('name: %s\nID: %d\nformat:\n%s\nprint fmt: "pid=%%d", REC->pid\n' % (name, id, fields)).encode()
    return struct.pack('<Q', len(f)) + f
def sched(at):
    page = b''.join(b'\tfield: %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n' % f for f in (
        (b'u64 timestamp', 0, 8, 0), (b'local_t commit', 8, 8, 1), (b'int overwrite', 8, 1, 1), (b'char data', 16, 4080, 1)))
    t = b'\x17\x08\x44tracing0.5\0\0\x08' + struct.pack('<I', 4096) + b'header_page\0' + struct.pack('<Q', len(page)) + page
    t += b'header_event\0' + struct.pack('<Q', 2) + b'#\n' + struct.pack('<II', 0, 1) + b'sched\0' + struct.pack('<I', 2)
    t += format('sched_switch', 300, 8) + format('sched_stat_sleep', 301, at) + struct.pack('<IQ', 0, 0)
    t += b'\0' * (-len(t) % 8)
    def sample(event, id, time):
        raw = struct.pack('<HBBiii', id, 0, 0, 5, 5, 0)
        return rec(9, struct.pack('<QQIIQI', event, 0x1000, 5, 5, time, len(raw) + 4) + raw + bytes(4), 2)
    bits = 1 << 16 | 1 | 2 | 4 | 1 << 10
    return [attr(1, 2, 300, bits), attr(2, 2, 301, bits), rec(66, struct.pack('<I', len(t))) + t, sample(1, 300, 100), sample(2, 301, 200)]
write('sched.data', *sched(8))
write('beyond.data', *sched(60000))
write('absurd.data', *sched(900000)) # no record is so long: no format of a kernel's

# CPUs in lists of caches and nodes, again and again, in many records and in one list
cache = struct.pack('<5I', 1, 64, 64, 8, 1) + b'\0' + struct.pack('<I', 1) + b'\0'
write('caches.data', attr(1), feature(20, struct.pack('<II', 1, 8) + (cache + text(b'0-65535')) * 8) * 1000)
write('list.data', attr(1), feature(20, struct.pack('<II', 1, 1) + cache + text(b','.join([b'0-65535'] * 8000))) * 4)
node = struct.pack('<IQQ', 0, 1, 1) + text(b'0-65535')
write('nodes.data', attr(1), feature(14, struct.pack('<I', 1900) + node * 1900) * 40)

# counts with a scale of any size, and with one that is to be kept
write('scale.data', attr(1), scale(1e300), config(1), count(123456), final)
write('unit.data', attr(1), update(2, b'energy\0'), update(0, b'Joules\0'), scale(0.001), config(1), count(123456), final)
write('late.data', attr(1), config(1), update(2, b'energy\0'), update(0, b'Joules\0'), scale(0.001), count(123456), final)

# build-ids between other records
def ids(n):
    for i in range(n):
        yield rec(67, struct.pack('<i5IB3x', -1, *[i] * 5, 20) + b'/x%d\0' % i, 1 << 15 | 2)
        yield rec(3, struct.pack('<II', 5, 5) + b'abc\0')
write('ids.data', attr(1), *ids(60000))

# threads without a name; cores whose numbers are as far apart as can be
thread = rec(73, struct.pack('<QQ', 1, 77) + b'one'.ljust(16, b'\0'))
write('threads.data', attr(1), thread, config(7), *[count(100, -1, i) for i in range(3)], final)
write('two.data', attr(1), thread, thread.replace(b'one', b'two'), config(7), count(100), count(100, -1, 1), final)
places = struct.pack('<II', 0, 0) + struct.pack('<8i', 2147483647, 0, -2147483647, 0, -2, 0, 2147483646, 0)
write('cores.data', attr(1), feature(7, struct.pack('<II', 4, 4)), feature(13, places), config(6), *[count(1, i) for i in range(4)], final)

# another machine's PMUs; and one without a name there
for host, name in ((b'nowhere.invalid', 'foreign.data'), (b'nowhere.invalid', 'nameless.data')):
    pmu = [feature(16, struct.pack('<II', 1, int(sys.argv[1])) + text(b'un\x1bcore'))] if name == 'foreign.data' else []
    write(name, attr(1, int(sys.argv[1]), 1), feature(3, text(host)), *pmu)
P
mkdir -p k/proc k/sys/bus/event_source/devices/mine; echo 77 >k/sys/bus/event_source/devices/mine/type
python3 make.py 77

run "$SONDE" report --stdio --group -i group.data; ok; has 'EVIL'
! grep -q $'\033\|\a' "$T/out" "$T/err" || fail "a group's name is printed as it is"

run "$SONDE" inject -s -i sched.data -o s.data; ok; run "$SONDE" script -i s.data -F time,event; ok; has '0\.000000.*sched_switch'
run "$SONDE" inject -s -i beyond.data -o s.data; ok; run "$SONDE" script -i s.data -F time,event; ok; hasnt 'sched_switch'
run "$SONDE" inject -s -i absurd.data -o s.data; exits 255; err_has 'the recording lacks the second'

for f in caches list nodes; do
	run timeout 60 bash -c 'ulimit -v 600000; exec "$0" evlist -i $1.data' "$SONDE" $f; ok; has '^raw 0x3c$|^r3c|^cycles'
done

run "$SONDE" stat report -i scale.data; ok; err_has '^ *123456[0-9]{250}[0-9]{50} +r3c$'
run "$SONDE" stat report -i unit.data; ok; err_has '123\.46 Joules +energy'; page=$err
for f in unit late; do
	run "$SONDE" inject -i $f.data -o u.data; ok; run "$SONDE" stat report -i u.data; ok; same "$err" "$page" "$f, through inject"
	"$SONDE" inject -i $f.data -o - >u.data; run "$SONDE" stat report -i u.data; ok; same "$err" "$page" "$f, through a pipe"
done

run timeout 60 "$SONDE" inject -i ids.data -o i.data; ok
same "$("$SONDE" buildid-list -i i.data | grep -c '^0000ea5f\|^[0-9a-f]* /x59999$')" 1 "the last build-id"

run "$SONDE" stat report -i two.data; ok; err_has '^ +one-77 +100 '; err_has '^ +two-77 +100 '; ! grep -q 'not shown' "$T/err"
run "$SONDE" stat report -i threads.data; ok; err_has '^ +one-77 +100 '; err_has '2 counts are of threads that the file does not name'
run "$SONDE" stat report -i cores.data; ok
same "$(grep -o 'S0-D0-C[0-9-]*' "$T/err" | tr '\n' ' ')" "S0-D0-C-2147483647 S0-D0-C-2 S0-D0-C2147483646 S0-D0-C2147483647 " "the order of cores"

export SONDE_KERNEL_ROOT=$PWD/k
run "$SONDE" evlist -v -i foreign.data; ok; has 'type: 77 \(un.{1,4}core\)'
run "$SONDE" evlist -v -i nameless.data; ok; has 'type: 77, size'
unset SONDE_KERNEL_ROOT

# more threads than one record can name
hard=$(ulimit -Hn)
[ "$hard" = unlimited ] || [ "$hard" -gt 4000 ] || skip "no more than $hard descriptors"
cat >threads.py <<'P'
import sys, threading
threading.stack_size(65536)
end = threading.Event()
for i in range(2750):
    threading.Thread(target=end.wait, daemon=True).start()
print('ready', flush=True)
sys.stdin.read()
P
coproc MANY { exec python3 threads.py; }
pid=$MANY_PID; trap 'kill $pid' EXIT
read -r _ <&"${MANY[0]}"
last=$(ls /proc/$pid/task | sort -n | tail -1)
run timeout 60 "$SONDE" stat record --per-thread -e page-faults -o t.data -p $pid true; ok
run "$SONDE" stat report -i t.data; ok; same "$(grep -c '^ .* page-faults *$' "$T/err")" 2751 "threads"; err_has "^ +[^ ]+-$last +[0-9<]"
