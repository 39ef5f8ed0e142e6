# SPDX-License-Identifier: GPL-2.0-or-later
# timeout: 300
# Memory that is refused ends sonde with a sentence, a remedy and 255, wherever that happens; it never aborts or crashes
# (but for one assertion in libdw 0.188, which has no handler for it).
"$SONDE" record -q -F 999 -e cpu-clock -g dwarf,8192 -o r.data "$PROG/deepstack" 1500 || skip "cannot record here"
gcc -g -O1 -o deep "$TOP/tests/prog/deepstack.c" -w
refused=0 done=0
# limit MB CMD...: right, or refused in words
limit() {
	local mb=$1; shift
	run bash -c "ulimit -c 0; ulimit -v $((mb * 1024)); exec \"\$@\"" - "$@"
	case $code in
	0) done=$((done + 1)) ;;
	127) ;; # the loader had no room for sonde itself
	134) err_has 'dynamicsizehash_concurrent\.c:[0-9]+: .*Assertion' ;; # libdw's own tables know no other way
	255)
		err_has '^sonde: '
		! grep -q '^sonde: out of memory$' "$T/err" || { refused=$((refused + 1)); err_has '^hint: .*ulimit -v'; }
		;;
	*) fail "$mb MB: exit code $code" ;;
	esac
}
for mb in $(seq 12 4 60) 80 400; do
	limit "$mb" "$SONDE" report --stdio -i r.data
	limit "$mb" "$SONDE" script -i r.data
done
for mb in $(seq 12 4 40) 400; do limit "$mb" "$SONDE" probe -x ./deep -V main; done
for mb in 16 24 32 48 400; do limit "$mb" "$SONDE" trace -o /dev/null true; done
[ "$refused" -gt 0 ] || fail "no limit refused memory"
[ "$done" -ge 4 ] || fail "the highest limits were too little"
