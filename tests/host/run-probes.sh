# SPDX-License-Identifier: GPL-2.0-or-later
# The probes of sonde run see what happens, all of it and nothing else.
# needs: dd taskset
[ "$(id -u)" = 0 ] || skip "needs root"

# every call of the command is there, and its arguments
echo text >a.file; ln a.file b.file
run "$SONDE" run -q -c 'cat a.file b.file' -e 'tracepoint:syscalls:sys_enter_openat /pid == cpid/ { printf("open %s %d\n", str(args.filename), args->dfd) }
	tracepoint:syscalls:sys_exit_openat /pid == cpid && args.ret >= 0/ { @opened = count() }'; ok
has '^open a.file -100$'; has '^open b.file -100$'; has '^@opened: [1-9]'
run "$SONDE" run -q -o out.txt -c "$(type -P echo) some text" -e 'tracepoint:syscalls:sys_enter_write /pid == cpid/ { @bytes = sum(args.count); printf("write %d %s", args.fd, str(args.buf, args.count + 1)) }'; ok
grep -qx 'write 1 some text' out.txt || fail "the write's buffer"; grep -qx '@bytes: 10' out.txt || fail "the write's length"; has '^some text$'

run "$SONDE" run -q -o out.txt -c 'sh -c "exec env A=1 true x y"' -e 'tracepoint:syscalls:sys_enter_execve /pid == cpid/ { join(args.argv, "+") }'; ok
grep -qx 'env+A=1+true+x+y' out.txt || fail "join"; grep -qx 'true+x+y' out.txt || fail "join of another program"

# counted in the kernel, printed one by one: the same number, none lost
run "$SONDE" run -q -c 'dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none' -e 'tracepoint:raw_syscalls:sys_enter /pid == cpid/ { @n = count() }
	tracepoint:syscalls:sys_enter_read /pid == cpid/ { @[comm, args.fd] = count(); printf("r %d\n", args.count) }
	tracepoint:syscalls:sys_exit_read /pid == cpid && comm == "dd" && args.ret == 1/ { @got = count() }'; ok
has '^@\[dd, 0\]: 20000$'; has '^@got: 20000$'; [ "$(grep -c '^r 1$' "$T/out")" = 20000 ] || fail "records are missing"
err_hasnt lost

# one program for all of them; each has its own name
run "$SONDE" run -c 'true' -e 'tracepoint:syscalls:sys_enter_* /pid == cpid/ { @[probe] = count() }'; ok
has '^Attaching [0-9]{3} probes\.\.\.$'; has '^@\[tracepoint:syscalls:sys_enter_exit_group\]: 1$'; has '^@\[tracepoint:syscalls:sys_enter_execve\]: 1$'
hasnt 'sys_enter_newfstat\]: [0-9]{4}'

# 32-bit calls of a 64-bit program: their own numbers and registers, as one call and among all
run "$SONDE" run -q -c "$PROG/calls-i386" -e 'tracepoint:syscalls:sys_enter_openat /pid == cpid/ { printf("open %s %d\n", str(args.filename), args.dfd); @dfd = args.dfd < 0 }
	tracepoint:syscalls:sys_exit_openat /pid == cpid/ { printf("= %d\n", args.ret) } tracepoint:syscalls:sys_enter_open /pid == cpid/ { printf("bad address %d\n", args.filename) }
	tracepoint:syscalls:sys_enter_writev /pid == cpid/ { printf("writev %d %d\n", args.fd, args.vlen) } tracepoint:syscalls:sys_enter_* /pid == cpid/ { @[probe] = count() }'; ok
has '^open /etc/passwd -100$'; has '^open /dev/null -100$'; has '^bad address 8$'; has '^writev 4 2$'; has '^@dfd: 1$'; [ "$(grep -c '^= ' "$T/out")" = "$(grep -c '^open ' "$T/out")" ] || fail "a call and its return"
for c in clock_gettime:2 newfstat:2 getpid:1 nanosleep:1 getrlimit:1; do has "^@\[tracepoint:syscalls:sys_enter_${c%:*}\]: ${c#*:}\$"; done
# its execve, whose list has pointers of four bytes; none of what has its arguments elsewhere there
cat >exec32.c <<'C'
#define _GNU_SOURCE
#include <string.h>
#include <stdint.h>
#include <sys/mman.h>
static long call32(long nr, uint32_t a, uint32_t b, uint32_t c, uint32_t d) { long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d) : "memory", "r8", "r9", "r10", "r11"); return r; }
int main(void)
{
	char *low = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	uint32_t at = (uintptr_t)low, *argv = (uint32_t *)(low + 1024);
	strcpy(low, "/no/such/program"); strcpy(low + 100, "first"); strcpy(low + 200, "second");
	argv[0] = at + 100; argv[1] = at + 200; argv[2] = 0;
	call32(180, 77, at, 1, 5); /* pread64 */
	return call32(11, at, at + 1024, at + 1032, 0) == 0;
}
C
gcc -O1 -o exec32 exec32.c || fail "no compiler"
run "$SONDE" run -q -c ./exec32 -e 'tracepoint:syscalls:sys_enter_execve /pid == cpid/ { printf("%s: ", str(args.filename)); join(args.argv, "+") } tracepoint:syscalls:sys_enter_pread64 /args.fd == 77/ { @args = count() }
	tracepoint:syscalls:sys_enter_pread64 /pid == cpid/ { @pread = count() }'; ok
