# SPDX-License-Identifier: GPL-2.0-or-later
# needs: perf
# timeout: 300
# Options of perf report and perf script: the same output, or a sentence that names the reason.
perf612
. "$TOP/tests/recordings.sh"
# (many sleepers are woken one after the other: on a machine with nothing else to do each wakeup may have its switch right behind)
switches() { perf record -q -o sw.data -e 'sched:sched_switch,sched:sched_wakeup,sched:sched_process_exec' -a sh -c 'ls >/dev/null; for i in 1 2 3 4 5 6 7 8 9; do sleep 60 & p="$p $!"; done; sleep 0.1; kill $p; cat /dev/null' 2>/dev/null; }
clock() { "$SONDE" record -q -g -e cpu-clock -F 4999 -o t.data sh -c 'ls >/dev/null; cat /proc/self/maps >/dev/null; seq 300000 >/dev/null' 2>/dev/null; }
# perf has siblings in the order of their numbers' last byte, which is that of the numbers but for two in 256
in_order() { "$PERF612" report --tasks -i t.data 2>/dev/null | awk '$2 ~ /^[0-9]+$/ { print $2 }' | sort -nc 2>/dev/null; }
# between FILE: there are events behind a wakeup and before the next switch.
between() { "$SONDE" script -i "$1" "${on[@]}" "${off[@]}" 2>/dev/null | grep sched: >/dev/null; }
on=(--switch-on sched:sched_wakeup) off=(--switch-off sched:sched_switch)
record_until 'all_named sw.data && between sw.data' switches
record_until 'no_bpf t.data && in_order' clock

agree() { # COMMAND OPTION...
	"$SONDE" "$@" 2>"$T/err" | grep -v '^#' >by-sonde || fail "sonde $*"
	"$PERF612" "$@" 2>/dev/null | grep -v '^#' >by-perf || fail "perf $*"
	ended_alike by-perf by-sonde
	[ -s by-sonde ] && cmp -s by-sonde by-perf || { diff by-sonde by-perf | head -20; fail "they differ: $*"; }
}
agree script -i sw.data "${on[@]}"
agree script -i sw.data "${on[@]}" "${off[@]}"
agree script -i sw.data "${off[@]}" --show-on-off-events
agree script -i sw.data "${on[@]}" "${off[@]}" --show-on-off-events
agree script -i t.data --no-inline --dsos '[kernel.kallsyms]'
agree script -i t.data --no-inline --stop-bt do_syscall_64,main,asm_exc_page_fault
agree report --stdio -i sw.data "${on[@]}"
agree report --stdio -i sw.data --raw-trace
agree report --stdio -i sw.data --raw-trace -s prev_state,next_pid
agree report --stdio -i t.data --no-children --no-inline -g callee --ignore-callees 'do_syscall_64|asm_exc_page_fault'
agree report --stdio -i t.data --tasks
# (the inode that perf shows is made of a build-id's bytes, and 6.12 calls every map shared)
"$SONDE" report -i t.data --mmaps | awk '{ print $1, $2, $3, $5, $6 }' >by-sonde
"$PERF612" report -i t.data --mmaps 2>/dev/null | awk '{ sub(/s$/, "p", $2) } { print $1, $2, $3, $5, $6 }' >by-perf
cmp by-sonde by-perf || fail "--mmaps"
mkdir a b; cp sw.data a/perf.data; cp sw.data b/perf.data
(cd a && "$SONDE" script --per-event-dump 2>"$T/err"); err_has 'wrote .* perf.data.sched:sched_switch.dump \([0-9]+ samples\)'
(cd b && "$PERF612" script --per-event-dump >/dev/null 2>&1)
for e in sched_switch sched_wakeup sched_process_exec; do ended_alike "b/perf.data.sched:$e.dump" "a/perf.data.sched:$e.dump"; cmp "a/perf.data.sched:$e.dump" "b/perf.data.sched:$e.dump"; done

# What is wrong on the command line: 129, and the names that there are.
run "$SONDE" report -i t.data -s nosuch; exits 129; err_has "'nosuch' is not a key to sort by"; err_has '^hint: .*comm, dso, symbol, parent'
run "$SONDE" report -i t.data -F overhed; exits 129; err_has "did you mean 'overhead'"; err_has '^hint: .*overhead_children.*srcline'
run "$SONDE" report -i t.data --time x; exits 129; err_has "'x' is not a span of time"
run "$SONDE" script -i t.data --time x; exits 129
run "$SONDE" script -i t.data -F nosuch; exits 129; err_has '^hint: .*comm,tid'
run "$SONDE" report -i t.data -p '('; exits 129; err_has 'not a regular expression'
run "$SONDE" report -i t.data --switch-on nosuch; exits 129; err_has "no event 'nosuch'"
run "$SONDE" report -i t.data nosuchsym; ok; err_has "nothing is left of [0-9]+ samples after the symbol filter: no function has 'nosuchsym' in its name"
run "$SONDE" report -i t.data -c nosuch --time 0,1; ok; err_has 'nothing is left of [0-9]+ samples after -c, --time$'

# Every option of perf's is known: it works, or a sentence says why not.
for c in report script record buildid-list; do
	{ perf $c -h 2>&1 || :; } | grep -oE '^ +(-[A-Za-z], )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | sort -u >options
	[ "$(wc -l <options)" -ge 3 ] || fail "perf $c -h lists no options"
	while read -r option; do
		run timeout 60 "$SONDE" $c "$option" x -i /nonexistent
		err_hasnt 'unknown option'
	done <options
done
for option in --dlfilter=x.so --itrace --xed --guestmount=/x; do
	run "$SONDE" script -i t.data $option; exits 129; err_has "^sonde: ${option%%=*}: "; err_has '^hint: '
done
for option in --stitch-lbr --disable-order; do
	run "$SONDE" report -i t.data $option; exits 129; err_has "^sonde: ${option%%=*}: "; err_has '^hint: '
done
run "$SONDE" report -i t.data --tui; ok; has '^# Overhead|^# Children' # no terminal: text
run "$SONDE" report -v -i t.data -M intel --stdio-color=always --asm-raw; ok; err_has -- '--asm-raw changes nothing: '
run "$SONDE" buildid-cache --kcore /x; exits 129; err_has '^hint: '
