# SPDX-License-Identifier: GPL-2.0-or-later
# A machine that makes calls faster than they can be shown: a signal, or the end of the command, still ends the trace.
[ "$(id -u)" = 0 ] || skip "the whole machine is root's"
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null & load=$!
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null & load+=" $!"
# shellcheck disable=SC2064
trap "kill $load" EXIT
for engine in perf bpf; do
	for more in '' '--event sched:sched_switch'; do
		# shellcheck disable=SC2086
		run timeout -k 5 60 "$SONDE" trace --engine $engine $more -a -o /dev/null sleep 0.5; ok
		# shellcheck disable=SC2086
		after "armed INT" INT "$SONDE" trace --engine $engine $more -a -o /dev/null; ok
	done
done