has '^./exec32: ./exec32$'; has '^/no/such/program: first\+second$'; hasnt '^@args: [1-9]'; has '^@pread: [1-9]'

# fields of other tracepoints, strings in and behind the record
run "$SONDE" run -q -c "$(type -P true)" -e 'tracepoint:sched:sched_process_exec /pid == cpid/ { printf("exec %s %d\n", str(args.filename), args.pid == pid) }
	tracepoint:sched:sched_process_exit /pid == cpid/ { printf("exit %s\n", args.comm) }'; ok
has "^exec $(type -P true) 1$"; has '^exit true$'
run "$SONDE" run -q -c true -e 'rawtracepoint:sched_process_exec /pid == cpid/ { @raw[comm] = count(); @a = arg0 != 0 } t:sched:sched_process_exec /pid == cpid/ { @tp = count() }'; ok
has '^@raw\[true\]: 1$'; has '^@tp: 1$'; has '^@a: 1$'

# clocks and counters
run timeout 60 "$SONDE" run -q -e 'interval:ms:20 { @i++; if (@i == 5) { exit() } } profile:hz:99 { @p = count() } software:cs:1 { @cs = count() }'; ok
has '^@i: 5$'; has '^@cs: [1-9]'
run timeout 60 "$SONDE" run -q -e 'interval:ms:10 { print(@x); @x = elapsed > 1000000; if (@x) { exit() } }'; ok; has '^@x: 1$'

# what exit() leaves: nothing runs any more behind it, END does
run timeout 60 "$SONDE" run -q -e 'BEGIN { @x = 1; exit() } interval:ms:1 { @x = 2 } END { printf("end %d\n", @x) }'; ok; has '^end 1$'; has '^@x: 1$'

# Ctrl-C prints the maps; kill -9 leaves nothing behind
after 'ready $pid' INT "$SONDE" run -q -e 'BEGIN { @x = 42 } interval:ms:1 { @y = count() }'; ok; has '^@x: 42$'
after 'ready $pid' INT "$SONDE" run -q -o out.txt -e 'BEGIN { @x = 43 } interval:ms:1 { @y = count() }'; ok; grep -q '^@x: 43$' out.txt || fail "-o"
after 'ready $pid' KILL "$SONDE" run -q -e 'interval:ms:1 { @y = count() }' 2>/dev/null || :
exits 137

# nobody reads any more: that is the end, for the command as well
status=$(timeout 60 bash -c '"$1" run -c "sleep 79.$$" -e "interval:ms:1 { printf(\"x\n\") }" | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"' x "$SONDE") || fail "it goes on without a reader"
same "$status" 0

# with -p the end is the process's
sleep 77 & target=$!
"$SONDE" run -q -p $target -e 'BEGIN { printf("there\n") }' >with-p & runs=$!
await 'grep -q there with-p'; kill $target; wait $runs || fail "-p: its end is no failure"
# of all its threads, those that come later too
cat >threads.py <<'P'
import threading, time
def work(name):
    while True: pass
threading.Thread(target=work, args=(1,), daemon=True).start()
open("born", "w").write("x")
while True:
    time.sleep(0.1)
    t = threading.Thread(target=lambda: [None for _ in range(1000000)]); t.start(); t.join()
P
python3 threads.py & target=$!
await '[ -s born ]'
run timeout 60 "$SONDE" run -q -p $target -e 'software:cpu-clock:1000000 /pid != tid && !@[tid]/ { @[tid] = 1; @n++; if (@n == 4) { exit(); } }'; ok; has '^@n: 4'
kill $target; wait $target || true
run "$SONDE" run -p 999999999 -e 'BEGIN { }'; exits 255; err_has '^hint: '

# more keys than a map has room for are counted
BPFTRACE_MAP_KEYS_MAX=4 run "$SONDE" run -q -e 'BEGIN { @[1] = 1; @[2] = 1; @[3] = 1; @[4] = 1; @[5] = 1; @[6]++; exit() }'; ok
[ "$(grep -c '^@\[' "$T/out")" = 4 ] || fail "four keys"; err_has '@ was full: 2 entries beyond 4'; err_has '^hint: config = \{ max_map_keys = 16 \}'

