# SPDX-License-Identifier: GPL-2.0-or-later
# Built-in values and functions of sonde run: what each gives, as text and as JSON; and what is refused.
[ "$(id -u)" = 0 ] || skip "needs root"

# gives SCRIPT LINE...: the block's output, to the letter (empty lines apart).
gives() {
	local script=$1; shift
	run timeout 60 "$SONDE" run -q --unsafe -e "BEGIN { $script exit() }"; ok
	printf '%s\n' "$@" >"$T/want"
	grep -v '^$' "$T/out" | diff -u "$T/want" - || fail "not what was expected of: $script"
}

# addresses of the net
gives 'printf("%s %s\n", ntop(0x0100007f), ntop(2, 0x0100007f)); print(ntop(pton("::1"))); print((1, pton("10.0.0.1"))); $x = pton("1.2.3.4"); $y = pid ? ntop(1) : $x; print($y); @t = (1, $x); @a[$x] = 1;' \
	'127.0.0.1 127.0.0.1' ::1 '(1, 10.0.0.1)' 1.0.0.0 '@a[1.2.3.4]: 1' '@t: (1, 1.2.3.4)'
printf 'true </dev/tcp/127.0.0.1/1\n' >connect.sh # nobody is there
run "$SONDE" run -q -c "$(type -P bash) connect.sh" -e 'tracepoint:sock:inet_sock_set_state /pid == cpid/ { printf("%s %s %s %d %d\n", ntop(args.daddr), ntop(args.family, args.daddr), ntop(args.daddr_v6), args.daddr == pton("127.0.0.1"), pton("127.0.0.2") == args.daddr); @[ntop(args.family, args.daddr)] = count() }'; exits 1
has '^127\.0\.0\.1 127\.0\.0\.1 ::ffff:127\.0\.0\.1 1 0$'; [ "$(grep -c '^@\[127.0.0.1\]' "$T/out")" = 1 ] || fail "one address"
# numbers with names
gives 'print(strerror(2)); print(strerror(-13)); print(signal_name(9)); print(signal_name(99)); print(syscall_name(1)); print(syscall_name(99999)); @e[strerror(1)] = count();' \
	'No such file or directory' 'Permission denied' SIGKILL 99 write syscall_99999 '@e[Operation not permitted]: 1'
gives "print(cgroup_path(1)); print(cgroup_path(cgroupid(\"/sys/fs/cgroup\"))); print(cgroup_path(1, \"other\")); print(cgroupid(\"/sys/fs/cgroup\"));" unified:/ unified:/ "$(stat -c %i /sys/fs/cgroup)"
# strings
gives 'printf("%d %d %d %d %d\n", strlen("abc"), strlen(comm), strstr("hello world", "o w"), strstr("hello", "x"), strstr("ab", "abc"));' '3 5 4 -1 -1'
gives 'print(strcontains(comm, "ond")); print(strcontains("abcdefghijklmnopqrstuvwxyz", "lmnopqrstuv")); print(strcontains("abcdefghijklmnopqrstuvwxyz", "lmnopqrstux")); $n = str_concat("b", "c"); print(strstr("xabcd", $n));' 1 1 0 2
gives 'print(str_concat("abc", "def")); $c = str_concat(comm, ":", "x"); print($c); print(strlen($c)); print(strcap("abcdefg"));' abcdef sonde:x 7 7
gives 'print(memcmp("abc", "abd", 3)); print(memcmp("abz", "abd", 3)); print(memcmp("abcdefghijkl", "abcdefghijkm", 11)); print(memcmp("abcdefghijkl", "abcdefghijkm", 12)); print(strncmp("ab", "ac", 1));' -1 1 0 -1 0
gives 'printf("%x %x %x\n", bswap((uint8)0x12), bswap((uint16)0x1234), bswap((uint32)0x12345678)); printf("%llx\n", bswap(0x1122334455667788));' '12 3412 78563412' 8877665544332211
# long ones: 1 KiB, more when asked for; they are values, keys, and compared whole; what was cut can be marked
cat >long.c <<'C'
#include <fcntl.h>
#include <string.h>
int main(void) { static char b[6001]; memset(b, 'x', 6000); open(b, 0); b[900] = 0; open(b, 0); memset(b, 'y', 899); open(b, 0); return 0; }
C
gcc -o long long.c || fail "no compiler"
for most in '' 4096 100; do
	BPFTRACE_MAX_STRLEN=${most:-1024} run "$SONDE" run -q -c ./long -e 'config = { str_trunc_trailer = ".." } tracepoint:syscalls:sys_enter_openat /pid == cpid && strncmp(str(args.filename, 2), "/", 1) != 0/
		{ $s = str(args.filename); @l[strlen($s)] = count(); @k[$s] = count(); if ($s == str(args.filename)) { @eq = count() } if ($s == @last) { @same = count() } @last = $s; printf("%s\n", $s) }'; ok
	n=$((${most:-1024} - 1)); short=$((n < 900 ? n : 900)); cut=$([ $n -ge 900 ] || echo ..)
	has "^x{$n}\.\.$"; has "^@k\[x{$n}\.\.\]: [12]$"; has "^y{$((short < 899 ? short : 899))}x?${cut//./\\.}$"; has '^@eq: 3$'
	[ "$n" = 99 ] && has '^@same: 1$' || has '^@same: 0$'
