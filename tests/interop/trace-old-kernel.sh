# SPDX-License-Identifier: GPL-2.0-or-later
# needs: qemu-system-x86_64 curl
# timeout: 180
# fetch: interop/fetch-old-kernel
# The eBPF engine on Linux 5.10: no light loader, no bpf_loop, no bpf_task_pt_regs.
old=$("$TOP/tests/interop/fetch-old-kernel" 2>&1) || { echo "$old"; exit 77; }
cat >job <<'J'
cd /tmp
uname -r
t() { sonde trace --engine=bpf -o lines "$@" || echo "FAILED $?: $*"; }
t sh -c 'cat /etc/hosts >/dev/null; exit 0'; grep -m 1 'cat/[0-9]* openat(.*"/etc/hosts".* = 3</etc/hosts>' lines; grep -m 1 'new process' lines
t -e openat cat /etc/hosts; grep -m 1 'openat(.*"/etc/hosts"' lines
t -e accept cat /etc/hosts; wc -l <lines
t -s cat /etc/hosts; grep -m 1 'openat  ' lines
t --call-graph fp -e openat cat /etc/hosts; grep -c '(/.*/libc\.so' lines
t --call-graph dwarf -e openat cat /etc/hosts; grep -m 1 '__libc_start_main' lines
t --where 'openat.dfd < 0' -a cat /etc/hosts; grep -m 1 'cat/.*"/etc/hosts"' lines
t dd if=/dev/zero of=/dev/null bs=1 count=2000; grep -c '^ .*write(fd: 1' lines
unshare -pf --mount-proc sonde trace -o lines --engine=bpf sh -c 'cat /etc/hosts >/dev/null; exit 0'; grep -m 1 'cat/3 openat(.*"/etc/hosts"' lines
sonde doctor | grep '^trace uses'
J
SONDE_CACHE=$old run timeout -k 5 $((170 * ${PATIENCE:-1})) "$TOP/tests/guest/shell" -t $((160 * ${PATIENCE:-1})) "$(cat job)"
[ "$code" != 77 ] || skip "no guest: $err"
ok; has '^5\.10\.'; hasnt FAILED; err_hasnt 'refuses'
has 'cat/[0-9]+ openat.*= 3</etc/hosts>'; has 'new process'; has '^1$'; has '^ +openat +[0-9]+'; has '__libc_start_main'
has '^2000$'; has 'cat/3 openat'; has '^trace uses +bpf'
