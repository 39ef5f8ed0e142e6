# SPDX-License-Identifier: GPL-2.0-or-later
# Choices that hold in all engines: names of threads, CPUs, cgroups, lengths, failures; one sigreturn for each handler.
[ "$(id -u)" = 0 ] || skip "needs root"
line() { told lines "$1" || { head -20 lines | cut -c1-200; fail "$engine: no line: $1"; }; }
none() { ! grep -Eq -- "$1" lines || fail "$engine: a line: $(grep -E -m1 -- "$1" lines | cut -c1-200)"; }
t() { run timeout -k 5 60 "$SONDE" trace --engine=$engine -o lines "$@"; }
cp /bin/true odd
for engine in bpf perf ptrace; do
	t --comm odd sh -c './odd; /bin/true; exit 4'; exits 4; line exit_group; none '\): (sh|true)/'
	t --duration 80 -q sh -c 'sleep 0.1'; ok; line 'nanosleep'; same "$(shorter lines 80)" "" "$engine: calls of less than 80 ms"
	t --max-events 3 sh -c '/bin/true; exit 4'; same "$(joined lines | grep -c .)" 3 "$engine: lines"
	t --failure -q cat /nonexistent; exits 1; line ENOENT; same "$(joined lines | grep -vc ' = -1 E')" 0 "$engine: calls that did not fail"
	t -e rt_sigreturn,exit_group sh -c 'trap : USR1; kill -USR1 $$; kill -USR1 $$'; ok; same "$(joined lines | grep -c 'rt_sigreturn(')" 2 "$engine: sigreturn"
	t -s --summary-mode cgroup sh -c '/bin/true; /bin/true'; ok; line '^ /.*, [0-9]+ calls, 100.0%'
	t -s --summary-mode total sh -c '/bin/true; /bin/true'; ok; line '^ +execve +3 '
	t -s --summary-mode thread sh -c '/bin/true; /bin/true'; ok; same "$(grep -c '^ true (' lines)" 2 "$engine: tables"
	t -s --summary-mode nosuch true; exits 129
	if [ $engine != perf ]; then # which does not see what a 32-bit call of these is about
		# i386's socketcall stands for many calls: it is taken for those that are asked for
		t -q -e connect@32 "$PROG/calls-i386"; ok; same "$(joined lines | grep -c .)" 1 "$engine: connect"; line '\[32-bit\] connect\(fd: 77'
		t -q -e connect,listen,write "$PROG/calls-i386"; ok; line '\[32-bit\] connect\(fd: 77'; line '\[32-bit\] listen\(fd: 77'
		t -q -e socketcall "$PROG/calls-i386"; ok; line '\[32-bit\] connect\(fd: 77'; line '\[32-bit\] listen\(fd: 77'
		t -q -e semget,shmget "$PROG/calls-i386"; ok; none '32-bit'
	fi
	# one thread, inside a call that ends once all is armed
	rm -f lines pipe; mkfifo pipe; cat pipe >/dev/null & p=$!
	"$SONDE" trace --engine=$engine -o lines -t $p & s=$!
	await "ready $s"; : >pipe; wait $s || fail "$engine: -t ends with $?"; wait $p; line 'openat.*pipe'; line 'read\('; line 'exited with 0'
	run timeout -k 5 60 "$SONDE" trace --engine=$engine --stats -o lines sh -c '/bin/true'; ok; err_has "[0-9]+ events by engine $engine, 0 lost"; err_has 'own CPU time'
	t --stats --json true; ok; line "\"type\":\"stats\",\"engine\":\"$engine\",\"events\":[1-9][0-9]*,\"lost\":0,\"waits\":0.*\"own_cpu_seconds\":"
done
for engine in bpf perf; do
	t -C 0 -e openat taskset -c 0 "$PROG/opens" 5; ok; line 'openat'
	t -C 1 -e openat -q taskset -c 0 "$PROG/opens" 5; ok; none 'opens/.*openat'
	t -a -C 0 -e openat taskset -c 0 "$PROG/opens" 5; ok; line 'opens/.*openat'
done
engine=ptrace; t -C 0 true; exits 255; err_has 'which CPU'
# called by its other name
ln -s "$SONDE" trace; run ./trace -e openat cat /etc/hostname; ok; err_has 'openat\(dfd: CWD, filename: "/etc/hostname"'
