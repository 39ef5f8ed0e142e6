# SPDX-License-Identifier: GPL-2.0-or-later
# The page that sonde flame writes, in Chromium: no request, no error on the console; zoom, search, selection, comparison, keys,
# dark mode, hostile names; totals against sums of the folded text.
# needs: chromium node python3
# timeout: 300

# ---- pages ----
python3 - <<'P'
import random
random.seed(7)
names = ["main", "read_config", "parse", "alloc", "copy", "lookup", "hash", "insert", "grow", "flush"]
with open("stacks", "w") as f:
    for i in range(400):
        stack = ["main"] + [random.choice(names) for _ in range(random.randint(2, 12))]
        f.write(";".join(stack) + " %d\n" % random.randint(1, 500))
hostile = ["</script><script>document.title='broken'</script>", "<img src=x onerror=document.title='broken'>",
           "\"'`&amp;{{x}}", "\u202eevil\u2066\x1b[31m\x07", "]]></script>"]
with open("hostile", "w") as f:
    f.write("".join("main;%s;%s 5\n" % (h.replace(";", ""), h.replace(";", "")) for h in hostile))
open("before", "w").write("a;same 10\na;less 30\na;gone;deep 5\n")
open("after", "w").write("a;same 10\na;less 15\na;new 20\n")
# what the page must count: all, the share of "parse" and of what is below main;parse, without counting nested ones twice
total = match = zoomed = zoom_match = 0
for line in open("stacks"):
    stack, w = line.rsplit(" ", 1)
    frames, w = stack.split(";"), int(w)
    total += w
    match += w * ("parse" in frames)
    if frames[1] == "parse":
        zoomed += w
        zoom_match += w * ("alloc" in frames)
open("sums.json", "w").write('{"total": %d, "match": %d, "zoomed": %d, "zoomMatch": %d}' % (total, match, zoomed, zoom_match))
P
for f in stacks hostile; do run "$SONDE" flame --folded $f --title "$(head -n 3 hostile)" --all -q -o $f.html; ok; done
run "$SONDE" flame --folded hostile -q -o hostile.svg; ok
run "$SONDE" flame --diff before after -q -o diff.html; ok
run "$SONDE" record -q -e cpu-clock -F 999 -g -o data "$PROG/profiled" 100; ok
run "$SONDE" flame -i data -q -o threads.html; ok
"$SONDE" record -q -a -e cpu-clock -e page-faults -F 999 -g -o two.data "$PROG/profiled" 100
python3 "$TOP/tests/lose.py" two.data lost.data || fail "could not make a file with losses"
run "$SONDE" flame -i lost.data -e cpu-clock -o lost.html; ok; err_has '7 events were lost'
run "$SONDE" flame -i data -q -o threads.svg; ok
run "$SONDE" flame -i data --by thread -q -o threads.folded; ok

