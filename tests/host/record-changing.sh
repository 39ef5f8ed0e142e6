# SPDX-License-Identifier: GPL-2.0-or-later
# A recording that is cut or overwritten while it is read: what came before is read, then a sentence, never a crash.
"$SONDE" record -q -e raw_syscalls:sys_enter -o whole dd if=/dev/zero of=/dev/null bs=1 count=100k 2>/dev/null

# reading: script stands in the middle of the file, since nobody takes its lines, when the file is changed.
reading() { # CHANGE...
	cp whole now
	code=0
	{ "$SONDE" script -i now 2>"$T/err" || echo $? >"$T/code"; } | { head -c 4096 >"$T/out"; "$@"; cat >>"$T/out"; }
	[ ! -e "$T/code" ] || { code=$(cat "$T/code"); rm "$T/code"; }
}
size=$(stat -c %s whole)
[ "$size" -gt 4000000 ] || fail "the recording is too small: $size"

reading truncate -s $((size / 2)) now
exits 255; err_has '^sonde: now was cut off while it was read: offset 0x[0-9a-f]+ is gone$'; has 'dd .* raw_syscalls:sys_enter'
reading truncate -s $((size / 2 + 100)) now
exits 255; err_has '^sonde: now was cut off while it was read'
reading truncate -s 0 now
exits 255; err_has '^sonde: now was cut off while it was read'

# Every byte of the second half becomes 0xff: every length, count and type.
ones() { head -c $((size / 2)) /dev/zero | tr '\0' '\377' | dd of=now bs=64k seek=$((size / 2)) oflag=seek_bytes conv=notrunc status=none; }
reading ones
exits 255; err_has '^sonde: now is damaged at offset 0x[0-9a-f]+: '
# Lengths that fit nowhere: the records' headers are shifted by 4 bytes.
shifted() { { head -c $((size / 2)) whole; head -c 4 /dev/zero; tail -c +$((size / 2 + 1)) whole; } | head -c "$size" | dd of=now bs=64k conv=notrunc status=none; }
reading shifted
[ "$code" = 255 ] || [ "$code" = 0 ] || fail "it crashed: $code"
