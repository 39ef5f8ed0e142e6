# SPDX-License-Identifier: GPL-2.0-or-later
# A sonde with file capabilities gives its caller nothing that he has not: doc/SECURITY.md, sentence by sentence.
# needs: setcap gcc su script
[ "$(id -u)" = 0 ] || skip "needs root"
d=$(mktemp -d /tmp/rights.XXXXXX); chmod 755 "$d"; mkdir -m 777 "$d/w"; other=
trap '[ -z "$other" ] || kill $other || :; rm -rf "$d"' EXIT
lent=$d/sonde; cp "$SONDE" "$lent"; chmod 755 "$lent"
# more than is advised: all that an older hint named
setcap cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog,cap_dac_read_search,cap_kill=ep "$lent" || skip "no file capabilities here"
cd "$d/w"
nobody() { as_nobody env HOME="$d/w" "$@"; }
run nobody "$lent" doctor; ok; has '^user +nobody.*capabilities: cap_perfmon, cap_bpf$'
works() { nobody "$lent" trace --engine "$1" -o /dev/null true 2>/dev/null; }

# what is not lent is told to be so: the hint does not advise what the file has
for how in "-e cpu-clock --filter period>1" --off-cpu; do
	# shellcheck disable=SC2086
	run nobody "$lent" record -q $how -o x.data true; exits 255; err_has 'not lent|lent rights'; err_hasnt 'cap_bpf'; err_has '^hint: '
done

# what is not in effect, and what the command has
run nobody "$lent" trace -o /dev/null grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status; ok; hasnt '[1-9a-f]$'
run nobody "$lent" record -q -e cpu-clock:u -o x.data grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status; ok; hasnt '[1-9a-f]$'
nobody "$lent" record -q -a -e cpu-clock -o x.data sleep 1000 2>/dev/null & job=$!
await 'p=$(pgrep -o -f "^$lent record") && [ -s x.data ]'
same "$(sed -n 's/^CapEff:\t//p' "/proc/$p/status")" 0000000000000000 "in effect"
kill "$p"; wait $job || :

# commands that open no events have given them up for good, whatever the files that they read make of them
mkfifo pipe; chmod 666 pipe
nobody "$lent" script -i - <pipe >/dev/null 2>&1 & job=$!
exec 8>pipe
await 'p=$(pgrep -o -f "^$lent script")'
await '[ "$(sed -n "s/^CapPrm:\t//p" "/proc/$p/status")" = 0000000000000000 ]'
exec 8>&-; wait $job || :

# and so have those that watch the machine live but by trace, stat and record: nothing is lent to them
for how in 'top --stdio' 'flame -a sleep 0.1' 'offcpu -a true'; do
	# shellcheck disable=SC2086
	run nobody timeout 20 "$lent" $how; exits 255; err_has "^hint: the capabilities of sonde.s file are for trace, stat and record"
done
for how in 'sched latency true' 'lock contention true'; do
	# shellcheck disable=SC2086
	run nobody timeout 20 "$lent" $how; exits 255; err_has 'not lent|lent rights|no tracepoints for waits'; err_hasnt 'cap_bpf'
done
run nobody "$lent" funccount --duration 0.1 libc:malloc; exits 255; err_has '^hint: scripts are for root|^hint: .*sudo'
for how in 'ftrace list' 'ftrace reset -a' 'ftrace start -e sched:sched_switch' 'tpoint sched:sched_switch' 'uprobe libc:malloc' 'sched record true' 'timeline true'; do
	# shellcheck disable=SC2086
	nobody ls /sys/kernel/tracing/events >/dev/null 2>&1 || { run nobody timeout 20 "$lent" $how; exits 255; err_has 'no permission to read tracefs'; }
done

