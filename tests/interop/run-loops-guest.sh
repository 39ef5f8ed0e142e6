# SPDX-License-Identifier: GPL-2.0-or-later
# needs: qemu-system-x86_64 curl
# timeout: 300
# fetch: interop/fetch-old-kernel
# Loops of sonde run on Linux 6.1, which has bpf_loop, and on 5.10, which has neither that nor a way through a map.
old=$("$TOP/tests/interop/fetch-old-kernel" 2>&1) || { echo "$old"; exit 77; }
cat >job <<'J'
cd /tmp
uname -r
n=0
# t WANT SCRIPT
t() {
	n=$((n + 1))
	got=$(timeout 100 sonde run -q -e "$2" 2>err | grep . | tr '\n' ' ')
	[ "$got" = "$1" ] || { echo "FAILED $n: $got, not $1"; cat err; }
}
t '1 2 4 5 6 end 7 ' 'BEGIN { $i = 0; while ($i < 10) { $i++; if ($i == 3) { continue } if ($i == 7) { break } print($i) } printf("end %d\n", $i); exit() }'
t '0 1 2 @s: 19897 ' 'BEGIN { for ($i : 0..3) { print($i) } for ($i : 3..200) { @s += $i } exit() }'
t '45 ' 'BEGIN { $n = 0; $i = 0; while ($i < 5) { $i++; for ($j : 0..$i * 3) { $n++ } } print($n); exit() }'
t '@n: 70 ' 'BEGIN { $i = 0; while (1) { $i++; for ($j : 0..100) { if ($j == 15) { break } @n++; if ($j == 9 && $i == 5) { exit() } } } }'
t 'a-0 b-1 c-2 x y x y ' 'BEGIN { let $s = "c"; for ($i : 0..200) { if ($i == 3) { break } $t = $i == 0 ? "a" : $i == 1 ? "b" : $s; printf("%s-%d\n", $t, $i) } $k = 0; while ($k < 2) { let $f; if (!$f) { printf("x\n"); } $f = 1; if ($f) { printf("y\n") } $k++ } exit() }'
t '5 4 3 2 1 (1, 2) (3, 4) ' 'BEGIN { @n = 5; while (@n > 0) { print(@n--) } $t = (1, 2); $i = 0; while ($i++ < 2) { print($t); $t = ($t.0 + 2, $t.1 + 2) } delete(@n); exit() }'
t '@a: 15 3 ' 'BEGIN { @a = 5; @a *= 3; print(@a); @b[1] |= 3; print(@b[1]); clear(@a); clear(@b); exit() }'
t '@c: 3 ' 'tracepoint:syscalls:* { $i = 0; while ($i < 3) { $i++; @c = count(); } exit() }'
sonde run -q -e 'BEGIN { $i = 0; while (1) { $i++ } print($i); exit() }' 2>&1 | grep .
sonde run -q -e 'BEGIN { @m["a", 1] = 5; for ($kv : @m) { printf("<%s %d %d>\n", $kv.0.0, $kv.0.1, $kv.1) } exit() }' 2>&1 | grep .
sonde run -q -e 'BEGIN { @c[1] = count(); @c[1] = count(); for ($kv : @c) { printf("<%d %d>\n", $kv.0, $kv.1) } printf("<%d>\n", @c[1]); exit() }' 2>&1 | grep .
echo "$n done"
J
for kernel in 6.1 5.10; do
	cache=${SONDE_CACHE-}
	[ $kernel = 6.1 ] || cache=$old
	run env ${cache:+SONDE_CACHE="$cache"} timeout -k 5 $((140 * ${PATIENCE:-1})) "$TOP/tests/guest/shell" -t $((130 * ${PATIENCE:-1})) "$(cat job)"
	[ "$code" != 77 ] || skip "no guest: $err"
	ok; has "^${kernel//./\\.}\\."; hasnt FAILED; has '^8 done'; hasnt 'refuses'
	case $kernel in
	6.1) has '^1048576'; has 'cut after 1048576 rounds'; has '^<a 1 5>'; has '^<1 2>'; has '^<2>' ;;
	5.10) has '^1000'; has 'cut after 1000 rounds'; has 'came with Linux 5\.13' ;;
	esac
done
