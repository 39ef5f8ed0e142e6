# SPDX-License-Identifier: GPL-2.0-or-later
# How threads and processes end, the same in all engines.
line() { told lines "$1" || fail "$engine: no line $1: $(tail -5 lines)"; }
none() { ! grep -Eq -- "$1" lines || fail "$engine: $(grep -Em1 -- "$1" lines)"; }
t() { run "$SONDE" trace --engine=$engine -o lines "$@"; }
for engine in bpf perf ptrace; do
	t -e pause,execve "$PROG/ends" x; ok
	[ "$(grep -c 'pause() *= ?' lines)" -ge 1 ] || fail "$engine: the pause that exec ended is missing"
	line 'true/[0-9]+ \+\+\+ superseded by execve in thread [0-9]+ \+\+\+'; line 'true/[0-9]+ .*execve\(.*= 0 \(parent: '; none 'SIGKILL'; none '\.\.\.$.*execve'
	# the leader has not ended: the thread that called goes on under its number, and that is told in each form
	leader=$(sed -n 's|.* true/\([0-9]*\) +++ superseded.*|\1|p' lines); caller=$(sed -n 's|.*execve in thread \([0-9]*\) .*|\1|p' lines)
	none "ends/$leader \+\+\+ exited"; line "new thread $caller \+"; [ "$leader" != "$caller" ] || fail "$engine: the same thread"
	same "$(grep -c "exited with 0" lines)" 2 "$engine: ends of a process whose thread execs"
	t --strace -e execve "$PROG/ends" x; ok; line '^[0-9]+ +\+\+\+ superseded by execve in pid [0-9]+ \+\+\+$'
	t --json -e execve "$PROG/ends" x; ok; line '"type":"exec".*"pid":([0-9]+),"tid":\1,"comm":"true".*"old_tid":[0-9]+'
	same "$(grep -c '"process":true' lines)" 1 "$engine: one end of the process"
	t -e pause "$PROG/ends" g; exits 5
	same "$(grep -c 'exited with 5' lines)" 3 "$engine: exits of a group"
	same "$(grep -c 'pause() *= ?' lines)" 2 "$engine: calls that never returned"; none 'SIGKILL'
	t -e wait4 "$PROG/ends" c; ok; line 'wait4\(.*= [0-9]+$'; none ' = 0$'
	t -e clone "$PROG/ends" c; ok; same "$(joined lines | grep -c 'clone(')" 1 "$engine: a child's return is no call"
	t -e wait4 "$PROG/ends" i; ok; line '--- SIGUSR2 \{si_signo=SIGUSR2, si_code=SI_TKILL'
	t -e wait4 "$PROG/ends" s; exits 139; line 'SIGSEGV \{si_signo=SIGSEGV, si_code=SEGV_MAPERR'; none 'si_addr=NULL'
	t -e wait4 sh -c 'kill -TERM $$'; exits 143; line 'killed by SIGTERM'; none 'SIGKILL'
	t -e wait4 sh -c 'exit 3'; exits 3; line 'exited with 3'
done
engine=bpf; t --strace -e execve "$PROG/ends" x; ok; line '^[0-9]+ +<\.\.\. execve resumed>\) += 0$'
for engine in bpf ptrace; do
	t -e wait4 "$PROG/ends" c; ok; line 'SIGCHLD \{si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=[0-9]+, si_uid=0, si_status=9'
done
# a 32-bit program that is gone before anybody can look at it
command -v as > /dev/null && command -v ld > /dev/null || skip 'no assembler'
cat > small.s << 'S'
.globl _start
_start: movl $20,%eax; int $0x80
movl $1,%eax; movl $7,%ebx; int $0x80
S
as --32 -o small.o small.s && ld -m elf_i386 -o small small.o || skip 'no 32-bit linker'
for engine in bpf perf ptrace; do
	t ./small; exits 7; line ' execve\(.*= 0 \(parent: '; line '\[32-bit\] getpid\(\) '; line '\[32-bit\] exit\(error_code: 7\)'
done
