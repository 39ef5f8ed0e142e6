# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3 nm readelf
# Branch stacks, which no virtual machine records: a made-up recording that both tools read.
perf612
python3 "$TOP/tests/interop/branches.py" br.data "$PROG/branchy"
agree() { # COMMAND OPTION...
	"$SONDE" "$@" 2>"$T/err" | grep -v '^# (Tip' >by-sonde || fail "sonde $*"
	# (perf adds statistics of the kinds of branches)
	"$PERF612" "$@" 2>/dev/null | grep -v '^# (Tip' | awk '/^# Branch Statistics/ { off = 1 } !off' >by-perf || fail "perf $*"
	[ "$(wc -l <by-perf)" -gt 5 ] || fail "perf printed nothing: $*"
	diff -u <(sed '/^#*$/d' by-perf) <(sed '/^#*$/d' by-sonde) | head -20
	cmp -s <(sed '/^#*$/d' by-perf) <(sed '/^#*$/d' by-sonde) || fail "they differ: $*"
}
for fields in brstack brstacksym brstackoff ip,sym,brstack comm,ip,sym,symoff,brstacksym brstack,dso brstacksym,dso; do
	agree script -i br.data -F $fields
done
grep -q '/M/-/-/3/' by-sonde; grep -q '/-/X/' by-sonde; grep -q '/A/0/' by-sonde; grep -q '/COND_CALL/- ' by-sonde
agree script -i br.data
agree report --stdio -i br.data # branches count without being asked for
agree report --stdio -i br.data -b -n
agree report --stdio -i br.data --no-branch-stack
for keys in dso_from,dso_to sym srcline_from,srcline_to cycles comm,dso dso_to,cycles; do
	agree report --stdio -i br.data -s $keys
done
agree report --stdio -i br.data -F overhead,symbol_from,symbol_to
# perf 6.1 ends without a line when symbol_from is a key of -s, and its order of mispredict is none; so by the numbers:
run "$SONDE" report -i br.data -s symbol_from,symbol_to,mispredict; ok
has '^ +24\.00%  \[\.\] two +\[\.\] three +N '; has '^ +6\.00%  \[\.\] two +\[\.\] three +Y '
has '^ +40\.00%  \[\.\] one +\[\.\] two +N '; has '^ +20\.00%  \[\.\] three +\[\.\] one +N/A'
run "$SONDE" report -i br.data -s mispredict; ok; has '^ +64\.00%  N '; has '^ +30\.00%  N/A'; has '^ +6\.00%  Y '
