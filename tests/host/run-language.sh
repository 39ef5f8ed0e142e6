# SPDX-License-Identifier: GPL-2.0-or-later
# The language of sonde run, in BEGIN and END: bpftrace beside it prints the same, to the letter.
# needs: bpftrace
[ "$(id -u)" = 0 ] || skip "needs root"

# beside ARGUMENTS...: sonde run and bpftrace, with the same arguments.
beside() {
	timeout 60 bpftrace "$@" >"$T/theirs" 2>"$T/their-err" </dev/null || { code=$?; cat "$T/their-err"; fail "bpftrace cannot do it: $*"; }
	run timeout 60 "$SONDE" run "$@"; ok
	diff -u "$T/theirs" "$T/out" || fail "not as bpftrace: $*"
}

beside -e 'BEGIN { exit() }'
beside -e 'BEGIN { printf("%d %s %x %5d|%-5d|%05d|%c %p %llu\n", -1, "abc", 255, 3, 4, 5, 65, 4096, 7); exit() }'
beside -e 'BEGIN { $a = 7; $b = 2; printf("%d %d %d %d\n", $a / $b, $a % $b, $a - 9, $a * -3); exit() }'
beside -e 'BEGIN { printf("%d %d %d %d\n", 1 << 20, 16 >> 2, ~5, 6 ^ 3 | 8 & 12); exit() }'
beside -e 'BEGIN { $a = 5; if ($a > 3 && $a < 9) { printf("in\n") } else { printf("out\n") } if ($a == 1 || $a != 5) { printf("bad\n") } else if (!$a) { printf("zero\n") } else { printf("fine\n") } exit() }'
beside -e 'BEGIN { printf("%s %d\n", pid > 0 ? "yes" : "no", cpu < 0 ? 1 : 2); exit() }'
beside -e 'BEGIN { $x = 3; $x *= 5; $x /= 2; $x++; --$x; $x <<= 2; $x |= 1; printf("%d\n", $x); exit(); printf("never\n") }'
beside -e 'BEGIN { $s = "abc"; if ($s == "abc") { printf("eq %s\n", $s) } if ($s != "abd") { printf("ne\n") } @x[$s] = 3; exit() }'
beside -e 'BEGIN { $t = (1, "q", 2); printf("%d %s\n", $t.0, $t.1); print($t); print(3); @y = $t; @t = (1, "a", (2, 3)); exit() }'
beside -e 'BEGIN { @i++; @i++; @j[1]++; ++@j[1]; @k = 5; @k += 3; @k -= 1; @m[2] += 4; printf("%d %d %d\n", @i, @j[1], @k++); unroll(3) { @u++ } exit() }'
beside -e 'BEGIN { @a = 1; @b[1, "x"] = 2; @b[0, "yy"] = 5; @n[1] = -5; @n[2] = 7; @n[0] = 0; @st = "hello"; print(@b); exit() } END { printf("end\n") }'
beside -e 'BEGIN { @c = count(); @d["x"] = count(); @d["y"] = count(); @d["y"] = count(); @s = stats(4); @s = stats(6); @v[1] = avg(3); @w = avg(-7); @w = avg(-2); exit() }'
beside -e 'BEGIN { @mi = min(-4); @mi = min(3); @ma[1] = max(7); @ma[1] = max(2); @su = sum(3); @su = sum(-5); @st[1] = stats(3); @st[2] = stats(1); exit() }'
beside -e 'BEGIN { @h = hist(5); @h = hist(0); @h = hist(-3); @h = hist(4000); @h = hist(4); @k["a"] = hist(3); @k["b"] = hist(9); @k["b"] = hist(1); exit() }'
beside -e 'BEGIN { @l = lhist(3, 0, 10, 2); @l = lhist(30, 0, 10, 2); @l = lhist(-3, 0, 10, 2); @m = lhist(3000, 0, 100000, 1000); @n = lhist(5000, 0, 10240, 1024); exit() }'
beside -e 'BEGIN { @a[1] = 1; @a[2] = 2; @a[3] = 3; print(@a, 2); print(@a, 0, 2); clear(@a); print(@a); @z[1] = 4; zero(@z); @c = count(); clear(@c); @e = "a"; clear(@e); @d[1] = 1; delete(@d[1]); exit() }'
beside -e 'BEGIN { @p[probe] = count(); @u[username] = 1; @g[uid, gid] = count(); exit() }'
beside -e 'BEGIN { printf("%d %s\n", $1, str($2)); exit() }' 12 abc
beside -e 'BEGIN { printf("%d %d %d\n", strncmp("abcdef", "abcxyz", 3), strncmp("abcdefghijkl", "abcdefghijkx", 12) == 0, strncmp("ab", "abc", 2)); exit() }'
beside -q -e 'BEGIN { @ = 5; print(@); exit() }'
beside -f json -e 'BEGIN { @s = (1, "a\"b\n"); @ss[1, "x"] = 1; @q["a\tb"] = stats(1); @v = avg(2); @h = hist(5); @h = hist(-1); @l[1] = lhist(3, 0, 10, 2); printf("x\ty\n"); print(@s); print(7); exit() }'
cat >script.bt <<'S'
#!/usr/bin/env -S sonde run
/* a file,
   with comments */
