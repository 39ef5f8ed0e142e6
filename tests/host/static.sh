# SPDX-License-Identifier: GPL-2.0-or-later
# needs: readelf busybox
# make static: one small file without shared libraries. It traces, counts, records, reports and probes in a root where
# nothing is but itself, /proc, /sys and what is traced; users are those of /etc/passwd there.
. "$TOP/tests/static-works.sh"
[ -x "$STATIC" ] || fail "make static comes first"
size=$(stat -c %s "$STATIC")
# 6 MB for what was there before `run`, and 3 MB in all for that and what comes after it (doc/SHIPPING.md)
[ "$size" -le 9000000 ] || fail "it has $size bytes"
run readelf -lW "$STATIC"; ok; hasnt INTERP
run readelf -dW "$STATIC"; hasnt NEEDED
run readelf -SW "$STATIC"; ok; hasnt 'symtab|\.debug' # stripped
run readelf -pW .rodata "$STATIC"; hasnt 'libnss|libdebuginfod\.so'
# a debug file that debuginfod has fetched before is found without its library; what would have to be asked for is told
cp "$PROG/no_libs" stripped; strip stripped
id=$(readelf -n stripped | sed -n 's/.*Build ID: //p')
export DEBUGINFOD_URLS=http://127.0.0.1:1 DEBUGINFOD_CACHE_PATH=$PWD/cache
"$STATIC" record -q -F 999 -e cpu-clock:u -o d.data ./stripped 100 2>"$T/err" || [ $? = 7 ] || skip "cannot record here: $(head -n 1 "$T/err")"
run "$STATIC" script -i d.data; ok; hasnt ' turn\+'; err_has '^sonde: DEBUGINFOD_URLS is set, but no server was asked'; err_has '^hint: .*debuginfod-find'
run "$STATIC" probe -x ./stripped -D 'turn number'; exits 255; err_has '^hint: .*debuginfod-find'
mkdir -p "cache/$id"; : >"cache/$id/debuginfo" # empty: no server has it
run "$STATIC" script -v -i d.data; ok; hasnt ' turn\+'; err_has 'not at debuginfod http://127'
cp "$PROG/no_libs" "cache/$id/debuginfo"
run "$STATIC" script -i d.data; ok; has ' turn\+0x'
run "$STATIC" probe -x ./stripped -D 'turn number'; ok; has 'number='
unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH

# a locale is read from its files, without the modules that convert between its characters and others
printf 'LC_NUMERIC\ndecimal_point "."\nthousands_sep ","\ngrouping 3;3\nEND LC_NUMERIC\n' >numbers
mkdir locales; localedef -c -i numbers "$PWD/locales/xy" >/dev/null 2>&1 || [ -e locales/xy/LC_NUMERIC ] || fail "localedef"
for s in "$SONDE" "$STATIC"; do
	# shellcheck disable=SC2016
	run env LOCPATH="$PWD/locales" LC_NUMERIC=xy "$s" stat -B -e page-faults sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ls -l /proc/self; done'
	ok; err_has '^ +[1-9],[0-9]{3} +page-faults'
done

[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || skip "the file is right; only root can change into another root"
engines=(ptrace)
for e in perf bpf; do "$SONDE" trace --engine $e -o /dev/null true 2>/dev/null && engines+=("$e"); done
mkdir empty; put_in empty
traces_in empty "${engines[@]}"
records_in empty
# the browser on the terminals that it knows by itself: there is no terminfo in that root
for term in xterm xterm-256color screen tmux linux vt100; do
	: >screen
	(await 'grep -aq Samples: screen'; printf q) | TERM=$term timeout 60 script -qefc "$(declare -f in_root); in_root empty /sonde report -f -i /tmp/record" screen >/dev/null || fail "$term: the browser"
done
leave_no_probe "static_empty_$$"
probes_in empty "static_empty_$$"
run in_root empty /sonde doctor; ok; has '^user +nameless \(uid 0\)'
run in_root empty /sonde trace -u ann true; exits 255; err_has "there is no user 'ann'"
add_users empty; finds_users empty
grep -q "$PWD" /proc/self/mounts && fail "something is still mounted"
run in_root empty /sonde script python x.py; exits 255; err_has '^hint: '
