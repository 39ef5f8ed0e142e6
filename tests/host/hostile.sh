# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc python3 tar zstd
# What other users can leave lying around for a sonde that root runs.
export HOME=$T
cat >jit.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv) {
	/* mov ecx, 0x8000000; 1: dec ecx; jnz 1b; ret */
	static const unsigned char code[] = { 0xb9, 0, 0, 0, 8, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(p, code, sizeof(code));
	((void (*)(void))p)();
	printf("/tmp/perf-%d.map\n", getpid());
}
C
gcc -O1 -o jit jit.c
until map=$("$SONDE" record -q -F 1999 -e cpu-clock -o j.data ./jit) || skip "cannot record here"; [ ! -e "$map" ]; do :; done # no older one's
trap 'rm -f "$map"' EXIT

# a JIT's map that is a FIFO: nobody will ever write to it
mkfifo "$map"
run timeout 60 "$SONDE" script -i j.data -F ip,sym,dso; ok; has "\[unknown\] \($map\)"
rm "$map"
# or a link: it neither names nor gets into an archive
echo 'secret of root' >secret; ln -s "$PWD/secret" "$map"
run "$SONDE" script -i j.data -F ip,sym,dso; ok; has "\[unknown\] \($map\)"
run "$SONDE" archive -i j.data; ok; rm "$map"
mkdir x; tar --zstd -xf j.data.sonde -C x
run grep -r 'secret of root' x; exits 1
# a file that is none gets in only if it names something
echo 'secret of root' >"$map"
run "$SONDE" archive -i j.data; ok; rm "$map"
rm -r x; mkdir x; tar --zstd -xf j.data.sonde -C x
run grep -r 'secret of root' x; exits 1

# modules in the folder where sonde is started are not run; those beside the script are its own
mkdir py here; echo 'def process_event(d): pass
import beside' >py/s.py
echo 'print("beside the script")' >py/beside.py
for m in struct collections types; do echo 'print("taken over")' >here/$m.py; done
(cd here; PATH=/usr/bin:/bin run "$SONDE" script -i ../j.data -s ../py/s.py; ok; has '^beside the script$'; hasnt 'taken over')

# root with somebody else's HOME leaves nothing there
if [ "$(id -u)" = 0 ]; then
	"$SONDE" record -q -F 1999 -e cpu-clock -o k.data dd if=/dev/zero of=/dev/null bs=1 count=300k 2>/dev/null
	mkdir -m 755 home; chown nobody home
	HOME=$PWD/home XDG_CACHE_HOME='' run "$SONDE" report --stdio -i k.data; ok; has "\[k\]"
	same "$(ls -A home)" "" "left in the home of nobody"
	mkdir home2; chown nobody home2; mkdir target; ln -s "$PWD/target" home2/.cache
	HOME=$PWD/home2 XDG_CACHE_HOME='' run "$SONDE" report --stdio -i k.data; ok; has "\[k\]"
	same "$(ls -A target)" "" "written through a link of nobody's"
fi

# a recording whose event has a name that a terminal would obey
"$SONDE" record -q -e cpu-clock -e task-clock -o r.data true
LC_ALL=C sed 's/cpu-clock/cp\x1b-clock/g; s/task-clock/ta\x1bk-clock/g' r.data >esc.data
for line in 'report --stdio' 'report --stats --stdio' 'report --stdio --header' script 'script --json' 'script --header-only'; do
	# shellcheck disable=SC2086
	run "$SONDE" $line -i esc.data; ok
	! LC_ALL=C grep -q $'\033' "$T/out" "$T/err" || fail "$line prints an escape"
done
# counts, with a unit, an event and a command line of that kind
"$SONDE" stat record -o s.data -e cpu-clock,duration_time true 2>/dev/null
LC_ALL=C sed 's/cpu-clock/cp\x1b-clock/g; s/ns\x00/\x1bs\x00/g; s/true\x00/tr\x1be\x00/g' s.data >esc.data
for line in 'stat report' 'stat report -x,' 'stat report -j' evlist 'evlist -v' 'evlist -g' 'evlist --trace-fields'; do
	# shellcheck disable=SC2086
	run "$SONDE" $line -i esc.data; ok
	! LC_ALL=C grep -q $'\033' "$T/out" "$T/err" || fail "$line prints an escape"
done

# a program whose name a terminal would obey, and whose path has a line of its own
mkdir $'d\ne'; cp jit $'d\ne/e\033[31mv'; evil=$'./d\ne/e\033[31mv'
"$SONDE" record -q -g -e cpu-clock -o evil.data "$evil" >/dev/null
for line in script 'script -L' 'script --json' 'script --show-mmap-events --show-task-events' 'script -D' 'report --stdio' \
	'report --stdio -v --sort comm,dso,sym -g caller' 'report --stdio -T' 'report -D' 'buildid-list' 'evlist -v'; do
	# shellcheck disable=SC2086
	run "$SONDE" $line -i evil.data; ok
	! LC_ALL=C grep -q $'\033' "$T/out" "$T/err" || fail "$line prints an escape"
done
for line in trace 'trace -s' 'trace --json' 'trace --engine ptrace' stat 'probe -F -x' 'probe -D main -x'; do
	# shellcheck disable=SC2086
	run "$SONDE" $line "$evil"
	! LC_ALL=C grep -q $'\033' "$T/out" "$T/err" || fail "$line prints an escape"
done

# a path that would be a second definition in uprobe_events: nothing is written
at=$(printf "%s:0x1000\np:hostile/other " "$PWD/jit")
mkdir -p "$at$PWD"; cp jit "$at$PWD/jit"
run "$SONDE" probe -x "$at$PWD/jit" hostile:one=main; exits 255; err_has 'takes no probe in'; err_has '^hint: .*ln FILE NAME'
run "$SONDE" probe -x "$at$PWD/jit" -D main; exits 255
run "$SONDE" probe -l; hasnt 'hostile'
ln "$at$PWD/jit" same
run "$SONDE" probe -x ./same -D main; ok; has '^p:probe_same/main .*/same:0x'

# recordings that are small and would grow: events that share a million ids; a description with each record of a pipe
python3 - <<'P'
import struct
attr = struct.pack('<IIQQQQ', 1, 136, 0, 1000, 7, 0).ljust(136, b'\0')
ids = bytes(8 << 20)
events = (attr + struct.pack('<QQ', 104, len(ids))) * 1000
head = b'PERFILE2' + struct.pack('<8Q', 104, 152, 104 + len(ids), len(events), 104 + len(ids) + len(events), 0, 0, 0)
open('ids.data', 'wb').write(head + bytes(32) + ids + events)
with open('pipe.data', 'wb') as f:
    f.write(b'PERFILE2' + struct.pack('<Q', 16))
    for i in range(60000):
        f.write(struct.pack('<IHH', 64, 0, 152) + attr + struct.pack('<Q', i * 70000))
P
run timeout 60 bash -c 'ulimit -v 2000000; exec "$0" report --stdio -i ids.data' "$SONDE"; exits 255; err_has 'is damaged at offset 0x[0-9a-f]*: events share their ids'
run timeout 60 "$SONDE" report --stdio -i pipe.data; ok

# a tracepoint's format that would print as many spaces as there is memory
if "$SONDE" record -q -e syscalls:sys_enter_openat -o wide.data cat /dev/null 2>/dev/null; then
	run "$SONDE" script -i wide.data -F event,trace; ok; has 'dfd: 0x[0-9a-f]{8}, filename: 0x'
	for width in %2000000000lx '%20" "0000000lx'; do
		python3 - "$width" <<'P'
import sys
data, old = open('wide.data', 'rb').read(), b'dfd: 0x%08lx, filename: 0x'
assert old in data
open('wider.data', 'wb').write(data.replace(old, sys.argv[1].encode().ljust(len(old))))
P
		run timeout 60 bash -c 'ulimit -v 2000000; exec "$0" script -i wider.data -F event,trace' "$SONDE"; ok; has 'sys_enter_openat:'; hasnt 'flags: 0x'
	done
fi

# a recording that is cut while it is read: a sentence, not a crash
"$SONDE" record -q -F 4999 -g -e cpu-clock -o cut.data dd if=/dev/zero of=/dev/null bs=1 count=500k 2>/dev/null
mkfifo said
{ code=0; "$SONDE" script -i cut.data 2>"$T/err" || code=$?; echo $code >code; } >said &
{ read -r _; truncate -s 4096 cut.data; cat >/dev/null; } <said
wait; code=$(cat code); exits 255; err_has 'cut.data was cut off while it was read'; err_has '^hint: '
run "$SONDE" stat -u 4294967296 true; exits 255; err_has "there is no user '4294967296'" # not root, its low 32 bits

# kernel symbols (an archive has them) of as many modules as there can be
python3 -c '
print("ffffffff81000000 T _text")
for i in range(300000): print("%016x t f%d\t[m%d]" % (0xffffffffc0000000 + i * 16, i, i % 60000))' >symbols
run timeout 60 "$SONDE" report --stdio --kallsyms symbols -i j.data; ok