# a reader that stands still: what finds no room is counted, to the last one
"$SONDE" run -q --ring-size 1 -o lossy -e 'BEGIN { printf("begun\n") } tracepoint:syscalls:sys_enter_read /comm == "dd" && args.count == 1/ { @n = count(); printf("line\n") }' 2>lossy.err & runs=$!
await 'grep -qs begun lossy && ready $runs'; kill -STOP $runs
dd if=/dev/zero of=/dev/null bs=1 count=150000 status=none
kill -CONT $runs; kill -INT $runs; wait $runs || fail "a loss is no failure"
n=$(sed -n 's/^@n: //p' lossy)
lost=$(awk '/ lost / { for (i = 1; i < NF; i++) if ($i == "lost") s += $(i + 1) } END { print s + 0 }' lossy.err)
[ "$n" -ge 150000 ] && [ "$lost" -gt 0 ] && [ $((lost + $(grep -c '^line$' lossy))) -eq "$n" ] || { cat lossy.err; fail "counted $n, lost $lost, shown $(grep -c '^line$' lossy)"; }

# one block at two events: each record is read as its own event's fields are
run "$SONDE" run -q -c "$(type -P true)" -e 'tracepoint:sched:sched_process_exec,tracepoint:sched:sched_process_exit /pid == cpid/ { print((probe, args.pid == pid, 7)) }
	tracepoint:sched:sched_process_free,tracepoint:sched:sched_process_exit { print((args.comm, 7)); printf("%s %d\n", args.comm, 8) }'; ok
has '^\(tracepoint:sched:sched_process_exec, 1, 7\)$'; has '^\(tracepoint:sched:sched_process_exit, 1, 7\)$'; has '^\(true, 7\)$'; has '^true 8$'; hasnt '^\(.*, 0\)$'; hasnt ' 0$'

# keys that go while a map is read: none is shown twice; what prints all the time does not keep us from the end
run timeout -s KILL 60 "$SONDE" run -q -c 'dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none' -e 'tracepoint:syscalls:sys_enter_read /pid == cpid/ { @m[@n % 500] = 1; delete(@m[(@n + 250) % 500]); @n++ }
	interval:ms:1 { print(@m); printf("--\n") }'; ok
has '^@m\['; awk '/^--/ { delete seen } /^@m\[/ && seen[$1]++ { print "twice: " $0; bad = 1 } /^$/ { delete seen } END { exit bad }' "$T/out" || fail "a key is shown twice"

# an aggregation without keys is deleted on all CPUs
read -ra cpus < <(awk '/Cpus_allowed_list/ { split($2, a, /[-,]/); n = split($2, b, /[-,]/); print a[1], b[n] }' /proc/self/status)
cp "$(type -P true)" on-a-cpu
run "$SONDE" run -q -c "sh -c 'taskset -c ${cpus[0]} ./on-a-cpu; taskset -c ${cpus[1]:-${cpus[0]}} ./on-a-cpu; taskset -c ${cpus[0]} ./on-a-cpu'" -e 'tracepoint:sched:sched_process_exec /comm == "on-a-cpu"/ { @c = count(); @n++; if (@n == 3) { delete(@c) } }'; ok
has '^@n: 3$'; has '^@c: 0$'

# arguments of raw tracepoints, by their names and types
if [ -e /sys/kernel/btf/vmlinux ]; then
	run "$SONDE" run -q -c "$(type -P true)" -e 'rawtracepoint:sched_process_exec /pid == cpid/ { printf("%s %d\n", str(args.bprm->filename), args.old_pid == pid) } rawtracepoint:sched_switch,rawtracepoint:no_such_one { @[args.prev->pid == tid] = count() }'; ok
	has "^$(type -P true) 1$"; has '^@\[1\]: [0-9]+$'; hasnt '^@\[0\]'; err_has 'rawtracepoint:no_such_one is not here'
	run "$SONDE" run -lv 'rawtracepoint:sched_process_exec'; ok; has '^rawtracepoint:sched_process_exec$'; has '^    struct linux_binprm \*bprm$'
	run "$SONDE" run -lv 'struct path'; ok; has '^struct path \{$'; has '^	struct dentry \*dentry;$'
fi
# listed as bpftrace lists them
run "$SONDE" run -l 'tracepoint:sched:sched_s*tch'; ok; same "$(cat "$T/out")" tracepoint:sched:sched_switch
run "$SONDE" run -l '*:sched_switch'; ok; has '^tracepoint:sched:sched_switch$'; has '^rawtracepoint:sched_switch$'
run "$SONDE" run -lv 't:sched:sched_switch'; ok; has '^    char prev_comm\[16\]$'; has '^    pid_t next_pid$'; hasnt common_
run "$SONDE" run -l 'software:c*'; ok; has '^software:cpu-clock:$'; hasnt faults
run "$SONDE" run -l 'no*such*thing'; exits 255; err_has '^hint: '
if type -P bpftrace >/dev/null; then
	bpftrace -lv 'tracepoint:sched:*' >theirs 2>/dev/null || :
	run "$SONDE" run -lv 'tracepoint:sched:*'; ok; cmp -s theirs "$T/out" || { diff theirs "$T/out"; fail "bpftrace lists others"; }
fi
