# SPDX-License-Identifier: GPL-2.0-or-later
# needs: strace python3 setarch
# timeout: 300
# strace's options, one by one: the text that sonde writes for the same program is the same.
export PATH=/usr/bin:/bin LC_ALL=C
printf 'abc\001\033"\\\200 and more of it, up to a second line and beyond\nend\n' >data
both='-o'
agree() { # STRACE-OPTIONS SONDE-OPTIONS COMMAND...
	local a=$1 b=$2 engine; shift 2
	# shellcheck disable=SC2086
	timeout 60 setarch -R strace $a $both "$T/a" "$@" >/dev/null 2>"$T/a.err" </dev/null || true
	for engine in $engines; do
		rm -f "$T/b"
		# shellcheck disable=SC2086
		timeout 60 setarch -R "$SONDE" trace --engine=$engine --strace $b $both "$T/b" "$@" >/dev/null 2>"$T/err" </dev/null || true
		run python3 "$TOP/tests/interop/forms.py" "$T/a" "$T/b"
		[ "$code" = 0 ] || fail "strace $a and sonde trace --engine=$engine --strace $b differ on $*"
	done
}
engines="bpf ptrace"; [ "$(id -u)" = 0 ] || engines=ptrace
some='-e trace=openat,read,write,close,exit_group'
alike() { agree "$1 $some" "${2-$1} $some" cat data; }
# times and heads
for o in -tt -ttt --absolute-timestamps --absolute-timestamps=unix,ns --timestamps=precision:ms --timestamps=format:time,ns \
	-r --relative-timestamps=ns --relative-timestamps=s '-r -tt' -n '-n -tt' '-n -r'; do alike "$o"; done
alike -t --timestamps
agree '-i -e trace=openat,close' '--instruction-pointer -e trace=openat,close' cat data
agree '-qq -r -n -i -e trace=openat,close' '-qq -r -n --instruction-pointer -e trace=openat,close' cat data
alike '-a 20' --columns=20
alike '-a 61' --columns=61
for p in s ms us ns; do alike --syscall-times=$p; done
alike -T --syscall-times
# strings
for o in -x -xx --strings-in-hex --strings-in-hex=none --strings-in-hex=non-ascii-chars --strings-in-hex=non-ascii --strings-in-hex=all \
	'--string-limit=5' '--string-limit=200'; do alike "$o"; done
alike '-s 7' --string-limit=7
# which lines
for o in -z -Z --successful-only --failed-only --status=failed --status=successful --status=!failed '-e status=none' -q -qq -qqq \
	--quiet=exit --quiet=all --silent=exit '-e q=none' --trace=read --trace=%desc --trace=!%file -P/etc/hostname; do alike "$o"; done
for set in '%stat' '%lstat' '%fstat' '%%stat' '%statfs' '%fstatfs' '%%statfs' '%creds' '%clock' '%pure' '/^(open|close)' '?nosuch,openat' \
	'read@64' 'read@32' '!read' '!read,write' '%memory' '%process' 'all' 'none' '%file' '%signal' '%ipc' '%net'; do
	agree "-e $set" "-e $set" cat data
	agree "--trace=$set" "-e trace=$set" ls -l data
done
# arguments
for o in '-e raw=read,openat' --raw=openat '-e x=close' '-e abbrev=none' '-e abbrev=newfstatat' '-e a=execve' '-e verbose=none' '-e v=newfstatat' \
	--abbrev=none --no-abbrev -v; do
	agree "$o -e trace=execve,openat,read,newfstatat,close" "$o -e trace=execve,openat,read,newfstatat,close" cat data
done
for o in '-X raw' '-X verbose' '-X abbrev' --const-print-style=verbose; do
	agree "$o -e trace=!getrandom" "$o -e trace=!getrandom" cat data
	agree "$o -e trace=newfstatat,rt_sigaction,rt_sigprocmask,kill,clone,vfork,prlimit64,mmap,ioctl,socket,fcntl" \
		"$o -e trace=newfstatat,rt_sigaction,rt_sigprocmask,kill,clone,vfork,prlimit64,mmap,ioctl,socket,fcntl" bash -c 'ulimit -s; kill -TERM $$'
	agree "$o" "$o" "$PROG/calls-consts"
done
# descriptors and processes
for o in -y --decode-fds '-e decode-fds=path' -yy --decode-fds=all '-e decode-fds=dev,path' '-e decode-fd=dev' --decode-fds=pidfd --decode-fds=none; do
	agree "$o -e trace=openat,read,close,newfstatat,pidfd_open" "$o -e trace=openat,read,close,newfstatat,pidfd_open" "$PROG/calls-consts" files
done
for o in -Y -e\ decode-pids=comm --decode-pids=comm; do
	agree "-f $o -e trace=kill,exit_group -e signal=none" "-f $o -e trace=kill,exit_group -e signal=none" sh -c 'kill -0 $$; cat data; exit 0'
done
# data in hex; all of it is seen by an engine that stops the program
dumps='-e trace=write,read,writev,readv,sendmsg,recvmsg,sendmmsg,recvmmsg,pwrite64'
for o in '-e read=all -e write=all' '--read=4 --write=3,5' '-e w=!3 -e r=none' '-e reads=99'; do agree "$o $dumps" "$o $dumps" "$PROG/vectors"; done
(engines=ptrace; agree "-e write=all $dumps" "-e write=all $dumps" "$PROG/vectors" large; agree "-s 20000 $dumps" "--string-limit 20000 $dumps" "$PROG/vectors" large
	agree '-s 10000 -e trace=execve' '--string-limit 10000 -e trace=execve' sh -c ": $(printf '%09000d' 0)")
