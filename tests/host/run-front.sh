# SPDX-License-Identifier: GPL-2.0-or-later
# What stands around a script's blocks: lines with #, constants, config, maps' kinds, parameters and options.
[ "$(id -u)" = 0 ] || skip "needs root"
says() {
	local want=$1; shift
	run timeout 60 "$SONDE" run -q "$@"; ok
	same "$(grep . <<<"$out" | tr '\n' ' ')" "$want"
}
refuses() {
	run "$SONDE" run -e "$1"; exits 255; err_has "^sonde: -e:$2"; err_has '^ +\^~*$'
	[ -z "${3-}" ] || err_has "^hint: $3"
}

# the preprocessor's lines as tools have them
cat >pp.bt <<'S'
#!/usr/bin/env bpftrace
#ifndef BPFTRACE_HAVE_BTF
#include <linux/nowhere.h>
struct unfinished {
#else
  #include <sys/socket.h>
#endif
#define N 5
#define TEXT "a text" /* a comment */
#define M (N + 1) \
	* 2
#define SELF SELF
#undef GONE
#if 0
garbage {{{ "
#ifdef N
more
#endif
#elif defined(N)
BEGIN { printf("%d %d %s\n", N, M, TEXT);
#else
and this
#endif
#ifdef GONE
	no
#endif
	printf("%d %d %d %d %d\n", AF_INET6, PF_INET, AT_FDCWD, EAGAIN + TASK_UNINTERRUPTIBLE, O_CREAT | S_IFREG);
	printf("%d %d %d %d %d\n", 0b101, 0x1F, 1_000, 1e3, 2ms); exit() }
S
says '5 12 a text 10 2 -100 13 32832 5 31 1000 1000 2000000 ' pp.bt
run "$SONDE" run -v -q pp.bt; ok; err_has 'pp.bt: <sys/socket.h> is taken and not read'
refuses $'#if 1\nBEGIN { }' '2:10: an #endif is missing'
refuses $'#endif\nBEGIN { }' '1:1: there is no #if before this'
refuses $'#ifdef X\nBEGIN { }' '1:1: this has no #endif'
refuses $'#define 3 4\nBEGIN { }' '1:9: a name follows #define'
refuses $'#error no such luck\nBEGIN { }' '1:1: no such luck'
refuses $'#pragma x\nBEGIN { }' '1:1: no line begins like that'
refuses $'#define A 1 +\nBEGIN { print(A) }' '2:'

# macros with arguments: text, as C's; and the language's own, whose arguments are values and whose variables are their own
cat >macros.bt <<'S'
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define TWICE(x) x + x
#define NOARG() 7
macro one() { 1 }
macro plus_one($x) { $x + 1 }
macro add_two(x) { x + 2 }
macro bump($x) { $x += 10; $x }
macro own(x) { let $t = x * 2; $t + 1 }
macro count_up(@m, k) { @m[k]++; @m[k] }
macro thrice(x) { x; x; x; }
BEGIN { $t = 5; $a = 3;
	printf("%d %d %d\n", MAX(MAX(1, $a), 2), TWICE(3) * 2, NOARG());
	printf("%d %d %d %d\n", one(), plus_one($a), add_two(1 + 1) * 2, add_two(plus_one($a)));
	printf("%d\n", bump($a)); printf("%d\n", $a);
	printf("%d %d\n", own($t) + own(1), $t);
	$n = count_up(@c, "key"); count_up(@c, "key"); printf("%d\n", $n);
	thrice(printf("hi\n")); thrice({ printf("ho\n") });
	$z = { let $q = 4; $q * 2 }; if (own(2) == 5) { printf("%d\n", $z) }
	exit() }
S
says '3 9 7 1 4 8 6 13 13 14 5 1 hi hi hi ho ho ho 8 @c[key]: 2 ' macros.bt
refuses 'macro f($x) { $x } BEGIN { print(f(1)) }' '1:36: f takes a variable'
refuses 'macro f(@x) { 1 } BEGIN { print(f(@a[1])) }' '1:35: f takes a map'
refuses 'macro f(x) { let $y = x; } BEGIN { print(f(1)) }' '1:12: this block has no value'
refuses 'BEGIN { *exit() }' '1:10: this has no value'
refuses 'BEGIN { exit()[0] }' '1:9: this has no value'
refuses 'BEGIN { (int32)exit() }' '1:16: this has no value'
refuses 'BEGIN { exit().x }' '1:9: this has no value'
refuses 'macro f(x) { let $y = x; $y } BEGIN { print(1 && f(1)) }' '1:12: statements in a value that may not be asked for'
refuses 'macro f(x) { let $y = x; $y } BEGIN /f(1)/ { }' '1:12: statements in a value that may not be asked for'
refuses 'macro f(a, b) { a } BEGIN { print(f(1)) }' '1:35: f takes 2 arguments, and here are 1'
refuses 'macro f(x { 1 } BEGIN { }' '1:8: the bracket \) of the macro'
refuses 'macro f(x) { 1' '1:12: this brace is never closed'
refuses $'#define F(a, 1) a\nBEGIN { }' '1:14: a name should be here'
refuses $'#define F(a) a\nBEGIN { print(F(1, 2)) }' '2:15: F takes 1 arguments'
{ echo '#define A0(x) x'; for i in {1..12}; do echo "#define A$i(x) A$((i - 1))(x x x x x x x x)"; done; echo 'BEGIN { print(A12(+ 1)) }'; } >bomb.bt
run timeout 20 "$SONDE" run --dry-run bomb.bt; exits 255; err_has 'macros stand for too much|nested'

# config and kinds of maps
run "$SONDE" run -q -e 'config = { max_map_keys = 2; lazy_symbolication = true } let @l = lruhash(2); BEGIN { @m[1] = 1; @m[2] = 2; @m[3] = 3; @l[1] = 1; @l[2] = 2; @l[3] = 3; exit() }'; ok
has '^@l\[3\]: 3$'; hasnt '^@l\[1\]'; hasnt '^@m\[3\]'; err_has '^sonde: @m was full: 1 entries beyond 2'; err_has '^hint: config = \{ max_map_keys = 8 \}'; err_hasnt '@l'
BPFTRACE_MAX_MAP_KEYS=3 says '@m[1]: 1 @m[2]: 2 @m[3]: 3 ' -e 'config = { max_map_keys = 2 } BEGIN { @m[1] = 1; @m[2] = 2; @m[3] = 3; exit() }'; err_hasnt full
says '' -e 'config = { print_maps_on_exit = 0 } BEGIN { @x = 1; exit() }'
says 'ab ' -e 'config = { max_strlen = 3; } BEGIN { print(str($1, 3)); exit() }' ab
says 'on ' -e 'config = { missing_probes = "ignore" } tracepoint:sched:nope, BEGIN { printf("on\n"); exit() }'; err_hasnt .
refuses 'config = { missing_probes = "error" } tracepoint:sched:nope, BEGIN { }' '1:39: tracepoint:sched:nope is not here' 'missing_probes = "warn"'
refuses 'config = { max_mapkeys = 2 } BEGIN { }' "1:12: there is no setting 'max_mapkeys'" "did you mean 'max_map_keys'"
refuses 'config = { max_strlen = 99999 } BEGIN { }' '1:12: max_strlen is a number from 1'
refuses 'config = { stack_mode = nice } BEGIN { }' '1:12: stack_mode is one of bpftrace, perf, raw, build_id'
refuses 'config = { license = "BSD" } BEGIN { }' '1:12: license is one of'
refuses 'config = { max_strlen } BEGIN { }' '1:23: the = of a setting is missing'
refuses 'let @l = lruhsh(2); BEGIN { }' "1:5: there is no kind of map 'lruhsh'" "did you mean 'lruhash'"
refuses 'let @l = lruhash(0); BEGIN { }' '1:5: a map has from 1'
BPFTRACE_STRLEN=x run "$SONDE" run -e 'BEGIN { }'; exits 255; err_has '^sonde: BPFTRACE_STRLEN=x: max_strlen is a number'

# parameters and options of the script
says '7 def 1 -3 pos1 1 0 ' -e 'BEGIN { printf("%d %s %d %d %s %d %d\n", getopt("n", 5), getopt("s", "def"), getopt("flag"), getopt("neg", -3), str($1), $#, getopt("off", false)); exit() }' -- --n=7 --flag pos1
printf 'BEGIN { printf("%%d %%s %%d\\n", getopt("n", 5), getopt("s", "def", "what for"), $1); exit() }' >opt.bt
says '5 def 3 ' opt.bt 3
says '-1 x 3 ' opt.bt 3 -- --s=x --n=-1
run "$SONDE" run opt.bt -- --m=7; exits 255; err_has '^sonde: opt.bt has no option --m=7'; err_has '^hint: a script asks'
run "$SONDE" run opt.bt -- --n=many; exits 255; err_has '^sonde: --n=many: it is a number'
refuses 'BEGIN { print(getopt(3)) }' '1:15: getopt\(\) takes the name'
refuses 'BEGIN { print(getopt("x", pid)) }' '1:27: what an option is when it is not given'

# the command line
run "$SONDE" run --tools; ok; has '^execsnoop +programs as they start'
run "$SONDE" run execsnop; exits 255; err_has "^sonde: cannot read the script 'execsnop'"; err_has "^hint: did you mean 'execsnoop'"
run "$SONDE" run --dry-run syscount; ok
printf 'BEGIN { printf("of the folder\n"); exit() }' >own
says 'of the folder ' own
ln -s "$SONDE" bpftrace
run ./bpftrace -q -e 'BEGIN { printf("by another name\n"); exit() }'; ok; has '^by another name$'
run ./bpftrace --info; ok; run ./bpftrace -V; ok; has '^sonde '
printf '#!/usr/bin/env -S %s run -q\nBEGIN { printf("%%s %%d\\n", str($1), $#); exit() }\n' "$SONDE" >self.bt; chmod +x self.bt
run ./self.bt abc d; ok; has '^abc 2$'
run "$SONDE" run -d all -e 'BEGIN { $x = 3; while ($x) { $x-- } @a["k"] = count(); exit() }'; ok
has '^  while$'; has 'call +v[0-9]+ = imm=[0-9]+ '; has '^function0:$'; has '^BEGIN: [0-9]+ instructions$'; has '; while'; hasnt '^@a'
run "$SONDE" run -d asd -e 'BEGIN { }'; exits 255; err_has "^hint: did you mean 'ast'"
run "$SONDE" run -B some -e 'BEGIN { }'; exits 129; err_has '^hint: -B line'
run "$SONDE" run -q -B line -I /usr/include --include linux/fs.h --no-warnings -k -e 'BEGIN { if (pid) { $x = 1 } print($x); exit() }'; ok; has '^1$'; err_hasnt .
# --refresh: each round of an interval begins at the top of the terminal, and nothing of that is in a file
run timeout 20 "$SONDE" run -q --refresh -e 'interval:ms:60 { @n++; printf("round %d\n", @n); if (@n == 3) { exit() } }'; ok; has '^round 3$'; hasnt $'\033'
run timeout 20 script -qec "'$SONDE' run -q --refresh -e 'interval:ms:60 { @n++; printf(\"round %d\\n\", @n); printf(\"second\\n\"); if (@n == 3) { exit() } }'" /dev/null; ok
same "$(grep -c $'\033\\[H\033\\[J' <<<"$out")" 3