done
# buffers
gives '$b = buf("abc\x01", 4); print($b); printf("%r|%rx|%rh|%6r|\n", $b, $b, $b, buf("xy", 2)); @b = $b; @k[buf("xy", 2)] = 1;' 'abc\x01' 'abc\x01|\x61\x62\x63\x01|61 62 63 01|    xy|' '@b: abc\x01' '@k[xy]: 1'
# conversions; fractions are computed from what was sent
gives '$a = 7; $b = 2; printf("%.2f|%8.3f|%-6.1f|%f|%.2e|%g|%d\n", $a / $b, 10 / 4, $a, $a, $a * 100 / $b, 1 / 3, $a / $b); printf("%5.1f%% %.1f %.1f\n", $a * 100 / 3, -$a / 2, 1 / 0);' '3.50|   2.500|7.0   |7.000000|3.50e+02|0.333333|3' '233.3% -3.5 0.0'
gives 'printf("%5c|%-5c|%lld %zu %hhd %hu %o %#x %+d % d|%X %llX %i\n", 65, 66, -5, 7, 300, 65537, 8, 255, 3, 3, 255, 255, -1); printf("%-20s|%20s|%.3s|%10.2s|%p\n", "bc", "de", "abcdef", "xyz", 10);' \
	'    A|B    |-5 7 44 1 10 0xff +3  3|FF FF -1' 'bc                  |                  de|abc|        xy|0xa'
# finer histograms
gives '@a = hist(3, 2); @a = hist(5, 2); @a = hist(8, 2); @a = hist(10, 2); @a = hist(-1, 2); @b = hist(5000, 3); @c = hist((uint64)-1, 5);' '@a: ' \
	"$(printf '%-16s%8d |%-52s|\n' '(..., 0)' 1 "$(printf '@%.0s' {1..52})" '[0]' 0 '' '[1]' 0 '' '[2]' 0 '' '[3]' 1 "$(printf '@%.0s' {1..52})" '[4]' 0 '' '[5]' 1 "$(printf '@%.0s' {1..52})" '[6]' 0 '' '[7]' 0 '' '[8, 10)' 1 "$(printf '@%.0s' {1..52})" '[10, 12)' 1 "$(printf '@%.0s' {1..52})")" \
	'@b: ' "$(printf '%-16s%8d |%-52s|\n' '[4608, 5120)' 1 "$(printf '@%.0s' {1..52})")" '@c: ' "$(printf '%-16s%8d |%-52s|\n' '[16128P, 16384P)' 1 "$(printf '@%.0s' {1..52})")"
