# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc
# trace --event PROBE --call-graph dwarf: whole stacks of a program that has no frame pointers.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
g=ted$$
trap '"$SONDE" probe -q -d "$g:*" 2>/dev/null || :' EXIT
cat >deep.c <<'C'
#include <unistd.h>
__attribute__((noinline)) int leaf(int a) { __asm__ volatile(""); return a + 1; }
__attribute__((noinline)) int mid(int a) { volatile int x[8] = { a }; return leaf(x[0]) + x[0]; }
__attribute__((noinline)) int top(int a) { volatile int y[4] = { a }; return mid(y[0]) + y[0]; }
int main(int c, char **v) { (void)v; return top(c) + (int)write(2, "", 0) == 1; }
C
gcc -g -O2 -fomit-frame-pointer -o deep deep.c
run "$SONDE" probe -q -x ./deep "$g:leaf=leaf" "a=%di:s32"; ok
for also in --no-syscalls '-e write'; do
	# shellcheck disable=SC2086
	run "$SONDE" trace $also --event "$g:leaf" --call-graph dwarf -o t.txt ./deep; ok; err_hasnt 'frame pointers'
	same "$(sed -n "/$g:leaf/,/_start/s/^ \{20,\}\([a-z_]*\) .*/\1/p" t.txt | head -n 4 | tr '\n' ' ')" 'leaf mid top main ' "$(cat t.txt)"
	grep -q ":leaf(([0-9a-f]*) a=1)" t.txt || fail "$(cat t.txt)"
done
run "$SONDE" trace --json --no-syscalls --event "$g:leaf" --call-graph dwarf -o t.json ./deep; ok
grep '"event":"'"$g:leaf" t.json | grep -q '"leaf".*"mid".*"top".*"main"' || fail "$(cat t.json)"
