# SPDX-License-Identifier: GPL-2.0-or-later
# -u and -G, the same in the engines that know them.
[ "$(id -u)" = 0 ] || skip "needs root"
for name in true sh id; do cp "$(type -P $name)" odd-$name; done # others may run these as nobody
t() { run "$SONDE" trace --engine=$engine -o lines "$@"; }
line() { told lines "$1" || fail "$engine: no line $1: $(tail -5 lines)"; }
none() { ! grep -Eq -- "$1" lines || fail "$engine: $(grep -Em1 -- "$1" lines)"; }
top=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=sonde-test-$$
if [ -n "$top" ] && mkdir -p "$top/$group/sub" 2>/dev/null; then trap 'rmdir "$top/$group/sub" "$top/$group" 2>/dev/null || :' EXIT; else top=; fi
for engine in bpf perf; do
	# the same processes are root's at first, one of them for a moment nobody's
	t -a -u nobody -e exit_group ./odd-sh -c './odd-true; runuser -u nobody -- ./odd-true; ./odd-id >/dev/null; exit 3'; exits 3
	line 'odd-true/[0-9]+ exit_group'; same "$(joined lines | grep -c 'odd-true/[0-9]* exit_group')" 1 "$engine: of one user"; none 'odd-sh/.*exit_group'; none 'odd-id/'
	# without a word about the calls that change users
	t -a -u 65534 -e getuid,execve runuser -u nobody -- id; ok; line 'id/[0-9]+ getuid\(\) += 65534'; none 'runuser/[0-9]+ getuid\(\) += 0'
	[ -n "$top" ] || continue
	t -a -G $group -e openat,exit_group sh -c '/bin/true
		sh -c "echo \$\$ >'"$top/$group"'/sub/cgroup.procs; exec cat /etc/hostname"; /bin/echo >/dev/null; exit 4'; exits 4
	line 'cat/[0-9]+ openat'; line 'cat/[0-9]+ exit_group'; same "$(joined lines | grep -c 'exit_group(')" 1 "$engine: of one cgroup"
	# of a command's processes; by perf events that is looked up after an exec
	for s in 1 5 20; do # for a reader that has no CPU just then
		t -G $group -e exit_group sh -c '/bin/true
			sh -c "echo \$\$ >'"$top/$group"'/sub/cgroup.procs; exec sh -c \"sleep '$s'; exit 5\""; exit 4'; exits 4
		! told lines 'exit_group\(error_code: 5\)' || break
	done
	line 'exit_group\(error_code: 5\)'; none 'exit_group\(error_code: 4\)'; none 'true/'
	t -a -G $group/none true; exits 255; err_has 'cgroup'; err_has '^hint: '
done
engine=ptrace; t -a -u nobody true; exits 255; err_has '^hint: '
