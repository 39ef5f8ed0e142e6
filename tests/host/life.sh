# SPDX-License-Identifier: GPL-2.0-or-later
# One life for all commands: however they are ended, they end alike and return the same. Rows are commands, columns situations.
# needs: python3 setpriv
# timeout: 240
[ "$(id -u)" = 0 ] || skip "needs root"

declare -A row=(
	[bpf]='trace --engine=bpf -o out' [perf]='trace --engine=perf -o out' [ptrace]='trace --engine=ptrace -o out'
	[filter]='trace --engine=ptrace -e %process,rt_sigtimedwait,clock_nanosleep -o out' # calls are filtered in the kernel
	[record]='record -q -e cpu-clock -o data' [stat]='stat -e cs -o out'
	[calls]='record -q -e raw_syscalls:sys_enter -o data' # by a BPF program
	[kept]='trace record -o data' [counts]='stat record -e cs -o data'
	[flame]='flame -q -e cpu-clock -o x.folded'
	[dat]='ftrace record -q -e sched_process_exit -o data' [stream]='ftrace stream -e sched_process_exit -o out'
	[tracer]='ftrace -e raw_syscalls:sys_exit -o out' # in an instance of tracefs
	[run]='run -q -o out -e tracepoint:syscalls:sys_enter_exit_group{@=count()}END{printf("over\n")}' # see as_others
	[stap]='run -o out ../over.stp' # SystemTap's language
	[top]='top --stdio -d 0.1 -e cpu-clock' # which starts no command
	[locks]='lock contention --output out'
	[waits]='offcpu -o out' # draws what it has recorded, as flame and timeline do
	[page]='timeline -o out' [latency]='sched latency --' [switches]='sched record -q -o data' # which watch the whole machine (see attaches)
	[tpoint]='tpoint sched:sched_process_exit' [uprobe]='uprobe libc:clone' [funccount]='funccount -i 0.1 libc:clone' # which start no command
)
# the same into a pipe
declare -A to_stdout=(
	[bpf]='trace --engine=bpf -o /dev/stdout' [perf]='trace --engine=perf -o /dev/stdout' [ptrace]='trace --engine=ptrace -o /dev/stdout'
	[filter]='trace --engine=ptrace -e %process,openat -o /dev/stdout' [record]='record -q -e cpu-clock -o -' [stat]='stat -I 10 -e cs -o /dev/stdout'
	[calls]='record -q -e raw_syscalls:sys_enter -o -' [kept]='trace record -o -' [counts]='stat record -I 10 -e cs -o -'
	[flame]='flame -q -e cpu-clock --format folded -o /dev/stdout'
	[run]='run -q -e interval:ms:10{printf("%064d\n",elapsed)}' [stap]='run ../often.stp'
	[tracer]="ftrace -e raw_syscalls:sys_exit -o /dev/stdout"
	[locks]='lock contention' [waits]='offcpu' # print at the end alone
)

# term.py STEP... -- CMD...: runs CMD as a shell does, in the foreground of a terminal of its own; then how it ended.
#   a condition (bash; $pid is CMD's, "screen" has what it wrote) that must come true; ^C ^Z: typed; stopped: CMD is; fg: it
#   goes on; hangup: the terminal is closed
cat >term.py <<'P'
import os, pty, select, signal, subprocess, sys, time
cut = sys.argv.index("--")
steps, cmd = sys.argv[1:cut], sys.argv[cut + 1:]
keys, to_keys = os.pipe()
shell, master = pty.fork()
if shell:
    os.close(to_keys)
    fds, screen = [master, keys], open("screen", "wb", buffering=0)
    def show():
        try: screen.write(os.read(master, 65536).replace(b"\r\n", b"\n"))
        except OSError: fds.remove(master)
    while True: # what is left behind may hold the terminal open: the end is that of the shell
        ready = select.select(fds, [], [])[0]
        if master in ready: show()
        if keys in ready:
            key = os.read(keys, 1)
            if not key: break
            if key == b"h":
                fds.remove(master)
                os.close(master)
            else: os.write(master, key)
    while master in fds and select.select([master], [], [], 0)[0]: show()
    print(open("screen", errors="replace").read() + "\n" + open("ended").read())
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]))
os.close(keys)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
ended = open("ended", "w")
pid = os.fork()
if not pid:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for s in (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP): signal.signal(s, signal.SIG_DFL)
    os.execvp(cmd[0], cmd)
