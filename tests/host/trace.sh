# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace: lines, forms, filters, followed children, signals and ends.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"

run "$SONDE" trace cat /etc/hostname; ok
err_has '\( *[0-9.]+ ms\): cat/[0-9]+ openat\(dfd: CWD, filename: "/etc/hostname", flags: RDONLY\) += 3'
run "$SONDE" trace echo hi; ok; err_has 'write\(fd: 1.*"hi\\n", count: 3\) += 3'
err_has 'exit_group\(error_code: 0\) += \?'
err_has '\+\+\+ exited with 0 \+\+\+'

# the command's exit code is ours; what it writes is not ours to lose
run "$SONDE" trace -o t.txt sh -c 'echo hello; exit 7'; exits 7; same "$out" hello
grep -q 'exited with 7' t.txt || fail "no exit line"

# one call among many
run "$SONDE" trace -e openat cat /etc/hostname; ok; err_has 'openat\('; err_hasnt 'close\(|read\('
run "$SONDE" trace -e '!openat,close' cat /etc/hostname; ok; err_hasnt 'openat\(|close\('; err_has 'read\('
run "$SONDE" trace -e nosuchcall true; exits 129; err_has 'nosuchcall'
run "$SONDE" trace --failure cat /nonexistent; exits 1; err_has 'ENOENT'; err_hasnt ' = 0$'

# --string-limit cuts what is shown of a path, not what names the descriptor; strace's form has paths whole
for engine in bpf ptrace; do
	run "$SONDE" trace --engine=$engine --string-limit 9 -e openat cat /etc/hostname; ok
	err_has 'openat\(dfd: CWD, filename: "/etc/host"\.\.\., flags: RDONLY\) += 3</etc/hostname>'
done
run "$SONDE" trace --string-limit 9 -e readlink readlink -f /proc/self/exe; ok; err_has 'path: "/proc/sel"\.\.\.'
run "$SONDE" trace --strace --string-limit 9 -e openat,read cat /etc/hostname; ok; err_has 'openat\(AT_FDCWD, "/etc/hostname", O_RDONLY\)'

# a rare call, by its own tracepoints
run "$SONDE" trace -e socketpair python3 -c 'import socket; socket.socketpair()'; ok; err_has 'socketpair\(.*\) += 0'
same "$(joined "$T/err" | grep -c 'socketpair(')" 1 "calls seen"

# children are followed, with their names and numbers
run "$SONDE" trace sh -c '/bin/true; /bin/true'; ok
same "$(joined "$T/err" | grep -c 'true/[0-9]* exit_group')" 2 "children"
run "$SONDE" trace --no-inherit sh -c '/bin/true; :'; ok; err_hasnt 'true/'

# signals, and a program that dies of one
run "$SONDE" trace sh -c 'kill -USR1 $$'; exits 138; err_has 'SIGUSR1'; err_has '\+\+\+ killed by SIGUSR1'

# forms
run "$SONDE" trace --strace cat /etc/hostname; ok
err_has '^openat\(AT_FDCWD, "/etc/hostname", O_RDONLY\) = 3'
err_has '^\+\+\+ exited with 0 \+\+\+'
run "$SONDE" trace --json -o t.json cat /etc/hostname; ok
python3 - t.json <<'PY' || fail "JSON"
import json, sys
calls = [json.loads(l) for l in open(sys.argv[1])]
o = [c for c in calls if c.get("syscall") == "openat"]
assert o and all("duration" in c and "pid" in c for c in o), calls[:3]
PY
run "$SONDE" trace --max-events 3 -o t.txt cat /etc/hostname; same "$(joined t.txt | grep -c .)" 3 "lines"
run "$SONDE" trace -s cat /etc/hostname; ok; err_has 'syscall +calls +errors'; err_has '^ +openat +[0-9]+ '
run "$SONDE" trace -S cat /etc/hostname; ok; err_has 'openat\('; err_has '^ +openat +[0-9]+ '
run "$SONDE" trace -s --summary-mode total --json true; ok; err_has '"type":"summary".*"syscall":"execve"'

# attach to what runs
sleep 1000 & p=$!; await "asleep $p"
"$SONDE" trace -p $p -o att.txt & s=$!
await "ready $s"; kill $p; wait $s || true
grep -q 'nanosleep' att.txt || { cat att.txt; fail "the call under way at attach"; }
grep -q 'killed by SIGTERM' att.txt || fail "its end"
# a call that began before us and ends after us is shown as under way
sleep 1000 & p=$!; await "asleep $p"
"$SONDE" trace -p $p -o under.txt & s=$!
await "ready $s"; kill -TERM $s; wait $s || true; kill $p
grep -Eq 'nanosleep\(.*\.\.\.$' under.txt || { cat under.txt; fail "the call under way all along"; }
run "$SONDE" trace -p 4194303; exits 255; err_has 'no process'
run "$SONDE" trace nosuchprogram; exits 255; err_has 'cannot run'
