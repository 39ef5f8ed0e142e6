# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace: --where, --event, stacks, recordings, filters by user, CPU and name, 32-bit calls, many threads at attach.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
trace() { run "$SONDE" trace -o t.txt "$@"; }
shows() { told t.txt "$1" || { head -n 50 t.txt; fail "no line: $1"; }; }
hides() { ! grep -Eq -- "$1" t.txt || { grep -E -m 5 -- "$1" t.txt; fail "a line: $1"; }; }

# --where: on strings, numbers, results; errors point at the place
trace --where 'openat.filename ~ "*.cache" && retval >= 0' cat /etc/hostname; ok; shows '"/etc/ld.so.cache"'; hides 'libc.so|close\('
trace --where 'retval == -ENOENT' cat /nonexistent; exits 1; shows 'ENOENT'; hides ' = [0-9]'
trace --where 'read.count == 832 || openat.filename == "/etc/hostname"' cat /etc/hostname; ok; shows 'count: 832'; shows '/etc/hostname'; hides 'mmap'
run "$SONDE" trace --where 'openat.nosuch == 1' true; exits 129; err_has 'no argument of this name'; err_has '^  \^'
run "$SONDE" trace --where 'openat.filename ~ "x' true; exits 129; err_has 'has no end'
run "$SONDE" trace --where 'retval <' true; exits 129
run "$SONDE" trace --where '((retval < 0)' true; exits 129; err_has '\) is missing'

# other events between the calls, in order of time
trace -e execve,exit_group --event 'sched:sched_process_exec,sched:sched_process_exit' true; ok
joined t.txt | grep -oE 'sched_process_exec|sched_process_exit|execve\(|exit_group\(|exited' | tr '\n' ' ' >order
same "$(cat order)" 'sched_process_exec execve( exit_group( sched_process_exit exited ' "order"
trace --no-syscalls --event sched:sched_process_exit true; ok; shows 'sched:sched_process_exit\(comm=true'; hides 'execve\('
trace --json --no-syscalls --event sched:sched_process_exit true; ok; shows '"event":"sched:sched_process_exit","fields":\{.*"comm":"true"'

# stacks
for how in fp dwarf; do
	trace --call-graph $how -e write "$PROG/fp"; ok; shows '^ {38}outer \(.*/fp\)'; shows '^ {38}main \('
done
trace --kernel-syscall-graph -e write "$PROG/fp"; ok; shows 'do_syscall_64 \(\[kernel'
trace --call-graph fp --max-stack 2 -e write "$PROG/fp"; ok; hides '^ {38}main'
trace --min-stack 100 -e write "$PROG/fp"; ok; hides 'write\('

# recordings
run "$SONDE" trace record -o t.data sh -c '/bin/true; exit 4'; exits 4; err_has 'events, .* MB in t.data'
"$SONDE" trace -i t.data -o t.txt; shows 'execve\(filename: "/bin/true", argv: \["/bin/true"\]'; shows 'exited with 4'
"$SONDE" trace -i t.data -s -o t.txt; shows '^ +execve +1 '
"$SONDE" trace -i t.data -e openat -o t.txt; shows 'openat'; hides 'mmap'
run "$SONDE" trace -i /dev/null; exits 255

# filters
cp /bin/true odd-name; cp "$PROG/opens" odd-opens # others may run true and opens meanwhile
trace -a -u nobody sh -c './odd-name; runuser -u nobody -- ./odd-name'; ok; shows 'odd-name/[0-9]+ exit_group'; same "$(joined t.txt | grep -c 'odd-name/[0-9]* exit_group')" 1 "of one user"
trace -a --comm odd-name sh -c './odd-name; /bin/true'; ok; shows 'odd-name/'; hides 'true/'
trace -a -C 0 taskset -c 0 ./odd-opens 10; ok; shows 'odd-opens/'
trace -a -C 1 taskset -c 0 ./odd-opens 10; ok; hides 'odd-opens/.*openat'
trace --duration 50 sleep 0.1; ok; shows 'nanosleep'; same "$(shorter t.txt 50)" "" "calls of less than 50 ms"

# 32-bit calls of a 64-bit program
trace "$PROG/int80"; ok; same "$(joined t.txt | grep -c '\[32-bit\] getpid()')" 10 "32-bit calls"

# attach to many threads
mkfifo gate; exec 7<>gate
python3 -c 'import threading
go = threading.Event()
for i in range(60): threading.Thread(target=go.wait).start()
open("gate").read(1); go.set()' & p=$!
await "[ \$(ls /proc/$p/task | wc -l) -ge 61 ]"
"$SONDE" trace -p $p -o t.txt & s=$!
await "ready $s"; echo >&7; exec 7>&-; wait $s || fail "sonde"; wait $p
[ "$(grep -cE '/[0-9]+ \+\+\+ exited with 0' t.txt)" -ge 60 ] || fail "ends of $(grep -cE 'exited with 0' t.txt) threads"

# what it cost (not known when another trace began or ended meanwhile)
for _ in {1..60}; do
	run "$SONDE" trace --stats --json -o t.txt true; ok
	! grep -q '"added_ns_per_call"' t.txt || break
done
shows '"type":"stats","engine":"bpf","events":[0-9]+,"lost":0.*"added_ns_per_call":[0-9]+'
