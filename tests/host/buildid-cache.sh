# SPDX-License-Identifier: GPL-2.0-or-later
# The cache in ~/.debug: there and back, and as perf sees it.
export HOME=$T
gcc -g -o prog -x c - <<<'int main(){return 0;}'
here=$(realpath prog)
run "$SONDE" buildid-cache -v -a prog; ok; err_has '^added prog'
run "$SONDE" buildid-cache -l; ok; has "^[0-9a-f]{40} $here\$"
listed=$out
id=${listed%% *}
cmp "$HOME/.debug/.build-id/${id:0:2}/${id:2}/elf" prog || fail "the copy differs"
same "$(readelf -n prog | sed -n 's/.*Build ID: //p')" "$id" "build-id"
if command -v perf >/dev/null; then
	run perf buildid-cache -l; ok; same "$out" "$listed" "perf's view of it"
fi
# An older build of the same path is another entry; purge takes both, remove only the present one.
gcc -O2 -g -o prog -x c - <<<'int main(){return 1;}'
run "$SONDE" buildid-cache -a prog; ok
run "$SONDE" buildid-cache -l; same "$(wc -l <"$T/out")" 2 "entries"
run "$SONDE" buildid-cache -r prog; ok
run "$SONDE" buildid-cache -l; ok; same "$out" "$listed" "what is left"
run "$SONDE" buildid-cache -r prog; exits 255; err_has 'is not in the cache'
rm prog
run "$SONDE" buildid-cache -p "$here"; ok
run "$SONDE" buildid-cache -l; ok; same "$out" "" "all gone"
# Each failure is named, the rest is done.
run "$SONDE" buildid-cache -a "/nosuch,$SONDE"; exits 255; err_has 'cannot read /nosuch: No such file'
run "$SONDE" buildid-cache -l; ok; has " $(realpath "$SONDE")\$"
run "$SONDE" buildid-cache -P; ok
run "$SONDE" buildid-cache -l; same "$out" ""
run "$SONDE" buildid-cache; exits 129; err_has 'nothing to do'
echo 'no binary' >text
run "$SONDE" buildid-cache -a text; exits 255; err_has 'cannot read text'
