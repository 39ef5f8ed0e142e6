# SPDX-License-Identifier: GPL-2.0-or-later
# User stacks under the calls, by the engines that can, also for an ordinary user; a clear word by the one that cannot.
want='inner middle outer main'
stack() { grep -Eo '^ {30,}(inner|middle|outer|main) ' "$1" | tr -d ' ' | tr '\n' ' ' | sed 's/ $//'; }
for engine in bpf ptrace; do
	run "$SONDE" trace --engine=$engine --call-graph dwarf -e write "$PROG/nested"; ok
	same "$(stack "$T/err")" "$want" "$engine"
done
run as_nobody "$SONDE" trace --call-graph fp -e write "$PROG/nested"; ok
same "$(stack "$T/err")" "$want" "an ordinary user"
run "$SONDE" trace --engine=perf --call-graph fp -e write "$PROG/nested"; exits 255; err_has 'takes no stacks'; err_has 'engine=ptrace'
run "$SONDE" trace --engine=ptrace --kernel-syscall-graph -e write "$PROG/nested"; exits 255; err_has 'kernel stacks'
