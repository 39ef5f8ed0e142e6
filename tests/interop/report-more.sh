# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf readelf
# timeout: 200
# More of `report` beside perf's, line by line: groups with call chains, levels, -T, -p, chains
# of addresses without names.
# Slots of .plt.got have no name in perf, not even as one: their addresses, by what a page leaves of them.
perf612
slots=none
for f in $(ldd /bin/ls /bin/bash | grep -o '/[^ :]*' | sort -u); do
	read -r _ at _ size _ < <(readelf -SW "$f" | sed -n 's/.* \.plt\.got //p') || continue
	for ((i = 0; i < 0x$size; i++)); do slots+=$(printf '|%03x' $(((0x$at + i) & 0xfff))); done
done
. "$TOP/tests/recordings.sh"
alike() { grep -v '^# (Tip' | sed -E 's/\[\.\.\.\] \(inlined\)/[...]/' | if [ -n "${ANY_ORDER-}" ]; then grep -Ev "^#|@plt|0x[0-9a-f]{13}($slots)( |\$)" | sort; else cat; fi; }
compare() { # NAME OPTIONS...
	local name=$1; shift
	"$PERF612" report --no-inline --stdio "$@" -i "$name.data" 2>/dev/null | alike >want
	run "$SONDE" report --no-inline --stdio "$@" -i "$name.data"; ok
	alike <"$T/out" >got
	[ "$(wc -l <want)" -ge "${LEAST:-8}" ] || fail "perf prints nothing for $name $*"
	if grep -q '@plt' want got; then
		for f in want got; do plt_alike <$f >$f.alike; mv $f.alike $f; done
	fi
	diff want got >differ || python3 "$TOP/tests/interop/ties.py" want got || { : >"$T/out"; fail "report of $name $* differs from perf's: $(head -c 600 differ)"; }
}
rec() { perf record -q --buildid-mmap -o "$@" 2>/dev/null; }

rec group.data -F 3000 -g -e '{cpu-clock:u,page-faults:u}' "$PROG/profiled" 150
for how in -g\ none '--no-children -g none' --hierarchy\ -g\ none '--percent-limit 2 -g none' '-n -g none' --no-group\ -g\ none; do
	# shellcheck disable=SC2086
	compare group $how
done
# (In the kernel perf has no names for BPF programs, which others may run meanwhile: so only user code here.)
# Programs built without frame pointers leave all kinds of addresses in the chains.
rec odd.data -F 4000 -g -e cpu-clock:u bash -c 'for i in 1 2 3; do ls -lR /usr/share/doc >/dev/null; done'
for how in '-g none' '--no-children -g none' '-d libc.so.6 -g none' '-c ls -g none' '-c ls -d libc.so.6 -g none' '-s dso,sym -g none' '--no-children -s addr -g none' \
	'-p ^main|_dl -g none' '-p ^main|_dl -x -g none' '-p ^main|_dl -s comm -g none' '-p ^main|_dl -F overhead,comm -s dso -g none' '-p ^main|_dl -F comm -g none'; do
	# shellcheck disable=SC2086
	LEAST=1 ANY_ORDER=1 compare odd $how # perf's order hangs on how its tree was when a line came; PLT entries have no name there
done
# The counts of each thread.
rec threads.data -s -F 1000 -e cpu-clock:u,page-faults:u "$PROG/threads" 20
compare threads -T
LEAST=1 compare threads -T -q
"$SONDE" record -q -o own.data -s -F 1000 -e cpu-clock:u,page-faults:u "$PROG/threads" 20 2>/dev/null
LEAST=8 compare own -T
run "$SONDE" report -i own.data -T -q; ok; has '^# +PID +TID +cpu-clock:u +page-faults:u$'; has '^ +[0-9]+ +[0-9]+ +[0-9]{4,} +[0-9]+$'
run "$SONDE" report -i odd.data -T; ok; err_has 'no counts of single threads: record with -s'
run "$SONDE" report -i threads.data -g caller; ok; err_has 'no call chains: record with -g'
run "$SONDE" report -i threads.data -C 0; exits 255; err_has 'do not tell their CPU'; err_has '^hint: .*--sample-cpu'
# What each record is.
"$PERF612" report --stats -i group.data 2>/dev/null >want
run "$SONDE" report --stats -i group.data; ok
diff want "$T/out" >differ || fail "--stats differs: $(head -c 400 differ)"
