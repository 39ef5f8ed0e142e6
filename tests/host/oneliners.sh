# SPDX-License-Identifier: GPL-2.0-or-later
# sonde uprobe, tpoint, funccount on this kernel; the refusals of kprobe, functrace, funcgraph; nothing is left, also after kill -9.
# timeout: 180
[ "$(id -u)" = 0 ] || skip "needs root"
tracing=/sys/kernel/tracing
[ -w $tracing/instances ] || skip "no tracefs instances here"
gcc -O0 -g -o calls.$$ -x c - <<'C'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int twice(const char *name, int n) { return n * 2 + (name[0] == 'x'); }
__attribute__((noinline)) int thrice(int n) { return n * 3; }
int main(void) { for (int i = 0; ; i++) { twice("an \"odd\"\tname", i % 10); if (i % 2) thrice(i); usleep(1000); } }
C
me=$PWD/calls.$$
"$me" & victim=$!
trap 'kill $victim' EXIT
# lasting CONDITION ARG...: for a moment (-d), or longer until what is to come has come
lasting() {
	local what=$1 seconds; shift
	for seconds in 0.5 3 20; do
		run timeout 60 "$SONDE" "$1" -d $seconds "${@:2}"; ok
		! eval "$what" || return 0
	done
	fail "never came true: $what"
}
# lines in perf-tools' words; registers, names, filters
seen() { timeout 60 "$SONDE" "$@" 2>err | awk '/ twice: /{ print; if (++n == 3) exit }' >lines || :; }
seen uprobe "p:$me:twice"; grep -qE 'calls\.[0-9]+-[0-9]+ +\[[0-9]+\] .* twice: \(0x[0-9a-f]+\)$' lines || fail "no line: $(cat lines err)"
seen uprobe "p:$me:twice name:string n"; grep -qE 'n=[0-9]$' lines || fail "no n: $(cat lines err)"; grep -q 'name_string="an' lines || fail "no name: $(cat lines err)"
seen uprobe "p:$me:twice s=+0(%di):string v=%si:s32" 'v == 7'; grep -q 'v=7$' lines || fail "no v: $(cat lines err)"; ! grep -vq 'v=7$' lines || fail "the filter lets through: $(cat lines)"
seen uprobe "r:$me:twice \$retval"; grep -qE 'twice: \(0x[0-9a-f]+ <- 0x[0-9a-f]+\) arg1=' lines || fail "no return: $(cat lines err)"
seen uprobe -p $victim "$me:twice n"; [ -s lines ] || fail "none of -p: $(cat err)"
lasting 'grep -q " other: .* n=" "$T/out"' uprobe -H "p:other $me:twice n=%si:s32"
has '^Tracing uprobe other for [0-9.]+ seconds \(buffered\)...$'; has '^# +TASK-PID'; has '^Ending tracing'
run "$SONDE" uprobe -v "p:$me:twice n=%si:s32"; ok; has 'field:s32 n;'
run "$SONDE" uprobe -l "$me:t*ice"; ok; same "$out" $'thrice\ntwice'
lasting '[ -s "$T/out" ]' uprobe --json "p:$me:twice n=%si:s32"
python3 -c 'import json,sys
l = [json.loads(x) for x in open(sys.argv[1])]
assert l and all(e["event"] == "twice" and 0 <= e["fields"]["n"] < 10 for e in l), l[:3]' "$T/out"
# a first instruction that the kernel would single-step: the probe is moved, and finds the same
gcc -O2 -o moved.$$ -x c - <<'C'
#include <unistd.h>
__attribute__((naked, noinline)) int odd(int n) { __asm__("test %edi, %edi; je 1f; mov %edi, %eax; ret; 1: xor %eax, %eax; ret"); }
int main(void) { for (int i = 0; ; i++) { odd(i % 10); usleep(1000); } }
C
"$PWD/moved.$$" & second=$!
trap 'kill $victim $second' EXIT
for how in '' --exact; do
	lasting '[ "$(grep -oE " odd: \\(0x.* n=[0-9]$" "$T/out" | sed "s/.*=//" | sort -u | wc -l)" = 10 ]' uprobe $how --verbose "p:$PWD/moved.$$:odd n=%di:s32"
	[ "$how" ] && err_hasnt '^moved' || err_has '^moved by 2 bytes'
