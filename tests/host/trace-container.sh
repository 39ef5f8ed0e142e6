# SPDX-License-Identifier: GPL-2.0-or-later
# In namespaces as containers have them: the calls are shown, by an engine that can, or it is said why not.
[ "$(id -u)" = 0 ] || skip "needs root"
unshare -pf --mount-proc true 2>/dev/null || skip "no pid namespaces"
line() { grep -Eq -- "$1" lines || { head -20 lines | cut -c1-200; fail "no line: $1"; }; }
run unshare -pf --mount-proc "$SONDE" trace -o lines sh -c '/bin/true; exit 3'; exits 3
line 'true/[0-9]+ exit_group'; line 'sh/2 .*exited with 3'
run unshare -pf --mount-proc "$SONDE" trace --engine=ptrace -o lines sh -c '/bin/true; exit 3'; exits 3; line 'execve\(filename: "/bin/true"'
run unshare -pf --mount-proc "$SONDE" trace --engine=bpf true; exits 255; err_has 'pid namespace'; err_has '^hint: '
# other namespaces change nothing for eBPF
run unshare -nmiu "$SONDE" trace --engine=bpf -o lines cat /etc/hostname; ok; line 'filename: "/etc/hostname"'
# a user who is root only inside
run as_nobody unshare -Ur true
if [ "$code" = 0 ]; then run as_nobody unshare -Ur "$SONDE" trace -e openat cat /etc/hostname; ok; err_has 'filename: "/etc/hostname"'; fi