# who and when
gives 'print(pid() == pid); print(tid(init) == tid); print(ncpus); print(jiffies > 0); print(has_cpid); print(nsecs(monotonic) > 0 && nsecs(boot) > 0 && nsecs(tai) > 1000); print(comm()); print(ppid() == ppid(curtask)); print(pcomm);' 1 1 "$(nproc)" 1 0 1 sonde 1 sonde
# the name of who runs, by a load from its task or by a helper
for without in none task; do
	SONDE_RUN_WITHOUT=$without run "$SONDE" run -q -c "$(type -P true)" -e 'tracepoint:sched:sched_process_exec /comm == "true" && pid == cpid/ { @a[comm] = count(); $c = comm; printf("%s %s %d %s\n", comm, $c, strlen(comm), str(comm, 3)); @t[(comm, 1)] = count() }'; ok
	has '^@a\[true\]: 1$'; has '^true true 4 tr$'; has '^@t\[true, 1\]: 1$'
done
run "$SONDE" run -q -e 'BEGIN { print(ppid); exit() }'; ok; [ "$(head -n 1 "$T/out")" -gt 0 ] || fail "no parent"
gives '@m[1] = 5; @s["a", 2] = "xyz"; if (find(@m, 1, $v)) { print($v) } if (find(@m, 2, $v)) { print(100) } print(find(@s, ("a", 2), $w)); print($w); clear(@m); clear(@s);' 5 1 xyz
gives 'print(len(@m)); @m[1] = 1; @m[2] = 1; print(len(@m)); delete(@m[1]); print(len(@m)); @c["a"] = count(); print(len(@c)); clear(@m); clear(@c);' 0 2 1 1
run "$SONDE" run -q -c "$(type -P true)" -e 'tracepoint:sched:sched_process_exec /pid == cpid/ { print(len(kstack(2))); print(len(kstack) > 3) }'; ok; same "$(grep . "$T/out" | tr '\n' ' ')" '2 1 '
# what is deleted is gone, from what was looked up before too, and leaves no remains that fill the map
gives '@s[tid] = 3; @d[1] = 0; print(has_key(@d, 1)); if (@s[tid]) { print(delete(@s[tid])); print(@s[tid]); print(has_key(@s, tid)); print(delete(@s[tid])) } @s[tid]++; print(@s[tid]); @s[tid] = 7; print(@s[tid]); print(find(@s, tid, $f)); print($f); delete(@s, tid); print(@s); delete(@d[1]); @d[2] = 5; delete(@d[2]); @d[2] += 3;' \
	1 1 0 0 0 1 7 1 7 '@d[2]: 3'
