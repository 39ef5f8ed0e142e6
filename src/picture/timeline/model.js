// SPDX-License-Identifier: GPL-2.0-or-later
// The events of the page: unpacked from their columns (picture/timeline/timeline.h), then joined to rows of slices.
'use strict';
const SWITCH = 0, WAKEUP = 1, MIGRATE = 2, LOST = 3, TICK = 4, SAMPLE = 5, CALL = 6;
const COLUMNS = ['time', 'kind', 'cpu', 'task', 'next', 'prio', 'state', 'run', 'delay', 'wait', 'doubt', 'other', 'from', 'to', 'amount', 'text'];
const TEXT_BLOCK = 1 << 20;

async function unpack(id) {
	const element = document.getElementById(id), packed = atob(element.textContent);
	const bytes = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++)
		bytes[i] = packed.charCodeAt(i);
	element.remove();
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Numbers of seven bits a byte, the lowest first.
class Column {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}
	next() {
		const b = this.bytes;
		let v = b[this.at++];
		if (v < 128)
			return v;
		v &= 127;
		for (let scale = 128; ; scale *= 128) {
			const byte = b[this.at++];
			v += (byte & 127) * scale;
			if (!(byte >= 128))
				return v;
		}
	}
}

class Model {
	async load() {
		this.meta = JSON.parse(document.getElementById('meta').textContent);
		const m = this.meta, n = m.events;
		this.n = n;
		this.first = BigInt(m.first);
		this.span = Math.max(m.span, 1);
		this.tasks = m.tasks.map((t) => ({ tid: t[0], pid: t[1], name: t[2], runs: t[3], run: t[4], delay: t[5], drawn: t[6] }));
		this.time = new Float64Array(n);
		this.kind = new Uint16Array(n);
		this.cpu = new Int16Array(n);
		this.task = new Uint32Array(n);
		this.other = new Uint32Array(n); // of a switch who comes
		this.at = new Uint32Array(n); // where it is in the arrays of its type
		this.length = new Float64Array(n); // a run, a call, a gap
		this.wake = new Int32Array(n).fill(-1); // of a switch: the event that had woken who leaves
		this.types = m.kinds.map((k) => k[1]);
		this.switches = { prio: [], nextPrio: [], state: [], delay: [], wait: [], doubt: [] };
		this.moves = { prio: [], from: [], to: [] }; // of wakeups, too
		this.amounts = []; // of losses
		this.weights = []; // of samples, as texts have them
		this.texts = { block: [], start: [], size: [] };
		this.blocks = new Array(m.blocks).fill(null);
		const c = {};
		for (let i = 0; i < COLUMNS.length; i++)
			c[COLUMNS[i]] = new Column(await unpack(`column${i}`));
		this.read(c);
		this.join();
	}
	read(c) {
		let now = 0, block = 0, offset = 0;
		for (let i = 0; i < this.n; i++) {
			this.time[i] = now += c.time.next();
			const type = this.types[this.kind[i] = c.kind.next()];
			this.cpu[i] = c.cpu.next() - 1;
			this.task[i] = c.task.next();
			if (type === SWITCH) {
				const s = this.switches;
				this.at[i] = s.prio.length;
				this.other[i] = c.next.next();
				s.prio.push(c.prio.next() - 1);
				s.nextPrio.push(c.prio.next() - 1);
				s.state.push(c.state.next());
				this.length[i] = c.run.next();
				s.delay.push(c.delay.next());
				s.wait.push(c.wait.next());
				s.doubt.push(c.doubt.next());
			} else if (type === WAKEUP || type === MIGRATE) {
				this.other[i] = c.other.next();
				this.at[i] = this.moves.prio.push(c.prio.next() - 1) - 1;
				this.moves.to.push(c.to.next() - 1);
				this.moves.from.push(type === MIGRATE ? c.from.next() - 1 : -1);
			} else if (type === LOST) {
				this.at[i] = this.amounts.push(c.amount.next()) - 1;
				this.length[i] = c.amount.next();
			} else {
				if (type === CALL)
					this.length[i] = c.amount.next();
				this.weights.push(type === SAMPLE ? c.amount.next() : 0);
				const size = c.text.next();
				if (offset + size > TEXT_BLOCK) {
					block++;
					offset = 0;
				}
				this.at[i] = this.texts.size.push(size) - 1;
				this.texts.block.push(block);
				this.texts.start.push(offset);
				offset += size;
			}
		}
	}
	type(i) {
		return this.types[this.kind[i]];
	}
	// ---- rows ----
	join() {
		const rows = [];
		const cpus = [], byTask = new Map();
		for (let i = 0; i < this.meta.cpus; i++)
			if (!this.meta.only || this.meta.only.includes(i))
				rows.push(cpus[i] = new Row(this, `CPU ${i}`, 'cpu', i));
		for (const t of this.meta.rows) {
			const row = new Row(this, this.taskName(t), 'task', t);
			byTask.set(t, row);
			rows.push(row);
		}
		const woken = new Int32Array(this.tasks.length).fill(-1);
		const came = new Int32Array(this.meta.cpus).fill(-1), last = new Int32Array(this.meta.cpus).fill(-1);
		this.gaps = [];
		for (let i = 0; i < this.n; i++) {
			const type = this.type(i), cpu = cpus[this.cpu[i]], row = byTask.get(this.task[i]);
			if (type === SWITCH && !cpu)
				continue; // the file does not tell where
			if (type === SWITCH) {
				this.wake[i] = came[this.cpu[i]];
				came[this.cpu[i]] = woken[this.other[i]];
				woken[this.other[i]] = -1;
				last[this.cpu[i]] = i;
				if (this.task[i] && this.length[i] && this.tasks[this.task[i]].drawn) {
					cpu.slice(this.time[i] - this.length[i], this.time[i], this.task[i], i);
					cpu.preempted ||= this.switches.state[this.at[i]] === 'R'.charCodeAt(0);
					if (row)
						row.slice(this.time[i] - this.length[i], this.time[i], this.task[i], i);
				}
				continue;
			}
			if (type === WAKEUP && woken[this.other[i]] < 0)
				woken[this.other[i]] = i;
			if (type === LOST)
				this.gaps.push({ cpu: this.cpu[i], from: this.time[i] - this.length[i], to: this.time[i], event: i });
			if (type === CALL) {
				if (row)
					row.call(this.time[i] - this.length[i], this.time[i], i);
			} else if (type === TICK || type === SAMPLE) {
				if (cpu)
					cpu.tick(this.time[i], i);
				if (row)
					row.tick(this.time[i], i);
			}
		}
		last.forEach((i, c) => { // who runs still
			if (i < 0 || !this.other[i] || !this.tasks[this.other[i]].drawn)
				return;
			cpus[c].slice(this.time[i], this.span, this.other[i], i);
			const row = byTask.get(this.other[i]);
			if (row)
				row.slice(this.time[i], this.span, this.other[i], i);
		});
		this.rows = rows;
		this.rowOfTask = byTask;
		this.rowOfCpu = cpus;
		rows.forEach((r) => r.seal());
	}
	// The first event at or after that time.
	find(time) {
		let a = 0, b = this.n;
		while (a < b) {
			const m = (a + b) >> 1;
			if (this.time[m] < time)
				a = m + 1;
			else
				b = m;
		}
		return a;
	}
	// ---- words ----
	taskName(t) {
		const k = this.tasks[t];
		return k.tid ? `${k.name}[${k.tid}${k.pid > 0 && k.pid !== k.tid ? `/${k.pid}` : ''}]` : '<idle>';
	}
	kindName(i) {
		return this.meta.kinds[this.kind[i]][0];
	}
	async loadBlock(b) {
		if (!this.blocks[b])
			this.blocks[b] = unpack(`block${b}`);
		this.blocks[b] = await this.blocks[b];
	}
	async loadText(i) {
		if (this.type(i) >= TICK && this.texts.size[this.at[i]])
			await this.loadBlock(this.texts.block[this.at[i]]);
	}
	// What an event says, but for its time, CPU and task; "…" while its block is packed.
	text(i) {
		const type = this.type(i), at = this.at[i];
		if (type === SWITCH) {
			const s = this.switches;
			return `${this.taskName(this.task[i])} [${s.prio[at]}] ${String.fromCharCode(s.state[at])} ==> ${this.taskName(this.other[i])}`;
		}
		if (type === WAKEUP)
			return `wakes ${this.taskName(this.other[i])}`;
		if (type === MIGRATE)
			return `moves ${this.taskName(this.other[i])} from CPU ${this.moves.from[at]} to ${this.moves.to[at]}`;
		if (type === LOST)
			return `${this.amounts[at]} events were lost`;
		const block = this.blocks[this.texts.block[at]];
		if (!this.texts.size[at])
			return '';
		if (!(block instanceof Uint8Array))
			return '…';
		return decoder.decode(block.subarray(this.texts.start[at], this.texts.start[at] + this.texts.size[at]));
	}
	fields(i) {
		const type = this.type(i), at = this.at[i], list = [];
		list.push(['event', this.kindName(i)], ['time', absolute(this, this.time[i])], ['CPU', this.cpu[i] < 0 ? 'not known' : String(this.cpu[i])],
			['task', this.taskName(this.task[i])]);
		if (type === SWITCH) {
			const s = this.switches, state = String.fromCharCode(s.state[at]);
			list.push(['priority', String(s.prio[at])], ['ended', `${state}: ${STATES[state] || 'another state'}`],
				['ran', duration(this.length[i])], ['waited before', duration(s.wait[at])], ['of that delay', duration(s.delay[at])],
				['next', this.taskName(this.other[i])], ['its priority', String(s.nextPrio[at])]);
			if (this.wake[i] >= 0)
				list.push(['woken by', `${this.taskName(this.task[this.wake[i]])} at ${absolute(this, this.time[this.wake[i]])}`]);
			if (s.doubt[at])
				list.push(['doubtful', 'events were lost meanwhile: these times may be wrong']);
		} else if (type === CALL) {
			list.push(['took', duration(this.length[i])]);
		} else if (type === SAMPLE) {
			list.push(['weight', this.weights[at].toLocaleString('en')], ['stack', this.text(i)]);
			return list;
		} else if (type === WAKEUP) {
			list.push(['wakes', this.taskName(this.other[i])], ['priority', String(this.moves.prio[at])]);
			if (this.moves.to[at] >= 0)
				list.push(['to run on', `CPU ${this.moves.to[at]}`]);
			return list;
		} else if (type === MIGRATE) {
			list.push(['moves', this.taskName(this.other[i])], ['priority', String(this.moves.prio[at])], ['from', `CPU ${this.moves.from[at]}`],
				['to', `CPU ${this.moves.to[at]}`]);
			return list;
		}
		const text = this.text(i);
		if (type >= TICK)
			fieldsOfText(text).forEach((f) => list.push(f));
		else if (type === LOST)
			list.push(['what', text]);
		return list;
	}
	// How long each task ran in that range, how often, and its delays that ended there.
	sums(from, to) {
		const sums = new Map();
		for (const r of this.rows.filter((row) => row.kind === 'cpu')) {
			for (let k = r.firstAt(from); k < r.n && r.start[k] < to; k++) {
				const t = r.task[k];
				if (!sums.has(t))
					sums.set(t, { task: t, run: 0, runs: 0, delay: 0, longest: 0 });
				const s = sums.get(t), i = r.event[k];
				s.run += Math.min(r.end[k], to) - Math.max(r.start[k], from);
				s.runs++;
				if (this.task[i] === t && r.start[k] >= from) {
					const d = this.switches.delay[this.at[i]];
					s.delay += d;
					s.longest = Math.max(s.longest, d);
				}
			}
		}
		return [...sums.values()].sort((a, b) => b.run - a.run);
	}
}