def fail(why):
    print("FAIL:", why, file=ended, flush=True)
    os.killpg(pid, 9)
    sys.exit(1)
def until(what, why):
    for _ in range(600):
        if what(): return
        time.sleep(0.05)
    fail(why)
for s in steps:
    if s in ("^C", "^Z"):
        os.write(to_keys, bytes([ord(s[1]) - 64]))
    elif s == "hangup":
        os.write(to_keys, b"h") # only the shell is told, and tells its jobs
        signal.sigwait([signal.SIGHUP])
        os.killpg(pid, signal.SIGHUP)
    elif s == "stopped":
        def look():
            p, st = os.waitpid(pid, os.WUNTRACED | os.WNOHANG)
            return p == pid and os.WIFSTOPPED(st)
        until(look, "it does not stop")
        os.tcsetpgrp(0, os.getpgrp())
    elif s == "fg":
        os.tcsetpgrp(0, pid)
        os.killpg(pid, signal.SIGCONT)
    else:
        until(lambda: not subprocess.run(["bash", "-c", s], env=dict(os.environ, pid=str(pid)), stderr=subprocess.DEVNULL).returncode, "never came true: " + s)
for _ in range(600):
    p, st = os.waitpid(pid, os.WNOHANG)
    if p: break
    time.sleep(0.05)
else:
    fail("it does not end")
print("signal" if os.WIFSIGNALED(st) else "exit", os.WTERMSIG(st) if os.WIFSIGNALED(st) else os.WEXITSTATUS(st), file=ended, flush=True)
P

echo 'global n probe syscall.exit_group { n++ } probe end { println("over"); println("@: ", n) }' >over.stp
echo 'probe timer.ms(10) { printf("%064d\n", gettimeofday_ns()) }' >often.stp
# as_others: `run` has its command in one word (-c); this takes it as the others do.
cat >as_others <<'P'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do
	case $1 in
	-p) how+=("$([ -n "${script-}" ] && echo -x || echo -p)" "$2"); shift 2 ;;
	-o | -e) how+=("$1" "$2"); shift 2 ;;
	*.stp) script=$1; shift ;;
	run | -q) how+=("$1"); shift ;;
	*) command=$(printf " '%s'" "$@"); break ;;
	esac
done
exec "$REAL" "${how[@]}" ${command:+-c "$command"} ${script:+"$script"}
P
chmod +x as_others

got() { tr '\n' ' ' <got; }
runs() { pgrep -f "^$1\$" >/dev/null; }
# by SIGNAL CONDITION CODE ARG...: sonde alone gets the signal once the condition holds, and ends with CODE.
by() {
	local signal=$1 condition=$2 want=$3; shift 3
	after "$condition" "$signal" env --default-signal=QUIT "$SONDE" "$@"
	[ "$code" = "$want" ] || fail "$name: $signal: exit code $code, wanted $want: $*"
}
# begin ARG...: in the background, where a shell has SIGINT ignored; its number in $pid
begin() { rm -f got; "$SONDE" "$@" >"$T/out" 2>"$T/err" & pid=$!; }
ends_with() { code=0; wait "$pid" || code=$?; [ "$code" = "$1" ] || fail "$name: $2: exit code $code, wanted $1"; }
# insist SIGNAL: more of them, until it has ended
insist() { await "! kill -$1 $pid 2>/dev/null"; }
onterm() { rm -f got; run timeout -k 5 60 python3 "$term" "$@"; ok; }
# attaches: this one takes -p PID. (Of ftrace record that is a tracer.)
attaches() { case $name in page | latency | switches | dat | stream) false ;; esac; }
# whole PATTERN: the last of the trace is there; a recording can be read, a page is one
whole() {
	case $name in
	stat) grep -q ' cs$' out ;;
	waits) grep -q ' waited in ' out ;;
	latency) grep -q '^  TOTAL:' "$T/out" ;;
	page) tail -n 1 out | grep -q '^</html>' ;;
	flame) ! ls -d sonde-flame.* >/dev/null 2>&1 ;; # its recording is gone
	counts) "$SONDE" stat report -i data 2>&1 | grep ' cs$' >/dev/null ;;
	record | calls | switches) "$SONDE" script -i data >lines 2>&1 ;;
	dat) "$SONDE" ftrace dump -v data >lines 2>&1 ;;
	kept) "$SONDE" trace -i data -o out && grep -Eq -- "$1" out ;;
	tracer) grep -q "sys_exit: NR" out ;;
	stream) grep -q "sched_process_exit: comm=" out ;;
	locks) grep -q '^ contended ' out ;;
	run | stap) grep -q '^over$' out && grep -q '^@: ' out ;;
	*) grep -Eq -- "$1" out ;;
	esac || { ends out; fail "$name: not whole: no $1"; }
}

