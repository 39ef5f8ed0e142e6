# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 150
# guest-debug
# Engine perf has paths from a probe on getname, and --where can test them then.
t() { run "$SONDE" trace --engine=perf -q -o lines "$@"; }
t -e openat cat /etc/passwd; ok; ! grep -q 'filename: "' lines || fail "a path without the probe"
run "$SONDE" probe 'vfs_getname=getname_flags:72 pathname=result->name:string filename'; ok
t -e openat cat /etc/passwd; ok; grep -q 'openat(.*filename: "/etc/passwd"' lines || { cat lines; fail "no path"; }
t --where 'openat.filename ~ "*passwd" && retval >= 0' cat /etc/passwd; ok; same "$(joined lines | grep -c .)" 1 "lines: $(cat lines)"
run "$SONDE" probe -d vfs_getname; ok
run "$SONDE" trace --engine=perf --where 'openat.filename ~ "*"' true; exits 255; err_has 'no strings'
# the rest of what this kernel must do too: attach to a call under way, sockets by inode, stops
sleep 1000 & p=$!; await "asleep $p"
rm -f lines; "$SONDE" trace --engine=bpf -o lines -p $p & s=$!; await "grep -q 'nanosleep(.*tv_sec: 1000' lines 2>/dev/null"
kill $p; wait $s || fail "sonde"; grep -q 'killed by SIGTERM' lines || { cat lines; fail "its end"; }
run "$SONDE" trace --engine=bpf -e chdir -o lines sh -c 'cd /proc'; ok; grep -q 'chdir(' lines || fail "a rare call"
