# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# Source files of what has no debug information, from the symbol table; and the header's lines of event groups.
cat >one.c <<'C'
volatile long n;
__attribute__((noinline)) static void local_one(void) { for (int i = 0; i < 30000000; i++) n += i; }
void two(void);
int main(void) { local_one(); two(); return 0; }
C
cat >two.c <<'C'
extern volatile long n;
__attribute__((noinline)) static void local_two(void) { for (int i = 0; i < 30000000; i++) n += i; }
void two(void) { local_two(); for (int i = 0; i < 30000000; i++) n += i; }
C
gcc -O1 -o nodebug one.c two.c
"$SONDE" record -q -F 999 -e cpu-clock:u -o n.data ./nodebug || skip "cannot record here"
lines() { grep -v '^#' "$1" | sed 's/ *$//' | grep .; }
run "$SONDE" report --stdio -s sym,srcfile -i n.data; ok
has 'local_one +one\.c'; has 'local_two +two\.c'; hasnt ' two +two\.c' # a global symbol may be anybody's
lines "$T/out" >sonde.txt
perf report --stdio -s sym,srcfile -i n.data 2>/dev/null >perf.out
lines perf.out | grep -E 'local_(one|two)|\[\.\] two' >perf.txt
grep -E 'local_(one|two)|\[\.\] two' sonde.txt | diff perf.txt - || fail "perf has other files"

perf612
"$SONDE" record -q -e '{cpu-clock,page-faults}' -e context-switches -e '{task-clock,minor-faults}' -o g.data ls / >ls.txt
for c in report script; do
	"$PERF612" $c --header-only -i g.data 2>/dev/null | grep '^# group' >perf.txt
	run "$SONDE" $c --header-only -i g.data; ok; grep '^# group' "$T/out" | diff perf.txt - || fail "$c: other groups"
	has '^# group: \{cpu-clock,page-faults\}$'
done
