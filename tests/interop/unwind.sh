# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf python3
# timeout: 300
# DWARF stacks, unwound by perf and by sonde: the same lines, but for what perf cannot do (see stacks.py).
# (perf 6.1, whose unwinder gets further than that of 6.12.) A long copy gives whole stacks, a short one truncated ones.
gcc -O2 -g -fomit-frame-pointer -w -o deepstack "$TOP/tests/prog/deepstack.c"
# What perf has other names for, or none: slots of a procedure linkage table (it calls some of them _init, all together), the
# signal trampoline (an address, in perf's). Their rows, with the graph below each, are elsewhere in perf's table. (Rows of the same weight are
# sorted by name.) A graph that shows such a slot has other branches.
named_alike() { awk '/^ ? ? ? ? ?[0-9]+\.[0-9]+%/ { other = /@plt|_init|\[\.\] (__restore_rt|0x0000)/ } /^# \(Tip|@plt|_init/ { next } !other' "$1"; }
plt_seen() { cat "$@" | grep -E '%--.*(@plt|_init)' >/dev/null; }
forms=('' --no-children '--no-children -g caller')
# reports: all forms, as perf.N and sonde.N
reports() {
	local n
	for n in "${!forms[@]}"; do
		# shellcheck disable=SC2086
		perf report --stdio --no-inline ${forms[n]} -i d.data 2>/dev/null | sed -E "s/0x[0-9a-f]+$low *\$/__restore_rt/" >perf.$n
		# shellcheck disable=SC2086
		run "$SONDE" report --stdio --no-inline ${forms[n]} -i d.data; ok; cp "$T/out" sonde.$n
	done
}
# alike: all forms say the same
alike() {
	local n
	for n in "${!forms[@]}"; do
		named_alike perf.$n >perf.txt
		named_alike sonde.$n >sonde.txt
		diff perf.txt sonde.txt >differ || return 1
	done
	"$SONDE" script -F +dsoff -i d.data >sonde.txt 2>/dev/null
}
for size in 16384 1024; do
	tries=0
	# For the reports below, a recording that perf can follow to the end, without another test's BPF programs
	# (perf has no names for them), and with a sample in the handler, none in the signal trampoline, few in the linkage table.
	for _ in {1..16}; do
		perf record -q --buildid-mmap -F 1999 -e cpu-clock -g --call-graph dwarf,$size -o d.data ./deepstack 12000 2>/dev/null || skip "perf cannot record here"
		perf script -i d.data >perf.txt 2>/dev/null
		run "$SONDE" script -F +dsoff -i d.data; ok
		cp "$T/out" sonde.txt
		rc=0; python3 "$TOP/tests/interop/stacks.py" --whole perf.txt sonde.txt >said || rc=$?
		[ $rc -eq 0 ] || [ $rc -eq 3 ] || { : >"$T/out"; tail -n 60 said; fail "the stacks differ, $size bytes"; }
		cat said
		! grep -q ' bpf_prog_' sonde.txt || rc=3
		! grep -q ' __restore_rt' perf.txt || rc=3 # a sample in it: perf has two rows for it then
		handled=$(grep -c ' handler' sonde.txt || true)
		[ $rc -eq 0 ] && { [ $size -lt 10000 ] || [ "$handled" -gt 0 ]; } || continue
		# perf has no name for the signal trampoline: it looks one byte before it.
		low=$(awk '/ __restore_rt/ { print $1; exit }' sonde.txt); low=$(printf '%03x' $((0x${low:-1} - 1 & 0xfff)))
		reports
		! plt_seen perf.[0-2] sonde.[0-2] || { rc=3; echo "the linkage table is in a graph"; continue; }
		# A single sample in code that perf has no name for moves rows of its table: then another recording, three at most.
		alike || { rc=3; tries=$((tries + 1)); head -n 20 differ; [ $tries -lt 4 ] || fail "the reports of four recordings differ, $size bytes"; continue; }
		break
	done
	[ $size -lt 10000 ] || [ "$handled" -gt 0 ] || fail "no sample in the signal handler"
	grep -q '(inlined)' sonde.txt || fail "nothing inlined"
	[ $rc -eq 0 ] || fail "no recording of sixteen that perf follows to its end gives the same reports, $size bytes"
	# perf compares inlined functions by name or by place, depending on which it met first: the same function
	# may have two rows, and rows that weigh the same may stand in another order. And it calls inlined whatever DWARF has
	# another name for than the symbol table. What sonde calls inlined is in perf's report too.
	rows() { awk '$1 ~ /%$/ && $2 ~ /%$/ { sub(/.*\[.\] /, ""); sub(/ *$/, ""); print }' | sort -u; }
	perf report --stdio -g none -i d.data 2>/dev/null | rows | sed 's/ (inlined)$//' | sort -u >perf.txt
	"$SONDE" report --stdio -g none -i d.data 2>/dev/null | rows | sed -n 's/ (inlined)$//p' >sonde.txt
	[ -s sonde.txt ] || fail "nothing inlined is in the report"
	comm -13 perf.txt sonde.txt >differ; [ ! -s differ ] || { head -20 differ; : >"$T/out"; fail "inlined functions that perf does not have, $size bytes"; }
done

# Shapes that are easily got wrong, recorded by sonde: more frames than 127 below the kernel's, code without
# CFI, vfork.
gcc -O2 -g -fomit-frame-pointer -w -o stackshapes "$TOP/tests/prog/stackshapes.c"
for _ in {1..8}; do # until a sample fell into each shape
	"$SONDE" record -q -F 2999 -e cpu-clock -g dwarf,32768 -o s.data ./stackshapes 4000 2>/dev/null
	for how in '' '--max-stack 3' '--max-stack 20'; do
		# shellcheck disable=SC2086
		perf script --no-inline $how -i s.data 2>/dev/null >perf.txt
		# shellcheck disable=SC2086
		run "$SONDE" script --no-inline -F +dsoff $how -i s.data; ok
		python3 "$TOP/tests/interop/stacks.py" perf.txt "$T/out" >said || { : >"$T/out"; tail -n 60 said; fail "stacks of sonde's own recording differ, $how"; }
	done
	run "$SONDE" script -F ip,sym -i s.data; ok
	awk '{ print $2 }' "$T/out" >names
	lacking=
	grep -A1 '^bare$' names | grep '^without_cfi$' >/dev/null || lacking="no caller of code without CFI"
	awk '/^deep$/ { n++; next } { if (n > 100) { found = 1; exit } n = 0 } END { exit !found }' names || lacking="no deep recursion"
	[ -n "$lacking" ] || break
done
[ -z "$lacking" ] || fail "$lacking in eight recordings"
