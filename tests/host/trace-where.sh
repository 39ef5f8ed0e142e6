# SPDX-License-Identifier: GPL-2.0-or-later
# --where with names of constants and of errors, and what it says when something is missing; events by -e.
t() { run "$SONDE" trace -q -o lines "$@"; }
n() { same "$(joined lines | grep -c .)" "$1" "lines of ${*:2}: $(cat lines)"; }
echo x > file
for engine in bpf ptrace; do
	t --engine=$engine --where 'openat.flags & O_CREAT' sh -c 'echo > new; cat file'; ok; n 1; grep -q 'new.*CREAT' lines || fail "$engine: flags"
	t --engine=$engine --where 'openat.flags & O_CREAT|O_EXCL && openat.filename ~ new*' sh -c 'echo > new2; cat file'; ok; n 1
	t --engine=$engine --where 'errno == ENOENT && openat.filename == "./none"' cat file ./none; exits 1; n 1; grep -q 'none.*ENOENT' lines || fail "$engine: errno"
	t --engine=$engine --where 'retval == -ENOENT && openat.filename == "./none"' cat file ./none; exits 1; n 1
done
t --where 'openat.filename ~ ' true; exits 129; err_has 'pattern is missing'
t --where 'openat.flags & O_NOSUCH' true; exits 129; err_has "constant's name"
t --where 'errno < 3' true; exits 129; err_has 'errno takes'
run "$SONDE" trace -e 'sched:*process_exit' true; ok; err_has 'sched:sched_process_exit\('; err_hasnt 'openat\('
run "$SONDE" trace -e 'sched:*process_exit,openat' true; ok; err_has 'sched:sched_process_exit\('; err_has 'openat\('; err_hasnt 'mmap\('
# an engine that sees no strings says so; numbers and results it can test
run "$SONDE" trace --engine=perf --where 'openat.filename ~ "*"' true; exits 255; err_has 'no strings'; err_has '^hint: .*vfs_getname'
run "$SONDE" trace --engine=perf --where 'openat.flags & O_CLOEXEC && retval > 0' -q true; ok; err_has 'openat\(.*= [1-9]'; err_hasnt 'execve|mmap'
# an argument that is not shown can be asked for all the same
run "$SONDE" trace -q --where 'preadv.pos_h == 0' /usr/bin/perl -e 'syscall(295, 0, 0, 0, 0, 0)'; ok; err_has 'preadv\('; err_hasnt 'pos_h|openat'
