# SPDX-License-Identifier: GPL-2.0-or-later
# Files: pipes, compression, several in a row, snapshots, limits, and what a killed recorder leaves.
# timeout: 240
[ "$(id -u)" -eq 0 ] || skip "needs root"
lines() { "$SONDE" script -i "$1" 2>"$T/script-err" | grep -c 'cpu-clock:' || true; }

# through a pipe, and in the form of a pipe in a file
"$SONDE" record -e cpu-clock -F 999 -o - -- dd if=/dev/zero of=/dev/null bs=1 count=300k 2>/dev/null >piped.data
[ "$(lines piped.data)" -gt 10 ] || fail "nothing in the pipe's file"
n=$("$SONDE" record -e cpu-clock -F 999 -o - -- dd if=/dev/zero of=/dev/null bs=1 count=300k 2>/dev/null | "$SONDE" script -i - | grep -c cpu-clock:)
[ "$n" -gt 10 ] || fail "nothing through the pipe"
"$SONDE" record -e raw_syscalls:sys_enter -o - -- true 2>/dev/null | "$SONDE" script -i - >piped.txt
grep -q 'raw_syscalls:sys_enter: NR ' piped.txt || fail "no tracepoint through the pipe"

# a reader that leaves ends the recording and its command
{ timeout 60 "$SONDE" record -e raw_syscalls:sys_enter -o - -- sh -c 'while :; do cat /dev/null; done' 2>left.err || echo $? >left.rc; } | head -c 100 >/dev/null
[ ! -s left.err ] && [ ! -e left.rc ] || fail "a reader that has seen enough is no failure: $(cat left.err left.rc)"
# and one that is gone before the first byte
cat >gone.py <<'END'
import os, subprocess, sys
r, w = os.pipe()
os.close(r)
sys.exit(subprocess.call(sys.argv[1:], stdout=w))
END
run timeout 60 python3 gone.py "$SONDE" record -e raw_syscalls:sys_enter -o - -- sh -c 'while :; do cat /dev/null; done'; ok
[ ! -s "$T/err" ] || fail "a reader that never was: $(cat "$T/err")"

# compressed: smaller, and the same kind of contents
run "$SONDE" record -z -e raw_syscalls:sys_enter -o z.data -- dd if=/dev/zero of=/dev/null bs=1 count=20k; ok; err_has compressed
run "$SONDE" record -e raw_syscalls:sys_enter -o plain.data -- dd if=/dev/zero of=/dev/null bs=1 count=20k; ok
[ $(($(stat -c %s z.data) * 3)) -lt "$(stat -c %s plain.data)" ] || fail "compression saves too little"
a=$("$SONDE" script -i z.data | grep -c 'NR 1 '); b=$("$SONDE" script -i plain.data | grep -c 'NR 1 ')
same "$a" "$b" "compressed and plain recordings differ"

# killed at any moment: readable, names and formats included
for bytes in 0 100000; do
	rm -f killed.data
	"$SONDE" record -e raw_syscalls:sys_enter -e cpu-clock -m 64K -o killed.data -- sh -c 'while :; do cat /dev/null; done' >/dev/null 2>&1 & pid=$!
	await '[ "$(stat -c %s killed.data 2>/dev/null || echo 0)" -gt "$bytes" ]'
	child=$(pgrep -P $pid || true)
	kill -9 $pid; wait $pid 2>/dev/null || true
	[ -z "$child" ] || kill -9 "$child" 2>/dev/null || true
	run "$SONDE" script -i killed.data; ok
	err_has 'was not closed'
done
has 'raw_syscalls:sys_enter: NR '

