# SPDX-License-Identifier: GPL-2.0-or-later
# record --kcore: a folder with the recording and the kernel's code, which perf takes for its own.
# guest-perf
# guest-modules: openvswitch
# timeout: 200
modprobe openvswitch
work=(dd if=/dev/zero of=/dev/null bs=1 count=50k)
run "$SONDE" record --kcore -F 999 -a -o k.data -- "${work[@]}"; ok; err_has 'Captured and wrote .*k.data'
for f in data kcore_dir/kcore kcore_dir/kallsyms kcore_dir/modules; do [ -s "k.data/$f" ] || fail "no $f"; [ "$(stat -c %a "k.data/$f")" = 600 ] || fail "others may read $f"; done
run "$SONDE" script -i k.data -F ip,sym; ok; has '^ +f{8}[0-9a-f]{8} [a-z_]{4}'
perf script --no-inline -v -i k.data -F ip,sym >by-perf 2>perf.err || fail "perf script: $(tail -3 perf.err)"
grep -q 'Using .*k.data/kcore_dir/kcore for kernel ' perf.err || fail "perf does not take the copy: $(grep -i kcore perf.err | head -3)"
names() { awk '$1 ~ /^ffffffff/ { print $1, $2 }' "$1" | sort -u; }
"$SONDE" script -i k.data -F ip,sym >by-sonde 2>/dev/null; same "$(names by-sonde)" "$(names by-perf)" "other names than perf's"
# the bytes are the kernel's own, and a module's are there
perf script --no-inline -v -i k.data -F ip,sym 2>&1 >/dev/null | grep -qi 'kcore.*fail\|not a kcore' && fail "perf finds fault with it"
grep -q '\[openvswitch\]' k.data/kcore_dir/kallsyms
# once more: what was there is kept as .old, a third time replaced
run "$SONDE" record --kcore -F 999 -o k.data true; ok; [ -f k.data.old/data ]; [ -f k.data/data ]
run "$SONDE" record --kcore -F 999 -o k.data true; ok; [ -f k.data.old/data ]; [ "$(find . -maxdepth 1 -name 'k.data*' | wc -l)" = 2 ] || fail "something is left: $(ls)"
mkdir other; : >other/mine; run "$SONDE" record --kcore -o other true; exits 255; err_has 'no recording'; [ -f other/mine ]
run "$SONDE" record --kcore -o - true; exits 129; err_has 'goes with neither -o -'
