# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace: "who writes to this file?" on a whole machine, and nothing but the answer.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"

# the name of a descriptor, with every engine that knows names; others write and come and go meanwhile
cat > writers <<'EOF'
exec 7>>app.log
for i in 1 2 3; do echo line >&7; echo other > other.log; /bin/true; done
EOF
run "$SONDE" trace -a -o lines --where "write.fd ~ \"$PWD/app.*\"" bash writers; ok
joined lines >whole
same "$(grep -c 'write(fd: [0-9]*<.*/app.log>, buf: "line.n", count: 5) *= 5' whole)" 3 "writes to the file"
same "$(wc -l <whole)" 3 "lines: nobody else's write, signals, exits"
run runuser -u nobody -- "$SONDE" trace --engine=ptrace --where 'fd == "/etc/hostname" && !(fd ~ "*.so*")' cat /etc/hostname; ok
err_has 'close\(fd: 3</etc/hostname>\)'; err_hasnt 'ld.so|libc'
run "$SONDE" trace -o lines -e write --where 'fd !~ "*app.log"' bash -c 'exec 7>>app.log; echo a >&7; echo b >other.log'; ok
same "$(joined lines | grep -c 'write(.*other.log>')" 1 "what is not named so"; same "$(grep -c 'app.log' lines)" 0 "what is named so"

# only some calls: no lines of signals and exits, unless signals were asked for
run "$SONDE" trace -a -o lines --failure -e openat bash -c '/bin/true; cat /nonexistent; exit 0'; ok
same "$(joined lines | grep -c 'openat.*"/nonexistent".*ENOENT')" 1 "the failure"
same "$(grep -Ec '\+\+\+|---' lines)" 0 "other lines"
run "$SONDE" trace -a -o lines -e openat -e signal=USR1 bash -c 'trap : USR1; kill -USR1 $$'; ok; grep -q -- '--- SIGUSR1' lines || fail "signals that were asked for"
run "$SONDE" trace -o lines --failure bash -c 'exit 3'; exits 3; ! grep -q 'exited with' lines || fail "a filter filters"

# where names are not known it is said
run "$SONDE" trace -C 0 --where 'fd ~ "*"' --engine=perf true; exits 255; err_has 'cannot be tested here|which CPU|strings'; err_has '^hint: '
run "$SONDE" trace record --where 'fd ~ "*"' true; exits 255; err_has '^hint: .*trace -i FILE --where'
run "$SONDE" trace record -o t.data cat /etc/hostname; ok
run "$SONDE" trace -i t.data --where 'fd ~ "*/hostname"'; ok; has 'close\(fd: 3</etc/hostname>\)'; hasnt 'libc'
