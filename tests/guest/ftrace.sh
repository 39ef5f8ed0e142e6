# SPDX-License-Identifier: GPL-2.0-or-later
# The function tracers, latency and profile beside the text of the same graph, probes by name; after each, and after kill -9 in the
# middle of each, instances, events and knobs are as before.
# timeout: 600
tracing=/sys/kernel/tracing
knobs() { (cd $tracing; ls instances; cat /proc/sys/kernel/stack_tracer_enabled stack_max_size kprobe_events uprobe_events synthetic_events set_event current_tracer tracing_on set_ftrace_filter set_graph_function set_ftrace_pid max_graph_depth trace_options options/func* options/sleep-time tracing_thresh buffer_size_kb); }
dd if=/dev/zero of=zeros bs=1000 count=40 2>/dev/null
reader=(dd if=zeros of=/dev/null bs=1000)
run "$SONDE" ftrace -T vfs_read -T vfs_write "${reader[@]}"; ok
[ "$(sed 's/ .*//' $tracing/buffer_size_kb)" -gt 1000 ] || grep -q expanded $tracing/buffer_size_kb || fail "others would trace into a few kB: $(cat $tracing/buffer_size_kb)"
before=$(knobs)
[ "$(grep -c -- '-[0-9]* .*: vfs_read <-' "$T/out")" -ge 40 ] || fail "reads are missing"
has 'vfs_write <-'
run "$SONDE" ftrace -G vfs_read --graph-opts depth=2,tail "${reader[@]}"; ok
has '\|  vfs_read\(\) \{$'; has '\|    rw_verify_area'; has '\|  } /\* vfs_read \*/$'; hasnt '\|      [a-z]'
run "$SONDE" ftrace -G vfs_read -D 2 "${reader[@]}"; ok; has '\|    rw_verify_area'; hasnt '\|      [a-z]'
hasnt irq_work # nobody is woken for what is shown, in the midst of what is measured
run "$SONDE" ftrace -G vfs_read --graph-opts depth=1 --json "${reader[@]}"; ok
[ "$(grep -c '"function":"vfs_read","us":' "$T/out")" -ge 40 ] || fail "no JSON of the graph"
grep -q '"kind":"return","function":"vfs_read",' "$T/out" || ! grep -q '"kind":"return"' "$T/out" || fail "an end does not say of what"
# options of a tracer are the kernel's, not an instance's: put back, also after kill -9, and one has them at a time
run "$SONDE" ftrace -T vfs_read --func-opts call-graph "${reader[@]}"; ok; has '^ => vfs_read$'
same "$(knobs)" "$before" "knobs are not as before"
"$SONDE" ftrace record -q -p function -l vfs_open --func-stack -o k.dat & holder=$!
await '[ "$(cat $tracing/options/func_stack_trace)" = 1 ]'
run "$SONDE" ftrace -T vfs_read --func-opts call-graph true; exits 255; err_has "in use by process $holder .sonde"
kill -KILL $holder; wait $holder || :; await '[ "$(knobs)" = "$before" ]'
run "$SONDE" ftrace start -p function -l vfs_open --func-stack; ok; run "$SONDE" ftrace reset; ok; same "$(knobs)" "$before" "knobs are not as before"
run "$SONDE" ftrace -T nosuchfunction true; exits 255; err_has "no function that can be traced matches 'nosuchfunction'"
same "$(knobs)" "$before" "knobs are not as before"
# counts are those of the graph: 40 blocks, the end, and what the start of dd reads
calls=$("$SONDE" ftrace -T vfs_read "${reader[@]}" 2>/dev/null | grep -c 'vfs_read <-')
run "$SONDE" ftrace profile -T vfs_read "${reader[@]}"; ok; has '^# Total \(us\)   Avg \(us\)   Max \(us\)      Count   Function$'
awk -v calls="$calls" '$5 == "vfs_read" { good = $4 == calls && $1 >= $3 && $1 >= $4 * $2 - 1 && $1 <= $4 * $2 + 1 } END { exit !good }' "$T/out" || fail "the profile is not of $calls calls"
run "$SONDE" ftrace latency -T vfs_read "${reader[@]}"; ok; has '^#   DURATION     +\|      COUNT \| GRAPH'
same "$(awk -F'|' '!/^#/ { n += $2 } END { print n }' "$T/out")" "$calls" "the histogram is of others"
run "$SONDE" ftrace latency -b -T vfs_read "${reader[@]}"; ok
n=$(awk -F'|' '!/^#/ { n += $2 } END { print n }' "$T/out"); [ "$n" -ge 40 ] || fail "the histogram by eBPF is of $n"
run "$SONDE" ftrace latency true; exits 129
while :; do : <zeros; done & busy=$!
count() { awk -F'|' '!/^#/ { n += $2 } END { print n }' "$T/out"; }
for whom in -a "-p $busy" "--tid $busy" "-C 0-1" "-C 0-1 -p $busy -p $$"; do
	run "$SONDE" ftrace latency -b $whom --timeout 1500 -T vfs_open; ok; [ "$(count)" -ge 1 ] || fail "latency -b $whom: nothing is counted"
