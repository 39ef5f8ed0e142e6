# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gdb python3 g++ clang++
# timeout: 900
# DWARF stacks of C++ against gdb: the bar is 98 % of the frames, names and what is inlined. Every shape is compared twice:
# whole stacks at system calls where gdb stops as well, and what is at each address that samples fell on.
"$SONDE" record -q -e syscalls:sys_enter_getppid -o t.data true 2>/dev/null || skip "no system call events here"
here=$TOP/tests/interop libc=$(ldd "$(type -P gdb)" | awk '/libc\.so/ { print $3 }'); libc=$(readlink -f "$libc")
asked() { gdb -q -batch -nx -x "$here/cpp_gdb.py" "$1" 2>gdb.err; }
equal=0 total=0
# count WHAT ARGUMENT...: adds a comparison
count() {
	local sum what=$1; shift
	python3 "$here/cpp_stacks.py" "$@" >said || { cat said gdb.err; fail "$what"; }
	sum=$(tail -n 1 said)
	echo "$what: $sum"; sed '$d' said
	equal=$((equal + ${sum% *})) total=$((total + ${sum#* }))
}
for compiler in g++ clang++; do
	for level in 1 2 3; do
		prog=shapes-${compiler%++}-O$level
		$compiler -g -O$level -std=c++17 -w -o "$prog" "$here/cpp-shapes.cc"
		# No frame may be cut off: the stacks are a few kB deep.
		"$SONDE" record -q -e syscalls:sys_enter_getppid --call-graph dwarf,32768 -o m.data "./$prog" marks 2>/dev/null
		run "$SONDE" script -i m.data -F ip,sym,dso,dsoff; ok; cp "$T/out" m.txt
		asked "./$prog" >g.txt
		count "$prog, stacks" stacks m.txt g.txt
		grep -qE '__restore_rt|<signal handler called>' m.txt || fail "$prog: no signal trampoline"
		grep -q 'operator() (inlined)' m.txt || fail "$prog: no inlined operator()"

		ROUNDS=20 "$SONDE" record -q -F 1999 -e cpu-clock:u --call-graph dwarf,16384 -o d.data "./$prog" 2>/dev/null
		run "$SONDE" script -i d.data -F ip,sym,dso,dsoff; ok; cp "$T/out" d.txt
		for file in "$PWD/$prog" "$libc"; do
			sed -nE "s|.* \\($file\\+0x([0-9a-f]+)\\)\$|\\1|p" d.txt | sort -u >places
			[ -s places ] || { [ "$file" = "$libc" ] && continue; fail "no sample in $prog"; }
			ADDRESSES=places asked "$file" >g.txt
			count "$prog, places in ${file##*/}" places d.txt g.txt "$file"
		done
	done
done
[ "$total" -gt 2000 ] || fail "only $total frames were compared"
echo "$equal of $total frames are gdb's, $((equal * 1000 / total)) in 1000"
[ $((equal * 100)) -ge $((total * 98)) ] || fail "less than 98 % of the frames are gdb's"
