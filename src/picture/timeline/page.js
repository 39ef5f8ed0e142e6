// SPDX-License-Identifier: GPL-2.0-or-later
// Keys, pointer, search, the list below and what stands beside it.
const LINE = 20, LIST_MAX = 6000000; // browsers know no element of any height
const by = (id) => document.getElementById(id);

class View {
	constructor(model) {
		this.model = model;
		this.graph = new Graph(model, by('canvas'));
		this.matches = null;
		this.pattern = null;
		this.pointer = null;
		this.lines = [];
		by('title').textContent = model.meta.title;
		document.title = model.meta.title;
		this.notices();
		this.legend();
		this.size();
		this.listen();
		this.scrollList(0);
		this.fresh();
	}
	notices() {
		const m = this.model.meta, words = [];
		if (m.leftOut)
			words.push(`Cut: this page has the first ${m.events.toLocaleString('en')} events; ${m.leftOut.toLocaleString('en')} later ones are left out.`);
		if (m.lost)
			words.push(`${m.lost.toLocaleString('en')} events were lost while recording: hatched.`);
		by('notice').textContent = words.join(' ');
		by('notice').hidden = !words.length;
	}
	legend() {
		const scale = devicePixelRatio || 1;
		by('legend').replaceChildren(...this.graph.legend().map(([words, paint]) => {
			const li = document.createElement('li'), box = document.createElement('canvas'), g = box.getContext('2d');
			box.width = 18 * scale;
			box.height = 12 * scale;
			g.scale(scale, scale);
			paint(g);
			li.append(box, words);
			return li;
		}));
	}
	size() {
		const box = by('graph');
		by('tall').style.height = `${Math.max(AXIS + this.model.rows.length * ROW, 10)}px`;
		this.graph.resize(box.clientWidth, Math.max(box.clientHeight, 1));
		this.pool();
		this.fresh();
	}
	// All drawing is asked for here, and done once for each frame.
	fresh() {
		if (this.asked)
			return;
		this.asked = true;
		requestAnimationFrame(() => {
			this.asked = false;
			this.graph.top = by('graph').scrollTop;
			this.graph.draw();
			this.fillList();
			this.status();
		});
	}
	status() {
		const g = this.graph, words = [`${duration(g.to - g.from)} of ${duration(this.model.span)} from ${absolute(this.model, g.from)}`];
		const [a, b] = g.markers;
		if (a !== null)
			words.push(`A ${absolute(this.model, a)}`);
		if (b !== null)
			words.push(`B ${absolute(this.model, b)}`);
		if (a !== null && b !== null)
			words.push(`B − A = ${duration(b - a)}`);
		by('status').textContent = words.join('  ·  ');
	}
	// ---- the list ----
	pool() {
		const list = by('list'), wanted = Math.ceil(list.clientHeight / LINE) + 2;
		by('spacer').style.height = `${Math.min(this.model.n * LINE, LIST_MAX)}px`;
		while (this.lines.length < wanted) {
			const line = document.createElement('div');
			line.className = 'line';
			line.setAttribute('role', 'option');
			for (let k = 0; k < 5; k++)
				line.append(document.createElement('span'));
			line.addEventListener('click', () => this.choose(Number(line.dataset.event), false));
			list.append(line);
			this.lines.push(line);
		}
	}
	scale() { // of places in the list to pixels
		const list = by('list'), high = Math.min(this.model.n * LINE, LIST_MAX) - list.clientHeight;
		return high > 0 ? Math.max(this.model.n - list.clientHeight / LINE, 1) / high : 1 / LINE;
	}
	topLine() {
		return Math.max(0, Math.round(by('list').scrollTop * this.scale()));
	}
	scrollList(event) {
		by('list').scrollTop = event / this.scale();
	}
	fillList() {
		const list = by('list'), top = list.scrollTop, first = this.topLine(), m = this.model;
		this.lines.forEach((line, k) => {
			const i = first + k;
			line.hidden = i >= m.n;
			if (line.hidden)
				return;
			line.style.top = `${top + k * LINE}px`;
			line.dataset.event = i;
			line.setAttribute('aria-selected', i === this.graph.chosen);
			line.classList.toggle('match', Boolean(this.matches && this.matches.set.has(i)));
			const text = m.text(i);
			[absolute(m, m.time[i]), m.cpu[i] < 0 ? '' : m.cpu[i], m.taskName(m.task[i]), m.kindName(i), text].forEach((word, s) => { line.children[s].textContent = word; });
			if (text === '…')
				m.loadText(i).then(() => this.fresh());
		});
	}
	// ---- one event ----
	async choose(i, scroll = true) {
		if (!(i >= 0 && i < this.model.n))
			return;
		const g = this.graph, t = this.model.time[i];
		g.chosen = i;
		if (t < g.from || t > g.to)
			g.show(t - (g.to - g.from) / 2, t + (g.to - g.from) / 2);
		if (scroll)
			this.scrollList(Math.max(0, i - 3));
		this.fresh();
		await this.model.loadText(i);
		if (g.chosen === i)
			this.showFields(i);
	}
	showFields(i) {
		const table = document.createElement('table'), box = by('fields');
		for (const [name, value] of this.model.fields(i)) {
			const row = table.insertRow(), head = document.createElement('th');
			head.textContent = name;
			row.append(head);
			row.insertCell().textContent = value;
		}
		box.replaceChildren(table);
		for (const [word, step] of [['‹ same task', -1], ['same task ›', 1]]) {
			const button = document.createElement('button');
			button.type = 'button';
			button.textContent = word;
			button.addEventListener('click', () => this.sameTask(step));
			box.append(button, ' ');
		}
	}
	sameTask(step) {
		const m = this.model, from = this.graph.chosen;
		if (from < 0)
			return;
		const t = m.task[from];
		for (let i = from + step; i >= 0 && i < m.n; i += step)
			if (m.task[i] === t || (m.type(i) <= MIGRATE && m.other[i] === t)) {
				this.choose(i);
				return;
			}
	}
	// What is at a place of the graph: a slice, a call, a tick; else the nearest event of the row.
	eventAt(x, y) {
		const g = this.graph, k = g.rowAt(y), t = g.time(x), near = (g.to - g.from) / g.width * 4;
		if (k < 0 || x < g.label)
			return -1;
		const r = this.model.rows[k], tick = Math.max(0, lower(r.tickTime, t - near));
		if (y - g.rowTop(k) > BAR + 2) {
			const c = lower(r.callStart, t, true) - 1;
			if (c >= 0 && r.callEnd[c] >= t - near)
				return r.callEvent[c];
		}
		if (y - g.rowTop(k) > BAR && tick < r.tickTime.length && r.tickTime[tick] <= t + near)
			return r.tickEvent[tick];
		const s = r.firstAt(t);
		return s < r.n && r.start[s] <= t ? r.event[s] : -1;
	}
	// ---- a range ----
	select(range) {
		this.graph.selection = range;
		const box = by('range');
		box.hidden = !range;
		if (range) {
			const head = document.createElement('h2'), table = document.createElement('table'), [from, to] = range;
			head.textContent = `${duration(to - from)}: from ${absolute(this.model, from)}`;
			const titles = table.createTHead().insertRow();
			['task', 'ran', 'runs', 'delay', 'longest'].forEach((word, k) => {
				const th = document.createElement('th');
				th.textContent = word;
				th.className = k ? 'n' : '';
				titles.append(th);
			});
			const body = table.createTBody();
			this.model.sums(from, to).slice(0, 200).forEach((s) => {
				const row = body.insertRow();
				[this.model.taskName(s.task), duration(s.run), s.runs, duration(s.delay), duration(s.longest)].forEach((word, k) => {
					const cell = row.insertCell();
					cell.textContent = word;
					cell.className = k ? 'n' : '';
				});
			});
			box.replaceChildren(head, table);
		}
		this.fresh();
	}
	mark(which) {
		const g = this.graph, at = this.pointer ? g.time(this.pointer.x) : g.chosen >= 0 ? this.model.time[g.chosen] : (g.from + g.to) / 2;
		g.markers[which] = Math.min(Math.max(at, 0), this.model.span);
		this.fresh();
	}
	// ---- search ----
	async search(text) {
		const m = this.model, input = by('search'), out = by('matched'), turn = this.turn = (this.turn || 0) + 1;
		let pattern = null;
		input.classList.remove('wrong');
		try {
			pattern = text ? new RegExp(text, 'i') : null;
		} catch {
			input.classList.add('wrong');
			out.textContent = 'not a regular expression';
			return;
		}
		this.matches = null;
		if (!pattern) {
			out.textContent = '';
			this.fresh();
			return;
		}
		const found = [], tasks = m.tasks.map((_, t) => m.taskName(t)), kinds = m.meta.kinds.map((k) => k[0]);
		const task = tasks.map((t) => pattern.test(t)), kind = kinds.map((k) => pattern.test(k));
		let pause = performance.now();
		for (let i = 0; i < m.n; i++) {
			if (kind[m.kind[i]] || task[m.task[i]])
				found.push(i);
			else {
				if (m.type(i) >= TICK)
					if (!(m.blocks[m.texts.block[m.at[i]]] instanceof Uint8Array))
						await m.loadText(i);
				if (pattern.test(m.text(i)))
					found.push(i);
			}
			if (i % 1024 === 0 && performance.now() - pause > 24) {
				out.textContent = `${found.length} …`;
				await new Promise((yes) => { setTimeout(yes); });
				if (this.turn !== turn)
					return;
				pause = performance.now();
			}
		}
		if (this.turn !== turn)
			return;
		this.matches = { list: found, set: new Set(found) };
		this.found();
		this.fresh();
	}
	found() {
		const list = this.matches.list, k = lower(list, this.graph.chosen);
		by('matched').textContent = !list.length ? 'no match' : list[k] === this.graph.chosen ? `${k + 1} of ${list.length}` : `${list.length} found`;
	}
	step(way) {
		const m = this.matches;
		if (!m || !m.list.length)
			return;
		const at = this.graph.chosen < 0 ? Math.floor(this.model.find(this.graph.from)) - (way > 0) : this.graph.chosen;
		let k = way > 0 ? lower(m.list, at, true) : lower(m.list, at) - 1;
		if (k >= m.list.length) // behind the last comes the first
			k = 0;
		this.choose(m.list.at(k));
		this.found();
	}
	// ---- hands ----
	listen() {
		const box = by('graph'), canvas = by('canvas');
		new ResizeObserver(() => this.size()).observe(box);
		new ResizeObserver(() => this.size()).observe(by('list'));
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { this.graph.theme(); this.legend(); this.fresh(); });
		for (const [event, paper] of [['beforeprint', true], ['afterprint', false]])
			addEventListener(event, () => { this.graph.theme(paper); this.graph.draw(); });
		box.addEventListener('scroll', () => this.fresh());
		by('list').addEventListener('scroll', () => this.fresh());
		by('list').addEventListener('keydown', (e) => this.listKey(e));
		canvas.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
		canvas.addEventListener('pointerdown', (e) => this.down(e));
		canvas.addEventListener('pointermove', (e) => this.move(e));
		canvas.addEventListener('pointerup', (e) => this.up(e));
		canvas.addEventListener('pointercancel', () => { this.held = null; });
		canvas.addEventListener('pointerleave', () => { this.pointer = null; by('tip').hidden = true; });
		document.addEventListener('keydown', (e) => this.key(e));
		let typed = 0;
		by('search').addEventListener('input', () => {
			clearTimeout(typed);
			typed = setTimeout(() => this.search(by('search').value), 150);
		});
		const press = { next: () => this.step(1), previous: () => this.step(-1), in: () => this.zoom(.5), out: () => this.zoom(2),
			whole: () => this.whole(), markA: () => this.mark(0), markB: () => this.mark(1), help: () => by('keys').showModal() };
		Object.entries(press).forEach(([id, act]) => by(id).addEventListener('click', () => { this.pointer = null; act(); }));
	}
	where(e) {
		const box = by('canvas').getBoundingClientRect();
		return { x: e.clientX - box.left, y: e.clientY - box.top };
	}
	wheel(e) {
		const g = this.graph, p = this.where(e);
		e.preventDefault();
		if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
			const shift = (e.deltaX || e.deltaY) / g.width * (g.to - g.from);
			g.show(g.from + shift, g.to + shift);
		} else {
			g.zoom(Math.exp(Math.max(-300, Math.min(300, e.deltaY)) / 300), g.time(Math.max(p.x, g.label)));
		}
		this.moved();
	}
	// The list follows the graph.
	moved() {
		if (this.graph.chosen < 0 || this.model.time[this.graph.chosen] < this.graph.from || this.model.time[this.graph.chosen] > this.graph.to)
			this.scrollList(this.model.find(this.graph.from));
		this.fresh();
	}
	down(e) {
		const p = this.where(e), g = this.graph;
		if (e.button)
			return;
		by('canvas').setPointerCapture(e.pointerId);
		this.held = { ...p, from: g.from, to: g.to, pan: p.y < AXIS || e.pointerType === 'touch' };
	}
	move(e) {
		const p = this.pointer = this.where(e), g = this.graph, h = this.held;
		if (h && Math.abs(p.x - h.x) > 3) {
			if (h.pan) {
				const shift = (h.x - p.x) / (g.width - g.label) * (h.to - h.from);
				g.show(h.from + shift, h.to + shift);
				this.moved();
			} else {
				h.range = [g.time(Math.max(g.label, Math.min(h.x, p.x))), g.time(Math.max(h.x, p.x))].map((t) => Math.min(Math.max(t, 0), this.model.span));
				g.selection = h.range;
				this.fresh();
			}
		}
		this.tip(e, p);
	}
	up(e) {
		const h = this.held, p = this.where(e);
		this.held = null;
		by('graph').focus({ preventScroll: true });
		if (!h)
			return;
		if (h.range)
			this.select(h.range);
		else if (Math.abs(p.x - h.x) <= 3)
			this.choose(this.eventAt(p.x, p.y));
	}
	async tip(e, p) {
		const tip = by('tip'), i = this.held ? -1 : this.eventAt(p.x, p.y), m = this.model;
		tip.hidden = i < 0;
		if (i < 0)
			return;
		const ends = m.type(i) === SWITCH && m.task[i] ? `\nran ${duration(m.length[i])} after a delay of ${duration(m.switches.delay[m.at[i]])}` : '';
		tip.textContent = `${m.taskName(m.task[i])}\n${m.kindName(i)} ${absolute(m, m.time[i])}\n${m.text(i)}${ends}`;
		tip.style.left = `${Math.min(e.clientX + 14, innerWidth - Math.min(430, tip.offsetWidth + 10))}px`;
		tip.style.top = `${Math.min(e.clientY + 14, innerHeight - tip.offsetHeight - 6)}px`;
	}
	zoom(factor) {
		const g = this.graph;
		g.zoom(factor, this.pointer && this.pointer.x > g.label ? g.time(this.pointer.x) : g.chosen >= 0 && this.model.time[g.chosen] >= g.from &&
			this.model.time[g.chosen] <= g.to ? this.model.time[g.chosen] : (g.from + g.to) / 2);
		this.moved();
	}
	pan(share) {
		const g = this.graph, shift = (g.to - g.from) * share;
		g.show(g.from + shift, g.to + shift);
		this.moved();
	}
	whole() {
		this.graph.show(0, this.model.span);
		this.moved();
	}
	escape() {
		if (this.graph.selection)
			this.select(null);
		else if (this.matches) {
			by('search').value = '';
			this.search('');
		} else {
			this.graph.markers = [null, null];
			this.fresh();
		}
	}
	key(e) {
		const act = { w: () => this.zoom(.6), '+': () => this.zoom(.6), '=': () => this.zoom(.6), s: () => this.zoom(1 / .6), '-': () => this.zoom(1 / .6),
			a: () => this.pan(-.25), d: () => this.pan(.25), Home: () => this.whole(), n: () => this.step(1), N: () => this.step(-1),
			1: () => this.mark(0), 2: () => this.mark(1), z: () => this.graph.selection && (this.graph.show(...this.graph.selection), this.moved()),
			Escape: () => this.escape(), '?': () => by('keys').showModal(), '/': () => by('search').focus(),
			ArrowLeft: () => this.choose(this.graph.chosen < 0 ? this.model.find(this.graph.from) : this.graph.chosen - 1),
			ArrowRight: () => this.choose(this.graph.chosen < 0 ? this.model.find(this.graph.from) : this.graph.chosen + 1) };
		if (e.ctrlKey || e.metaKey || e.altKey || by('keys').open)
			return;
		if (e.target === by('search')) {
			if (e.key === 'Enter')
				this.step(e.shiftKey ? -1 : 1);
			else if (e.key === 'Escape')
				by('graph').focus();
			else
				return;
			e.preventDefault();
			return;
		}
		if (e.key === 'Enter' && e.target === by('graph')) {
			this.sameTask(e.shiftKey ? -1 : 1);
			return;
		}
		const does = act[e.key] || (e.key.length === 1 && act[e.key.toLowerCase()]);
		if (!does)
			return;
		e.preventDefault();
		does();
	}
	listKey(e) {
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };
		if (!(e.key in steps))
			return;
		e.preventDefault();
		e.stopPropagation();
		const i = this.graph.chosen < 0 ? this.topLine() : Math.min(Math.max(this.graph.chosen + steps[e.key], 0), this.model.n - 1);
		this.choose(i);
	}
}

const timeline = { model: new Model() };
if (!globalThis.DecompressionStream) {
	by('notice').textContent = 'This browser is too old to unpack what is in this page.';
	by('notice').hidden = false;
} else timeline.model.load().then(() => {
	timeline.view = new View(timeline.model);
	requestAnimationFrame(() => requestAnimationFrame(() => {
		timeline.ready = performance.now(); // since the page was asked for
		document.documentElement.dataset.ready = '1';
	}));
});