const decoder = new TextDecoder();
const STATES = { R: 'could run on (preempted)', S: 'sleeps', D: 'waits for a device', T: 'was stopped', t: 'is traced', X: 'has ended', Z: 'has ended', I: 'idle', P: 'parked' };

// "name=value name=value", or the text as it is
function fieldsOfText(text) {
	const parts = [...text.matchAll(/(?:^|[ ,])([A-Za-z_][A-Za-z_0-9]*)[=:] ?(?=\S)/g)];
	if (parts.length < 2 || parts[0].index)
		return [['fields', text]];
	return parts.map((p, k) => [p[1], text.slice(p.index + p[0].length, k + 1 < parts.length ? parts[k + 1].index : undefined).trim()]);
}

const FAN = 16;
class Row {
	constructor(model, name, kind, id) {
		Object.assign(this, { model, name, kind, id, n: 0, slices: [], ticks: [], calls: [] });
	}
	slice(start, end, task, event) {
		this.slices.push(start, end, task, event);
	}
	tick(time, event) {
		this.ticks.push(time, event);
	}
	call(start, end, event) {
		this.calls.push(start, end, event);
	}
	// Levels of detail: sums of the time that slices cover up to each one, and the longest of each 16, of each 256, ... of them.
	seal() {
		const n = this.n = this.slices.length / 4;
		this.start = new Float64Array(n);
		this.end = new Float64Array(n);
		this.task = new Uint32Array(n);
		this.event = new Int32Array(n);
		this.sum = new Float64Array(n + 1);
		for (let k = 0; k < n; k++) {
			this.start[k] = Math.max(this.slices[k * 4], k ? this.end[k - 1] : 0);
			this.end[k] = Math.max(this.slices[k * 4 + 1], this.start[k]);
			this.task[k] = this.slices[k * 4 + 2];
			this.event[k] = this.slices[k * 4 + 3];
			this.sum[k + 1] = this.sum[k] + this.end[k] - this.start[k];
		}
		this.levels = [];
		for (let below = null, size = n; size > FAN; below = this.levels[this.levels.length - 1]) {
			const count = below ? below.length : n, level = new Int32Array(Math.ceil(count / FAN));
			for (let k = 0; k < level.length; k++) {
				let best = below ? below[k * FAN] : k * FAN;
				for (let j = k * FAN + 1; j < Math.min(count, (k + 1) * FAN); j++)
					best = this.longer(best, below ? below[j] : j);
				level[k] = best;
			}
			this.levels.push(level);
			size = level.length;
		}
		const t = this.ticks.length / 2, c = this.calls.length / 3;
		this.tickTime = Float64Array.from({ length: t }, (_, k) => this.ticks[k * 2]);
		this.tickEvent = Int32Array.from({ length: t }, (_, k) => this.ticks[k * 2 + 1]);
		this.callStart = Float64Array.from({ length: c }, (_, k) => this.calls[k * 3]);
		this.callEnd = Float64Array.from({ length: c }, (_, k) => this.calls[k * 3 + 1]);
		this.callEvent = Int32Array.from({ length: c }, (_, k) => this.calls[k * 3 + 2]);
		this.slices = this.ticks = this.calls = null;
	}
	longer(a, b) {
		return this.end[b] - this.start[b] > this.end[a] - this.start[a] ? b : a;
	}
	// The longest of the slices from a to before b.
	longest(a, b) {
		let best = a;
		for (let k = a; k < b;) {
			let step = 1, level = -1;
			while (level + 1 < this.levels.length && k % (step * FAN) === 0 && k + step * FAN <= b) {
				step *= FAN;
				level++;
			}
			best = this.longer(best, level < 0 ? k : this.levels[level][k / step]);
			k += step;
		}
		return best;
	}
	// The first slice that ends behind that time.
	firstAt(time) {
		return lower(this.end, time, true);
	}
	// How much of [from, to] is covered, k being firstAt(from) and e firstAt(to).
	covered(from, to, k, e) {
		let v = this.sum[Math.min(e + 1, this.n)] - this.sum[k];
		if (k < this.n && this.start[k] < from)
			v -= from - this.start[k];
		if (e < this.n)
			v -= this.end[e] - Math.max(this.start[e], Math.min(to, this.end[e]));
		return v;
	}
}

// The first place whose value is not less (above: is more) than v.
function lower(list, v, above = false) {
	let a = 0, b = list.length;
	while (a < b) {
		const m = (a + b) >> 1;
		if (list[m] < v || (above && list[m] === v))
			a = m + 1;
		else
			b = m;
	}
	return a;
}

// ---- numbers ----

function duration(ns) {
	const size = Math.abs(ns);
	if (size < 1e3)
		return `${Math.round(ns)} ns`;
	if (size < 1e6)
		return `${(ns / 1e3).toFixed(3)} µs`;
	if (size < 1e9)
		return `${(ns / 1e6).toFixed(3)} ms`;
	return `${(ns / 1e9).toFixed(6)} s`;
}

function absolute(model, ns) {
	const t = model.first + BigInt(Math.round(ns));
	return `${t / 1000000000n}.${String(t % 1000000000n).padStart(9, '0')}`;
}
