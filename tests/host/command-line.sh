# SPDX-License-Identifier: GPL-2.0-or-later
# The table of commands, help, and what a wrong name gets.
run "$SONDE"; ok; has '^usage: sonde COMMAND'
run "$SONDE" --version; ok; has '^sonde [0-9]'
run "$SONDE" helpp; exits 129; err_has "sonde: 'helpp' is not a sonde command"; err_has '^hint: '
run "$SONDE" help nosuch; exits 129
# Every wrong command line: one sentence, a hint, 129.
wrong() { run "$SONDE" "$@"; exits 129; err_has '^sonde: '; err_has '^hint: '; [ "$(grep -c '^sonde: ' "$T/err")" = 1 ] || fail "more than one sentence"; }
for c in $("$SONDE" | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
	wrong "$c" --no-such-option
	err_has "sonde $c -h|did you mean"
	wrong "$c" $'-\x01'
	for o in $("$SONDE" "$c" --option-words | sed -n 's/^--//p'); do # all can be turned off, or say why not
		run "$SONDE" "$c" "--no-$o" -h
		[ "$code" = 0 ] || { exits 129; err_has '^sonde: --'; err_has '^hint: '; }
	done
	run "$SONDE" "$c" -h; ok; has "^usage: sonde $c"
	run "$SONDE" help "$c"; ok; has "^usage: sonde $c"
	! grep -A1 '^usage' "$T/out" | grep -c '^$' | grep -q 2 || fail "two empty lines"
done
wrong stat; wrong stat -e; wrong stat -e '{cs,' true; wrong stat -e 'cs,,cs' true; wrong stat -e '' true
wrong stat -e cs:z true; err_has "'z' is not a modifier"
wrong stat -e cs:pppp true; wrong stat -e '{cs' true; wrong stat -e '{cs}x' true
wrong stat -e cpu/event=0x0e,umask=/ true; err_has 'a value is missing'
wrong stat -e mem:0x1000/3 true; wrong stat -e msr/tsc true; wrong stat -x '' -e cs true
wrong stat --no-repeat true; err_has '^sonde: --no-repeat: --repeat takes a value \(N\) and is left out instead$'
wrong record --no-event true; wrong report --no-percentage
wrong stta; err_has "did you mean 'stat'"
wrong stat --repaet 3 true; err_has 'repeat'
# What cannot be run is named.
for c in stat trace record; do
	run "$SONDE" "$c" -o "$T/o" no-such-program; exits 255; err_has "cannot run the command 'no-such-program'"; err_has '^hint: '
done
# Nobody takes the answer: told, and 255; a reader that has seen enough is no failure.
for words in --version '' help 'help stat' 'stat -h' list doctor; do
	code=0; "$SONDE" $words >/dev/full 2>"$T/err" || code=$?; : >"$T/out"
	exits 255; err_has '^sonde: cannot write to standard output'; err_has '^hint: '
	"$SONDE" $words 2>"$T/err" | head -c 1 >/dev/null; [ ! -s "$T/err" ] || fail "complains about a reader that left"
done
run "$SONDE" kmem record; exits 129; err_has "^hint: perf kmem reads the perf.data"
# perf's options that sonde has not: a way on
run "$SONDE" stat --td-level 2 true; exits 129; err_has "^sonde: --td-level: "; err_has "^hint: .*-M"
run "$SONDE" report --stitch-lbr; exits 129; err_has "^hint: record with --call-graph dwarf"
run "$SONDE" stat --no-csv-summary -x, -e cs true; ok; err_hasnt 'changes nothing'
