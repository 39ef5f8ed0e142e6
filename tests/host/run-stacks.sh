# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks and names of sonde run: bpftrace beside it has the same frames.
# needs: bpftrace
[ "$(id -u)" = 0 ] || skip "needs root"
true=$(type -P true)
script='tracepoint:sched:sched_process_exec /pid == cpid/ { @[kstack(3), comm] = count(); @k = kstack(2); printf("here%s|\n", kstack(1)) }'
# Others who trace the same event add a frame of the kernel's to it: what they spoil is done again.
as_bpftrace() { # ARGUMENTS...: of both
	for _ in {1..10}; do
		timeout 60 bpftrace -q "$@" 2>/dev/null | grep -v attached_probes >theirs || fail "bpftrace cannot do it"
		timeout 60 "$SONDE" run -q "$@" | grep -v attached_probes >ours || fail "sonde cannot do it"
		cmp -s theirs ours && return
	done
	diff -u theirs ours; fail "not as bpftrace: $*"
}
as_bpftrace -c "$true" -e "$script"
# all of them: from the tracepoint to the begin of the call; of a system call without the frames of our own program
run "$SONDE" run -q -c "$true" -e 'tracepoint:sched:sched_process_exec /pid == cpid/ { @[kstack] = count() }'; ok
has '^    .*exec.*\+[0-9]+$'; has '^    entry_SYSCALL_64_after_hwframe\+[0-9]+$'; hasnt '0x0'
run "$SONDE" run -q -c "$true" -e 'tracepoint:syscalls:sys_enter_exit_group /pid == cpid/ { @[kstack] = count() }'; ok
has '^    entry_SYSCALL_64_after_hwframe\+[0-9]+$'; hasnt 'bpf_'
# the same place again is the same stack
run "$SONDE" run -q -c "dd if=/dev/zero of=/dev/null bs=1 count=500 status=none" -e 'tracepoint:syscalls:sys_enter_write /pid == cpid && comm == "dd"/ { @[kstack] = count() }'; ok
has '^\]: 500$'; [ "$(grep -c '^@\[' "$T/out")" = 1 ] || fail "one stack became several"
run "$SONDE" run -f json -q -c "$true" -e "$script"; ok; has '"@k": "\\n        [a-z_0-9.]+\+[0-9]+\\n'
# a number beyond the room is counted
BPFTRACE_MAP_KEYS_MAX=1 run "$SONDE" run -q -c "$true" -e 'tracepoint:sched:sched_process_exec,tracepoint:sched:sched_process_exit /pid == cpid/ { @ = kstack }'; ok; err_has '1 stacks are missing'
# the user's frames, by name while the program is there
mkfifo in; dd if=in of=/dev/null bs=1 status=none & dd=$!; exec 9>in
seen() { printf x >&9; grep -q 'seen' "$T/out"; }
after 'ready $pid && seen' INT "$SONDE" run -q -e "tracepoint:syscalls:sys_enter_read /pid == $dd/ { @[ustack(1)] = count(); @s[ustack(1, raw)] = count(); printf(\"seen\\n\") }"; ok
has '^    (__)?(libc_)?read\+[0-9]+$'; has '^    7f[0-9a-f]+$'
exec 9>&-; wait $dd
# 32-bit calls of a 64-bit program have other numbers: its ten getpid are no writev
run "$SONDE" run -q -c "$PROG/int80" -e 'tracepoint:syscalls:sys_enter_writev /pid == cpid/ { @w = count() } tracepoint:raw_syscalls:sys_enter /pid == cpid && args.id == 20/ { @all = count() }'; ok; has '^@w: 0$'; has '^@all: 10$'
# a program that has ended has its names still, and so have the frames from before its exec
cat >three.c <<'C'
#include <unistd.h>
__attribute__((noinline)) long inner(int n) { long r = write(-1, "x", 0); __asm__ volatile("" : "+r"(r)); return r + n; }
__attribute__((noinline)) long outer(int n) { long r = inner(n); __asm__ volatile("" : "+r"(r)); return r + 1; }
int main(int argc, char **argv) { outer(1); if (argc > 1) execv(argv[1], argv + 1); return 0; }
C
gcc -O1 -g -fno-omit-frame-pointer -o before three.c && sed 's/outer/second/g' three.c >other.c && gcc -O1 -g -fno-omit-frame-pointer -o behind other.c || fail "no compiler"
at='tracepoint:syscalls:sys_enter_write /pid == cpid && args.fd == (uint32)-1/'
run "$SONDE" run -q -c "$PWD/before $PWD/behind" -e "$at { @[ustack] = count(); @p[ustack(perf, 3)] = count(); printf(\"one%s\\n\", ustack(3)) }"; ok
for f in outer second; do
	has "^    $f\+[0-9]+$"; has "^        $f\+[0-9]+$"
done
[ "$(grep -c '^    main+' "$T/out")" = 2 ] || fail "both programs have a main"
has "^	[0-9a-f]+ outer\+[0-9]+ \($PWD/before\)$"; has "^	[0-9a-f]+ second\+[0-9]+ \($PWD/behind\)$"; hasnt ' 0x'
id=$(readelf -n before | sed -n 's/.*Build ID: //p')
run "$SONDE" run -q -c "$PWD/before" -e "$at { @b[ustack(build_id, 3)] = count(); @r[ustack(raw, 2)] = count(); @u = usym(0); @v[usym(1234)] = 1 }"; ok
has "^$id 0x[0-9a-f]+$"; has '^@u: 0$'; has '^@v\[0x4d2\]: 1$'; [ "$(grep -c '^    [0-9a-f]*$' "$T/out")" = 2 ] || fail "two addresses"
# a number of kernel frames, at system calls and in perf's form: as bpftrace has it
script='tracepoint:syscalls:sys_enter_exit_group /pid == cpid/ { @[kstack(2)] = count(); printf("%s|\n", kstack(perf, 2)); @k = kstack(perf, 1) }'
as_bpftrace -c "$true" -e "$script"
as_bpftrace -f json -c "$true" -e "$script"