cat >use.js <<'J'
const { browse } = require(process.env.TOP + '/tests/browser.js');
const assert = require('assert');
const fs = require('fs');
const url = (name) => `file://${process.cwd()}/${name}`;
const sums = JSON.parse(fs.readFileSync('sums.json'));
const percent = (a, b) => (a * 100 / b).toFixed(2);
browse(async (b) => {
	const ready = async (name, how) => {
		const page = await b.open(url(name), how);
		await page.until('document.documentElement.dataset.ready');
		await page.drawn();
		return page;
	};
	const text = (page, id) => page.eval(`document.getElementById('${id}').textContent`);

	// zoom and search
	let page = await ready('stacks.html', { width: 1000, height: 700 });
	assert.equal(await page.eval('flame.tree().total[0] / flame.meta.divisor * flame.meta.divisor'), sums.total);
	await page.key('/');
	assert.equal(await page.eval('document.activeElement.id'), 'search');
	await page.type('^parse$');
	await page.until('document.getElementById("matched").textContent');
	assert.match(await text(page, 'matched'), new RegExp(`Matched ${percent(sums.match, sums.total)} %`));
	await page.key('Escape');
	assert.equal(await text(page, 'matched'), '');
	const box = await page.eval(`(() => {
		const g = flame.main, t = flame.tree(), r = g.canvas.getBoundingClientRect();
		const i = t.frame.findIndex((f, n) => t.depth[n] === 2 && flame.data.names[f] === 'parse');
		return { i, x: r.left + (t.x[i] + t.total[i] / 2) * g.w / t.total[0], y: r.top + g.top(2) + 9 };
	})()`);
	await page.mouse('mouseMoved', box.x, box.y, { button: 'none' });
	await page.drawn();
	assert.match(await text(page, 'tip'), new RegExp(`^parse\\n.*samples\n${percent(sums.zoomed, sums.total)} % of all`));
	await page.click(box.x, box.y);
	assert.equal(await page.eval('flame.state.zoom'), box.i);
	assert.equal(await text(page, 'crumbs'), 'allmainparse');
	await page.key('/');
	await page.type('^ALLOC$'.toLowerCase());
	await page.until('/of the zoom/.test(document.getElementById("matched").textContent)');
	assert.match(await text(page, 'matched'), new RegExp(`Matched ${percent(sums.zoomMatch, sums.zoomed)} % of the zoom`));
	await page.key('Enter'); // the first match has the focus
	assert.match(await text(page, 'status'), /^alloc: /);
	await page.key('n');
	// the address shows it all again
	const again = await ready(`stacks.html${await page.eval('location.hash')}`);
	assert.deepEqual(await again.eval('[flame.state.zoom, flame.state.search]'), [box.i, '^alloc$']);
	again.clean();
	await again.close();
	await page.front();
	await page.key('Escape');
	await page.key('Escape');
	assert.equal(await page.eval('flame.state.search + flame.tree().depth[flame.state.zoom]'), '1');
	await page.eval('history.back()');
	await page.until(`flame.state.zoom === ${box.i}`);
	await page.key('Home');
	assert.equal(await page.eval('flame.state.zoom'), 0);

	// the keyboard alone
	await page.eval('document.activeElement.blur()');
	await page.eval('flame.main.canvas.focus(), flame.main.focusOn(0)');
	await page.key('ArrowUp');
	await page.key('ArrowUp');
	const first = await page.eval('flame.main.focus');
	await page.key('ArrowLeft');
	assert.notEqual(await page.eval('flame.main.focus'), first);
	assert.equal(await page.eval('flame.tree().depth[flame.main.focus]'), 2);
	await page.key('ArrowRight');
	assert.equal(await page.eval('flame.main.focus'), first);
	await page.key('Enter');
	assert.equal(await page.eval('flame.state.zoom'), first);
	await page.key('Home');
	await page.key('i');
	assert.equal(await page.eval('flame.main.inverted'), true);
	await page.key('r');
	assert.equal(await page.eval('flame.state.reversed && flame.tree().total[0]'), sums.total);
	await page.key('r');
	await page.key('t');
	const line = await page.eval(`Array.from(document.querySelectorAll('#lines tr'), (tr) => tr.innerText.split(/\\s+/)).find((c) => c.includes('parse'))`);
	assert.equal(line[2], percent(sums.match, sums.total));
	await page.eval(`Array.from(document.querySelectorAll('#lines button')).find((x) => x.textContent === 'parse').click()`);
	await page.drawn();
	assert.deepEqual(await page.eval('[flame.callers.tree.total[0], flame.callees.tree.total[0]]'), [sums.match, sums.match]);
	await page.key('Escape');
	await page.key('l');
	assert.match(await text(page, 'frames'), /On top of it/);
	await page.key('?');
	assert.equal(await page.eval('document.getElementById("keys").open'), true);
	await page.key('Escape');
	page.clean();

	// the weight is named before anything is pointed at; a sandwich out of the address has a list, too
	page = await ready('stacks.html', { dark: true });
	assert.equal(await text(page, 'status'), `${sums.total.toLocaleString('en-US')} samples`);
	// on paper all of it is there, from side to side, in the colours of paper
	assert.deepEqual(await page.eval(`(() => {
		dispatchEvent(new Event('beforeprint'));
		const pieces = Array.from(flame.main.paper.children), last = pieces[pieces.length - 1], rows = pieces.reduce((n, c) => n + c.height / 18 / 1.5, 0);
		const line = last.getContext('2d').getImageData(0, last.height - 5, last.width, 1).data;
		const out = [rows === flame.main.rows, line[4 * 4] > 200, line[(last.width - 5) * 4] > 200];
		dispatchEvent(new Event('afterprint'));
		return [...out, flame.main.paper.children.length];
	})()`), [true, true, true, 0]);
	const parse = await page.eval('flame.data.names.indexOf("parse")');
	page.clean();
	page = await ready(`stacks.html#f=${parse}`);
	await page.key('l');
	assert.match(await text(page, 'frames'), /On top of it/);
	assert.match(await text(page, 'status'), new RegExp(`^${sums.match.toLocaleString('en-US')} samples`));
	await page.key('Escape');
	assert.match(await text(page, 'frames'), /all/);
	page.clean();

	// what was lost is told, and hatched where it happened
	page = await ready('lost.html', { width: 1000, height: 500 });
	assert.match(await text(page, 'note'), /7 events were lost/);
	assert.match(await page.eval('document.getElementById("time").title'), /Hatched/);
	assert.equal(await page.eval(`(() => {
		const box = document.getElementById('time'), [[from, to]] = flame.meta.gaps, px = box.width / flame.meta.spans;
		const ink = (a, b) => { const d = box.getContext('2d').getImageData(Math.floor(a), 0, Math.max(b - a, 3), box.height).data;
			let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] < 100; return n; };
		return flame.meta.gaps.length === 1 && from <= to && to < flame.meta.spans && ink(from * px, (to + 1) * px) > 5;
	})()`), true);
	page.clean();

	// a browser that is too old says so
	page = await b.open('about:blank');
	await page.call('Page.addScriptToEvaluateOnNewDocument', { source: 'delete globalThis.DecompressionStream' });
	await page.call('Page.navigate', { url: url('stacks.html') });
	await page.until('/too old/.test((document.getElementById("note") || {}).textContent)');
	await page.close();

	// names are text, whatever they say
	for (const name of ['hostile.html', 'hostile.html#v=table', 'hostile.html#v=list', 'hostile.svg']) {
		const h = await b.open(url(name));
		if (!name.includes('svg'))
			await h.until('document.documentElement.dataset.ready');
		await h.drawn();
		assert.notEqual(await h.eval('document.title'), 'broken');
		assert.equal(await h.eval('document.images ? document.images.length : 0'), 0);
		assert.equal(await h.eval('/[\\u202e\\u2066\\u001b]/.test(document.documentElement.textContent)'), false);
		h.clean();
	}

	// two compared
	page = await ready('diff.html#v=table');
	assert.match(await text(page, 'gone'), /Gone: 1 stacks.*a › gone › deep/);
	assert.match(await text(page, 'lines'), /newnew/);
	assert.match(await text(page, 'legend'), /more than before.*less than before/);
	page.clean();

	// threads and time
	page = await ready('threads.html', { dark: true });
	const all = await page.eval('flame.tree().total[0]');
	const profileds = fs.readFileSync('threads.folded', 'utf8').split('\n').filter((l) => l.startsWith('profiled-'));
	const byThread = {};
	for (const l of profileds)
		byThread[l.match(/^profiled-(\d+)/)[1]] = (byThread[l.match(/^profiled-(\d+)/)[1]] || 0) + Number(l.match(/ (\d+)$/)[1]);
	for (const [tid, weight] of Object.entries(byThread)) {
		await page.eval(`(() => { const s = document.getElementById('thread');
			s.value = Array.from(s.options).find((o) => o.textContent === 'profiled ${tid}').value; s.dispatchEvent(new Event('change')); })()`);
		assert.equal(await page.eval('flame.tree().total[0]'), weight);
	}
	await page.eval(`(() => { const s = document.getElementById('thread'); s.value = ''; s.dispatchEvent(new Event('change')); })()`);
	assert.equal(await page.eval('flame.tree().total[0]'), all);
	const strip = await page.eval('(() => { const r = document.getElementById("time").getBoundingClientRect(); return [r.left, r.top + 10, r.width]; })()');
	await page.drag(strip[0] + strip[2] * 0.25, strip[1], strip[0] + strip[2] * 0.75, strip[1]);
	const part = await page.eval('flame.tree().total[0]');
	assert(part > 0 && part < all, `${part} of ${all}`);
	assert.match(await page.eval('location.hash'), /a=\d+&b=\d+/);
	await page.click(strip[0] + 5, strip[1]);
	assert.equal(await page.eval('flame.tree().total[0]'), all);
	// dark: the page's own colours are
	assert.equal(await page.eval('getComputedStyle(document.body).backgroundColor'), 'rgb(22, 24, 28)');
	page.clean();
	page = await ready('threads.html', { width: 390, height: 800, mobile: true });
	assert(await page.eval('document.documentElement.scrollWidth <= 390 && flame.main.h > 200'), 'phone');
	page.clean();

	// SVG: click, Esc, search by the address; how much it is, and what is pointed at
	page = await b.open(url('threads.svg'));
	const whole = await text(page, 'details');
	assert.match(whole, /^[\d.,]+ ms of CPU$/);
	await page.eval(`document.querySelectorAll('#frames > g')[1].dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))`);
	assert.match(await text(page, 'details'), /ms of CPU, [\d.]+%\)$/);
	await page.eval(`document.querySelectorAll('#frames > g')[1].dispatchEvent(new MouseEvent('mouseout', { bubbles: true }))`);
	assert.equal(await text(page, 'details'), whole);
	await page.eval(`Array.from(document.querySelectorAll('#frames > g')).find((g) => g.querySelector('rect').getAttribute('width') < 1000 && (g.id = 'narrow')).dispatchEvent(new MouseEvent('click', { bubbles: true }))`);
	assert.equal(await page.eval(`document.querySelector('#narrow rect').getAttribute('width')`), '1180');
	await page.key('Escape');
	assert.notEqual(await page.eval(`document.querySelector('#narrow rect').getAttribute('width')`), '1180');
	page.clean();
	page = await b.open(url('threads.svg#s=%5Eprofiled%24'));
	assert.match(await text(page, 'matched'), /Matched: [\d.]+%/);
	page.clean();
});
J
run node use.js; ok
