# SPDX-License-Identifier: GPL-2.0-or-later
# The page of sonde timeline, in Chromium: no request, no error on the console; slices, sums, search, zoom, markers, keyboard,
# hostile names, system calls, lost events; its sums are those of sched timehist.
# needs: chromium node python3
# timeout: 240
[ "$(id -u)" = 0 ] || skip "needs root"
# programs with hostile names
cat >hostile.py <<'P'
import ctypes, time, sys
libc = ctypes.CDLL(None)
libc.prctl(15, (b"</script>\"'&<b>", b"\xe2\x80\xaeevil\x1b[31m")[int(sys.argv[1])], 0, 0, 0)
for _ in range(5): time.sleep(0.002); sum(range(20000))
P
"$SONDE" sched record -q -o r.data sh -c 'python3 hostile.py 0; python3 hostile.py 1; for i in 1 2 3 4 5; do sleep 0.01; done; seq 50000 | sort >/dev/null'
run "$SONDE" timeline -i r.data -o r.html --title '</title><script>document.title="broken"</script>'; ok; err_has '[0-9]+ events in r.html'
"$SONDE" sched timehist -s -i r.data >summary
"$SONDE" trace record -q -o t.data -a --event sched:sched_switch --event sched:sched_waking sh -c 'cat /etc/hostname; sleep 0.01' >/dev/null 2>&1 ||
	"$SONDE" trace record -o t.data -a --event sched:sched_switch --event sched:sched_waking sh -c 'cat /etc/hostname; sleep 0.01' >/dev/null 2>&1
run "$SONDE" timeline -i t.data -q -o t.html; ok
"$SONDE" script -q -i t.data --ns -F time,event | awk '/sched_switch:/ { sub(":", "", $1); print $1 }' >switches
# calls that were not asked for, which tell what descriptors and folders are, are not drawn
run "$SONDE" trace record -q -o one.data -e execve true; ok
run "$SONDE" timeline -i one.data -o one.html; ok; err_has '^1 events? in one.html'
# the first events alone, and said so
run "$SONDE" timeline -i r.data --max-events 100 -o cut.html; ok; err_has 'the first 100 events'; err_has '^hint: --time'
run "$SONDE" timeline -i r.data -q -o - ; ok; has '^<!DOCTYPE html>'
! grep -Eq 'https?://' r.html || fail "a link to somewhere"
run "$SONDE" record -q -e cpu-clock -F 999 -g -o s.data "$PROG/profiled" 100; ok
run "$SONDE" timeline -i s.data -q -o s.html; ok
# refusals
run "$SONDE" timeline -i nosuch; exits 255; err_has '^hint: |nosuch'
run "$SONDE" timeline -i r.data --time 1,2 -o no.html; exits 255; err_has 'no events'; [ ! -e no.html ] || fail "an empty page"
run "$SONDE" timeline --busiest -3 -i r.data; exits 129
# a LOST record of CPU 0 in the middle
python3 "$TOP/tests/lose.py" r.data lost.data || fail "could not make a file with losses"
run "$SONDE" timeline -i lost.data -o lost.html; ok; err_has '7 events were lost'

