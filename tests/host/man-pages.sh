# SPDX-License-Identifier: GPL-2.0-or-later
# Every command has a page, every page is well-formed, and every name of every option that -h shows, also of its verbs, is in it.
# needs: mandoc
cd "$TOP"
verbs=
words() { mandoc -T ascii -O width=200 "$1" | sed 's/.\x08//g' | grep -oE -- '(^|[^a-zA-Z0-9-])--?[a-zA-Z][a-zA-Z0-9-]*' | grep -oE -- '--?[a-zA-Z][a-zA-Z0-9-]*$' | sort -u; }
lacking=
# all_in PAGE COMMAND [VERB]: every name of every option of the usage
all_in() {
	local page=doc/man/$1.1 o; shift
	words "$page" >"$T/page"; [ -s "$T/page" ] || fail "$page names no option"
	# "  -e, --event EVENT  ...", "      --max-stack N  ...", "  -d  ..."
	"$SONDE" "$@" -h | grep -E '^ {2,6}-' | sed -E 's/^ +(-[^ ,]+)(, +(--[^ ]+))?.*/\1\n\3/; ' | grep -oE -- '^--?[a-zA-Z0-9][a-zA-Z0-9-]*' | sort -u >"$T/shown"
	[ -s "$T/shown" ] || fail "sonde $* -h shows no option"
	while read -r o; do
		grep -qx -- "--no-${o#--}" "$T/page" || grep -qx -- "--${o#--no-}" "$T/page" || lacking+="$page: $* $o"$'\n'
	done < <(comm -23 "$T/shown" "$T/page")
}
for c in $("$SONDE" | sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
	[ -e "doc/man/sonde-$c.1" ] || { lacking+="no page for $c"$'\n'; continue; }
	all_in "sonde-$c" "$c"
	for v in $("$SONDE" "$c" -h | sed -nE "s/^(usage|   or): sonde $c (\[[^]]*\] )*([a-z][a-z-]*)( .*)?\$/\3/p" | sort -u); do
		verbs+="$c $v "
		case "$c $v" in
		'check feature') ;; # a word, without options of its own
		'sched record' | 'sched script') all_in "sonde-$v" "$c" "$v" ;; # the options of that command
		*) all_in "sonde-$c" "$c" "$v" ;;
		esac
	done
	# and all of them are in the table of sonde(1)
	grep -q "sonde-$c\|Xr sonde-$c" doc/man/sonde.1 || lacking+="sonde.1: $c"$'\n'
done
for v in "ftrace record" "stat report" "lock contention"; do [[ $verbs == *"$v "* ]] || fail "no verb $v: $verbs"; done
[ -z "$lacking" ] || { printf '%s' "$lacking"; fail "the pages lack these"; }
for page in doc/man/*.1; do
	run mandoc -T lint -W error "$page"; ok
	head -n 4 "$page" | grep -q SPDX || fail "$page: no SPDX"
done
# what the pages speak of exists
grep -ho '^\.Xr sonde-[a-z-]* 1' doc/man/*.1 | sort -u | while read -r _ page _; do [ -e "doc/man/$page.1" ] || fail "there is no $page(1)"; done
