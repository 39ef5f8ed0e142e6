# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace -p PID COMMAND: as long as the command runs, as in stat, record and perf trace; its calls are not shown.
bash -c 'while :; do sleep 0.1; done' & pid=$!
trap 'kill $pid' EXIT
for engine in bpf ptrace; do
	[ $engine = ptrace ] || [ "$(id -u)" = 0 ] || continue
	rm -f lines; run timeout -k 5 60 "$SONDE" trace --engine=$engine -o lines -p $pid sh -c 'until grep -qs bash/ lines; do sleep 0.05; done; exit 4'; exits 4
	grep -q "bash/" lines || fail "$engine: $(head -n 5 lines)"
	! grep -q 'exit_group(error_code: 4)' lines || fail "$engine: the command was traced too"
	kill -0 $pid || fail "$engine: the process is gone"
done
