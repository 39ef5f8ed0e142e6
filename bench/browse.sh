# SPDX-License-Identifier: GPL-2.0-or-later
# The browser of `report` on a large recording with frame pointers, and `top`, beside perf's. MB=1000 is the size of the bars.
# limit: 900
needs perf python3
mb=${MB:-1000}
title "report's browser: first screen, memory, a key"
"$SONDE" record -q -g --buildid-mmap -F 20000 --max-size=15M -e cpu-clock -o one.data "$PROG/profiled" 20000 2>/dev/null || { echo "SKIP: cannot record here"; exit 77; }
python3 "$TOP/bench/grow.py" one.data big.data "$mb" || exit 1
ls -l big.data
# screens.py KEY... -- CMD: starts CMD on a terminal of its own, waits until the screen has a percentage and nothing more comes for
# a while; then presses each key and waits for the answer. Prints: ms to the first screen, the slowest key's ms, peak kB.
cat >screens.py <<'P'
import fcntl, os, pty, re, resource, select, struct, sys, termios, time
cut = sys.argv.index("--")
keys, cmd = sys.argv[1:cut], sys.argv[cut + 1:]
start = time.monotonic()
pid, fd = pty.fork()
if not pid:
    os.environ["TERM"] = "xterm-256color"
    os.execvp(cmd[0], cmd)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
def until(what, limit):
    seen, last = b"", None
    while time.monotonic() - start < limit:
        if select.select([fd], [], [], 0.5 if last else 60)[0]:
            seen += os.read(fd, 65536)
            if re.search(what, seen) and not last: last = time.monotonic()
        elif last: return last
    sys.exit("nothing came: %r" % seen[-300:])
first = until(rb"Overhead|Children", 900) - start
slowest = 0
for k in keys:
    t = time.monotonic()
    os.write(fd, k.encode().decode("unicode_escape").encode())
    slowest = max(slowest, until(rb".", 900) - t)
os.kill(pid, 9)
usage = os.wait4(pid, 0)[2]
print("%d %.1f %d" % (first * 1000, slowest * 1000, usage.ru_maxrss))
P
read -r perf_ms _ perf_kb < <(python3 screens.py -- perf report --tui -i big.data)
read -r ms key_ms kb < <(python3 screens.py '\x1b[B' '\x1b[B' + ' ' d d E C -- "$SONDE" report -i big.data)
[ -n "$kb" ] && [ -n "$perf_kb" ] || { echo "  bar MISSED: no screen"; missed=$((missed + 1)); }
echo "  perf: $perf_ms ms, $perf_kb kB; sonde: $ms ms, $kb kB, the slowest key $key_ms ms"
verdict "first screen against perf's" "$(ratio "$ms" "$perf_ms")" 0.25 x
verdict "memory against perf's" "$(ratio "$kb" "$perf_kb")" 0.2 x
verdict "the slowest key" "$key_ms" 50 " ms"

title "top at 999 Hz on two busy CPUs: of a CPU, and what was lost"
for _ in 1 2; do setsid "$PROG/profiled" 100000000 & pids+=("-$!"); done # with their children
trap 'kill -- "${pids[@]}" 2>/dev/null' EXIT
# cost CMD...: percent of a CPU that it and its children took over ten seconds, started three seconds before
cost() {
	"$@" >top.out 2>/dev/null </dev/null & local p=$! a b
	times_of() { { echo $p; pgrep -P $p; } | sed 's|.*|/proc/&/stat|' | xargs cat 2>/dev/null | awk '{ n += $14 + $15 } END { print n }'; }
	sleep 3; a=$(times_of); sleep 10; b=$(times_of); kill -INT $p 2>/dev/null; wait $p 2>/dev/null
	awk -v a="$a" -v b="$b" 'BEGIN { printf "%.1f\n", (b - a) / 10 }'
}
for how in fp dwarf; do
	sonde=$(cost "$SONDE" top --stdio -e cpu-clock -F 999 --call-graph $how); lost=$(sed -n 's/.*lost: \([0-9]*\).*/\1/p' top.out | tail -n 1)
	perf=$(cost perf top --stdio -e cpu-clock -F 999 --call-graph $how)
	echo "  $how: perf top $perf %, sonde top $sonde % of a CPU, $lost lost"
	verdict "top, $how" "$sonde" "$([ $how = fp ] && echo 5 || echo 40)" " %"
	[ $how = dwarf ] || verdict "top, $how: lost" "$lost" 0
done
