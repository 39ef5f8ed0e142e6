# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of doctor: does what it says about each command hold?
# agrees SAYS-WHO CMD...: CMD runs sonde in some way (as nobody, with capabilities); every row of its doctor's table of
# commands is tried. A yes that does not work or a no that does fails.
agrees() {
	local who=$1 cmd say what row tried=0; shift
	"$@" doctor >"$T/doctor" || fail "doctor $who"
	mkdir -p "$T/any"; chmod 777 "$T/any"
	while IFS='|' read -r cmd what row; do
		say=$(awk -v c="$cmd" '/^commands/ { on = 1 } /^what changes/ { on = 0 } on && /^  [a-z]/ { now = $1; $0 = substr($0, 10) } on && now == c' "$T/doctor" |
			sed 's/^ *//' | grep -F -- " $what" | awk '{ print $1; exit }')
		[ -n "$say" ] || fail "doctor has no row '$cmd $what'"
		tried=$((tried + 1))
		(cd "$T/any" && eval "$row") >"$T/out" 2>"$T/err" </dev/null && works=yes || works=no
		[ "$say" = "$works" ] || { cat "$T/doctor"; fail "$who: doctor says '$say' to '$cmd $what', but: $works: $row"; }
	done <<-'ROWS'
	trace|a program that it starts|"$@" trace -o /dev/null true
	trace|the whole machine (-a)|"$@" trace -a -o /dev/null sleep 0.1
	stat|own programs|"$@" stat -e task-clock true
	stat|what the kernel does for them|counts "$@" stat -x, -e page-faults:k true
	stat|the whole machine (-a, -C)|"$@" stat -a -e cs sleep 0.1
	stat|cycles, instructions, caches|counts "$@" stat -x, -e cycles true
	stat|tracepoints|counts "$@" stat -x, -e sched:sched_process_exit true
	list|tracepoints|"$@" list 'sched:*'
	record|own programs|"$@" record -q -o - true
	record|the whole machine (-a, -C)|"$@" record -q -a -o - sleep 0.1
	record|tracepoints|"$@" record -q -e sched:sched_process_exit -o - true
	record|branches (-b)|"$@" record -q -b -o - true
	probe|functions of programs (-x)|"$@" probe -q -x "$(command -v sleep)" -a "agrees_$$:m=main+0" || "$@" probe -q -x /lib/x86_64-linux-gnu/libc.so.6 -a "agrees_$$:m=malloc"
	probe|functions of the kernel|"$@" probe -q -a "agrees_$$:r=vfs_read"
	ROWS
	"$SONDE" probe -q -d "agrees_$$:*" 2>/dev/null || :
	echo "$who: $tried rows agree"
}
# counts CMD...: stat that did count
counts() { "$@" && ! grep -Eq '<not (supported|counted)>' "$T/err"; }