done
run timeout 60 "$SONDE" uprobe --verbose -d 0.1 "p:$PWD/moved.$$:odd s=+0(\$stack):u64"; ok; err_hasnt '^moved'
# the kernel gives a uprobe to ftrace or to perf
"$SONDE" uprobe "p:both $me:twice" >/dev/null 2>&1 & own=$!
trap 'kill $victim $second $own' EXIT
for _ in {1..600}; do [ "$(cat $tracing/instances/*/events/sonde_$own/both/enable)" = 1 ] && break; sleep 0.05; done 2>/dev/null
run "$SONDE" record -q -o both.data -e "sonde_$own:both" true; exits 255; err_has 'ftrace records it'; err_has '^hint: .*for ftrace or for perf'
kill -INT $own; wait $own || :
"$SONDE" probe -q -x "$me" "one_$$:both=twice"
"$SONDE" record -q -o both.data -e "one_$$:both" -p $victim & own=$!
trap 'kill $victim $second $own; "$SONDE" probe -q -d "one_$$:both"' EXIT
for _ in {1..100}; do run timeout 60 "$SONDE" ftrace record -q -o both.dat -e "one_$$:both" true; [ $code -eq 0 ] || break; done
exits 255; err_has "perf's half of the kernel has the uprobe"; err_has '^hint: .*end the sonde record'
run timeout 60 "$SONDE" ftrace record -q -o both.dat -e "one_$$" -e sched:sched_switch true; ok; err_has 'left out'
kill -INT $own; wait $own || :
"$SONDE" probe -q -d "one_$$:both"
trap 'kill $victim $second' EXIT
# what is wrong
run "$SONDE" uprobe "p:$me:nosuch"; exits 255; err_has "no function 'nosuch'"; err_has '^hint: '
run "$SONDE" uprobe p:nosuchlib:f; exits 255; err_has '^hint: '
run "$SONDE" uprobe p:bash; exits 255; err_has 'no definition'; err_has '^hint: p:FILE:FUNC'
run "$SONDE" uprobe; exits 129; run "$SONDE" kprobe a b c; exits 129
run "$SONDE" uprobe "p:$me:twice" 'nosuch == 1'; exits 255; err_has '^hint: the fields of an event'
run as_nobody "$SONDE" uprobe p:bash:main; exits 255; err_has '^hint: '
if ! [ -e $tracing/kprobe_events ]; then run "$SONDE" kprobe p:vfs_read; exits 255; err_has 'KPROBE'; err_has '^hint: '; fi
if ! : >>$tracing/set_ftrace_filter; then
	for c in functrace funcgraph; do run "$SONDE" $c vfs_read; exits 255; err_has '^hint: '; done
fi 2>/dev/null
# tracepoints
run timeout 60 "$SONDE" tpoint -l 'sched:sched_process_ex*'; ok; same "$out" $'sched:sched_process_exec\nsched:sched_process_exit'
lasting 'grep -q "prev_comm=calls" "$T/out"' tpoint -p $victim sched:sched_switch
run "$SONDE" tpoint nosuch; exits 255; err_has 'no event matches'
# -p is of the process, not of those that it forks, but of the threads that it will have
python3 - <<'Q' >forks.$$ &
import os, sys, threading, time
print("up", flush=True)
while True:
    time.sleep(0.05)
    t = threading.Thread(target=lambda: os.getppid(), name="mine"); t.start(); t.join()
    p = os.fork()
    if not p: os.getppid(); os._exit(0)
    os.waitpid(p, 0)
Q
forker=$!
trap 'kill $victim $second $forker' EXIT
await '[ -s forks.'$$' ]'
lasting 'grep -o -- "-[0-9]* *\[" "$T/out" | sort -u >tids; [ "$(wc -l <tids)" -ge 2 ]' tpoint -s -p $forker syscalls:sys_enter_getppid
! grep -q -- "-$forker " tids || fail "its main thread called nothing"; hasnt '\( *[0-9]+\) +\['
lasting 'grep -q "sched_process_exit: comm=.* pid=[0-9]" "$T/out"' tpoint -p $forker sched:sched_process_exit
! grep -qv 'comm=' <(grep sched_process_exit: "$T/out") || fail "odd lines"
hasnt 'group_dead=true' # the ends of its threads, and of no child
# counts: twice is called twice as often as thrice. (Probes are set and taken off one after the other, and calls come in between.)
lasting 'awk "\$1 == \"twice\" { a = \$2 } \$1 == \"thrice\" { b = \$2 } END { exit !(b > 3 && a >= 1.8 * b && a <= 2.2 * b) }" "$T/out"' funccount "$me:t*ice"
has '^FUNC +COUNT$'; has '^Tracing ".*t\*ice" for [0-9.]+ seconds'
lasting 'grep -q "^twice " "$T/out"' funccount -t 1 -p $victim "$me:t*ice"; hasnt '^thrice '
lasting '[ "$(grep -c "^{\"twice\":" "$T/out")" -ge 2 ]' funccount -i 0.1 --json "$me:twice"
run "$SONDE" funccount 'a b'; exits 255; err_has '^hint: '
# kill -9 in the middle
after '[ -s out1 ] && [ "$(wc -l <out1)" -gt 2 ]' KILL "$SONDE" uprobe -o out1 "p:$me:twice n"; exits 137
await '! grep -q calls.$$ $tracing/uprobe_events'
run timeout 60 "$SONDE" uprobe -d 0.2 "p:$me:twice"; ok; ! grep -q "calls.$$" $tracing/uprobe_events || fail "the probe is left"
