// SPDX-License-Identifier: GPL-2.0-or-later
// What a flame graph as SVG can do beyond being looked at: zoom, search, and both in the address.
(function () {
	'use strict';
	const frames = document.getElementById('frames');
	const side = Number(frames.dataset.side), font = Number(frames.dataset.font);
	const svg = document.documentElement;
	const inner = Number(svg.getAttribute('width')) - 2 * side;
	const say = (id, text) => { document.getElementById(id).textContent = text; };
	const show = (id, on) => document.getElementById(id).classList.toggle('hidden', !on);

	const all = Array.from(frames.children, (g) => {
		const rect = g.querySelector('rect');
		const title = g.querySelector('title').textContent;
		return {
			g, rect, text: g.querySelector('text'), title, name: title.replace(/ \([^(]*\)$/, ''),
			x: Number(rect.getAttribute('x')), w: Number(rect.getAttribute('width')), y: Number(rect.getAttribute('y')),
		};
	});
	const byElement = new Map(all.map((f) => [f.g, f]));
	const state = { zoom: all[0], search: '' };
	const root = all[0];
	const whole = document.getElementById('details').textContent; // how much it is
	const EPSILON = 0.006;

	function label(f, w) {
		const room = Math.floor((w - 6) / font);
		f.text.textContent = room < 3 ? '' : f.name.length <= room ? f.name : f.name.slice(0, room - 2) + '..';
	}

	function place(f, x, w) {
		f.rect.setAttribute('x', x);
		f.rect.setAttribute('width', Math.max(w, 0));
		f.text.setAttribute('x', x + 3);
		label(f, w);
	}

	// Callers take the whole width, what is beside goes.
	function zoom(to) {
		const scale = inner / to.w;
		for (const f of all) {
			const inside = f.x >= to.x - EPSILON && f.x + f.w <= to.x + to.w + EPSILON;
			const around = f.x <= to.x + EPSILON && f.x + f.w >= to.x + to.w - EPSILON;
			const above = around && f !== to && (root.y > all[all.length - 1].y ? f.y > to.y : f.y < to.y);
			f.g.classList.toggle('hidden', !inside && !above);
			f.g.classList.toggle('above', above && to !== root);
			if (above)
				place(f, side, inner);
			else if (inside)
				place(f, side + (f.x - to.x) * scale, f.w * scale);
		}
		state.zoom = to;
		show('unzoom', to !== root);
		search(state.search);
	}

	// A share of what is shown; what lies in another match is not counted again.
	function search(text) {
		let re = null, share = 0, end = -1;
		state.search = text;
		try {
			re = text ? new RegExp(text) : null;
		} catch {
			say('matched', 'not a regular expression');
			return;
		}
		const to = state.zoom, hits = [];
		for (const f of all) {
			const found = re && re.test(f.name);
			f.g.classList.toggle('found', Boolean(found));
			if (found && !f.g.classList.contains('hidden') && !f.g.classList.contains('above'))
				hits.push(f);
		}
		hits.sort((a, b) => a.x - b.x || b.w - a.w);
		for (const f of hits) {
			if (f.x + f.w <= end + EPSILON)
				continue;
			share += f.w;
			end = f.x + f.w;
		}
		say('matched', re ? 'Matched: ' + (share * 100 / to.w).toFixed(1) + '%' : ' ');
		say('search', re ? 'Reset search' : 'Search');
		remember();
	}

	function remember() {
		const words = new URLSearchParams();
		if (state.zoom !== root)
			words.set('z', all.indexOf(state.zoom));
		if (state.search)
			words.set('s', state.search);
		if (location.hash.slice(1) !== words.toString())
			history.replaceState(null, '', '#' + words);
	}

	function ask() {
		if (state.search) {
			search('');
			return;
		}
		const text = prompt('Functions that match (regular expression):', '');
		if (text)
			search(text);
	}

	function frameOf(event) {
		const g = event.target.closest && event.target.closest('#frames > g');
		return g && byElement.get(g);
	}

	frames.addEventListener('click', (e) => { const f = frameOf(e); if (f) zoom(f); });
	frames.addEventListener('mouseover', (e) => { const f = frameOf(e); if (f) say('details', f.title); });
	frames.addEventListener('focusin', (e) => { const f = frameOf(e); if (f) say('details', f.title); });
	frames.addEventListener('mouseout', () => say('details', whole));
	document.getElementById('unzoom').addEventListener('click', () => zoom(root));
	document.getElementById('search').addEventListener('click', ask);
	window.addEventListener('keydown', (e) => {
		if (e.key === '/' || (e.key === 'f' && (e.ctrlKey || e.metaKey))) {
			e.preventDefault();
			ask();
		} else if (e.key === 'Escape') {
			zoom(root);
		} else if (e.key === 'Enter' && frameOf(e)) {
			zoom(frameOf(e));
		}
	});
	for (const f of all)
		f.g.setAttribute('tabindex', '0');
	const words = new URLSearchParams(location.hash.slice(1));
	state.search = words.get('s') || '';
	zoom(all[Number(words.get('z'))] || root);
	if (frames.dataset.floor) // what it stands on is at the bottom of a picture that is higher than the window
		window.scrollTo(0, Number(svg.getAttribute('height')));
}());
