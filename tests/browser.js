// SPDX-License-Identifier: GPL-2.0-or-later
// A headless Chromium for tests of pages, driven over its remote protocol (a pipe: no port, no library).
//
//	const { browse } = require(process.env.TOP + '/tests/browser.js');
//	browse(async (b) => {
//		const page = await b.open('file:///tmp/x.html', { width: 1200, height: 800, dark: true });
//		await page.until('document.documentElement.dataset.ready');
//		await page.key('i'); await page.click(100, 200); await page.type('text');
//		const v = await page.eval('flame.state.zoom');
//		await page.shot('x.png');
//		page.clean();          no request but the page itself, no error and no warning on the console
//	});
//
// Whatever is thrown ends the process with 1 and its words on standard error.
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const PATIENCE = 60000 * Number(process.env.PATIENCE || 1);

class Pipe {
	constructor(out, input) {
		this.out = out;
		this.calls = new Map();
		this.listeners = [];
		this.id = 0;
		let rest = [];
		input.on('data', (block) => {
			for (let end; (end = block.indexOf(0)) >= 0; block = block.subarray(end + 1)) {
				this.take(JSON.parse(Buffer.concat([...rest, block.subarray(0, end)]).toString()));
				rest = [];
			}
			rest.push(block);
		});
	}
	take(m) {
		const call = m.id && this.calls.get(m.id);
		if (call) {
			this.calls.delete(m.id);
			if (m.error)
				call.no(new Error(`${call.method}: ${m.error.message}`));
			else
				call.yes(m.result);
		} else {
			this.listeners.forEach((l) => l(m));
		}
	}
	call(method, params = {}, sessionId = undefined) {
		const id = ++this.id;
		this.out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
		return new Promise((yes, no) => { this.calls.set(id, { yes, no, method }); });
	}
}

const KEYS = { Enter: 13, Escape: 27, ' ': 32, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9 };

class Page {
	constructor(pipe, session, url) {
		Object.assign(this, { pipe, session, url, errors: [], requests: [] });
	}
	call(method, params) {
		return this.pipe.call(method, params, this.session);
	}
	hear(m) {
		const p = m.params;
		if (m.method === 'Runtime.exceptionThrown')
			this.errors.push(p.exceptionDetails.exception ? p.exceptionDetails.exception.description : p.exceptionDetails.text);
		else if (m.method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(p.type))
			this.errors.push(p.args.map((a) => a.value || a.description).join(' '));
		else if (m.method === 'Log.entryAdded' && ['error', 'warning'].includes(p.entry.level))
			this.errors.push(`${p.entry.text} ${p.entry.url || ''}`);
		else if (m.method === 'Network.requestWillBeSent')
			this.requests.push(p.request.url);
	}
	async eval(expression) {
		const r = await this.call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
		if (r.exceptionDetails)
			throw new Error(`${expression}: ${(r.exceptionDetails.exception || {}).description || r.exceptionDetails.text}`);
		return r.result.value;
	}
	async until(expression) {
		for (const end = Date.now() + PATIENCE; Date.now() < end;) {
			if (await this.eval(`Boolean(${expression})`))
				return;
			await new Promise((yes) => { setTimeout(yes, 30); });
		}
		throw new Error(`never came true: ${expression}; errors: ${this.errors.join('; ')}`);
	}
	// Until what was asked for is drawn.
	// (Only the page in front is drawn: close those opened after it, and call front().)
	async drawn() {
		await this.eval('new Promise((yes) => requestAnimationFrame(() => requestAnimationFrame(yes)))');
	}
	async key(key, modifiers = 0) {
		const text = key.length === 1 && !modifiers ? key : key === 'Enter' ? '\r' : undefined;
		const code = KEYS[key] || key.toUpperCase().charCodeAt(0);
		await this.call('Input.dispatchKeyEvent', { type: 'keyDown', key, text, modifiers, windowsVirtualKeyCode: code });
		await this.call('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers, windowsVirtualKeyCode: code });
		await this.drawn();
	}
	async type(text) {
		await this.call('Input.insertText', { text });
		await this.drawn();
	}
	mouse(type, x, y, more = {}) {
		return this.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1, ...more });
	}
	async click(x, y) {
		await this.mouse('mouseMoved', x, y, { button: 'none' });
		await this.mouse('mousePressed', x, y);
		await this.mouse('mouseReleased', x, y);
		await this.drawn();
	}
	async drag(x, y, tox, toy) {
		await this.mouse('mouseMoved', x, y, { button: 'none' });
		await this.mouse('mousePressed', x, y);
		for (let i = 1; i <= 4; i++)
			await this.mouse('mouseMoved', x + (tox - x) * i / 4, y + (toy - y) * i / 4, { buttons: 1 });
		await this.mouse('mouseReleased', tox, toy);
		await this.drawn();
	}
	async wheel(x, y, deltaY) {
		await this.call('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY });
		await this.drawn();
	}
	async shot(file) {
		const r = await this.call('Page.captureScreenshot', { format: 'png' });
		fs.writeFileSync(file, Buffer.from(r.data, 'base64'));
	}
	clean() {
		const others = this.requests.filter((u) => u.split('#')[0] !== this.url.split('#')[0] && !u.startsWith('data:'));
		if (others.length)
			throw new Error(`the page asked for ${others.join(', ')}`);
		if (this.errors.length)
			throw new Error(`errors on the console: ${this.errors.join('; ')}`);
	}
	close() {
		return this.pipe.call('Target.closeTarget', { targetId: this.target });
	}
	front() {
		return this.call('Page.bringToFront');
	}
}

