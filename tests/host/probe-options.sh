# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc
# Options that perf probe has: taken, or refused with a reason; and who may add probes.
# guest-kernel: debug
export g=spo$$ inst=/sys/kernel/tracing/instances/spo$$ XDG_CACHE_HOME=$T/cache
cat >p.c <<'C'
#include <stdio.h>
#include <unistd.h>
int work(int n) { return puts("x") + n; }
int main(int c, char **v) { if (c > 1) pause(); return work(c) < 0 || !v; }
C
gcc -g -O1 -o prog p.c
# --bootconfig: the key is the one that the kernel reads (trace_boot.c: "probes"), a return has its suffix
run "$SONDE" probe -k "$GUEST/vmlinux" --bootconfig -D 'vfs_read count pos' -D 'vfs_read%return $retval'; ok
has "^ftrace\.event\.kprobes\.vfs_read\.probes = 'vfs_read\+0 count=%dx:x64 pos=%cx:x64'\$"
has "^ftrace\.event\.kprobes\.vfs_read__return\.probes = 'vfs_read\+0%return \\\$retval'\$"
run "$SONDE" probe -k "$GUEST/vmlinux" --bootconfig -D 'a:x=vfs_read' -D 'b:x=vfs_write'; exits 255; err_has "two events are called 'x'"; hasnt .
run "$SONDE" probe -k "$GUEST/vmlinux" --bootconfig -D get_page; ok; has "^ftrace.event.kprobes.get_page.*probes = '[^']*'(, '[^']*')*\$"
run "$SONDE" probe -x ./prog --bootconfig -D work; exits 255; err_has 'no probes in programs'; err_has '^hint: '; hasnt .
run "$SONDE" probe --bootconfig vfs_read; exits 129; err_has 'give -D as well'
# --cache has nothing to manage
run "$SONDE" probe --cache --list; exits 129; err_has 'keeps no cache of definitions'; err_has '^hint: .*by build-id'
run "$SONDE" probe --no-cache -x ./prog -D work; ok
run "$SONDE" probe --demangle-kernel -x ./prog -F work; ok; same "$out" work
# slots by which libraries are called go by the names that -F shows
run "$SONDE" probe -x ./prog -F '*plt'; ok; has '^puts@plt$'
run "$SONDE" probe -x ./prog -D puts@plt; ok; has "^p:probe_prog/puts $PWD/prog:0x[0-9a-f]+\$"; slot=$out
run "$SONDE" probe -x ./prog -D puts; ok; same "$out" "$slot"
# filters, as perf's
names() { run "$SONDE" probe -x ./prog -F --filter "$1"; ok; same "$(echo $out)" "$2" "$1"; }
names 'work|main' 'main work'; names '(work | m*) & !main' work; names '!_* & !*@plt & !*_* & !!m*' main; names '!(!work)' work
run "$SONDE" probe -x ./prog -F '!_* & !*@plt'; ok; has '^work$'; hasnt '^_|@plt$'
run "$SONDE" probe -x ./prog -V work --filter '!n'; hasnt $'\tn$'
run "$SONDE" probe -x ./prog -V work --filter 'n | x*'; ok; has $'\tn$'
for f in 'm*&' '&' '(main' 'main)' 'main work' '!' '()' "$(printf '!%.0s' {1..99})x" ''; do
	run "$SONDE" probe -x ./prog -F --filter "$f"; exits 255; err_has '^sonde: the filter '
done
strip -o stripped prog
run "$SONDE" probe -x ./stripped -D 'puts@plt%return'; ok; has '^r:probe_stripped/puts__return '
run "$SONDE" probe -x ./prog -D nosuch@plt; exits 255; err_has "no function 'nosuch@plt'"

[ "$(id -u)" = 0 ] || exit 0
# who may not write is told who may: reading is another matter
chmod a+x "$T" . 2>/dev/null || :
run as_nobody "$SONDE" probe -x /bin/ls -a 'x=0x5000'; exits 255
err_has 'no permission to add or remove probes: only root'; err_has '^hint: sudo sonde probe'; err_hasnt remount
run as_nobody "$SONDE" probe -d nosuch; exits 255; err_has 'only root'; err_hasnt remount
grep -q '^CONFIG_KPROBES=y' /proc/config.gz 2>/dev/null || zcat /proc/config.gz 2>/dev/null | grep 'CONFIG_KPROBES=y' >/dev/null ||
	! [ -e /proc/config.gz ] || { run as_nobody "$SONDE" probe vfs_read; exits 255; err_has 'CONFIG_KPROBES is not set in this kernel'; }
[ -e /sys/kernel/tracing/uprobe_events ] || exit 0
# root, where tracefs is read-only, as in containers
run unshare -m bash -c "mount --bind /sys/kernel/tracing /sys/kernel/tracing && mount -o remount,bind,ro /sys/kernel/tracing && '$SONDE' probe -x ./prog -a $g:ro=work"
exits 255; err_has 'tracefs is mounted read-only'; err_has '^hint: '; err_hasnt 'only root'
# the file as another process sees it
own_instance
mkdir there; cp prog there/other
unshare -m bash -c "mount --bind '$PWD/there' /mnt && exec /mnt/other stay" & pid=$!
trap 'kill $pid; drop_instance' EXIT
await '[ "$(readlink "/proc/$pid/exe")" = /mnt/other ]'
run "$SONDE" probe -x /mnt/other -F work; exits 255
run "$SONDE" probe --target-ns $pid -x /mnt/other -F work; ok; same "$out" work
run "$SONDE" probe --target-ns $pid -x /mnt/other -a "$g:seen=work n"; ok
echo 1 >"$inst/events/$g/enable"; ./there/other >/dev/null; echo 0 >"$inst/events/$g/enable"
grep -q ' seen: .* n=1$' "$inst/trace" || fail "the probe is on another file"
run "$SONDE" probe -l "$g:*"; ok; has "$g:seen .*work"
run "$SONDE" probe --target-ns 4194305 -x /mnt/other -F; exits 255; err_has 'as process 4194305 sees it: No such'
run "$SONDE" probe --target-ns $pid vfs_read; exits 129; err_has 'give -x as well'
