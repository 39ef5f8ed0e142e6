# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that refuses the eBPF programs: the next engine takes over with a word about it, unless eBPF was asked for.
[ "$(id -u)" = 0 ] || skip "needs root"
line() { told lines "$1" || { head -20 lines | cut -c1-200; fail "no line: $1"; }; }
for way in none detached; do
	export SONDE_BPF_LOADER=$way
	case $way in
	none) why='the kernel refuses the tracing program: ' ;;
	*) why="cannot attach to the kernel's tracepoints: " ;;
	esac
	run "$SONDE" trace -o lines sh -c 'cat /etc/hostname >/dev/null; exit 3'; exits 3
	err_has "^sonde: $why.*, so --engine=perf is used instead of bpf\$"
	same "$(grep -c . "$T/err")" 2 "lines of warning"; err_has '^hint: with perf events pointers stay addresses; --engine=ptrace shows'
	grep -Eq 'openat\(.*filename: 0x' lines || fail "perf events with strings: the hint is wrong"
	line 'cat/[0-9]+ .*openat\('; line 'exited with 3'
	run "$SONDE" trace -a -e nanosleep,clock_nanosleep -o lines sleep 0.1; ok; err_has 'so --engine=perf'; line 'nanosleep'
	err_hasnt '^hint' # nothing else traces the whole machine
	run "$SONDE" trace -s true; ok; err_has 'so --engine=perf'; err_hasnt '^hint' # a table has no strings
	run "$SONDE" trace --engine=ptrace -e openat -o lines cat /etc/hostname; ok; line 'filename: "/etc/hostname"'; same "$err" "" "a word about what was asked for"
	run "$SONDE" trace --engine=perf -e openat -o lines cat /etc/hostname; ok; same "$err" "" "a word about what was asked for"
	sh -c 'while sleep 0.05; do :; done' & pid=$!
	run "$SONDE" trace -p $pid --max-events 5 -o lines; ok; err_has '^hint: with perf events'; kill $pid
	run "$SONDE" trace --engine=bpf -o lines true; exits 255; err_has "^sonde: $why"; err_has '^hint: without --engine'
done

# neither eBPF nor tracepoints: ptrace, but for the whole machine
bare() { run unshare -m sh -c 'mount -t tmpfs none /sys/kernel/tracing && mkdir /sys/kernel/tracing/events && exec "$@"' sh "$@"; }
if bare true && [ "$code" = 0 ]; then
	bare "$SONDE" trace -e openat -o lines sh -c 'cat /etc/hostname >/dev/null; exit 3'; exits 3
	err_has 'so --engine=ptrace is used instead of bpf'
	line 'cat/[0-9]+ .*openat\(.*filename: "/etc/hostname".* = 3</etc/hostname>'; line 'exited with 3'
	sh -c 'while sleep 0.05; do :; done' & pid=$!
	bare "$SONDE" trace -p $pid --max-events 5 -o lines; ok; err_has 'so --engine=ptrace'; line '= '
	kill $pid
	bare "$SONDE" trace -a -o lines true; exits 255; err_has "^sonde: cannot attach to the kernel's tracepoints"
	err_hasnt 'is used instead'
fi
