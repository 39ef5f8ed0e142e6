# SPDX-License-Identifier: GPL-2.0-or-later
# Paths that a recording or a debug file names are opened only if they are plain files: never a device, a FIFO, a file of the kernel's.
# needs: gcc strace mkfifo tmux
# timeout: 120
cat >busy.c <<'C'
volatile int n;
int spin(void) { for (int i = 0; i < 100000000; i++) n += i; return n; }
int main(void) { return spin() == 1; }
C
gcc -g -gsplit-dwarf -o split busy.c; gcc -g -o whole busy.c
mkfifo fifo
# what the recorded programs' names lead to by now
for p in ptmx kmsg fifo; do cp whole "$p.bin"; "$SONDE" record -q -e cpu-clock:u -F 999 -o "$p.data" "./$p.bin"; rm "$p.bin"; done
ln -s /dev/ptmx ptmx.bin; ln -s /proc/kmsg kmsg.bin; mkfifo fifo.bin
opened() { # CMD...: no such thing was opened (to look at it is no opening)
	timeout 60 strace -f -y -o calls -e trace=open,openat,openat2 "$@" >out.txt 2>err.txt </dev/null || { [ $? != 124 ] || fail "hangs: $*"; }
	! grep -v O_PATH calls | grep -E '= [0-9]+<(/dev/(ptmx|pts/)|/proc/kmsg|[^>]*fifo(\.bin)?>)' || fail "opened by: $*"
}
for p in ptmx kmsg fifo; do
	opened "$SONDE" report --stdio -i $p.data
	grep -q "$p.bin" out.txt || fail "no row of the program in the report"
	opened "$SONDE" report --stdio -s srcline -i $p.data
	opened "$SONDE" script -i $p.data -F ip,sym,srcline
	for how in 'annotate --stdio' 'flame --format svg -o x.svg' 'timeline -o x.html' 'export --to firefox -o x.json' "diff $p.data"; do
		# shellcheck disable=SC2086
		if [ "${how#diff}" = "$how" ]; then opened "$SONDE" $how -i $p.data; else opened "$SONDE" $how $p.data; fi
	done
	HOME=$T opened "$SONDE" archive -i $p.data -o $p.tar
	HOME=$T opened "$SONDE" buildid-cache -a $p.bin
	opened "$SONDE" probe -x ./$p.bin -F
	grep -q 'is not a regular file' err.txt || fail "no word about it"
done
# what debugging information names: split units, sources
opened "$SONDE" probe -x ./split -L main; grep -q 'int main' out.txt || fail "split debug information is not read"
dwo=$(echo ./*.dwo); rm "$dwo"; mkfifo "$dwo"; mv "$dwo" keep.fifo; ln -s keep.fifo "$dwo"
opened "$SONDE" probe -x ./split -L main
printf '#line 1 "%s/fifo"\nint main(void) { return 0; }\n' "$PWD" | gcc -g -x c -o sourced -
opened "$SONDE" probe -x ./sourced -L main
printf '#line 1 "%s/fifo"\n' "$PWD" | cat - busy.c | gcc -g -x c -o sourced -
"$SONDE" record -q -e cpu-clock:u -F 999 -o sourced.data ./sourced
opened "$SONDE" annotate --stdio -l -i sourced.data; grep -q 'spin' out.txt || fail "nothing of spin() is shown"
# a separate file for several programs
cp whole alt; printf 'fifo\0%020d' 0 >./link; objcopy --add-section .gnu_debugaltlink=link alt
opened "$SONDE" probe -x ./alt -L main
"$SONDE" record -q -e cpu-clock:u -F 999 -o alt.data ./alt
opened "$SONDE" report --stdio -s srcline -i alt.data
# the browser's list of recordings here, where others may have put links to anything
. "$TOP/tests/tmux.sh"; mkdir here; cp kmsg.data here; cd here; ln -s /dev/ptmx one.data; ln -s /proc/kmsg two.data; mkfifo fifo; ln -s fifo three.data
terminal 120 30; line "strace -f -y -o calls -e trace=open,openat,openat2 '$SONDE' report -i kmsg.data"
shows 'Overhead'; press s; shows 'recordings of this folder'; shows 'kmsg\.data'; press q q q; await 'grep -q "exited with" calls'
! grep -v O_PATH calls | grep -E '= [0-9]+<(/dev/(ptmx|pts/[^>]*ptmx)|/proc/kmsg|[^>]*fifo>)' || fail "the browser opened it"
cd ..
# cat() of a script: the name may be a traced program's
if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ]; then
	[ -p pipe ] || mkfifo pipe
	run timeout 60 "$SONDE" run -q -e "BEGIN { cat(\"$PWD/pipe\"); cat(\"/dev/%s\", \"ptmx\"); cat(\"/proc/version\"); exit() }"; ok
	err_has 'cat: cannot read .*/pipe: it is no plain file'; err_has 'cat: cannot read /dev/ptmx: it is no plain file'; has '^Linux version'
fi
