# SPDX-License-Identifier: GPL-2.0-or-later
# However a trace is ended (life.sh has what all commands share), the calls under way are there.
engines=(ptrace)
for engine in bpf perf; do "$SONDE" trace --engine $engine -o "$T/o" true 2>/dev/null && engines+=("$engine"); done
for engine in "${engines[@]}"; do
	for signal in INT TERM; do for calls in clock_nanosleep all; do # some calls are filtered in the kernel, all are not
		rm -f "$T/o"
		after 'grep -q clock_nanosleep "$T/o" 2>/dev/null' $signal \
			"$SONDE" trace --engine "$engine" -e $calls -o "$T/o" sleep 4242.$$
		exits $((128 + $(kill -l $signal)))
		grep -q clock_nanosleep "$T/o" || fail "$engine: the call under way is not there"
	done; done
done
await '! pgrep -f "^sleep 4242.$$\$" >/dev/null' # the command does not live on
# from a terminal both get it
rm -f "$T/o"; code=0
env --default-signal=INT setsid "$SONDE" trace -e clock_nanosleep -o "$T/o" sleep 4242.$$ & pid=$!
await 'grep -q clock_nanosleep "$T/o" 2>/dev/null'; kill -INT -- -$pid; wait $pid || code=$?; exits 130

# a command that is killed while it still waits for its go: its status, as when it is killed later
if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ]; then
	killed() { # COMMAND...
		"$@" >/dev/null 2>err & pid=$!
		child=
		while [ -z "$child" ] && kill -0 $pid 2>/dev/null; do read -r child _ <"/proc/$pid/task/$pid/children" || :; done
		kill -STOP $pid; kill -KILL "$child"; kill -CONT $pid; c=0; wait $pid || c=$?
		same $c 137 "the status of a command that was killed before it began: $*"
	}
	killed "$SONDE" trace --engine=bpf -o x.out sleep 1000
	killed "$SONDE" run -e 'interval:s:100 { }' -c 'sleep 1000'
fi
