# SPDX-License-Identifier: GPL-2.0-or-later
# lock contention: threads that wait for each other at one lock of the kernel stand in the table, by caller, thread, lock, owner.
# needs: python3
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/events/lock/contention_begin ] || skip "this kernel has no lock:contention_begin"
# Two processes rename into one folder, again and again: its lock (rwsem) is held while the other wants it.
cat >fight <<'P'
import os, sys
os.makedirs("d", exist_ok=True)
for n in range(2):
    if os.fork() == 0:
        a, b = f"d/a{n}", f"d/b{n}"
        open(a, "w").close()
        for _ in range(int(sys.argv[1])):
            os.rename(a, b); os.rename(b, a)
        os._exit(0)
while True:
    try: os.wait()
    except ChildProcessError: break
P
fight() { # fight OPTION...: until the two have met
	local n
	for n in 3000 20000 100000; do
		run "$SONDE" lock contention "$@" python3 fight $n; ok
		! grep -Eq '^ +[1-9]|^[1-9]' "$T/out" || return 0
	done
	fail "they never met"
}
fight -Y rwsem,mutex; has '^ contended   total wait     max wait     avg wait         type   caller$'
has '^ +[0-9]+ +[0-9.]+ [mun]?s  +[0-9.]+ [mun]?s  +[0-9.]+ [mun]?s  +(rwsem:[RW]|mutex)   [a-z_0-9.]+\+0x[0-9a-f]+$'
hasnt ' spinlock '
# sorted, and in the units of -x the sums hold: average = total / count
fight -x , -k contended -F contended,wait_total,wait_max,avg_wait,wait_min
has '^# output: contended,total wait,max wait,avg wait,min wait,type,caller$'
awk -F, '!/^#/ { if ($4 != int($2 / $1) || $3 < $4 || $5 > $4 || (NR > 2 && $1 > last)) exit 1; last = $1; n++ } END { exit !n }' "$T/out" || fail "the numbers do not agree"
fight -t; has '^ contended .*  pid   comm$'; has ' [0-9]+   python3$'
fight -l; has '  address   symbol$'; has '   [0-9a-f]{16}   .*\((rwsem|mutex|spinlock|rwlock)'
fight -o; has '  pid   owner$'
fight -E 1 -v; same "$(grep -cE '^ +[0-9]+ +[0-9.]+ [mun]?s ' "$T/out")" 1 "rows of -E 1"; has $'^\t\t\t0x[0-9a-f]+  '; hasnt bpf_prog
# whose: another process is not this one
sleep 300 & victim=$!
run "$SONDE" lock contention -p $victim -- python3 fight 2000; ok; hasnt 'rename'
after 'ready $pid' TERM "$SONDE" lock contention -p $victim; ok; kill $victim
after 'pgrep -f "^sleep 61.$$\$" >/dev/null' INT "$SONDE" lock contention sleep 61.$$; exits 130; has '^ contended '
run "$SONDE" lock contention --output out sh -c 'exit 3'; exits 3; grep -q '^ contended ' out || fail "--output"
# refusals
run "$SONDE" lock; exits 129; err_has '^hint: '
run "$SONDE" lock report; exits 129; err_has "'report' is none of its commands"
run "$SONDE" lock contention -t -l true; exits 129; err_has 'exclude each other'
run "$SONDE" lock contention -k nosuch true; exits 129; err_has 'nosuch'
run "$SONDE" lock contention -Y nosuch true; exits 129; err_has 'nosuch'
run "$SONDE" lock contention -i perf.data; exits 129; err_has '^hint: '
run as_nobody "$SONDE" lock contention true; exits 255; err_has 'BPF'; err_has '^hint: '
