# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 nm readelf
# What no virtual machine records (synth.py): accesses to memory, cycles of straight code, the branches that led to a sample.
# perf 6.12 on the same files is the model.
perf612
for kind in memory history called blocks; do python3 "$TOP/tests/interop/synth.py" $kind $kind.data "$PROG/branchy"; done
# What perf has that is wrong is left out on both sides: FILTER
agree() { # FILTER COMMAND OPTION...
	local filter=$1
	shift
	"$SONDE" "$@" 2>"$T/err" | grep -v '^# (Tip' | sed -E "$filter" >by-sonde || fail "sonde $*"
	"$PERF612" "$@" 2>/dev/null | grep -v '^# (Tip' | sed -E "$filter" >by-perf || fail "perf $*"
	[ "$(wc -l <by-perf)" -gt 5 ] || fail "perf printed nothing: $*"
	diff -u by-perf by-sonde | head -20
	cmp -s by-perf by-sonde || fail "they differ: $*"
}

# accesses to memory
while read -r options; do
	# shellcheck disable=SC2086 # words
	agree '' report --stdio --mem-mode -i memory.data $options
done <<'EOF'

-s symbol_daddr
-s mem,dso_daddr
-s symbol_iaddr,weight
-s phys_daddr
-s data_page_size,tlb
-s blocked,locked,snoop
-s local_ins_lat -n --show-total-period
-v
--hierarchy -s mem,sym
-s dso_daddr,symbol_daddr -t ;
-F overhead,sample,mem,symbol
-d branchy
-s comm,tlb -c made-up
-s tlb,snoop -w 5,10
EOF
agree '' report --stdio -i memory.data -s weight,local_weight,sym
agree '' report --stdio -i memory.data -s ins_lat,local_p_stage_cyc
agree '' report --header-only -i memory.data
agree '' script -i memory.data -F ip,addr,data_src,weight,ins_lat,retire_lat,phys_addr,data_page_size
agree '' script -i memory.data -F +data_src,+weight
# (perf shows the line's distance from a variable as a number of 64 bits without a sign)
run "$SONDE" report --mem-mode -i memory.data -s dcacheline; ok; has '^ +[0-9.]+%  \[\.\] table-0x20$'; has '^ +[0-9.]+%  \[X\] 0x00007fff12345640$'
run "$SONDE" report --mem-mode -i blocks.data; exits 255; err_has 'the recording does not tell where data was found'; err_has 'hint: record with sonde record -d'
run "$SONDE" report -i memory.data -s tlb; exits 129; err_has 'goes with --mem-mode'

# straight code (perf counts a function's blocks once for each line of its report, so that its averages add up to less than 100 %)
agree '/^ +[0-9.]+%/ s/ +[0-9.]+%( +[0-9.KM]+ +\[)/ %\1/' report --stdio --total-cycles -i blocks.data
run "$SONDE" report --total-cycles -q -i blocks.data; ok
awk '{ sum += $1; mean += $3 } END { exit !(sum > 99 && sum < 101 && mean > 99 && mean < 101) }' "$T/out" || fail "shares: $(cat "$T/out")"
run "$SONDE" report --total-cycles -i memory.data; exits 255; err_has 'has no branches'; err_has 'record -b'

# the branches that led to each sample (perf leaves the first sample out when it counts the rounds of a loop)
agree 's/ ?iter:[0-9]+ avg_cycles:[0-9]+//; s/ \(\)//' report --stdio --branch-history --no-children -i history.data
grep -q 'predicted:0.0%' by-sonde; grep -q 'abort:100.0%' by-sonde
run "$SONDE" report --branch-history -i history.data; ok; has 'iter:[1-9][0-9]* avg_cycles:5\)'; hasnt calltrace
# with call chains: callers stand behind the branches, those that the branches reach back to left out
run "$SONDE" report --branch-history -i called.data; ok; has 'main branchy.c:20 \(calltrace\)$'; hasnt '^ .*\(calltrace\).*cycles'
run "$SONDE" report --branch-history -i memory.data; exits 255; err_has 'has no branches'
