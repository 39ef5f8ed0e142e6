# SPDX-License-Identifier: GPL-2.0-or-later
# needs: gcc clang python3
# Members of structures in registers, bit fields with and without a type, and what comes behind floating point: the program's own values.
[ "$(id -u)" = 0 ] || skip "needs root"
[ -e /sys/kernel/tracing/uprobe_events ] || skip "no uprobe_events"
g=spc$$
trap '"$SONDE" probe -q -d "$g:*" 2>/dev/null || :' EXIT
cat >compare.py <<'P'
import json, os, re, subprocess, sys
sonde, g = os.environ['SONDE'], sys.argv[1]
def sh(*a):
    r = subprocess.run(a, capture_output=True, text=True)
    if r.returncode: sys.exit('%s\n%s%s' % (' '.join(a), r.stdout, r.stderr))
    return r.stdout
own = subprocess.run(['./structs'], capture_output=True, text=True)
if own.returncode: sys.exit('the program fails')
want, args = {}, []
for n, line in enumerate(own.stdout.splitlines()):
    func, *rest = line.split()
    pairs = [r.rsplit('=', 1) for r in rest]
    want['e%d' % n] = [(expr, int(v)) for expr, v in pairs]
    args += ['-a', '%s:e%d=%s %s' % (g, n, func, ' '.join('v%d=%s' % (i, expr) for i, (expr, v) in enumerate(pairs)))]
sh(sonde, 'probe', '-q', '-x', './structs', *args)
sh(sonde, 'record', '-q', '-o', 's.data', '-e', g + ':*', './structs')
live = 'live' in sys.argv
if live:
    sh(sonde, 'trace', '--no-syscalls', '--event', g + ':*', '-o', 'trace.txt', './structs')
    sh(sonde, 'trace', '--no-syscalls', '--json', '--event', g + ':*', '-o', 'trace.json', './structs')
def text(t): return {m[0]: dict(re.findall(r'(v\d+)=(-?\w+)', m[1])) for m in re.findall(g + r':(e\d+)\W(.*)', t)}
def fields(t): return {e['event'].split(':')[1]: e['fields'] for e in map(json.loads, t.splitlines()) if ':' in e.get('event', '')}
forms = {'script': text(sh(sonde, 'script', '-i', 's.data')), 'script --json': fields(sh(sonde, 'script', '--json', '-i', 's.data'))}
if live: forms.update({'trace': text(open('trace.txt').read()), 'trace --json': fields(open('trace.json').read())})
n = bad = 0
for name, got in forms.items():
    for event, values in want.items():
        for i, (expr, value) in enumerate(values):
            v = got.get(event, {}).get('v%d' % i)
            n += 1
            if v is None or int(str(v), 0) != value:
                bad += 1
                print('%s: %s %s is %s, the program says %d' % (name, event, expr, v, value))
sh(sonde, 'probe', '-q', '-d', g + ':*')
print(n, 'values')
sys.exit(1 if bad or n < 150 else 0)
P
for cc in gcc clang; do for o in 0 1 2; do
	live=; [ $cc$o = gcc2 ] && live=live
	$cc -g -O$o -Wno-unused-parameter -o structs "$TOP/tests/data/probe-structs.c"
	run python3 compare.py $g ${live-}; [ "$code" = 0 ] || { echo "$cc -O$o"; fail "values differ"; }
done; done
# DWARF 3 counts the bits of a field from the other end
gcc -g -gdwarf-3 -gstrict-dwarf -O2 -o structs "$TOP/tests/data/probe-structs.c"; run python3 compare.py $g; ok
# what a bit field cannot be
for type in string symbol 'u8[2]' char; do
	run "$SONDE" probe -x ./structs -D "fields f->x:$type"; exits 255
	[ $type = symbol ] || { err_has "'x' is only some bits of a word: it cannot be fetched as|is not a string"; }
done
# the sign is sonde's: it is said
run "$SONDE" probe -x ./structs -D 'fields f->x f->y'; ok; err_has '^x is signed: sonde shows that'

# a filter on a bit field with a sign means the number, not the bits: -4 to 3 come once each
cat >signs.c <<'C'
struct s { unsigned a : 5; int b : 3; };
__attribute__((noinline)) int f(struct s *s) { __asm__ volatile("" : : "r"(s) : "memory"); return s->b; }
int main(void) { struct s s = { 9, 0 }; int n = 0; for (int i = -4; i < 4; i++) { s.b = i; n += f(&s); } return n == 0; }
C
gcc -g -O1 -o signs signs.c
"$SONDE" probe -q -x ./signs -a "$g:sign=f b=s->b" 2>/dev/null
for f in 'b<0 4' 'b>=-1 5' 'b==-4 1' 'b!=-4 7' 'b>1 2' 'b<=-2 3' 'b==5 0' 'b<100 8'; do
	run "$SONDE" record -q -o f.data -e "$g:sign" --filter "${f% *}" ./signs; ok
	same "$("$SONDE" script -i f.data | grep -c "$g:sign" || true)" "${f#* }" "records with ${f% *}"
done
run "$SONDE" record -q -o f.data -e "$g:sign" --filter 'c < 0' ./signs; exits 255; err_has "'c' is not a field"
