# SPDX-License-Identifier: GPL-2.0-or-later
# needs: go python3
# What `export` writes for pprof and as folded stacks is what report says, as go's own pprof reads it.
export HOME=$PWD XDG_CACHE_HOME=$PWD GOFLAGS=-mod=mod LC_ALL=C
pprof() { go tool pprof -symbolize=none "$@" 2>go.err; }
# total FILE EVENT: "Event count" of report, of one event
total() { "$SONDE" report --stdio --no-children -g none -i "$1" 2>/dev/null | awk -v e="'$2'" '/^# Samples/ { on = index($0, e) } on && /^# Event count/ { print $NF; exit }'; }

"$SONDE" record -q -F 2000 -e cpu-clock -e page-faults --call-graph dwarf -o d.data "$PROG/profiled" >/dev/null
run "$SONDE" export -i d.data --to pprof -o d.pb.gz; ok
gzip -t d.pb.gz || fail "not packed"
pprof -raw d.pb.gz >raw; grep -q 'cpu-clock_samples/count cpu-clock/nanoseconds.*page-faults_samples/count page-faults/count' raw || fail "the types: $(head -n 8 raw)"
# sums of the sample lines: "  1  500000  0  0: 1 2 3"
sum() { awk -v k="$1" '/^Locations/ { exit } /^ +[0-9]+ +[0-9 ]+: [0-9 ]+$/ { split($0, v, ":"); split(v[1], w, " "); n += w[k] } END { printf "%d", n }' raw; }
same "$(sum 2)" "$(total d.data cpu-clock)" "the sum of cpu-clock"
same "$(sum 4)" "$(total d.data page-faults)" "the sum of page-faults"
same "$(sum 1)" "$("$SONDE" script -i d.data -F event | grep -c cpu-clock)" "the number of samples"
# functions with files and lines; a function inlined in its caller; the line of a call, not the one after it
pprof -raw d.pb.gz | sed -n '/^Locations/,/^Mappings/p' >locations
grep -Eq ' quick .*profiled\.c:[0-9]+ ' locations || fail "no line of quick: $(head locations)"
line=$(grep -n 'descend(depth - 1, n)' "$TOP/tests/prog/profiled.c" | cut -d: -f1)
"$SONDE" script -i d.data -F sym | grep descend >/dev/null && { grep -Eq " descend .*profiled\.c:$line " locations || fail "the line of the call in descend"; }
pprof -tags d.pb.gz >tags
grep -q '^ *thread:' tags && grep -Eq ': profiled \([0-9]+\)$' tags && grep -q '^ *command:' tags && grep -q '^ *tid:' tags || fail "labels: $(cat tags)"
pprof -top -sample_index=cpu-clock d.pb.gz >top
"$SONDE" report --stdio -i d.data --no-children -g none --no-inline -e cpu-clock >/dev/null 2>&1 || :
grep -q '^File: profiled' top || fail "the program is not the first mapping: $(head -n 1 top)"
pprof -traces d.pb.gz | grep ' sorter$' >/dev/null || fail "traces"

# inlined functions, where frame pointers were walked too
cat >inlined.c <<'C'
volatile unsigned long sink;
static inline __attribute__((always_inline)) void innermost(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
static inline __attribute__((always_inline)) void middle(unsigned long n) { innermost(n); }
__attribute__((noinline)) void outer(unsigned long n) { middle(n); sink++; }
int main(void) { for (int i = 0; i < 60; i++) outer(2000000); return 0; }
C
gcc -O2 -g -fno-omit-frame-pointer -o inlined inlined.c
"$SONDE" record -q -F 1000 -a -g -e cpu-clock -o i.data ./inlined >/dev/null
run "$SONDE" export -i i.data --to pprof -c inlined -o i.pb.gz; ok
pprof -traces i.pb.gz >traces
grep -q 'innermost (inline)' traces && grep -q 'middle (inline)' traces && grep -Eq ' outer$' traces || fail "inlined functions: $(head -n 30 traces)"
pprof -tags i.pb.gz | grep -E '^ *cpu:' >/dev/null || fail "no label for the CPU"
pprof -top i.pb.gz | grep . >/dev/null && ! pprof -tags i.pb.gz | sed -n '/command:/,/^$/p' | grep -v 'inlined$\|command:\|^$' || fail "-c lets others through"
run "$SONDE" export -i i.data --to pprof -c inlined --no-inline -o n.pb.gz; ok
! pprof -traces n.pb.gz | grep 'inline)' || fail "--no-inline"

# folded: the same stacks and sums
run "$SONDE" export -i i.data -c inlined --to folded; ok; err_has 'the weight is cpu-clock, in nanoseconds'
has '^inlined;.*;outer;middle;innermost [0-9]+$'
same "$(awk '{ n += $NF } END { printf "%d", n }' "$T/out")" "$(pprof -raw i.pb.gz >raw; sum 2)" "the sum of the folded stacks"
run "$SONDE" export -i d.data --to folded; ok; err_has 'other events are left out'; err_has 'hint: --event'
run "$SONDE" export -i d.data --to folded -e page-faults; ok; err_hasnt 'left out'
same "$(awk '{ n += $NF } END { printf "%d", n }' "$T/out")" "$(total d.data page-faults)" "the sum of page-faults, folded"

# choosing: time, CPU, symbol; nothing at all; what is refused
run "$SONDE" export -i i.data -c inlined -S outer --to folded; ok; has ';outer;'
run "$SONDE" export -i i.data --time 0%-50% -c inlined --to folded; ok
[ "$(awk '{ n += $NF } END { printf "%d", n }' "$T/out")" -lt "$(sum 2)" ] || fail "--time"
run "$SONDE" export -i i.data -c nobody --to pprof -o none.pb.gz; ok; err_has 'no sample is in the export'
pprof -top none.pb.gz | grep '0 total' >/dev/null || fail "pprof does not read what is empty"
run "$SONDE" export -i i.data; exits 129; err_has '--to FORMAT is missing'
run "$SONDE" export -i i.data --to nonsense; exits 129; err_has "'nonsense' is not a format"; err_has 'hint: .*pprof'
run "$SONDE" export -i i.data --to pprof -e nosuch; exits 129; err_has "no event 'nosuch'"
run "$SONDE" export -i i.data --to pprof -o /dev/full; exits 255; err_has 'No space left'
run script -qec "'$SONDE' export -i i.data --to pprof" /dev/null; has 'not for a terminal'
run "$SONDE" export --list; ok; has '^pprof '; has '^folded '
# a recording that is cut off: what is there is written
head -c $(($(stat -c %s d.data) / 2)) d.data >cut.data
run "$SONDE" export -i cut.data --to pprof -o cut.pb.gz; [ "$code" -eq 0 ] || { exits 255; err_has '^sonde: '; }
pprof -top cut.pb.gz | grep ' total$' >/dev/null || fail "pprof does not read what was cut"
# from a pipe
"$SONDE" record -q -F 500 -g -o - "$PROG/profiled" 2>/dev/null | "$SONDE" export --to pprof >p.pb.gz 2>p.err || fail "from a pipe: $(cat p.err)"
pprof -top p.pb.gz | grep ' quick$' >/dev/null || fail "from a pipe"
