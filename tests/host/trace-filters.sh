# SPDX-License-Identifier: GPL-2.0-or-later
# needs: strace
# timeout: 300
# sonde trace: a filter filters, -P means files and not their spelling, --max-events counts calls, a file's lines name their thread.
export PATH=/usr/bin:/bin
[ "$(id -u)" = 0 ] || skip "needs root"
t() { rm -f lines; run timeout -k 5 60 "$SONDE" trace --engine=$engine -o lines "$@"; }
only_calls() { same "$(grep -Ec '\+\+\+|---' lines)" 0 "$engine: $1: lines of forks, exits, signals"; }
mkdir dir; echo text >file; ln -s file link; ln -s "$PWD" here
children='cat /nonexistent; cat file >dir/copy; exit 0'
for engine in bpf perf ptrace; do
	# what chooses among calls leaves nothing else in; what does not, does
	t sh -c "$children"; ok; grep -q 'exited with 0' lines || fail "$engine: no exits"; grep -q -- '--- SIGCHLD' lines || fail "$engine: no signals"
	t --failure sh -c "$children"; ok; only_calls --failure; told lines 'ENOENT' || fail "$engine: no failure"
	t --where 'retval < 0' sh -c "$children"; ok; only_calls --where; told lines 'ENOENT' || fail "$engine: no failure"
	t --duration 0.000001 sh -c "$children"; ok; only_calls --duration; told lines 'exec' || fail "$engine: no calls"
	t -e status=failed sh -c "$children"; ok; only_calls '-e status='
	t --json --failure sh -c "$children"; ok; same "$(grep -Ec '"type":"(fork|exit|signal|exec)"' lines)" 0 "$engine: JSON"
	t --failure -e signal=CHLD sh -c "$children"; ok; grep -q -- '--- SIGCHLD' lines || fail "$engine: signals that were asked for"
	same "$(grep -c '+++' lines)" 0 "$engine: exits with -e signal="
	# calls are counted, not what comes between
	t --max-events 40 -e clone,clone3,vfork,wait4 sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do /bin/true; done'
	same "$(joined lines | grep -Ec ' (clone|clone3|vfork|wait4)\(')" 40 "$engine: --max-events: calls"
	grep -q '+++' lines || fail "$engine: no lines between"
	# in a file each line names its thread, the first as well
	t sh -c '/bin/true; exit 0'; ok
	same "$(grep -vEc '^ *[0-9.?]+ \( *[0-9.]*( ms)?\): [a-z0-9]+/[0-9]+ ' lines)" 0 "$engine: lines without a thread"
	timeout 60 "$SONDE" trace --engine=$engine true 2>&1 | cat >piped
	same "$(grep -v '^hint' piped | grep -vEc '\): [a-z0-9]+/[0-9]+ ')" 0 "$engine: lines without a thread in a pipe"
done
# a recording keeps what the filter left, and its reader the names of descriptors
run "$SONDE" trace record -o t.data --failure sh -c "$children"; ok
run "$SONDE" trace -i t.data; ok; has 'openat.*"/nonexistent".*ENOENT'; hasnt '\+\+\+|---'; hasnt ' = [0-9]+$'
run "$SONDE" trace record -o t.data --max-events 40 -e clone,clone3,vfork,wait4 sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do /bin/true; done'
run "$SONDE" trace -i t.data; ok; same "$(joined "$T/out" | grep -Ec ' (clone|clone3|vfork|wait4)\(')" 40 "a recording's calls"
run "$SONDE" trace -i t.data --max-events 7; ok; same "$(joined "$T/out" | grep -Ec ' (clone|clone3|vfork|wait4)\(')" 7 "calls that are read"

# -P: the file that is meant, however it is called; links as strace has them
cat >opens <<'EOF'
import os
d = os.open("dir", os.O_RDONLY)
h = os.open(".", os.O_RDONLY)
for path, at in (("ABS/file", None), ("file", None), ("./file", None), ("dir/../file", None), ("file", h), ("../file", d), ("here/file", None), ("link", None), ("ABS/link", None)):
    f = os.open(path.replace("ABS", os.getcwd()), os.O_RDONLY, dir_fd=at)
    os.read(f, 10)
    os.close(f)
os.chdir("here")
os.stat("file")
os.chdir("dir")
os.stat("../file")
os.stat("copy")
EOF
echo >dir/copy
count() { joined lines | sed 's/.*): [^ ]* //' | grep -Ec "^($1)\(" || :; }
for engine in bpf ptrace; do
	for how in "-P $PWD/file" "-P file" "-P ./dir/../file"; do
		t $how python3 opens; ok; only_calls -P
		same "$(count openat) $(count 'read') $(count close)" "7 9 9" "$engine: $how: opens, reads, closes"
		same "$(joined lines | grep -Ec '(stat|newfstatat)\(.*filename: "(../)?file"')" 2 "$engine: $how: stats"
	done
	t -P "$PWD/link" python3 opens; ok; same "$(count openat) $(count 'read') $(count close)" "9 9 9" "$engine: a link, and what it leads to"
	cp file dir/file; t -P file sh -c 'cd dir; cat file'; ok; same "$(count openat)" 0 "$engine: a file of the same name elsewhere"; rm dir/file
	t -s -P "$PWD/file" python3 opens; ok; same "$(awk '$1 == "openat" || $1 == "read" || $1 == "close" { print $1, $2 }' lines | sort)" \
		"close 9"$'\n'"openat 7"$'\n'"read 9" "$engine: a summary: $(cat lines)"
	t -s -e read,mmap -P file python3 opens; ok; same "$(awk '$1 ~ /^[a-z0-9_]+$/ && $2 ~ /^[0-9]+$/ { print $1, $2 }' lines)" "read 9" "$engine: -s -e: $(cat lines)"
	t -s -e read --where "fd == \"$PWD/file\"" sh -c "cat file | cat"; ok; same "$(awk '$1 == "read" { print $1, $2 }' lines)" "read 2" "$engine: -s --where: $(cat lines)"
	t -P "$PWD/dir/copy" python3 opens; ok; same "$(count openat) $(grep -c copy lines)" "0 1" "$engine: another file"
	t --strace -P "$PWD/file" python3 opens; ok; grep -q '+++ exited with 0 +++' lines || fail "$engine: strace leaves exits in"
done
run "$SONDE" trace -a -o lines -P "$PWD/file" sh -c 'cat file >/dev/null; cd dir; cat ../file >/dev/null'; ok; engine=bpf
same "$(count openat)" 2 "of a whole machine"
run "$SONDE" trace record -o t.data python3 opens; ok
run "$SONDE" trace -i t.data -P "$PWD/file"; ok; cp "$T/out" lines; same "$(joined lines | grep -Ec 'openat\(.*filename: "[^"]*file"')" 7 "in a recording"
# what strace itself chooses by the whole name is the same
abs="import os; [os.close(os.open(p, 0)) for p in ('$PWD/file', '$PWD/link', '$PWD/dir/copy')]"
for p in file link; do
	strace -o witness -P "$PWD/$p" python3 -c "$abs" 2>/dev/null; wanted=$(grep -Eo '^(openat|close)\(' witness)
	for engine in bpf ptrace; do t --strace -P "$PWD/$p" python3 -c "$abs"; ok; same "$(joined lines | grep -Eo '^(openat|close)\(')" "$wanted" "$engine: beside strace -P $p"; done
done
