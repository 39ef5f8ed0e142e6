# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 gcc clang objdump
# timeout: 200
# report -s type: what an instruction touches. Of each address that was sampled, sonde's type and field beside perf 6.12's, which are
# the same where both know one; what perf alone has is no access to memory (lea, a pair that it takes for fused). And what each
# function of the program touches is known to sonde.
perf612
[ -e /usr/lib/x86_64-linux-gnu/libcapstone.so.4 ] || skip "no libcapstone"
unset DEBUGINFOD_URLS
cat >compare.py <<'P'
import re, subprocess, sys
binary, theirs, ours = sys.argv[1:]
code = {}
for line in subprocess.run(["objdump", "-d", "--no-show-raw-insn", binary], capture_output=True, text=True).stdout.splitlines():
    m = re.match(r" +([0-9a-f]+):\t(.*)", line)
    if m:
        code[int(m[1], 16)] = m[2]
def read(path):
    return {m[1]: (m[2], m[3].strip()) for m in (re.match(r" +[0-9.]+% +(0x[0-9a-f]+) +\[\.\] (\S+) +(.*)", l) for l in open(path)) if m}
p, s = read(theirs), read(ours)
assert len(s) > 20 and p.keys() == s.keys(), (len(p), len(s), p.keys() ^ s.keys())
both = 0
for addr, (sym, want) in p.items():
    got, text = s[addr][1], next((t for a, t in code.items() if a & 0xfff == int(addr, 16) & 0xfff and a >> 12 < 16), "")
    if want.startswith("(unknown)") or want == got:
        both += want == got and not want.startswith("(")
        continue
    if got.startswith("(unknown)") and ("(" not in text or text.startswith("lea")):
        continue
    sys.exit(f"{addr} {sym}: {text}\n  perf:  {want}\n  sonde: {got}")
print("both", both)
print("known", sum(not t.startswith("(unknown)") for _, t in s.values()))
for t in sorted({f"{f}: {t}" for f, t in s.values()}):
    print("seen", t)
P
: >all
for how in 'gcc -O0' 'gcc -O1' 'gcc -O2' 'clang -O0' 'clang -O2'; do
	$how -g -o typed "$TOP/tests/interop/types.c"
	# while it runs: perf 6.12 dies of some samples in stripped files, as of the dynamic linker at the start
	./typed 100000 >/dev/null & pid=$!
	for _ in {1..10}; do
		"$SONDE" record -q -F 4999 -e cpu-clock:u -o r.data -p $pid -- sleep 0.5
		! "$PERF612" report --stdio -q -s addr,sym,typeoff -i r.data --comm typed --dso typed >theirs 2>/dev/null || [ "$(wc -l <theirs)" -le 30 ] || break
	done
	kill $pid; wait $pid || :
	"$SONDE" report --stdio -q -s addr,sym,typeoff -i r.data --comm typed --dso typed >ours
	run python3 compare.py typed theirs ours; ok; has '^known [1-9]'
	echo "$how: $(grep -E '^(both|known)' "$T/out" | tr '\n' ' ')"; sed -n 's/^seen //p' "$T/out" >>all
	[ "$how" = 'gcc -O0' ] || [ "$how" = 'clang -O0' ] || has '^both [1-9]'
done
# what the source says
for want in 'walk: struct node \+0x30 \(hits\)' 'walk: struct node \+0x10 \(at.sum\)' 'local: struct point\[\] \+0x8 \(no field\)' \
	'globals: config_t \+0x8 \(b\)' 'chains: struct node \+0x30 \(hits\)|chains: struct box\* \+0' 'local: long( int)? \+0 \(no field\)' 'chains: long( int)? \+0 \(no field\)'; do
	grep -Eq "^($want)" all || { sort -u all; fail "never seen: $want"; }
done
# the three keys, as perf heads them; sums by type
run "$SONDE" report --stdio -s type,typecln -i r.data; ok; has '^# Overhead  Data Type  Data Type Cacheline'; has 'struct node: cache-line 0'
[ "$("$SONDE" report --stdio -q -s type -i r.data | awk '{ n += $1 } END { print (n > 99.8 && n < 100.2) }')" = 1 ] || fail "not all samples have a row"
