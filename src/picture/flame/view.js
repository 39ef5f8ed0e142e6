// SPDX-License-Identifier: GPL-2.0-or-later
// The page: draws what is to be seen of a tree on a canvas, and answers mouse, touch and keyboard. What is chosen is in the
// address (#z=12&s=regex&...), so that a link shows it again.
(async () => {
	'use strict';
	const model = globalThis.flameModel;
	const $ = (id) => document.getElementById(id);
	const ROW = 18, LEAST = 0.4, FONT = '12px system-ui, "DejaVu Sans", sans-serif';
	const PAPER = { width: 1000, ratio: 1.5, rows: 20, most: 1000, least: 2 }; // a picture for it is in pieces of so many rows
	const meta = JSON.parse($('meta').textContent);

	// ---- data ----

	async function inflate(text) {
		const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
		const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
		return new Uint8Array(await new Response(stream).arrayBuffer());
	}
	$('title').textContent = meta.title;
	if (!globalThis.DecompressionStream) {
		$('note').textContent = 'This browser is too old to unpack what is in this page; sonde flame -o x.svg makes a picture for it.';
		return;
	}
	const data = model.read(await inflate($('data').textContent), meta);
	$('data').remove();

	const state = { zoom: 0, search: '', reversed: false, inverted: meta.inverted, thread: '', from: -1, to: -1, sandwich: -1, side: '' };
	const trees = { forward: data.tree, reversed: null };
	let found = null; // by frame: does it match the search
	let both = null; // the trees of a sandwich
	const tree = () => (state.reversed ? trees.reversed : trees.forward);

	// ---- words ----

	function amount(w) {
		const v = w * meta.scale;
		const decimals = meta.scale === 1 || v >= 1000 ? 0 : v >= 100 ? 1 : v >= 10 ? 2 : 3;
		return v.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
	}
	const share = (a, b) => (b ? (a * 100 / b).toFixed(2) : '0.00') + ' %';
	const nameOf = (f) => data.names[f];
	function difference(t, i, root) {
		if (!t.before || !meta.compared)
			return '';
		if (!t.before[i])
			return 'new';
		const d = (root ? t.total[i] / root : 0) * 100 - (t.before[i] / (t.before[0] || 1)) * 100;
		return `${d >= 0 ? '+' : ''}${d.toFixed(2)} %, before ${amount(t.before[i])} ${meta.unit}`;
	}
	function sentence(t, i, zoom) {
		const all = t.total[0], of = t === tree() ? 'of all' : `of ${nameOf(t.frame[0])}`;
		const parts = [`${amount(t.total[i])} ${meta.unit}`, `${share(t.total[i], all)} ${of}`];
		if (zoom)
			parts.push(`${share(t.total[i], t.total[zoom])} of the zoom`);
		if (t.self[i])
			parts.push(`itself ${share(t.self[i], all)}`);
		if (t.cut[i])
			parts.push(`cut ${share(t.cut[i], all)}`);
		const d = difference(t, i, all);
		return { name: nameOf(t.frame[i]), text: parts.join(', ') + (d ? `; ${d}` : '') };
	}

	// ---- colours: told apart by who sees red and green as one, too ----

	const KINDS = [
		['user', [240, 173, 78]], ['kernel', [110, 174, 222]], ['JIT', [88, 190, 152]], ['inlined', [240, 222, 104]],
		['other', [196, 196, 196]], ['thread, command', [214, 214, 214]], ['off the CPU', [186, 160, 214]],
	];
	const SAME = [224, 224, 224], GREW = [214, 96, 77], SHRANK = [67, 147, 195], NEW = [178, 134, 204], WHITE = [255, 255, 255];
	const mix = (a, b, t) => a.map((v, i) => Math.round(v + (b[i] - v) * t));
	const css = (c) => `rgb(${c.join(',')})`;
	function hash(z) {
		let h = 2166136261;
		for (let i = 0; i < z.length; i++)
			h = Math.imul(h ^ z.charCodeAt(i), 16777619);
		return (h ^ (h >>> 15)) >>> 0;
	}
	function frameColour(f) {
		const h = hash(nameOf(f)), a = (h & 255) / 255, b = ((h >>> 8) & 255) / 255;
		switch (meta.colours) {
		case 'hot': return [205 + a * 50, 80 + b * 140, 60].map(Math.round);
		case 'io': return [90 + a * 60, 150 + b * 50, 230].map(Math.round);
		case 'mem': return [90 + a * 50, 190 + b * 50, 110].map(Math.round);
		default: return mix(KINDS[data.kinds[f]][1], WHITE, (h % 6) * 0.06);
		}
	}
	const ON_PAPER = { back: '#fff', text: '#000', focus: '#0b57d0', panel: '#f4f5f7', bar: '#8a93a0', chosen: '#0b57d055' };
	let printing = false;
	function palette() {
		if (printing)
			return ON_PAPER;
		const style = getComputedStyle(document.documentElement);
		return Object.fromEntries(Object.keys(ON_PAPER).map((name) => [name, style.getPropertyValue(`--${name}`)]));
	}
	const painted = new Array(data.names.length);
	function growthColour(t, i) {
		const now = t.total[i], was = t.before[i];
		if (!was)
			return css(NEW);
		return css(now > was ? mix(SAME, GREW, (now - was) / now) : mix(SAME, SHRANK, (was - now) / was));
	}
	function colourOf(t, i) {
		if (meta.compared)
			return growthColour(t, i);
		const f = t.frame[i];
		return painted[f] || (painted[f] = css(frameColour(f)));
	}
	function legend() {
		const seen = new Set(data.tree.frame);
		const kinds = new Set(Array.from(seen, (f) => data.kinds[f]));
		const rows = meta.compared
			? [['more than before', GREW], ['less than before', SHRANK], ['as before', SAME], ['new (dashed)', NEW]]
			: meta.colours === 'kinds' ? KINDS.filter((_, k) => kinds.has(k)) : [];
		$('legend').replaceChildren(...rows.map(([name, c]) => {
			const li = document.createElement('li'), box = document.createElement('i');
			box.style.background = css(c);
			li.append(box, name);
			return li;
		}));
	}

	// ---- a picture of a tree ----

	class Graph {
		constructor(host, label, inverted) {
			this.host = host;
			this.inverted = inverted;
			this.canvas = document.createElement('canvas');
			this.canvas.tabIndex = 0;
			this.canvas.setAttribute('role', 'img');
			this.label = label;
			this.spacer = document.createElement('div');
			this.spacer.append(this.canvas);
			this.paper = document.createElement('div');
			this.paper.className = 'paper';
			this.offset = null; // of what is drawn; null: as it is scrolled
			host.append(this.spacer, this.paper);
			this.widths = new Map();
			this.focus = this.hover = -1;
			this.onZoom = () => {};
			host.addEventListener('scroll', () => this.later());
			this.canvas.addEventListener('mousemove', (e) => this.point(e));
			this.canvas.addEventListener('mouseleave', () => this.unpoint());
			this.canvas.addEventListener('click', (e) => this.click(e));
			this.canvas.addEventListener('keydown', (e) => this.key(e));
			this.canvas.addEventListener('focus', () => { if (this.focus < 0) this.focusOn(this.zoom); });
			new ResizeObserver(() => this.resize()).observe(host);
		}
		show(t, zoom) {
			const other = this.tree !== t;
			this.tree = t;
			this.zoom = zoom;
			if (other || this.focus >= t.n)
				this.focus = this.hover = -1;
			this.rows = model.deepestBelow(t, zoom) + 1;
			this.resize();
			this.canvas.setAttribute('aria-label', `${this.label}: ${amount(t.total[0])} ${meta.unit}. Arrows move among frames, Enter zooms, l lists.`);
		}
		resize() {
			if (!this.tree || !this.host.clientWidth)
				return;
			const ratio = devicePixelRatio || 1, whole = this.rows * ROW;
			const onFloor = this.placed !== this.tree || this.host.scrollTop + this.h >= this.whole - 2;
			const w = this.spacer.clientWidth, h = Math.max(this.host.clientHeight, 1);
			this.spacer.style.height = `${Math.max(whole, h)}px`;
			this.canvas.style.width = `${w}px`;
			this.canvas.style.height = `${h}px`;
			if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(h * ratio)) {
				this.canvas.width = Math.round(w * ratio);
				this.canvas.height = Math.round(h * ratio);
			}
			this.w = w;
			this.h = h;
			this.ratio = ratio;
			this.whole = Math.max(whole, h);
			if (!this.inverted && onFloor)
				this.host.scrollTop = this.host.scrollHeight;
			this.placed = this.tree;
			this.draw();
		}
		// As many rows as have a frame that can be seen on paper.
		rowsOnPaper() {
			const t = this.tree, z = this.zoom, least = t.total[z] * PAPER.least / PAPER.width;
			let deepest = t.depth[z];
			for (let i = z; i < t.end[z]; i++)
				if (t.depth[i] > deepest && t.total[i] >= least)
					deepest = t.depth[i];
			return Math.min(deepest + 1, PAPER.most);
		}
		// The whole of it, in pieces that pages can be filled with; all other drawing is for the screen.
		print() {
			if (!this.host.clientWidth || !this.tree)
				return;
			const { canvas, w, h, ratio } = this, rows = this.rowsOnPaper();
			const first = this.inverted ? 0 : this.rows - rows; // of those from the top
			for (let row = first; row < first + rows; row += PAPER.rows) {
				const piece = document.createElement('canvas');
				this.canvas = piece;
				this.w = PAPER.width;
				this.h = Math.min(PAPER.rows, first + rows - row) * ROW;
				this.ratio = PAPER.ratio;
				this.offset = row * ROW;
				piece.width = this.w * this.ratio;
				piece.height = this.h * this.ratio;
				this.draw();
				this.paper.append(piece);
			}
			Object.assign(this, { canvas, w, h, ratio, offset: null });
			if (rows < this.rows)
				this.paper.append(`Not printed: ${this.rows - rows} more rows, of narrow frames.`);
		}
		scrolled() {
			return this.offset === null ? this.host.scrollTop : this.offset;
		}
		later() {
			if (!this.waits) {
				this.waits = true;
				requestAnimationFrame(() => { this.waits = false; this.draw(); });
			}
		}
		// A row's top on the canvas; pictures lower than the window stand on its floor.
		top(depth) {
			const whole = Math.max(this.rows * ROW, this.h);
			return (this.inverted ? depth * ROW : whole - (depth + 1) * ROW) - this.scrolled();
		}
		depthAt(y) {
			const whole = Math.max(this.rows * ROW, this.h), at = y + this.scrolled();
			return Math.floor((this.inverted ? at : whole - at) / ROW);
		}
		draw() {
			const c = this.canvas.getContext('2d'), t = this.tree;
			if (!t || !this.w)
				return;
			this.paint = palette();
			c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
			c.clearRect(0, 0, this.w, this.h);
			c.font = FONT;
			c.textBaseline = 'middle';
			this.drawn = 0;
			if (!t.total[this.zoom])
				return this.empty(c);
			const a = this.depthAt(0), b = this.depthAt(this.h);
			const first = Math.max(0, Math.min(a, b)), last = Math.min(this.rows - 1, Math.max(a, b));
			for (let d = first; d <= last; d++)
				this.drawRow(c, d);
			return undefined;
		}
		empty(c) {
			c.fillStyle = this.paint.text;
			c.fillText('Nothing of this is in what was chosen.', 8, 20);
		}
		drawRow(c, depth) {
			const t = this.tree, z = this.zoom, y = this.top(depth);
			if (depth < t.depth[z]) { // a caller of what is zoomed into
				let i = z;
				while (t.depth[i] > depth)
					i = t.parent[i];
				this.box(c, i, 0, this.w, y, true);
				return;
			}
			const { start, order } = t.levels, px = this.w / t.total[z], left = t.x[z], end = t.end[z];
			let k = this.seek(depth, (i) => i >= z);
			while (k < start[depth + 1] && order[k] < end) {
				const i = order[k], x = (t.x[i] - left) * px, w = t.total[i] * px;
				if (w >= LEAST) {
					this.box(c, i, x, w, y, false);
					k++;
				} else { // those that end in the same pixel are not looked at one by one
					const next = left + (Math.floor(x / LEAST) + 1) * LEAST / px;
					const skip = this.seek(depth, (j) => j >= end || t.x[j] >= next || (t.x[j] + t.total[j]) >= next + LEAST / px, k + 1);
					k = Math.max(skip, k + 1);
				}
			}
		}
		// The first of a row's nodes that passes a test which all behind it pass too.
		seek(depth, passes, from) {
			const { start, order } = this.tree.levels;
			let a = from === undefined ? start[depth] : from, b = start[depth + 1];
			while (a < b) {
				const m = (a + b) >> 1;
				if (passes(order[m]))
					b = m;
				else
					a = m + 1;
			}
			return a;
		}
		box(c, i, x, w, y, around) {
			const t = this.tree, hit = found && found[t.frame[i]], gap = w > 3 ? 0.7 : 0;
			this.drawn++;
			c.globalAlpha = around ? 0.55 : found && !hit ? 0.35 : 1;
			c.fillStyle = hit && !meta.compared ? '#e377c2' : colourOf(t, i);
			c.fillRect(x, y, w - gap, ROW - 1);
			c.globalAlpha = 1;
			if (hit && w > 2) {
				c.strokeStyle = this.paint.text;
				c.lineWidth = 1.5;
				c.strokeRect(x + 1, y + 1, w - gap - 2, ROW - 3);
			}
			if (meta.compared && !t.before[i] && w > 4) {
				c.setLineDash([3, 2]);
				c.strokeStyle = '#5b2a83';
				c.strokeRect(x + 1, y + 1, w - gap - 2, ROW - 3);
				c.setLineDash([]);
			}
			if (i === this.focus || i === this.hover) {
				c.strokeStyle = i === this.focus ? this.paint.focus : this.paint.text;
				c.lineWidth = i === this.focus ? 3 : 1;
				c.strokeRect(x + 1, y + 1, Math.max(w - gap - 2, 1), ROW - 3);
			}
			if (w > 30)
				this.write(c, t.frame[i], x + 4, y + ROW / 2, w - 8, around || (found && !hit) ? this.paint.text : '#101114');
		}
		write(c, f, x, y, room, colour) {
			const name = nameOf(f).slice(0, 400);
			let width = this.widths.get(f), text = name;
			if (width === undefined)
				this.widths.set(f, width = c.measureText(name).width);
			if (width > room) {
				const n = Math.floor(name.length * room / width) - 1;
				if (n < 2)
					return;
				text = name.slice(0, n) + '…';
			}
			c.fillStyle = colour;
			c.fillText(text, x, y);
		}
		at(x, y) {
			const t = this.tree, z = this.zoom, depth = this.depthAt(y);
			if (depth < 0 || depth >= this.rows || !t.total[z])
				return -1;
			if (depth <= t.depth[z]) {
				let i = z;
				while (t.depth[i] > depth)
					i = t.parent[i];
				return i;
			}
			const where = t.x[z] + x * t.total[z] / this.w, { order, start } = t.levels, end = t.end[z];
			const k = this.seek(depth, (j) => j >= end || (j > z && t.x[j] + t.total[j] > where));
			const i = k < start[depth + 1] ? order[k] : -1;
			return i > z && i < end && t.x[i] <= where ? i : -1;
		}
		point(e) {
			const i = this.at(e.offsetX, e.offsetY);
			if (i !== this.hover) {
				this.hover = i;
				this.later();
			}
			this.canvas.style.cursor = i >= 0 ? 'pointer' : 'default';
			tip(i >= 0 ? this : null, i, e);
		}
		unpoint() {
			this.hover = -1;
			this.later();
			tip(null);
		}
		click(e) {
			const i = this.at(e.offsetX, e.offsetY);
			if (i < 0)
				return;
			this.focusOn(i);
			this.onZoom(i);
		}
		focusOn(i) {
			this.focus = i;
			active = this;
			const d = this.tree.depth[i], y = this.top(d);
			if (y < 0)
				this.host.scrollTop += y;
			else if (y + ROW > this.h)
				this.host.scrollTop += y + ROW - this.h;
			tell();
			this.later();
			listFrame();
		}
		// The frame beside, in the same row.
		beside(step) {
			const t = this.tree, { start, order } = t.levels, d = t.depth[this.focus];
			let k = this.seek(d, (j) => j >= this.focus) + step;
			while (k >= start[d] && k < start[d + 1] && !t.total[order[k]])
				k += step;
			const i = order[k];
			return k >= start[d] && k < start[d + 1] && i >= this.zoom && i < t.end[this.zoom] ? i : this.focus;
		}
		heaviestCallee(i) {
			let best = i;
			for (let j = i + 1; j < this.tree.end[i]; j = this.tree.end[j])
				if (this.tree.total[j] > (best === i ? 0 : this.tree.total[best]))
					best = j;
			return best;
		}
		key(e) {
			const t = this.tree;
			if (e.ctrlKey || e.metaKey || e.altKey || this.focus < 0)
				return;
			const out = this.inverted ? 'ArrowUp' : 'ArrowDown', inward = this.inverted ? 'ArrowDown' : 'ArrowUp';
			const moves = {
				ArrowLeft: () => this.beside(-1), ArrowRight: () => this.beside(1),
				[out]: () => t.parent[this.focus], [inward]: () => this.heaviestCallee(this.focus),
			};
			if (moves[e.key]) {
				e.preventDefault();
				this.focusOn(moves[e.key]());
			} else if (e.key === 'Enter' || e.key === ' ') {
				e.preventDefault();
				this.onZoom(this.focus);
			}
		}
	}

	function tip(graph, i, e) {
		const box = $('tip');
		box.hidden = !graph;
		if (!graph)
			return;
		const s = sentence(graph.tree, i, graph.zoom);
		const b = document.createElement('b');
		b.textContent = s.name;
		box.replaceChildren(b, `\n${s.text.replace(/, /g, '\n')}`);
		const r = box.getBoundingClientRect();
		box.style.left = `${Math.max(4, Math.min(e.clientX + 14, innerWidth - r.width - 8))}px`;
		box.style.top = `${e.clientY + 18 + r.height > innerHeight ? Math.max(4, e.clientY - r.height - 10) : e.clientY + 18}px`;
	}

	const main = new Graph($('main'), meta.title, state.inverted);
	const callers = new Graph($('callers'), 'Callers', false), callees = new Graph($('callees'), 'Callees', true);
	let active = main;

	// What has the focus, else how much all of it is.
	function tell() {
		const t = active.tree, i = active.focus < 0 ? 0 : active.focus, s = sentence(t, i, active.zoom);
		$('status').textContent = active.focus < 0 ? `${amount(t.total[0])} ${meta.unit}` : `${s.name}: ${s.text}`;
	}

	// ---- what is shown ----

	function button(text, act) {
		const b = document.createElement('button');
		b.type = 'button';
		b.textContent = text;
		b.addEventListener('click', act);
		return b;
	}

	function crumbs() {
		const t = tree(), path = [];
		for (let i = state.zoom; i; i = t.parent[i])
			path.unshift(i);
		path.unshift(0);
		$('crumbs').replaceChildren(...path.map((i) => {
			const li = document.createElement('li'), b = button(nameOf(t.frame[i]), () => zoomTo(i));
			if (i === state.zoom)
				b.setAttribute('aria-current', 'true');
			li.append(b);
			return li;
		}));
		$('reset').disabled = !state.zoom;
	}

	function zoomTo(i) {
		if (i === state.zoom && i)
			i = tree().parent[i];
		state.zoom = i;
		refresh();
		remember(true);
	}

	function sandwichOf(f) {
		state.sandwich = f;
		refresh();
		remember(true);
		(f >= 0 ? callees : main).canvas.focus();
	}

	function refresh() {
		const t = tree(), sandwich = state.sandwich >= 0;
		main.inverted = state.inverted;
		$('main').hidden = sandwich;
		$('sandwich').hidden = !sandwich;
		both = sandwich ? model.sandwich(data, state.sandwich) : null;
		if (both) {
			$('bread').textContent = nameOf(state.sandwich);
			callers.show(both.callers, 0);
			callees.show(both.callees, 0);
		} else {
			main.show(t, state.zoom);
		}
		if ((active === main) === Boolean(both))
			active = both ? callees : main;
		crumbs();
		count();
		tell();
		$('invert').setAttribute('aria-pressed', String(state.inverted));
		$('reverse').setAttribute('aria-pressed', String(state.reversed));
		side();
	}

	function count() {
		const t = tree(), out = $('matched');
		if (!found) {
			out.textContent = '';
			return;
		}
		const sum = model.matched(t, state.zoom, found);
		out.textContent = `Matched ${share(sum, t.total[state.zoom])}${state.zoom ? ' of the zoom' : ''}`;
	}

	function search(text) {
		let re = null, wrong = false;
		state.search = text;
		try {
			re = text ? new RegExp(text, /[A-Z]/.test(text) ? 'u' : 'iu') : null;
		} catch {
			wrong = true;
		}
		$('search').classList.toggle('wrong', wrong);
		$('search').setAttribute('aria-invalid', String(wrong));
		if (!wrong)
			found = re ? Uint8Array.from(data.names, (z) => (re.test(z) ? 1 : 0)) : null;
		count();
		if (wrong)
			$('matched').textContent = 'Not a regular expression';
		[main, callers, callees].forEach((g) => g.later());
		side();
		remember(false);
	}

	// The next frame in drawing order that matches, within the zoom.
	function nextMatch(step) {
		const t = tree(), from = main.focus < 0 ? state.zoom : main.focus;
		for (let i = from + step, n = 0; found && n < t.n; i += step, n++) {
			if (i >= t.end[state.zoom])
				i = state.zoom;
			else if (i < state.zoom)
				i = t.end[state.zoom] - 1;
			if (found[t.frame[i]] && t.total[i]) {
				main.canvas.focus();
				main.focusOn(i);
				return;
			}
		}
	}

	// ---- which samples ----

	function takesThread() {
		if (!state.thread)
			return null;
		const { threads } = data.rows, n = Number(state.thread.slice(1));
		return state.thread[0] === 't' ? (k) => k === n : (k) => threads[k].comm === threads[n].comm;
	}

	function select() {
		const thread = takesThread(), timed = state.from >= 0;
		if (data.rows)
			model.select(data, thread || timed ? (k, span) => (!thread || thread(k)) && (!timed || (span >= state.from && span <= state.to)) : null);
		trees.reversed = state.reversed ? model.reversed(data) : null;
		if (state.zoom >= tree().n)
			state.zoom = 0;
		strip();
		refresh();
	}

	function fillThreads() {
		if (!data.rows || data.rows.threads.length < 2)
			return;
		const sums = new Float64Array(data.rows.threads.length), comms = new Map(), box = $('thread');
		for (let i = 0; i < data.rows.n; i++)
			sums[data.rows.thread[i]] += data.rows.weight[i];
		data.rows.threads.forEach((t, i) => comms.set(t.comm, [(comms.get(t.comm) || [0])[0] + sums[i], (comms.get(t.comm) || [0, i])[1]]));
		const group = (label, rows) => {
			const g = document.createElement('optgroup');
			g.label = label;
			rows.sort((a, b) => b[0] - a[0]).slice(0, 500).forEach(([, value, text]) => g.append(new Option(text, value)));
			box.append(g);
		};
		box.append(new Option('All threads', ''));
		group('Commands', Array.from(comms, ([comm, [sum, i]]) => [sum, `c${i}`, comm]));
		group('Threads', data.rows.threads.map((t, i) => [sums[i], `t${i}`, `${t.comm} ${t.tid}`]));
		box.hidden = false;
	}

	// Where events were lost.
	function hatch(c, x, w, h, colour) {
		c.save();
		c.beginPath();
		c.rect(x, 0, w, h);
		c.clip();
		c.strokeStyle = colour;
		c.lineWidth = 1;
		c.beginPath();
		for (let at = -h; at < w; at += 5) {
			c.moveTo(x + at, h);
			c.lineTo(x + at + h, 0);
		}
		c.stroke();
		c.restore();
	}

	// Weight over time, with the chosen range.
	function strip() {
		const box = $('time');
		if (!data.rows || meta.spans < 2)
			return;
		$('strip').hidden = false;
		$('time').title = meta.gaps.length ? 'Hatched: events were lost' : '';
		const sums = model.overTime(data, takesThread()), most = Math.max(...sums) || 1, ratio = devicePixelRatio || 1;
		const w = box.clientWidth, h = box.clientHeight, c = box.getContext('2d'), paint = palette();
		const edge = (i) => Math.round(i * w / meta.spans * ratio) / ratio;
		box.width = Math.round(w * ratio);
		box.height = Math.round(h * ratio);
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.fillStyle = paint.panel;
		c.fillRect(0, 0, w, h);
		c.fillStyle = paint.bar;
		sums.forEach((v, i) => c.fillRect(edge(i), h - v / most * h, Math.max(edge(i + 1) - edge(i), 1), v / most * h));
		meta.gaps.forEach(([from, to]) => hatch(c, edge(from), Math.max(edge(to + 1) - edge(from), 3), h, paint.text));
		if (state.from >= 0) {
			c.fillStyle = paint.chosen;
			c.fillRect(edge(state.from), 0, edge(state.to + 1) - edge(state.from), h);
		}
		const s = (i) => (i * meta.quantum).toFixed(3);
		$('range').textContent = state.from >= 0 ? `${s(state.from)} to ${s(state.to + 1)} s` : `${s(meta.spans)} s`;
		$('anytime').hidden = state.from < 0;
	}

	function chooseTime(from, to) {
		const clamp = (v) => Math.max(0, Math.min(meta.spans - 1, v));
		state.from = from < 0 && to < 0 ? -1 : clamp(Math.min(from, to));
		state.to = from < 0 && to < 0 ? -1 : clamp(Math.max(from, to));
		select();
		remember(false);
	}

	function timeEvents() {
		const box = $('time');
		let start = -1;
		const spanAt = (e) => Math.floor(e.offsetX / box.clientWidth * meta.spans);
		box.addEventListener('pointerdown', (e) => { start = spanAt(e); box.setPointerCapture(e.pointerId); });
		box.addEventListener('pointermove', (e) => { if (start >= 0) chooseTime(Math.max(start, 0), Math.max(spanAt(e), 0)); });
		box.addEventListener('pointerup', (e) => {
			if (start >= 0 && spanAt(e) === start)
				chooseTime(-1, -1);
			start = -1;
		});
		box.addEventListener('keydown', (e) => {
			const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
			if (step) {
				e.preventDefault();
				if (state.from < 0)
					chooseTime(0, Math.max(Math.floor(meta.spans / 10) - 1, 0));
				else
					chooseTime(e.shiftKey ? state.from : state.from + step, state.to + step);
			} else if (e.key === 'Escape' && state.from >= 0) {
				e.stopPropagation();
				chooseTime(-1, -1);
			}
		});
		$('anytime').addEventListener('click', () => chooseTime(-1, -1));
	}

	// ---- beside it: functions, the frame as a list, what is gone ----

	const COLUMNS = [
		{ id: 'self', text: 'Self', of: (s, f) => s.self[f] }, { id: 'total', text: 'Total', of: (s, f) => s.total[f] },
		{ id: 'grew', text: 'Change', of: (s, f) => s.total[f] - s.before[f], compared: true }, { id: 'name', text: 'Function' },
	];
	let sortBy = 'self', up = false;
	const LINES = 300;

	function cell(text, number) {
		const td = document.createElement('td');
		td.textContent = text;
		if (number)
			td.className = 'n';
		return td;
	}

	function functionLine(f, sums, all) {
		const tr = document.createElement('tr'), name = document.createElement('td');
		tr.append(cell(share(sums.self[f], all), true), cell(share(sums.total[f], all), true));
		if (meta.compared) {
			const d = sums.total[f] - sums.before[f];
			tr.append(cell(sums.before[f] ? `${d >= 0 ? '+' : '−'}${amount(Math.abs(d))}` : 'new', true));
		}
		name.append(button(nameOf(f), () => sandwichOf(f)));
		tr.append(name);
		return tr;
	}

	function fillFunctions() {
		const t = tree(), sums = model.functions(data, t, state.zoom), all = t.total[state.zoom], list = [];
		for (let f = 0; f < data.names.length; f++)
			if ((sums.total[f] || sums.before[f]) && (!found || found[f]) && f !== t.frame[0])
				list.push(f);
		const column = COLUMNS.find((c) => c.id === sortBy);
		list.sort((a, b) => (column.of ? column.of(sums, b) - column.of(sums, a) : 0) || data.rank[a] - data.rank[b]);
		if (up)
			list.reverse();
		$('counted').textContent = `${list.length} functions${found ? ' that match' : ''}${list.length > LINES ? `, the first ${LINES}` : ''}; `
			+ `all is ${amount(all)} ${meta.unit}. A click shows callers and callees.`;
		$('columns').replaceChildren(...COLUMNS.filter((c) => !c.compared || meta.compared).map((c) => {
			const th = document.createElement('th');
			th.scope = 'col';
			th.className = c.of ? 'n' : '';
			th.setAttribute('aria-sort', c.id !== sortBy ? 'none' : up ? 'ascending' : 'descending');
			th.append(button(c.text + (c.id !== sortBy ? '' : up ? ' ▴' : ' ▾'), () => {
				up = c.id === sortBy && !up;
				sortBy = c.id;
				fillFunctions();
			}));
			return th;
		}));
		$('lines').replaceChildren(...list.slice(0, LINES).map((f) => functionLine(f, sums, all)));
	}

	function item(t, i, zoom) {
		const li = document.createElement('li'), s = sentence(t, i, zoom);
		li.append(button(s.name, () => { active.focusOn(i); active.canvas.focus(); }), ` ${s.text}`);
		return li;
	}

	function listFrame() {
		if (state.side !== 'list')
			return;
		const t = active.tree, at = active.focus < 0 ? active.zoom : active.focus, path = [], below = [];
		for (let i = at; ; i = t.parent[i]) {
			path.unshift(i);
			if (!i)
				break;
		}
		for (let j = at + 1; j < t.end[at]; j = t.end[j])
			if (t.total[j])
				below.push(j);
		below.sort((a, b) => t.total[b] - t.total[a]);
		const heading = (text) => { const h = document.createElement('h2'); h.textContent = text; return h; };
		const list = (nodes) => { const ol = document.createElement('ol'); ol.append(...nodes.map((i) => item(t, i, active.zoom))); return ol; };
		$('frames').replaceChildren(heading('From the bottom to this frame'), list(path), heading(`On top of it: ${below.length}`),
			list(below.slice(0, 100)), button('Zoom into it', () => active.onZoom(at)));
	}

	function fillGone() {
		const box = $('gone');
		box.hidden = !data.gone.length;
		if (!data.gone.length || box.childElementCount)
			return;
		const h = document.createElement('h2'), ol = document.createElement('ol');
		h.textContent = `Gone: ${meta.goneAll} stacks${meta.goneAll > data.gone.length ? `, the heaviest ${data.gone.length}` : ''}`;
		ol.append(...data.gone.map((g) => {
			const li = document.createElement('li');
			li.textContent = `${amount(g.weight)} ${meta.unit}: ${g.path.map(nameOf).join(' › ')}`;
			return li;
		}));
		box.append(h, ol);
	}

	function side() {
		$('side').hidden = !state.side;
		$('functions').hidden = state.side !== 'table';
		$('frames').hidden = state.side !== 'list';
		$('table').setAttribute('aria-pressed', String(state.side === 'table'));
		$('list').setAttribute('aria-pressed', String(state.side === 'list'));
		if (state.side === 'table')
			fillFunctions();
		if (state.side)
			fillGone();
		listFrame();
	}

	function toggleSide(which) {
		state.side = state.side === which ? '' : which;
		side();
		remember(false);
	}

	// ---- the address ----

	const WORDS = { z: 'zoom', s: 'search', t: 'thread', a: 'from', b: 'to', f: 'sandwich', v: 'side' };
	const START = { zoom: 0, search: '', thread: '', from: -1, to: -1, sandwich: -1, side: '' };
	function remember(step) {
		const words = new URLSearchParams();
		for (const [k, name] of Object.entries(WORDS))
			if (state[name] !== START[name])
				words.set(k, state[name]);
		if (state.reversed)
			words.set('r', 1);
		if (state.inverted !== meta.inverted)
			words.set('i', 1);
		const address = words.toString();
		if (address !== location.hash.slice(1))
			history[step ? 'pushState' : 'replaceState'](null, '', `#${address}`);
	}

	// Whatever the address says, only what this page has is taken from it.
	function recall() {
		const words = new URLSearchParams(location.hash.slice(1));
		const number = (k, end) => {
			const v = words.has(k) ? Number(words.get(k)) : NaN;
			return Number.isInteger(v) && v >= 0 && v < end ? v : START[WORDS[k]];
		};
		const thread = words.get('t') || '';
		state.reversed = words.has('r');
		state.inverted = words.has('i') ? !meta.inverted : meta.inverted;
		state.from = number('a', meta.spans);
		state.to = state.from < 0 ? -1 : Math.max(number('b', meta.spans), state.from);
		state.thread = data.rows && /^[ct]\d+$/.test(thread) && Number(thread.slice(1)) < data.rows.threads.length ? thread : '';
		state.sandwich = number('f', data.names.length);
		state.side = ['table', 'list'].includes(words.get('v')) ? words.get('v') : '';
		trees.reversed = state.reversed ? model.reversed(data) : null;
		state.zoom = number('z', tree().n);
		$('search').value = words.get('s') || '';
		$('thread').value = state.thread;
		select();
		search($('search').value);
	}

	// ---- keys and buttons ----

	function back() {
		if (state.sandwich >= 0) {
			sandwichOf(-1);
		} else if (state.search) {
			$('search').value = '';
			search('');
		} else if (state.zoom) {
			zoomTo(tree().parent[state.zoom]);
		}
	}

	const acts = {
		i: () => { state.inverted = !state.inverted; main.placed = null; refresh(); remember(false); },
		r: () => {
			state.reversed = !state.reversed;
			state.zoom = 0;
			if (state.reversed && !trees.reversed)
				trees.reversed = model.reversed(data);
			refresh();
			remember(true);
		},
		t: () => toggleSide('table'),
		l: () => toggleSide('list'),
		s: () => {
			if (state.sandwich >= 0)
				sandwichOf(-1);
			else if (active.focus > 0)
				sandwichOf(active.tree.frame[active.focus]);
		},
		n: () => nextMatch(1),
		N: () => nextMatch(-1),
		Home: () => zoomTo(0),
		'/': () => $('search').focus(),
		'?': () => $('keys').showModal(),
		Escape: back,
	};

	function keyDown(e) {
		if ($('keys').open)
			return;
		if ((e.ctrlKey || e.metaKey) && e.key === 'f') {
			e.preventDefault();
			$('search').focus();
			$('search').select();
			return;
		}
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		const typing = e.target === $('search') || e.target === $('thread');
		if (typing && e.key !== 'Escape' && !(e.key === 'Enter' && e.target === $('search')))
			return;
		if (typing && e.key === 'Enter') {
			main.canvas.focus();
			nextMatch(1);
		} else if (acts[e.key]) {
			e.preventDefault();
			acts[e.key]();
			if (typing)
				main.canvas.focus();
		}
	}

	function print(on) {
		printing = on;
		[main, callers, callees].forEach((g) => {
			g.paper.replaceChildren();
			if (on)
				g.print();
			else
				g.later();
		});
		strip();
	}

	function wire() {
		main.onZoom = zoomTo;
		callers.onZoom = (i) => sandwichOf(callers.tree.frame[i]);
		callees.onZoom = (i) => sandwichOf(callees.tree.frame[i]);
		let soon = 0;
		$('search').addEventListener('input', (e) => { clearTimeout(soon); soon = setTimeout(() => search(e.target.value), 60); });
		$('thread').addEventListener('change', (e) => { state.thread = e.target.value; select(); remember(false); });
		const press = { invert: 'i', reverse: 'r', table: 't', list: 'l', reset: 'Home', help: '?' };
		for (const [id, key] of Object.entries(press))
			$(id).addEventListener('click', acts[key]);
		$('unsandwich').addEventListener('click', () => sandwichOf(-1));
		addEventListener('keydown', keyDown);
		addEventListener('popstate', recall);
		addEventListener('resize', strip);
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { strip(); [main, callers, callees].forEach((g) => g.later()); });
		addEventListener('beforeprint', () => print(true));
		addEventListener('afterprint', () => print(false));
		timeEvents();
	}

	$('note').textContent = meta.note;
	legend();
	fillThreads();
	wire();
	recall();
	// What the tests look at, too.
	globalThis.flame = { data, meta, state, main, callers, callees, tree };
	document.documentElement.dataset.ready = 'true';
})();