when_by_itself() {
	run "$SONDE" $how sh -c 'exit 7'; exits 7; whole 'exited with 7'
	run "$SONDE" $how sh -c 'kill -SEGV $$'; exits 139; whole 'killed by SIGSEGV'
}

when_told() {
	by TERM 'runs "sleep 61.$id"' 143 $how sleep "61.$id"; whole 'killed by SIGTERM'
	by INT 'runs "sleep 62.$id"' 130 $how sleep "62.$id"; whole 'killed by SIGINT'
	by HUP 'runs "sleep 63.$id"' 129 $how sleep "63.$id"; whole 'killed by SIGHUP'
	by QUIT 'runs "sleep 64.$id"' 131 $how sleep "64.$id"; whole 'killed by SIGQUIT'
	# one that has its own way to end; it is told once
	rm -f got; by TERM 'grep -qs ready got' 7 $how "$PROG/told" got 0; same "$(got)" 'ready TERM ' "$name: what it was told"; whole 'exited with 7'
	# a shell that waits for its child does not end by SIGINT
	by INT 'runs "sleep 65.$id"' 143 $how bash -c "sleep 65.$id; :"; pkill -f "^sleep 65.$id\$" || :
	# one that has become another user
	by TERM 'runs "sleep 66.$id"' 143 $how setpriv --reuid=65534 sleep "66.$id"
	! runs "sleep 6[1-6].$id" || fail "$name: the command lives on"
}

when_attached() {
	local victim signal
	sleep 67 & victim=$!
	for signal in TERM INT HUP QUIT; do
		by $signal 'ready $pid' 0 $how -p $victim
		kill -0 $victim || fail "$name: $signal ended the process that was attached to"
		case $name in stat | record | calls | counts | run | stap | locks | flame | waits) whole ;; tracer) ;; filter) ;; *) whole 'nanosleep|restart_syscall' ;; esac
	done
	kill $victim; "$PROG/vforks" 20 & victim=$! # which cannot always be stopped
	for _ in 1 2 3; do by TERM 'ready $pid' 0 $how -p $victim; kill -0 $victim; done
	# a command that says how long: it is told, and its status counts
	by TERM 'runs "sleep 68.$id"' 143 $how -p $victim sleep "68.$id"
	kill $victim
}

# SIGINT is ignored by whatever a script starts in the background: sonde ends all the same, the command is as its user wanted it.
# SIGHUP is ignored on purpose (nohup).
when_ignored() {
	local victim command
	if attaches; then
		sleep 69 & victim=$!
		begin $how -p $victim; await "ready $pid"; kill -INT $pid; ends_with 0 "-p, SIGINT ignored"; kill -0 $victim; kill $victim
	fi
	begin $how "$PROG/told" got 0; await 'grep -qs ready got'; command=$(pgrep -P $pid -x told)
	[ $((0x$(sed -n 's/SigIgn:\t//p' "/proc/$command/status") & 2)) -ne 0 ] || fail "$name: SIGINT is not ignored by the command"
	kill -INT $pid; ends_with 7 "SIGINT ignored"; same "$(got)" 'ready TERM ' "$name: a command that ignores SIGINT"
	rm -f got; (trap '' HUP; exec "$SONDE" $how "$PROG/told" got 0) >"$T/out" 2>"$T/err" & pid=$!
	await 'grep -qs ready got'; kill -HUP $pid; kill -TERM $pid; ends_with 7 nohup; same "$(got)" 'ready TERM ' "$name: nohup"
}

