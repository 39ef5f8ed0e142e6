# SPDX-License-Identifier: GPL-2.0-or-later
# sonde ftrace record and its kin on this kernel: nothing lost, what is wrong is told, nothing is left, also after kill -9.
# timeout: 180
[ "$(id -u)" = 0 ] || skip "needs root"
tracing=/sys/kernel/tracing
[ -w $tracing/instances ] || skip "no tracefs instances here"
mine=r$$
trap 'rmdir $tracing/instances/$mine 2>/dev/null || :' EXIT
left() { find $tracing/instances -maxdepth 1 -name "sonde-$1*" -printf '%f\n'; } # PID: instances of it

# what a command does, its status, its file
run "$SONDE" ftrace record -e sched_process_exec -e sched_process_exit -o a.dat sh -c '/bin/true; exit 7'; exits 7; err_has 'wrote .* MB to a.dat'
run "$SONDE" ftrace report a.dat; ok; has '^cpus='; has 'true-[0-9]+ .*sched_process_exec: +filename=.*/true'; has 'sched_process_exit:'
[ "$(stat -c %a a.dat)" = 600 ] || fail "root's recording can be read by others"
# -F, -f, two buffers, a clock, version 6, each way to pack
run "$SONDE" ftrace record -q -F -e sched_process_exec -o f.dat sh -c '/bin/true; :'; ok; same "$(cat "$T/err")" ""
run "$SONDE" ftrace report f.dat; ok; has 'filename=.*/sh'; hasnt 'filename=.*/true'
run "$SONDE" ftrace record -q -F -c -e sched_process_exec -f 'filename ~ "*true"' -o c.dat sh -c '/bin/true; :'; ok
run "$SONDE" ftrace report c.dat; has 'filename=.*/true'; hasnt 'filename=.*/sh'
for how in "--file-version 6" "--compression none" "--compression zlib" "--compression zstd"; do
	run "$SONDE" ftrace record -q $how -C mono -F -e sched_process_exec -B second -e sched_process_exit -o b.dat true; ok
	run "$SONDE" ftrace report b.dat; ok; has '^        +true-.*sched_process_exec:'; has '^second: .*sched_process_exit:'
	run "$SONDE" ftrace dump -v b.dat; ok; has valid
	run "$SONDE" ftrace dump b.dat; has '"second", "mono" clock'
done
# no records are lost with buffers as they are: what the command wrote is all there
run "$SONDE" ftrace record -q -F -e sched -e irq -e syscalls -o big.dat dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none; ok; err_hasnt lost
run "$SONDE" ftrace report --stat big.dat; ok; has '^overrun: 0'; hasnt '^(overrun|dropped events): [1-9]'
run "$SONDE" ftrace report --event '^sys_enter_write$' big.dat; ok
[ "$(grep -c sys_enter_write: "$T/out")" -ge 100000 ] || fail "only $(grep -c sys_enter_write: "$T/out") writes of 100000"
# a small one loses, and says how many and where
run "$SONDE" ftrace record -b 8 -s 1000000 -F -e syscalls -o lost.dat dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none; ok
err_has 'events were lost'; err_has '^hint: -b'
run "$SONDE" ftrace report lost.dat; has '^CPU:[0-9]+ \[[0-9]* ?EVENTS DROPPED\]'

# other commands read it
run "$SONDE" script -i a.dat; ok; has 'sched:sched_process_exec: filename=.*/true'
run "$SONDE" evlist -i a.dat; ok; has '^sched:sched_process_exit$'
run "$SONDE" script -i lost.dat --show-lost-events; ok; has PERF_RECORD_LOST
run "$SONDE" inject -b -i a.dat -o x.data; exits 255; err_has 'does not rewrite'
# parts of it
run "$SONDE" ftrace split -i c.dat -e 1 -r -o part; ok; "$SONDE" ftrace report c.dat | grep -v ^cpus= >whole
for i in 1 2 3 4 5 6 7 8 9; do [ ! -e part.$i ] || "$SONDE" ftrace report part.$i | grep -v ^cpus= || :; done >parts
cmp whole parts || fail "the parts are not the whole"
# filters
run "$SONDE" ftrace report -F 'sched_process_exec: filename =~ "true$"' a.dat; ok; has true; hasnt sched_process_exit
run "$SONDE" ftrace report -v -F 'sched_process_exec' a.dat; ok; has sched_process_exit; hasnt sched_process_exec:
run "$SONDE" ftrace report -F 'sched_process_exec: filname =~ "true$"' a.dat; ok; hasnt sched_process_exec; err_has "no such event has a field 'filname'"; err_has "^hint: did you mean 'filename'"
run "$SONDE" ftrace report -F 'nosuchevent' a.dat; ok; err_has 'the file has no such event'; err_has '^hint: '
run "$SONDE" ftrace report -F 'sched_process_exec: filename ==' a.dat; exits 129; err_has '\^'

# what is wrong is told, and nobody is left waiting
run "$SONDE" ftrace record -o x.dat true; exits 129; err_has 'nothing to record'
run "$SONDE" ftrace record -e nosuchevent -o x.dat true; exits 255; err_has "no event matches"
run "$SONDE" ftrace record -i -e nosuchevent -e sched_process_exit -q -o x.dat true; ok
run "$SONDE" ftrace record -e sched_switch -o nosuch/x.dat true; exits 255; err_has nosuch
run "$SONDE" ftrace record -e sched_switch --compression lzma -o x.dat true; exits 129; err_has "lzma"
run "$SONDE" ftrace record -N host:1 -e sched_switch true; exits 129; err_has '^hint: '
run "$SONDE" ftrace record -e sched_switch -o x.dat no-such-program; exits 255; err_has "cannot run the command"
run "$SONDE" ftrace report nosuch.dat; exits 255; err_has 'cannot open nosuch.dat'
run "$SONDE" ftrace report "$TOP/Makefile"; exits 255; err_has 'no trace.dat'; err_has '^hint: sonde ftrace record'
"$SONDE" record -q -e dummy -o p.data true; run "$SONDE" ftrace report p.data; exits 255; err_has '^hint: it is a perf.data'
head -c 100000 b.dat >cut.dat; run "$SONDE" ftrace report cut.dat; exits 255; err_has 'cut.dat is damaged at offset 0x'
if ! head -c 1 $tracing/available_filter_functions >/dev/null 2>&1; then
	run "$SONDE" ftrace record -p function_graph -o x.dat true; exits 255; err_has '^hint: '
	run "$SONDE" ftrace record -p function -l vfs_read -o x.dat true; exits 255; err_has '^hint: '
fi
run as_nobody "$SONDE" ftrace record -e sched_switch -o /dev/null true; exits 255; err_has '^hint: '

# a session, extracted
run "$SONDE" ftrace start -B $mine -e sched_process_exit; ok
/bin/true
run "$SONDE" ftrace stop -B $mine; run "$SONDE" ftrace extract -B $mine -o e.dat; ok
run "$SONDE" ftrace report e.dat; ok; has 'sched_process_exit: +comm=true'
run "$SONDE" ftrace reset -B $mine; ok
# at once
run "$SONDE" ftrace stream -F -e sched_process_exec true; ok; has 'sched_process_exec: filename='

# kill -9: the guardian removes what there was, and no file with pages stays
"$SONDE" ftrace record -e sched_process_exit -o k.dat 2>/dev/null & pid=$!
await '[ -n "$(left $pid)" ]'
kill -9 $pid; wait $pid 2>/dev/null || :
await '[ -z "$(left $pid)" ]'
same "$(find . -maxdepth 1 -name '.sonde-*')" ''
