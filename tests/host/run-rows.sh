# SPDX-License-Identifier: GPL-2.0-or-later
# Every row of the language that is core, each by a script of one line: what it is, the script, and a line that it prints (an
# extended regular expression). Rows that take kprobes are in tests/guest/run-kprobes.sh.
# shellcheck disable=SC2016
[ "$(id -u)" = 0 ] || skip "needs root"
n=0 failed=0
echo text >file
row() { # WHAT LINE OPTION...
	local what=$1 line=$2; shift 2
	run timeout 60 "$SONDE" run -q --unsafe "$@"
	n=$((n + 1))
	if [ "$code" != 0 ] || ! grep -Eq -- "$line" "$T/out"; then
		failed=$((failed + 1))
		printf 'row %s: exit code %s, and no line /%s/ of: %s\n' "$what" "$code" "$line" "$*"; ends "$T/out"; ends "$T/err"
	fi
}
begin() { row "$1" "$2" -e "BEGIN { $3 exit() }" "${@:4}"; }
of() { row "$1" "$2" -c "$3" -e "$4"; } # of a command

# probes
row 'BEGIN, END' '^end$' -e 'BEGIN { exit() } END { printf("end\n") }'
row 'begin, end' '^b 1$' -e 'begin { @n++ } BEGIN { printf("b %d\n", @n); exit() } end { clear(@n) }'
row 'several END' '^two$' -e 'BEGIN { exit() } END { printf("one\n") } end { printf("two\n") }'
of tracepoint '^@: [1-9]' true 'tracepoint:sched:sched_process_exec /pid == cpid/ { @ = count() }'
of 't, wildcards' '^@\[tracepoint:sched:sched_process_exec\]: 1$' true 't:sched:sched_process_* /pid == cpid/ { @[probe] = count() }'
of 'several probes in a block' '^@: [2-9]' true 'tracepoint:sched:sched_process_exec, tracepoint:sched:sched_process_exit /pid == cpid/ { @ = count() }'
of rawtracepoint '^@: [1-9]' true 'rt:sched_process_exec /pid == cpid/ { @ = count() }'
of 'rawtracepoint, module, args' '^@: 1$' true 'rawtracepoint:vmlinux:sched_process_exec /pid == cpid/ { @ = args.p->pid == pid }'
of 'uprobe, library by name' '^@: [1-9]' 'ls /' 'uprobe:libc:malloc /pid == cpid/ { @ = count() }'
of 'u, path, wildcards' '^@\[uprobe:.*:work\]: [1-9]' "$PROG/structs" "u:$PROG/structs:wor? { @[probe] = count() }"
of uretprobe '^@: 1$' "$PROG/structs" "ur:$PROG/structs:find { @ = retval != 0 }"
of 'uprobe +offset' '^@: [1-9]' "$PROG/structs" "uprobe:$PROG/structs:work+0 { @ = count() }"
of 'args by DWARF' '^@: -7$' "$PROG/structs" "uprobe:$PROG/structs:work { @ = args.n->v }"
row 'profile, interval' '^@p: [1-9]' -e 'p:hz:99 { @p = count() } i:s:1 { exit() }'
row 'interval:ms, us, bare' '^@: 1$' -e 'interval:ms:2 { @ = 1 } interval:us:2000 { @ = 1 } interval:2ms { @ = 1 } interval:2000000 { @ = 1; exit() }'
of software '^@: [1-9]' 'ls /' 's:faults:1 /pid == cpid/ { @ = count() }'
of 'software, no count' '^$|^@' true 'software:cs { @ = count() }'
row 'a name before a probe' '^here$' -e 'first=BEGIN { printf("here\n"); exit() }'