BEGIN { // here
	printf("from a file\n");
	exit();
}
S
beside script.bt

# what bpftrace 0.17 gets wrong, or has not
run "$SONDE" run -q -e 'BEGIN { $a = 7; $b = -2; printf("%d %d %d %d\n", $a / $b, $a % $b, -7 / 2, -7 % 2); printf("%d 100%%\n", 1 << 40); exit(3) }'; exits 3
has '^-3 1 -3 -1$'; has '^1099511627776 100%$'
run "$SONDE" run -q -e 'BEGIN { @h = hist(1099511627776); exit() }'; ok; has '^\[1T, 2T\) '
run "$SONDE" run -q -e 'BEGIN { $x = 0 ?: 5; print($x); print(has_key(@m, 1)); @m[1] = 2; print(has_key(@m, 1)); print(@m[1]); delete(@m, 1); print(@m[1]); exit() }'; ok
same "$(head -n 5 <<<"$out" | tr '\n' ' ')" '5 0 1 2 0 '
run "$SONDE" run -q -e 'BEGIN { $t = (1, 2); $t = ($t.1, $t.0); print($t); $s = "abc"; $s = $s; $s = pid ? $s : "x"; print($s); $u = ("a", "b"); $u = ($u.1, $u.0); print($u); exit() }'; ok
same "$(head -n 3 <<<"$out" | tr '\n' ' ')" '(2, 1) abc (b, a) '
run "$SONDE" run -q -e 'BEGIN { if (pid < -1) { printf("wrong\n") } printf("%d\n", (uint8)300 + (int8)200); exit() }'; ok; hasnt wrong; has '^-12$'
[ "$("$SONDE" run -q - <<<'BEGIN { printf("piped\n"); exit() }' | head -n 1)" = piped ] || fail "a script from standard input"

# what is set from a constant has its sign, and all its bytes, wherever it is read
run "$SONDE" run -q -e 'BEGIN { $x = -1; @x = -1; $t = (1 - 2, 3); if (pid > $x && pid > @x && pid > $t.0) { printf("above\n") } $y = -8; $z = 8; $z -= 16; printf("%d %d\n", $y / (uint64)2, $z / (uint64)2); exit() }'; ok; has '^above$'; has '^-4 -4$'
run "$SONDE" run -q -e 'BEGIN { $i = (uint8)250; $i += 10; $j = pid ? 300 : (uint8)1; printf("%d %u %u\n", $i, $i, $j); print($i); exit() }'; ok; has '^260 260 300$'; has '^260$'
beside -e 'BEGIN { @i = (uint8)250; @i += 10; printf("%d %u\n", @i, @i); print(@i); exit() }'
# aggregations of numbers of either sign are one
run "$SONDE" run -q -e 'BEGIN { @s = sum(1); @s = sum((uint64)5); @m = max(nsecs - nsecs - 5); @m = max((uint64)7); exit() }'; ok; has '^@s: 6$'; has '^@m: 7$'
# a tuple in brackets is the keys; both forms of delete mean it
# a tuple is all the keys at once
run "$SONDE" run -q -e 'BEGIN { $k = (1, "long"); @m[$k] = 5; print(@m[1, "long"]); @m[3, "x"] = 6; print(has_key(@m, (3, "x"))); delete(@m, $k); @h[$k] = hist(3); print(@h[$k]); @n[1, "long"] = 1; for ($kv : @m) { @n[$kv.0] = $kv.1; } @z[(comm, true)]++; $z = (comm, 1 == 1); @z[$z]++; exit() }'; ok
same "$(grep . "$T/out" | sed 's/  .*//; s/ *$//' | tr '\n' ' ')" '5 1 [2, 4) @h[1, long]: [2, 4) @m[3, x]: 6 @n[1, long]: 1 @n[3, x]: 6 @z[sonde, 1]: 2 '
run "$SONDE" run -q -e 'BEGIN { @x[(1, 2)] = 3; @x[2, 3] = 4; print(has_key(@x, (1, 2))); delete(@x, (1, 2)); print(has_key(@x, (1, 2))); exit() }'; ok
same "$(grep . <<<"$out" | tr '\n' ' ')" '1 0 @x[2, 3]: 4 '
