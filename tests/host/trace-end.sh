# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 120
# Ctrl-C, or any stop, ends sonde trace and its command, and the command's status is passed on.
engines=(ptrace)
for engine in bpf perf; do "$SONDE" trace --engine $engine -o "$T/o" true 2>/dev/null && engines+=("$engine"); done
for engine in "${engines[@]}"; do
	for signal in INT TERM HUP; do for calls in clock_nanosleep all; do # some calls are filtered in the kernel, all are not
		rm -f "$T/o"
		after 'grep -q clock_nanosleep "$T/o" 2>/dev/null' $signal \
			"$SONDE" trace --engine "$engine" -e $calls -o "$T/o" sleep 4242.$$
		exits 143 # it is told by SIGTERM
		grep -q clock_nanosleep "$T/o" || fail "$engine: the call under way is not there"
	done; done
done
for _ in {1..20}; do pgrep -f "^sleep 4242.$$\$" >"$T/left" || break; sleep 0.1; done
[ ! -s "$T/left" ] || fail "the command lives on: $(cat "$T/left")"
# from a terminal both get it
run timeout --preserve-status -k 10 -s INT 4 "$SONDE" trace -e clock_nanosleep -o "$T/o" sleep 4242.$$; exits 130
