# SPDX-License-Identifier: GPL-2.0-or-later
# In namespaces as containers have them: the calls are shown by every engine, with the numbers that processes have there.
[ "$(id -u)" = 0 ] || skip "needs root"
unshare -pf --mount-proc true 2>/dev/null || skip "no pid namespaces"
line() { joined lines | grep -E -- "$1" >/dev/null || { head -20 lines | cut -c1-200; fail "no line: $1"; }; }
inside() { run unshare -pf --mount-proc "$@"; }
inside "$SONDE" trace -o lines sh -c '/bin/true; exit 3'; exits 3
line 'true/[0-9]+ exit_group'; line 'sh/2 .*exited with 3'
inside "$SONDE" trace --engine=ptrace -o lines sh -c '/bin/true; exit 3'; exits 3; line 'execve\(filename: "/bin/true"'

# eBPF: both ways of loading, strings, forks, the ends, and nothing of the processes outside
for loader in light full; do
	export SONDE_BPF_LOADER=$loader
	inside "$SONDE" trace --engine=bpf -o lines sh -c '/bin/true; cat /etc/hostname >/dev/null; exit 3'; exits 3
	line 'sh/2 \+\+\+ new process 3'; line 'true/3 .*execve\(filename: "/bin/true"'; line 'true/3 \+\+\+ exited with 0'
	line 'cat/4 openat\(.*"/etc/hostname".* = 3</etc/hostname>'; line 'sh/2 --- SIGCHLD .*si_pid=4'; line 'sh/2 .*exited with 3'
done
unset SONDE_BPF_LOADER
timeout 600 cat /dev/zero >/dev/null & busy=$!
inside "$SONDE" trace --engine=bpf -a -o lines sh -c 'sleep 0.1; unshare -pf --mount-proc /bin/echo deep'; ok
kill $busy
line 'sh/2 execve'; line 'unshare/4 clone.* = 5'; line 'echo/5 write\(.*"deep' # deeper ones have numbers here, too
! grep -q 'cat/' lines || fail "a process outside of the namespace was traced"
# a thread that execs takes its leader's number
inside "$SONDE" trace --engine=bpf -e execve,exit_group -o lines python3 -c '
import os, threading, time
threading.Thread(target=os.execv, args=("/bin/true", ["true"])).start()
time.sleep(1000)'; ok
line 'true/2 .*execve\(filename: "/bin/true".* = 0'; line 'true/2 .*exited with 0'
# -p, with what was open before
mkfifo open
inside sh -c 'sh -c "exec 7</etc/hostname; echo >open; while :; do read x <&7; done" & read -r _ <open; '"$SONDE"' trace --engine=bpf -p $! --max-events 20 -o lines; kill $!'
line 'sh/2 .*7</etc/hostname>'
# a /proc of elsewhere is told of
run unshare -pf "$SONDE" trace --engine=bpf -o lines true; ok; err_has '/proc is that of another pid namespace'; line '(true/2 )?exit_group'

# from outside: numbers of outside, and names found by them
mkfifo gate
unshare -pf --mount-proc sh -c 'exec 7</etc/hostname; echo >gate; while :; do read x <&7; kill -0 1; done' & outer=$!
read -r _ <gate; inner=$(pgrep -P $outer)
run "$SONDE" trace --engine=bpf -p "$inner" --max-events 60 -o lines
kill -9 "$inner"
line "sh/$inner dup2.*7</etc/hostname>"; line "sh/$inner kill\(pid: 1, "

# other namespaces change nothing for eBPF
run unshare -nmiu "$SONDE" trace --engine=bpf -o lines cat /etc/hostname; ok; line 'filename: "/etc/hostname"'
# a user who is root only inside
run as_nobody unshare -Ur true
if [ "$code" = 0 ]; then run as_nobody unshare -Ur "$SONDE" trace -e openat cat /etc/hostname; ok; err_has 'filename: "/etc/hostname"'; fi
