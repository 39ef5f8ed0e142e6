# SPDX-License-Identifier: GPL-2.0-or-later
# probe on a kernel's vmlinux (589 MB) beside perf: the first time (no index) and from then on; memory.
needs perf
k=$(ls /var/cache/sonde/*/vmlinux 2>/dev/null | head -n 1)
[ -n "$k" ] || { echo "SKIP: no guest kernel here (tests/guest/fetch)"; exit 77; }
src=${k%/vmlinux}/source
export XDG_CACHE_HOME=$T/cache
cat "$k" >/dev/null # both read it from memory
def='vfs_read file->f_path.dentry->d_iname:string count'
three() { # TITLE WORD...: perf first
	title "$1"; shift
	cmd perf perf probe -k "$k" "$@"
	cmd first bash -c 'rm -rf "$XDG_CACHE_HOME"; exec "$@"' first "$SONDE" probe -k "$k" "$@"
	cmd then "$SONDE" probe -k "$k" "$@"
	rounds 5
	bar first 0.334 perf
	bar then 0.05 perf
}
three "-V vfs_read" -V vfs_read
three "-L vfs_read" -s "$src" -L vfs_read
three "-D with arguments" -D "$def"

title "anonymous memory of -V vfs_read, kB"
anon() { # WORD...: the largest RssAnon seen
	"$@" >/dev/null 2>&1 &
	local pid=$! max=0 now
	while now=$(awk '/^RssAnon/ { print $2 }' "/proc/$pid/status" 2>/dev/null); do
		[ -n "$now" ] || break
		[ "$now" -gt "$max" ] && max=$now
	done
	wait "$pid"
	echo "$max"
}
most() { local m=0 v; for _ in 1 2 3 4 5; do v=$(anon "$@"); [ "$v" -gt "$m" ] && m=$v; done; echo "$m"; }
a=$(most perf probe -k "$k" -V vfs_read)
rm -rf "$XDG_CACHE_HOME"
b=$(most "$SONDE" probe -k "$k" -V vfs_read)
echo "perf $a, sonde $b"
[ $((b * 3)) -le "$a" ] || { echo "bar missed: sonde's memory is more than a third of perf's"; missed=1; }