BPFTRACE_MAP_KEYS_MAX=1024 run "$SONDE" run -q -c 'dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none' -e 'tracepoint:raw_syscalls:sys_enter /pid == cpid/ { $k = @n++; @x[$k] = $k + 1; if ($k >= 1024) { delete(@x[$k]) } }'; ok; err_hasnt full
[ "$(grep -c '^@x\[[0-9]*\]: [0-9]*$' "$T/out")" = 1024 ] || fail "1024 entries should be left"
run "$SONDE" run -q -c 'dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none' -e 'tracepoint:raw_syscalls:sys_enter /pid == cpid/ { @s[tid] = nsecs; @n = count() } tracepoint:raw_syscalls:sys_exit /@s[tid]/ { @h = hist(nsecs - @s[tid]); @c = count(); delete(@s[tid]) }'; ok
[ "$(grep -c '^@s' "$T/out")" -le 1 ] || fail "only what never returned has no end"
[ "$(sed -n 's/^@c: //p' "$T/out")" -ge 40000 ] || fail "calls without an end"
address=$((0x$(awk '$3 == "hrtimer_nanosleep" { print $1; exit }' /proc/kallsyms)))
gives 'print(kaddr("hrtimer_nanosleep") == '$address'); print(ksym(kaddr("hrtimer_nanosleep") + 1)); printf("%d\n", memcmp(buf(kaddr("hrtimer_nanosleep"), 4) == buf(kaddr("hrtimer_nanosleep"), 4) ? "a" : "b", "a", 1));' 1 hrtimer_nanosleep 0
run "$SONDE" run -q -c 'dd if=/dev/zero of=/dev/null bs=1M count=2000 status=none' -e 'profile:hz:999 /pid == cpid/ { @[usermode] = count(); if (usermode) { @u[reg("ip") > 0, reg("sp") > 4096] = count() } else { @k[ksym(reg("ip")) != ksym(0)] = count() } }'; ok; has '^@\[[01]\]: [0-9]+$'
# symbols of the probed program, wherever it is loaded
cat >symbols.c <<'C'
int counter = 41; short small = 7; char name[32] = "of the program"; long big = 1234567890123;
__attribute__((noinline)) void work(int n) { counter += n; __asm__ volatile("" ::: "memory"); }
int main(void) { work(1); work(2); return 0; }
C
gcc -O1 -o symbols symbols.c || fail "no compiler"
run "$SONDE" run -q -c ./symbols -e "uprobe:$PWD/symbols:work "'{ printf("%d %d %d %s %s\n", *uaddr("counter"), *uaddr("small"), *uaddr("big"), str(uaddr("name")), usym(uaddr("work"))) }'; ok
has '^41 7 1234567890123 of the program work$'; has '^42 7 1234567890123 of the program work$'
run "$SONDE" run -e "uprobe:$PWD/symbols:work "'{ print(uaddr("none")) }'; exits 255; err_has "has no symbol 'none'"
# one entry of a histogram
gives '@h[1, "abc"] = hist(3); print(@h[1, "abc"]); print(@h[2, "q"]); clear(@h);' "$(printf '%-16s%8d |%-52s|' '[2, 4)' 1 "$(printf '@%.0s' {1..52})")"
# nothing is lost: a program whose reader is behind waits for it
for _ in {1..5}; do # a machine that leaves the reader no time at all for a quarter of a second loses some, and says so
	run "$SONDE" run -q -o lines --ring-size 1 -c 'dd if=/dev/zero of=/dev/null bs=1 count=100k status=none' -e 'tracepoint:raw_syscalls:sys_enter /pid == cpid/ { printf("%d %d %d\n", pid, tid, cpu); @n = count() }'; ok
	grep -q lost "$T/err" || break
done
err_hasnt lost; same "@n: $(grep -c '^[0-9]* [0-9]* [0-9]*$' lines)" "$(tail -n 1 lines)"
# what is lost, here because the reader is kept busy, is counted and told: with JSON in its place too
run "$SONDE" run -q -f json --unsafe --ring-size 1 -c 'dd if=/dev/zero of=/dev/null bs=1 count=100k status=none' -e 'tracepoint:raw_syscalls:sys_enter /pid == cpid/ { if (@n++ == 10) { system("sleep 1") } printf("%d %d %d\n", pid, tid, cpu); }'; ok; err_has 'lost [0-9]+ events'
same "$(sed -n 's/^{"type": "map", "data": {"@n": \([0-9]*\)}}$/\1/p' "$T/out")" "$(awk -F'[ }]' '/^{"type": "printf"/ { n++ } /^{"type": "lost_events"/ { n += $5 } END { print n }' "$T/out")" 'all are shown or counted'
# what is run and read
echo of-a-file >file
gives "cat(\"$PWD/%s\", \"file\"); system(\"echo said %d; exit 3\", 3); print(4);" of-a-file 'said 3' 4
# told twice to end it does not wait for a command, which ends, too
"$SONDE" run -q --unsafe -o seen -e 'BEGIN { @x = 5; system("exec sleep 1000") }' & pid=$!
await 'sleeper=$(pgrep -P $pid -x sleep)'
await '! kill -INT $pid 2>/dev/null || grep -qs "^State:.Z" /proc/$pid/status'; wait $pid || fail "exit code $?"
grep -q '^@x: 5$' seen || fail "maps of one that was told twice"
await '[ ! -e /proc/$sleeper ]'
run "$SONDE" run -q -e 'BEGIN { cat("/nonexistent/x"); warnf("oh %d", 3); exit() }'; ok; err_has 'cat: cannot read /nonexistent/x: No such file'; err_has '^sonde: -e:1:32: oh 3$'
run "$SONDE" run -q -e 'BEGIN { assert(2 > 1, "never"); assert(1 > 2, "bad %d", 5); print(3) }'; exits 1; err_has 'bad 5'; hasnt 3
run "$SONDE" run -q --unsafe -c 'sleep 1000' -e 'tracepoint:syscalls:sys_enter_clock_nanosleep /pid == cpid/ { signal(SIGTERM) }'; exits 143
run "$SONDE" run -q --unsafe -c 'sleep 1000' -e 'tracepoint:syscalls:sys_enter_clock_nanosleep /pid == cpid/ { signal_thread("KILL") }'; exits 137
# JSON
run "$SONDE" run -q -f json --unsafe -e 'BEGIN { print(ntop(1)); print((1, strerror(2))); system("echo a"); cat("/nonexistent"); @b = buf("a\"\x02", 3); exit() }'; ok
has '^\{"type": "value", "data": "1\.0\.0\.0"\}$'; has '^\{"type": "value", "data": \[1,"No such file or directory"\]\}$'; has '^\{"type": "syscall", "data": "a\\n"\}$'; has '^\{"type": "cat", "data": ""\}$'
has '^\{"type": "map", "data": \{"@b": "a\\"\\\\x02"\}\}$'