# scripts are for root: they read all memory
run nobody "$lent" run -e 'BEGIN { printf("in\n"); exit(); }'; exits 255; hasnt '^in'; err_has 'scripts are not run with the capabilities'; err_has '^hint: .*sudo sonde run'
echo 'probe timer.profile { print("in\n"); exit() }' >script.stp
run nobody "$lent" run script.stp; exits 255; hasnt '^in'; err_has 'scripts are not run with the capabilities'
# settings, output commands and names of files: as the caller
install -m 600 /dev/null "$d/settings"; printf '[a]\n\tb = hash\n' >"$d/settings"
run nobody env PERF_CONFIG="$d/settings" "$lent" config -l; hasnt hash; err_hasnt hash
run nobody "$lent" trace -o '|grep -E "Cap(Inh|Prm|Eff|Amb)" /proc/self/status' true; ok; has 'CapEff:'; hasnt '[1-9a-f]$'
run nobody "$lent" record -q -e cpu-clock:u -o "$d/refused.data" true; exits 255; [ ! -e "$d/refused.data" ] || fail "wrote where its caller may not"

# nor have the pager and scripts any
caps='grep -E "Cap(Inh|Prm|Eff|Amb)" /proc/self/status'
run nobody env SONDE_PAGER="cat >/dev/null; $caps" script -qec "'$lent' list sw" /dev/null; ok; has 'CapEff:'; hasnt '[1-9a-f][[:space:]]*$'
nobody "$lent" record -q -e cpu-clock:u -o own.data true
printf 'print(open("/proc/self/status").read())\n' >caps.py
run nobody "$lent" script -i own.data -s caps.py; ok; [ "$(grep -cE '^Cap(Inh|Prm|Eff|Amb):.0+$' "$T/out")" = 4 ] || fail "a script has capabilities"

# doctor says what each command may do with them
. "$TOP/tests/doctor-agrees.sh"; chmod 755 "$T"; agrees "nobody with capabilities" nobody "$lent"

# files: as the caller
install -m 600 /dev/null "$d/secret"; echo 'root:hash' >"$d/secret"
echo 'int main(void) { return 0; }' | gcc -g -x c -o "$d/mine" -
printf '#line 1 "%s"\nint main(void) { return 0; }\n' "$d/secret" | gcc -g -x c -o "$d/x" -
run nobody "$lent" probe -x "$d/x" -L "$d/secret:1-5"; exits 255; hasnt hash; err_hasnt hash
install -m 700 "$d/mine" "$d/hidden"
run nobody "$lent" buildid-cache -a "$d/hidden"; exits 255; [ -z "$(find "$d/w/.debug" -name elf 2>/dev/null)" ] || fail "a program was copied"
"$SONDE" record -q -e cpu-clock:u -o "$d/root.data" true; chmod 600 "$d/root.data"
for how in report script annotate flame timeline evlist buildid-list 'export --to folded' 'data convert --to-json x.json' 'inject -o y.data' 'sched timehist' 'sched latency' 'stat report' trace; do
	# shellcheck disable=SC2086
	run nobody "$lent" $how -f -i "$d/root.data"; [ "$code" != 129 ] || run nobody "$lent" $how -i "$d/root.data"; exits 255; err_has 'ermission denied'
done
run nobody "$lent" diff -f "$d/root.data" own.data; exits 255; err_has 'ermission denied'
run nobody "$lent" ftrace report -i "$d/root.data"; exits 255; err_has 'ermission denied'
run nobody "$lent" flame --folded "$d/secret"; exits 255; err_has 'ermission denied'; err_hasnt hash
run nobody "$lent" run "$d/secret"; exits 255; err_has 'ermission denied'; err_hasnt hash
for how in --kallsyms --vmlinux --symfs; do
	run nobody "$lent" report --stdio $how "$d/secret" -i own.data; hasnt hash; err_hasnt hash
done
run nobody "$lent" stat -e task-clock --openmetrics "$d/refused.prom" true; exits 255; [ ! -e "$d/refused.prom" ] || fail "wrote where its caller may not"
run nobody "$lent" archive -f -i "$d/root.data" -o a.tar; exits 255; [ ! -s a.tar ] || fail "an archive of root's recording"

# processes: as the caller
sleep 1000 & other=$!; await "asleep $other"
for how in "trace -p $other" "trace -t $other" "trace --engine ptrace -p $other" "trace --inject all:signal=KILL -p $other" \
	"record -e cpu-clock -o x.data -p $other" "stat -e task-clock -p $other"; do
	run nobody "$lent" $how; exits 255; err_has "process $other is not yours to trace"; err_has '^hint: sudo sonde'
