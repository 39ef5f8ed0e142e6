# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 150
# guest-debug
# Engine perf has paths from a probe on getname, and --where can test them then.
t() { run "$SONDE" trace --engine=perf -q -o lines "$@"; }
t -e openat cat /etc/passwd; ok; ! grep -q 'filename: "' lines || fail "a path without the probe"
run "$SONDE" probe 'vfs_getname=getname_flags:72 pathname=result->name:string filename'; ok
t -e openat cat /etc/passwd; ok; grep -q 'openat(.*filename: "/etc/passwd"' lines || { cat lines; fail "no path"; }
t --where 'openat.filename ~ "*passwd" && retval >= 0' cat /etc/passwd; ok; same "$(grep -c . lines)" 1 "lines: $(cat lines)"
run "$SONDE" probe -d vfs_getname; ok
run "$SONDE" trace --engine=perf --where 'openat.filename ~ "*"' true; exits 255; err_has 'no strings'
# the rest of what this kernel must do too: attach to a call under way, sockets by inode, stops
sleep 5 & p=$!; run "$SONDE" trace --engine=bpf -o lines -p $p; ok; grep -q 'nanosleep(.*tv_sec: 5' lines || { cat lines; fail "the call under way"; }
run "$SONDE" trace --engine=bpf -e chdir -o lines sh -c 'cd /proc'; ok; grep -q 'chdir(' lines || fail "a rare call"
