# SPDX-License-Identifier: GPL-2.0-or-later
# What trace-cmd records on Debian's kernel, functions and graphs too, sonde prints as it does; and the other way round.
# fetch: interop/fetch-trace-cmd
# guest-files: /var/cache/sonde/trace-cmd
# timeout: 300
TRACE_CMD=/var/cache/sonde/trace-cmd/trace-cmd
[ -x $TRACE_CMD ] || skip "no trace-cmd here"
lines() { sed -E 's/__(do_sys|x64_sys|ia32_sys|se_sys)_/sys_/g; s/^=> .* \(/=> (/; s/\] [A-Z|+]+ ==>/] ? ==>/' | grep -vE 'mm_page_|sys_(enter|exit)_futex:'; }
alike() {
	$TRACE_CMD report -i $1 2>/dev/null | lines >theirs; "$SONDE" ftrace report -i $1 | lines >ours
	[ "$(wc -l <theirs)" -gt 5 ] || fail "trace-cmd prints nothing of $1"
	cmp theirs ours || { diff theirs ours | head -n 10; fail "$1: $2"; }
}
# (A trace-cmd whose own readers come too late for a short command has recorded nothing, and says so.)
theirs() { for _ in {1..10}; do run $TRACE_CMD record -q -o t.dat "$@"; ok; grep -q 'can not stat' "$T/err" || break; done; alike t.dat "trace-cmd record $*"; }
ours() { run "$SONDE" ftrace record -q -o s.dat "$@"; ok; alike s.dat "sonde ftrace record $*"; }
theirs -p function_graph -F true
theirs -p function -l 'vfs_*' -e sched_switch true
theirs -e sched -B one -e irq -C mono true
theirs -T -e sched_switch true
ours -p function -l 'vfs_*' -e sched_switch true
ours -p function_graph -g vfs_read -F cat /etc/passwd
run "$SONDE" ftrace report s.dat; has 'funcgraph_entry: .*vfs_read\(\) \{'
same "$(ls /sys/kernel/tracing/instances)" "" "instances are left"
same "$(cat /sys/kernel/tracing/current_tracer)" nop
