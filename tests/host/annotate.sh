# SPDX-License-Identifier: GPL-2.0-or-later
# needs: strip objdump gcc python3
# sonde annotate: the hot lines of a known program, what it refuses, programs without symbols, code that nobody has.
export HOME=$T LC_ALL=C
unset DEBUGINFOD_URLS
mkdir "$T/own"; cp "$PROG/annotated" "$T/own/"; cd "$T/own"
record() { run "$SONDE" record -q -e task-clock -F 2000 -o "$1" "${@:2}"; ok; }
record a.data ./annotated 100
run "$SONDE" annotate -i a.data --stdio walk; ok
has 'Source code & Disassembly of annotated for task-clock \([0-9]+ samples, percent: local period\)'
has ': [0-9]+ +for \(struct node \*p = n; p; p = p->next\) \{$'
# the percentages are all of the function's samples
sum=$(awk '$2 == ":" && $1 ~ /^[0-9.]+$/ { s += $1 } END { printf "%.0f", s }' "$T/out")
same "$sum" 100 "percentages"
run "$SONDE" annotate -i a.data --stdio -n walk; ok
n=$(sed -n 's/.*(\([0-9]*\) samples.*/\1/p' "$T/out")
same "$(awk '$2 == ":" && $1 ~ /^[0-9]+$/ { s += $1 } END { print s }' "$T/out")" "$n" "samples"
run "$SONDE" report -i a.data -s sym -n --stdio -q; same "$(awk '$4 == "walk" { print $2 }' "$T/out")" "$n" "samples of the report"
run "$SONDE" annotate -i a.data -l --stdio walk; ok; has '^Sorted summary for file .*/annotated$'; has ' // annotated\.c:1[67]$'
run "$SONDE" annotate -i a.data -M intel --stdio walk; ok; has 'mov    r..,QWORD PTR \[r'
run "$SONDE" annotate -i a.data --stdio2 walk; ok; has '↑ j[a-z]+ +[0-9a-f]+ *$'; has '← ret'
# the two disassemblers agree
run "$SONDE" annotate -i a.data --stdio -d annotated; ok; cp "$T/out" ours
run "$SONDE" annotate -i a.data --stdio -d annotated --objdump objdump; ok; same "$(cat ours)" "$out"
run "$SONDE" annotate -i a.data --objdump /nonexistent walk; exits 255; err_has 'cannot start /nonexistent'
# refusals
run "$SONDE" annotate -i a.data --stdio wakl; exits 255; err_has "no sample is in a function 'wakl'"; err_has "did you mean 'walk'"
run "$SONDE" annotate -i a.data --stdio walk hash; exits 129; err_has "one symbol at most, not 'hash' too"
run "$SONDE" annotate -i a.data --percent-type period; exits 129; err_has 'local-period, local-hits'
run "$SONDE" annotate -i a.data --prefix-strip 2; exits 129; err_has 'prefix'
run "$SONDE" annotate -i a.data --time 1000000000,; exits 255; err_has 'no sample is left'
# sources that lie elsewhere
run "$SONDE" annotate -i a.data --stdio --prefix=/nowhere walk; ok; hasnt 'for \(struct node'
# without symbols a function is called by its address
strip -s annotated; mkdir "$T/other"; mv annotated "$T/other/bare"; cd "$T/other"
record b.data ./bare 100
run "$SONDE" annotate -i b.data --stdio -d bare; ok; has '<0x[0-9a-f]+>:$'; has '^ +[1-9][0-9.]* :   +[0-9a-f]+: '
at=$(grep -o '<0x[0-9a-f]*>' "$T/out" | head -n 1 | tr -d '<>')
run "$SONDE" annotate -i b.data --stdio "$at"; ok; same "$(grep -c 'Disassembly of section' "$T/out")" 1
# the file has gone
rm bare
run "$SONDE" annotate -i b.data --stdio; [ "$code" -ne 0 ] || hasnt bare
err_has 'no sample is left|cannot be had|of none of the'

# names that would write to the terminal: of a section, a function, a source file
cat >evil.c <<'C'
#line 1 "/nowhere/sQQQQQrc.c"
__attribute__((section("xQQQQQred"), noinline)) void evil(void) __asm__("evQQQQQil");
volatile int n;
void evil(void) { for (int i = 0; i < 200000000; i++) n += i; }
int main(void) { evil(); }
C
gcc -g -O1 -o evil evil.c
python3 -c 'd = open("evil", "rb").read(); open("evil", "wb").write(d.replace(b"QQQQQ", b"\033[31m"))'
run "$SONDE" record -q -e cpu-clock -o evil.data ./evil; ok
for how in "--stdio -l" --stdio2; do
	run "$SONDE" annotate $how -i evil.data; ok; has 'section x.x1b.31mred:'; has '<ev.x1b.31mil>:'; hasnt "$(printf '\033')"
done
# an objdump that nobody asked for, as for instructions that libcapstone does not know, gets bytes and never the file that a recording names
mkdir -p bin; printf '#!/bin/sh\necho "$@" >>%s/words\nexec %s "$@"\n' "$PWD" "$(command -v objdump)" >bin/objdump; chmod +x bin/objdump
cat >odd.c <<'C'
volatile int n;
int main(void)
{
	for (long i = 0; i < 200000000; i++) {
		n += i;
		__asm__ goto("jmp %l0\n.byte 0x62, 0xf2, 0x7f, 0x48, 0x68, 0xd9" : : : : on); /* vp2intersectd */
on:;
	}
	return 0;
}
C
gcc -O1 -o odd odd.c; "$SONDE" record -q -e cpu-clock:u -o odd.data ./odd
PATH=$PWD/bin:$PATH run "$SONDE" annotate --stdio -i odd.data main; ok; has 'jmp +[0-9a-f]+ <main\+'; hasnt 'j[a-z]+ +0x'
grep -q '/dev/fd/' words || fail "objdump was not asked"
! grep -q odd words || { cat words; fail "objdump read the file"; }
PATH=$PWD/bin:$PATH run "$SONDE" annotate --stdio --objdump objdump -i odd.data main; ok; grep -q odd words || fail "nor where it was asked for"
