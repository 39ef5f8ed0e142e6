# SPDX-License-Identifier: GPL-2.0-or-later
# Maps whose key is the thread have their entries in slots (script/code/slots.h): every thread has its own, also where there are
# hardly any slots, and print, clear and zero find them all.
[ "$(id -u)" = 0 ] || skip "needs root"
begin='tracepoint:syscalls:sys_enter_getppid /pid == cpid/ { @s[tid] = nsecs; @in = count() }'
script="$begin"' tracepoint:syscalls:sys_exit_getppid /@s[tid]/ {
	@out = count(); @early = sum(@s[tid] > nsecs); delete(@s[tid]);
	@calls[tid]++; if (@calls[tid] == 3) { @calls[tid] *= 100; @all = count(); } if (@calls[tid] > 300) { delete(@calls[tid]) } }'
for without in '' slots fetch; do
	export SONDE_RUN_WITHOUT=$without
	run "$SONDE" run -q -c "$PROG/threads 300 all" -e "$script"; ok
	has '^@in: 900$'; has '^@out: 900$'; has '^@all: 300$'; has '^@early: 0$'; hasnt '^@s'
	same "$(grep -c '^@calls\[[0-9]*\]: 300$' "$T/out") $(grep -c '^@calls' "$T/out") $(sort -u "$T/out" | grep -c '^@calls')" "300 300 300" "entries without '$without'"
	run "$SONDE" run -q -f json -c "$PROG/threads 300 all" -e "$script END { clear(@in); zero(@calls) }"; ok
	same "$(grep -o '"[0-9]*": 0[,}]' "$T/out" | sort -u | wc -l)" 300 "zeros without '$without'"
	run "$SONDE" run -q -c "$PROG/threads 300 all" -e "$script END { clear(@calls); }"; ok; hasnt '@calls'; has '^@all: 300$'
	# the value of one, and one that has none
	run "$SONDE" run -q -e 'BEGIN { @a[tid] = 5; print(@a[tid]); delete(@a[tid]); print(@a[tid] == 0); print(has_key(@a, tid)); @a[tid] = 6; exit() }'; ok
	same "$(grep -v '^$' "$T/out" | sed 's/\[.*\]/[]/' | tr '\n' ' ')" '5 1 0 @a[]: 6 ' "one thread without '$without'"
	run "$SONDE" run -q -e 'BEGIN { @a[tid] = 5; @a[1] = 7; if (@b) { delete(@a[tid]) } @b = 1; exit() }'; ok # another key as well
	has '^@a\[1\]: 7$'; same "$(grep -c '^@a' "$T/out")" 2 "two keys"
done
