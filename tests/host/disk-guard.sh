# SPDX-License-Identifier: GPL-2.0-or-later
# A recording never fills a disk: it ends while there is room, cleanly, with a word, and the command goes on.
# needs: mount unshare
[ "$(id -u)" = 0 ] || skip "needs root"
unshare -m true 2>/dev/null || skip "no mount namespace can be made here"
mkdir d
# small BLOCKS COMMAND...: with d on a file system of so many kB; leaves how many kB are free in $T/free, files in $T/kept
small() {
	local kb=$1; shift
	rm -rf "$T/kept"; mkdir "$T/kept"
	# shellcheck disable=SC2016
	run unshare -m bash -c 'mount -t tmpfs -o size=$1k none d; shift; c=0; "$@" || c=$?
		df -k --output=avail d | tail -n 1 >"$T/free"; cp d/* "$T/kept"; exit $c' x "$kb" "$@"
}
free_is() { [ "$(cat "$T/free")" -ge "$1" ] || fail "$(cat "$T/free") kB are left, wanted $1"; }
work=(sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=300k 2>/dev/null; echo whole; exit 3')

small 20000 "$SONDE" record -e raw_syscalls:sys_enter -o d/r.data -- "${work[@]}"
exits 3; has '^whole$'; err_has 'stopped writing to d/r.data: less than 5 % or 1 GB'; err_has 'hint: .*--max-size.*--switch-output.*--no-disk-guard'
err_has 'Captured and wrote .* MB d/r.data'; free_is 900
n=$("$SONDE" script -i "$T/kept/r.data" | wc -l); [ "$n" -gt 1000 ] || fail "only $n events can be read"
# where perf's events are used, and not the BPF program: the same
small 20000 "$SONDE" record -e raw_syscalls:sys_enter -g -o d/r.data -- "${work[@]}"
exits 3; has '^whole$'; err_has 'stopped writing'; free_is 900
n=$("$SONDE" script -i "$T/kept/r.data" | grep -c raw_syscalls); [ "$n" -gt 1000 ] || fail "only $n events can be read"

for engine in bpf perf ptrace; do
	small 4000 "$SONDE" trace --engine=$engine -o d/t.txt -- "${work[@]}"
	exits 3; has '^whole$'; err_has 'stopped writing to d/t.txt'; err_has 'hint: .*--no-disk-guard'; free_is 190
	[ -z "$(tail -c 1 "$T/kept/t.txt")" ] || fail "$engine: the last line is not whole"
	small 4000 "$SONDE" trace record --engine=$engine -o d/t.data -- "${work[@]}"
	exits 3; has "^whole$"; err_has "stopped writing to d/t.data"; free_is 150
	n=$("$SONDE" trace -i "$T/kept/t.data" | wc -l); [ "$n" -gt 1000 ] || fail "$engine: only $n lines can be read"
done
small 4000 "$SONDE" trace -ff -o d/f -- "${work[@]}"; exits 3; has '^whole$'; err_has 'stopped writing to d/f'; free_is 190
for script in 'tracepoint:raw_syscalls:sys_enter { printf("call number %d\n", args.id) }' 'probe syscall.write { printf("write of %d\n", pid()) }'; do
	language=bt; [ "${script#probe }" = "$script" ] || language=stp
	echo "$script" >script.$language
	small 4000 "$SONDE" run -o d/t.txt -c "sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=400k 2>/dev/null; echo whole; exit 3'" script.$language
	exits 3; has '^whole$'; err_has 'stopped writing to d/t.txt'; err_has 'hint: .*--no-disk-guard'; free_is 190
	[ -z "$(tail -c 1 "$T/kept/t.txt")" ] || fail "$language: the last line is not whole"
done
# what the kernel's own tracers show
if [ -w /sys/kernel/tracing/instances ]; then
	for how in 'ftrace stream' 'ftrace trace -a' 'ftrace stream --json'; do
		# shellcheck disable=SC2086
		small 4000 "$SONDE" $how -e raw_syscalls:sys_enter -o d/t.txt -- "${work[@]}"
		exits 3; has '^whole$'; err_has 'stopped writing to d/t.txt'; err_has 'hint: .*--no-disk-guard'; free_is 190
		[ -z "$(tail -c 1 "$T/kept/t.txt")" ] || fail "$how: the last line is not whole"
	done
	# shellcheck disable=SC2016
	small 4000 bash -c '"$1" tpoint -o d/t.txt raw_syscalls:sys_enter & shift; while kill -0 $! 2>/dev/null; do "$@" >/dev/null; done; wait $!' x "$SONDE" sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=100k 2>/dev/null'
	ok; err_has 'stopped writing to d/t.txt'; free_is 190
fi
# few lines, which only the end writes
fill() { head -c "$1" /dev/zero >d/fill; shift; "$@"; }; export -f fill
small 4000 bash -c 'fill 4000000 "$@"' x "$SONDE" trace -o d/t.txt -- sh -c 'echo whole'
ok; has '^whole$'; err_has 'stopped writing to d/t.txt'; [ ! -s "$T/kept/t.txt" ] || fail "something was written"
small 4000 bash -c 'fill 4000000 "$@"' x "$SONDE" trace -ff -o d/f -- sh -c 'echo whole'; ok; has '^whole$'; err_has 'stopped writing to d/f'

# no room from the start: nothing is said of what was not written, nor of a target that was idle
small 4000 bash -c 'fill 4000000 "$@"' x "$SONDE" record -e cpu-clock -o d/r.data -- "${work[@]}"; exits 3; err_has 'stopped writing to d/r.data'
err_hasnt 'was the target idle'
small 4000 bash -c 'fill 4000000 "$@"' x "$SONDE" record --overwrite -e cpu-clock -o d/r.data -- "${work[@]}"; exits 3
err_has 'stopped writing to d/r.data'; err_hasnt 'Captured and wrote|was the target idle'; [ ! -e "$T/kept/r.data" ] || fail "a file is left"
# what was there before stays
small 4000 bash -c 'echo before >d/r.data; fill 4000000 "$@"' x "$SONDE" record --overwrite -e cpu-clock -o d/r.data -- true; ok
err_has 'stopped writing to d/r.data'; same "$(cat "$T/kept/r.data")" before "the earlier file"; [ ! -e "$T/kept/r.data.old" ] || fail "it was put aside"
# a few calls: the disk is looked at with the first one
small 4000 bash -c 'fill 3750000 "$@"' x "$SONDE" trace record -e write -o d/t.data -- sh -c 'echo whole'; ok; has '^whole$'; err_has 'stopped writing to d/t.data'

# whoever wants all of the disk gets it
small 4000 "$SONDE" record --no-disk-guard -e raw_syscalls:sys_enter -o d/r.data -- "${work[@]}"; exits 255; err_has 'cannot write to d/r.data'
small 4000 "$SONDE" trace --no-disk-guard -o d/t.txt -- "${work[@]}"; exits 255; err_has 'cannot write to d/t.txt'
[ ! -w /sys/kernel/tracing/instances ] || { small 4000 "$SONDE" ftrace stream --no-disk-guard -e raw_syscalls:sys_enter -o d/t.txt -- "${work[@]}"; exits 255; err_has 'cannot write to d/t.txt'; }
# a pipe is no disk
small 100 bash -c '"$1" trace -e write -o "|cat >/dev/null" sh -c "echo a"' x "$SONDE"; ok; err_hasnt 'stopped writing'
