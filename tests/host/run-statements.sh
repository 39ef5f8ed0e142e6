# SPDX-License-Identifier: GPL-2.0-or-later
# Loops, scopes and assignments of sonde run: by bpf_loop, and by what stands in for it on older kernels.
[ "$(id -u)" = 0 ] || skip "needs root"
# says WANT SCRIPT: what BEGIN prints, without the maps' empty lines
says() {
	local want=$1; shift
	run timeout 60 "$SONDE" run -q -e "$@"; ok
	same "$(grep . <<<"$out" | tr '\n' ' ')" "$want"
}

loops() {
	says '1 2 4 5 6 end 7 ' 'BEGIN { $i = 0; while ($i < 10) { $i++; if ($i == 3) { continue } if ($i == 7) { break } print($i) } printf("end %d\n", $i); exit() }'
	says '0 1 2 @s: 19897 @t: 499500 ' 'BEGIN { for ($i : 0..3) { print($i) } for ($i : 3..200) { @s += $i } $n = 1000; for ($j : 0..$n) { @t = sum($j) } exit() }'
	err_hasnt cut
	says '5 -3 -2 -1 no 4 ' 'BEGIN { $a = -3; print(5); for ($i : $a..0) { print($i) } for ($i : 5..$a) { print(99) } $i = 4; for ($i : 1..1) { } printf("no %d\n", $i); exit() }'
	says '45 ' 'BEGIN { $n = 0; $i = 0; while ($i < 5) { $i++; for ($j : 0..$i * 3) { $n++ } } print($n); exit() }'
	says '@n: 70 ' 'BEGIN { $i = 0; while (1) { $i++; for ($j : 0..100) { if ($j == 15) { if ($i == 5) { exit(); } break } @n++; if ($j == 9 && $i == 5) { exit() } } } printf("never\n") }'
	says '@n: 6 after ' 'BEGIN { for ($i : 0..100) { @n++; if ($i == 5) { return } } printf("never\n") } END { print(@n); clear(@n); printf("after\n") } interval:ms:1 { exit() }'
	# strings, records and maps in a loop; what is declared in it begins anew
	says 'a-0 b-1 c-2 x y x y ' 'BEGIN { let $s = "c"; for ($i : 0..200) { if ($i == 3) { break } $t = $i == 0 ? "a" : $i == 1 ? "b" : $s; printf("%s-%d\n", $t, $i) } $k = 0; while ($k < 2) { let $f; if (!$f) { printf("x\n"); } $f = 1; if ($f) { printf("y\n") } $k++ } exit() }'
	says '5 4 3 2 1 (1, 2) (3, 4) ' 'BEGIN { @n = 5; while (@n > 0) { print(@n--) } $t = (1, 2); $i = 0; while ($i++ < 2) { print($t); $t = ($t.0 + 2, $t.1 + 2) } delete(@n); exit() }'
	run timeout 60 "$SONDE" run -q -e 'BEGIN { $i = 0; while (1) { $i++ } print($i); exit() }'; ok; has "^$1$"; err_has "^sonde: -e:1:17: this loop was cut after $1 rounds, 1 time"
}
loops 1048576
export SONDE_RUN_WITHOUT=loop,fetch
loops 1000
unset SONDE_RUN_WITHOUT

# maps: their entries, and what aggregations come to over all CPUs
run "$SONDE" run -q -e 'BEGIN { @m["a", 1] = 5; @m["b", 2] = 6; for ($kv : @m) { printf("<%s %d %d>\n", $kv.0.0, $kv.0.1, $kv.1); print($kv) }
	@s[7] = "text"; for ($kv : @s) { printf("<%d %s>\n", $kv.0, $kv.1); if ($kv.0 == 7) { break } } exit() }'; ok
has '^<a 1 5>$'; has '^<b 2 6>$'; has '^\(\(a, 1\), 5\)$'; has '^<7 text>$'
says '2 6 -4 9 3: 12 1 @c: 2 @m: 9 @o: -4 @t[3]: 12 @v[3]: 6 ' 'BEGIN { @c = count(); @c = count(); @v[3] = avg(5); @v[3] = avg(8); @o = min(-4); @o = min(9); @m = max(9); @m = max(4); @t[3] = sum(5); @t[3] = sum(7);
	print(@c + 0); print(@v[3]); print(@o + 0); printf("%d\n", @m); for ($kv : @t) { printf("%d: %d\n", $kv.0, $kv.1) } print(@c == 2 && @t[3] > 11 && @t[4] == 0); exit() }'