class Browser {
	constructor(pipe) {
		this.pipe = pipe;
		this.pages = new Map();
		pipe.listeners.push((m) => { const page = this.pages.get(m.sessionId); if (page) page.hear(m); });
	}
	async open(url, { width = 1200, height = 800, dark = false, mobile = false } = {}) {
		const { targetId } = await this.pipe.call('Target.createTarget', { url: 'about:blank' });
		const { sessionId } = await this.pipe.call('Target.attachToTarget', { targetId, flatten: true });
		const page = new Page(this.pipe, sessionId, url);
		page.target = targetId;
		this.pages.set(sessionId, page);
		for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
			await page.call(`${domain}.enable`);
		await page.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
		await page.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
		const r = await page.call('Page.navigate', { url });
		if (r.errorText)
			throw new Error(`${url}: ${r.errorText}`);
		await page.until('document.readyState === "complete"');
		return page;
	}
}

// Its helpers end a little later than it does, and may write until then.
async function removed(folder) {
	for (let i = 0; i < 100 && fs.existsSync(folder); i++) {
		try {
			fs.rmSync(folder, { recursive: true, force: true });
		} catch {
			await new Promise((yes) => { setTimeout(yes, 100); });
		}
	}
}

async function browse(act) {
	const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'sonde-chromium-'));
	const child = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage',
		'--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions', '--mute-audio',
		'--force-color-profile=srgb', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${profile}`,
		...(process.env.CHROMIUM_FLAGS || '').split(' ').filter(Boolean)],
	{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
	const gone = new Promise((yes) => { child.on('exit', yes); });
	const died = new Promise((_, no) => {
		child.on('error', no);
		child.on('exit', () => no(new Error('chromium ended')));
	});
	died.catch(() => {});
	const late = new Promise((_, no) => { setTimeout(() => no(new Error('nothing came of it')), 2 * PATIENCE); });
	late.catch(() => {});
	let code = 0;
	try {
		child.stdio[3].on('error', () => {});
		await Promise.race([act(new Browser(new Pipe(child.stdio[3], child.stdio[4]))), died, late]);
	} catch (e) {
		console.error(e.stack || e);
		code = 1;
	}
	child.kill('SIGKILL');
	await gone;
	await removed(profile);
	process.exit(code);
}

module.exports = { browse };