cat >drive.js <<'J'
const fs = require('fs');
const { browse } = require(process.env.TOP + '/tests/browser.js');
const check = (good, words) => { if (!good) throw new Error(words); };
browse(async (b) => {
	const page = await b.open(`file://${process.cwd()}/r.html`, { width: 1200, height: 800 });
	const v = (e) => page.eval(e);
	await page.until('document.documentElement.dataset.ready');
	check(await v('document.title') === '</title><script>document.title="broken"</script>', 'the title');
	// each task's sum over all of it is timehist's; those that still run at the end have a slice more
	const sums = new Map((await v('timeline.model.tasks.map((t) => [t.tid, t.run, t.runs])')).map((t) => [t[0], t]));
	let compared = 0;
	for (const m of fs.readFileSync('summary', 'utf8').matchAll(/\[(\d+)(?:\/\d+)?\] +-?\d+ +(\d+) +(\d+\.\d{3}) /g)) {
		const t = sums.get(Number(m[1]));
		if ((fs.readFileSync('summary', 'utf8').match(new RegExp(`\\[${m[1]}[/\\]]`, 'g')) || []).length > 1)
			continue; // a number that was used again
		check(t && t[2] === Number(m[2]) && Math.floor(t[1] / 1000) === Math.round(Number(m[3]) * 1000), `${m[0]} is ${t}`);
		compared++;
	}
	check(compared > 5, `only ${compared} tasks compared`);
	// slices do not overlap, and levels of detail agree with them
	check(await v(`timeline.model.rows.every((r) => { for (let k = 1; k < r.n; k++) if (r.start[k] < r.end[k - 1]) return false;
		let longest = 0; for (let k = 3; k < r.n; k++) if (r.end[k] - r.start[k] > longest) longest = r.end[k] - r.start[k];
		const best = r.n > 3 ? r.longest(3, r.n) : -1; return best < 0 || r.end[best] - r.start[best] === longest; })`), 'slices or levels');
	// the sum of a range is that of its slices
	check(await v(`(() => { const m = timeline.model, a = m.span * .3, b = m.span * .6; let run = 0;
		for (const r of m.rows) if (r.kind === 'cpu') for (let k = 0; k < r.n; k++) run += Math.max(0, Math.min(r.end[k], b) - Math.max(r.start[k], a));
		const s = m.sums(a, b).reduce((x, y) => x + y.run, 0); return run > 0 && Math.abs(run - s) < 1; })()`), 'the sums of a range');
	// zoom about the pointer: the time under it stays
	const before = await v('timeline.view.graph.time(700)');
	await page.wheel(700, 120, -400);
	check(Math.abs(await v('timeline.view.graph.time(700)') - before) < 1e-3 * await v('timeline.model.span'), 'the wheel moves what is under it');
	check(await v('timeline.view.graph.to - timeline.view.graph.from') < await v('timeline.model.span') * .5, 'the wheel does not zoom');
	const width = await v('timeline.view.graph.to - timeline.view.graph.from');
	await page.key('w');
	check(await v('timeline.view.graph.to - timeline.view.graph.from') < width, 'w does not zoom');
	const left = await v('timeline.view.graph.from');
	await page.key('d');
	check(await v('timeline.view.graph.from') > left, 'd does not pan');
	await page.key('Home');
	check(await v('timeline.view.graph.to - timeline.view.graph.from') === await v('timeline.model.span'), 'Home');
	// a range, its table; Escape forgets it
	await page.drag(400, 130, 800, 130);
	check(await v('document.querySelectorAll("#range tbody tr").length') > 0, 'no sums of the range');
	check(Math.abs(await v('timeline.view.graph.selection[0]') - await v('timeline.view.graph.time(400)')) < await v('timeline.model.span') / 100, 'the range');
	await page.key('z');
	check(await v('timeline.view.graph.to - timeline.view.graph.from') < await v('timeline.model.span') * .6, 'z');
	await page.key('Escape');
	check(await v('document.getElementById("range").hidden'), 'Escape keeps the range');
	// markers
	await page.key('Home');
	await page.mouse('mouseMoved', 400, 130, { button: 'none' });
	await page.key('1');
	await page.mouse('mouseMoved', 600, 130, { button: 'none' });
	await page.key('2');
	check(/B − A = \d/.test(await v('document.getElementById("status").textContent')), 'no difference of the markers');
	// search: by task, event and field; each match is one that the regular expression finds
	await page.key('/');
	await page.type('sleep\\[\\d+\\]');
	await page.until('timeline.view.matches');
	const wanted = await v(`(() => { const m = timeline.model; let n = 0; for (let i = 0; i < m.n; i++)
		if (/sleep\\[\\d+\\]/i.test(m.taskName(m.task[i])) || /sleep\\[\\d+\\]/i.test(m.kindName(i)) || /sleep\\[\\d+\\]/i.test(m.text(i))) n++; return n; })()`);
	check(wanted > 10 && await v('timeline.view.matches.list.length') === wanted, `${wanted} matches wanted`);
	await page.key('Enter');
	check(/^1 of|^\d+ of/.test(await v('document.getElementById("matched").textContent')), 'no count');
	const one = await v('timeline.view.graph.chosen');
	await page.key('Escape');
	await page.key('n');
	check(await v('timeline.view.graph.chosen') > one, 'n');
	await page.key('N');
	check(await v('timeline.view.graph.chosen') === one, 'N');
	await page.until('document.querySelectorAll("#fields tr").length > 3');
	check(await v(`document.querySelector('#list [aria-selected="true"]') !== null`), 'the list does not follow');
	await page.key('ArrowRight');
	check(await v('timeline.view.graph.chosen') === one + 1, 'the arrow');
	await page.key('/');
	await v('document.getElementById("search").value = ""');
	await page.type('(');
	await page.until('document.getElementById("search").classList.contains("wrong")');
	await page.key('Escape');
	// a click on a slice, a click on a line
	await page.key('Home');
	await page.click(700, 72);
	check(await v('timeline.view.graph.chosen') >= 0, 'a click chooses nothing');
	await v('document.querySelector("#list .line:nth-of-type(4)").click()');
	// names that would be markup are text
	check(await v('timeline.model.tasks.some((t) => t.name.includes("</script>"))'), 'the hostile name is not there');
	check(await v('document.querySelectorAll("b, img, h1 script").length') === 0, 'a name became an element');
	check(await v('!timeline.model.tasks.some((t) => /[\\x00-\\x1f\\u202a-\\u202e]/.test(t.name))'), 'control characters of a name');
	// all that an event tells: of a wakeup, a migration and a switch, too
	check(await v(`(() => { const m = timeline.model, seen = [false, false, false]; for (let i = 0; i < m.n; i++) {
		const f = Object.fromEntries(m.fields(i)), cpu = /^CPU \\d+$/;
		if (m.type(i) === 0) seen[0] = Number(f.priority) >= -1 && Number(f['its priority']) >= -1;
		else if (m.type(i) === 1) seen[1] = Number(f.priority) >= -1 && cpu.test(f['to run on']);
		else if (m.type(i) === 2) seen[2] = Number(f.priority) >= -1 && cpu.test(f.from) && cpu.test(f.to);
		if (m.type(i) <= 2 && !seen[m.type(i)]) return false;
	} return seen[0] && seen[1]; })()`), 'fields of the scheduler\'s events');
	page.clean();
	// samples: what they weigh, and that a stack is deeper than what is shown of it; a window of middling width
	const samples = await b.open(`file://${process.cwd()}/s.html`, { width: 800, height: 600 });
	await samples.until('document.documentElement.dataset.ready');
	check(await samples.eval(`(async () => { const m = timeline.model; let sum = 0, deep = false; for (let i = 0; i < m.n; i++) { await m.loadText(i);
		const f = Object.fromEntries(m.fields(i)); sum += Number((f.weight || 'none').replace(/,/g, '')); deep ||= / <- \\.\\.\\.$/.test(f.stack); }
		return deep && sum; })()`) === Number(process.argv[2]), 'samples');
	check(await samples.eval(`Array.from(document.querySelectorAll('.head span')).every((s) => s.getBoundingClientRect().right <= document.getElementById('side').getBoundingClientRect().left)`), 'the head of the list runs into what is beside it');
	// on paper in its colours, and on the screen again
	check(await samples.eval(`(() => { const g = timeline.view.graph, back = () => g.c.text; dispatchEvent(new Event('beforeprint')); const on = back();
		dispatchEvent(new Event('afterprint')); return on === '#000' && back() !== on; })()`), 'on paper');
	samples.clean();
	// system calls, decoded, as slices of their task; losses
	const calls = await b.open(`file://${process.cwd()}/t.html`, { width: 1000, height: 700, dark: true });
	await calls.until('document.documentElement.dataset.ready');
	check(await calls.eval(`(async () => { const m = timeline.model; for (let i = 0; i < m.n; i++) if (m.kindName(i) === 'openat') { await m.loadText(i);
		if (/hostname/.test(m.text(i)) && /openat\\(/.test(m.text(i)) && m.length[i] > 0) return true; } return false; })()`), 'no openat of hostname');
	// the switches that came while the trace was opened are where they were
	check(await calls.eval(`JSON.stringify(Array.from(timeline.model.time.keys()).filter((i) => timeline.model.kindName(i) === 'sched:sched_switch')
		.map((i) => absolute(timeline.model, timeline.model.time[i])))`) === JSON.stringify(fs.readFileSync('switches', 'utf8').trim().split('\n')), 'times of switches');
	calls.clean();
	const lost = await b.open(`file://${process.cwd()}/lost.html`, { width: 390, height: 700, mobile: true });
	await lost.until('document.documentElement.dataset.ready');
	check(await lost.eval('timeline.model.gaps.length') === 1 && /7 events were lost/.test(await lost.eval('document.getElementById("notice").textContent')), 'the loss');
	check(await lost.eval('document.documentElement.scrollWidth <= innerWidth'), 'wider than a phone');
	lost.clean();
	const cut = await b.open(`file://${process.cwd()}/cut.html`);
	await cut.until('document.documentElement.dataset.ready');
	check(await cut.eval('timeline.model.n') === 100 && /Cut: /.test(await cut.eval('document.getElementById("notice").textContent')), 'cut');
	cut.clean();
});
J
run node drive.js "$("$SONDE" report --stdio --no-children -g none -i s.data 2>/dev/null | awk '/^# Event count/ { print $NF }')"; ok
# Straight: the command's exit code is ours, nothing is left behind, and rows are for whom we asked.
mkdir tmp
TMPDIR=$PWD/tmp run "$SONDE" timeline -o live.html -e syscalls:sys_enter_openat sh -c 'ls / >/dev/null; exit 3'; exits 3; err_has 'events in live.html'
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
run "$SONDE" timeline -i r.data true; exits 129; err_has '^hint: '
run "$SONDE" timeline -e cs -i r.data; exits 129; err_has 'no event .cs'; err_has '^hint: '
tid=$("$SONDE" sched latency -p -i r.data | sed -n 's/^  sleep:\([0-9]*\) .*/\1/p' | head -n 1)
run "$SONDE" timeline -i r.data -q -o rows.html --busiest 0 --tasks "$tid"; ok
# One thread on one CPU: its switches there alone, as the text has them
"$SONDE" script -q -i r.data --ns -F cpu,time,event,trace | grep 'sched_switch:' | grep -E "(prev|next)_pid=$tid " >switches
cpu=$(sed -n 's/^ *\[0*\([0-9][0-9]*\)\].*/\1/p' switches | head -n 1)
sed -n "s/^ *\[0*$cpu\] *\([0-9.]*\):.*/\1/p" switches >only
run "$SONDE" timeline -i r.data -q -o only.html --tid "$tid" --cpu "$cpu"; ok
run "$SONDE" timeline -i r.data -o no.html --comm nobody-has-that-name; exits 255; err_has 'no events'; [ ! -e no.html ] || fail "an empty page"
# Of samples those in a function, of other events those that are named; the scheduler's are there in any case.
run "$SONDE" timeline -i s.data -q -o quick.html -S quick; ok
"$SONDE" script -q -i s.data --json >s.lines
quick=$(python3 -c 'import json; print(sum(json.loads(l).get("sym") == "quick" for l in open("s.lines")))')
"$SONDE" record -q -a -e sched:sched_switch -e sched:sched_process_exec -e sched:sched_process_exit -o e.data sh -c '/bin/true; /bin/true'
run "$SONDE" timeline -i e.data -e sched:sched_process_exec -q -o exec.html; ok
# Calls that are not over when the recording is
mkfifo go
sh -c 'read -r x; sleep 1000; exit' <go & sh=$!
exec 9>go
pid_sleep() { pgrep -P "$sh" -x sleep; }
in_calls() { grep -q '^61 ' "/proc/$sh/syscall" && grep -q '^230 ' "/proc/$(pid_sleep)/syscall"; } # wait4 and clock_nanosleep
after 'ready $pid && { echo >&9; } 2>/dev/null && await pid_sleep && await in_calls' INT "$SONDE" trace record -q -p "$sh" -o w.data
kill "$(pid_sleep)" "$sh" 2>/dev/null || :
exec 9>&-
run "$SONDE" timeline -i w.data -q -o w.html; ok
cat >live.js <<'J'
const fs = require('fs');
const { browse } = require(process.env.TOP + '/tests/browser.js');
const check = (good, words) => { if (!good) throw new Error(words); };
browse(async (b) => {
	const open = async (name) => {
		const page = await b.open(`file://${process.cwd()}/${name}.html`);
		await page.until('document.documentElement.dataset.ready');
		return page;
	};
	const [tid, quick, cpu] = process.argv.slice(2).map(Number);
	let page = await open('live');
	check(await page.eval('timeline.model.rows.some((r) => r.tickTime.length && r.kind === "cpu")'), 'no ticks');
	// what is drawn is told, and nothing else
	const told = await page.eval('document.getElementById("legend").textContent');
	check(/had no CPU/.test(told) && /other events/.test(told) && !/system calls|samples|were lost/.test(told), told);
	page.clean();
	page = await open('rows');
	const tids = await page.eval('timeline.model.rows.filter((r) => r.kind === "task").map((r) => timeline.model.tasks[r.id].tid)');
	check(String(tids) === String(tid), `rows for ${tids}, not ${tid}`);
	page.clean();
	page = await open('only');
	check(await page.eval('timeline.model.rows.map((r) => r.kind === "cpu" ? r.name : timeline.model.tasks[r.id].tid).join()') === `CPU ${cpu},${tid}`, 'rows of what was chosen');
	check(await page.eval(`timeline.model.rows.every((r) => r.task.every((t) => timeline.model.tasks[t].tid === ${tid}))`), 'slices of others');
	const times = await page.eval('Array.from(timeline.model.time.keys()).filter((i) => timeline.model.type(i) === 0).map((i) => absolute(timeline.model, timeline.model.time[i])).join("\\n")');
	check(times === fs.readFileSync('only', 'utf8').trim(), 'switches of what was chosen');
	page.clean();
	page = await open('quick');
	check(await page.eval('timeline.model.n') === quick && quick > 0, `samples in quick: ${quick}`);
	page.clean();
	page = await open('exec');
	const kinds = await page.eval('[...new Set(Array.from(timeline.model.kind.keys(), (i) => timeline.model.kindName(i)))].sort().join()');
	check(kinds === 'sched:sched_process_exec,sched:sched_switch', kinds);
	page.clean();
	page = await open('w');
	// both reach to the end; the one that began first has a length
	check(await page.eval(`(async () => { const m = timeline.model, at = []; for (let i = 0; i < m.n; i++) { await m.loadText(i);
		if (/^(wait4|clock_nanosleep)\\(.*\\) is not over$/.test(m.text(i))) at.push(i); }
		return at.length === 2 && at.every((i) => m.time[i] === m.span) && at.some((i) => m.length[i] > 0); })()`), 'the calls that are not over');
	page.clean();
});
J
run node live.js "$tid" "$quick" "$cpu"; ok
