# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel lengthens the records of BPF programs that come and go from reader to reader: ours are as they should be, and
# those in perf's files are read.
# needs: perf
[ "$(id -u)" = 0 ] || skip "needs root"
pids=(); mkfifo go
for i in 1 2; do
	"$SONDE" record -q -a -e cpu-clock -F 9 -o k$i.data & pids+=($!)
	await "ready ${pids[-1]}"
	perf record -q -a -e cpu-clock -F 9 -o l$i.data -- sh -c "echo >at$i; read x <go" 2>l$i.err &
	await "[ -s at$i ]"
done
"$SONDE" trace -o /dev/null true
kill -TERM "${pids[@]}"; exec 9>go; exec 9>&-; wait
grew=0
for f in k1 k2 l1 l2; do
	run perf script --no-inline -D -i $f.data
	grep -o '\[0x[0-9a-f]*\]: PERF_RECORD_BPF_EVENT' "$T/out" | sort -u >sizes
	[ $f = l1 ] || [ $f = l2 ] || same "$(cat sizes)" '[0x38]: PERF_RECORD_BPF_EVENT' "sizes of records in $f.data"
	! grep -qv '\[0x38\]' sizes || grew=1
	run "$SONDE" script --show-bpf-events -i $f.data; ok; has 'PERF_RECORD_KSYMBOL.*name bpf_prog_.*loader'
	grep 'PERF_RECORD_KSYMBOL.*loader' "$T/out" | grep -vE ' 0\.000000: .*flags 0(x0)? ' >born || true # those that were there before have no time
	! grep -qE ' 0\.000000:' born || { cat born; fail "records without a time in $f.data"; }
done
echo "longer than they should be in perf's files: $grew"
