# SPDX-License-Identifier: GPL-2.0-or-later
# needs: strace python3
# timeout: 240
# Real programs under strace (twice: what differs between its own runs is not asked of sonde) and, between the two, under
# sonde: the calls of each thread are the same, and of what strace decodes at least 98 % is decoded and equal. Clocks and
# counters that both straces show alike were the same for sonde, since it ran between them.
[ "$(id -u)" = 0 ] || skip "as root: the eBPF engine is meant"
export PATH=/usr/bin:/bin # no search through folders of whoever runs this
work=$T/w; mkdir "$work"; cd "$work"
printf 'int main(void) { return 0; }\n' >a.c
mkdir tree; for i in 1 2 3 4 5; do echo "$i" >tree/f$i; done
trace() { # NAME COMMAND...
	local name=$1; shift
	rm -f a.out out.tar copy
	timeout 60 strace -f -o "$T/$name.1" "$@" >/dev/null 2>&1 </dev/null || true
	rm -f a.out out.tar copy
	timeout 60 "$SONDE" trace --strace -f -o "$T/$name.3" "$@" >/dev/null 2>"$T/err" </dev/null || true
	rm -f a.out out.tar copy
	timeout 60 strace -f -o "$T/$name.2" "$@" >/dev/null 2>&1 </dev/null || true
	[ -s "$T/$name.3" ] || fail "no trace of $*"
	# The order of calls of threads that race, or of processes that look at each other, may differ: 1 % may.
	python3 "$TOP/tests/interop/compare.py" "$T/$name.1" "$T/$name.2" "$T/$name.3" >"$T/$name.diff" || true
	echo "$name: $(tail -n 1 "$T/$name.diff")"
	sed -n 's/^counts //p' "$T/$name.diff" >>"$T/counts"
}
# A program whose calls are the same at every run: every argument that strace decodes is there and equal, but for
# what is newer than strace.
newer='IORING_FEAT_|last_op='
same() { # NAME COMMAND...
	trace "$@"
	grep -q 'missing 0 extra 0 ' "$T/$1.diff" && ! grep '^ ' "$T/$1.diff" | grep -vE "$newer" ||
		{ cat "$T/$1.diff"; fail "$1: not as strace has it"; }
}
trace ls ls -l /
trace tar tar cf out.tar tree
trace find find tree -name 'f*'
trace sort sort -r a.c
trace cp cp a.c copy
trace dd dd if=/dev/zero of=/dev/null bs=16 count=50
trace awk awk 'BEGIN { print 1 + 1 }'
trace shell bash -c 'ls | sort | head -n 1'
trace stat stat a.c
trace touch touch -d 2020-01-01 a.c
command -v git >/dev/null && trace git git init -q repo
command -v gcc >/dev/null && trace gcc gcc -c -o a.out a.c
trace python /usr/bin/python3 -S -c 'import socket, subprocess; subprocess.run(["true"])'
trace perl perl -e 'print 1'
trace timeout timeout 500 sleep 0.01
printf 'all: x y\nx y:\n\tcp a.c copy-$@\n' >Makefile
have() { command -v "$1" >/dev/null; }
have make && trace make make -s -j2
have sqlite3 && trace sqlite sqlite3 :memory: 'create table t(a); insert into t values(1),(2); select sum(a) from t'
have openssl && trace openssl openssl version -a
have ssh-keygen && trace ssh-keygen ssh-keygen -A -f "$work/none"
have xz && trace xz xz -kf a.c
have vim && trace vim vim -es -c q a.c
have dpkg && trace dpkg dpkg -l bash
have findmnt && trace findmnt findmnt
have setpriv && trace setpriv setpriv --reuid 65534 --clear-groups --no-new-privs nice -n 5 true
have ip && trace route ip route
have ss && trace ss ss -xl
trace files "$PROG/calls-file"
trace sockets "$PROG/calls-net"
trace waits "$PROG/calls-wait"
trace processes "$PROG/calls-proc"
trace narrow "$PROG/calls-i386"
mkdir many && (cd many && seq -f 'an entry with a long name %g' 700 | xargs -d '\n' touch)
same entries find many -name none
grep -q ' [3-6][0-9][0-9] entries' "$T/entries.3" || { cat "$T/entries.3"; fail 'a long directory'; }
same ioctl "$PROG/calls-ioctl"
same admin "$PROG/calls-admin"
same options "$PROG/calls-option"
awk '{ calls += $1; missing += $2; args += $3; decoded += $4; comparable += $5; equal += $6 }
	END {
		printf "all: calls %d missing %d, decoded %.2f %% of %d, equal %.2f %% of %d\n", calls, missing,
			100 * decoded / args, args, 100 * equal / comparable, comparable
		exit !(decoded >= 0.98 * args && equal >= 0.98 * comparable && missing * 100 <= calls && calls > 1000)
	}' "$T/counts" || { cat "$T"/*.diff; fail "less than 98 % as strace has it"; }
