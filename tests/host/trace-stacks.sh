# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks under the calls, by all engines, in text and JSON, also for an ordinary user; a clear word by the one that cannot.
want='inner middle outer main'
stack() { grep -Eo '^ {30,}(inner|middle|outer|main) ' "$1" | tr -d ' ' | tr '\n' ' ' | sed 's/ $//'; }
for engine in bpf perf ptrace; do
	run "$SONDE" trace --engine=$engine --call-graph dwarf -e write "$PROG/nested"; ok
	same "$(stack "$T/err")" "$want" "$engine"
	run "$SONDE" trace --engine=$engine --call-graph fp --max-stack 3 -e write "$PROG/nested"; ok
	err_has '^ {30,}(middle|outer) \(.*/nested\)$'; err_hasnt '^ +main '
	for how in fp dwarf; do
		run "$SONDE" trace --engine=$engine --json --call-graph $how -e write -o j "$PROG/nested"; ok
		python3 - j <<'PY' || fail "$engine $how: JSON"
import json, sys
calls = [c for c in map(json.loads, open(sys.argv[1])) if c.get("syscall") == "write"]
assert calls, "no write"
frames = calls[0]["user_stack"]
names = [f.get("sym") for f in frames]
assert [n for n in names if n in ("middle", "outer", "main")] == ["middle", "outer", "main"], names
assert all(f["ip"].startswith("0x") for f in frames) and frames[names.index("main")]["dso"].endswith("/nested"), frames
PY
	done
done
for engine in bpf perf; do
	run "$SONDE" trace --engine=$engine --kernel-syscall-graph -e write "$PROG/nested"; ok; err_has '^ {30,}do_syscall_64 \(\[kernel'
	err_hasnt 'bpf_|perf_trace|__traceiter'
	run "$SONDE" trace --engine=$engine --json --kernel-syscall-graph -e write "$PROG/nested"; ok; err_has '"kernel_stack":\[.*"sym":"do_syscall_64"'
done
run as_nobody "$SONDE" trace --call-graph fp -e write "$PROG/nested"; ok
same "$(stack "$T/err")" "$want" "an ordinary user"
run "$SONDE" trace --engine=ptrace --kernel-syscall-graph -e write "$PROG/nested"; exits 255; err_has 'kernel stacks'

# a call that was under way before the trace has a stack, too
sleep 1000 | "$PROG/waits_deep" & waits=$!
await '[ "$(cat /proc/$waits/comm)" = waits_deep ] && grep -q "^0 " /proc/$waits/syscall'
for mode in dwarf fp; do
	run "$SONDE" trace --call-graph $mode -p $waits -o lines sleep 0.5; ok
	grep -A8 ' read(fd: 0' lines >stack; grep -q ' innermost ' stack && grep -q ' around_it ' stack && grep -q ' main ' stack || { cat lines; fail "$mode: no stack of the call under way"; }
done
run "$SONDE" trace --json --call-graph dwarf -p $waits -o lines sleep 0.3; ok; grep -q '"unfinished".*"sym":"around_it"' lines || fail 'not in JSON'
kill %1 $waits 2>/dev/null || true
