// SPDX-License-Identifier: GPL-2.0-or-later
// node trace_processor.mjs FOLDER TRACE SQL...: runs Perfetto's own trace_processor (WASM, in FOLDER) on a trace and prints the
// rows of each query, columns parted by '|', queries by a line "--". Exit 1 when it refuses the trace or a query.
// The program is made for a browser's worker: it is handed its code, told to use 32-bit memory, and asked for its bridge.
import fs from 'node:fs'
import path from 'node:path'
import url from 'node:url'
import vm from 'node:vm'

const [folder, trace, ...queries] = process.argv.slice(2)
const at = (name) => path.join(folder, name)
const replaced = (text, from, to) => {
	if (!text.includes(from)) throw new Error('this trace_processor is another one: no ' + from)
	return text.replace(from, to)
}
globalThis.self = globalThis
globalThis.WorkerGlobalScope = function () {}
Object.defineProperty(globalThis, 'location', { value: { href: url.pathToFileURL(folder).href + '/' }, configurable: true })
globalThis.wasmCode = new Uint8Array(fs.readFileSync(at('trace_processor.wasm')))
let glue = fs.readFileSync(at('engine_bundle.node.js'), 'utf8')
glue = replaced(glue, 'this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;')
glue = replaced(glue, 'locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.wasmCode,')
glue = replaced(glue, 'const wasmBridge = new wasm_bridge_1.WasmBridge();',
	'const wasmBridge = globalThis.bridge = new wasm_bridge_1.WasmBridge();')
console.warn = () => {}
vm.runInThisContext(glue)

const { EngineBase } = await import(url.pathToFileURL(at('engine.mjs')).href)
const channel = new MessageChannel()
class Engine extends EngineBase {
	mode = 'WASM'
	id = 'test'
	rpcSendRequestBytes(data) { channel.port2.postMessage(data) }
}
const engine = new Engine()
channel.port2.onmessage = (m) => engine.onRpcResponseBytes(m.data)
globalThis.bridge.initialize(channel.port1)
const code = await run().catch((e) => { console.error(String(e && e.message || e)); return 1 })
process.exit(code)

async function run() {
	const bytes = new Uint8Array(fs.readFileSync(trace)), part = 16 << 20
	for (let i = 0; i < bytes.length; i += part) await engine.parse(bytes.subarray(i, i + part))
	await engine.notifyEof()
	for (const [i, sql] of queries.entries()) {
		if (i) console.log('--')
		const result = await engine.query(sql)
		if (result.error()) throw new Error(result.error())
		const columns = result.columns()
		for (const row = result.iter({}); row.valid(); row.next()) console.log(columns.map((c) => row.get(c)).join('|'))
	}
	return 0
}