done
kill -0 $other || fail "it was killed"
for how in -a '-a -u nobody' '-C 0' '--comm sleep' '-G /'; do
	run nobody timeout 20 "$lent" trace $how; exits 255; err_has 'not yours to see'
done
run nobody "$lent" record -a -e cpu-clock --call-graph dwarf -o x.data true; exits 255; err_has "no permission to copy stacks"
run nobody "$lent" record -a -e cpu-clock -I -o x.data true; exits 255; err_has "no permission to copy stacks and registers"
# call chains of programs built without frame pointers are words of their memory
run nobody "$lent" record -a -e cpu-clock -g -o x.data sleep 0.1; exits 255; err_has 'no permission to follow the stacks of all programs'; err_has '^hint: .*--kernel-callchains'
run nobody "$lent" record -a -e cpu-clock -g --kernel-callchains -o x.data sleep 0.1; ok
run nobody "$lent" record -q -e cpu-clock -g -o x.data sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; ok; nobody "$lent" script -F ip -i x.data >chains; grep -q . chains || fail "no stacks of one's own program"
# of the kernel no registers; in its code no probes; and tracepoints by a number that he could only guess are not his
run nobody "$lent" record -q -e cpu-clock -c 100000 -I -o x.data sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; cat /proc/self/maps /proc/self/smaps >/dev/null'
ok
nobody "$lent" script -F ip,iregs -i x.data >regs; grep -q 'IP:0x' regs || fail "no registers of user space"; ! grep -q 'IP:0xffff' regs || fail "registers of the kernel"
if [ -e /sys/bus/event_source/devices/uprobe ]; then
	run nobody "$lent" stat -a -e uprobe/config1=0x1000,config2=0x10/ true; exits 255; err_has 'not for probes'
fi
tracefs=/sys/kernel/tracing
if [ -r $tracefs/events/sched/sched_process_exec/id ] && ! nobody ls $tracefs/events >/dev/null 2>&1; then
	id=$(cat $tracefs/events/sched/sched_process_exec/id)
	for how in "record -R -c 1 -o x.data" stat; do
		run nobody "$lent" $how -a -e tracepoint/config=$id/ true; exits 255; err_has 'could not be read in tracefs'; err_has '^hint: .*mode=750'
	done
	"$SONDE" stat -a -e tracepoint/config=$id/ true 2>/dev/null || fail "root cannot count a tracepoint by its number"
fi
run nobody "$lent" stat -a -e task-clock true; ok
if "$SONDE" stat -a -e task-clock -G / true 2>/dev/null; then
	run nobody "$lent" stat -a -e task-clock -G / true; ok
fi
run nobody sh -c "sleep 1000 & '$lent' record -q -e cpu-clock -o x.data -p \$! -- true; r=\$?; kill \$!; exit \$r"; ok

# one of his own that he may not look into
install -m 711 "$(command -v sleep)" "$d/closed"
as_nobody "$d/closed" 1000 & closed=$!
await 'p=$(pgrep -o -f "^$d/closed")'
run nobody "$lent" trace -p "$p"; exits 255; err_has "process $p is not yours to trace"
kill "$p"; wait $closed || :

# tampering gives nobody's rights, set-uid programs no more
run nobody "$lent" trace --inject getuid:retval=0 -o /dev/null su -c id; hasnt 'uid=0'
[ "$code" != 0 ] || fail "su let everybody in"
if works ptrace; then
	run nobody "$lent" trace --engine ptrace -e getuid,openat -o y cat /etc/hostname; ok; grep -q hostname y || fail "no calls seen"
fi
works bpf || exit 0
# the command is the caller's while it waits for its go: what he makes of it then is looked at again
printf '#include <unistd.h>\nint main(int n, char **v) { if (n < 3 || setuid(0)) return 1; while (access(v[1], F_OK)) usleep(1000); execl(v[2], v[2], (char *)0); return 1; }\n' |
	gcc -x c -o "$d/becomes" -; chmod 4755 "$d/becomes"