# The second one ends sonde at once, and takes everything out of the kernel; the command is not killed.
when_twice() {
	local programs command
	begin $how "$PROG/told" got -1; await 'grep -qs ready got'; command=$(pgrep -P $pid -x told)
	programs=$(cat /proc/$pid/fdinfo/* 2>/dev/null | sed -n 's/^prog_id:\t//p')
	kill -TERM $pid; await 'grep -q TERM got'; insist TERM
	if [ $name = filter ]; then
		ends_with 137 "a second TERM"; err_has 'was killed: the calls that -e chose'
	else
		ends_with 143 "a second TERM"; err_has "told' \(process $command\) has not ended and goes on alone"; err_has "^hint: kill -KILL $command"
		kill -KILL $command || fail "$name: the command was killed"
	fi
	for p in $programs; do await "! bpftool prog show id $p >/dev/null 2>&1"; done
	attaches || return 0
	# nobody reads: the first TERM waits for the pipe, the second does not
	rm -f pipe; mkfifo pipe; sh -c 'while :; do /bin/true; done' & command=$!
	exec 8<>pipe; "$SONDE" $piped -p $command >pipe 2>"$T/err" & pid=$!
	await "ready $pid"; insist TERM; exec 8<&-
	code=0; wait $pid || code=$?; kill $command
	[ $code = 0 ] || [ $code = 255 ] || fail "$name: a full pipe: exit code $code"
}

# Who takes no notice of anything is left alone after five seconds.
when_deaf() {
	local command
	begin $how "$PROG/told" got -1; await 'grep -qs ready got'; command=$(pgrep -P $pid -x told)
	kill -HUP $pid
	if [ $name = filter ]; then
		ends_with 137 deaf; err_has 'was killed: the calls that -e chose'
	else
		ends_with 129 deaf; err_has "told' \(process $command\) has not ended and goes on alone"; kill -KILL $command
	fi
	same "$(got)" 'ready HUP TERM ' "$name: deaf"
}

# Both have it, at once: the command is not told once more, unless it could not end in 0.2 s. (On a busy machine it may not.)
when_group() {
	local _
	for _ in 1 2 3; do
		rm -f got; setsid "$SONDE" $how "$PROG/told" got 50 >"$T/out" 2>"$T/err" & pid=$!
		await 'grep -qs ready got'; kill -TERM -$pid; ends_with 7 "TERM to the group"
		[ "$(got)" != 'ready TERM ' ] || return 0
	done
	fail "$name: a signal to the whole group: $(got)"
}

when_terminal() {
	onterm 'grep -qs ready got' ^C -- "$SONDE" $how "$PROG/told" got 400; has '^exit 7$'; same "$(got)" 'ready INT ' "$name: Ctrl-C"
	onterm "pgrep -f '^sleep 71.$id\$'" ^C -- "$SONDE" $how sleep "71.$id"; has '^signal 2$'; whole 'killed by SIGINT'
	# so a shell's loop ends
	onterm "pgrep -f '^sleep 72.$id\$'" ^C -- bash -c 'for i in 1 2 3; do echo turn $i; "$@"; done' x "$SONDE" $how sleep "72.$id"; hasnt 'turn 2'; has '^signal 2$'
	# a command that takes no notice: its user learns who is waited for
	onterm 'grep -qs ready got' ^C 'grep -q "waiting for .*told. (process [0-9]*) to end; Ctrl-C once more" screen' ^C -- "$SONDE" $how "$PROG/told" got -1
	if [ $name = filter ]; then has '^exit 137$'; else has '^signal 2$'; has 'has not ended and goes on alone'; kill -KILL "$(sed -n 's/^hint: kill -KILL \([0-9]*\) .*/\1/p' screen)"; fi
	# -p: Ctrl-C is success
	! attaches || { sleep 73 & onterm '[ $((0x$(sed -n "s/CapEff:\t//p" /proc/$pid/status) >> 21 & 1)) = 0 ]' ^C -- "$SONDE" $how -p $!; has '^exit 0$'; kill $!; }
	# the terminal is closed
	onterm 'grep -qs ready got' hangup -- "$SONDE" $how "$PROG/told" got 0; has '^exit 7$'; same "$(got)" 'ready HUP ' "$name: terminal closed"
	# Ctrl-Z and fg
	onterm 'grep -qs ready got' ^Z stopped fg 'grep -q CONT got' ^C -- "$SONDE" $how "$PROG/told" got 0; has '^exit 7$'; same "$(got)" 'ready CONT INT ' "$name: Ctrl-Z"
}

# The reader has seen enough.
when_reader() {
	local status
	[ $name != locks ] && [ $name != flame ] && [ $name != waits ] || return 0 # they write at the end
	status=$(timeout 60 bash -c '"$@" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"' x "$SONDE" $piped sleep "74.$id" 2>"$T/err") || fail "$name: it goes on without a reader"
	same "$status" 0 "$name: exit code without a reader"; err_hasnt 'cannot|roken'; ! runs "sleep 74.$id" || fail "$name: the command goes on without a reader"
	sh -c 'while :; do sleep 0.02; done' & status=$(timeout 60 bash -c '"$@" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"' x "$SONDE" $piped -p $! 2>"$T/err") || fail "$name: -p goes on without a reader"
	same "$status" 0 "$name: exit code of -p without a reader"; kill $!
}

# It is told to end, what it watches ends, nobody reads it, it is killed: nothing of it stays, and what it watches goes on.
when_watching() {
	local victim signal status parts form watched='[ "$(grep -aoE "samples/s|$(printf "\\033")\[1;[0-9]+H" screen | wc -l)" -gt 25 ]' # tables, or changes of the uppermost line
	sh -c 'while :; do :; done' & victim=$!
	for signal in TERM INT HUP QUIT; do
		by $signal 'grep -q "sonde top" "$T/out"' 0 $how -p $victim
		kill -0 $victim || fail "$name: $signal ended the process that was watched"
	done
	status=$(timeout 60 bash -c '"$@" | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"' x "$SONDE" $how -p $victim 2>"$T/err") || fail "$name: it goes on without a reader"
	same "$status" 0 "$name: exit code without a reader"
	begin $how -p $victim; await 'grep -q "sonde top" "$T/out"'; parts=$(pgrep -P $pid); [ -n "$parts" ] || fail "$name: no recorder"
	kill -KILL $pid; wait $pid || :; await "! kill -0 $parts 2>/dev/null"
	: >"$T/out"; begin $how -p $victim; await 'grep -q "sonde top" "$T/out"'; kill -INT $pid; ends_with 0 "SIGINT ignored"
	rm -f pipe; mkfifo pipe; exec 8<>pipe; "$SONDE" $how -p $victim >pipe 2>"$T/err" & pid=$! # nobody reads
	await "ready \$(pgrep -P $pid)"; insist TERM; exec 8<&-; status=0; wait $pid || status=$?
	[ $status = 0 ] || [ $status = 255 ] || fail "$name: a full pipe: exit code $status"
	for form in "$how" "${how/--stdio/}"; do # on paper, and on the whole screen
		onterm "$watched" ^C -- env TERM=xterm "$SONDE" $form -p $victim; has '^exit 0$'; hasnt 'samples, .* MB' # only the recorder knows that
		onterm "$watched" ^Z stopped fg ^C -- env TERM=xterm "$SONDE" $form -p $victim; has '^exit 0$'
		onterm "$watched" hangup -- env TERM=xterm "$SONDE" $form -p $victim; has '^exit 0$'
	done
	await '! pgrep -P 1 -x sonde-guard >/dev/null'
	: >"$T/out"; begin $how -p $victim; await 'grep -q "sonde top" "$T/out"'; kill $victim; ends_with 0 "what it watches ended"; err_has 'what was watched has ended'
}

export -f ready # for term.py
# One that starts no command: an order to end is success, whoever gives it and how; its place in tracefs goes with it.
when_live() {
	local victim signal status
	sh -c 'while :; do sleep 0.02; done' & victim=$!
	for signal in TERM INT HUP QUIT; do
		by $signal 'ready $pid' 0 $how -p $victim
		kill -0 $victim || fail "$name: $signal ended the process that was watched"
	done
	begin $how -p $victim; await "ready $pid"; kill -INT $pid; ends_with 0 "SIGINT ignored"
	status=$(timeout 60 bash -c '"$@" | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"' x "$SONDE" $how -p $victim 2>"$T/err") || fail "$name: it goes on without a reader"
	same "$status" 0 "$name: exit code without a reader"; err_hasnt 'cannot|roken'
	rm -f pipe; mkfifo pipe; exec 8<>pipe; "$SONDE" $how -p $victim >pipe 2>"$T/err" & pid=$! # nobody reads
	await "ready $pid"; insist TERM; exec 8<&-; status=0; wait $pid || status=$?
	[ $status = 0 ] || [ $status = 255 ] || fail "$name: a full pipe: exit code $status"
	onterm 'ready $pid' ^C -- "$SONDE" $how -p $victim; has '^exit 0$'
	onterm 'ready $pid' ^Z stopped fg ^C -- "$SONDE" $how -p $victim; has '^exit 0$'
	onterm 'ready $pid' hangup -- "$SONDE" $how -p $victim; has '^exit 0$'
	begin $how -p $victim; await "ready $pid"; kill -KILL $pid; wait $pid || :
	await "[ ! -e /sys/kernel/tracing/instances/sonde-$pid ]"
	kill $victim
}

one_row() {
	name=$1 how=${row[$1]} piped=${to_stdout[$1]-} id=$$$2 term=$PWD/term.py
	[ "$name" != run ] && [ "$name" != stap ] || { export REAL=$SONDE; SONDE=$PWD/as_others; }
	mkdir -p "$name/t"; cd "$name"; T=$PWD/t
	case $name in flame | waits | page) export TMPDIR=$PWD ;; latency) export PAGER=cat ;; esac
	columns='by_itself told attached ignored twice deaf group terminal reader'
	[ "$name" != top ] || columns=watching
	case $name in tpoint | uprobe | funccount) columns=live ;; page | latency | switches | dat | stream) columns='by_itself told ignored twice deaf group terminal' ;; esac
	for column in $columns; do
		[ -z "${COLUMN-}" ] || [ "$COLUMN" = $column ] || continue
		SECONDS=0; "when_$column"; echo "$name $column: $SECONDS s"
	done
}
# Those that read a recording end with their reader, too.
reading() {
	local how status
	mkdir -p reading/t; cd reading; T=$PWD/t
	"$SONDE" trace record -o data dd if=/dev/zero of=/dev/null bs=1 count=9000 2>/dev/null
	"$SONDE" stat record -e cs -o counts true 2>/dev/null
	for how in 'trace -i data' 'trace --json -i data' 'trace -s -i data' 'script -i data' 'script --json -i data' 'report -i data' 'report -D -i data' \
		'inject -i data -o -' 'evlist -v -i data' 'buildid-list -i data' 'stat report -i counts' list doctor; do
		status=$(timeout 60 bash -c '"$@" 2>"$T/err" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"' x "$SONDE" $how)
		same "$status" 0 "$how without a reader"; err_hasnt 'cannot|roken'
	done
}

n=0
declare -A job
[ -n "${ROW-}" ] || { (reading) >reading.log 2>&1 & job[reading]=$!; }
for r in "${!row[@]}"; do
	[ -z "${ROW-}" ] || [ "$ROW" = "$r" ] || continue
	n=$((n + 1)); (one_row "$r" $n) >"$r.log" 2>&1 & job[$r]=$!
done
bad=
for r in "${!job[@]}"; do wait "${job[$r]}" || bad+=" $r"; done
for r in $bad; do cat "$r.log"; done
[ -z "$bad" ] || fail "rows:$bad"
