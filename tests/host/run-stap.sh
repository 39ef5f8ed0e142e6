# SPDX-License-Identifier: GPL-2.0-or-later
# SystemTap's language: what needs no kernel (begin, end, timers, functions, arrays, statistics) runs as anybody, the rest as
# root; what is refused is named by its place.

# says SCRIPT LINES [PARAMETERS]: what a script prints, to the letter
says() {
	local script=$1 want=$2; shift 2
	run timeout 60 "$SONDE" run -e "$script" "$@"; ok
	same "$out" "$want" "$script"
}
says 'probe begin { printf("%d %s %x|%5d|%-5d|%05d|%c %p\n", -1, "abc", 255, 3, 4, 5, 65, 4096) exit() }' '-1 abc ff|    3|4    |00005|A 0x1000'
says 'probe begin { println("a", 1, "b"); printd(":", 1, 2); printdln("-", "x", "y"); print("z\n"); log("l"); exit() }' $'a1b\n1:2x-y\nz\nl'
says 'probe begin { x = 3; x += 4; x *= 2; s = "a"; s .= "b"; printf("%d %s %d %d %d\n", x, s . "c", 7 / 2, -7 / 2, 7 % 4); exit() }' '14 abc 3 -3 3'
says 'function f(n) { if (n <= 1) return 1 return n * f(n - 1) } function g:string(a, b) { return a . b } probe begin { println(f(10)); println(g("x", "y")); exit() }' $'3628800\nxy'
says 'global a probe begin { for (i = 0; i < 9; i++) a[i % 3, "k"] += i; foreach ([x, k] in a-) printf("%d %s %d\n", x, k, a[x, k]); foreach ([x+, k] in a limit 2) println(x); exit() }' $'2 k 15\n1 k 12\n0 k 9\n0\n1'
says 'global a probe begin { a["x"] = 1; a["y"] = 2; println("x" in a, "z" in a); delete a["x"]; println("x" in a); delete a; foreach (k in a) println(k); println("empty"); exit() }' $'10\n0\nempty'
says 'global m probe begin { m[1, "b"] = 5; if ([1, "b"] in m) println("there"); if (!([2, "b"] in m)) println("not"); foreach (v = [a, b] in m) println(v); foreach ([a, b] in m[*, "b"]) println(a); exit() }' $'there\nnot\n5\n1'
says 'global s probe begin { for (i = 1; i <= 4; i++) s <<< i * 10; printf("%d %d %d %d %d %d\n", @count(s), @sum(s), @avg(s), @min(s), @max(s), @variance(s)); exit() }' '4 100 25 10 40 166'
says 'global s probe begin { s["a"] <<< 5; s["b"] <<< 1; s["b"] <<< 1; foreach (k in s-) println(k, @count(s[k])); foreach (k in s @sum-) println(k); exit() }' $'b2\na1\na\nb'
says 'global s probe begin { for (i = 0; i < 10; i++) s <<< i; print(@hist_log(s)); print(@hist_linear(s, 0, 10, 5)); println(".") exit() }' "$(cat <<'S'
value |-------------------------------------------------- count
    0 |@                                                  1
    1 |@                                                  1
    2 |@@                                                 2
    4 |@@@@                                               4
    8 |@@                                                 2
   16 |                                                   0
   32 |                                                   0

value |-------------------------------------------------- count
    0 |@@@@@                                              5
    5 |@@@@@                                              5
   10 |                                                   0

.
S
)"
says 'global s probe begin { s <<< 1; s <<< 100000; print(@hist_log(s)); println(".") exit() }' "$(cat <<'S'
 value |-------------------------------------------------- count
     0 |                                                   0
     1 |@                                                  1
     2 |                                                   0
     4 |                                                   0
       ~
 16384 |                                                   0
 32768 |                                                   0
 65536 |@                                                  1
131072 |                                                   0
262144 |                                                   0

