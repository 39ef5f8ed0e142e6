# SPDX-License-Identifier: GPL-2.0-or-later
# Each example script of Debian's systemtap-doc is taken or refused as the table in doc/STAP.md says, for that reason.
# fetch: interop/fetch-stap-examples
# timeout: 300
[ "$(id -u)" = 0 ] || skip "needs root"
dir=$("$TOP/tests/interop/fetch-stap-examples") || exit $?
kprobes=yes
[ -e /sys/bus/event_source/devices/kprobe ] || kprobes=no

# Options and parameters of the script, as its description has them for a test; without those the script's name alone.
words() {
	local line
	line=$(sed -n 's/^test_check: *//p' "${1%.stp}.meta" 2>/dev/null | head -n 1 | sed -E 's/^.*stap( --all-modules| -w)* -w?p4//')
	line=${line//"\`which stap\`"/\/bin\/ls}; line=${line//"stap -V"/ls} # stap itself is the program there, and is not here
	case $line in *"${1##*/}"*) echo "$line" ;; *) echo "${1##*/}" ;; esac
}
# state SCRIPT STATE REASON
state() {
	local said
	code=0
	(cd "$dir/${1%/*}" && eval "timeout 60 \"$SONDE\" run -p3 $(words "$dir/$1")") >/dev/null 2>"$T/err" </dev/null || code=$?
	said=$(sed -nE '/left out$/d; s/^sonde: ([^ :]+:[0-9]+:[0-9]+: )?//p' "$T/err" | head -n 1)
	if [ "$code" = 0 ]; then
		[ "$2" != refused ] || { echo "$1 is taken, and the table says: refused, $3"; bad=$((bad + 1)); }
		return
	fi
	[ "$code" = 255 ] || { echo "$1: exit code $code: $said"; bad=$((bad + 1)); return; }
	case $2 in
	any) ;;
	runs) echo "$1 is refused: $said"; bad=$((bad + 1)) ;;
	guest) # what it needs of the kernel is not here
		[ $kprobes = no ] && case $said in "this kernel has no "*|"there is nothing to run"*|"this is an address of programs"*) return ;; esac
		echo "$1 is refused: $said"; bad=$((bad + 1)) ;;
	*) case $said in "$3"*) ;; *) echo "$1 is refused for another reason: $said; the table says: $3"; bad=$((bad + 1)) ;; esac ;;
	esac
}
bad=0 rows=0
while IFS='|' read -r _ name what why _; do
	name=${name// } what=${what// } why=${why# } why=${why% }
	case $name in *.stp) ;; *) continue ;; esac
	[ -e "$dir/$name" ] || { echo "there is no $name in the package"; bad=$((bad + 1)); continue; }
	rows=$((rows + 1))
	case $what in
	runs|guest|refused) state "$name" "$what" "$why" ;;
	machine|guru) state "$name" any ;; # what it needs is not on every machine: it ends by itself
	*) echo "$name: the table has no state '$what'"; bad=$((bad + 1)) ;;
	esac
done <"$TOP/doc/STAP.md"
[ "$rows" -gt 150 ] || fail "the table has $rows rows"
[ "$bad" = 0 ] || fail "$bad scripts are not as the table says"
# all that have no embedded C and no guru mode are in the table
(cd "$dir" && find . -name '*.stp' | sed 's/^..//' | sort) >"$T/all"
sed -nE 's/^\| ([a-z][^ ]*\.stp) .*/\1/p' "$TOP/doc/STAP.md" | sort >"$T/listed"
comm -23 "$T/all" "$T/listed" >"$T/missing"
[ ! -s "$T/missing" ] || { cat "$T/missing"; fail "the table lacks these"; }
