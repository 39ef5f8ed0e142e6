# SPDX-License-Identifier: GPL-2.0-or-later
# stat and list on Debian's kernel: families counted by BPF and by perf events alike, kernel probes, breakpoints.
ev=syscalls:sys_enter_getppid,syscalls:sys_exit_getppid,syscalls:sys_exit_execve,syscalls:sys_exit_clone,syscalls:sys_exit_clone3
run "$SONDE" stat -x, -e $ev "$PROG/syscounts"; ok; cut -d, -f1,3 "$T/err" >bpf
grep -q '^380,syscalls:sys_enter_getppid$' bpf || fail "not 380 calls"
run "$SONDE" stat --no-bpf -x, -e $ev "$PROG/syscounts"; ok; cut -d, -f1,3 "$T/err" >plain
same "$(cat bpf)" "$(cat plain)" "BPF and perf events differ"
run timeout 60 "$SONDE" stat -e 'syscalls:*' -a true; ok; err_has 'syscalls:sys_enter_execve$'
run "$SONDE" probe -q vfs_read || true
run "$SONDE" list probe
if grep -q '^  probe:vfs_read ' "$T/out"; then
	run "$SONDE" stat -x, -e probe:vfs_read cat /etc/passwd; ok; [ "${err%%,*}" -ge 1 ] || fail "no vfs_read"
	"$SONDE" probe -d probe:vfs_read
else
	fail "no probe on vfs_read"
fi
run "$SONDE" stat -x, -e mem:jiffies:w -a sleep 0.5; ok; [ "${err%%,*}" -ge 1 ] || fail "jiffies were not written"
run "$SONDE" list pmu; ok; has '^  kprobe/retprobe/'