done
run "$SONDE" ftrace latency -b -p $$ --timeout 500 -T vfs_mkdir; ok; same "$(count)" 0
run "$SONDE" ftrace latency -b -p 999999 --timeout 1000 -T vfs_open; exits 129
kill $busy; wait $busy || :
# filters of events in the top instance, which function_graph borrows, go back to what they were, also after kill -9
filters() { (cd $tracing/events; cat irq/*/filter sched/*/filter | sort | uniq -c; cat sched/sched_switch/trigger | grep -v '^#') || :; }
echo 'prev_pid == 1' >$tracing/events/sched/sched_switch/filter; old=$(filters)
run "$SONDE" ftrace record -q -p function_graph -e irq -f 'common_pid > 0' -e 'sched:*' -f 'common_pid > 1' -R stacktrace -g vfs_read -F -o graph.dat "${reader[@]}"; ok
same "$(filters)" "$old" "filters are not as before"
after 'grep -q "common_pid > 0" $tracing/events/irq/softirq_entry/filter && [ "$(cat $tracing/tracing_on)" = 1 ]' KILL \
	"$SONDE" ftrace record -q -p function_graph -e irq -f 'common_pid > 0' -o graph.dat; exits 137; await '[ "$(filters)" = "$old" ]'
echo 0 >$tracing/events/sched/sched_switch/filter; same "$(knobs)" "$before" "knobs are not as before"
# what others had set is put back, all of it
printf 'vfs_read\nvfs_write\n' >$tracing/set_ftrace_filter; two=$(knobs)
run "$SONDE" ftrace profile -T vfs_open true; ok; has ' vfs_open$'
same "$(knobs)" "$two" "others' knobs are not as before"
echo >$tracing/set_ftrace_filter
# probes of the kernel: registers, return values, names
run "$SONDE" kprobe -v 'p:mine do_sys_openat2 file=+0(%si):ustring'; ok; has '^name: mine'; has 'char\[\] file'
line() { timeout 60 "$SONDE" kprobe "$@" 2>err | awk '/\) .*=/ { print; exit }' >got & local p=$!; await '! kill -0 '$p' 2>/dev/null || { cat zeros >/dev/null; false; }'; }
line 'p:mine do_sys_openat2 file=+0(%si):ustring'; grep -q 'mine: (do_sys_openat2+0x0/0x[0-9a-f]*) file="' got || fail "no line: $(cat got err)"
line 'r:vfs_read $retval' 'arg1 > 100'; grep -q 'vfs_read: (ksys_read+.* <- vfs_read) arg1=0x' got || fail "no return: $(cat got err)"
line 'vfs_read count'; grep -q 'count=0x' got || fail "no name: $(cat got err)"
run "$SONDE" funcgraph -d 0.5 -m 1 nosuchfunction; exits 255
run "$SONDE" funccount -v -d 1 'vfs_re*'; ok; has '^vfs_read +[0-9]+$'; err_has 'functions, a kprobe each|kprobe_multi'; err_hasnt 'takes no probe'
run "$SONDE" functrace -d 0.2 'vfs_re*'; ok; has '^Tracing "vfs_re\*" for 0.2 seconds\.\.\.$'; hasnt ' sonde-[0-9]+ ' # its own reading is not traced
same "$(knobs)" "$before" "knobs are not as before"
# the stack tracer: while a command runs; one at a time; for longer
run "$SONDE" ftrace stack true; ok; has '^ +Depth +Size +Location'; has '^  0\) +[0-9]+ +[0-9]+ +[a-z_0-9.]+\+0x'
run "$SONDE" ftrace stack --start; ok; run "$SONDE" ftrace stack true; exits 255; err_has 'somebody has switched it on'
run "$SONDE" ftrace stack; ok; has Depth; hasnt 'not running'
run "$SONDE" ftrace stack --stop; ok; run "$SONDE" ftrace stack; ok; has '^\(stack tracer not running\)$'; has Depth
run "$SONDE" ftrace stack true; exits 255; err_has 'holds a stack'; err_has '^hint: .*--reset'
run "$SONDE" ftrace stack --reset; ok
# hist triggers: a table, JSON, one that refers to another and makes an event; what is wrong
run "$SONDE" ftrace hist 'hist:keys=common_pid:vals=hitcount:sort=hitcount' sched:sched_process_exit sh -c 'ls; ls; :'; ok
has '^# sched:sched_process_exit hist:keys=common_pid:'; has '^common_pid +hitcount$'; has '^ +[0-9]+ +1$'; has '^# hits [3-9]'
run "$SONDE" ftrace hist --json 'hist:keys=comm,pid:vals=prio' sched_process_exit -- true; ok; has '"keys":\{"comm":"true","pid":[0-9]+\},"values":\{"hitcount":1,"prio":120\}'
run "$SONDE" ftrace hist 'hist:keys=stacktrace' sched_process_exit -- true; ok; has '^    do_group_exit\+0x'
both=(--synth 'slept u64 lat; char comm[16]' 'hist:keys=pid:ts0=common_timestamp.usecs' sched:sched_waking
	'hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).slept($lat,next_comm)' sched:sched_switch)