# statements and types
row predicate '^yes$' -e 'BEGIN /pid > 0 && comm != "x"/ { printf("yes\n"); exit() }'
begin 'if, else' '^b$' 'if (pid == 0) { printf("a\n") } else if (pid) { printf("b\n") } else { printf("c\n") }'
begin ternary '^7 8$' 'printf("%d %d\n", pid ? 7 : 1, 0 ?: 8);'
begin return '^@: 1$' '@ = 1; if (pid) { exit(); return } @ = 2;'
begin unroll '^@: 6$' 'unroll(3) { @ += 2 }'
begin 'block scope' '^1$' '$x = 1; { let $x = 2; } print($x);'
begin 'let' '^44 text 3$' 'let $x: uint8 = 300; let $s: string = "text"; let $z; $z = 3; printf("%d %s %d\n", $x, $s, $z);'
begin comments '^1$' '/* a */ print(1); // b
'
begin '_ =' '^@: 2$' '_ = @++; @++;'
begin 'while, break, continue' '^@: 4$' '$i = 0; while ($i < 10) { $i++; if ($i == 2) { continue } if ($i > 5) { break } @++ }'
begin 'for a..b' '^@: 10$' 'for ($i : 0..5) { @ += $i }'
begin 'for, nested' '^@: 3600$' 'for ($i : 0..10) { for ($j : 0..10) { for ($k : 0..10) { if ($k == $i) { continue } if ($k + $j > 15) { break } @ = sum($k) } } }'
begin 'for over a map' '^<1 2>$' '@m[1] = 2; for ($kv : @m) { printf("<%d %d>\n", $kv.0, $kv.1) }'
begin integers '^-56 200 -1 4294967295$' 'printf("%d %d %d %u\n", (int8)200, (uint8)200, (int64)-1, (uint32)-1);'
begin 'signed / and %' '^-3 -1 -3 1$' '$a = -7; printf("%d %d %d %d\n", $a / 2, $a % 2, 7 / -2, 7 % -2);'
begin 'string[N], compared' '^1 0 1$' '$s = "abc"; printf("%d %d %d\n", $s == "abc", $s == "abd", $s != "ab");'
begin 'buffer' '^61 62$' 'printf("%rh\n", buf("ab", 2));'
row 'struct, bit-field, union, array' '^5 3 262 2$' -e 'struct s { unsigned a:3, b:5; union { unsigned short w; unsigned char c[2]; } u; }; BEGIN { $v = 0x01060000 + (3 << 3) + 5; $p = (struct s *)&$v; printf("%d %d %d %d\n", $p->a, $p->b, $p->u.w, sizeof($p->u)); exit() }'
row 'enum' '^1 TWO$' -e 'enum e { ONE = 1, TWO }; BEGIN { printf("%d %s\n", ONE, TWO); exit() }'
row 'enum, kept' '^HRTIMER_RESTART 1$' -e 'BEGIN { $x = HRTIMER_RESTART; printf("%s %d\n", $x, $x); exit() }'
row 'enum, below 0' '^LESS -5 1$' -e 'enum e { LESS = -5, MORE }; BEGIN { $x = LESS; printf("%s %d %d\n", $x, $x, LESS < MORE); exit() }'
row 'typedef' '^4$' -e 'typedef int num; BEGIN { print(sizeof(num)); exit() }'
begin 'BTF, pointer chains' '^1$' 'print(curtask->real_parent->pid == ppid && curtask.mm.mm_users.counter > 0);'
begin '&$x, &@m' '^5 6$' '$x = 5; $p = &$x; @m = 6; $q = &@m; printf("%d %d\n", *$p, *$q); clear(@m);'
begin 'sizeof, offsetof' '^8 8$' 'printf("%d %d\n", offsetof(struct list_head, prev), sizeof(uint64));'
begin typeof '^300 44 1$' '$a = (uint8)3; $b = (typeof($a))300; let $c: typeof(pid) = 300; $d = (typeof(curtask->comm[0]))300; printf("%d %d %d\n", $c, $d, ((typeof(curtask))curtask)->pid == tid);'
begin 'tuples' '^\(1, a, \(2, b\)\) 2$' '$t = (1, "a", (2, "b")); printf("%s %d\n", $t, $t.2.0);'
begin 'tuples, by index' '^a$' '$t = (1, "a"); print($t[1]);'
begin 'tuples, compared' '^1 0 1$' '$t = (1, "a"); $u = (1, "a longer one"); printf("%d %d %d\n", $t == (1, "a"), $t == $u, (comm, 2) != (comm, 3));'
begin 'maps, several keys' '^@m\[1, x\]: 3$' '@m[1, "x"] = 3;'
begin 'maps, ++ -- +=' '^@m: 7$' '@m++; ++@m; @m--; @m += 6; '
begin literals '^1000000 1000 31 10000000 83 5$' 'printf("%d %d %d %d %d %d\n", 1e6, 1_000, 0x1f, 10ms, 0123, 5ULL);'
begin '$1, $#' '^7 abc bc 2$' 'printf("%d %s %s %d\n", $1, str($2), str($2 + 1), $#);' 7 abc
begin getopt '^20 1$' 'printf("%d %d\n", getopt("aa", 1), getopt("bb"));' -- --aa=20 --bb
row config '^@: 1$' -e 'config = { max_map_keys = 5; BPFTRACE_MAX_STRLEN = 70; unstable_addr = enable; lazy_symbolication = 1; license = "Dual MIT/GPL" } BEGIN { @ = 1; exit() }'
row '#include, #define' '^7 2 32768$' -e '#include <linux/fs.h>
#define SEVEN 7
BEGIN { printf("%d %d %d\n", SEVEN, AF_INET, S_IFREG); exit() }'
row 'a macro without arguments' '^1 1$' -e 'macro one() { 1 } BEGIN { printf("%d %d\n", one, one()); exit() }'

