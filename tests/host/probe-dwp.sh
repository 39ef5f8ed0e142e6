# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc clang
# timeout: 240
# Debug information in packages (.dwp), and units that refer to each other.
export XDG_CACHE_HOME=$T/cache
cp "$TOP/tests/data/probe-shapes.c" shapes.c
. "$TOP/tests/data/probe-shapes.sh" # ask
# split units packed into one file, by both tools; gcc's DWARF 5 is beyond both (dwp 2.40 writes no numbers, llvm-dwp 14 hangs)
pack() { # NAME COMPILER FLAG TOOL
	command -v "$4" >/dev/null || return 0
	"$2" -O2 "$3" -gsplit-dwarf -c -o "$1.o" shapes.c; "$2" -O2 "$3" -o "$1" "$1.o"
	timeout 60 "$4" -o "$1.dwp" "$1.dwo"; mv "$1.dwo" hidden.dwo
	ask "$1"
	for i in $(seq 1 8); do # damaged
		cp "$1.dwp" whole; dd if=/dev/urandom of="$1.dwp" bs=1 count=4 seek=$((i * 1977 % $(stat -c %s whole))) conv=notrunc status=none
		run "$SONDE" probe -x "./$1" -D 'work:5 $vars'; mv whole "$1.dwp"
		[ "$code" = 0 ] || [ "$code" = 255 ] || fail "crashed on a damaged $1.dwp"
	done
}
pack dwpc5 clang -gdwarf-5 llvm-dwp; pack dwpc4 clang -gdwarf-4 dwp; pack dwpg4 gcc -gdwarf-4 dwp; pack dwpg4l gcc -gdwarf-4 llvm-dwp
if [ -e dwpc5.dwp ] && [ -e dwpc4.dwp ]; then # another build's
	cp dwpc5.dwp dwpc4.dwp; run "$SONDE" probe -x ./dwpc4 -D 'work k'; exits 255; err_has '^hint: .*dwpc4.dwp lacks parts of it'
fi
# types in units of their own; gcc's in split files are beyond libdw, and it is said
for v in 4 5; do
	for cc in gcc clang; do $cc -O2 -gdwarf-$v -fdebug-types-section -o types$cc$v shapes.c; ask types$cc$v; done
	clang -O2 -gdwarf-$v -gsplit-dwarf -fdebug-types-section -o tsplit$v shapes.c; ask tsplit$v; rm -f ./*.dwo
	gcc -O2 -gdwarf-$v -gsplit-dwarf -fdebug-types-section -o tsplitg$v shapes.c
	run "$SONDE" probe -x ./tsplitg$v -D 'work two=local->field[2].name:string'
	[ "$code" = 0 ] || { exits 255; err_has '^hint: .*-fdebug-types-section'; hasnt .; }
done
# copies of a function in other units, while its own has one too
if command -v ld.lld >/dev/null; then
	echo 'int puts(const char *); int step(int x) { if (x & 1) puts("odd"); return x + 1; } int (*volatile fp)(int) = step;' >a.c
	echo 'int step(int); extern int (*volatile fp)(int); int main(int c, char **v) { (void)v; return step(c) + fp(c); }' >b.c
	for v in 4 5; do
		clang -O2 -gdwarf-$v -flto -fuse-ld=lld -o across a.c b.c
		run "$SONDE" probe -x ./across -D step; ok; [ "$(grep -c '^p:probe_across/step ' "$T/out")" = 2 ] || fail "not both copies"
	done
fi
