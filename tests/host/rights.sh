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
run nobody "$lent" report -f -i "$d/root.data"; exits 255; err_has 'ermission denied'
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
run nobody "$lent" record -a -e cpu-clock -g -o x.data sleep 0.1; ok
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
run nobody "$lent" trace --engine bpf -e openat -o y cat /etc/hostname; ok; grep -q 'openat.*/etc/hostname' y || fail "no calls seen"
run nobody sh -c "sleep 1000 & '$lent' trace --engine bpf -o y -p \$! -- true; r=\$?; kill \$! 2>/dev/null; exit \$r"; ok
# who execs what is not his is let go of
printf '#include <fcntl.h>\nint main(void) { return open("/within", O_RDONLY) > 0; }\n' | gcc -x c -o "$d/within" -
for mode in 4755 711; do
	install -m $mode "$d/within" "$d/within.$mode"
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
