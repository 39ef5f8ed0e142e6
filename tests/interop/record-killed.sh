# SPDX-License-Identifier: GPL-2.0-or-later
# A recorder that is killed leaves a file that perf reads too, wherever it was; so does a full disk.
# needs: perf
# timeout: 200
perf612
[ "$(id -u)" -eq 0 ] || skip "needs root"
work=(sh -c 'while :; do cat /dev/null; done')
killed() { # BYTES OPTION...: kills the recorder when the file has so many bytes
	local bytes=$1 pid child; shift
	rm -f k.data
	"$SONDE" record -q -m 64K -o k.data "$@" -- "${work[@]}" >/dev/null 2>&1 & pid=$!
	await '[ "$(stat -c %s k.data 2>/dev/null || echo 0)" -ge "$bytes" ]'
	child=$(pgrep -P $pid || true)
	kill -9 $pid; wait $pid 2>/dev/null || true
	[ -z "$child" ] || kill -9 "$child" 2>/dev/null || true
}
both() { # LEAST: perf reads at least so many lines, and no more than sonde
	run "$SONDE" script -i k.data; ok; err_has 'k.data was not closed'
	mv "$T/out" by-sonde
	run timeout 60 "$PERF612" script --no-inline -i k.data; ok; err_hasnt 'incompatible|data size field'
	local p s; p=$(grep -c . "$T/out" || true); s=$(grep -c . by-sonde || true)
	[ "$p" -ge "$1" ] || fail "perf reads $p lines, sonde $s"
	[ "$p" -le "$s" ] || fail "perf reads $p lines, sonde only $s"
}
# the header with its formats is no sample
"$SONDE" record -q -e 'raw_syscalls:*' -e cpu-clock -o head.data true; head=$(stat -c %s head.data)
killed 1 -e raw_syscalls:sys_enter -e cpu-clock; both 0
killed 1 -z -e 'raw_syscalls:*'; both 0
for bytes in 20000 100000 300000 1000000 2000000; do
	killed $((head + bytes)) -e raw_syscalls:sys_enter -e cpu-clock; both $((bytes / 1000))
	killed $((head + bytes / 8)) -z -e 'raw_syscalls:*'; both $((bytes / 1000))
done
grep -q 'raw_syscalls:sys_enter: NR ' by-sonde || fail "no formats"
killed 200000 -F 9999 -e cpu-clock -g; both 100
run "$PERF612" report --no-inline --stdio -i k.data --header; ok; has '^# cmdline : sonde record'; has '^# hostname'; has '%.* cat '

# cut by a copy: sonde takes names and formats from the first table
"$SONDE" record -q -e raw_syscalls:sys_enter -o whole.data dd if=/dev/zero of=/dev/null bs=1 count=2000 2>/dev/null
head -c 100000 whole.data >cut.data
run "$SONDE" script -i cut.data; ok; has 'raw_syscalls:sys_enter: NR '; err_has 'cut.data is cut off'
run "$PERF612" script -i whole.data; ok; mv "$T/out" by-perf
run "$SONDE" script -i whole.data; ok; cmp "$T/out" by-perf || fail "the whole file is read otherwise"

# a full disk
mkdir small; mount -t tmpfs -o size=600k none small || skip "no tmpfs here"
trap 'umount small' EXIT
run "$SONDE" record --no-disk-guard -e raw_syscalls:sys_enter -m 64K -o small/k.data -- dd if=/dev/zero of=/dev/null bs=1 count=100k; exits 255
err_has '^hint: the disk is full'
cp small/k.data k.data; both 500