# built-ins
begin 'pid tid uid gid' '^1$' 'print(pid == tid && uid == 0 && gid == 0);'
begin 'comm cpu nsecs' '^sonde 1 1$' 'printf("%s %d %d\n", comm, cpu >= 0, nsecs > 0 && nsecs(monotonic) > 0 && nsecs(boot) > 0);'
begin 'elapsed rand jiffies ncpus numaid' '^1$' 'print(elapsed >= 0 && rand >= 0 && jiffies > 0 && ncpus > 0 && numaid >= 0);'
begin 'has_cpid, cgroup, username' '^0 1 root$' 'printf("%d %d %s\n", has_cpid, cgroup > 0, username);'
begin 'ppid pcomm curtask' '^1$' 'print(ppid > 0 && pcomm == comm && curtask->tgid == pid);'
begin 'kstack ustack' '__sys_bpf' 'print(kstack); print(ustack);'
begin 'kstack(n), where the program comes first' '^2 1$' 'printf("%d %d\n", len(kstack(2)), len(kstack) > 2); print(kstack(1));'
of 'kstack(n) at rawtracepoint' '^2 1$' true 'rt:sched_process_exec /pid == cpid/ { printf("%d %d\n", len(kstack(2)), len(kstack) > 2) }'
of 'argN retval func probe' '^work uprobe' "$PROG/structs" "uprobe:$PROG/structs:work { printf(\"%s %s %d\n\", func, probe, arg0 != 0) }"

# functions
begin 'printf print' '^   5\|5   \|00005\|a  \|1.50$' 'printf("%4d|%-4d|%05d|%-3s|%.2f\n", 5, 5, 5, "a", 3 / 2);'
begin 'print(map, top, div)' '^@m\[2\]: 5$' '@m[1] = 1; @m[2] = 10; print(@m, 1, 2); clear(@m);'
begin 'time strftime' '^20[0-9]{2} 20[0-9]{2}$' 'time("%Y "); print(strftime("%Y", nsecs));'
begin 'cat' '^text$' 'cat("file");'
begin 'join' '^x$' 'join(0); printf("x\n");'
begin 'clear zero delete' '^@b\[1\]: 0$' '@a[1] = 1; clear(@a); @b[1] = 2; zero(@b); @c[1] = 1; delete(@c, 1); @d[1] = 1; delete(@d[1]);'
begin 'str buf strncmp strlen strcap' '^abc 0 1 3 7$' '$s = str_concat("ab", "c"); printf("%s %d %d %d %d\n", $s, strncmp($s, "abd", 2), strncmp($s, "abd", 3) != 0, strlen($s), strcap("abcdefg"));'
begin 'str of a string' '^so sond ab$' 'printf("%s %s %s\n", str(comm, 3), str(comm, pid ? 5 : 1), str("abc", 3));'
begin 'strcontains strstr memcmp bswap' '^1 2 0 3412$' 'printf("%d %d %d %x\n", strcontains("hello", "ell"), strstr("hello", "llo"), memcmp("ab", "ab", 2), bswap((uint16)0x1234));'
begin 'ksym kaddr' '^do_exit$' 'print(ksym(kaddr("do_exit")));'
of 'usym uaddr reg' '^work 1$' "$PROG/structs" "uprobe:$PROG/structs:work { printf(\"%s %d\n\", usym(reg(\"ip\")), uaddr(\"global\") != 0) }"
begin 'ntop pton macaddr' '^127.0.0.1 ::1 1$' 'printf("%s %s %d\n", ntop(0x0100007f), pton("::1"), (uint32)pton("127.0.0.1") == 0x0100007f);'
begin 'cgroupid strerror signal_name syscall_name' '^1 Operation not permitted SIGKILL read$' 'printf("%d %s %s %s\n", cgroupid("/sys/fs/cgroup") == cgroup || 1, strerror(EPERM), signal_name(9), syscall_name(__NR_read));'
begin 'has_key find len' '^1 0 1 5 1$' '@m[1] = 5; $v = 0; $f = find(@m, 1, $v); printf("%d %d %d %d %d\n", has_key(@m, 1), has_key(@m, 2), $f, $v, len(@m)); clear(@m);'
begin system '^from a shell$' 'system("echo from a %s", "shell");'
begin 'kptr uptr' '^1$' 'print(((struct task_struct *)kptr((uint64)curtask))->pid == tid && uptr(1) == 1);'
begin 'count sum avg min max stats' '^\(2, 7, 3, 3, 4\)$' '@c = count(); @c = count(); @s = sum(3); @s = sum(4); @a = avg(3); @a = avg(4); @i = min(3); @i = min(4); @x = max(3); @x = max(4); @t = stats(5); print((@c, @s, @a, @i, @x));'
begin 'stats' '^@t: count 2, average 3, total 7$' '@t = stats(3); @t = stats(4);'
begin hist '^\[4, 8\) +1 \|@+\|$' '@h = hist(5);'
begin 'hist, k' '^\[5\] +1 \|@+\|$' '@h = hist(5, 2);'
begin lhist '^\[4, 6\) +1 \|@+\|$' '@h = lhist(5, 0, 10, 2);'
row 'JSON' '^\{"type": "map", "data": \{"@": 1\}\}$' -f json -e 'BEGIN { @ = 1; exit() }'
echo "$n rows, $failed of them not as they should be"
[ "$failed" = 0 ] || fail "$failed of $n rows"
