# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 150
# The eBPF engine on Debian's own kernel: lines, children, summary, a rare call, stacks, both loaders.
run "$SONDE" trace -o t.txt sh -c 'sh -c :; exit 3'; exits 3
grep -q 'execve(filename: ".*sh"' t.txt || { cat t.txt; fail "no execve of the child"; }
grep -q 'exited with 3' t.txt || fail "no exit line"
! grep -q 'lost' t.txt || fail "events were lost"
run "$SONDE" trace --engine bpf -s sh -c 'sh -c :'; ok; err_has '^ +execve +[0-9]+ '
SONDE_BPF_LOADER=full run "$SONDE" trace --engine bpf -o full.txt sh -c 'exit 0'; ok; grep -q exit_group full.txt || fail "ordinary skeleton"
run "$SONDE" trace --engine bpf -e chdir -o rare.txt sh -c 'cd /proc'; ok; grep -q 'chdir(.*"/proc") *= 0' rare.txt || { cat rare.txt; fail "rare call"; }
run "$SONDE" trace --engine perf -o perf.txt sh -c 'exit 0'; ok; grep -q exit_group perf.txt || fail "perf engine"
run "$SONDE" trace --engine ptrace -o ptrace.txt sh -c 'exit 0'; ok; grep -q exit_group ptrace.txt || fail "ptrace engine"
