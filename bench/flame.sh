# SPDX-License-Identifier: GPL-2.0-or-later
# A million different stacks as a page, which Chromium opens; 100,000 as SVG, and by flamegraph.pl: the one of the PATH, or Debian's
# (libdevel-nytprof-perl has a copy).
# limit: 600
needs python3
title "a million different stacks"
python3 "$TOP/bench/flame-stacks.py" 1000000 >million
head -n 100000 million >some
# Of one thread's work: what it takes where nothing else runs.
seconds() { ratio "$(cpu_ms "$@")" 1000; }
verdict "HTML written" "$(seconds "$SONDE" flame --folded million -o million.html)" 8 " s"
"$SONDE" flame --folded million -o million.html 2>&1 | tee said
verdict "its size" "$(ratio "$(stat -c %s million.html)" 1000000)" 8 " MB"
verdict "weight of stacks that are cut" "$(sed -n 's/.*stacks that are \([0-9.]*\) % of.*/\1/p' said | grep . || echo 0)" 5 " %"
svg=$(seconds "$SONDE" flame -q --folded some -o some.svg)
echo "  100,000 stacks, SVG: $svg s"
theirs=$(command -v flamegraph.pl || echo /usr/share/perl5/Devel/NYTProf/flamegraph.pl)
if [ -e "$theirs" ]; then
	theirs=$(seconds perl "$theirs" some)
	echo "  flamegraph.pl: $theirs s"
	verdict "SVG of 100,000 stacks against flamegraph.pl" "$(awk -v a="$svg" -v b="$theirs" 'BEGIN { printf "%.3f", a / b }')" 0.1 x
else
	echo "  no flamegraph.pl here (apt-get install libdevel-nytprof-perl): nothing to compare with"
fi
command -v chromium >/dev/null && command -v node >/dev/null || { echo "  no Chromium or no node here: nothing is opened"; bars_table; return 0; }
"$SONDE" flame -q --all --folded million -o all.html
cat >open.js <<'J'
const { browse } = require(process.env.TOP + '/tests/browser.js');
browse(async (b) => {
	const start = Date.now();
	const page = await b.open(`file://${process.argv[2]}`);
	await page.until('document.documentElement.dataset.ready');
	await page.drawn();
	console.log(((Date.now() - start) / 1000).toFixed(2));
	page.clean();
});
J
ready() { node open.js "$PWD/$1"; }
verdict "the page is ready in Chromium" "$(for _ in 1 2 3; do ready million.html; done | sort -n | head -n 1)" 5 " s"
all=$(ready all.html); echo "  with --all: $(stat -c %s all.html) bytes, ready in $all s"
verdict "--all opens" "$([ -n "$all" ]; echo $?)" 0
bars_table
