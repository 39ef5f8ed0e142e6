// SPDX-License-Identifier: GPL-2.0-or-later
// What a flame graph is made of: the data of the page, trees over them, and sums. Nothing here knows of the screen.
//
// A tree is arrays by node, callers before their callees (so that a node's callees are the nodes from the next one up to
// its `end`, and sums go from the last to the first), without recursion: stacks are deep, and there may be a million.
globalThis.flameModel = (() => {
	'use strict';
	const KIND_OTHER = 4;

	class Reader {
		constructor(bytes) {
			this.bytes = bytes;
			this.at = 0;
			this.text = new TextDecoder();
		}
		number() {
			let v = 0, unit = 1, b;
			do {
				if (this.at >= this.bytes.length)
					throw new Error('the data end too early');
				b = this.bytes[this.at++];
				v += (b & 127) * unit;
				unit *= 128;
			} while (b & 128);
			return v;
		}
		column(n, Type, factor = 1) {
			const out = new Type(n);
			for (let i = 0; i < n; i++)
				out[i] = this.number() * factor;
			return out;
		}
		string() {
			const n = this.number();
			this.at += n;
			return this.text.decode(this.bytes.subarray(this.at - n, this.at));
		}
	}

	// ---- trees ----

	function endsOf(tree) {
		const { n, parent } = tree;
		tree.end = new Int32Array(n);
		for (let i = n - 1; i >= 0; i--) {
			if (!tree.end[i])
				tree.end[i] = i + 1;
			if (i && tree.end[i] > tree.end[parent[i]])
				tree.end[parent[i]] = tree.end[i];
		}
	}

	// Nodes by depth, left to right within one: what a row of the picture shows.
	function levelsOf(tree) {
		const { n, depth } = tree;
		let deepest = 0;
		for (let i = 0; i < n; i++)
			if (depth[i] > deepest)
				deepest = depth[i];
		const start = new Int32Array(deepest + 2), order = new Int32Array(n);
		for (let i = 0; i < n; i++)
			start[depth[i] + 1]++;
		for (let d = 0; d <= deepest; d++)
			start[d + 1] += start[d];
		const next = start.slice();
		for (let i = 0; i < n; i++)
			order[next[depth[i]]++] = i;
		tree.deepest = deepest;
		tree.levels = { start, order };
	}

	// Totals from self and cut, and where each node begins.
	function weigh(tree) {
		const { n, parent, self, cut } = tree;
		const total = tree.total || new Float64Array(n), x = tree.x || new Float64Array(n), next = new Float64Array(n);
		for (let i = 0; i < n; i++)
			total[i] = self[i] + cut[i];
		for (let i = n - 1; i > 0; i--)
			total[parent[i]] += total[i];
		x[0] = 0;
		for (let i = 1; i < n; i++) {
			const p = parent[i];
			x[i] = next[p];
			next[p] += total[i];
			next[i] = x[i];
		}
		tree.total = total;
		tree.x = x;
	}

	function finish(tree) {
		endsOf(tree);
		levelsOf(tree);
		weigh(tree);
		return tree;
	}

	// ---- the data of the page ----

	function readNodes(r, meta) {
		const n = r.number(), factor = meta.divisor;
		const parent = new Int32Array(n), depth = new Int32Array(n), path = [0];
		for (let i = 1; i < n; i++) {
			depth[i] = depth[i - 1] + 1 - r.number();
			parent[i] = path[depth[i] - 1];
			path[depth[i]] = i;
		}
		const tree = { n, parent, depth, frame: r.column(n, Int32Array) };
		tree.self = meta.rows ? new Float64Array(n) : r.column(n, Float64Array, factor);
		tree.cut = meta.rows ? new Float64Array(n) : r.column(n, Float64Array, factor);
		if (meta.compared) {
			tree.beforeSelf = r.column(n, Float64Array, factor);
			tree.before = r.column(n, Float64Array, factor);
		}
		return tree;
	}

	function readRows(r, meta) {
		const threads = Array.from({ length: r.number() }, () => ({ pid: r.number() - 1, tid: r.number() - 1, comm: r.string() }));
		const n = r.number(), node = new Int32Array(n);
		for (let i = 0, last = 0; i < n; i++)
			node[i] = last += r.number();
		const thread = r.column(n, Int32Array), cut = new Uint8Array(n);
		for (let i = 0; i < n; i++) {
			cut[i] = thread[i] & 1;
			thread[i] >>= 1;
		}
		return { threads, n, node, thread, cut, span: r.column(n, Int32Array), weight: r.column(n, Float64Array, meta.divisor) };
	}

	function readGone(r, meta) {
		return Array.from({ length: r.number() }, () => {
			const weight = r.number() * meta.divisor;
			return { weight, path: Array.from(r.column(r.number(), Int32Array)).reverse() };
		});
	}

	function read(bytes, meta) {
		const r = new Reader(bytes), names = [], kinds = [];
		for (let n = r.number(); n > 0; n--) {
			kinds.push(r.number());
			names.push(r.string());
		}
		const data = { names, kinds, meta, tree: readNodes(r, meta), rows: meta.rows ? readRows(r, meta) : null };
		data.gone = meta.compared ? readGone(r, meta) : [];
		data.cutFrame = names.push('(cut)') - 1;
		kinds.push(KIND_OTHER);
		const order = names.map((_, i) => i).sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : kinds[a] - kinds[b]));
		data.rank = new Int32Array(names.length);
		order.forEach((f, i) => { data.rank[f] = i; });
		if (data.rows)
			select(data, null);
		finish(data.tree);
		return data;
	}

	// Only what `takes` (a function of a row's thread and span) lets through; null: all.
	function select(data, takes) {
		const { rows, tree } = data;
		tree.self.fill(0);
		tree.cut.fill(0);
		for (let i = 0; i < rows.n; i++) {
			if (takes && !takes(rows.thread[i], rows.span[i]))
				continue;
			(rows.cut[i] ? tree.cut : tree.self)[rows.node[i]] += rows.weight[i];
		}
		if (tree.total)
			weigh(tree);
	}

	// Weight by span of time, of the chosen threads.
	function overTime(data, takesThread) {
		const { rows, meta } = data, out = new Float64Array(meta.spans);
		for (let i = 0; i < rows.n; i++)
			if (!takesThread || takesThread(rows.thread[i]))
				out[rows.span[i]] += rows.weight[i];
		return out;
	}

	// ---- trees made of others ----

	// Grows by (parent, frame); put() in drawing order in the end.
	class Trie {
		constructor(data, rootFrame) {
			this.data = data;
			this.parent = [0];
			this.frame = [rootFrame];
			this.self = [0];
			this.cut = [0];
			this.before = [0];
			this.keys = new Float64Array(1 << 12);
			this.nodes = new Int32Array(1 << 12);
		}
		slot(key) {
			const mask = this.nodes.length - 1;
			let i = (Math.imul(key % 4294967291 | 0, 0x9e3779b1) >>> 7) & mask;
			while (this.nodes[i] && this.keys[i] !== key)
				i = (i + 1) & mask;
			return i;
		}
		grow() {
			const { keys, nodes } = this;
			this.keys = new Float64Array(keys.length * 2);
			this.nodes = new Int32Array(nodes.length * 2);
			for (let i = 0; i < nodes.length; i++)
				if (nodes[i]) {
					const k = this.slot(keys[i]);
					this.keys[k] = keys[i];
					this.nodes[k] = nodes[i];
				}
		}
		child(parent, frame) {
			const key = parent * this.data.names.length + frame + 1, i = this.slot(key);
			if (this.nodes[i])
				return this.nodes[i];
			const node = this.parent.push(parent) - 1;
			this.frame.push(frame);
			this.self.push(0);
			this.cut.push(0);
			this.before.push(0);
			this.keys[i] = key;
			this.nodes[i] = node;
			if (node * 2 > this.nodes.length)
				this.grow();
			return node;
		}
		// Callees by name, as the page's own tree has them.
		tree() {
			const n = this.parent.length, { rank } = this.data;
			const child = new Int32Array(n), next = new Int32Array(n);
			const order = Int32Array.from({ length: n - 1 }, (_, i) => i + 1).sort((a, b) => rank[this.frame[b]] - rank[this.frame[a]]);
			for (const i of order) {
				next[i] = child[this.parent[i]];
				child[this.parent[i]] = i;
			}
			const t = { n, parent: new Int32Array(n), frame: new Int32Array(n), depth: new Int32Array(n), self: new Float64Array(n),
				cut: new Float64Array(n), beforeSelf: new Float64Array(n), before: new Float64Array(n) };
			const place = new Int32Array(n);
			for (let i = 0, at = 0; ;) {
				const p = place[this.parent[i]];
				place[i] = at;
				t.parent[at] = p;
				t.frame[at] = this.frame[i];
				t.depth[at] = at ? t.depth[p] + 1 : 0;
				t.self[at] = this.self[i];
				t.cut[at] = this.cut[i];
				t.beforeSelf[at] = t.before[at] = this.before[i];
				at++;
				if (child[i]) {
					i = child[i];
					continue;
				}
				while (i && !next[i])
					i = this.parent[i];
				if (!i)
					break;
				i = next[i];
			}
			for (let i = n - 1; i > 0; i--)
				t.before[t.parent[i]] += t.before[i];
			return finish(t);
		}
	}

	// Callees at the bottom, their callers above.
	function reversed(data) {
		const { tree } = data, trie = new Trie(data, tree.frame[0]);
		const walk = (start, i, weight, before) => {
			let node = start;
			for (; i; i = tree.parent[i])
				node = trie.child(node, tree.frame[i]);
			trie.self[node] += weight;
			trie.before[node] += before;
		};
		for (let i = 0; i < tree.n; i++) {
			if (tree.self[i] || (tree.beforeSelf && tree.beforeSelf[i]))
				walk(0, i, tree.self[i], tree.beforeSelf ? tree.beforeSelf[i] : 0);
			if (tree.cut[i])
				walk(trie.child(0, data.cutFrame), i, tree.cut[i], 0);
		}
		return trie.tree();
	}

	// Where a function is called first: its recursions lie inside.
	function outermost(tree, frame) {
		const out = [];
		for (let i = 0; i < tree.n;) {
			if (tree.frame[i] === frame) {
				out.push(i);
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return out;
	}

	// All that calls it, and all that it calls.
	function sandwich(data, frame) {
		const { tree } = data, callers = new Trie(data, frame), callees = new Trie(data, frame);
		for (const at of outermost(tree, frame)) {
			let node = 0;
			for (let i = tree.parent[at]; i; i = tree.parent[i])
				node = callers.child(node, tree.frame[i]);
			callers.self[node] += tree.total[at];
			callers.before[node] += tree.before ? tree.before[at] : 0;
			const place = new Int32Array(tree.end[at] - at);
			for (let i = at; i < tree.end[at]; i++) {
				node = i === at ? 0 : callees.child(place[tree.parent[i] - at], tree.frame[i]);
				place[i - at] = node;
				callees.self[node] += tree.self[i];
				callees.cut[node] += tree.cut[i];
				callees.before[node] += tree.beforeSelf ? tree.beforeSelf[i] : 0;
			}
		}
		return { callers: callers.tree(), callees: callees.tree() };
	}

	// ---- sums ----

	// Self and total of each function below a node; what recurses counts once.
	function functions(data, tree, top) {
		const n = data.names.length, self = new Float64Array(n), total = new Float64Array(n);
		const beforeSelf = new Float64Array(n), before = new Float64Array(n), inside = new Int32Array(n), open = [];
		for (let i = top; i < tree.end[top]; i++) {
			while (open.length && tree.end[open[open.length - 1]] <= i)
				inside[tree.frame[open.pop()]]--;
			const f = tree.frame[i];
			self[f] += tree.self[i];
			if (tree.before)
				beforeSelf[f] += tree.beforeSelf[i];
			if (!inside[f]++) {
				total[f] += tree.total[i];
				if (tree.before)
					before[f] += tree.before[i];
			}
			open.push(i);
		}
		return { self, total, beforeSelf, before };
	}

	// The weight below a node in frames that match; what lies in another match is not counted again.
	function matched(tree, top, found) {
		let sum = 0;
		for (let i = top; i < tree.end[top];) {
			if (found[tree.frame[i]]) {
				sum += tree.total[i];
				i = tree.end[i];
			} else {
				i++;
			}
		}
		return sum;
	}

	function deepestBelow(tree, top) {
		let deepest = 0;
		for (let i = top; i < tree.end[top]; i++)
			if (tree.depth[i] > deepest && tree.total[i] > 0)
				deepest = tree.depth[i];
		return deepest;
	}

	return { read, select, overTime, reversed, sandwich, functions, matched, deepestBelow };
})();
