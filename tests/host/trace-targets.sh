# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace -p of what cannot be traced: a sentence and a hint at once, whichever engine; limits are named.
[ "$(id -u)" = 0 ] || skip "needs root"
t() { run timeout -k 5 60 "$SONDE" trace --engine=$engine -o lines "$@"; }
sh -c 'sh -c "exit 0" & exec sleep 1000' & parent=$!
trap 'kill $parent' EXIT
await "grep -qs '^State:.Z' /proc/\$(pgrep -P $parent)/status"; ended=$(pgrep -P $parent)
thread=$(awk '$1 == "PPid:" && $2 == 2 { split(FILENAME, f, "/"); print f[3]; exit }' /proc/[0-9]*/status)
for engine in bpf perf ptrace; do
	for which in p t; do
		t -$which "$ended"; exits 255; err_has "$ended has ended, only its parent"; err_has '^hint: '
		[ -z "$thread" ] || { t -$which "$thread"; exits 255; err_has "$thread is a thread of the kernel: it makes no system calls"; err_has '^hint: .*--event'; }
		# shellcheck disable=SC2016
		run timeout -k 5 60 bash -c 'exec "$@" $$' x "$SONDE" trace --engine=$engine -o lines -$which; exits 255; err_has 'cannot trace itself'; err_has '^hint: '
	done
	t -p 4194303; exits 255; err_has '4194303'; err_has '^hint: '
done
# other events are the kernel's too
if [ -n "$thread" ]; then
	engine=bpf; t -p "$thread" --no-syscalls --event sched:sched_switch sleep 0.1; ok
fi
# a leader that has ended, with a thread that lives: its calls are there
cat >leaves.py <<'PY'
import ctypes, threading, time
def works():
    while True: time.sleep(0.02)
threading.Thread(target=works).start()
ctypes.CDLL(None).syscall(60, 0)  # exit, of this thread alone
PY
python3 leaves.py & p=$!
await "grep -qs '^State:.Z' /proc/$p/status"
for engine in bpf ptrace; do t -p $p --max-events 5; ok; grep -q nanosleep lines || { cat lines; fail "$engine: the thread that lives"; }; done
kill -9 $p
# no process can be started
run setpriv --reuid 65534 --clear-groups prlimit --nproc=1 "$SONDE" trace --engine=ptrace -o /dev/null true
exits 255; err_has 'cannot start a process'; err_has '^hint: .*ulimit -u'
