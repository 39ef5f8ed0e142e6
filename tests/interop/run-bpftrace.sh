# SPDX-License-Identifier: GPL-2.0-or-later
# sonde run beside bpftrace, text and JSON, to the letter: what people parse. Each line is one block; a bpftrace takes a third
# of a second to start, so that a block has many cases, with maps of different names. What depends on nothing but the script.
# Not here is what bpftrace 0.17 gets wrong: max() of negative numbers, the top of stats(), lhist() divided, %%,
# signed division, JSON without quotes for strftime(); and the order of entries whose values are the same, which is its hash's.
# needs: bpftrace
[ "$(id -u)" = 0 ] || skip "needs root"

n=0
while read -r block; do
	[ -n "$block" ] || continue
	for form in text json; do
		timeout 60 bpftrace --unsafe -f $form -e "BEGIN { $block exit() }" >theirs 2>their-err </dev/null || { cat their-err; fail "bpftrace cannot do it: $block"; }
		run timeout 60 "$SONDE" run --unsafe -f $form -e "BEGIN { $block exit() }"; ok
		diff -u theirs "$T/out" || fail "$form is not as bpftrace has it: $block"
	done
	n=$((n + 1))
done <<'BLOCKS'
@a[1] = count(); @a[2] = count(); @a[2] = count(); print(@a); print(@a, 1); print(@a, 0, 2); @b["x"] = sum(10); @b["y"] = sum(-4); print(@b, 1, 3); @c = sum(7); print(@c); @d = avg(10); @d = avg(5); print(@d); @e[1] = avg(100); @e[2] = avg(3); print(@e, 1); print(@e, 0, 7); @f = stats(10); @f = stats(5); print(@f); @g[1] = stats(100); @g[2] = stats(3); print(@g); @h["k1", 1] = count(); @i["x", -1] = stats(1);
@a = min(10); @a = min(5); @b[1] = min(100); @b[2] = min(-3); print(@a); print(@b, 1); print(@b, 0, 7); @c = max(10); @c = max(5); @d[1] = max(100); @d[3] = max(7); print(@d, 1); @e = 0; @f[0] = 0; @g[1] = 0; @g[2] = 1; @h[1] = 10; @h[2] = 30; @h[3] = 20; @h[4] = -5; print(@h, 2, 10); print(@h, 100); print(@h, 1); @i = (uint64)-1; @j = -1; @k[2] = 5; print(@i); @l[1, 2] = 3; @l[0, 5] = 4;
@a = hist(10); @a = hist(5); @b[1] = hist(100); @b[1] = hist(100); @b[2] = hist(-3); print(@a); print(@b, 1); print(@b, 0, 2); @c = hist(0); @d = hist(1); @e = hist(2); @f = hist(1023); @g = hist(1024); @h = hist(1048576); @i = hist(1073741824); @j["x", (uint64)1] = hist(1); @a = hist(70); @a = hist(70); @a = hist(70);
@a = lhist(10, 0, 100, 10); @a = lhist(5, 0, 100, 10); @b[1] = lhist(100, 0, 100, 10); @b[1] = lhist(100, 0, 100, 10); @b[2] = lhist(-3, 0, 100, 10); print(@a); print(@b, 1); @c = lhist(2048, 0, 10240, 1024); @d = lhist(1500000, 0, 4194304, 1048576); @e = lhist(1024, 1000, 2000, 24);
@a = "text"; @b["k"] = "value"; print(@a); print(@b); @c = (1, "x"); @d[1] = (2, "y", (3, 4)); print(@c); print(@d); print(1); print(-1); print("s"); print((1, 2)); print((1, ("a", 2), "c")); print((uint8)255); print((int8)255); print(1 == 1); print(!1); print(~1); print(1 << 3); print(0x10); print(1e3); print(1 ? "a" : "b"); print(username); print(probe); @e = username; @f[probe] = 1;
@c = count(); clear(@c); print(@c); @h = hist(1); clear(@h); print(@h); @s = stats(3); clear(@s); print(@s); @m = min(3); clear(@m); print(@m); @x = 1; zero(@x); print(@x); @y[1] = 5; zero(@y); print(@y); clear(@y); print(@y); @d = count(); zero(@d); print(@d); @i = hist(1); zero(@i); print(@i); @n[1] = 1; delete(@n[1]); print(@n); @o = 3; delete(@o); print(@o);
printf("%x %u %o %x\n", (int8)-1, (int16)-2, (int32)-1, (uint8)200); printf("%d %u %x %c\n", -3, 5, 255, 66); printf("%5d|%-5d|%05d\n", 1, 2, 3); printf("%ld %lld %lu %llu %lx %llx %hd %hhd %hu\n", -1, -1, 1, 2, 255, 255, 70000, 300, 70000); printf("%s|%10s|%-10s|%.2s\n", "abc", "abc", "abc", "abc"); printf("%d|\t|\\|\"\n", 5); printf("%p %p\n", 0, 255); printf("no newline"); printf("%c%c%c\n", 0x61, 98, 10); printf("%s %s\n", "a\tb", "c\"d"); printf("%d %d\n", (int8)200, (int16)-3);
printf("%s %s\n", ntop(0x0100007f), ntop(2, 0x04030201)); @n[ntop(0x0100007f)] = 1; @m = ntop(1); print(ntop(2)); printf("%s %s\n", strftime("%Y", nsecs), strerror(2)); time("%Y\n"); @y[strftime("%Y", nsecs)] = 1; cat("/etc/hostname"); cat("/proc/%d/comm", 1); join(0); system("echo %d", 7); system("printf x"); printf("%s %d %d\n", username, uid, gid); printf("%s\n", probe);
printf("%s %s\n", ksym(kaddr("hrtimer_nanosleep")), ksym(1)); print(ksym(kaddr("hrtimer_nanosleep"))); @e = ksym(0); @k[ksym(kaddr("hrtimer_nanosleep"))] = count(); @b = buf(kaddr("hrtimer_nanosleep"), 6); @bb[buf(kaddr("hrtimer_nanosleep"), 6)] = 1; print(buf(kaddr("hrtimer_nanosleep"), 6)); printf("%r %rx %rh\n", buf(kaddr("hrtimer_nanosleep"), 6), buf(kaddr("hrtimer_nanosleep"), 6), buf(kaddr("hrtimer_nanosleep"), 6));
@x++; @x++; @y--; @z += 5; @z *= 3; @z /= 2; @w |= 6; @w ^= 3; print(@x); $a = 5; $b = 3; printf("%d %d %d %d %d %d\n", $a + $b, $a - $b, $b - $a, $a * $b, $a / $b, $a % $b); printf("%d %d %d\n", $a << 2, $a >> 1, $a & $b | 8); $s = "abc"; $t = "abd"; printf("%d %d %d\n", $s == "abc", $s != "abc", $s == $t); printf("%d %d\n", strncmp($s, $t, 2), strncmp($s, $t, 3) != 0); @l["abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz"] = 1; @t[1] = "a bit longer"; @tt["short"] = 1; @tt["a bit longer"] = 2;
BLOCKS
[ $n -ge 10 ] || fail "only $n blocks"
