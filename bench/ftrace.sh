# SPDX-License-Identifier: GPL-2.0-or-later
# Bars: ftrace report of a 200 MB trace.dat at least 5 times as fast as trace-cmd's, in less memory; recording -e sched -e irq
# -e syscalls under load loses nothing with the buffers as they are; a moved uprobe a tenth of what perf's costs; in the guest
# no more CPU than trace-cmd, and half of bpftrace's time for funccount.
# limit: 900
[ "$(id -u)" -eq 0 ] || { echo "SKIP: needs root"; exit 77; }
dir=$("$TOP/tests/interop/fetch-trace-cmd" 2>"$T/why") || { cat "$T/why"; exit 77; }
load() { for _ in 1 2; do dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none & done; for _ in $(seq 100); do /bin/true; done; wait; }
export -f load
"$SONDE" ftrace record -q --compression none -e sched -e irq -e syscalls -o "$T/big.dat" bash -c 'load 600000' 2>"$T/lost"
echo "  $(stat -c %s "$T/big.dat") bytes; $(cat "$T/lost")"
lost=$("$SONDE" ftrace report --stat "$T/big.dat" | awk '/^(overrun|dropped events):/ { n += $NF } END { print n + 0 }')
verdict "events lost" "$lost" 0 ""

title "report of a trace.dat"
cmd trace-cmd "$dir/trace-cmd" report -i "$T/big.dat"
cmd sonde "$SONDE" ftrace report -i "$T/big.dat"
rounds 1
bar sonde 0.2 trace-cmd
p=$(peak_kb "$dir/trace-cmd" report -i "$T/big.dat") s=$(peak_kb "$SONDE" ftrace report -i "$T/big.dat")
verdict "peak memory against trace-cmd's ($s kB to $p kB)" "$(ratio "$s" "$p")" 1.0 x

# A probe at the entry of libc's free, which the kernel would single-step: sonde moves it. What a hit costs is what a loop of
# malloc and free takes longer than without, told by itself.
if command -v perf >/dev/null && command -v gcc >/dev/null; then
	gcc -O1 -fno-builtin -o "$T/loop" -x c - <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	struct timespec a, b;
	int n = atoi(argv[argc - 1]);
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < n; i++)
		free(malloc(24));
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%.1f\n", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / n);
}
C
	libc=$(ldd "$T/loop" | awk '/libc\.so/ { print $3 }')
	least() { sort -n | head -n 1; }
	plain=$(for _ in 1 2 3; do "$T/loop" 1000000; done | least)
	turn_under() { # OPTION...: with sonde's probe
		"$SONDE" uprobe "$@" -o /dev/null p:libc:free 2>"$T/why" & local pid=$!
		for _ in $(seq 100); do [ "$(cat "/sys/kernel/tracing/instances/sonde-$pid/tracing_on" 2>/dev/null)" = 1 ] && break; sleep 0.1; done
		for _ in 1 2 3 4 5; do "$T/loop" 100000; done | least
		kill -INT $pid; wait $pid
	}
	live=$(turn_under) ours=$(turn_under -d 100)
	perf probe -q -x "$libc" "bench_free=free" 2>"$T/why" || cat "$T/why"
	theirs=$(for _ in 1 2 3 4 5; do perf record -q -e probe_libc:bench_free -o "$T/perf.data" "$T/loop" 100000; done | least)
	perf probe -q -d 'probe_libc:bench_free*'
	echo "  a turn of the loop: $plain ns, with sonde's probe $ours ns (-d, as perf record does not print either; $live ns live), with perf's $theirs ns"
	verdict "a hit of a probe on free against perf's" "$(awk -v p="$plain" -v o="$ours" -v t="$theirs" 'BEGIN { printf "%.3f", (t > p) ? (o - p) / (t - p) : 9 }')" 0.1 x
fi

# In the guest: own CPU of a recording of -e sched -e irq -e syscalls beside trace-cmd's, and how long funccount and bpftrace take
# until they count the functions vfs_*.
mkdir "$T/in"
cat >"$T/in/guest.sh" <<'G'
cd /tmp
load() { dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none; for _ in $(seq 20); do ls >/dev/null; done; }
recorded() { # NAME COMMAND...: its CPU time while the load runs
	local name=$1; shift
	bash -c '"$@" >/dev/null 2>&1 & echo $! >pid; wait; times' bash "$@" >cpu & local p=$!
	until [ -n "$(cat /sys/kernel/tracing/events/irq/enable /sys/kernel/tracing/instances/*/events/irq/enable 2>/dev/null | grep 1)" ]; do sleep 0.1; done
	sleep 1; load; sleep 1
	kill -INT "$(cat pid)"; wait $p
	awk -v n="$name" 'NR == 2 { gsub(/[ms]/, " "); print "cpu", n, $2 + $4 }' cpu
}
attached() { # NAME WORD COMMAND...: how long until it prints that word
	local name=$1 word=$2 s=$EPOCHREALTIME line fd pid; shift 2
	exec {fd}< <(exec "$@" 2>/dev/null); pid=$!
	while read -r line <&$fd; do [[ $line != *$word* ]] || break; done
	awk -v n="$name" -v s="$s" -v e="$EPOCHREALTIME" 'BEGIN { printf "attach %s %.3f\n", n, e - s }'
	kill -INT $pid; cat <&$fd >/dev/null; exec {fd}<&-
}
for _ in 1 2 3; do
	recorded trace-cmd /var/cache/sonde/trace-cmd/trace-cmd record -e sched -e irq -e syscalls -o t.dat
	recorded sonde sonde ftrace record -e sched -e irq -e syscalls -o s.dat
	attached bpftrace ready bpftrace -B none -e 'kprobe:vfs_* { @[func] = count(); } interval:ms:1 { printf("ready\n"); }'
	attached sonde Tracing sonde funccount 'vfs_*'
done
G
"$TOP/tests/guest/shell" -t 250 -f "$dir" -f "$T/in" -f "$(command -v bpftrace || echo /dev/null)" "bash $T/in/guest.sh" >"$T/guest" 2>&1 || { tail -n 3 "$T/guest"; echo "  no guest: two bars were not measured"; }
smallest() { awk -v w="$1" -v n="$2" '$1 == w && $2 == n && (m == "" || $3 < m) { m = $3 } END { print m }' "$T/guest"; }
guest_bar() { # WHAT WORD PEER LIMIT
	local a b
	a=$(smallest "$2" sonde) b=$(smallest "$2" "$3")
	[ -n "$a" ] && [ -n "$b" ] && verdict "$1 ($a s to $b s)" "$(ratio "$a" "$b")" "$4" x
}
guest_bar "in the guest: own CPU of a recording against trace-cmd's" cpu trace-cmd 1.0
guest_bar "in the guest: funccount 'vfs_*' against bpftrace's time until they count" attach bpftrace 0.5
