# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace: the options of perf trace.
[ "$(id -u)" = 0 ] || skip "needs root"
refuses() { # OPTIONS MESSAGE HINT
	# shellcheck disable=SC2086
	run "$SONDE" trace $1 true; exits 129; err_has "$2"; err_has "^hint: .*$3"
}
file_has() { told "$1" "$2" || { head -c 1500 "$1"; fail "$1 lacks: $2"; }; }
file_hasnt() { ! grep -Eq -- "$2" "$1" || fail "$1 has: $(grep -Em 1 -- "$2" "$1")"; }
# -D: the command's first moments are not seen, what it is in then is; its children are
late() { # OPTION...: the command goes on when the call that it waits in was told
	rm -f gate lines; mkfifo gate; exec 7<>gate
	"$SONDE" trace "$@" -o lines sh -c 'cat /etc/hostname >/dev/null; cat gate; cat /etc/passwd >/dev/null' 7>&- & s=$!
	await '[ -s lines ]'; exec 7>&-; wait $s || fail "sonde trace $*"
}
for ms in 1500 6000 24000; do # a busy machine may not even have started the first cat
	late -D $ms
	grep -q /etc/hostname lines || break
done
file_has lines 'openat.*"/etc/passwd"'; file_hasnt lines '/etc/hostname'
file_has lines 'cat/.*\[continued\]: read'; file_has lines 'wait4'
run "$SONDE" trace -D 60000 -o lines true; ok; [ ! -s lines ] || fail 'lines of a command that ended before its trace began'
run "$SONDE" trace -D 100 -o lines sh -c 'sleep 0.3; exit 7'; exits 7
late --engine=ptrace -D 200; file_has lines 'openat.*"/etc/passwd"'
refuses '-D -3' '0 or more' 'sonde trace -h'
# --errno-summary
run "$SONDE" trace -s --summary-mode total --errno-summary ls /nosuch /dev/null/x; err_has '^	+ENOENT: [0-9]+'; err_has '^	+ENOTDIR: [0-9]+'
run "$SONDE" trace -s --errno-summary --json -o sum ls /nosuch; file_has sum '"errnos":\{"ENOENT":[0-9]+'
refuses --errno-summary 'belongs to a summary' '-s --errno-summary'
# -F
run "$SONDE" trace -F all -o lines cat /etc/hostname; ok
file_has lines 'minfault \[[^]]+\] => /.*/libc\.so\.6@0x[0-9a-f]+ \(d\.\)'; file_has lines 'minfault \[.*\] => \[stack\]@0x[0-9a-f]+'; file_hasnt lines 'openat\('
run "$SONDE" trace -F min --syscalls -o lines cat /etc/hostname; ok; file_has lines 'minfault'; file_has lines 'openat\('
run "$SONDE" trace -F min -e close -o lines cat /etc/hostname; ok; file_has lines 'minfault'; file_has lines 'close\('; file_hasnt lines 'openat\('
run "$SONDE" trace -F maj -o lines cat /etc/hostname; ok; file_hasnt lines 'minfault'
run "$SONDE" trace -F min --json -o lines cat /etc/hostname; ok; file_has lines '"event":"minor-faults","at":\{"ip":"0x[0-9a-f]+".*"touched":\{"ip":'
run "$SONDE" trace record -F min -o f.data cat /etc/hostname; ok; run "$SONDE" trace -i f.data; ok; has 'minfault \[.*\] => /.*@0x'
refuses '--pf=some' 'all, maj or min' 'sonde trace -h'
# --sched: how long each ran
run "$SONDE" trace -s --sched -F all --syscalls sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; ok
err_has '^ sh \([0-9]+\), [0-9]+ calls, [0-9.]+%, ([0-9]+ majfaults, )?[0-9]+ minfaults, [0-9]+\.[0-9]{3} msec$'
run "$SONDE" trace --sched -o lines cat /etc/hostname; ok; file_has lines 'openat'; file_has lines 'Summary of events'; file_hasnt lines 'sched_stat_runtime'
# switches
run "$SONDE" trace --switch-on syscalls:sys_enter_getuid --switch-off syscalls:sys_enter_getgid -o lines id; ok
file_has lines ' getuid\(\) '; file_hasnt lines 'openat|sys_enter|getgid'
run "$SONDE" trace --switch-on syscalls:sys_enter_getuid --show-on-off-events -o lines id; ok; file_has lines 'sys_enter_getuid\(\)'; file_has lines 'getgid'; file_hasnt lines 'execve'
run "$SONDE" trace --switch-off syscalls:sys_enter_getuid -o lines id; ok; file_has lines 'execve'; file_hasnt lines 'getuid|getgid'
run "$SONDE" trace -s --switch-on syscalls:sys_enter_getuid id; ok; err_has ' getgid '; err_hasnt 'execve'
run "$SONDE" trace record --event syscalls:sys_enter_getuid -o s.data id; ok
run "$SONDE" trace -i s.data --switch-on syscalls:sys_enter_getuid; ok; has 'getgid'; hasnt 'execve'
run "$SONDE" trace -i s.data --switch-on sched:nosuch; exits 255; err_has "no event 'sched:nosuch' in the recording"
refuses '--switch-on sched:*exec' 'takes one event' 'sonde list'
refuses '--show-on-off-events' 'goes with --switch-on' 'sonde trace -h'
run "$SONDE" trace record --switch-on sched:sched_switch true; exits 129; err_has 'when it is read'
# --filter, --filter-pids
run "$SONDE" trace -e sched:sched_process_exec --filter 'filename ~ "*/cat"' -o lines sh -c 'cat /etc/hostname; ls / >/dev/null'; ok
file_has lines 'sched_process_exec\(filename=.*/cat'; file_hasnt lines 'sched_process_exec.*/ls'
refuses '--filter pid>0' 'there is none' '--event .* --filter'
sleep 1000 & one=$!
sleep 1000 & two=$!
await "asleep $one && asleep $two"
run "$SONDE" trace -p "$one $two" --filter-pids $one -o lines sleep 0.3; ok; kill $one $two
file_has lines "sleep/$two"; file_hasnt lines "sleep/$one"
# the rest
run "$SONDE" trace --print-sample -e close -o lines cat /etc/hostname; ok; file_has lines '^ raw_syscalls:sys_exit [0-9]+\.[0-9]{3} cat [0-9]+/[0-9]+ \[[0-9]+\]$'
run "$SONDE" trace -m 16 --tool_stats --sort-events --libtraceevent_print -e close cat /etc/hostname; ok; err_has 'events by engine'; err_hasnt 'changes nothing'
run "$SONDE" trace -m 1M -e close true; ok; refuses '-m 3x' 'is not a size' '-m 16M'
run "$SONDE" trace --proc-map-timeout 3 -e close true; ok; err_has 'proc-map-timeout changes nothing'
refuses '--map-dump x' 'no BPF maps' 'bpftool'
run "$SONDE" trace -i nosuch; exits 255; err_has 'cannot open nosuch'; err_has '^hint: .*sonde trace record -o nosuch'
# -f: another user's recording
run "$SONDE" trace record -o mine.data true; ok; chown 12345 mine.data; chmod 755 . ; chmod 644 mine.data
run as_nobody "$SONDE" trace -i mine.data; exits 255; err_has 'but by uid 12345'; err_has 'hint: .*use -f'
run as_nobody "$SONDE" trace -f -i mine.data; ok; has 'execve'
