# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# timeout: 300
# DWARF stacks, unwound by perf and by sonde: the same lines, but for slots of the PLT, which perf 6.1
# calls _init or @plt. A long copy gives whole stacks, a short one truncated ones.
# perf's own unwinder ends a stack early now and then, and a short recording may miss the handler: one of
# three recordings must agree in every line.
agree() {
	gcc -O2 -g -fomit-frame-pointer -w -o deepstack "$TOP/tests/prog/deepstack.c"
	for size in 16384 1024; do
		perf record -q --buildid-mmap -F 1999 -e cpu-clock -g --call-graph dwarf,$size -o d.data ./deepstack 12000 2>/dev/null || skip "perf cannot record here"
		perf script -i d.data >perf.txt 2>/dev/null
		run "$SONDE" script -i d.data; ok
		cp "$T/out" sonde.txt
		lines=$(wc -l <perf.txt)
		same "$(wc -l <sonde.txt)" "$lines" "number of lines, $size bytes"
		grep -vE '@plt|_init' perf.txt >perf.most
		paste -d '\n' perf.txt sonde.txt | awk 'NR % 2 { p = $0; next } p !~ /@plt|_init/ && p != $0 { print p; print $0 }' >differ
		[ ! -s differ ] || { head -20 differ; fail "lines differ, $size bytes"; }
		[ $size -lt 10000 ] || grep -q ' handler' sonde.txt || fail "no sample in the signal handler"
		grep -q '(inlined)' sonde.txt || fail "nothing inlined"
		echo "$lines lines of $size-byte stacks, $((lines - $(wc -l <perf.most))) of them PLT, the others equal"
		for how in '' --no-children '--no-children -g caller'; do
			# shellcheck disable=SC2086
			perf report --stdio $how -i d.data 2>/dev/null | grep -vE '@plt|_init|^# \(Tip' >perf.txt
			# shellcheck disable=SC2086
			run "$SONDE" report --stdio $how -i d.data; ok
			grep -vE '@plt|_init|^# \(Tip' "$T/out" >sonde.txt
			grep -q '(inlined)' perf.txt || fail "perf reports nothing inlined"
			diff perf.txt sonde.txt >differ || { head -20 differ; fail "report $how differs, $size bytes"; }
		done
	done

	# Shapes that are easily got wrong, recorded by sonde: more frames than 127 below the kernel's, code without
	# CFI, vfork. BPF programs that other tests may run meanwhile are unknown to perf.
	gcc -O2 -g -fomit-frame-pointer -w -o stackshapes "$TOP/tests/prog/stackshapes.c"
	alike() { sed -E 's/ bpf_prog_[^ ]* \(\[bpf\]\)/ [unknown] ([unknown])/'; }
	"$SONDE" record -q -F 2999 -e cpu-clock -g dwarf,32768 -o s.data ./stackshapes 4000 2>/dev/null
	for how in '' '--max-stack 3' '--max-stack 20'; do
		# shellcheck disable=SC2086
		perf script --no-inline $how -i s.data 2>/dev/null | alike >perf.txt
		# shellcheck disable=SC2086
		run "$SONDE" script --no-inline $how -i s.data; ok
		alike <"$T/out" >sonde.txt
		diff perf.txt sonde.txt >differ || { head -20 differ; : >"$T/out"; fail "stacks of sonde's own recording differ, $how"; }
	done
	run "$SONDE" script -F ip,sym -i s.data; ok
	awk '{ print $2 }' "$T/out" >names
	grep -A1 '^bare$' names | grep -q '^without_cfi$' || fail "no caller of code without CFI"
	awk '/^deep$/ { n++; next } { if (n > 100) { found = 1; exit } n = 0 } END { exit !found }' names || fail "no deep recursion"
}
for try in 1 2 3; do
	rc=0
	(agree) >"try$try" 2>&1 || rc=$?
	[ $rc -eq 1 ] || break
done
cat "try$try"
exit $rc