# refused: with the reason and, where there is one, the remedy
refuses() { run "$SONDE" run -e "BEGIN { $1 }"; exits 255; err_has "$2"; }
refuses 'system("x")' 'changes the machine'; err_has 'hint: .*--unsafe'
refuses 'signal(9)' 'changes the machine'
refuses 'print(ntop("a", 2, 3))' 'ntop\(\) takes'
refuses 'print(pton("1.2.3"))' 'takes an address as text'
refuses 'print(strlen(3))' 'takes strings'
refuses 'print(cgroupid("/nonexistent"))' 'cannot find the control group /nonexistent'
refuses 'print(nsecs(soon))' 'boot, monotonic and tai'
refuses 'print(buf(1))' 'how many bytes'
refuses 'print(kaddr("no_such_symbol_here"))' "no kernel symbol 'no_such_symbol_here'"
refuses 'find(@m, 1, 2); @m[1] = 1;' 'a map, a key and a variable'
refuses 'override(1)' 'changes the machine'
refuses 'print(uaddr("x"))' 'uprobes and usdt probes, not at BEGIN'
refuses 'print(usermode)' 'usermode means nothing at BEGIN'
run "$SONDE" run --unsafe -e 'BEGIN { signal(SIGNOT) }'; exits 255; err_has "no signal 'SIGNOT'"
run "$SONDE" run -e 'BEGIN { skboutput("x", 1, 2, 3) }'; exits 255; err_has 'skboutput'
run "$SONDE" run --unsafe -e 'BEGIN { override(1) }'; exits 255; err_has 'override\(\) is for kprobes'
# bounds below zero, in several blocks
run "$SONDE" run -q -e 'BEGIN { @l = lhist(-7, -5, 10, 5); @l = lhist(-5, -5, 10, 5); exit() } END { @l = lhist(3, -5, 10, 5) }'; ok; has '^\(\.\.\., -5\) +1 '; has '^\[-5, 0\) +1 '; has '^\[0, 5\) +1 '
# what was stored with two bytes is turned around as two: $dport = bswap($dport)
run "$SONDE" run -q -e 'BEGIN { $p = (uint16)0x1234; $p = bswap($p); @m = (uint32)0x11223344; $q = (uint16)1; $q += 1; $l = 0x12; printf("%x %x %x %x\n", $p, bswap(@m), bswap($q), bswap($l)); exit() }'; ok; has '^3412 44332211 200000000000000 1200000000000000$'