.
S
)"
says 'probe begin { try { x = 1 / 0; println(x) } catch (m) { println(isinstr(m, "division by 0")) } try { error("no") } catch { println("caught") } exit() }' $'1\ncaught'
says 'probe begin { t = tokenize("a b", " "); while (t != "") { println(t); t = tokenize("", " ") } println(substr("hello", 1, 3), strlen("abc"), strtol("0x1f", 16), stringat("A", 0), str_replace("aXa", "X", "-")); exit() }' $'a\nb\nell33165a-a'
says 'probe begin { println("abc" == "abc", "a" < "b", "x" != "x", "foo1" =~ "^fo+[0-9]$"); i = 0; while (1) { if (i++ > 2) break; if (i == 2) continue; print(i) } println(); exit() }' $'1101\n13'
says 'probe begin(2) { println("second") exit() } probe begin(-1) { println("first") } probe end { println("last") } probe never { println("never") }' $'first\nsecond\nlast'
says 'probe oneshot { println("once") } probe end { println("end") }' $'once\nend'
says 'global n probe timer.ms(1) { if (++n == 3) { println("three"); exit() } }' 'three'
says 'global n = 5, s = "x", t[10] probe begin { t[1] = n; println(n, s, t[1]); exit() }' '5x5'
says 'probe begin { println($1 + 1, @2, $#, @#); exit() }' '13word22' 12 word
says '%( $# > 0 %? probe begin { println("given") exit() } %: probe begin { println("none") exit() } %)' 'given' 1
says '@define twice(x) %( (@x * 2) %) probe begin { println(@twice(21)); %( kernel_v >= "2.6.30" %? println("new") %: println("old") %) exit() }' $'42\nnew'
says '@define outer %( @define inner(x) %( (@x * 2) %) probe begin { println(@inner(21)); exit() } %) @outer' 42
says 'global counted, kept probe begin { counted["a"] = 3; counted["b"] = 9; kept <<< 4; exit() }' $'counted["b"]=0x9\ncounted["a"]=0x3\nkept @count=0x1 @min=0x4 @max=0x4 @sum=0x4 @avg=0x4'
says 'probe foo = begin { v = "alias" } probe foo { println(v) exit() } probe kernel.function("no_such_function") ? { println("never") }' 'alias'
says 'private global x private function f() { return 1 } /* c */ // c
# c
probe begin { x = f(); println(x) exit() }' 1
says 'probe begin { printf("%s %s %s\n", usecs_to_string(1500000), ip_ntop(htonl(0x7f000001)), text_str("a\n")); printf("%*d|%.2s|\n", 4, 7, "abc"); exit() }' $'1.500000s 127.0.0.1 a\\n\n   7|ab|'
says 'global n probe begin { for (i = 1; i <= argc; i++) n .= argv[i] . "|"; argv[9] = "x"; println(n, argv[9], argc); exit() }' 'one|two|x2' one two
says 'probe begin { println(pn()) } probe timer.ms(1) { println(pn()); exit() }' $'begin\ntimer.ms(1)'
says 'function f(x) { next } probe begin { println("a"); f(1); println("b") } probe begin { exit() }' a

# the caller's name, the file's name and the first word decide
ln -s "$SONDE" stap
# what is typed: a line before the character that ends it
printf 'ab\nc\n' >typed
run timeout 60 bash -c '"$0" run -e "$1" <typed' "$SONDE" 'probe input.char { printf("<%s>", char) } probe input.line { printf("[%s]", line); if (line == "c\n") exit() }'; ok; same "$out" $'<a><b>[ab\n]<\n><c>[c\n]'
run ./stap -e 'probe begin { println("as stap") exit() }'; ok; same "$out" 'as stap'
run ./stap -V; ok; has '^sonde '
run ./stap -v -d kernel --all-modules -e 'probe begin { exit() }'; ok; err_has 'all modules are always known'
printf '# a file\nglobal x\nprobe begin { println("file ", @1) exit() }\n' >one.stp
run "$SONDE" run one.stp arg; ok; same "$out" 'file arg'
run "$SONDE" run -T 0.05 -e 'probe end { println("time") }'; ok; same "$out" time
# options behind the script and its parameters, as its users write them; what a global begins with
echo 'global n = 1, s probe begin { println(n + 1, s, $1, @2) } probe end { println("end") }' >behind.stp
run timeout 60 "$SONDE" run behind.stp 5 -G n=41 word -G s=text -T 0.05; ok; same "$out" $'42text5word\nend'
run "$SONDE" run behind.stp -G x=3 5 w; exits 255; err_has 'no global of that name'
run "$SONDE" run -e 'probe begin { println($1) exit() }' -- -5; ok; same "$out" -5
run "$SONDE" run -o "$T/file" -e 'probe begin { println("there") exit() }'; ok; same "$(cat "$T/file")" there

