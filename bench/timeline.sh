# SPDX-License-Identifier: GPL-2.0-or-later
# Bars: a page of more than a million events is written in 5 s, has at most 20 MB, is drawn 3 s after it is opened in Chromium, and a
# step of the zoom takes at most 100 ms.
needs chromium node
[ "$(id -u)" -eq 0 ] || { echo "SKIP: needs root"; exit 77; }
"$SONDE" record -q -a -m 32M -e sched:sched_switch -e sched:sched_waking -e syscalls:sys_enter_read -e syscalls:sys_exit_write -o "$T/m.data" \
	dd if=/dev/zero of=/dev/null bs=1 count=550k 2>/dev/null
title "timeline of a million events"
start=${EPOCHREALTIME/[.,]/}
"$SONDE" timeline -q -i "$T/m.data" -o "$T/m.html"
took=$(((${EPOCHREALTIME/[.,]/} - start) / 1000))
cat >"$T/measure.js" <<'J'
const { browse } = require(process.env.TOP + '/tests/browser.js');
browse(async (b) => {
	const page = await b.open(`file://${process.argv[2]}`, { width: 1400, height: 900 });
	await page.until('document.documentElement.dataset.ready');
	const steps = [];
	for (let i = 0; i < 40; i++) {
		await page.wheel(700, 100, i < 20 ? -150 : 150);
		steps.push(await page.eval('timeline.view.graph.took'));
	}
	console.log(await page.eval('timeline.model.n'), Math.round(await page.eval('timeline.ready')), Math.ceil(Math.max(...steps)));
});
J
read -r events ready step < <(node "$T/measure.js" "$T/m.html")
echo "  $events events, $(($(stat -c %s "$T/m.html") / 1024)) kB"
[ "$events" -gt 1000000 ] || echo "  too few events for the bars"
verdict "written in ms" "$took" 5000 ' ms'
verdict "size in kB" "$(($(stat -c %s "$T/m.html") / 1024))" 20480 ' kB'
verdict "first paint, ms after opening" "$ready" 3000 ' ms'
verdict "slowest step of the zoom, ms" "$step" 100 ' ms'
