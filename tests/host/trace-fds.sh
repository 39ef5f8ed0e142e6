# SPDX-License-Identifier: GPL-2.0-or-later
# Names of descriptors are right or absent, whichever calls are chosen.
for f in a b c d e f g; do echo 0123456789abcdef > $f; done
names() { joined lines | grep -o 'read(fd: [0-9]*[^,]*, .*count: [0-9]*)' | grep -v 'count: 832' | sed -E "s/read\(fd: [0-9]*(<([^>]*\/)?([^>]*)>)?,.*count: ([0-9]*)\)/\4\3/" | sort -n; }
want='1a
2b
3c
4
5c
6d
7e
8f
9
10g'
for engine in bpf ptrace; do
	for set in all read openat,read '!close,dup2' /read/; do
		run "$SONDE" trace --engine=$engine -e "$set" -o lines "$PROG/fdnames"; ok
		names > got
		[ "$(cat got)" = "$want" ] || fail "engine $engine, -e '$set': $(tr '\n' ' ' < got)"
	done
	run "$SONDE" trace --engine=$engine --where 'read.count > 2' -o lines "$PROG/fdnames"; ok
	names > got
	[ "$(cat got)" = "$(sed -n '3,$p' <<< "$want")" ] || fail "engine $engine, --where: $(tr '\n' ' ' < got)"
	hasnt_line() { ! grep -q "$1" lines || fail "$1 in the lines"; }
	hasnt_line 'close('
done
# the same from a recording of a few calls: the others are in it, but not shown
for set in read openat,read; do
	run "$SONDE" trace record -e $set -o t.data "$PROG/fdnames"; ok
	"$SONDE" trace -i t.data > lines
	names > got
	[ "$(cat got)" = "$want" ] || fail "recorded, -e '$set': $(tr '\n' ' ' < got)"
	! grep -q 'close(' lines || fail 'close was not chosen'
	"$SONDE" trace -i t.data -s > lines; ! grep -q '^ *close' lines || fail 'close in the summary'
done
# perf cannot see paths: no names rather than wrong ones, and never our own descriptors
for set in all read openat,read; do
	run "$SONDE" trace --engine=perf -e "$set" -o lines "$PROG/fdnames"; ok
	! grep -q 'read(fd: [0-9]*<' lines || fail "engine perf, -e $set: $(grep -m1 'read(fd: [0-9]*<' lines)"
done
# a call whose tracepoint has another name, or none
run "$SONDE" trace -e uname uname; ok; err_has 'uname\(name: \{ .sysname: "Linux"'
run "$SONDE" trace -e _sysctl true; ok
# one thread, its names too
rm lines; mkfifo pipe; exec 7<>pipe; cat pipe >/dev/null 7>&- & p=$!
await "grep -q '^0 ' /proc/$p/syscall" # it reads
"$SONDE" trace -t $p -o lines 7>&- & s=$!
await '[ -s lines ]'; exec 7>&-; wait $s || fail "sonde"; grep -q 'close(fd: 1<' lines || { cat lines; fail "no name"; }
# one thread of several, one CPU's or one name's calls: the calls that opened are not seen, each call tells what it has
command -v python3 >/dev/null || skip "no python3"
cat >reads.py <<'PY'
import threading, time
f = open("/etc/passwd")
def reads():
    while True:
        f.seek(0); f.read(); time.sleep(0.02)
t = threading.Thread(target=reads, daemon=True)
t.start(); print(t.native_id, flush=True); time.sleep(1000)
PY
python3 reads.py >tid & p=$!
trap 'kill $p' EXIT
await '[ -s tid ]'
for how in "-t $(cat tid)" "-C 0-$(($(nproc --all) - 1)) -p $p" "--comm $(cat /proc/$p/comm) -p $p"; do
	# shellcheck disable=SC2086
	run timeout -k 5 60 "$SONDE" trace $how --max-events 12; ok
	err_has 'read\(fd: [0-9]+</etc/passwd>, buf: "root:'
done
# lines and a table: the calls that only tell what descriptors are do not count
run "$SONDE" trace -S -e close cat /etc/passwd; ok; err_has 'close\(fd: 3</etc/passwd>\)'; err_hasnt '^ +openat '
n=$(joined "$T/err" | grep -c 'close('); err_has "^ +close +$n "
run "$SONDE" trace -S --where 'close.fd == 3' cat /etc/passwd; ok; err_has 'close\(fd: 3</etc/passwd>\)'; err_hasnt '^ +openat '
n=$(joined "$T/err" | grep -c 'close('); err_has "^ +close +$n "