# refuses SCRIPT MESSAGE [HINT]: extended regular expressions
refuses() {
	run timeout 60 "$SONDE" run -e "$1"; [ "$code" -ne 0 ] || fail "taken: $1"
	err_has "^sonde: -e:$2"; err_has '^ +\^~*$'
	[ -z "${3-}" ] || err_has "^hint: $3"
}
refuses 'probe begin { printn("x") }' '1:15: there is no function printn\(\)' "did you mean 'print"
refuses 'global count probe begin { x = cout }' "1:32: there is no variable 'cout'" "did you mean 'count'"
refuses 'probe begin { a[1] = 2 }' "1:15: there is no array 'a'" 'arrays are declared at the top: global a'
refuses 'probe begin { x = }' '1:19: a value should be here'
refuses 'probe begin { if (1 { } }' '1:21: the bracket \) is missing here'
refuses 'probe begin { println($1) }' '1:23: the script is given no parameter 1'
refuses 'function f() %{ return 1; %} probe begin { f() }' '1:14: the function f is written in C'
refuses 'probe begin { println("a" + 1) exit() }' '1:23: this is a string'
refuses 'probe begin { x = 1 / 0; println(x) } probe end { println("not this") }' '1:19: division by 0'
refuses 'probe begn { }' '1:7: there is no probe begn here'
refuses 'probe timer.s(0) { }' '1:7: a timer has a unit and a number above 0'
refuses 'global a probe begin { a[1] = 1; a[1, 2] = 1 }' '1:34: a has 1 keys elsewhere'
refuses 'global a[2] probe begin { a[1] = 1; a[2] = 1; a[3] = 1 }' '1:47: Array overflow' '-DMAXMAPENTRIES'
refuses 'probe begin { println($x) }' '1:23: there is no such value in begin'
refuses 'function f(n) { return f(n + 1) } probe begin { f(1) }' '1:24: f\(\) calls itself more than'
refuses 'probe begin { while (1) { } }' '1:[0-9]+: MAXACTION exceeded'
refuses 'probe begin { printf("%d\n", "x") }' '1:15: this is text, which %s prints'
refuses 'probe begin { "open' '1:15: this string has no end'
refuses '%( nothing == "1" %? probe begin {} %)' "1:4: the preprocessor does not know 'nothing'"

# on a terminal each key comes at once; the terminal's modes are back after the end, a stop, and when it is killed
if type -P tmux >/dev/null; then
	. "$TOP/tests/tmux.sh"
	terminal 100 24
	line 'clear; stty -g'; shows '^[0-9a-f:]+$'; modes=$(screen | grep -m 1 -E '^[0-9a-f]+:')
	typed="'$SONDE' run -e 'probe begin { println(\"reads\") } probe input.char { println(\"key \", char); if (char == \"q\") exit() }'"
	line "clear; $typed"; shows '^reads$'; press a; shows '^key a$'; press C-z; shows Stopped; line 'stty -g'; shows "^$modes"
	line fg; press b; shows '^key b$'; press q; shows '^key q$'; line 'clear; stty -g'; shows "^$modes"
	line "clear; $typed"; shows '^reads$'; kill -KILL "$(pgrep -x -P "$(tm display -p '#{pane_pid}')" sonde)"; shows Killed; line 'clear; stty -g'; shows "^$modes"
fi

[ "$(id -u)" = 0 ] || exit 0
# in the kernel: system calls by name, with arguments and results; the process that -c names
run timeout 60 "$SONDE" run -c "cat $T/none $PROG/../../no" -e 'probe syscall.openat { if (pid() == target()) printf("%s %s %s\n", execname(), name, filename) }
	probe syscall.openat.return { if (pid() == target() && $return < 0) printf("ret %d %s\n", $return, retstr) }'
has "^cat openat $T/none\$"; has '^ret -2 -2 \(ENOENT\)$'; hasnt '^[^cr]'
run timeout 60 "$SONDE" run -c 'true' -e 'global c probe syscall.* { if (pid() == target()) c[name] <<< 1 } probe end { foreach (n in c) printf("%s %d\n", n, @count(c[n])) }'
ok; has '^execve 1$'; has '^exit_group 1$'
run timeout 60 "$SONDE" run -c 'true' -e 'global c probe syscall_any { if (pid() == target()) c[name]++ } probe end { foreach (n in c) printf("%s %d\n", n, c[n]) }'
ok; has '^exit_group 1$'
# functions of the script that ask for what the kernel knows; time; stacks
run timeout 60 "$SONDE" run -c 'sleep 0.01' -e 'function who() { return sprintf("%s %d", execname(), pid() == target()) } global t
	probe syscall.clock_nanosleep { if (pid() == target()) t[tid()] = gettimeofday_us() }
	probe syscall.clock_nanosleep.return { if (tid() in t) { printf("%s %d\n", who(), gettimeofday_us() - t[tid()] >= 10000 && gettimeofday_s() - 1500000000 > 0); print_backtrace(); exit() } }'
