# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# For tests of the static sonde ($STATIC): does it trace, record, report and probe below another root?

# in_root ROOT CMD...: with /proc and /sys mounted there, in a mount namespace of its own: they are gone with CMD,
# however it ends.
in_root() {
	local root=$1; shift
	# shellcheck disable=SC2016
	unshare -m --propagation private sh -c 'root=$1; shift
		mount --rbind /proc "$root/proc" && mount --rbind /sys "$root/sys" && exec chroot "$root" "$@"' sh "$root" "$@"
}
# put_in ROOT: what the tests below need there, besides nothing at all.
put_in() {
	mkdir -p "$1/proc" "$1/sys" "$1/bin" "$1/tmp"
	cp "$STATIC" "$1/sonde"
	cp "$PROG/no_libs" "$1/no_libs"
	cp "$(command -v busybox)" "$1/busybox"
}

traces_in() { # ROOT ENGINE...
	local root=$1 engine path data; shift
	for engine; do
		run in_root "$root" /sonde trace --engine "$engine" -e openat,open,write,exit_group -o /tmp/trace /no_libs; exits 7; same "$out" 'done' "$engine"
		joined "$root/tmp/trace" | sed -E 's/^ *[0-9.]+ \( *([0-9.]+ ms)?\): //; s/  +/ /g; s/^no_libs\/[0-9]+ //' >"$T/out"
		path='"/nothing/here"' data='"done\\n"'
		[ "$engine" = perf ] && path='0x[0-9a-f]+' data='0x[0-9a-f]+' # it copies nothing
		has "^openat\(dfd: CWD, filename: $path, flags: RDONLY\) = -1 ENOENT \(No such file or directory\)\$"
		has "^write\(fd: 1(<[^>]*>)?, buf: $data, count: 5\) = 5\$"
		has '^exit_group\(error_code: 7\) = \?$'
	done
	[[ " $* " != *' bpf '* ]] || scripts_in "$root"
	run in_root "$root" /sonde trace -s -o /tmp/summary /busybox ls /; ok; grep -Eq '^ +(getdents64|openat) +[0-9]+' "$root/tmp/summary" || fail "no summary"
	run in_root "$root" /sonde stat -o /tmp/stat -e page-faults,context-switches /no_libs; exits 7
	grep -Eq '^ +[1-9][0-9,]* +page-faults' "$root/tmp/stat" || fail "no page faults counted"
}
scripts_in() { # ROOT
	run in_root "$1" /sonde run -q -c /no_libs -e 'tracepoint:syscalls:sys_enter_openat /pid == cpid/ { printf("<%s>\n", str(args.filename)); @[comm] = count(); }'
	exits 7; has '^</nothing/here>$'; has '^@\[no_libs\]: 1$'
}
records_in() { # ROOT
	run in_root "$1" /sonde record -q -F 999 --call-graph dwarf -e cpu-clock -o /tmp/record /no_libs 300; exits 7
	run in_root "$1" /sonde report -i /tmp/record --no-children -g none -s sym; ok; has '^ +[0-9.]+% +\[\.\] turn$'
	run in_root "$1" /sonde script -i /tmp/record; ok; has ' turn\+0x[0-9a-f]+ \(/no_libs\)$'; has ' main\+0x[0-9a-f]+ \(/no_libs\)$'
	run in_root "$1" /sonde script -i /tmp/record -F ip,sym,srcline; ok; has 'no_libs\.c:1[0-9]$'
}
# leave_no_probe GROUP: however the test ends
# shellcheck disable=SC2064
leave_no_probe() { trap "'$STATIC' probe -q -d '$1*:*' 2>/dev/null || :" EXIT; }
probes_in() { # ROOT GROUP: with a variable of the source; and removes it again
	run in_root "$1" /sonde probe -q -x /no_libs -a "$2:turn=turn number"; ok
	run in_root "$1" /sonde record -q -e "$2:turn" -o /tmp/probed /no_libs 3; exits 7
	run in_root "$1" /sonde script -i /tmp/probed -F event,trace; ok
	same "$(grep -oE 'number=[0-9]+' "$T/out" | tr '\n' ' ')" "number=1 number=2 number=3 " "the variable's values"
	run in_root "$1" /sonde probe -q -d "$2:*"; ok
	run in_root "$1" /sonde probe -l; ok; hasnt "$2"
}
# finds_users ROOT: from the files there, without name services
finds_users() {
	run in_root "$1" /sonde trace -u ann -o /tmp/user /busybox id; ok; same "$out" 'uid=1234(ann) gid=1235(annes) groups=1235(annes),1236(more)'
	run in_root "$1" /sonde stat -u 1234 -o /tmp/user /busybox id -u; ok; same "$out" 1234
	run in_root "$1" /sonde trace -u bob true; exits 255; err_has "there is no user 'bob'"; err_has '^hint: .*LDAP'
}
add_users() { # ROOT
	mkdir -p "$1/etc"
	echo 'ann:x:1234:1235::/:/bin/sh' >>"$1/etc/passwd"
	printf 'annes:x:1235:\nmore:x:1236:zoe,ann\nother:x:1237:annette\n' >>"$1/etc/group"
}
