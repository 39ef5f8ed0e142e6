// SPDX-License-Identifier: GPL-2.0-or-later
// The graph: only what is in view, one box for each pixel where more slices than pixels are.
const ROW = 28, AXIS = 26, BAR = 15, CALLS = 7;

const ON_PAPER = { back: '#fff', text: '#000', soft: '#5b616b', line: '#d5d8dd', panel: '#f4f5f7', focus: '#0b57d0', sample: '#b8741a', call: '#8c9bb0' };

// The names that run longest get colours far from each other, the others any.
function hues(tasks) {
	const APART = 137.508, MOST = 40, runs = new Map(), named = new Map();
	tasks.forEach((t) => runs.set(t.name, (runs.get(t.name) || 0) + (t.tid ? t.run : 0)));
	[...runs].sort((a, b) => b[1] - a[1]).slice(0, MOST).forEach(([name], k) => named.set(name, (205 + k * APART) % 360));
	return tasks.map((t) => (named.has(t.name) ? named.get(t.name) : hue(t.name)));
}

function hue(text) {
	let h = 2166136261;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 16777619) >>> 0;
	return h % 360;
}

class Graph {
	constructor(model, canvas) {
		Object.assign(this, { model, canvas, from: 0, to: model.span, top: 0, width: 0, height: 0, label: 150 });
		this.selection = null; // [from, to]
		this.markers = [null, null];
		this.chosen = -1; // an event
		this.hover = null;
		this.colours = hues(model.tasks);
		this.theme();
	}
	theme(paper = false) {
		const style = getComputedStyle(document.documentElement), v = (name) => style.getPropertyValue(name).trim();
		this.dark = !paper && matchMedia('(prefers-color-scheme: dark)').matches;
		this.c = paper ? ON_PAPER : Object.fromEntries(Object.keys(ON_PAPER).map((name) => [name, v(`--${name}`)]));
		this.fill = this.colours.map((h) => (this.dark ? `hsl(${h} 45% 42%)` : `hsl(${h} 60% 72%)`));
	}
	resize(width, height) {
		const scale = devicePixelRatio || 1;
		this.width = width;
		this.height = height;
		this.label = width < 600 ? 84 : 170;
		this.canvas.width = Math.round(width * scale);
		this.canvas.height = Math.round(height * scale);
		this.canvas.style.width = `${width}px`;
		this.canvas.style.height = `${height}px`;
		this.g = this.canvas.getContext('2d');
		this.g.setTransform(scale, 0, 0, scale, 0, 0);
	}
	x(time) {
		return this.label + (time - this.from) / (this.to - this.from) * (this.width - this.label);
	}
	time(x) {
		return this.from + (x - this.label) / (this.width - this.label) * (this.to - this.from);
	}
	rowAt(y) {
		const k = Math.floor((y - AXIS + this.top) / ROW);
		return y >= AXIS && k >= 0 && k < this.model.rows.length ? k : -1;
	}
	rowTop(k) {
		return AXIS + k * ROW - this.top;
	}
	show(from, to) {
		const span = this.model.span, least = 20;
		let width = Math.min(Math.max(to - from, least), span);
		if (!(width > 0))
			width = span;
		this.from = Math.min(Math.max(from, 0), span - width);
		this.to = this.from + width;
	}
	zoom(factor, centre) {
		this.show(centre - (centre - this.from) * factor, centre + (this.to - centre) * factor);
	}
	draw() {
		const g = this.g, began = performance.now();
		g.font = '12px system-ui, "DejaVu Sans", sans-serif';
		g.textBaseline = 'middle';
		g.fillStyle = this.c.back;
		g.fillRect(0, 0, this.width, this.height);
		const first = Math.max(0, Math.floor(this.top / ROW)), end = Math.min(this.model.rows.length, Math.ceil((this.top + this.height - AXIS) / ROW));
		g.save();
		g.beginPath();
		g.rect(this.label, AXIS, this.width - this.label, this.height - AXIS);
		g.clip();
		this.few = 0;
		for (let k = first; k < end; k++)
			this.row(this.model.rows[k], this.rowTop(k));
		this.lost(first, end);
		if (this.few < this.width / 2)
			this.arrows(first, end);
		this.marks();
		g.restore();
		this.labels(first, end);
		this.axis();
		this.took = performance.now() - began;
	}
	row(r, y) {
		const g = this.g, k0 = r.firstAt(this.from), k1 = Math.min(r.n, lower(r.start, this.to));
		const pixels = this.width - this.label;
		g.fillStyle = this.c.line;
		g.fillRect(this.label, y + ROW - 1, pixels, 1);
		if (k1 - k0 > pixels)
			this.dense(r, y);
		else
			for (let k = k0; k < Math.min(k1 + 1, r.n); k++) { // of the one behind the window its delay may be in it
				this.delay(r, k, y);
				if (k < k1)
					this.box(r, k, y);
			}
		if (k1 > k0 && k1 - k0 <= pixels)
			this.few += k1 - k0;
		this.callBoxes(r, y);
		this.tickMarks(r, y);
	}
	box(r, k, y) {
		const g = this.g, x0 = Math.max(this.x(r.start[k]), this.label - 1), x1 = Math.min(this.x(r.end[k]), this.width + 1);
		const w = Math.max(x1 - x0, 1), t = r.task[k], i = r.event[k], model = this.model;
		g.fillStyle = this.fill[t];
		g.fillRect(x0, y + 2, w, BAR);
		if (model.task[i] === t && w > 3) { // how it ended: a preempted one has a dark edge
			g.fillStyle = String.fromCharCode(model.switches.state[model.at[i]]) === 'R' ? this.c.text : this.c.soft;
			g.fillRect(x1 - 1, y + 2, 1, BAR);
		}
		if (w > 26) {
			g.save();
			g.beginPath();
			g.rect(x0, y, w - 2, ROW);
			g.clip();
			g.fillStyle = this.c.text;
			const task = model.tasks[t];
			g.fillText(r.kind === 'cpu' ? `${task.name} ${task.tid}` : `CPU ${model.cpu[i]}`, x0 + 3, y + 2 + BAR / 2);
			g.restore();
		}
	}
	// Before a slice of a task: it could run, and had no CPU.
	delay(r, k, y) {
		const model = this.model, i = r.event[k];
		if (r.kind !== 'task' || model.task[i] !== r.task[k])
			return;
		const x1 = this.x(r.start[k]), x0 = Math.max(this.x(r.start[k] - model.switches.delay[model.at[i]]), this.label - 1);
		if (Math.min(x1, this.width) - x0 > 2) {
			this.g.strokeStyle = this.c.soft;
			this.g.strokeRect(x0 + .5, y + 5.5, Math.min(x1, this.width + 2) - x0 - 1, BAR - 8);
		}
	}
	dense(r, y) {
		const g = this.g, pixels = this.width - this.label, step = (this.to - this.from) / pixels;
		let k = r.firstAt(this.from), x = this.label, last = null, begun = 0, high = 0;
		const flush = (upto) => {
			if (last !== null && high) {
				g.fillStyle = this.fill[last];
				g.fillRect(begun, y + 2 + BAR - high, upto - begun, high);
			}
		};
		for (let p = 0; p < pixels; p++, x++) {
			const from = this.from + p * step, to = from + step;
			let e = k;
			if (e < r.n && r.end[e] <= to) // galloping: slices are many here
				e = Math.min(r.n, gallop(r.end, e, to));
			const share = r.covered(from, to, k, e) / step;
			let height = 0, task = null;
			if (share > 0) {
				task = r.task[r.longest(k, Math.min(Math.max(e, k + 1), r.n))];
				height = Math.max(2, Math.round(BAR * Math.min(share, 1)));
			}
			if (task !== last || height !== high) {
				flush(x);
				last = task;
				high = height;
				begun = x;
			}
			k = e;
		}
		flush(x);
	}
	callBoxes(r, y) {
		const g = this.g, k1 = lower(r.callStart, this.to);
		let drawn = -1;
		for (let k = Math.max(0, lower(r.callStart, this.from) - 1); k < k1; k++) {
			const x0 = Math.max(this.x(r.callStart[k]), this.label), x1 = Math.min(this.x(r.callEnd[k]), this.width);
			if (x1 < drawn + .5)
				continue;
			const w = Math.max(x1 - x0, 1);
			drawn = x0 + w;
			g.fillStyle = this.c.call;
			g.fillRect(x0, y + 2 + BAR + 2, w, CALLS);
			if (w > 34) {
				g.save();
				g.beginPath();
				g.rect(x0, y, w, ROW);
				g.clip();
				g.font = '9px system-ui, "DejaVu Sans", sans-serif';
				g.fillStyle = this.dark ? '#000' : '#fff';
				g.fillText(this.model.kindName(r.callEvent[k]), x0 + 2, y + BAR + 8);
				g.restore();
			}
		}
	}
	tickMarks(r, y) {
		const g = this.g, k0 = lower(r.tickTime, this.from), k1 = lower(r.tickTime, this.to);
		let drawn = -2;
		for (let k = k0; k < k1;) {
			const x = Math.round(this.x(r.tickTime[k]));
			if (x > drawn) {
				g.fillStyle = this.model.type(r.tickEvent[k]) === SAMPLE ? this.c.sample : this.c.focus;
				g.fillRect(x, y + BAR + 3, 1, 7);
				drawn = x;
			}
			k = k1 - k0 > 4 * this.width ? Math.max(k + 1, lower(r.tickTime, this.time(x + 1))) : k + 1;
		}
	}
	lost(first, end) {
		const g = this.g;
		for (const gap of this.model.gaps) {
			if (gap.to < this.from || gap.from > this.to)
				continue;
			const x0 = Math.max(this.x(gap.from), this.label), x1 = Math.max(this.x(gap.to), x0 + 3);
			for (let k = first; k < end; k++) {
				const r = this.model.rows[k];
				if (r.kind === 'cpu' && gap.cpu >= 0 && r.id !== gap.cpu)
					continue;
				if (r.kind === 'cpu')
					hatch(g, x0, this.rowTop(k) + 1, Math.min(x1, this.width) - x0, ROW - 2, this.c.text);
			}
		}
	}
	// From who wakes to where the woken one comes to a CPU.
	arrows(first, end) {
		const g = this.g, m = this.model;
		g.strokeStyle = g.fillStyle = this.c.focus;
		g.lineWidth = 1;
		for (let k = first; k < end; k++) {
			const r = m.rows[k], k1 = Math.min(r.n, lower(r.start, this.to));
			for (let s = r.firstAt(this.from); s < k1; s++) {
				const i = r.event[s], w = m.task[i] === r.task[s] ? m.wake[i] : -1;
				if (w < 0)
					continue;
				const source = m.rows.indexOf(r.kind === 'cpu' ? m.rowOfCpu[m.cpu[w]] : m.rowOfTask.get(m.task[w]));
				if (source < 0 || source === k)
					continue;
				const x0 = this.x(m.time[w]), y0 = this.rowTop(source) + 2 + BAR / 2, x1 = this.x(r.start[s]), y1 = this.rowTop(k) + 2 + BAR / 2;
				const angle = Math.atan2(y1 - y0, x1 - x0);
				g.beginPath();
				g.moveTo(x0, y0);
				g.lineTo(x1, y1);
				g.stroke();
				g.beginPath();
				g.moveTo(x1, y1);
				g.lineTo(x1 - 6 * Math.cos(angle - .4), y1 - 6 * Math.sin(angle - .4));
				g.lineTo(x1 - 6 * Math.cos(angle + .4), y1 - 6 * Math.sin(angle + .4));
				g.fill();
			}
		}
	}
	marks() {
		const g = this.g, line = (time, colour, word) => {
			const x = Math.round(this.x(time)) + .5;
			if (x < this.label || x > this.width)
				return;
			g.strokeStyle = g.fillStyle = colour;
			g.beginPath();
			g.moveTo(x, AXIS);
			g.lineTo(x, this.height);
			g.stroke();
			if (word)
				g.fillText(word, x + 3, AXIS + 8);
		};
		if (this.selection) {
			g.fillStyle = this.dark ? '#8ab4f833' : '#0b57d022';
			g.fillRect(this.x(this.selection[0]), AXIS, this.x(this.selection[1]) - this.x(this.selection[0]), this.height);
		}
		this.markers.forEach((m, k) => m !== null && line(m, k ? '#c4570a' : '#0a8f5b', 'AB'[k]));
		if (this.chosen >= 0)
			line(this.model.time[this.chosen], '#d4351c', '');
	}
	// What the parts of the picture say, of those that are in it: small pictures and words.
	legend() {
		const m = this.model, has = (type) => m.types.includes(type), box = (g, x, w) => g.fillRect(x, 1, w, 10);
		const rows = [
			[has(SWITCH), 'runs; a colour for each name', (g) => { g.fillStyle = this.fill[m.meta.rows[0] || 0]; box(g, 0, 18); }],
			[m.rows.some((r) => r.preempted), 'line at its end: preempted', (g) => { g.fillStyle = this.fill[m.meta.rows[0] || 0]; box(g, 0, 18); g.fillStyle = this.c.text; box(g, 16, 2); }],
			[m.switches.delay.some((d) => d), 'could run, had no CPU', (g) => { g.strokeStyle = this.c.soft; g.strokeRect(.5, 2.5, 17, 7); }],
			[m.wake.some((w) => w >= 0), 'who woke it (zoomed in)', (g) => { g.strokeStyle = g.fillStyle = this.c.focus; g.beginPath(); g.moveTo(0, 2); g.lineTo(17, 10); g.stroke();
				g.beginPath(); g.moveTo(18, 11); g.lineTo(11, 10.5); g.lineTo(14, 5.5); g.fill(); }],
			[has(CALL), 'system calls', (g) => { g.fillStyle = this.c.call; g.fillRect(0, 3, 18, CALLS); }],
			[has(SAMPLE), 'samples', (g) => { g.fillStyle = this.c.sample; for (const x of [2, 7, 12, 15]) g.fillRect(x, 3, 1, 7); }],
			[has(TICK), 'other events', (g) => { g.fillStyle = this.c.focus; for (const x of [2, 7, 12, 15]) g.fillRect(x, 3, 1, 7); }],
			[m.gaps.length, 'events were lost', (g) => hatch(g, 0, 1, 18, 10, this.c.text)],
		];
		return rows.filter((r) => r[0]).map((r) => [r[1], r[2]]);
	}
	// The number tells tasks apart, so it is the name that is cut.
	fitting(row) {
		const g = this.g, room = this.label - 12, tid = row.kind === 'task' ? row.name.lastIndexOf('[') : -1;
		if (tid < 0 || g.measureText(row.name).width <= room)
			return row.name;
		const end = `…[${this.model.tasks[row.id].tid}]`;
		let n = Math.min(tid, Math.floor(tid * room / g.measureText(row.name).width) + 4);
		while (n > 1 && g.measureText(row.name.slice(0, n) + end).width > room)
			n--;
		return row.name.slice(0, n) + end;
	}
	labels(first, end) {
		const g = this.g;
		g.fillStyle = this.c.panel;
		g.fillRect(0, AXIS, this.label, this.height);
		g.save();
		g.beginPath();
		g.rect(0, AXIS, this.label - 4, this.height);
		g.clip();
		for (let k = first; k < end; k++) {
			g.fillStyle = this.c.text;
			g.fillText(this.fitting(this.model.rows[k]), 6, this.rowTop(k) + ROW / 2);
		}
		g.restore();
		g.fillStyle = this.c.line;
		g.fillRect(this.label - 1, AXIS, 1, this.height);
	}
	axis() {
		const g = this.g, span = this.to - this.from, rough = span / Math.max(2, (this.width - this.label) / 110);
		const power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((v) => v * power).find((v) => v >= rough);
		g.fillStyle = this.c.panel;
		g.fillRect(0, 0, this.width, AXIS);
		g.fillStyle = this.c.soft;
		for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
			const x = this.x(t);
			g.fillRect(x, AXIS - 6, 1, 6);
			g.fillText(short(t, step), x + 3, AXIS / 2);
		}
		g.fillRect(0, AXIS - 1, this.width, 1);
	}
}

// The first place from k on whose value is more than v.
function gallop(list, k, v) {
	let step = 1;
	while (k + step < list.length && list[k + step] <= v)
		step *= 2;
	let a = k + step / 2 | 0, b = Math.min(k + step, list.length);
	while (a < b) {
		const m = (a + b) >> 1;
		if (list[m] <= v)
			a = m + 1;
		else
			b = m;
	}
	return a;
}

function short(t, step) {
	const [unit, word] = step < 1e3 ? [1e3, 'µs'] : step < 1e6 ? [1e6, 'ms'] : [1e9, 's'];
	return `${(t / unit).toFixed(Math.max(0, Math.round(Math.log10(unit)) - Math.floor(Math.log10(step))))} ${word}`;
}

function hatch(g, x, y, w, h, colour) {
	g.save();
	g.beginPath();
	g.rect(x, y, w, h);
	g.clip();
	g.strokeStyle = colour;
	g.globalAlpha = .5;
	g.strokeRect(x + .5, y + .5, w - 1, h - 1);
	g.beginPath();
	for (let k = -h; k < Math.min(w, 5000); k += 6) {
		g.moveTo(x + k, y + h);
		g.lineTo(x + k + h, y);
	}
	g.stroke();
	g.restore();
}
