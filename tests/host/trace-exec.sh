# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 300
# sonde trace: an exec and what changes in it: the thread's name (--comm takes the call by the old one and the new one, whole), and whose
# child that is.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/btf/vmlinux ] || skip "no BTF"
t() { rm -f lines; run timeout -k 5 60 "$SONDE" trace --engine=$engine -o lines "$@"; }
line() { told lines "$1" || { cat lines; fail "$engine: no line: $1"; }; }
none() { ! grep -Eq -- "$1" lines || { cat lines; fail "$engine: a line: $1"; }; }
execs() { joined "${1-lines}" | grep -c 'execve(' || :; }
odd=odd$$; later=later$$; cp /bin/bash $odd; cp /bin/true $later
# bash -> odd (twice true, each a child), then another true of bash's own
command="./$odd -c './$later aa bb; ./$later; :'; /bin/true zz; :"
for engine in bpf perf ptrace; do
	strings=1; [ $engine != perf ] || strings=
	for more in '-e execve' '-e execve,openat' ''; do
		t --comm $odd $more bash -c "$command"; ok
		same "$(execs)" 3 "$engine: execs by that name and to it ($more)"
		line "$odd/[0-9]+ execve\(.*= 0 \(parent: bash/[0-9]+\)"; line "$later/[0-9]+ execve\(.*= 0 \(parent: $odd/[0-9]+\)"
		[ -z "$strings" ] || { line "execve\(filename: \"./$odd\", argv: \[\"./$odd\", \"-c\", "; line "execve\(filename: \"./$later\", argv: \[\"./$later\", \"aa\", \"bb\"\]"; }
		none "execve\(\)|zz|true/"
	done
	t --comm $odd -e execve --json bash -c "$command"; ok
	same "$(grep -c '"syscall":"execve"' lines)" 3 "$engine: JSON"; line "\"type\":\"exec\".*\"comm\":\"$odd\".*\"ppid\":[0-9]+,\"parent\":\"bash\""
	line "\"comm\":\"$later\".*\"ppid\":[0-9]+,\"parent\":\"$odd\",\"syscall\":\"execve\""
	t --comm $odd -s bash -c "$command"; ok; same "$(awk '$1 == "execve" { n += $2 } END { print n }' lines)" 3 "$engine: summary"
	t --no-syscalls bash -c '/bin/true; :'; ok; line 'true/[0-9]+ \+\+\+ exec of [0-9]+ \(parent: bash/[0-9]+\) \+\+\+'
	# the numbers are those of the parent
	t -e execve bash -c 'echo $$ >parent; /bin/true; :'; ok; line "true/[0-9]+ execve.*\(parent: bash/$(cat parent)\)$"
	line "bash/[0-9]+ execve.*\(parent: sonde/[0-9]+\)$"
	t --strace -e execve bash -c '/bin/true; :'; ok; none parent
	run "$SONDE" trace record --engine=$engine -o t.data -e execve bash -c "$command"; ok
	run "$SONDE" trace -i t.data --comm $odd; ok; same "$(execs "$T/out")" 3 "$engine: a recording"; has "$later/[0-9]+ execve.*\(parent: $odd/[0-9]+\)$"
	run "$SONDE" trace -i t.data --json; ok; has '"ppid":[0-9]+,"parent":"bash","syscall":"execve"'
done
# a thread that names itself has that name from then on, whichever calls are traced
cat >renames.py <<'EOF'
import ctypes, os
ctypes.CDLL(None).prctl(15, b"renamed", 0, 0, 0)
os.stat("/etc/hostname")
EOF
for engine in bpf perf ptrace; do
	for more in '-e newfstatat,stat' '' '--comm renamed'; do
		t $more /usr/bin/python3 renames.py; ok; same "$(joined lines | grep -E 'stat(at)?\(' | tail -n 1 | sed 's/.*): \([a-z0-9]*\).*/\1/')" renamed "$engine: $more"
	done
done
# of a whole machine
engine=bpf; t -a --comm $odd -e execve bash -c "$command"; ok; same "$(execs)" 3 "-a"; none '\(\) *=|\[continued\]'
