# SPDX-License-Identifier: GPL-2.0-or-later
# Engine 3: ptrace with a seccomp filter, the one that needs no rights.
T3=("$SONDE" trace --engine=ptrace)

run "${T3[@]}" -e openat cat /etc/hostname; ok
err_has 'openat\(dfd: CWD, filename: "/etc/hostname", flags: RDONLY\) += 3'
err_hasnt ' read\('

# every call, also without a filter; the exit status is passed on
run "${T3[@]}" -o t.txt sh -c 'exit 7'; exits 7
grep -q 'exit_group(error_code: 7)' t.txt || fail "no exit_group"
grep -q '+++ exited with 7 +++' t.txt || fail "no exit line"
run "${T3[@]}" -e openat -o t.txt sh -c 'kill -TERM $$'; exits 143
grep -q '+++ killed by SIGTERM +++' t.txt || fail "no line for the signal it died of"
run "${T3[@]}" no-such-program; exits 255; err_has 'cannot run the command'; err_has '^hint:'

# children and threads are followed; calls of each thread are whole
run "${T3[@]}" -e execve -o t.txt sh -c '/bin/true; /bin/echo x | cat'; ok
same "$(joined t.txt | grep -c 'execve(')" 4 "execve"
[ "$(grep -c '+++ exited' t.txt)" -eq 4 ] || fail "exits: $(grep -c '+++ exited' t.txt) of 4 seen"

# attach to a running process, let it go again
sh -c 'while :; do sleep 0.05; echo >>beats; done' & pid=$!
trap 'kill -9 $pid 2>/dev/null' EXIT
rm t.txt
after 'grep -Eqs "(wait4|vfork|clone)\(" t.txt' INT "${T3[@]}" -p $pid -o t.txt
grep -Eq '(wait4|vfork|clone)\(' t.txt || fail "nothing seen of process $pid"
kill -0 $pid || fail "the process did not survive"
grep -q '^TracerPid:.0$' /proc/$pid/status || fail "it is still traced"
# sonde killed: without a filter the target goes on
"${T3[@]}" -p $pid -o t.txt & sonde=$!
await "grep -q '^TracerPid:.$sonde\$' /proc/$pid/status"; kill -9 $sonde; wait $sonde || true
n=$(wc -l <beats); await "[ \$(wc -l <beats) -gt $((n + 3)) ]" # neither dead nor stopped

run "${T3[@]}" -a; exits 255; err_has 'ptrace follows chosen programs'; err_has '^hint:'
run "${T3[@]}" -p 999999; exits 255; err_has '999999'