run "$SONDE" ftrace hist "${both[@]}" 'hist:keys=comm:vals=lat' synthetic:slept -- sleep 0.3; ok; has '^sleep +1'; has '^comm +hitcount +lat'
same "$(knobs)" "$before" "knobs are not as before"
run "$SONDE" ftrace hist 'hist:keys=nosuch' sched_switch true; exits 255; err_has "the kernel's reason: .*field"
run "$SONDE" ftrace hist --synth 'slept u64' 'hist:keys=pid' sched_waking true; exits 255; err_has slept
# a session with a trigger that has variables goes all the same; -v is of every -e after it; the snapshot is extracted
run "$SONDE" ftrace start -e sched -v -e sched_switch -e sched_waking; ok; run "$SONDE" ftrace stat -o; has 'sched:sched_wakeup$'; hasnt 'sched:sched_(switch|waking)$'; has '^    print-parent'
run "$SONDE" ftrace snapshot -s; ok; run "$SONDE" ftrace extract -s -o snap.dat; ok; run "$SONDE" ftrace report snap.dat; ok; has 'sched_wakeup:'
run "$SONDE" ftrace start -e sched_waking -R 'hist:keys=pid:ts0=common_timestamp.usecs'; ok
run "$SONDE" ftrace show --hist sched_waking; ok; has 'pid:'
run "$SONDE" ftrace reset; ok
same "$(knobs)" "$before" "knobs are not as before"
# kill -9 in the middle
after '[ "$(cat /proc/sys/kernel/stack_tracer_enabled)" = 1 ]' KILL "$SONDE" ftrace stack; exits 137; await '[ "$(knobs)" = "$before" ]'
after 'grep -q keys=next_pid $tracing/instances/sonde-*/events/sched/sched_switch/trigger' KILL "$SONDE" ftrace hist "${both[@]}"; exits 137; await '[ "$(knobs)" = "$before" ]'
after '[ -n "$(ls $tracing/instances)" ] && [ "$(cat $tracing/instances/*/tracing_on)" = 1 ]' KILL "$SONDE" ftrace record -q -p function -o k.dat; exits 137; await '[ "$(knobs)" = "$before" ]'
after '[ "$(cat $tracing/current_tracer)" = function_graph ]' KILL "$SONDE" ftrace profile; exits 137; await '[ "$(knobs)" = "$before" ]'
after '[ "$(cat $tracing/current_tracer)" = function_graph ]' KILL "$SONDE" ftrace latency -T vfs_read; exits 137; await '[ "$(knobs)" = "$before" ]'
after '[ -n "$(ls $tracing/instances)" ] && [ "$(cat $tracing/instances/*/tracing_on)" = 1 ]' KILL "$SONDE" ftrace stream -p function -l 'vfs_*' -o k.txt; exits 137; await '[ "$(knobs)" = "$before" ]'
killed() {
	after '[ -s out.k ]' KILL "$SONDE" "$@"; exits 137
	rm out.k
	await '[ "$(knobs)" = "$before" ]'
}
killed ftrace -o out.k -T 'vfs_*'
killed ftrace -o out.k -G vfs_read
killed kprobe -o out.k 'p:mine vfs_read count=%dx'
killed funcgraph -o out.k -m 2 vfs_read
# The same life as all commands (tests/host/life.sh): told to end they end in order, with 0 where they started no command
ends_by() { # SIGNAL CODE ARG...
	after 'ready $pid' "$1" "$SONDE" "${@:3}"; exits "$2"
	same "$(knobs)" "$before" "$*: knobs are not as before"
}
ends_by TERM 0 kprobe 'p:mine vfs_read count=%dx'
ends_by INT 0 functrace 'vfs_*'
ends_by TERM 0 funcgraph -m 2 vfs_read
ends_by INT 130 ftrace -T vfs_read sleep 100
ends_by TERM 143 ftrace latency -T vfs_read sleep 100; has '^#'
ends_by INT 130 ftrace latency -b -T vfs_read sleep 100
ends_by TERM 143 ftrace profile -T vfs_read sleep 100; has '^ *Function|vfs_read'
