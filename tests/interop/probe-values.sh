# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc clang gdb python3
# timeout: 180
# Values that probes fetch, at every line of a function and for every variable in scope there, against gdb's.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
export g=spv$$ inst=/sys/kernel/tracing/instances/spv$$
own_instance
cat >compare.py <<'P'
import os, re, subprocess, sys
sonde, g, inst, prog = os.environ['SONDE'], os.environ['g'], os.environ['inst'], sys.argv[1]
def sh(*a): return subprocess.run(a, capture_output=True, text=True)
places = {}  # offset in work -> variables of type int available there
for line in range(0, 12):
    out = sh(sonde, 'probe', '-x', prog, '-V', 'work:%d' % line).stdout
    off = None
    for l in out.splitlines():
        m = re.match(r'\t@<work\+(\d+)>', l)
        if m: off = int(m.group(1)); places.setdefault(off, (line, set()))
        elif l.startswith('\t@<'): off = None
        m = re.match(r'\t\tint\t(\w+)$', l)
        if m and off is not None: places[off][1].add(m.group(1))
places = {o: (n, sorted(v)) for o, (n, v) in places.items() if v}
defs = {}
for off, (line, names) in places.items():
    r = sh(sonde, 'probe', '-x', prog, '-a', '%s:e%d=work+%d %s' % (g, off, off, ' '.join(names)))
    if r.returncode: # at an offset behind the entry, as at a line
        print('sonde refuses work+%d: %s' % (off, r.stderr.strip())); sys.exit(1)
    defs[off] = names
open(inst + '/events/%s/enable' % g, 'w').write('1')
subprocess.run([prog], stdout=subprocess.DEVNULL)
open(inst + '/events/%s/enable' % g, 'w').write('0')
got = {}
for l in open(inst + '/trace'):
    m = re.search(r' e(\d+): \(0x\w+\) (.*)$', l)
    if m and int(m.group(1)) not in got:
        got[int(m.group(1))] = dict(re.findall(r'(\w+)=(-?\w+)', m.group(2)))
open(inst + '/trace', 'w').close()
sh(sonde, 'probe', '-q', '-d', g + ':*')
script = ['set pagination off', 'set confirm off']
for off, names in defs.items():
    script += ['tbreak *((char*)work+%d)' % off, 'commands', 'silent']
    # at the very entry gdb would read the stack slot that is not yet written: the convention says %esi
    script += ['printf "HIT %d %s=%%d\\n", %s' % (off, n, '$esi' if off == 0 and n == 'k' else n) for n in names]
    script += ['cont', 'end']
script += ['run >/dev/null']
open('script.gdb', 'w').write('\n'.join(script) + '\n')
out = sh('gdb', '-q', '-batch', '-nx', '-x', 'script.gdb', prog)
n = bad = 0
for m in re.finditer(r'HIT (\d+) (\w+)=(-?\d+)', out.stdout):
    off, name, want = int(m.group(1)), m.group(2), int(m.group(3))
    if off not in got or name not in got[off]: continue
    n += 1
    if int(got[off][name], 0) != want:
        bad += 1
        print('work+%d line %d: %s is %s, gdb says %d' % (off, places[off][0], name, got[off][name], want))
print(n, 'values compared')
sys.exit(1 if bad else 0)
P
total=0
for cc in gcc clang; do for o in 0 1 2 3; do
	$cc -g -O$o -o "p$cc$o" "$TOP/tests/data/probe-shapes.c"
	run python3 compare.py "./p$cc$o"; [ "$code" = 0 ] || { echo "$cc -O$o"; fail "values differ"; }
	total=$((total + $(sed -n 's/ values compared//p' "$T/out")))
done; done
[ "$total" -ge 60 ] || fail "only $total values were compared"