printf '#include <fcntl.h>\nint main(void) { return open("/within", O_RDONLY) > 0; }\n' | gcc -x c -o "$d/within" -
cp "$PROG/hijack" "$d/hijack"; chmod 755 "$d/hijack" "$d/within"; tried=
for _ in 1 2 3; do
	rm -f y go; run nobody "$d/hijack" "$d/becomes" "$d/w/go" "$d/within" "$lent" trace --engine bpf -o y sleep 1000
	! grep -q '"/within"' y 2>/dev/null || fail "saw into root's program"
	if [ "$code" = 0 ]; then tried=1; err_has 'not yours to trace'; fi
done
[ "$tried" ] || fail "the command was never taken over"
run nobody "$lent" trace --engine bpf -e openat -o y cat /etc/hostname; ok; grep -q 'openat.*/etc/hostname' y || fail "no calls seen"
run nobody sh -c "sleep 1000 & '$lent' trace --engine bpf -o y -p \$! -- true; r=\$?; kill \$! 2>/dev/null; exit \$r"; ok
# who execs what is not his is let go of
for mode in 4755 2755 711 caps; do
	install -m "${mode/caps/755}" "$d/within" "$d/within.$mode"
	[ $mode != caps ] || setcap cap_net_raw=ep "$d/within.caps"
	run nobody "$lent" trace --engine bpf -o y sh -c "cat /dev/null; '$d/within.$mode'; cat /etc/hostname"; ok
	err_has "^sonde: process [0-9]+ runs a program now that is not yours to trace: it is not followed any more"
	! grep -q '"/within"' y || fail "saw into a program of mode $mode"
	grep -q '"/etc/hostname"' y || fail "the shell's other children are lost (mode $mode)"
done
install -m 755 "$d/within" "$d/within.755"
run nobody "$lent" trace --engine bpf -o y "$d/within.755"; ok; grep -q '"/within"' y || fail "the test's own program is not seen"; err_hasnt 'not yours'
# also one that takes on what --comm asks for only later
printf '#include <fcntl.h>\n#include <sys/prctl.h>\nint main(void) { prctl(PR_SET_NAME, "renamed"); return open("/within", O_RDONLY) > 0; }\n' |
	gcc -x c -o "$d/renames" -
install -m 4755 "$d/renames" "$d/renames.4755"; chmod 755 "$d/renames"
run nobody "$lent" trace --engine bpf --comm renamed -o y sh -c "'$d/renames.4755'; :"; ok; err_has 'not yours to trace'
! grep -q '"/within"' y || fail "saw into a set-uid program that renamed itself"
for command in "$d/renames" "sh -c $d/renames;:"; do
	IFS=' ' read -ra words <<<"$command"
	run nobody "$lent" trace --engine bpf --comm renamed -o y "${words[@]}"; ok; grep -q '"/within"' y || fail "$command is not seen once it is renamed"
done
# one that is set-uid itself
for mode in 4755 2755; do
	chmod $mode "$lent"; run nobody "$lent" doctor; exits 255; err_has 'set-uid or set-gid'; err_has '^hint: chmod u-s'; chmod 755 "$lent"
done
# where set-uid programs cannot be told from others; the kernel itself stays as it is
if unshare -m true 2>/dev/null; then
	echo 1 >"$d/one"
	# shellcheck disable=SC2016
	masked() { unshare -m sh -c 'mount --bind "$0" /proc/sys/fs/suid_dumpable; exec "$@"' "$d/one" runuser -u nobody -- env HOME="$d/w" "$@"; }
	run masked "$lent" trace --engine bpf -o y true; exits 255; err_has 'fs.suid_dumpable is 1'; err_has '^hint: sudo sysctl fs.suid_dumpable=0'
fi
# the one capability that could do all: not in effect, and not the command's
setcap cap_sys_admin=ep "$lent"
run nobody "$lent" doctor; ok; has '^user +nobody.*capabilities: cap_sys_admin$'
run nobody "$lent" trace -o /dev/null grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status; ok; hasnt '[1-9a-f]$'
for how in "trace -p $other" "stat -e task-clock -p $other" "record -e cpu-clock -o x.data -p $other"; do
	run nobody "$lent" $how; exits 255; err_has "process $other is not yours to trace"
done
run nobody "$lent" trace -a; exits 255; err_has 'not yours to see'
run nobody "$lent" report -f -i "$d/root.data"; exits 255; err_has 'ermission denied'
