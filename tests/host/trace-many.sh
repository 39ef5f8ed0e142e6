# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace -p of thousands of threads that live at once: each one's calls, also where there are too few descriptors
# for an event on each.
# timeout: 150
# alone
[ "$(id -u)" = 0 ] || skip "needs root"
once() { # ENGINE THREADS [FILES]: FILES is the limit on open ones
	rm -f go up lines; mkfifo go; exec 7<>go
	"$PROG/waiters" "$2" <&7 >up 7>&- & p=$!
	await '[ -s up ]'
	bash -c 'ulimit -n "$1"; shift; exec "$@"' x "${3-$(ulimit -n)}" "$SONDE" trace --engine="$1" -q -o lines -p $p 7>&- & s=$!
	await "ready $s"
	echo >&7; exec 7>&-
	wait $p || fail "$1: the program"; wait $s || fail "$1: sonde"
	! grep -q '!!! .* lost' lines
}
# attach ENGINE THREADS [FILES]: with too few descriptors the whole machine is watched, and what others do on it may be
# too much for the rings: that is told, and tried again.
attach() {
	local tries=0
	until once "$@"; do [ $# -eq 3 ] && [ $((++tries)) -lt 8 ] || fail "$1: events were lost"; done
	same "$(joined lines | grep -c 'getppid() *= ')" "$2" "$1: calls of $2 threads"
	same "$(grep -c 'read(.* *= 0$' lines)" "$2" "$1: calls under way"
	same "$(grep -vc 'waiters/' lines)" 0 "$1: lines of others: $(grep -v -m 3 'waiters/' lines)"
}
attach bpf 10000
attach perf 400
attach perf 400 1000 # an event for each thread and CPU would take thousands
attach ptrace 2000
