# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc clang objcopy
# timeout: 300
# The same answers from every shape of debug information.
export XDG_CACHE_HOME=$T/cache
cp "$TOP/tests/data/probe-shapes.c" shapes.c
. "$TOP/tests/data/probe-shapes.sh" # ask
build() { # NAME COMPILER FLAG...
	local name=$1 cc=$2; shift 2
	"$cc" -O2 "$@" -o "$name" shapes.c 2>"$T/cc" || { cat "$T/cc"; fail "cannot build $name"; }
	ask "$name"
}
for v in 2 3 4 5; do build "gcc$v" gcc -gdwarf-$v; build "clang$v" clang -gdwarf-$v; done
build packed gcc -g -gz=zlib
build split gcc -g -gsplit-dwarf
build csplit clang -g -gsplit-dwarf
build lto gcc -g -flto
build sections gcc -g -ffunction-sections -fdata-sections -Wl,--gc-sections
mv split-shapes.dwo hidden.dwo; run "$SONDE" probe -x ./split -D 'work k'; exits 255; err_has 'files that are not here: neither .*split.dwp nor .*/split-shapes.dwo'
# the debug information apart: by .gnu_debuglink
gcc -g -O2 -o apart shapes.c; objcopy --only-keep-debug apart apart.debug; strip apart; objcopy --add-gnu-debuglink=apart.debug apart
ask apart
if command -v dwz >/dev/null; then # parts shared in a third file
	gcc -g -O2 -o one shapes.c; gcc -g -O2 -o two shapes.c
	dwz -m shared.dwz one two 2>/dev/null && ask one
fi
# damaged: cut short, and bytes overwritten; an error or an answer, never a crash
for cut in 30 60 90; do
	head -c $(($(stat -c %s gcc5) * cut / 100)) gcc5 >short; run "$SONDE" probe -x ./short -D 'work k'
	[ "$code" = 0 ] || [ "$code" = 255 ] || fail "crashed on a file cut to $cut %"
done
size=$(stat -c %s gcc5)
for i in $(seq 1 40); do
	cp gcc5 bad
	for j in 1 2 3 4 5 6 7 8; do printf "\\x$(printf %x $(((i * 37 + j * 11) % 256)))" | dd of=bad bs=1 seek=$(((i * 7919 + j * 104729) % size)) conv=notrunc status=none; done
	run "$SONDE" probe -x ./bad -D 'work:5 $vars'
	[ "$code" = 0 ] || [ "$code" = 255 ] || fail "crashed on damaged file $i"
done