ok; has '^sleep 1 1$'; has '^ 0xf[0-9a-f]+ : [a-z_0-9]+\+0x[0-9a-f]+/0x[0-9a-f]+ \[kernel\]$'
run timeout 60 "$SONDE" run -e 'probe timer.profile { if (cpu() >= 0) { println("tick"); exit() } }'; ok; same "$out" tick
# the probe as the script has it; where a program is: file, function, line
run timeout 60 "$SONDE" run -c 'cat typed' -e 'probe syscall.* { if (pid() == target()) println(pn()) }'; ok; has '^syscall\.openat$'
run timeout 60 "$SONDE" run -c "$PROG/fp" -e "probe process(\"$PROG/fp\").function(\"inner\") { println(umodname(uaddr()), \" \", usymname(uaddr()), \" \", usymfileline(uaddr())) println(usymdata(uaddr())) try { umodname(1) } catch { println(\"nothing \", usymname(1)) } }"; ok
has "^$PROG/fp inner /.*/fp\\.c:[4-6]\$"; has "^inner\\+0x0/0x[0-9a-f]+ \\[$PROG/fp\\]\$"; has '^nothing 0x1$'
# what an alias has read, also where nothing of the kernel is left
run timeout 60 "$SONDE" run -e 'global seen probe scheduler.cpu_on { seen["n"] = execname() } probe timer.ms(50) { foreach (n in seen) { println(kernel_string(n)); exit() } }'; ok; same "$out" n
run timeout 60 "$SONDE" run -e 'probe begin { println(kernel_string(4096)) }'; exits 1; err_has '^sonde: -e:1:[0-9]+: kernel_string\(\) means nothing here'
# a child was never in the fork that it comes out of
run timeout 60 "$SONDE" run -c "sh -c '(true); (true)'" -e 'probe syscall.fork.return ?, syscall.clone.return ?, syscall.vfork.return ? { if (pid() == target() || ppid() == target()) println("fork ", retval > 0) }'; ok; same "$out" $'fork 1\nfork 1'
# all that the command starts, also what has ended when its records come; its words, as it was started
run timeout 60 "$SONDE" run -c "sh -c '/bin/echo a b; /bin/true'" -e 'probe syscall.execve.return { if (target_set_pid(pid())) println("words ", cmdline_str()) }'
ok; has '^words /bin/echo a b$'; has '^words /bin/true$'; has "^words sh -c "
run timeout 60 "$SONDE" run -e 'probe begin { println(isinstr(cmdline_str(), "println")) exit() }'; ok; same "$out" 1
# 32-bit calls have numbers of their own: never another name
run timeout 60 "$SONDE" run -c "$PROG/int80" -e 'probe syscall.* { if (pid() == target()) println(name, "(", argstr) } probe syscall_any { if (pid() == target()) println("any ", name) }'; ok; hasnt writev; has '^exit_group\(0'; has '^any exit_group$'
run timeout 60 "$SONDE" run -c "bash -c 'trap : USR1; kill -USR1 \$\$; :'" -e 'probe syscall.*.return { if (pid() == target()) println(name, " ", retstr) }'; ok; has '^rt_sigreturn '; hasnt unknown
# timer.profile: where it was, without a table of stacks that could be full
run timeout 60 "$SONDE" run -c "sh -c 'while :; do :; done'" -e 'probe timer.profile { if (pid() == target() && user_mode() && uaddr()) { println(uaddr() > 4096); exit() } }'; has '^1$'; err_hasnt stacks
# whose call it is, also in a function that has it: never sonde's
run timeout 60 "$SONDE" run -c "cat typed" -e 'function t(x) { println(thread_indent(x), x > 0 ? "->" : "<-") } probe syscall.openat { if (pid() == target()) t(1) } probe syscall.openat.return { if (pid() == target()) println(thread_indent(-1), "<=") }'
ok; has '^ +[0-9]+ cat\([0-9]+\):->$'; has '^ +[0-9]+ cat\([0-9]+\):<=$'; hasnt sonde
# -c as a shell has it
touch one.x two.x
run timeout 60 "$SONDE" run -c 'echo *.x' -e 'probe begin { }'; ok; same "$out" 'one.x two.x'
run timeout 60 "$SONDE" run -c 'echo one | tr o 0; exit 3' -e 'probe begin { }'; exits 3; same "$out" '0ne'
# of who runs, when no task is given; memory by the number of a process
if [ "$(id -u)" = 0 ]; then
	run "$SONDE" run -c "$(type -P true)" -e 'probe kernel.trace("sched_process_exec") { if (pid() == target()) printf("%d %d %d\n", task_utime() >= 0 && task_stime() >= 0, task_tid(task_parent()) > 0, proc_mem_size() > 0) } probe end { printf("%d %d\n", proc_mem_size(stp_pid()) > proc_mem_rss(stp_pid()), proc_mem_shr(stp_pid()) > 0) }'
	ok; has '^1 1 1$'; has '^1 1$'
fi
