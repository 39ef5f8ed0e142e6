# SPDX-License-Identifier: GPL-2.0-or-later
# sonde trace record is killed in the middle: what it had written is read by sonde trace and by perf script.
# needs: perf
[ "$(id -u)" = 0 ] || skip "needs root"
for engine in bpf ptrace; do
	rm -f t.data
	"$SONDE" trace record --engine=$engine -o t.data sh -c 'while :; do cat /etc/hostname; done' >/dev/null 2>&1 & s=$!
	await '[ "$(stat -c %s t.data 2>/dev/null || echo 0)" -gt 600000 ]'
	size=$(stat -c %s t.data)
	command=$(pgrep -P $s) || true
	kill -KILL $s; wait $s 2>/dev/null || true
	[ -z "$command" ] || kill -KILL $command 2>/dev/null || true
	run timeout -k 2 60 "$SONDE" trace -i t.data; ok; has 'openat\(dfd: CWD, filename: "/etc/hostname", flags: RDONLY\) += 3'; has 'execve\(filename: '
	n=$(grep -c . <<<"$out"); [ "$n" -gt 300 ] || fail "$engine: $n lines of $size bytes"
	run timeout -k 2 60 perf script -i t.data; ok; has ' cat +[0-9]+ .*sonde'
	p=$(grep -c 'sonde' <<<"$out"); [ "$p" -gt 300 ] || fail "$engine: perf reads $p samples"
done
