# SPDX-License-Identifier: GPL-2.0-or-later
# Engine 2: raw_syscalls through perf rings, where BPF is not to be had.
T2=("$SONDE" trace --engine=perf)
run "${T2[@]}" -e openat,exit_group -o t.txt cat /etc/hostname; ok
grep -Eq 'openat\(dfd: CWD, filename: 0x[0-9a-f]+, flags: RDONLY\) += 3' t.txt || fail "no openat"
grep -q 'exit_group(error_code: 0)' t.txt || fail "no exit_group"
grep -q ' read(' t.txt && fail "read was not asked for"
# the same calls as engine 3 sees
dd=(dd if=/dev/zero of=/dev/null bs=1 count=2000)
run "${T2[@]}" -o a.txt "${dd[@]}"; ok
run "$SONDE" trace --engine=ptrace -o b.txt "${dd[@]}"; ok
names() { sed -E 's/^[^)]*\): *(\S+\/[0-9]+ )?//; s/\(.*//' "$1" | grep -E '^[a-z_0-9]+$'; }
same "$(names a.txt | md5sum)" "$(names b.txt | md5sum)" "the two engines saw different calls"
[ "$(names a.txt | grep -c '^write$')" -ge 2000 ] || fail "writes are missing"
# children too
run "${T2[@]}" -e execve -o t.txt sh -c '/bin/true; /bin/true; exit 3'; exits 3
same "$(joined t.txt | grep -c 'execve(')" 3 "execve"

# What a fatal signal was, though the kernel delivers SIGKILL for it and the parent reaps at once.
run "$SONDE" trace --engine perf -e clock_nanosleep sh -c 'sleep 60 & p=$!; until grep -q ^230 /proc/$p/syscall; do :; done; kill -TERM $p; wait; :'; ok
err_has 'sleep.* \+\+\+ killed by SIGTERM \+\+\+'
