# SPDX-License-Identifier: GPL-2.0-or-later
# The keys of the browser: what `?` shows comes from src/tui/keys.def, and the man pages have the same table.
cd "$TOP"
rows() { # NAME: the rows of that view, "keys<tab>what", in order
	sed -nE 's/^KEY\(([^"]*), "([^"]*)", "(.*)"\)$/\1\t\2\t\3/p' src/tui/keys.def | awk -F'\t' -v me="TUI_$1" -v hists="$2" '
		{ k = $1; not = ""; if (match(k, /& ~.*/)) { not = substr(k, RSTART); k = substr(k, 1, RSTART - 1) }
		  has = index(k, "TUI_ALL") || k ~ me "( |$)" || (hists && index(k, "TUI_HISTS"))
		  if (not ~ me "( |$)" || (hists && index(not, "TUI_HISTS"))) has = 0
		  if (has) print $2 "\t" $3 }'
}
in_page() { sed -n '/^\.Sh KEYS/,/^\.Sh [^K]/p' "doc/man/sonde-$1.1" | awk '/^\.It / { k = substr($0, 5); getline; print k "\t" $0 }'; }
check() { # PAGE VIEW [hists]
	grep -qs '^\.Sh KEYS' "doc/man/sonde-$1.1" || [ "$1" != report ] && [ "$1" != top ] && return 0
	rows "$2" "${3:-}" >"$T/code"; in_page "$1" >"$T/page"
	[ "$(wc -l <"$T/code")" -ge 7 ] || fail "src/tui/keys.def was not understood"
	diff -u "$T/code" "$T/page" || fail "sonde-$1(1) has other keys than src/tui/keys.def"
}
check report REPORT hists
check top TOP hists
check annotate ANNOTATE
check diff DIFF
