# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# timeout: 200
# More of `script` beside perf's, line by line: other records, rounds, times, registers, addresses.
perf612
. "$TOP/tests/recordings.sh"
rec() { perf record -q --buildid-mmap -o "$@" 2>/dev/null; }

rec one.data -F 3000 --sample-cpu -e cpu-clock --namespaces "$PROG/profiled" 150
first=$("$PERF612" script -i one.data -F time 2>/dev/null | sed -n '1s/[ :]//gp') last=$("$PERF612" script -i one.data -F time 2>/dev/null | sed -n '$s/[ :]//gp')
middle=$(awk -v a="$first" -v b="$last" 'BEGIN { printf "%.6f", (a + b) / 2 }')
for how in --show-namespace-events --show-task-events --show-mmap-events -F\ +misc -F\ +pid,+symoff --deltatime --reltime -L '-F comm,cpu,ip' \
	"--time ,$middle" "--time $middle," "--time $first,$middle" \
	'-S quick' '-S quick,compare -F ip,sym'; do
	# shellcheck disable=SC2086
	compare one $how
done
# perf needs the first and the last time in the header, which it writes itself only when it looks for build-ids.
"$SONDE" record -q -o span.data -F 3000 -e cpu-clock "$PROG/profiled" 150 2>/dev/null
for how in '--time 10%/2' '--time 0%-20%,40%-60%' '--time 10%/1,10%/3' '--time 90%-100%' '--time 10%'; do
	# shellcheck disable=SC2086
	MAYBE=1 compare span $how # the program need not have run in that part
done
rec regs.data -F 1000 --intr-regs=ax,bx,ip --user-regs=ax,ip -e cpu-clock "$PROG/profiled" 100
compare regs -F +iregs
compare regs -F ip,uregs
rec addr.data -d --data-page-size --code-page-size -F 3000 -e cpu-clock,page-faults "$PROG/profiled" 100
compare addr
compare addr -F +addr
compare addr -F comm,ip,sym,dso,addr
compare addr -F ip,data_page_size,code_page_size
if rec all.data -a -F 500 -e cpu-clock --switch-events --all-cgroups "$PROG/profiled" 100; then
	mine=$(pids_of all)
	compare all --pid "$mine" --show-switch-events
	run "$SONDE" script -i all.data -c profiled -F +cgroup; ok; has 'cpu-clock:  /'
	MAYBE=1 compare all --pid "$mine" -C 0
fi
# The bytes of every record, as perf dumps them.
"$PERF612" report -D -i one.data 2>/dev/null | grep -E '^\.  [0-9a-f]{4}:|PERF_RECORD_(COMM|FORK|EXIT|MMAP2)' | sort >want
run "$SONDE" report -D -i one.data; ok
grep -E '^\.  [0-9a-f]{4}:|PERF_RECORD_(COMM|FORK|EXIT|MMAP2)' "$T/out" | sort >got
diff want got >differ || { : >"$T/out"; fail "the dump differs: $(head -c 400 differ)"; }
# The end of a round stands behind what it holds, and all of them are told.
n=$("$SONDE" report --stats -i one.data | awk '$1 == "FINISHED_ROUND" { print $3 }')
run "$SONDE" script -i one.data --show-round-events; ok
[ "$(grep -c '^PERF_RECORD_FINISHED_ROUND$' "$T/out")" -eq "$n" ] || fail "not $n rounds"