run "$SONDE" run -q -e 'BEGIN { @h = hist(3); print(@h + 1) }'; exits 255; err_has 'a hist\(\) is no one number'
run "$SONDE" run -q -e 'BEGIN { @m = 3; for ($kv : @m) { } }'; exits 255; err_has '@m has no keys to go through'
SONDE_RUN_WITHOUT=percpu run "$SONDE" run -q -e 'BEGIN { @c = count(); print(@c + 1) }'; exits 255; err_has '^hint: @c\+\+ and'
SONDE_RUN_WITHOUT=for_each run "$SONDE" run -q -e 'BEGIN { @m[1] = 3; for ($kv : @m) { } }'; exits 255; err_has 'Linux 5\.13'; err_has '^hint: print\(@m\)'

# assignments
says '21 2 5 9 -2 ' 'BEGIN { @a = 5; @a *= 3; @a |= 16; @a <<= 1; @a /= 3; @a += 1; print(@a++); @b["x"] ^= 5; @b["x"] %= 3; print(@b["x"]); $x = 20; $x >>= 2; print($x); $x &= 13; $x ^= 12; print($x); $y = -9; $y %= 7; print($y); clear(@a); clear(@b); exit() }'
SONDE_RUN_WITHOUT=fetch says '@a: 15 3 ' 'BEGIN { @a = 5; @a *= 3; print(@a); @b[1] |= 3; print(@b[1]); clear(@a); clear(@b); exit() }'
says '44 44 -1 255 1 0 7 8 ' 'BEGIN { let $y: uint8 = 300; print($y); $z = 1; { let $z = (uint8)300; print($z) } let $m: int8 = 255; print($m); let $u: uint8; $u--; print($u); print($z); let $e; _ = $z++; print($e + 0); $e = 7; print($e); print($e + $z - 1); exit(); return 5 }'
says 'yes 3 7 abc 2 ' 'BEGIN { $n = 0; if ($n && 10 / $n) { print(1) } else if ($n == 0 || 1 / $n) { printf("yes\n") } else { print(2) } unroll(1 + 2) { $n++ } print($n); print(0 ?: 7); if (pid) { $v = "abc"; print($v) } else { $v = "longer than that"; } if (pid) { $w = 2; print($w) } else { $w = "w" } exit() }'
err_hasnt .
# a variable behind its block: as older versions have it, with a word about it
says '5 x ' 'BEGIN { if (pid) { $x = 5; $s = "x" } else { $x = 6; $s = "longer" } print($x); print($s); exit() }'
err_has '^sonde: -e:1:[0-9]+: \$x is used outside of the block that sets it'; err_has '\$s is used outside'
says '3 9 ' 'BEGIN { let $x = 9; if (pid) { let $x = 3; print($x) } print($x); exit() }'; err_hasnt .
# strstr() has many ways to its end, which the verifier once followed one by one until it gave up
cat >ways.bt <<'S'
BEGIN {
	let $i2 = ((((7us * (1038761202082 ^ 7us)) ? ((3 << 1) - 0) : (7us - 0)) + ((((uint8)((strstr("a longer string of words", "x") - 0)) - 0) - 0) ?: (7us - 0)))) - 0;
	--@m3[((((((((uint32)(7us) - 0) - 0) >> 13) ? (373 - 0) : (((1_000 && 8) * 7us) - 0)) - 0) & 3) - 0, (($i2 - 0) & 3) - 0, "qq")];
	unroll(3) {
		printf("%25d|%-25d|%025d\n", (@m3[(((7us - 0) & 3) - 0, ((7us - 0) & 3) - 0, "qq")] - 0), (@m3[(((7us - 0) & 3) - 0, ((7us - 0) & 3) - 0, "qq")] - 0), (@m3[(((7us - 0) & 3) - 0, ((7us - 0) & 3) - 0, "qq")] - 0));
	}
	--$i2;
	unroll(4) {
		--@m6[((((((1_000 ^ 7us) | 7us) - 0) > (($i2 | 2e3) - 0)) - 0) & 3) - 0, (((strstr("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "a") - 0) - 0) & 3) - 0, "rrr"];
	}
	exit(1);
}
S
run timeout 60 "$SONDE" run -q ways.bt; exits 1; has '^@m6\[1, 3, rrr\]: -4$'
