# SPDX-License-Identifier: GPL-2.0-or-later
# The index: written for big files, believed only when it is whole, ours and of this very file.
export XDG_CACHE_HOME=$T/cache
run "$SONDE" probe -x "$SONDE" -D 'str_addf s->len fmt:string'; ok; want=$out
index=$(ls "$XDG_CACHE_HOME"/sonde/probe/*.index) || fail "no index was written"
for round in again damaged short foreign empty; do
	case $round in
	damaged) printf 'x' | dd of="$index" bs=1 seek=40 conv=notrunc status=none ;;
	short) truncate -s 20 "$index" ;;
	foreign) head -c 5000 /dev/urandom >"$index" ;;
	empty) : >"$index" ;;
	esac
	run "$SONDE" probe -x "$SONDE" -D 'str_addf s->len fmt:string'; ok; same "$out" "$want" "$round"
	[ "$(head -c 8 "$index")" = SONDEPI1 ] || fail "$round: the index was not made anew"
done
# the same build-id on other debug information: its offsets do not count
cp "$SONDE" other; objcopy --compress-debug-sections=zlib other 2>/dev/null || :
run "$SONDE" probe -x ./other -D 'str_addf s->len fmt:string'; ok; has 'len=\+8\(%di\):x64 fmt_string=\+0\(%si\):string$'
cp "$index" saved
objcopy --strip-debug other stripped
run "$SONDE" probe -x ./stripped -V str_addf; [ "$code" -eq 255 ] || has 'fmt'
# several names, one file, nothing else left there
run "$SONDE" probe -x "$SONDE" -D 'str_pad column'; ok
run "$SONDE" probe -x "$SONDE" -V str_grow; ok
find "$XDG_CACHE_HOME" -type f ! -name '*.index' | grep -q . && fail "left behind"
# a line of a header: which units have it is remembered too, also that none has
line=$(grep -n 'return glob_has(name)' "$SOURCE/src/symbol/dwarf/dwarf.h" | cut -d: -f1)
before=$(stat -c %s "$index")
run "$SONDE" probe -x "$SONDE" -D "symbol/dwarf/dwarf.h:$line"; ok; want=$out
[ "$(stat -c %s "$index")" -gt "$before" ] || fail "nothing was remembered of the header"
run "$SONDE" probe -x "$SONDE" -D "symbol/dwarf/dwarf.h:$line"; ok; same "$out" "$want" "a header's line, remembered"
for _ in 1 2; do run "$SONDE" probe -x "$SONDE" -D "symbol/dwarf/dwarf.h:1"; exits 255; err_has 'line 1 of symbol/dwarf/dwarf.h has no code'; done
# many at once
for i in 1 2 3 4 5 6; do "$SONDE" probe -x "$SONDE" -D "str_pad column" >"o$i" & done; wait
for i in 2 3 4 5 6; do cmp o1 "o$i" || fail "different answers"; done
# no cache folder: no harm
run env XDG_CACHE_HOME=/proc/nowhere "$SONDE" probe -x "$SONDE" -D 'str_pad column'; ok