timeout 60 "$SONDE" trace --strace -e write=3 -o whole "$PROG/vectors" large 2>"$T/err"; grep -q '^ | 02320  7a' whole || fail "a dump is not whole"
err_has 'read with --engine=ptrace'
# what is done to calls: by an engine that stops the program, which needs no name
inject() { # WHAT COMMAND...
	local what=$1; shift
	# shellcheck disable=SC2086
	timeout 60 strace -f -o "$T/a" $what "$@" >"$T/a.out" 2>"$T/a.err" </dev/null && code=0 || code=$?
	local was=$code
	# shellcheck disable=SC2086
	timeout 60 "$SONDE" trace --strace -f -o "$T/b" $what "$@" >"$T/b.out" 2>"$T/b.err" </dev/null && code=0 || code=$?
	[ "$code" = $was ] || [ "$was" -gt 128 ] || fail "with $what the command ends with $was under strace, $code under sonde"
	cmp "$T/a.out" "$T/b.out" || fail "with $what the command writes something else"
	run python3 "$TOP/tests/interop/forms.py" "$T/a" "$T/b"; [ "$code" = 0 ] || fail "$what"
}
for what in openat:error=EIO openat:error=5:when=2 openat:error=ENOENT:when=2+ openat:error=EACCES:when=1..3+2 close:retval=42:when=2 \
	close:delay_exit=1000 close:delay_enter=1ms:error=EBADF:when=4 close:delay_enter=200us:delay_exit=0.0001s close:signal=SIGCHLD \
	close:signal=USR1:error=EBADF close:signal=16:when=3 read:poke_exit=@arg2=414243:when=2 write:poke_enter=@arg2=4A write:retval=6 \
	%desc:error=ENOSYS:when=3 all:error=EPERM:when=20 exit_group:error=EPERM:when=1 write:error=EINTR:poke_enter=@arg2=41; do
	inject "-e trace=openat,read,write,close,exit_group -e inject=$what" cat data
done
inject '-e trace=getuid,getppid --inject=getuid:syscall=getpid:retval=7 --fault=getppid' sh -c :
inject '-e trace=getppid -e fault=getppid:error=ESRCH:when=1' sh -c ':'
inject '-e trace=execve -e inject=execve:error=ENOENT:when=1' sh -c '/bin/true; /bin/true; exit 4'
inject '-P data -e inject=%file:error=EACCES' cat data /dev/null
inject '-e trace=close -e inject=openat:error=EIO' cat data
inject '-e trace=openat -e inject=openat:error=EIO -e inject=openat:error=ENOENT:when=2' cat data
inject '-e trace=openat,close -e inject=openat:error=EIO:when=3 -e inject=close:retval=0' cat data
# a signal that ends the process, and who sent it
for s in TERM USR1 SEGV; do agree '-e trace=kill' '-e trace=kill' sh -c "kill -$s \$\$"; done
# several processes
two='cat data; cat data; exit 3'
for o in '-f' '-f -tt' '-f -r' '-f -n -e signal=none' '-f -qq' '-f -e signal=none' '-f --signal=!CHLD' '-f --signal=CHLD'; do
	agree "$o -e trace=exit_group" "$o -e trace=exit_group" sh -c "$two"
done
# the table
for o in '-S name' '-S calls' '-S errors' '-S nothing'; do
	agree "-f -c -U name,calls,errors $o" "-f -c -U name,calls,errors --summary-sort-by ${o#-S }" sh -c 'cat data; ls nosuch; exit 3'
done
agree '-f -c -U count,error -S syscall' '-c --summary-columns=calls,errors --summary-sort-by=syscall_name' sh -c 'cat data; ls nosuch; exit 3'
timeout 60 "$SONDE" trace --strace -c -o table cat data >/dev/null
[ "$(head -n 1 table)" = '% time     seconds  usecs/call     calls    errors syscall' ] || fail "another head: $(head -n 1 table)"
grep -Eqx '100\.00 {4}0\.[0-9]{6} +[0-9]+ {7,8}[0-9]+ +[0-9]* total' table || fail "another total: $(tail -n 1 table)"
# stacks: the same places, by names that only debug information may know
setarch -R strace -k -o a.stack -e trace=write cat data >/dev/null
setarch -R "$SONDE" trace --strace -k -o b.stack -e trace=write cat data >/dev/null
for f in a.stack b.stack; do sed -i 's/([^()]*) \[/ [/' "$f"; done
[ "$(grep -c '^ > /.* \[0x[0-9a-f]*\]$' a.stack)" -gt 3 ] || fail "no stacks of strace"
diff a.stack b.stack || fail "other stacks than strace's"
# files of their own
mkdir a b
timeout 60 strace -ff -o a/x -e trace=openat,exit_group sh -c "$two" >/dev/null 2>&1 || true
timeout 60 "$SONDE" trace --strace -ff -o b/x -e trace=openat,exit_group sh -c "$two" >/dev/null 2>&1 || true
[ "$(ls a | wc -l)" = 3 ] && [ "$(ls b | wc -l)" = 3 ] || fail "not three files each: $(ls a b)"
paste <(ls a) <(ls b) | while read -r x y; do
	run python3 "$TOP/tests/interop/forms.py" "a/$x" "b/$y"; [ "$code" = 0 ] || fail "-ff: the files differ"
done
# into a command
timeout 60 "$SONDE" trace --strace -e trace=close -o '|sed s/close/CLOSE/ >piped' cat data >/dev/null; grep -q '^CLOSE(3) *= 0' piped || fail "-o '|command' had no lines"
