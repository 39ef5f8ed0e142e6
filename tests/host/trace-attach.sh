# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace -p: calls under way are shown with what their arguments point to, by all engines; a trace ends with the
# last of the traced, children in the background included.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
# each of its threads blocks in the call that it is there for: read, write, openat, pselect6, ppoll
in_calls() { [ "$(cat /proc/"$p"/task/*/syscall 2>/dev/null | cut -d' ' -f1 | sort -n | tr '\n' ' ')" = '0 1 257 270 271 ' ]; }
# attach OPTION...: traces four threads that block, lets them go on when each call was told, and ends with them.
attach() {
	rm -f ff go lines; mkfifo ff go
	exec 7<>go
	"$PROG/midway" ff <&7 & p=$!
	await in_calls
	"$SONDE" trace "$@" -p $p -o lines & s=$!
	await "ready $s && { [ -n '${quiet-}' ] || [ \$(grep -c . lines) -ge 5 ]; }" # JSON tells a call at its end
	echo >&7; exec 7>&-
	wait $p || fail "the program"; wait $s || fail "sonde: $*"
}
line() { told lines "$1" || { head -40 lines; fail "$engine: no line $1"; }; }
for engine in bpf perf ptrace; do
	attach --engine=$engine
	line 'openat\(dfd: CWD, filename: "ff", flags: RDONLY\) \.\.\.$'
	line '\[continued\]: openat\(dfd: CWD, filename: "ff", flags: RDONLY\) *= [0-9]+'
	line 'write\(fd: [0-9]+<pipe:\[[0-9]+\]>, buf: "what-is-written\.*"\.\.\., count: 5000\) \.\.\.$'
	line 'write\(fd: [0-9]+<pipe:\[[0-9]+\]>, buf: "what-is-written\.*"\.\.\., count: 5000\) *= 5000'
	line 'pselect6\(n: [0-9]+, inp: \[5<pipe:\[[0-9]+\]> 23<pipe:\[[0-9]+\]>\]\) = 2'
	line 'ppoll\(ufds: \[\{ \.fd: 5<pipe:\[[0-9]+\]>, \.events: IN \}\], nfds: 1, tsp: \{ \.tv_sec: 7[0-9]{3},.*\) = 1'
	line '\+\+\+ exited with 0 \+\+\+'
	attach --engine=$engine --strace
	line '^[0-9]+ +openat\(AT_FDCWD, "ff", O_RDONLY <unfinished \.\.\.>$'; line '<\.\.\. openat resumed>\) *= [0-9]+$'
	line 'write\(4, "what-is-written\.*"\.\.\., 5000 <unfinished \.\.\.>$'; line '<\.\.\. write resumed>\) *= 5000$'
done
engine=json; quiet=1 attach --json
line '"syscall":"openat",.*"filename":"ff".*"late":\["filename"\],"ret":[0-9]+'
unset quiet; engine=bpf; attach -v; line 'filename: "ff" /\* read late \*/'

# the last of the traced ends the trace; the exit code is the command's
for engine in bpf perf ptrace; do
	run timeout -k 5 60 "$SONDE" trace --engine=$engine -e write -o lines sh -c '(sleep 0.7; echo late; exit 3) & exit 4'; exits 4
	same "$out" late; line 'write\(fd: 1.*= 5$'; line 'exited with 3'
	# not those that are not followed, nor with the whole machine; a stop leaves them alone
	run timeout -k 5 60 "$SONDE" trace --engine=$engine --no-inherit -o lines sh -c 'sleep 1000 & exit 4'; exits 4
done
run timeout -k 5 60 "$SONDE" trace -a -e write -o lines sh -c 'sleep 1000 & exit 4'; exits 4
for engine in bpf perf ptrace; do
	rm -f lines
	after 'grep -q "exited with 4" lines 2>/dev/null' TERM "$SONDE" trace --engine=$engine -o lines sh -c 'echo $$ >pid; sleep 4242 & echo $! >kid; exit 4'
	exits 4; kill -0 "$(cat kid)" || fail "$engine: the child in the background ended too"; kill "$(cat kid)"
done
# a thread can have been in one call only when the trace began
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null & busy=$!
for _ in 1 2 3; do
	run timeout -k 5 60 "$SONDE" trace -a -o lines sleep 0.2; ok
	n=$(grep -c "^ *[0-9?.]* (         ): dd/$busy  ... \[continued\]" lines) || true
	[ "$n" -le 1 ] || fail "$n calls of one thread were under way when the trace began"
done
kill $busy
# a call that began while we watched and has not ended, in a form that does not tell of each call that blocks
rm -f ff lines; mkfifo ff
bash -c 'exec 3<>ff; read -r -u 3; read -r -u 3' & p=$!
await 'grep -q "^0 0x3 " /proc/$p/syscall'
"$SONDE" trace --json -p $p -o lines & s=$!
await 'ready $s'
echo go >ff
await 'grep -q "\"buf\":\"o\"" lines && grep -q "^0 0x3 " /proc/$p/syscall'
kill -TERM $s; wait $s || true
engine=json; line "\"type\":\"unfinished\",\"time\":[1-9][0-9]*,\"pid\":$p,.*\"enter\":[1-9].*\"syscall\":\"read\".*\"count\":1\\}"
kill $p
