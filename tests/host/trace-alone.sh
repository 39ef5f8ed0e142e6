# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that end otherwise than they began, each as the only one that is chosen: as strace shows them, in all engines.
# needs: strace
# calls NAME FILE: its calls as strace writes them, a call in two lines as one, numbers of processes and addresses left out.
calls() { sed -E 's/^[0-9]+ +//' "$2" | grep -E "^($1\(|<\.\.\. $1 resumed>)" | sed -E "s/ <unfinished \.\.\.>$/#/; s/^<\.\.\. $1 resumed>//; s/ += /=/; s/=[0-9]{2,}$/=PID/; s/0x[0-9a-f]+/ADDR/g" | tr -d '\n' | sed 's/#//g'; }
compare() { # CALL WORD...
	local call=$1
	strace -f -o strace.out -e trace="$call" "$PROG/alone" "$@" || true
	for engine in bpf ptrace perf; do
		[ $engine = ptrace ] || [ "$(id -u)" = 0 ] || continue
		run timeout -k 5 60 "$SONDE" trace --engine=$engine --strace -o lines -e "$call" "$PROG/alone" "$@"
		if [ $engine = perf ]; then # which knows no strings: the results
			same "$(calls "$call" lines | grep -o '=[^=]*$')" "$(calls "$call" strace.out | grep -o '=[^=]*$')" "$engine: $*"
		else
			same "$(calls "$call" lines)" "$(calls "$call" strace.out)" "$engine: $*"
		fi
	done
}
compare execve; compare execveat; compare execveat fd; compare exit_group; compare exit; compare rt_sigreturn
compare clone; compare fork; compare vfork