# a new file after a size or a time, at most so many of them; each whole in itself
mkdir sw; cd sw
run "$SONDE" record -e raw_syscalls:sys_enter --switch-output=512K --switch-max-files 3 -m 256K -- dd if=/dev/zero of=/dev/null bs=1 count=300k; ok
files=(perf.data.20*); [ ${#files[@]} -eq 3 ] || fail "${#files[@]} files, wanted 3"
some=0 # the last one may be empty: a switch can come with the last event
for f in "${files[@]}"; do
	"$SONDE" script -i "$f" >../text; some=$((some + $(grep -c 'NR ' ../text || true)))
	! grep 'NR ' ../text | grep -qv '^ *\(dd\|sonde\) ' || fail "$f has no names"
done
[ "$some" -gt 1000 ] || fail "only $some events in ${#files[@]} files"
rm -f perf.data*
SECONDS=0
run "$SONDE" record -e cpu-clock -F 99 --switch-output=1s -a -- sleep 1.3; ok
files=(perf.data.20*); [ ${#files[@]} -ge 2 ] && [ ${#files[@]} -le $((SECONDS + 2)) ] || fail "${#files[@]} files by time in $SECONDS s"
rm -f perf.data*
"$SONDE" record -e cpu-clock -F 99 --switch-output -a -- sleep 1000 2>/dev/null & pid=$!
await 'armed USR2 && [ -n "$(ls)" ]'
kill -USR2 $pid; await '[ "$(ls | wc -l)" -ge 2 ]'; kill -TERM $pid; wait $pid || true
files=(perf.data.20*); [ ${#files[@]} -eq 2 ] || fail "${#files[@]} files by signal, wanted 2"
cd ..

# a limit on the size, whichever way the events come
for how in '-m 64K' '-m 1M -g' '' -z; do
	# shellcheck disable=SC2086
	run "$SONDE" record -e raw_syscalls:sys_enter --max-size 1M $how -o max.data -- sh -c 'while :; do cat /dev/null; done'; ok; err_has 'size limit'
	size=$(stat -c %s max.data)
	[ "$size" -le 1048576 ] || fail "--max-size 1M $how: $size bytes"
	[ "$size" -ge 600000 ] || fail "--max-size 1M $how: only $size bytes"
	same "$("$SONDE" script -i max.data -F time | grep -c :)" "$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' "$T/err")" "samples told and samples there"
done

# the flight recorder: the latest only; a snapshot when asked for, another at the end
mkdir fl; cd fl
"$SONDE" record -e raw_syscalls:sys_enter --overwrite -m 64K -- sh -c 'while :; do cat /dev/null; echo >>../cats; done' >/dev/null 2>&1 & pid=$!
cats() { local n; n=$(wc -l <../cats 2>/dev/null || echo 0); await "[ \$(wc -l <../cats) -gt $((n + 30)) ] 2>/dev/null"; } # until there are more of them
await 'armed USR2'; cats; kill -USR2 $pid
await 'ls perf.data.20* >/dev/null 2>&1'; cats; kill -TERM $pid; wait $pid || true
files=(perf.data.20*); [ ${#files[@]} -eq 1 ] || fail "${#files[@]} snapshots, wanted 1"
for f in perf.data "${files[@]}"; do
	"$SONDE" script -i "$f" >text; grep -q '^ *cat .*NR ' text || fail "$f: no names"
	[ "$(stat -c %s "$f")" -lt 3000000 ] || fail "$f: more than the rings hold"
done
cd ..

# a full disk is told, and what was written can be read
mkdir small; mount -t tmpfs -o size=400k none small || skip "no tmpfs here"
run "$SONDE" record --no-disk-guard -e raw_syscalls:sys_enter -m 64K -o small/x.data -- dd if=/dev/zero of=/dev/null bs=1 count=100k; exits 255; err_has 'cannot write to small/x.data: No space left'; err_has '^hint: the disk is full'
run "$SONDE" script -i small/x.data; has 'NR '
umount small

# interrupted: a whole file and the exit code of a clean end
after 'armed && [ -s int.data ]' TERM "$SONDE" record -e cpu-clock -F 99 -a -o int.data; ok; err_has 'wrote .* int.data'
