# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc
# Probes on lines are named FUNC_L3, as perf names them since 6.12; FUNC still finds the only one.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
p=pl$$
trap '"$SONDE" probe -q -d "probe_$p:*" 2>/dev/null || :' EXIT
cat >lines.c <<'C'
__attribute__((noinline)) int work(int a)
{
	int b = a * 2;
	b += a;
	return b;
}
static inline __attribute__((always_inline)) int inl(int x)
{
	x += 3;
	return x;
}
int main(int argc, char **argv)
{
	return work(argc) + inl(argc) + inl(3) == 1;
}
C
gcc -g -O0 -o $p lines.c
named() { # PROBE NAME: all places have that name
	run "$SONDE" probe -x ./$p -D "$1"; ok
	same "$(sed -n 's/^[pr][0-9]*:\([^ ]*\) .*/\1/p' "$T/out" | sort -u)" "probe_$p/$2" "$1"
}
# what perf 6.12.95 makes of the same
named work work; named work:0 work; named work:3 work_L3; named work:3@lines.c work_L3; named work@lines.c:3 work_L3; named 'work:3 a' work_L3
named work+4 work; named work%return work__return; named lines.c:4 work; named 'work;b+=a;' work; named inl:2 inl_L2; named x=work:3 x
named 'w*k:3' work_L3
run "$SONDE" stat -e "probe_$p:work" true; exits 129; err_has "no tracepoint .probe_$p:work"
run "$SONDE" probe -q -x ./$p -a work:3 -a inl:2; ok
for e in work work_L3 inl; do
	run "$SONDE" stat -x, -e "probe_$p:$e" ./$p; ok; err_has "^[12],,probe_$p:${e%_L*}_L[23],"
done
run "$SONDE" trace --no-syscalls --event "probe_$p:work" ./$p; ok; err_has "probe_$p:work_L3\("
run "$SONDE" record -q -o l.data -e "probe_$p:work" ./$p; ok; run "$SONDE" script -i l.data; ok; has "probe_$p:work_L3:"
# of several none is meant, and an event of that very name goes first
run "$SONDE" probe -q -x ./$p work:4; ok
run "$SONDE" stat -e "probe_$p:work" ./$p; exits 129
run "$SONDE" probe -q -x ./$p work; ok
run "$SONDE" stat -x, -e "probe_$p:work" ./$p; ok; err_has "^1,,probe_$p:work,"
