# SPDX-License-Identifier: GPL-2.0-or-later
# needs: node keytool
# timeout: 600
# The maps that real JITs leave: node's in perf's form, the JVM's with 0x before its numbers.
map=; trap '[ -z "$map" ] || rm -f "$map"' EXIT
named() { "$SONDE" script -i "$1" -F ip,sym,dso 2>/dev/null | sed -nE 's/^ *[0-9a-f]+ (.*) \(\/tmp\/perf-[0-9]+\.map\)$/\1/p' | sort | uniq -c | sort -rn >names; }
map_of() { "$SONDE" script -i "$1" --show-mmap-events 2>/dev/null | sed -nE "s/.*PERF_RECORD_COMM exec: $2:([0-9]+).*/\/tmp\/perf-\1.map/p; s/.*: PERF_RECORD_MMAP2 ([0-9]+)\/.* \/\/anon.*/\/tmp\/perf-\1.map/p" | tail -n 1; }

cat >hot.js <<'J'
function hotJs(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 1000003; return s; }
let t = 0;
for (let k = 0; k < 20; k++) t += hotJs(2000000);
console.log(t);
J
"$SONDE" record -q -F 499 -e cpu-clock:u -o n.data node --perf-basic-prof hot.js >t.out || skip "cannot record here"
map=$(map_of n.data node); named n.data
grep -qE 'hotJs .*hot\.js' names || { head names; fail "node's functions have no names"; }
rm -f "$map"

# Making a key is work for the compiler of the JVM: big numbers in Java.
for _ in {1..6}; do
	rm -f keys
	"$SONDE" record -q -F 499 -e cpu-clock:u -o j.data keytool -J-XX:+UnlockDiagnosticVMOptions -J-XX:+DumpPerfMapAtExit -genkeypair \
		-keyalg RSA -keysize 3072 -alias a -dname CN=a -keystore keys -storepass secret -keypass secret 2>t.err
	map=$(map_of j.data keytool); named j.data
	grep -q ' java\.' names && break
	rm -f "$map"
done
[ -s "$map" ] || fail "the JVM left no map at $map: $(head -n 3 t.err)"
grep -qE '^0x[0-9a-f]+ 0x[0-9a-f]+ ' "$map" || fail "the JVM's map has another form by now: $(head -n 1 "$map")"
grep -qE ' Interpreter| java\.' names || { head names; fail "the JVM's functions have no names"; }
run "$SONDE" report --stdio -i j.data; ok; has '\] (Interpreter|.*java\.)'; err_hasnt 'made by a JIT that left no map'
