# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc objcopy strip
# Names of binaries that are not at their path: debug files from a debuginfod server (a folder stands in for
# it), a container while it runs, and its build-id afterwards.
export HOME=$T
cat >busy.c <<'C'
volatile long n;
__attribute__((noinline)) static void hot_function(void) { for (int i = 0; i < 1000000; i++) n += i; }
int main(int argc, char **argv) { for (int i = 0; i < (argc > 1 ? 100000 : 60); i++) hot_function(); return 0; }
C
gcc -O1 -g -o prog busy.c
objcopy --only-keep-debug prog prog.debug
strip prog
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
mkdir -p server/buildid/"$id"; mv prog.debug server/buildid/"$id"/debuginfo
"$SONDE" record -q -F 999 -e cpu-clock -o s.data ./prog 2>"$T/err" || skip "cannot record here: $(head -n 1 "$T/err")"
run "$SONDE" script -i s.data; ok; hasnt hot_function
if ldconfig -p 2>/dev/null | grep -c libdebuginfod.so.1 >/dev/null; then
	DEBUGINFOD_URLS=file://$PWD/server run "$SONDE" script -i s.data; ok; has ' hot_function\+0x'
fi

[ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null || skip "names from a debug server are right; no container can be made here"
mkdir box
gcc -O1 -g -static -o box/inside busy.c || exit 0
"$SONDE" record -q -F 999 -e cpu-clock -a -o c.data &
recorder=$!
await "ready $recorder"
unshare -m chroot box /inside forever &
inside=$!
await "[ \$(ran $inside) -ge 20 ]"
kill -TERM $recorder; wait $recorder || fail "the recorder"
run "$SONDE" script -i c.data --comm inside; ok; has '\(/inside\)'
kill -0 $inside # it still runs: its files are seen through /proc/PID/root
has ' hot_function\+0x.* \(/inside\)|hot_function.*\(/inside\)'
kill $inside; wait $inside 2>/dev/null || true
run "$SONDE" script -i c.data --comm inside; ok; hasnt hot_function
"$SONDE" buildid-cache -a box/inside
run "$SONDE" script -i c.data --comm inside; ok; has 'hot_function.*\(/inside\)'
